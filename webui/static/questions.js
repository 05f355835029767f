// Open questions of the referee: the moment in pictures, one tap for an answer, or later.

import { cardName, comboName } from "./cards.js";
import { by, el, redraw } from "./dom.js";
import { button, decide } from "./desk.js";
import { fix } from "./fix.js";
import { moments } from "./moments.js";
import { nameOf, sentence } from "./reasons.js";
import { t } from "./words.js";

const later = new Set();
const keyOf = ({ kind, of }) => `${kind}:${of}`;

// What an answer's button says, e.g. "Anna", "7 of hearts", "five-card straight to the 9".
function answerWords(state, answer) {
  const words = { ...answer.params };
  words.name = nameOf(state, answer.seat ?? words.seat);
  words.cards = (answer.cards.length ? answer.cards : (words.cards ?? [])).map(cardName).join(", ");
  if (words.type) words.reading = comboName(words);
  return t(`answer.${answer.code}`, words);
}

function questionNode(state, question) {
  const entry = state.entries.find((one) => one.id === question.of);
  const words = { ...question.params, name: nameOf(state, question.params.seat ?? entry?.seat) };
  const answers = question.answers.map((answer) => {
    const { kind, seat, cards, data } = answer;
    return button(answerWords(state, answer), () => decide({ kind, of: question.of, seat, cards, data }));
  });
  const wait = () => {
    later.add(keyOf(question));
    drawQuestions(state);
  };
  return el(
    "li",
    {},
    moments(question.of, entry ? sentence(state, entry) : ""),
    el("p", {}, entry ? sentence(state, entry) : ""),
    el("p", { class: "quiet" }, t(`question.${question.kind}`, words)),
    el(
      "div",
      { class: "answers" },
      ...answers,
      entry ? button(t("page.fix"), () => fix(state, entry)) : null,
      button(t("desk.ask_later"), wait, "quietly"),
    ),
  );
}

export function drawQuestions(state) {
  const open = state.questions;
  const keys = new Set(open.map(keyOf));
  for (const key of later) if (!keys.has(key)) later.delete(key);
  const now = open.filter((question) => !later.has(keyOf(question)));
  by("questions-panel").hidden = !open.length;
  const about = state.entries.filter((one) => now.some(({ of }) => of === one.id));
  redraw(by("questions"), [now, about, later.size], () => {
    const askNow = () => {
      later.clear();
      drawQuestions(state);
    };
    const waiting = button(t("desk.for_later", { n: later.size }), askNow);
    by("questions").replaceChildren(
      ...now.map((question) => questionNode(state, question)),
      ...(later.size ? [el("li", {}, waiting)] : []),
    );
  });
}
