// The record: the story so far, the cards seen, the score sheet.

import { RANKS, SUITS, cardName, cardRow, shape } from "./cards.js";
import { by, el, say } from "./dom.js";
import { host } from "./host.js";
import { nameOf, sentence } from "./reasons.js";
import { t } from "./words.js";

const SIGNS = { ok: "✓", violation: "✗", unsure: "?" };
const drawn = new Map();

function entryNode(state, entry) {
  const notes = [];
  if (entry.inferred) notes.push(t("page.inferred"));
  if (entry.withdrawn) notes.push(t("page.withdrawn"));
  if (entry.taken_back) notes.push(t("page.taken_back"));
  const sign = el(
    "span",
    { class: `sign ${entry.verdict}`, role: "img", "aria-label": t(`verdict.${entry.verdict}`) },
    SIGNS[entry.verdict] ?? "",
  );
  return el(
    "li",
    { class: `entry ${entry.kind} ${entry.verdict}${entry.withdrawn ? " withdrawn" : ""}`, "data-seq": entry.seq },
    sign,
    el("div", {}, el("p", {}, sentence(state, entry)), notes.length ? el("p", { class: "quiet" }, notes.join(" · ")) : null),
    entry.cards.length && entry.kind !== "sweep" ? cardRow(entry.cards, "small") : null,
    host.tools(state, entry),
  );
}

export function drawStory(state) {
  const list = by("story");
  if (!state.entries.length) {
    drawn.clear();
    list.replaceChildren(el("li", { class: "quiet" }, t("page.nothing_yet")));
    return;
  }
  const language = document.documentElement.lang;
  const names = state.seats.map((seat) => seat.name).join("\n");
  const keep = new Set();
  const nodes = state.entries.map((entry) => {
    const form = JSON.stringify([language, names, entry]);
    keep.add(entry.seq);
    if (drawn.get(entry.seq)?.form !== form) drawn.set(entry.seq, { form, node: entryNode(state, entry) });
    return drawn.get(entry.seq).node;
  });
  for (const seq of drawn.keys()) if (!keep.has(seq)) drawn.delete(seq);
  nodes.reverse();
  const same = nodes.length === list.children.length && nodes.every((node, i) => node === list.children[i]);
  if (!same) list.replaceChildren(...nodes);
}

export function drawSeen(state) {
  by("seen").closest("section").hidden = state.seen === null;
  if (state.seen === null) return;
  const seen = new Set(state.seen.cards);
  say(by("seen-count"), t("page.seen_count", { n: state.seen.cards.length, all: state.seen.all }));
  const head = el("tr", {}, el("td"), ...RANKS.map((rank) => el("th", { scope: "col" }, t(`rank.${rank}`))));
  const rows = SUITS.map((suit) =>
    el(
      "tr",
      {},
      el("th", { scope: "row", class: suit, "aria-label": t(`suit.${suit}`) }, shape(suit)),
      ...RANKS.map((rank) => {
        const is = seen.has(rank + suit);
        const label = t(is ? "page.seen_one" : "page.unseen_one", { card: cardName(rank + suit) });
        return el("td", {}, el("span", { class: is ? "dot yes" : "dot", role: "img", "aria-label": label }, is ? "●" : ""));
      }),
    ),
  );
  by("seen").replaceChildren(head, ...rows);
}

export function drawScores(state) {
  const { hands, totals } = state.scores;
  const lines = [];
  if (state.match.over) lines.push(t("page.match_over"));
  if (state.match.winners.length) {
    lines.push(t("page.winners", { names: state.match.winners.map((seat) => nameOf(state, seat)).join(", ") }));
  }
  say(by("match"), lines.join(" "));
  const row = (title, values, tag = "td") =>
    el("tr", {}, el("th", { scope: "row" }, title), ...values.map((value) => el(tag, {}, String(value))));
  by("scores").replaceChildren(
    el("thead", {}, el("tr", {}, el("td"), ...state.seats.map((seat) => el("th", { scope: "col" }, nameOf(state, seat.index))))),
    el("tbody", {}, ...hands.map((values, i) => row(t("page.hand", { n: i + 1 }), values))),
    el("tfoot", {}, row(t("page.total"), totals)),
  );
}
