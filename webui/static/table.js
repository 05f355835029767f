// The table now: notices, what lies to beat, whose turn, the players, outlines on the picture.

import { cardName, cardRow, comboName } from "./cards.js";
import { by, el, redraw, say, svg } from "./dom.js";
import { nameOf, remedy, sentence } from "./reasons.js";
import { reasonOf, t } from "./words.js";

const ACTS = new Set(["play", "pass", "claim_pass", "discard", "show", "take_back", "draw", "declare"]);
const ASIDE = new Set(["dispute", "set_option"]); // news that leaves the newest act the newest

export function drawNotices(state) {
  const notes = [];
  const { camera, journal } = state;
  if (camera.status === "restarting" || camera.status === "failed") {
    notes.push(["bad", cameraText(camera)]);
  }
  if (journal.unsaved) notes.push(["bad", t("journal.unsaved", { n: journal.unsaved })]);
  if (journal.set_aside) notes.push(["", t("journal.set_aside", { n: journal.set_aside })]);
  if (journal.damaged) notes.push(["", t("journal.damaged", { path: journal.damaged })]);
  redraw(by("notices"), notes, () => {
    by("notices").replaceChildren(...notes.map(([kind, text]) => el("p", { class: `notice ${kind}` }, text)));
  });
  say(by("camera"), cameraText(camera));
  by("camera").className = `camera ${camera.status}`;
  const game = state.game;
  say(by("game"), `${state.table.title} · ${game.name[document.documentElement.lang] ?? game.name.en}`);
}

function cameraText(camera) {
  const reason = camera.error ? reasonOf(camera.error) : "";
  return t(`camera.${camera.status}`, { ...camera, reason });
}

// Whose turn it is and what lies to beat (on the replay too).
export function drawTurn(state) {
  const { turn, lead } = state;
  const draw = state.game.family === "draw"; // nothing lies to beat: cards are exchanged, then shown
  let words = "";
  if (state.match.over) words = t("page.match_over");
  else if (state.hand.over) words = t("page.hand_over");
  else if (turn !== null) words = t(draw ? "page.turn_draw" : "page.turn", { name: nameOf(state, turn) });
  else if (draw) words = t("page.show_hands");
  say(by("turn"), words);
  for (const node of [by("lead"), by("lead").previousElementSibling]) node.hidden = draw;
  redraw(by("lead"), [lead, lead && nameOf(state, lead.seat)], () => {
    const parts = lead
      ? [
          cardRow(lead.cards, "big"),
          el("p", { class: "combo" }, comboName(lead.type ? lead : null, lead.cards)),
          el("p", { class: "quiet" }, t("page.by", { name: nameOf(state, lead.seat) })),
        ]
      : [el("p", { class: "quiet" }, t("page.free_lead"))];
    by("lead").replaceChildren(...parts);
  });
}

export function drawNow(state) {
  drawTurn(state);
  drawVerdict(state);
}

const newestOf = (state) => state.entries.findLast((entry) => !ASIDE.has(entry.kind));

// What broke a rule, while it is the newest news.
export function violationOf(state) {
  const newest = newestOf(state);
  return newest?.verdict === "violation" ? newest : null;
}

function drawVerdict(state) {
  const wrong = violationOf(state);
  // role=alert announces every write: a violation is written once
  redraw(by("alarm"), wrong && [wrong.id, sentence(state, wrong)], () => {
    const hint = wrong ? remedy(wrong) : "";
    const parts = wrong
      ? [el("b", {}, `✗ ${t("verdict.violation")}`), el("span", {}, sentence(state, wrong)), hint ? el("small", {}, hint) : null]
      : [];
    by("alarm").replaceChildren(...parts.filter(Boolean));
  });
  const newest = wrong || !ACTS.has(newestOf(state)?.kind) ? null : newestOf(state);
  redraw(by("verdict"), newest && [newest.id, newest.verdict, sentence(state, newest)], () => {
    by("verdict").className = `verdict ${newest?.verdict ?? ""}`;
    const unsure = newest?.verdict === "unsure";
    const words = newest && t(unsure ? "page.verdict_unsure" : "page.verdict_ok", { what: sentence(state, newest) });
    const sign = newest && el("span", { class: `sign ${newest.verdict}`, "aria-hidden": "true" }, unsure ? "?" : "✓");
    by("verdict").replaceChildren(...(newest ? [sign, el("span", {}, words)] : []));
  });
}

export function drawSeats(state, me) {
  redraw(by("seats"), [state.seats, state.turn, state.hand, me], () => {
    const rows = state.seats.map((seat) => {
      const bits = [];
      if (seat.place !== null) bits.push(t("page.out", { place: seat.place }));
      else if (seat.left !== null) bits.push(t("page.left", { n: seat.left }));
      if (seat.passed) bits.push(t("page.passed"));
      if (seat.index === me) bits.unshift(t("page.me"));
      const mine = state.turn === seat.index && !state.hand.over;
      return el(
        "li",
        { class: mine ? "seat turn-now" : "seat", "aria-current": mine ? "true" : null },
        el("span", { class: "arrow", "aria-hidden": "true" }, mine ? "▶" : ""),
        el("span", { class: "name" }, nameOf(state, seat.index)),
        el("span", { class: "quiet" }, bits.join(" · ")),
        seat.score === null ? null : el("span", { class: "points" }, t("page.points", { n: seat.score })),
      );
    });
    by("seats").replaceChildren(...rows);
  });
}

// Outlines and names over the picture; positions are fractions of its width and height.
export function drawLying(cards) {
  drawCards(cards, by("outlines"), by("labels"));
  const list = cards.map(({ card }) => cardName(card)).join(", ");
  by("picture").setAttribute("aria-label", list ? `${t("page.picture")}: ${list}` : t("page.picture"));
}

// Outlines (an SVG of one by one) and names of cards over a picture.
export function drawCards(cards, outlines, labels) {
  const shapes = cards.map(({ quad, state }) => {
    return svg("polygon", { points: quad.map(([x, y]) => `${x},${y}`).join(" "), class: state });
  });
  outlines.replaceChildren(...shapes);
  const names = cards.map(({ card, quad, state }) => {
    const label = el("span", { class: `label ${state}` }, cardRow([card], "small"));
    // the corner that carries the index stays in view in a fan; a little towards the middle
    const [x, y] = [0, 1].map((axis) => 0.85 * quad[0][axis] + 0.15 * quad[2][axis]);
    label.style.left = `${100 * x}%`;
    label.style.top = `${100 * y}%`;
    return label;
  });
  labels.replaceChildren(...names);
}
