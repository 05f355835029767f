// Step 3: the table's corners, the areas and the seats, marked on the live picture.

import { by, el, say } from "./dom.js";
import { adoptSize, askSetup, draft, gameNow, keep } from "./setup-draft.js";
import { stage } from "./setup-stage.js";
import { reasonOf, t } from "./words.js";

const MODES = { corners: "table_px", play: "play_area_px", seats: "seats", discards: "discard_area_px", stock: "stock_px" };
const MOST_HANDLES = 8; // an area of more points is moved as a whole
let mode = "corners";

const middle = (points) => [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length);
const doc = () => draft.document;
export const seatName = (seat) => seat.name || t("page.seat", { n: seat.index + 1 });

function shapes() {
  const found = [];
  const add = (key, kind) => doc()[key] && found.push({ points: doc()[key], kind, closed: true });
  add("table_px", "table");
  add("play_area_px", "play");
  add("discard_area_px", "discards");
  add("stock_px", "stock");
  for (const { edge_px } of doc().seats) if (edge_px) found.push({ points: edge_px, kind: "seat", closed: false });
  return found;
}

function changed() {
  if (mode === "play" || mode === "seats") draft.arranged = true;
  draft.card = null;
  keep();
}

// Handles for the points of a polygon, and one that moves all of it.
function polygonHandles(key, kind, inside) {
  const points = doc()[key] ?? [];
  const done = mode === "corners" ? arrange : changed;
  const corners = points.length > MOST_HANDLES ? [] : points.map((at, place) => ({
    at, inside, done, kind, text: "",
    name: mode === "corners" ? t(`setup.corner.${place}`) : t("setup.point", { what: t(`setup.mode.${mode}`), n: place + 1 }),
    set: (to) => (doc()[key] = doc()[key].map((old, other) => (other === place ? to : old))),
  }));
  if (mode === "corners" || !points.length) return corners;
  const move = {
    at: middle(points), inside, done, kind: `${kind} whole`, text: "✥", name: t("setup.whole", { what: t(`setup.mode.${mode}`) }),
    set([x, y]) {
      const [fromX, fromY] = middle(doc()[key]);
      doc()[key] = doc()[key].map(([px, py]) => [px + x - fromX, py + y - fromY]);
    },
  };
  return [...corners, move];
}

// A seat is moved as a whole; its edge turns along the nearest side of the table.
function seatHandle(seat) {
  return {
    at: middle(seat.edge_px), kind: "seat", text: String(seat.index + 1), done: changed, name: t("setup.seat_of", { name: seatName(seat) }),
    set([x, y]) {
      const [[ax, ay], [bx, by_]] = seat.edge_px;
      const half = Math.hypot(bx - ax, by_ - ay) / 2;
      const [dx, dy] = nearestSide([x, y]);
      seat.edge_px = [[x - dx * half, y - dy * half], [x + dx * half, y + dy * half]].map((point) => point.map((v) => Math.round(v * 10) / 10));
    },
  };
}

function nearestSide([x, y]) {
  const corners = doc().table_px;
  const sides = corners.map(([ax, ay], place) => {
    const [bx, by_] = corners[(place + 1) % 4];
    const length = Math.hypot(bx - ax, by_ - ay);
    const along = [(bx - ax) / length, (by_ - ay) / length];
    return { along, away: Math.abs((x - ax) * along[1] - (y - ay) * along[0]) };
  });
  return sides.sort((one, other) => one.away - other.away)[0].along;
}

function parts() {
  if (!doc().table_px) return { shapes: [], handles: [] };
  if (mode === "seats") return { shapes: shapes(), handles: doc().seats.filter((seat) => seat.edge_px).map(seatHandle) };
  return { shapes: shapes(), handles: polygonHandles(MODES[mode], mode, mode !== "corners") };
}

// Seats and play area follow the corners until somebody has moved one of them.
async function arrange() {
  changed();
  const { seats, table_px } = doc();
  if (draft.arranged && seats.every((seat) => seat.edge_px)) return;
  try {
    const { sides_seen } = draft;
    const { seat_edges, play_area_px } = await askSetup("/arrange", { seats: seats.length, table_px, sides_seen });
    seats.forEach((seat, place) => (seat.edge_px = seat_edges[place]));
    if (!draft.arranged) doc().play_area_px = play_area_px;
    say(by("guess"), "");
    keep();
    stage.fit();
  } catch (error) {
    say(by("guess"), t("setup.wrong.table_px"));
  }
}

async function propose() {
  say(by("guess"), t("setup.guessing"));
  try {
    const guess = await askSetup("/propose", { seats: doc().seats.length });
    const { seats, stock_px, ...marks } = guess.document;
    Object.assign(doc(), marks);
    doc().seats.forEach((seat, place) => (seat.edge_px = seats[place].edge_px));
    if (gameNow()?.family === "draw") {
      doc().discard_area_px = marks.play_area_px;
      if (stock_px) doc().stock_px = stock_px;
    }
    Object.assign(draft, { sure: guess.sure, sides_seen: guess.sides_seen, arranged: false, card: null });
    keep();
    if (draft.step === "table") {
      stage.fit();
      drawTools();
      sayGuess();
    }
  } catch (error) {
    say(by("guess"), reasonOf(error));
  }
}

const sayGuess = () => say(by("guess"), draft.sure === null ? "" : t(draft.sure ? "setup.guess_sure" : "setup.guess_unsure"));

function toggleArea(key) {
  if (doc()[key]) delete doc()[key];
  else {
    const [x, y] = middle(doc().play_area_px);
    const size = key === "stock_px" ? 0.5 : 1;
    doc()[key] = doc().play_area_px.slice(0, 4).map(([px, py]) => [x + (px - x) * size, y + (py - y) * size]);
  }
  changed();
  drawTools();
  stage.show(parts);
}

function drawTools() {
  const buttons = Object.keys(MODES).map((name) =>
    el("button", { type: "button", "aria-pressed": String(name === mode), onclick: () => { mode = name; drawTools(); stage.show(parts); } }, t(`setup.mode.${name}`)),
  );
  by("tools").replaceChildren(...buttons);
  by("tools").setAttribute("aria-label", t("setup.what_to_move"));
  const key = MODES[mode];
  const optional = mode === "discards" || mode === "stock";
  const what = t(`setup.mode.${mode}`);
  by("mode-how").replaceChildren(
    el("span", {}, t(`setup.mode_how.${mode}`)),
    optional && doc().play_area_px ? el("button", { type: "button", onclick: () => toggleArea(key) }, t(doc()[key] ? "setup.without" : "setup.with", { what })) : "",
  );
}

export const tableStep = {
  looks: true,
  missing: () => (doc().table_px && doc().play_area_px && doc().seats.every((seat) => seat.edge_px) ? "" : t("setup.mark_table")),
  async draw(body) {
    body.append(
      el("div", { id: "mode-how", class: "row quiet" }),
      el("p", { id: "guess", class: "guess", role: "status" }),
      el("div", { class: "row" }, el("button", { type: "button", onclick: propose }, t("setup.guess_again"))),
    );
    await askSetup("/camera", { camera: draft.camera }).catch(() => {});
    drawTools();
    if (stage.size) adoptSize(stage.size);
    stage.show(parts);
    if (!doc().table_px) await propose();
    else if (doc().seats.some((seat) => !seat.edge_px)) await arrange();
    else sayGuess();
  },
};
