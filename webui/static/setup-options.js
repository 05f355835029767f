// One field for each house rule, by its type; what a field gives is checked by the server.

import { el } from "./dom.js";
import { inLanguage } from "./setup-draft.js";
import { has, t } from "./words.js";

const MOST_LISTED = 30;

export const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);

// A value in words, as shown beside a field ("5", "yes", "only the same combination").
export function valueWords(option, value) {
  if (value === null) return t(option.type === "int" ? "setup.no_limit" : "setup.none");
  if (typeof value === "boolean") return t(value ? "setup.yes" : "setup.no");
  if (Array.isArray(value)) {
    if (option.type === "range") return value.join("–");
    return value.map((part) => valueWords(option, part)).join(t("setup.between")) || t("setup.none");
  }
  if (option.choices[value]) return inLanguage(option.choices[value]);
  return has(`setup.also.${value}`) ? t(`setup.also.${value}`) : String(value);
}

function listed(option, values, id, value, set) {
  const items = values.map((one) => el("option", { value: JSON.stringify(one), selected: same(one, value) }, valueWords(option, one)));
  const select = el("select", { id, onchange: () => set(JSON.parse(select.value)) }, ...items);
  return select;
}

function numbers(option) {
  return Array.from({ length: option.most - option.least + 1 }, (_, place) => option.least + place);
}

function boxes(option, value, set) {
  const chosen = new Set(value);
  const items = Object.entries(option.choices).map(([name, words]) => {
    const box = el("input", {
      type: "checkbox", checked: chosen.has(name), onchange: () => {
        if (box.checked) chosen.add(name);
        else chosen.delete(name);
        set(Object.keys(option.choices).filter((one) => chosen.has(one)));
      },
    });
    return el("label", { class: "box" }, box, ` ${inLanguage(words)}`);
  });
  return el("div", { class: "boxes" }, ...items);
}

// A written value: a number, or several things separated by commas.
function written(option, id, value, set) {
  const parts = (text) => text.split(/[\s,，、]+/).filter(Boolean);
  const read = {
    int: (text) => (text.trim() ? Number(text) : null),
    ints: (text) => parts(text).map(Number),
    card: (text) => text.trim() || null,
    cards: parts,
  }[option.type];
  const shown = value === null ? "" : Array.isArray(value) ? value.join(", ") : String(value);
  const input = el("input", { id, value: shown, autocomplete: "off", spellcheck: "false", onchange: () => set(read(input.value)) });
  return input;
}

// The field of an option; `set(value)` is called with what was chosen.
export function fieldOf(option, id, value, set) {
  if (option.type === "bool") return listed(option, [true, false], id, value, set);
  if (option.type === "choice") return listed(option, Object.keys(option.choices), id, value, set);
  if (option.type === "set") return boxes(option, value, set);
  if (option.type === "range") {
    const now = [...value];
    const ends = [0, 1].map((end) => listed(option, numbers(option), end ? `${id}-most` : id, value[end], (one) => {
      now[end] = one;
      set([...now]);
    }));
    ends[1].setAttribute("aria-label", `${inLanguage(option.text)} (${t("setup.most")})`);
    return el("span", { class: "row" }, ...ends);
  }
  if (option.type === "int" && option.most - option.least <= MOST_LISTED) {
    return listed(option, [...numbers(option), ...option.also, ...(option.optional ? [null] : [])], id, value, set);
  }
  return written(option, id, value, set);
}
