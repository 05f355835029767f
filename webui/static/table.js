// The table now: notices, what lies to beat, whose turn, the players, outlines on the picture.

import { cardName, cardRow, comboName } from "./cards.js";
import { by, el, say } from "./dom.js";
import { nameOf, sentence } from "./reasons.js";
import { has, reasonOf, t } from "./words.js";

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
  const nodes = notes.map(([kind, text]) => el("p", { class: `notice ${kind}` }, text));
  const box = by("notices");
  if (box.textContent !== nodes.map((node) => node.textContent).join("")) box.replaceChildren(...nodes);
  say(by("camera"), cameraText(camera));
  by("camera").className = `camera ${camera.status}`;
  const game = state.game;
  say(by("game"), game.name[document.documentElement.lang] ?? game.name.en);
}

function cameraText(camera) {
  const reason = camera.error ? reasonOf(camera.error) : has(`camera.${camera.reason}`) ? t(`camera.${camera.reason}`, camera) : "";
  return t(`camera.${camera.status}`, { ...camera, reason });
}

export function drawNow(state) {
  const { turn, lead } = state;
  const words = state.match.over
    ? t("page.match_over")
    : state.hand.over
      ? t("page.hand_over")
      : turn === null
        ? ""
        : t("page.turn", { name: nameOf(state, turn) });
  say(by("turn"), words);
  const box = by("lead");
  if (!lead) {
    box.replaceChildren(el("p", { class: "quiet" }, t("page.free_lead")));
  } else {
    box.replaceChildren(
      cardRow(lead.cards, "big"),
      el("p", { class: "combo" }, comboName(lead.reading, lead.cards)),
      el("p", { class: "quiet" }, t("page.by", { name: nameOf(state, lead.seat) })),
    );
  }
  const wrong = state.entries.findLast((entry) => !entry.withdrawn);
  // role=alert announces every write: only a violation that still lies open is written, once
  const alarm = wrong?.verdict === "violation" ? sentence(state, wrong) : "";
  if (alarm) {
    if (by("alarm").dataset.said !== `${wrong.seq}${alarm}`) {
      by("alarm").dataset.said = `${wrong.seq}${alarm}`;
      by("alarm").replaceChildren(el("b", {}, `✗ ${t("verdict.violation")}`), el("span", {}, alarm));
    }
  } else if (by("alarm").dataset.said) {
    by("alarm").dataset.said = "";
    by("alarm").replaceChildren();
  }
}

export function drawSeats(state) {
  const rows = state.seats.map((seat) => {
    const bits = [];
    if (seat.left !== null) bits.push(t("page.left", { n: seat.left }));
    if (seat.place !== null) bits.push(t("page.out", { place: seat.place }));
    if (seat.passed) bits.push(t("page.passed"));
    const mine = state.turn === seat.index && !state.hand.over;
    return el(
      "li",
      { class: `seat${mine ? " turn-now" : ""}${seat.passed ? " passed" : ""}`, "aria-current": mine ? "true" : null },
      el("span", { class: "arrow", "aria-hidden": "true" }, mine ? "▶" : ""),
      el("span", { class: "name" }, nameOf(state, seat.index)),
      el("span", { class: "quiet" }, bits.join(" · ")),
      el("span", { class: "points" }, t("page.points", { n: seat.score })),
    );
  });
  by("seats").replaceChildren(...rows);
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
    const x = quad.reduce((sum, point) => sum + point[0], 0) / 4;
    const y = Math.min(...quad.map((point) => point[1]));
    label.style.left = `${100 * x}%`;
    label.style.top = `${100 * y}%`;
    return label;
  });
  by("labels").replaceChildren(...names);
  const list = cards.map(({ card }) => cardName(card)).join(", ");
  by("picture").setAttribute("aria-label", list ? `${t("page.picture")}: ${list}` : t("page.picture"));
}
