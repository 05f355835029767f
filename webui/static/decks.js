// The deck packs: which there are, a new one, one for a table, and how a photo is read with one.

import { cardName } from "./cards.js";
import { by, el, svg } from "./dom.js";
import { checkItem } from "./health.js";
import { askHouse, enter, houseUrl, sendFile } from "./net.js";
import { drawCards } from "./table.js";
import { pickLanguage, reasonOf, t } from "./words.js";

const PHOTOS = ["image/jpeg", "image/png", "image/webp"];
let known = null;
let tried = null; // {name, result}
let last = Promise.resolve();

function tell(text, kind = "") {
  by("notices").replaceChildren(...(text ? [el("p", { class: `notice ${kind}` }, text)] : []));
}

// One thing after the other: the server works through one file at a time.
function doing(act, name = "") {
  last = last.then(async () => {
    document.body.classList.add("busy");
    try {
      await begun; // a file may be chosen before the link has let the host in
      await act();
    } catch (error) {
      // the server doesn't know what the file is called here
      const path = (error.params?.path ?? "").replace(/^pack\.zip/, name) || name;
      tell(reasonOf({ code: error.code, params: { ...error.params, path } }), "bad");
    }
    document.body.classList.remove("busy");
  });
  return last;
}

const use = (pack) =>
  doing(async () => {
    await askHouse(`decks/${pack.name}/use`, {});
    tell(t("decks.used", { name: pack.called }));
    await refresh();
  });

function facts(table) {
  return Object.entries(table).flatMap(([key, value]) => [el("dt", {}, key.replaceAll("_", " ")), el("dd", {}, value)]);
}

function packItem(pack) {
  const title = el("b", { class: "title" }, pack.called ?? pack.name);
  if (pack.error) return el("li", {}, title, el("p", { class: "notice bad" }, reasonOf(pack.error)));
  const mark = pack.in_use
    ? el("span", { class: "badge" }, t("decks.in_use"))
    : el("button", { type: "button", "aria-label": `${t("decks.use")}: ${pack.called}`, onclick: () => use(pack) }, t("decks.use"));
  const more = el("dl", { lang: "en" }, ...facts(pack.figures), ...facts(pack.data), el("dt", {}, "SHA-256"), el("dd", {}, pack.hashes.join(", ")));
  return el(
    "li",
    {},
    el("div", { class: "row" }, title, mark),
    el("p", { class: "quiet" }, `${t("decks.version", pack)} · `, el("span", { lang: "en" }, pack.licence)),
    el("details", {}, el("summary", {}, t("decks.more")), more),
  );
}

function choice(table) {
  const packs = known.decks.filter((pack) => !pack.error);
  const options = [["", t("decks.like_in_use")], ...packs.map((pack) => [pack.name, pack.called])];
  if (table.deck && !packs.some(({ name }) => name === table.deck)) options.push([table.deck, table.deck]);
  const select = el(
    "select",
    {
      "aria-label": t("decks.for", { name: table.title }),
      onchange: () =>
        doing(async () => {
          await askHouse("decks/choose", { table: table.name, deck: select.value || null });
          tell(t("decks.chosen", { name: table.title }));
          await refresh();
        }),
    },
    ...options.map(([name, words]) => el("option", { value: name, selected: name === (table.deck ?? "") }, words)),
  );
  const again = () =>
    doing(async () => {
      await askHouse(`tables/${table.name}/open`, {});
      tell(t("decks.started", { name: table.title }));
    });
  const start = el("button", { type: "button", "aria-label": `${t("decks.start")}: ${table.title}`, onclick: again }, t("decks.start"));
  return el("li", {}, el("span", { class: "title" }, table.title), select, start);
}

function drawTried() {
  if (!tried) return;
  const { name, result } = tried;
  const named = result.cards.filter(({ state }) => state === "sure");
  const down = result.cards.length - named.length;
  const list = named.map(({ card, score }) => `${cardName(card)} ${Math.round(100 * score)} %`).join(", ");
  const outlines = svg("svg", { class: "outlines", viewBox: "0 0 1 1", preserveAspectRatio: "none", "aria-hidden": "true" });
  const labels = el("div", { class: "labels", "aria-hidden": "true" });
  drawCards(result.cards, outlines, labels);
  const image = el("img", { src: houseUrl(`decks/photo/${result.picture}.jpg`), alt: t("decks.tried", { name }), width: result.width, height: result.height });
  by("tried").replaceChildren(
    el("figure", { class: "picture" }, image, outlines, labels),
    el("p", { class: "found" }, list || t("decks.nothing")),
    el("p", { class: "quiet" }, [down && t("decks.down", { n: down }), result.unread && t("decks.unread", { n: result.unread })].filter(Boolean).join(" · ")),
    el("ul", { class: "health" }, ...result.checks.map(checkItem)),
  );
}

function draw() {
  document.title = t("decks.title");
  if (!known) return;
  by("packs").replaceChildren(...known.decks.map(packItem));
  by("add").hidden = by("try-part").hidden = false;
  by("tables-part").hidden = !known.tables.length;
  by("tables").replaceChildren(...known.tables.map(choice));
  const kept = by("try-deck").value || known.decks.find((pack) => pack.in_use)?.name;
  const packs = known.decks.filter((pack) => !pack.error);
  by("try-deck").replaceChildren(...packs.map(({ name, called }) => el("option", { value: name, selected: name === kept }, called)));
  drawTried();
}

async function refresh() {
  known = await askHouse("decks");
  draw();
}

function addPack() {
  const file = by("pack-file").files[0];
  if (!file) return;
  doing(async () => {
    tell(t("decks.checking", { name: file.name }));
    const { name } = await sendFile("decks", file, "application/zip");
    tell(t("decks.added", { name }));
    await refresh();
  }, file.name).then(() => (by("pack-file").value = ""));
}

function tryPhoto() {
  const file = by("photo-file").files[0];
  if (!file) return;
  doing(async () => {
    tell(t("decks.reading", { name: file.name }));
    const type = PHOTOS.includes(file.type) ? file.type : PHOTOS[0];
    tried = { name: file.name, result: await sendFile(`decks/${by("try-deck").value}/photo`, file, type) };
    tell("");
    drawTried();
  }, file.name).then(() => (by("photo-file").value = ""));
}

async function main() {
  by("pack-file").addEventListener("change", addPack);
  by("photo-file").addEventListener("change", tryPhoto);
  await pickLanguage(by("language"), draw);
  try {
    await enter();
    await refresh();
  } catch (error) {
    tell(error.code === "not_admitted" ? t("decks.host_only") : reasonOf(error), "bad");
  }
}

const begun = main();
