// The host's desk: sends decisions, says why one was refused, and holds the dialog they are made in.

import { cardName } from "./cards.js";
import { by, el, say } from "./dom.js";
import { ask } from "./net.js";
import { reasonOf, t } from "./words.js";

export const button = (label, act, kind = "", more = {}) =>
  el("button", { type: "button", class: kind, onclick: act, ...more }, label);

// Why something was refused, in words.
export function refusal(error) {
  const { card } = error.params;
  const params = card ? { ...error.params, card: cardName(card) } : error.params;
  return t("page.failed", { reason: reasonOf({ code: error.code, params }) });
}

// Decides with one tap: events that hold together. A refusal is told beside the buttons.
export const decide = (...events) => act("events", { events });

export async function act(path, body) {
  say(by("desk-said"), "");
  try {
    await ask(path, body);
  } catch (error) {
    say(by("desk-said"), refusal(error));
  }
}

// Opens the dialog. `fill(go, say)` gives its parts: `go(path, body)` sends, and closes it if that was
// accepted; what was entered stays when it wasn't. `back()` finds the node that has the focus after it.
export function openDialog(title, fill, back = () => null) {
  const box = by("fix");
  const why = el("p", { class: "refused", role: "status" });
  let busy = false;
  const go = async (path, body) => {
    if (busy) return;
    busy = true;
    say(why, "");
    try {
      await ask(path, body);
      box.close();
    } catch (error) {
      say(why, refusal(error));
    }
    busy = false;
  };
  const parts = fill(go, (text) => say(why, text));
  const heading = el("h2", { id: "fix-title", tabindex: "-1" }, title);
  box.replaceChildren(heading, el("div", { class: "desk" }, ...parts, why));
  if (!box.open) box.showModal();
  heading.focus();
  box.scrollTop = 0;
  box.onclose = () => leave(back);
}

export const cancel = () => button(t("page.cancel"), () => by("fix").close());

// After the dialog the focus goes back to what it was about; that node may be drawn anew meanwhile.
let wanted = null;
const FOCUS_MS = 3000;

function leave(back) {
  wanted = { back, until: performance.now() + FOCUS_MS };
  keepFocus();
}

export function keepFocus() {
  const box = by("fix");
  if (!wanted || box.open) return;
  const now = document.activeElement;
  if (performance.now() > wanted.until) wanted = null;
  // for a moment the focus may still be in the dialog that has closed
  else if (!now || now === document.body || box.contains(now)) wanted.back()?.focus();
}

// A choice of one among a few, all of them in view. `items` are [value, words]; value() gives the choice.
let groups = 0;
export function choice(legend, items, value, changed = () => {}) {
  const name = `choice-${++groups}`;
  let now = value;
  const option = ([one, words]) => {
    const input = el("input", { type: "radio", name, checked: one === value });
    input.addEventListener("change", () => changed((now = one)));
    return el("label", { class: "choice" }, input, el("span", {}, words));
  };
  const node = el("fieldset", {}, el("legend", {}, legend), el("div", { class: "choices" }, ...items.map(option)));
  return { node, value: () => now };
}
