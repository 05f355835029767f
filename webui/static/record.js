// The record: the story so far, the score sheet.

import { cardRow } from "./cards.js";
import { scoreChart } from "./chart.js";
import { by, el, redraw, say } from "./dom.js";
import { asideText, nameOf, remedy, sentence } from "./reasons.js";
import { t } from "./words.js";

const SIGNS = { ok: "✓", violation: "✗", unsure: "?" };
const STRONG = new Set(["round_end", "hand_end", "new_hand"]);
const drawn = new Map();

const aside = (state, derived) =>
  el("p", { class: STRONG.has(derived.kind) ? "aside strong" : "aside" }, asideText(state, derived));

function entryNode(state, entry, tools) {
  const sign = el(
    "span",
    { class: `sign ${entry.verdict}`, role: "img", "aria-label": t(`verdict.${entry.verdict}`) },
    SIGNS[entry.verdict],
  );
  const mended = entry.corrected ? el("p", { class: "quiet" }, t("desk.corrected")) : null;
  const hint = entry.verdict === "violation" ? remedy(entry) : "";
  const body = el("div", {}, el("p", {}, sentence(state, entry)), hint ? el("p", { class: "quiet" }, hint) : null, mended);
  const cards = entry.cards.length && entry.kind !== "sweep" ? cardRow(entry.cards, "small") : null;
  const line = el("div", { class: `entry ${entry.verdict}` }, sign, body, tools?.(state, entry), cards);
  // newest first, so what followed stands above what it followed
  return el(
    "li",
    { "data-id": entry.id },
    ...entry.after.map((derived) => aside(state, derived)).reverse(),
    line,
    ...entry.before.map((derived) => aside(state, derived)).reverse(),
  );
}

// `tools(state, entry)` gives what the host can do with an entry.
export function drawStory(state, tools) {
  const list = by("story");
  const names = state.seats.map((seat) => seat.name);
  const frame = JSON.stringify([document.documentElement.lang, Boolean(tools), names]);
  const keep = new Set();
  const nodes = state.entries.map((entry) => {
    const form = frame + JSON.stringify(entry);
    keep.add(entry.id);
    if (drawn.get(entry.id)?.form !== form) drawn.set(entry.id, { form, node: entryNode(state, entry, tools) });
    return drawn.get(entry.id).node;
  });
  for (const id of drawn.keys()) if (!keep.has(id)) drawn.delete(id);
  nodes.reverse();
  if (!nodes.length) nodes.push(el("li", { class: "quiet" }, t("page.nothing_yet")));
  // node by node: who stands on one with the keyboard stays there
  nodes.forEach((node, place) => {
    if (list.children[place] !== node) list.insertBefore(node, list.children[place] ?? null);
  });
  while (list.children.length > nodes.length) list.lastChild.remove();
}

export function drawScores(state) {
  redraw(by("scores"), [state.scores, state.match, state.seats.map((seat) => seat.name)], () => {
    const { hands, numbers, running, totals, names } = state.scores;
    const sides = names.map((side) => side.map((seat) => nameOf(state, seat)).join(" + "));
    const lines = state.match.over ? [t("page.match_over")] : [];
    if (state.match.winners.length) {
      lines.push(t("page.winners", { names: state.match.winners.map((side) => sides[side]).join(", ") }));
    }
    say(by("match"), lines.join(" "));
    const row = (title, values) =>
      el("tr", {}, el("th", { scope: "row" }, title), ...values.map((value) => el("td", {}, String(value))));
    const heads = sides.map((side) => el("th", { scope: "col" }, side));
    const list = sides.map((name, side) => t("page.chart_one", { name, points: totals[side] })).join(", ");
    const label = t("page.chart", { n: hands.length, list });
    by("chart").replaceChildren(...(running.length && totals.length ? [scoreChart(running, sides, label)] : []));
    by("scores").replaceChildren(
      el("thead", {}, el("tr", {}, el("td"), ...heads)),
      el("tbody", {}, ...hands.map((values, i) => row(t("page.hand", { n: numbers[i] }), values))),
      el("tfoot", {}, row(t("page.total"), totals)),
    );
  });
}
