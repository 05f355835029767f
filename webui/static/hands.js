// Hands, matches and house rules: what the host begins, ends and changes.

import { by, el, say } from "./dom.js";
import { button, cancel, choice, openDialog, refusal } from "./desk.js";
import { ask } from "./net.js";
import { nameOf } from "./reasons.js";
import { inLanguage } from "./setup-draft.js";
import { fieldOf, same, valueWords } from "./setup-options.js";
import { t } from "./words.js";

const backTo = (id) => () => by(id);

async function rules() {
  try {
    return await ask("rules");
  } catch (error) {
    say(by("desk-said"), refusal(error));
    return null;
  }
}

// The order in which seats went out, by tapping them one after the other.
function order(state) {
  const chosen = [];
  const buttons = state.seats.map(({ index }) => {
    const flip = () => {
      const place = chosen.indexOf(index);
      if (place < 0) chosen.push(index);
      else chosen.splice(place, 1);
      show();
    };
    return [index, button("", flip)];
  });
  function show() {
    for (const [index, node] of buttons) {
      const place = chosen.indexOf(index);
      say(node, place < 0 ? nameOf(state, index) : `${place + 1}. ${nameOf(state, index)}`);
      node.setAttribute("aria-pressed", String(place >= 0));
    }
  }
  show();
  const legend = el("legend", {}, t("desk.finish"));
  return { node: el("fieldset", {}, legend, el("div", { class: "row" }, ...buttons.map(([, node]) => node))), value: () => chosen };
}

export async function newHand(state) {
  const known = await rules();
  if (!known) return;
  openDialog(t("desk.new_hand"), (go) => {
    const seats = [[null, t("desk.by_rules")], ...state.seats.map(({ index }) => [index, nameOf(state, index)])];
    const leader = choice(t("desk.leader"), seats, null);
    const dealer = choice(t("desk.dealer"), seats, null);
    const spec = known.game.options.find(({ name }) => name === "direction");
    const ways = spec && Object.entries(spec.choices).map(([way, words]) => [way, inLanguage(words)]);
    const way = spec && choice(inLanguage(spec.text), ways, known.next.direction);
    const unfinished = !state.hand.over && state.entries.some(({ hand, cards }) => hand === state.hand.number && cards.length);
    const finish = unfinished && state.game.family === "climbing" ? order(state) : null;
    const begin = () => {
      const data = {};
      if (leader.value() !== null) data.leader = leader.value();
      if (dealer.value() !== null) data.dealer = dealer.value();
      if (finish?.value().length) data.finish = finish.value();
      const turned = way && way.value() !== known.next.direction;
      const turn = { kind: "set_option", data: { option: "direction", value: way?.value() } };
      go("events", { events: [...(turned ? [turn] : []), { kind: "new_hand", data }] });
    };
    return [
      ...(unfinished ? [el("p", {}, t("desk.unfinished"))] : []),
      ...(finish ? [finish.node] : []),
      ...(state.game.family === "draw" ? [] : [leader.node]),
      dealer.node,
      ...(way ? [way.node] : []),
      el("div", { class: "row" }, button(t("desk.begin_hand"), begin, "main"), cancel()),
    ];
  }, backTo("new-hand"));
}

export function matchMenu(state) {
  openDialog(t("desk.match"), (go) => [
    el("p", { class: "quiet" }, t("desk.match_how")),
    el(
      "div",
      { class: "row" },
      state.match.over ? null : button(t("desk.end_match"), () => go("events", { kind: "end_match" })),
      button(t("desk.new_match"), () => go("match", {}), "main"),
      cancel(),
    ),
  ], backTo("match-menu"));
}

export async function houseRules() {
  const known = await rules();
  if (!known) return;
  openDialog(t("desk.rules"), (go, tell) => {
    const changed = new Map();
    const row = (option) => {
      const id = `rule-${option.name}`;
      const text = inLanguage(option.text);
      const grouped = option.type === "set";
      const note = el("span", { class: "quiet" });
      const value = known.next[option.name];
      const field = fieldOf(option, id, value, (now) => {
        if (same(now, value)) changed.delete(option.name);
        else changed.set(option.name, now);
        say(note, changed.has(option.name) ? t("desk.was", { value: valueWords(option, value) }) : "");
      });
      if (grouped) Object.entries({ role: "group", "aria-label": text }).forEach(([name, words]) => field.setAttribute(name, words));
      return el("div", { class: "option" }, grouped ? el("span", {}, text) : el("label", { for: id }, text), field, note);
    };
    const when = choice(t("desk.from_when"), [["next_hand", t("desk.from_next")], ["start", t("desk.from_start")]], "next_hand");
    const save = () => {
      const data = [...changed].map(([option, value]) => ({ option, value, from: when.value() }));
      if (data.length) go("events", { events: data.map((one) => ({ kind: "set_option", data: one })) });
      else tell(t("desk.rules_same"));
    };
    return [
      when.node,
      el("div", { class: "options" }, ...known.game.options.filter(({ name }) => !known.fixed.includes(name)).map(row)),
      el("div", { class: "row last" }, button(t("page.save"), save, "main"), cancel()),
    ];
  }, backTo("house-rules"));
}
