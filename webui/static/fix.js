// One event of the story, set right: its cards, its seat, what it was; split, joined, moved, deleted, or
// one added beside it. Each is a decision of its own, taken whole and undone whole.

import { RANKS, cardNode, cardName } from "./cards.js";
import { by, el } from "./dom.js";
import { button, cancel, choice, openDialog } from "./desk.js";
import { moments } from "./moments.js";
import { cardPicker } from "./picker.js";
import { nameOf, sentence } from "./reasons.js";
import { t } from "./words.js";

const KINDS = {
  climbing: ["play", "pass", "show", "take_back", "sweep"],
  draw: ["discard", "pass", "draw", "show", "take_back", "sweep"],
};
const RANKS_OF = { climbing: RANKS, draw: ["2", ...RANKS.filter((rank) => rank !== "2")] };
const LAID = new Set(["play", "discard", "show", "take_back"]);
const OBSERVED = new Set([...KINDS.climbing, ...KINDS.draw]);

const pencilOf = (id) => () => document.querySelector(`[data-id="${id}"] .pencil`) ?? by("undo-button") ?? by("story");
const seatChoice = (state, seat, legend = t("page.who")) =>
  choice(legend, state.seats.map(({ index }) => [index, nameOf(state, index)]), seat);

// The fields of an event, and what they say: {kind, seat, cards, data}; null (and told) if a word is no card.
function fields(state, { kind, seat, cards }, tell) {
  const kinds = KINDS[state.game.family];
  const known = kinds.includes(kind) ? kinds : [kind, ...kinds];
  const picker = cardPicker(cards, state.game.decks, RANKS_OF[state.game.family]);
  const who = seatChoice(state, seat);
  const hide = (now) => {
    picker.node.hidden = !LAID.has(now);
    who.node.hidden = now === "sweep";
  };
  const what = choice(t("desk.what"), known.map((one) => [one, t(`desk.kind.${one}`)]), kind, hide);
  hide(kind);
  const said = () => {
    const laid = LAID.has(what.value());
    if (laid && picker.wrong()) {
      tell(t("error.bad_card", { card: picker.wrong() }));
      return null;
    }
    const now = laid ? picker.cards() : [];
    const without = !now.length && (laid || what.value() !== kind); // cards that are no longer there
    return { seat: who.value(), cards: now, data: { kind: what.value(), ...(without ? { cards: [] } : {}) } };
  };
  return { nodes: [what.node, who.node, picker.node], said, seat: who.value };
}

// What the host can rule about an event without changing it: [words, data].
function rulings(state, entry) {
  const faulty = entry.verdict === "violation";
  const play = entry.kind === "play";
  return [
    faulty && play && [t("desk.stands"), { stands: true }],
    faulty && play && [t("desk.taken_back"), { taken_back: true }],
    faulty && entry.kind === "discard" && [t("desk.no_fault"), { faults: [] }],
    play && [t("desk.last_cards"), { out: true }],
    play && [t("desk.new_round_here"), { new_round: true }],
    LAID.has(entry.kind) && [t("desk.new_hand_here"), { new_hand: true }],
  ].filter(Boolean);
}

export function fix(state, entry) {
  const { entries } = state;
  const place = entries.findIndex(({ id }) => id === entry.id);
  const [before, after] = [entries[place - 1], entries[place + 1]];
  const alike = (one) => one.kind === entry.kind && one.hand === entry.hand;
  const [like, next] = [entries.slice(0, place).findLast(alike), entries.slice(place + 1).find(alike)];
  const observed = OBSERVED.has(entry.kind);
  openDialog(sentence(state, entry), (go, tell) => {
    const form = observed ? fields(state, entry, tell) : null;
    const send = (...events) => go("events", { events });
    const save = () => {
      const said = form.said();
      if (said) send({ kind: "amend", of: entry.id, ...said });
    };
    const pass = () => {
      if (form.seat() === null) tell(t("page.failed", { reason: t("error.nobody") }));
      else send({ kind: "amend", of: entry.id, seat: form.seat(), data: { kind: "pass", cards: [] } });
    };
    const more = [
      ...rulings(state, entry).map(([words, data]) => button(words, () => send({ kind: "amend", of: entry.id, data }))),
      observed && entry.kind !== "pass" && button(t("desk.was_pass"), pass),
      observed && entry.cards.length > 1 && button(t("desk.split"), () => split(state, entry)),
      LAID.has(entry.kind) && like && button(t("desk.merge_before"), () => merge(state, like, entry, send)),
      LAID.has(entry.kind) && next && button(t("desk.merge_after"), () => merge(state, entry, next, send)),
      button(t("desk.insert_before"), () => insert(state, entry, "before")),
      button(t("desk.insert_after"), () => insert(state, entry, "after")),
      before && button(t("desk.earlier"), () => send({ kind: "reorder", of: entry.id, data: { before: before.id } })),
      after && button(t("desk.later"), () => send({ kind: "reorder", of: entry.id, data: { after: after.id } })),
      button(t("desk.delete"), () => send({ kind: "delete", of: entry.id }), "grave"),
    ];
    return [
      moments(entry.id, sentence(state, entry)),
      ...(form ? [...form.nodes, el("div", { class: "row last" }, button(t("page.save"), save, "main"), cancel())] : []),
      el("fieldset", { class: "more" }, el("legend", {}, t("desk.more")), el("div", { class: "row" }, ...more.filter(Boolean))),
      ...(form ? [] : [el("div", { class: "row" }, cancel())]),
    ];
  }, pencilOf(entry.id));
}

// What the camera missed just now.
export function addEvent(state) {
  const kind = KINDS[state.game.family][0];
  openDialog(t("desk.add_event"), (go, tell) => {
    const form = fields(state, { kind, seat: state.turn, cards: [] }, tell);
    const add = () => {
      const said = form.said();
      if (said) go("events", { kind: said.data.kind, seat: said.seat, cards: said.cards });
    };
    return [...form.nodes, el("div", { class: "row last" }, button(t("desk.add"), add, "main"), cancel())];
  }, () => by("add-event"));
}

function insert(state, anchor, side) {
  const title = t(`desk.insert_${side}_this`, { what: sentence(state, anchor) });
  const kind = KINDS[state.game.family][0];
  openDialog(title, (go, tell) => {
    const form = fields(state, { kind, seat: null, cards: [] }, tell);
    const add = () => {
      const said = form.said();
      if (!said) return;
      const { seat, cards, data } = said;
      go("events", { kind: "insert", seat, cards, data: { kind: data.kind, [side]: anchor.id } });
    };
    return [...form.nodes, el("div", { class: "row last" }, button(t("desk.add"), add, "main"), cancel())];
  }, pencilOf(anchor.id));
}

function split(state, entry) {
  openDialog(t("desk.split_how"), (go) => {
    const apart = new Set();
    const card = (one, place) => {
      const flip = () => {
        if (!apart.delete(place)) apart.add(place);
        node.setAttribute("aria-pressed", String(apart.has(place)));
      };
      const node = button(cardNode(one), flip, "key", { "aria-pressed": "false", "aria-label": cardName(one) });
      return node;
    };
    const who = seatChoice(state, entry.seat);
    const kinds = KINDS[state.game.family].filter((kind) => LAID.has(kind));
    const what = choice(t("desk.what"), kinds.map((kind) => [kind, t(`desk.kind.${kind}`)]), entry.kind);
    const cut = () => go("events", {
      kind: "split",
      of: entry.id,
      seat: who.value(),
      cards: entry.cards.filter((_, place) => apart.has(place)),
      data: { kind: what.value() },
    });
    return [
      el("div", { class: "picked", role: "group", "aria-label": t("desk.split_how") }, ...entry.cards.map(card)),
      who.node,
      what.node,
      el("div", { class: "row" }, button(t("desk.split_do"), cut, "main"), cancel()),
    ];
  }, pencilOf(entry.id));
}

// Two events become one. When two seats are named, the host says whose it is: one decision all the same.
function merge(state, first, second, send) {
  const join = { kind: "merge", of: first.id, data: { with: second.id } };
  const seats = [...new Set([first.seat, second.seat].filter((seat) => seat !== null))];
  if (seats.length < 2) {
    send(...(seats.length && first.seat === null ? [{ kind: "amend", of: first.id, seat: seats[0] }] : []), join);
    return;
  }
  openDialog(t("desk.merge_whose"), (go) => {
    const mine = (seat) => button(nameOf(state, seat), () => go("events", { events: [{ kind: "amend", of: first.id, seat }, join] }));
    return [el("div", { class: "row" }, ...seats.map(mine), cancel())];
  }, pencilOf(first.id));
}
