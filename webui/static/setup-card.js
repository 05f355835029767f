// Step 4: any card is laid on the table; Kibitz says which it is, how large the table is and how good the picture.

import { cardName, cardRow } from "./cards.js";
import { by, el, say } from "./dom.js";
import { askSetup, draft, keep } from "./setup-draft.js";
import { reasonOf, t } from "./words.js";

const SIGNS = { ok: "✓", warning: "!", bad: "✗" };
const USUAL_MM = [900, 900]; // what a table file without a size means

function checkRow({ name, level, advice, params }) {
  const text = advice ? t(`health.${advice}`, params) : t("health.ok");
  return el("li", { class: `check ${level}` }, el("b", { "aria-hidden": "true" }, SIGNS[level]), ` ${t("setup.check", { what: t(`health.${name}`), text })}`);
}

function verdict(seen) {
  if (seen.mirrored) return ["bad", t("setup.mirrored")];
  if (!seen.cards.length) return ["bad", t("setup.no_card")];
  if (seen.cards.length > 1) return ["warning", t("setup.several_cards", { n: seen.cards.length })];
  return ["ok", t("setup.is_it", { card: cardName(seen.cards[0].card) })];
}

// What can be said about the table's size by the card, in words.
function sizeWords(seen) {
  if (!seen.cards.length || seen.mirrored) return "";
  if (!seen.table_mm) return t("setup.size_unknown");
  const [width, depth] = seen.table_mm.map((mm) => Math.round(mm / 10));
  return t(seen.square ? "setup.size_found" : "setup.size_skewed", { width, depth });
}

function drawResult(box, seen) {
  if (!seen) return box.replaceChildren();
  const [level, text] = verdict(seen);
  const answer = (right) => () => {
    seen.right = right;
    keep();
    drawResult(box, seen);
  };
  const button = (key, right) => el("button", { type: "button", class: right ? "main" : "", onclick: answer(right) }, t(key));
  const asked = level === "ok" && seen.right === undefined;
  return box.replaceChildren(
    el("p", { class: `result ${level}`, role: "status" }, text),
    seen.cards.length ? cardRow(seen.cards.map(({ card }) => card)) : "",
    asked ? el("div", { class: "row" }, button("setup.yes", true), button("setup.no", false)) : "",
    level === "ok" && seen.right !== undefined ? el("p", { role: "status" }, t(seen.right ? "setup.card_right" : "setup.card_wrong")) : "",
    el("p", {}, sizeWords(seen)),
    el("ul", { class: "checks" }, ...seen.checks.map(checkRow)),
  );
}

function sizeField(axis) {
  const id = `size-${axis}`;
  const input = el("input", {
    id, type: "number", min: 20, max: 500, value: Math.round((draft.document.table_mm ?? USUAL_MM)[axis] / 10),
    onchange: () => {
      draft.document.table_mm = [0, 1].map((each) => Number(by(`size-${each}`).value) * 10);
      keep();
    },
  });
  return el("span", { class: "size" }, el("label", { for: id }, t(axis ? "setup.depth" : "setup.width")), input);
}

async function look(box, button) {
  button.disabled = true;
  box.replaceChildren(el("p", { role: "status" }, t("setup.reading")));
  try {
    const seen = await askSetup("/look", { table_px: draft.document.table_px });
    draft.card = seen;
    if (seen.table_mm && seen.square && !seen.mirrored) {
      draft.document.table_mm = seen.table_mm;
      seen.table_mm.forEach((mm, axis) => (by(`size-${axis}`).value = Math.round(mm / 10)));
    }
    keep();
    drawResult(box, seen);
  } catch (error) {
    box.replaceChildren(el("p", { class: "result bad", role: "status" }, reasonOf(error)));
  }
  button.disabled = false;
}

export const cardStep = {
  looks: true,
  missing: () => "",
  draw(body) {
    const box = el("div", { class: "stack" });
    const button = el("button", { type: "button", class: "main", onclick: () => look(box, button) }, t("setup.read_card"));
    body.append(
      el("div", { class: "row" }, button),
      box,
      el("fieldset", { class: "row" }, el("legend", {}, t("setup.table_size")), sizeField(0), sizeField(1)),
    );
    drawResult(box, draft.card);
    askSetup("/camera", { camera: draft.camera }).catch((error) => say(by("camera-state"), reasonOf(error)));
  },
};
