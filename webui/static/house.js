// The list of tables: leads on to the only one; the host opens and closes the saved ones.

import { by, el } from "./dom.js";
import { askHouse, enter, pageOf } from "./net.js";
import { pickLanguage, reasonOf, t } from "./words.js";

let house = null;

const fail = (error) => by("notices").replaceChildren(el("p", { class: "notice bad" }, reasonOf(error)));
const button = (label, act) => el("button", { type: "button", onclick: act }, label);

function act(name, what) {
  return async () => {
    try {
      await askHouse(`tables/${name}/${what}`, {});
      await refresh();
    } catch (error) {
      fail(error);
    }
  };
}

function removal(name) {
  const remove = act(name, "delete");
  return () => confirm(t("page.really_delete", { name })) && remove();
}

function row(name, label, ...tools) {
  return el("li", { class: "row" }, label, ...tools.filter(Boolean));
}

function draw() {
  if (!house) return;
  const { tables, closed } = house;
  const host = closed !== undefined;
  const link = ({ name, title }) =>
    row(name, el("a", { href: pageOf(name) }, title), host && button(t("page.close_table"), act(name, "close")));
  const kept = (name) =>
    row(name, el("span", {}, name), button(t("page.open_table"), act(name, "open")), button(t("page.delete_table"), removal(name)));
  const parts = [];
  if (tables.length) parts.push(el("h2", {}, t("page.open_tables")), el("ul", { class: "tables" }, ...tables.map(link)));
  else if (!host || closed.length) parts.push(el("p", {}, t("page.no_tables")));
  else parts.push(el("p", {}, t("page.no_tables_host")));
  if (closed?.length) parts.push(el("h2", {}, t("page.closed_tables")), el("ul", { class: "tables" }, ...closed.map(kept)));
  by("tables").replaceChildren(...parts);
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
  const all = new URLSearchParams(location.search).has("all"); // the list was asked for
  if (house.tables.length === 1 && !all) location.replace(pageOf(house.tables[0].name));
}

main();
