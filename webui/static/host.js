// What only the host sees: inviting phones, answering questions, correcting the story.

import { by, el } from "./dom.js";
import { cardName } from "./cards.js";
import { ask } from "./net.js";
import { nameOf, reasonText, sentence } from "./reasons.js";
import { has, reasonOf, t } from "./words.js";

let isHost = false;

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
    const { url } = await ask("invitation");
    const parts = url
      ? [
          // the number keeps the browser from showing the picture of an old code
          el("img", { src: `/api/invitation.svg?${Date.now()}`, alt: url, width: 300, height: 300 }),
          el("p", { class: "address" }, url),
          el("p", { class: "quiet" }, t("page.invite_how")),
        ]
      : [el("p", {}, t("page.invite_loopback"))];
    const revoke = (body) => async () => {
      await ask("invitation/revoke", body);
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
            link.textContent = (await ask("link", {})).url;
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

function answerWords(state, answer) {
  const params = { ...answer.params };
  if (answer.seat !== null && answer.seat !== undefined) params.name = nameOf(state, answer.seat);
  if (answer.cards?.length) params.cards = answer.cards.map(cardName).join(", ");
  const reading = answer.params?.reading;
  if (reading) params.reading = reading;
  return t(has(`answer.${answer.code}`) ? `answer.${answer.code}` : "page.as_read", params);
}

function drawQuestions(state) {
  const open = state.entries.filter((entry) => entry.question);
  by("questions-panel").hidden = !open.length;
  const rows = open.map((entry) =>
    el(
      "li",
      {},
      el("p", {}, sentence(state, entry)),
      el("p", { class: "quiet" }, has(`question.${entry.question.kind}`) ? t(`question.${entry.question.kind}`, questionWords(state, entry.question)) : ""),
      isHost
        ? el(
            "div",
            { class: "answers" },
            ...entry.question.answers.map((answer) =>
              button(answerWords(state, answer), () =>
                send({
                  kind: answer.kind,
                  of: entry.question.of,
                  seat: answer.seat,
                  cards: answer.cards,
                  data: answer.data,
                }),
              ),
            ),
            button(t("page.fix"), () => fix(state, entry)),
          )
        : null,
    ),
  );
  by("questions").replaceChildren(...rows);
}

function questionWords(state, question) {
  const params = { ...question.params };
  if (params.seat !== undefined && params.seat !== null) params.name = nameOf(state, params.seat);
  if (params.code) params.reason = reasonText(state, params.code, params);
  return params;
}

export const host = {
  tools(state, entry) {
    if (state.viewer !== "host" || entry.id === null) return null;
    return el("div", { class: "tools" }, button(t("page.fix"), () => fix(state, entry), "small"));
  },
  draw(state) {
    isHost = state.viewer === "host";
    const bar = by("host-bar");
    bar.hidden = !isHost;
    bar.replaceChildren(
      button(t("page.invite"), invite, "main"),
      ...(state.hand.over && !state.match.over ? [button(t("page.next_hand"), () => send({ kind: "new_hand" }))] : []),
      ...(state.camera.status === "ended" ? [button(t("page.again"), () => ask("again", {}))] : []),
    );
    drawQuestions(state);
  },
};
