// The score sheet of a match, to read and to print; for the host the match as files.

import { by, el, say } from "./dom.js";
import { ask, askHouse, enter, tableUrl } from "./net.js";
import { nameOf } from "./reasons.js";
import { language, pickLanguage, reasonOf, t } from "./words.js";

const FORMS = ["jsonl", "csv", "scores"];

let matches = [];
let sheet = null;
let host = false;

const date = (seconds) => new Intl.DateTimeFormat(language, { dateStyle: "long", timeStyle: "short" }).format(new Date(seconds * 1000));
const gameOf = (one) => one.game.name[language] ?? one.game.name.en;

function draw() {
  if (!sheet) return;
  const chosen = Number(by("match").value) || matches.at(-1).id;
  const options = matches.map((one) => el("option", { value: one.id, selected: one.id === chosen }, `${date(one.began)} · ${gameOf(one)}`));
  by("match").replaceChildren(...options.reverse());
  by("files").hidden = !host;
  const file = (form) => el("a", { href: tableUrl(`matches/${chosen}/export/${form}`), download: "" }, t(`sheet.${form}`));
  by("files").replaceChildren(...FORMS.map(file));
  const { names, hands, numbers, totals } = sheet.scores;
  const sides = names.map((side) => side.map((seat) => nameOf(sheet, seat)).join(" + "));
  const row = (title, values) => el("tr", {}, el("th", { scope: "row" }, title), ...values.map((value) => el("td", {}, String(value))));
  const heads = sides.map((side) => el("th", { scope: "col" }, side));
  const title = (values, i) => {
    const out = sheet.results[i]?.finish ?? [];
    const first = out.length ? t("sheet.first", { name: nameOf(sheet, out[0]) }) : "";
    return el("span", {}, t("page.hand", { n: numbers[i] }), first ? el("small", { class: "quiet" }, ` ${first}`) : "");
  };
  const lines = [];
  if (!hands.length) lines.push(el("p", { class: "quiet" }, t("sheet.no_hands")));
  if (sheet.match.over) lines.push(el("p", {}, t("page.match_over")));
  if (sheet.match.winners.length) {
    lines.push(el("p", {}, t("page.winners", { names: sheet.match.winners.map((side) => sides[side]).join(", ") })));
  }
  by("sheet").replaceChildren(
    el("h2", {}, sheet.title),
    el("p", { class: "quiet" }, `${gameOf(sheet)} · ${date(sheet.began)}`),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "region", "aria-label": t("sheet.title") },
      el(
        "table",
        {},
        el("thead", {}, el("tr", {}, el("td"), ...heads)),
        el("tbody", {}, ...hands.map((values, i) => row(title(values, i), values))),
        el("tfoot", {}, row(t("page.total"), totals)),
      ),
    ),
    ...lines,
  );
  document.title = `${t("sheet.title")} · ${sheet.title}`; // what the printer and a PDF are called
}

async function open(id) {
  sheet = await ask(`matches/${id}/sheet`);
  draw();
}

async function main() {
  await pickLanguage(by("language"), draw);
  try {
    await enter();
    matches = (await ask("matches")).matches;
    host = (await askHouse("me")).role === "host";
    await open(matches.at(-1).id);
  } catch (error) {
    by("outside").hidden = false;
    say(by("outside-why"), error.code === "not_admitted" ? t("page.not_in") : reasonOf(error));
    return;
  }
  by("inside").hidden = false;
  by("match").addEventListener("change", () => open(Number(by("match").value)));
  by("print").addEventListener("click", () => print());
}

main();
