// One's own seat: who I am at this table, and what I may say for it.

import { by, el, redraw, say } from "./dom.js";
import { ask } from "./net.js";
import { nameOf, sentence, whatOf } from "./reasons.js";
import { reasonOf, t } from "./words.js";

// How certain a seat is that its player has named (the referee's figure): said once is enough.
const CLAIMED = 0.89;
const PLAYS = new Set(["play", "discard", "show"]);
const ACTS = new Set([...PLAYS, "pass", "claim_pass", "take_back", "draw"]);
let phone = null;

// Asks which phone this is to the server (it differs from one admission to the next).
export async function whoAmI() {
  phone = (await ask("seat")).phone;
}

// The seat that this phone speaks for, or null.
export function mySeat(state) {
  const seat = phone === null ? -1 : state.phones.indexOf(phone);
  return seat < 0 ? null : seat;
}

export const shortName = (one) => one.slice(0, 4).toUpperCase();

let said = null; // the id of what this phone said last, while it can be taken back

async function tell(path, body, done) {
  said = null;
  try {
    const { id } = await ask(path, body);
    said = id ?? null;
    say(by("claimed"), done);
  } catch (error) {
    say(by("claimed"), t("page.failed", { reason: reasonOf(error) }));
  }
  drawUnsay();
}

function drawUnsay() {
  by("unsay").hidden = said === null;
  say(by("unsay"), t("page.unsay"));
}

const button = (label, act, more = {}) => el("button", { type: "button", onclick: act, ...more }, label);

function chooser(state) {
  const free = state.seats.filter(({ index }) => state.phones[index] === null);
  const pick = ({ index }) => {
    const name = nameOf(state, index);
    return button(t("page.i_am", { name }), () => tell("seat", { seat: index }, t("page.you_are", { name })));
  };
  return [
    el("p", { class: "quiet" }, t(free.length ? "page.who_are_you" : "page.seats_taken")),
    el("div", { class: "row" }, ...free.map(pick)),
  ];
}

// What this seat may say now: [words, kind, the event that it is about].
function sayings(state, seat) {
  const found = [];
  const { turn, lead, entries } = state;
  const draw = state.game.family === "draw";
  // at draw poker nobody may have seen that who has discarded took the new cards
  const taking = draw && turn !== null && entries.at(-1)?.kind === "discard" && entries.at(-1).seat === turn;
  const mayPass = draw ? turn === seat || taking : turn === seat && lead && lead.seat !== seat;
  if (!state.hand.over && mayPass) {
    found.push([t(draw ? "page.i_keep" : "page.i_pass"), "claim_pass", null]);
  }
  const play = entries.findLast((entry) => PLAYS.has(entry.kind));
  if (play && (play.seat !== seat || play.seat_certainty < CLAIMED)) {
    found.push([t("page.that_was_me", { what: whatOf(play) }), "claim_play", play.id]);
  }
  const newest = entries.findLast((entry) => ACTS.has(entry.kind));
  const said = ({ kind, seat: who, params, verdict }) =>
    kind === "dispute" && who === seat && params.about === newest.id && verdict === "unsure";
  if (newest && !entries.some(said)) found.push([t("page.i_dispute"), "dispute", newest.id]);
  return found;
}

function seated(state, seat) {
  const name = nameOf(state, seat);
  const allowed = state.viewer === "host" || state.table.guests.claims;
  const offers = allowed ? sayings(state, seat) : [];
  const claim = ([words, kind, of]) => {
    const about = state.entries.find((entry) => entry.id === of);
    const done = kind === "claim_pass" ? t("page.said_pass") : t(`page.said_${kind}`, { what: about ? sentence(state, about) : "" });
    return button(words, () => tell("claim", { kind, of }, done), { class: "claim", "data-kind": kind });
  };
  return [
    el(
      "p",
      { class: "me" },
      el("b", {}, t("page.you_are", { name })),
      el("span", { class: "quiet" }, t("page.phone", { phone: shortName(phone) })),
      button(t("page.get_up"), () => tell("seat", { seat: null }, t("page.got_up"))),
    ),
    allowed
      ? el("div", { class: "claims" }, ...offers.map(claim))
      : el("p", { class: "quiet" }, t("page.claims_off")),
  ];
}

export function drawMine(state) {
  const seat = mySeat(state);
  if (said !== null && state.entries.some(({ id }) => id > said)) said = null;
  drawUnsay();
  const form = [seat, phone, state.phones, state.seats, state.turn, state.lead, state.hand, state.viewer, state.table.guests];
  redraw(by("mine"), [...form, state.entries.slice(-6)], () => {
    const focus = document.activeElement?.dataset?.kind;
    by("mine").replaceChildren(...(seat === null ? chooser(state) : seated(state, seat)));
    if (focus) by("mine").querySelector(`[data-kind=${focus}]`)?.focus();
  });
}

by("unsay").addEventListener("click", () => tell("claim/undo", { of: said }, t("page.unsaid")));
