// The card picker: every card by touch or arrow keys, and a line to type them in. Both say the same.

import { RANKS, SUITS, cardName, cardNode } from "./cards.js";
import { el, say } from "./dom.js";
import { t } from "./words.js";

const SHAPES = { "♠": "s", "♤": "s", "♥": "h", "♡": "h", "♦": "d", "♢": "d", "♣": "c", "♧": "c" };
const DECK = SUITS.flatMap((suit) => RANKS.map((rank) => rank + suit));
const OTHERS = ["X", "Y", "?"];
const STEPS = { ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0] };

// Cards as people type them: 7h, 10♠, qd, x. [cards, the first word that is none]
function read(text) {
  const words = text.split(/[\s,，、]+/).filter(Boolean);
  const cards = words.map((word) => {
    const plain = word.replace(/^10/, "T").replace(/[\uFE0E\uFE0F]/g, "");
    const card = plain.length === 1 ? plain.toUpperCase() : plain[0].toUpperCase() + (SHAPES[plain[1]] ?? plain.slice(1).toLowerCase());
    return DECK.includes(card) || OTHERS.includes(card) ? card : null;
  });
  return [cards.filter(Boolean), words[cards.indexOf(null)] ?? null];
}

// `decks`: how often a card can be there; `ranks`: the ranks from low to high. Gives {node, cards(), wrong()}: wrong() is a word that is no card.
export function cardPicker(cards, decks, ranks = RANKS) {
  const deck = SUITS.flatMap((suit) => ranks.map((rank) => rank + suit));
  let chosen = [...cards];
  let wrong = null;
  const text = el("input", { id: "picked-text", value: chosen.join(" "), autocomplete: "off", autocapitalize: "none", spellcheck: "false" });
  const row = el("div", { class: "picked" });
  const buttons = new Map();
  const count = (card) => chosen.filter((one) => one === card).length;

  function show() {
    for (const [card, { node, times }] of buttons) {
      node.setAttribute("aria-pressed", String(count(card) > 0));
      say(times, count(card) > 1 ? `×${count(card)}` : "");
    }
    const off = (card, place) => el("button", {
      type: "button", "aria-label": t("desk.take_off", { card: cardName(card) }), onclick: () => {
        chosen.splice(place, 1);
        wrote();
        (row.children[Math.min(place, chosen.length - 1)] ?? text).focus();
      },
    }, cardNode(card));
    row.replaceChildren(...(chosen.length ? chosen.map(off) : [el("p", { class: "quiet" }, t("desk.none_chosen"))]));
  }

  // The cards were chosen: the line follows.
  function wrote() {
    wrong = null;
    text.value = chosen.join(" ");
    show();
  }

  function toggle(card) {
    if (card !== "?" && count(card) >= decks) chosen = chosen.filter((one) => one !== card);
    else chosen.push(card);
    wrote();
  }

  function key(card) {
    const times = el("small", { class: "times" });
    const node = el("button", { type: "button", class: "key", "data-card": card, onclick: () => toggle(card) }, cardNode(card), times);
    buttons.set(card, { node, times });
    return node;
  }

  const grid = el("div", { class: "deck", role: "group", "aria-label": t("desk.all_cards") }, ...deck.map(key));
  const first = deck.includes(chosen[0]) ? chosen[0] : deck[0];
  const roam = (card) => {
    for (const one of deck) buttons.get(one).node.tabIndex = one === card ? 0 : -1;
  };
  roam(first);
  grid.addEventListener("focusin", ({ target }) => roam(target.dataset.card));
  grid.addEventListener("keydown", (event) => {
    const step = STEPS[event.key];
    if (!step || !event.target.dataset.card) return;
    event.preventDefault();
    const upright = getComputedStyle(grid).gridAutoFlow.startsWith("column"); // a column a suit
    const [across, along] = upright ? [step[1], step[0]] : step;
    const place = deck.indexOf(event.target.dataset.card);
    const suit = (Math.floor(place / ranks.length) + across + SUITS.length) % SUITS.length;
    const rank = ((place % ranks.length) + along + ranks.length) % ranks.length;
    grid.children[suit * ranks.length + rank].focus();
  });
  text.addEventListener("input", () => {
    [chosen, wrong] = read(text.value);
    show();
  });
  show();
  const node = el(
    "div",
    { class: "picker" },
    row,
    grid,
    el("div", { class: "others" }, ...OTHERS.map(key)),
    el("label", { for: "picked-text" }, t("page.cards")),
    text,
  );
  return { node, cards: () => [...chosen], wrong: () => wrong };
}
