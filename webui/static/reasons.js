// An entry of the story as a sentence: who did what, which rule decides, what would be legal.

import { cardName, comboName } from "./cards.js";
import { has, language, t } from "./words.js";

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

const kindName = (kind) => (has(`kind.${kind}`) ? t(`kind.${kind}`) : kind);

function reasonText(state, code, entry) {
  const words = { ...entry.params };
  if (words.card) words.card = cardName(words.card);
  if (words.named) words.named = kindName(words.named);
  const seat = code === "out_of_turn" ? words.to_act : entry.seat;
  words.name = nameOf(state, seat);
  return t(`code.${code}`, words);
}

// A described combination {type?, key?, n, cards}.
const described = (combo) => comboName(combo.type ? combo : null, combo.cards ?? []);

export function whatOf(entry) {
  return entry.params.played ? described(entry.params.played) : comboName(null, entry.cards);
}

export function sentence(state, entry) {
  const who = nameOf(state, entry.seat);
  const what = whatOf(entry);
  if (entry.rule) return t("event.set_option_as", entry.rule[language]);
  if (entry.verdict === "ok" || !entry.codes.length) {
    return t(`event.${entry.kind}`, { ...entry.params, who, what });
  }
  const reason = entry.codes.map((code) => reasonText(state, code, entry)).join(t("page.and"));
  if (COMPARISON.has(entry.codes[0]) && entry.params.table) {
    const phrase = t("event.cannot_beat", { play: what, table: described(entry.params.table), reason });
    return t(`event.${entry.kind}`, { who, what: phrase });
  }
  return t("event.wrong", { what: t(`event.${entry.kind}`, { ...entry.params, who, what }), reason });
}

// What could have been played instead, without looking at anyone's hand; "" when unknown.
export function remedy(entry) {
  const legal = entry.params.legal ?? [];
  const parts = legal.map((one) => {
    const how = one.above !== undefined ? "above" : one.exactly !== undefined ? "exactly" : "any";
    const count = one.type === "pair_run" ? one.n / 2 : one.n;
    const sized = ["straight", "pair_run"].includes(one.type) && Number.isInteger(count);
    return t(`legal.${how}`, {
      kind: sized ? t(`kind_sized.${one.type}`, { count: t(`count.${count}`) }) : kindName(one.type),
      rank: one[how] ? t(`rank.${one[how]}`) : "",
    });
  });
  return parts.length ? t("legal.sentence", { list: parts.join(t("page.or")) }) : "";
}

export function asideText(state, derived) {
  const who = nameOf(state, derived.seat);
  return t(`derived.${derived.kind}`, { ...derived.data, who, n: derived.data.hand });
}
