// Step 2: the game, the table's name, and who sits where.

import { el } from "./dom.js";
import { draft, gameNow, house, inLanguage, keep } from "./setup-draft.js";
import { t } from "./words.js";

const LONGEST = 40;

function chooseGame(id, body) {
  if (draft.document.game !== id) draft.document.options = {}; // house rules belong to a game
  draft.document.game = id;
  const [least, most] = gameNow().players;
  const { seats } = draft.document;
  while (seats.length < Math.max(least, Math.min(4, most)) && (seats.length < least || !seats.some((seat) => seat.edge_px))) addSeat();
  if (seats.length > most) seats.length = most;
  keep();
  gameStep.draw(body);
}

function addSeat() {
  const { seats } = draft.document;
  seats.push({ index: seats.length, name: "" });
  for (const seat of seats) delete seat.edge_px; // they are spread anew round the table
}

function removeSeat(index) {
  const { document: table } = draft;
  table.seats.splice(index, 1);
  table.seats.forEach((seat, place) => {
    seat.index = place;
    delete seat.edge_px;
  });
  for (const key of ["dealer", "first_leader", "hands"]) delete table[key];
}

function nameField(seat, body) {
  const id = `name-${seat.index}`;
  const input = el("input", {
    id, value: seat.name, maxlength: LONGEST, autocomplete: "off", placeholder: t("page.seat", { n: seat.index + 1 }),
    oninput: () => {
      seat.name = input.value;
      keep();
    },
  });
  const less = el("button", {
    type: "button", class: "pencil", "aria-label": t("setup.remove_player", { n: seat.index + 1 }), onclick: () => {
      removeSeat(seat.index);
      keep();
      gameStep.draw(body);
    },
  }, "✕");
  const label = el("label", { for: id, class: "number" }, String(seat.index + 1));
  return el("li", { class: "person" }, label, input, draft.document.seats.length > gameNow().players[0] ? less : null);
}

export const gameStep = {
  looks: false,
  missing() {
    if (!gameNow()) return t("setup.choose_game");
    const { seats } = draft.document;
    const [least, most] = gameNow().players;
    return seats.length < least || seats.length > most ? t("setup.wrong.players", { least, most }) : "";
  },
  draw(body) {
    const game = gameNow();
    const games = house.games.map(({ id, name, summary, players }) => {
      const input = el("input", { type: "radio", name: "game", value: id, checked: id === draft.document.game, onchange: () => chooseGame(id, body) });
      const count = t(players[0] === players[1] ? "setup.players_exactly" : "setup.players_range", { least: players[0], most: players[1] });
      return el("label", { class: "choice" }, el("span", {}, input, " ", el("b", {}, inLanguage(name))), el("span", { class: "quiet" }, `${inLanguage(summary)} ${count}`));
    });
    const title = el("input", {
      id: "title", value: draft.document.title, maxlength: LONGEST, autocomplete: "off", placeholder: t("page.table"),
      oninput: () => {
        draft.document.title = title.value;
        keep();
      },
    });
    const parts = [
      el("div", { class: "choices", role: "radiogroup", "aria-label": t("page.game") }, ...games),
    ];
    if (game) {
      const { seats } = draft.document;
      const more = el("button", { type: "button", onclick: () => { addSeat(); keep(); gameStep.draw(body); } }, t("setup.add_player"));
      parts.push(
        el("h3", {}, t("page.seats")),
        el("p", { class: "quiet" }, t("setup.seating")),
        el("ol", { class: "people" }, ...seats.map((seat) => nameField(seat, body))),
        seats.length < game.players[1] ? el("div", { class: "row" }, more) : "",
        el("label", { for: "title" }, t("setup.table_title")),
        title,
      );
    }
    const focused = document.activeElement?.value;
    body.replaceChildren(...parts);
    if (game && focused === game.id) body.querySelector(`input[value="${game.id}"]`).focus();
  },
};
