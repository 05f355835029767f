// For the host: which phone speaks for which seat, and what guests may do.

import { shortName } from "./claims.js";
import { act, button } from "./desk.js";
import { by, el, redraw } from "./dom.js";
import { nameOf } from "./reasons.js";
import { t } from "./words.js";

function right(state, name) {
  const box = el("input", { type: "checkbox", id: `right-${name}`, checked: state.table.guests[name] });
  box.addEventListener("change", () => act("guests", { [name]: box.checked }));
  return el("label", { class: "check" }, box, el("span", {}, t(`page.right_${name}`)));
}

export function drawPhones(state) {
  by("phones-panel").hidden = false;
  redraw(by("phones"), [state.phones, state.table.guests, state.seats.map((seat) => seat.name)], () => {
    const taken = state.seats.filter(({ index }) => state.phones[index] !== null);
    const row = ({ index }) => {
      const name = nameOf(state, index);
      const label = t("page.free_seat_of", { name });
      const free = button(t("page.free_seat"), () => act("seat/free", { seat: index }), "", { "aria-label": label });
      return el("li", {}, el("b", {}, name), el("span", { class: "quiet" }, t("page.phone", { phone: shortName(state.phones[index]) })), free);
    };
    by("phones").replaceChildren(
      right(state, "claims"),
      right(state, "seen"),
      taken.length ? el("ul", {}, ...taken.map(row)) : el("p", { class: "quiet" }, t("page.no_phones")),
    );
  });
}
