// The table now: notices, what lies to beat, whose turn, the players, outlines on the picture.

import { cardName, cardRow, comboName } from "./cards.js";
import { by, el, redraw, say } from "./dom.js";
import { nameOf, sentence } from "./reasons.js";
import { reasonOf, t } from "./words.js";

const SVG = "http://www.w3.org/2000/svg";

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
  say(by("game"), game.name[document.documentElement.lang] ?? game.name.en);
}

function cameraText(camera) {
  const reason = camera.error ? reasonOf(camera.error) : "";
  return t(`camera.${camera.status}`, { ...camera, reason });
}

export function drawNow(state) {
  const { turn, lead } = state;
  let words = "";
  if (state.match.over) words = t("page.match_over");
  else if (state.hand.over) words = t("page.hand_over");
  else if (turn !== null) words = t("page.turn", { name: nameOf(state, turn) });
  say(by("turn"), words);
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
  const newest = state.entries.at(-1);
  const wrong = newest?.verdict === "violation" ? newest : null;
  // role=alert announces every write: a violation is written once, while it is the newest news
  redraw(by("alarm"), wrong && [wrong.id, sentence(state, wrong)], () => {
    const parts = wrong ? [el("b", {}, `✗ ${t("verdict.violation")}`), el("span", {}, sentence(state, wrong))] : [];
    by("alarm").replaceChildren(...parts);
  });
}

export function drawSeats(state) {
  redraw(by("seats"), [state.seats, state.turn, state.hand], () => {
    const rows = state.seats.map((seat) => {
      const bits = [];
      if (seat.place !== null) bits.push(t("page.out", { place: seat.place }));
      else if (seat.left !== null) bits.push(t("page.left", { n: seat.left }));
      if (seat.passed) bits.push(t("page.passed"));
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
  const shapes = cards.map(({ quad, state }) => {
    const shape = document.createElementNS(SVG, "polygon");
    shape.setAttribute("points", quad.map(([x, y]) => `${x},${y}`).join(" "));
    shape.setAttribute("class", state);
    return shape;
  });
  by("outlines").replaceChildren(...shapes);
  const names = cards.map(({ card, quad, state }) => {
    const label = el("span", { class: `label ${state}` }, cardRow([card], "small"));
    // the corner that carries the index stays in view in a fan; a little towards the middle
    const [x, y] = [0, 1].map((axis) => 0.85 * quad[0][axis] + 0.15 * quad[2][axis]);
    label.style.left = `${100 * x}%`;
    label.style.top = `${100 * y}%`;
    return label;
  });
  by("labels").replaceChildren(...names);
  const list = cards.map(({ card }) => cardName(card)).join(", ");
  by("picture").setAttribute("aria-label", list ? `${t("page.picture")}: ${list}` : t("page.picture"));
}
