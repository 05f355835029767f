// An entry of the story as a sentence: who did what, and which rule decides.

import { cardName, comboName } from "./cards.js";
import { has, t } from "./words.js";

const COMPARISON = new Set([
  "wrong_type",
  "lower_type",
  "wrong_count",
  "not_higher",
  "must_be_exactly_one_higher",
  "single_two_immune",
]);

export function nameOf(state, seat) {
  if (seat === null || seat === undefined) return t("page.someone");
  return state.seats[seat]?.name || t("page.seat", { n: seat + 1 });
}

export function reasonText(state, code, params = {}) {
  const words = { ...params };
  if (params.card) words.card = cardName(params.card);
  if (params.cards?.length) words.card = params.cards.map(cardName).join(", ");
  if (params.named) words.named = has(`kind.${params.named}`) ? t(`kind.${params.named}`) : params.named;
  if (params.seat !== undefined && params.seat !== null) words.name = nameOf(state, params.seat);
  return t(`code.${code}`, words);
}

export function whatOf(entry) {
  return comboName(entry.reading, entry.cards);
}

export function sentence(state, entry) {
  const who = nameOf(state, entry.seat);
  const what = whatOf(entry);
  if (entry.verdict !== "ok" && entry.codes.length) {
    const [code] = entry.codes;
    const reason = entry.codes.map((one, i) => reasonText(state, one, entry.params[i] ?? {})).join("; ");
    if (COMPARISON.has(code) && entry.against) {
      const play = what;
      return t("event.cannot_beat", { play, table: comboName(entry.against, []), reason });
    }
    return t("event.wrong", { what: t(`event.${entry.kind}`, { who, what }), reason });
  }
  return t(`event.${entry.kind}`, { who, what, ...entry.params[0] });
}
