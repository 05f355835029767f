// Step 5: the house rules, what to say aloud, and the start.

import { by, el, say } from "./dom.js";
import { pageOf } from "./net.js";
import { askSetup, draft, gameNow, inLanguage, keep, keepNow, table } from "./setup-draft.js";
import { fieldOf, same, valueWords } from "./setup-options.js";
import { seatName } from "./setup-table.js";
import { language, reasonOf, t } from "./words.js";

const LEADER_OF = { left_of_dealer: "dealer", dealer: "dealer" };
let game = null; // with its options
let aloud = null;

// The table file that is made of the draft.
function tableFile() {
  const { document: kept } = draft;
  const seats = kept.seats.map((seat) => ({ ...seat, name: seatName(seat) }));
  return { ...kept, seats, title: kept.title || t("page.table") };
}

const valueOf = (option) => (option.name in draft.document.options ? draft.document.options[option.name] : option.default);

function optionRow(option) {
  const id = `option-${option.name}`;
  const set = (value) => {
    if (same(value, option.default)) delete draft.document.options[option.name];
    else draft.document.options[option.name] = value;
    keep();
    mark(row, option);
    check();
  };
  const text = inLanguage(option.text);
  const label = option.type === "set" ? el("span", { id: `${id}-name` }, text) : el("label", { for: id }, text);
  const field = fieldOf(option, id, valueOf(option), set);
  if (option.type === "set") Object.entries({ role: "group", "aria-labelledby": `${id}-name` }).forEach(([name, value]) => field.setAttribute(name, value));
  const row = el("div", { class: "option" }, label, field, el("span", { class: "quiet" }), el("p", { class: "wrong", id: `wrong-options.${option.name}`, role: "status" }));
  mark(row, option);
  return row;
}

function mark(row, option) {
  const changed = option.name in draft.document.options;
  row.classList.toggle("changed", changed);
  row.querySelector(":scope > .quiet").textContent = changed ? t("setup.default_is", { value: valueWords(option, option.default) }) : "";
}

// What is wrong, beside its field; what belongs to another step leads there.
function drawProblems(problems) {
  for (const node of document.querySelectorAll(".wrong")) say(node, "");
  const rest = [];
  for (const { field, code, params } of problems) {
    const own = document.getElementById(`wrong-${field}`);
    const what = field.replace(/\[.*$/, "").replace(/\..*$/, "");
    const text = code === "setup_field" ? t(`setup.wrong.${what}`) : reasonOf({ code, params });
    if (own) say(own, text);
    else rest.push(el("li", {}, text));
  }
  by("problems").replaceChildren(...rest);
  by("start").disabled = problems.length > 0;
}

async function check() {
  try {
    const { problems, read_out } = await askSetup("/check", { document: tableFile() });
    aloud = read_out;
    drawProblems(problems);
    drawAloud();
  } catch (error) {
    by("problems").replaceChildren(el("li", {}, reasonOf(error)));
  }
}

function drawAloud() {
  if (!aloud) return;
  say(by("aloud"), aloud[language]);
  const others = Object.entries(aloud).filter(([name]) => name !== language);
  by("aloud-others").replaceChildren(...others.map(([name, text]) =>
    el("details", {}, el("summary", { lang: name }, t(`language.${name}`)), el("p", { lang: name }, text))));
}

function seatChoice(key) {
  const id = `seat-${key}`;
  const seats = draft.document.seats.map((seat) => el("option", { value: seat.index, selected: draft.document[key] === seat.index }, seatName(seat)));
  const select = el("select", {
    id, onchange: () => {
      if (select.value === "") delete draft.document[key];
      else draft.document[key] = Number(select.value);
      keep();
      check();
    },
  }, el("option", { value: "" }, t("setup.not_known")), ...seats);
  return el("div", { class: "option" }, el("label", { for: id }, t(`setup.${key}`)), select);
}

function rightBox(right) {
  const box = el("input", {
    type: "checkbox", checked: draft.document.guests[right] === true, onchange: () => {
      draft.document.guests = { ...draft.document.guests, [right]: box.checked };
      keep();
    },
  });
  return el("label", { class: "box" }, box, ` ${t(`setup.guests_${right}`)}`);
}

async function start() {
  by("start").disabled = true;
  await keepNow(); // nothing may be kept any more once the table is open
  try {
    const { problems, name } = await askSetup("/start", { table, camera: draft.camera, document: tableFile() });
    if (name) {
      location.assign(pageOf(name));
      return;
    }
    drawProblems(problems);
  } catch (error) {
    by("problems").replaceChildren(el("li", {}, reasonOf(error)));
    by("start").disabled = false;
  }
}

export const rulesStep = {
  looks: false,
  missing: () => "",
  async draw(body) {
    try {
      if (game?.id !== draft.document.game) game = await askSetup(`/games/${draft.document.game}`);
    } catch (error) {
      body.replaceChildren(el("p", { class: "wrong", role: "alert" }, reasonOf(error)));
      return;
    }
    if (draft.step !== "rules") return;
    const first = game.options.find(({ name }) => name === "first_lead");
    const leader = game.family === "draw" ? "dealer" : (LEADER_OF[first && valueOf(first)] ?? "first_leader");
    const changed = Object.keys(draft.document.options).length;
    const questions = gameNow().questions.map((question) => el("li", {}, inLanguage(question)));
    const button = el("button", { id: "start", type: "button", class: "main large", onclick: start }, t("setup.start"));
    body.replaceChildren(
      el("h3", {}, t("setup.say_aloud")),
      el("blockquote", { id: "aloud", class: "aloud" }),
      el("div", { id: "aloud-others", class: "quiet" }),
      el("details", {}, el("summary", {}, t("setup.ask_aloud")), el("ul", {}, ...questions)),
      seatChoice(leader),
      el("details", { id: "house-rules", class: "rules", open: changed > 0 }, el("summary", {}, t("setup.house_rules")), ...game.options.map(optionRow)),
      el("fieldset", {}, el("legend", {}, t("setup.guests")), rightBox("claims"), rightBox("seen")),
      table ? el("p", { class: "quiet" }, t("setup.goes_on")) : "",
      el("div", { role: "alert" }, el("ul", { id: "problems", class: "wrong-list" })),
      button,
    );
    await check();
  },
};
