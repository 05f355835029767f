// The list of tables: leads on to the only one, and the host of none to the set-up. The host opens,
// closes and deletes them here.

import { by, el } from "./dom.js";
import { askHouse, enter, pageOf } from "./net.js";
import { pickLanguage, reasonOf, t } from "./words.js";

let house = null;

const fail = (error) => by("notices").replaceChildren(el("p", { class: "notice bad" }, reasonOf(error)));

function button(label, table, what) {
  const act = async () => {
    if (what === "delete" && !confirm(t("page.really_delete", { name: table.title }))) return;
    by("notices").replaceChildren();
    try {
      await askHouse(`tables/${table.name}/${what}`, {});
      await refresh();
    } catch (error) {
      fail(error);
    }
  };
  return el("button", { type: "button", "aria-label": `${label}: ${table.title}`, onclick: act }, label);
}

function setUp(table) {
  const label = t("page.set_up");
  return el("a", { class: "button", href: `/setup?table=${table.name}`, "aria-label": `${label}: ${table.title}` }, label);
}

function opened(table) {
  const link = el("a", { class: "title", href: pageOf(table.name) }, table.title);
  return el("li", {}, link, ...(house.closed ? [setUp(table), button(t("page.close_table"), table, "close")] : []));
}

function closed(table) {
  return el(
    "li",
    {},
    el("span", { class: "title" }, table.title),
    ...(table.error
      ? [el("span", { class: "quiet" }, reasonOf(table.error))]
      : [setUp(table), button(t("page.open_table"), table, "open")]),
    button(t("page.delete_table"), table, "delete"),
  );
}

function list(heading, tables, item) {
  return tables?.length ? [el("h2", {}, heading), el("ul", { class: "tables" }, ...tables.map(item))] : [];
}

function draw() {
  if (!house) return;
  const nothing = house.tables.length + (house.closed?.length ?? 0) === 0;
  by("tables").replaceChildren(
    ...list(t("page.open_tables"), house.tables, opened),
    ...list(t("page.closed_tables"), house.closed, closed),
    ...(nothing ? [el("p", {}, t("page.no_tables"))] : []),
    ...(house.closed ? [el("p", {}, el("a", { class: "button main", href: "/setup" }, t("setup.title")))] : []),
    ...(house.closed ? [el("p", {}, el("a", { href: "/decks" }, t("decks.title")))] : []),
  );
}

async function refresh() {
  house = await askHouse("tables");
  draw();
}

async function main() {
  await pickLanguage(by("language"), draw);
  try {
    await enter();
  } catch (error) {
    fail(error);
  }
  try {
    await refresh();
  } catch (error) {
    by("tables").replaceChildren(el("p", {}, error.code === "not_admitted" ? t("page.not_in") : reasonOf(error)));
    return;
  }
  const asked = new URLSearchParams(location.search).has("all"); // the list itself is wanted
  if (asked) return;
  if (house.tables.length === 1) location.replace(pageOf(house.tables[0].name));
  if (house.closed && house.tables.length + house.closed.length === 0) location.replace("/setup");
}

main();
