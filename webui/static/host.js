// What only the host sees: inviting phones, answering questions, correcting the story.

import { cardName, comboName } from "./cards.js";
import { by, el, redraw } from "./dom.js";
import { ask, askHouse, forTable, houseUrl } from "./net.js";
import { nameOf, sentence } from "./reasons.js";
import { reasonOf, t } from "./words.js";

async function send(event) {
  try {
    await ask("events", event);
  } catch (error) {
    const why = t("page.failed", { reason: reasonOf(error) });
    by("notices").append(el("p", { class: "notice bad" }, why));
  }
}

const button = (label, act, kind = "") => el("button", { type: "button", class: kind, onclick: act }, label);

async function invite() {
  const box = by("invite");
  const fill = async () => {
    const { url } = await askHouse(forTable("invitation"));
    const parts = url
      ? [
          // the number keeps the browser from showing the picture of an old code
          el("img", { src: houseUrl(`${forTable("invitation.svg")}&${Date.now()}`), alt: url, width: 300, height: 300 }),
          el("p", { class: "address" }, url),
          el("p", { class: "quiet" }, t("page.invite_how")),
        ]
      : [el("p", {}, t("page.invite_loopback"))];
    const revoke = (body) => async () => {
      await askHouse("invitation/revoke", body);
      await fill();
    };
    const link = el("p", { class: "address" });
    box.replaceChildren(
      el(
        "div",
        { class: "stack" },
        el("h2", { id: "invite-title" }, t("page.invite")),
        ...parts,
        link,
        el(
          "div",
          { class: "row" },
          button(t("page.revoke"), revoke({})),
          button(t("page.revoke_guests"), revoke({ guests: true })),
          button(t("page.host_link"), async () => {
            link.textContent = (await askHouse(forTable("link"), {})).url;
          }),
          button(t("page.close"), () => box.close(), "main"),
        ),
      ),
    );
  };
  await fill();
  box.showModal();
}

function fix(state, entry) {
  const box = by("fix");
  const cards = el("input", { id: "fix-cards", value: entry.cards.join(" "), autocomplete: "off", spellcheck: "false" });
  const seats = state.seats.map((seat) =>
    el("option", { value: seat.index, selected: seat.index === entry.seat }, nameOf(state, seat.index)),
  );
  const seat = el("select", { id: "fix-seat" }, ...seats);
  const save = async (submit) => {
    submit.preventDefault();
    box.close();
    const list = cards.value.trim().split(/[\s,]+/).filter(Boolean);
    await send({ kind: "amend", of: entry.id, seat: Number(seat.value), cards: list });
  };
  box.replaceChildren(
    el(
      "form",
      { onsubmit: save },
      el("h2", { id: "fix-title" }, sentence(state, entry)),
      el("label", { for: "fix-cards" }, t("page.cards")),
      cards,
      el("label", { for: "fix-seat" }, t("page.who")),
      seat,
      el(
        "div",
        { class: "row" },
        el("button", { class: "main" }, t("page.save")),
        button(t("page.not_a_play"), () => {
          box.close();
          send({ kind: "retract", of: entry.id });
        }),
        button(t("page.cancel"), () => box.close()),
      ),
    ),
  );
  box.showModal();
}

// What an answer's button says, e.g. "Anna", "7 of hearts", "five-card straight to the 9".
function answerWords(state, answer) {
  const words = { ...answer.params };
  if (answer.seat !== null) words.name = nameOf(state, answer.seat);
  words.cards = (answer.cards.length ? answer.cards : (words.cards ?? [])).map(cardName).join(", ");
  if (words.type) words.reading = comboName(words);
  return t(`answer.${answer.code}`, words);
}

function questionNode(state, question) {
  const entry = state.entries.find((one) => one.id === question.of);
  const words = { ...question.params, name: nameOf(state, question.params.seat ?? entry?.seat) };
  const answers = question.answers.map((answer) => {
    const { kind, seat, cards, data } = answer;
    const event = { kind, of: question.of, seat, cards, data };
    return button(answerWords(state, answer), () => send(event));
  });
  const correct = entry ? [button(t("page.fix"), () => fix(state, entry))] : [];
  return el(
    "li",
    {},
    el("p", {}, entry ? sentence(state, entry) : ""),
    el("p", { class: "quiet" }, t(`question.${question.kind}`, words)),
    state.viewer === "host" ? el("div", { class: "answers" }, ...answers, ...correct) : null,
  );
}

function drawQuestions(state) {
  const open = state.questions;
  by("questions-panel").hidden = !open.length;
  redraw(by("questions"), [open, state.entries.filter((one) => open.some(({ of }) => of === one.id)), state.viewer], () => {
    by("questions").replaceChildren(...open.map((question) => questionNode(state, question)));
  });
}

export function tools(state, entry) {
  if (state.viewer !== "host") return null;
  const label = `${t("page.fix")}: ${sentence(state, entry)}`;
  const act = () => fix(state, entry);
  return el("div", { class: "tools" }, el("button", { type: "button", class: "pencil", "aria-label": label, title: t("page.fix"), onclick: act }, "✎"));
}

export function drawHost(state) {
  const isHost = state.viewer === "host";
  by("host-bar").hidden = !isHost;
  const next = state.hand.over && !state.match.over;
  const ended = state.camera.status === "ended";
  redraw(by("host-bar"), [next, ended], () => {
    by("host-bar").replaceChildren(
      button(t("page.invite"), invite, "main"),
      ...(next ? [button(t("page.next_hand"), () => send({ kind: "new_hand" }))] : []),
      ...(ended ? [button(t("page.again"), () => ask("again", {}))] : []),
    );
  });
  drawQuestions(state);
}
