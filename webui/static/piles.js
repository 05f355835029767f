// Cards that lie or have lain open: the discards, the cards seen, the ranks still out.

import { RANKS, SUITS, cardName, cardRow, shape } from "./cards.js";
import { by, el, redraw, say } from "./dom.js";
import { nameOf } from "./reasons.js";
import { t } from "./words.js";

export function drawDiscards(state) {
  const piles = state.discards;
  by("discards-panel").hidden = !piles || state.game.family !== "draw";
  if (by("discards-panel").hidden) return;
  redraw(by("discards"), [piles, state.seats.map((seat) => seat.name)], () => {
    const rows = state.seats.flatMap(({ index }) => {
      const cards = piles.filter(([seat]) => seat === index).map(([, card]) => card);
      if (!cards.length) return [];
      const hidden = cards.filter((card) => card === "?").length;
      const told = hidden ? t("page.discards_hidden", { n: cards.length, hidden }) : t("page.discards_open", { n: cards.length });
      return [el("li", {}, el("b", {}, nameOf(state, index)), cardRow(cards), el("span", { class: "quiet" }, told))];
    });
    by("discards").replaceChildren(...(rows.length ? rows : [el("li", { class: "quiet" }, t("page.discards_none"))]));
  });
}

export function drawSeen(state) {
  const box = by("seen").closest("section");
  box.hidden = state.seen === null;
  if (state.seen === null) return;
  redraw(box, state.seen, () => {
    const { cards, all, out } = state.seen;
    say(by("seen-count"), t("page.seen_count", { n: cards.length, all }));
    by("seen").replaceChildren(el("thead", {}, seenHead()), el("tbody", {}, ...SUITS.map((suit) => seenRow(suit, cards))));
    by("still-out").replaceChildren(...out.map(outItem));
  });
}

const seenHead = () =>
  el("tr", {}, el("td"), ...RANKS.map((rank) => el("th", { scope: "col" }, t(`rank.${rank}`))));

function seenRow(suit, cards) {
  const cell = (rank) => {
    const card = rank + suit;
    const times = cards.filter((one) => one === card).length;
    const label = t(times ? "page.seen_one" : "page.unseen_one", { card: cardName(card) });
    const sign = times > 1 ? String(times) : times ? "✓" : "";
    return el("td", {}, el("span", { class: times ? "dot yes" : "dot", role: "img", "aria-label": label }, sign));
  };
  const head = el("th", { scope: "row", class: suit, "aria-label": t(`suit.${suit}`) }, shape(suit));
  return el("tr", {}, head, ...RANKS.map(cell));
}

function outItem([rank, count]) {
  const joker = rank === "X" || rank === "Y";
  const name = joker ? cardName(rank) : t(`rank.${rank}`);
  return el(
    "li",
    { class: count ? "" : "none" },
    el("b", {}, joker ? t(`joker_short.${rank}`) : name),
    el("span", {}, `×${count}`),
  );
}
