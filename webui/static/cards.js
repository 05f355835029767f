// Cards and combinations, as pictures and as words.

import { el } from "./dom.js";
import { t } from "./words.js";

const SHAPES = { s: "♠", h: "♥", d: "♦", c: "♣" };
export const SUITS = ["s", "h", "c", "d"];
export const RANKS = ["3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K", "A", "2"];

export function cardName(card) {
  if (card === "X" || card === "Y") return t(`card.${card}`);
  if (!SHAPES[card[1]]) return t("card.unknown");
  return t("card.named", { rank: t(`rank.${card[0]}`), suit: t(`suit.${card[1]}`) });
}

export function shape(suit) {
  // U+FE0E asks for the text form: some phones draw suits as coloured emoji
  return `${SHAPES[suit]}\uFE0E`;
}

export function cardNode(card) {
  const joker = card === "X" || card === "Y";
  const known = joker || SHAPES[card[1]];
  const kind = joker ? (card === "Y" ? "d" : "s") : (card[1] ?? "unknown");
  const node = el("span", { class: `card ${known ? kind : "unknown"}`, role: "img", "aria-label": cardName(card) });
  if (joker) node.append(el("b", {}, "★"), el("small", {}, t(`joker_short.${card}`)));
  else if (!known) node.append(el("b", {}, "?"));
  else {
    const letter = el("small", {}, t(`suit_letter.${card[1]}`));
    node.append(el("b", {}, t(`rank.${card[0]}`)), el("i", {}, shape(card[1])), letter);
  }
  return node;
}

export function cardRow(cards, extra = "") {
  return el("span", { class: `cards ${extra}` }, ...cards.map(cardNode));
}

// A reading is {type, key, n}; without one the cards are only counted or named.
export function comboName(reading, cards = []) {
  if (!reading) {
    if (cards.length === 1) return cardName(cards[0]);
    return t("combo.cards", { count: cards.length });
  }
  const many = reading.type === "pair_run" ? reading.n / 2 : reading.n;
  return t(`combo.${reading.type}`, {
    rank: t(`rank_one.${reading.key}`),
    ranks: t(`rank_many.${reading.key}`),
    count: t(`count.${many}`),
  });
}
