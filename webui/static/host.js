// What only the host sees: the bar under the picture, inviting phones, the pencil beside every event.

import { act, button, decide, keepFocus } from "./desk.js";
import { by, el, redraw } from "./dom.js";
import { addEvent, fix } from "./fix.js";
import { houseRules, matchMenu, newHand } from "./hands.js";
import { drawHealth } from "./health.js";
import { askHouse, forTable, houseUrl } from "./net.js";
import { drawQuestions } from "./questions.js";
import { nameOf, sentence, whatOf } from "./reasons.js";
import { language, t } from "./words.js";

document.head.append(el("link", { rel: "stylesheet", href: "/static/host.css" }));
let state = null;

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

export function tools(shown, entry) {
  const label = `${t("page.fix")}: ${sentence(shown, entry)}`;
  const open = () => {
    const now = state.entries.find(({ id }) => id === entry.id);
    if (now) fix(state, now);
  };
  const pencil = button("✎", open, "pencil", { "aria-label": label, title: t("page.fix") });
  return el("div", { class: "tools" }, pencil);
}

// What a decision was about, in words: the event as it stands now, or as it was.
function aboutWords({ events, of, seat, cards, fact, data, rule }) {
  if (rule) {
    const words = t("event.set_option_as", rule[language]);
    return events > 1 ? t("desk.and_more", { what: words, n: events - 1 }) : words;
  }
  const entry = state.entries.find(({ id }) => id === of);
  if (entry) return sentence(state, entry);
  if (!fact) return "";
  return t(`event.${fact}`, { ...data, who: nameOf(state, seat), what: whatOf({ params: {}, cards }) });
}

function drawUndo() {
  const { undo } = state;
  redraw(by("undo"), [undo, undo && aboutWords(undo)], () => {
    if (!undo) {
      by("undo").replaceChildren();
      return;
    }
    const what = t(`desk.did.${undo.kind}`, { what: aboutWords(undo) });
    const back = button(t("page.undo"), () => act("undo", { of: undo.id }), "", { id: "undo-button", "aria-label": `${t("page.undo")}: ${what}` });
    by("undo").replaceChildren(el("span", {}, what), back);
  });
}

function drawBar() {
  const next = state.hand.over && !state.match.over;
  const ended = state.camera.status === "ended";
  const turn = state.match.over || state.hand.over ? null : state.turn;
  redraw(by("host-bar"), [next, ended, turn, state.match.over, state.seats.map((seat) => seat.name)], () => {
    const passes = () => decide({ kind: "pass", seat: turn });
    by("host-bar").replaceChildren(
      ...(next ? [button(t("page.next_hand"), () => decide({ kind: "new_hand" }), "main", { id: "next-hand" })] : []),
      ...(state.match.over ? [button(t("desk.new_match"), () => act("match", {}), "main", { id: "next-match" })] : []),
      ...(turn === null ? [] : [button(t("page.this_was_a_pass", { name: nameOf(state, turn) }), passes, "", { id: "turn-passes" })]),
      ...(state.match.over ? [] : [button(t("desk.add_menu"), () => addEvent(state), "", { id: "add-event" })]),
      ...(ended ? [button(t("page.again"), () => act("again", {}), "", { id: "again" })] : []),
      button(t("page.invite"), invite, next || state.match.over ? "" : "main", { id: "invite-phones" }),
      button(t("desk.new_hand_menu"), () => newHand(state), "", { id: "new-hand" }),
      button(t("desk.rules_menu"), houseRules, "", { id: "house-rules" }),
      button(t("desk.match_menu"), () => matchMenu(state), "", { id: "match-menu" }),
      el("a", { class: "button", id: "set-up", href: `/setup?table=${state.table.name}` }, `✎ ${t("setup.edit")}`),
    );
  });
}

export function drawHost(now) {
  state = now;
  by("host-bar").hidden = false;
  drawBar();
  drawUndo();
  drawHealth(state);
  drawQuestions(state);
  keepFocus();
}
