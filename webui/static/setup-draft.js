// The set-up that is being made: kept on the server after every change, so that a reload loses nothing.

import { askHouse } from "./net.js";
import { language } from "./words.js";

// The table whose set-up is changed; null for a new one.
export const table = new URLSearchParams(location.search).get("table");

export const draft = {
  step: "camera",
  camera: null,
  sure: null, // whether the guess of the table is to be believed; null before there was one
  sides_seen: null, // which edges of the table are in the picture: far, right, near, left
  arranged: false, // whether somebody has moved the play area or a seat
  card: null, // the newest answer of the one-card check
  document: { title: "", game: null, options: {}, seats: [], guests: {} },
};
export const house = { games: [] };


export const askSetup = (path, body) => askHouse(`setup${path}`, body);

export async function begin() {
  const known = await askHouse(table ? `setup?table=${encodeURIComponent(table)}` : "setup");
  house.games = known.games;
  Object.assign(draft.document, known.document);
  draft.camera = known.camera;
  draft.document.game ??= known.game;
  if (draft.document.table_px) Object.assign(draft, { sure: true, arranged: true });
  Object.assign(draft, known.draft ?? {});
}

let waiting = null;
let told = () => {};
export const whenKept = (tell) => {
  told = tell;
};

export function keep() {
  clearTimeout(waiting);
  waiting = setTimeout(keepNow, 300);
}

export async function keepNow() {
  clearTimeout(waiting);
  try {
    await askSetup("/draft", { table, draft });
    told(null);
  } catch (error) {
    told(error);
  }
}

export async function forget() {
  clearTimeout(waiting);
  await askSetup("/forget", { table });
}

const MARKS = ["table_px", "play_area_px", "discard_area_px", "stock_px"];

// Nothing is marked any more: it is guessed anew.
export function forgetMarks() {
  for (const key of ["size", "table_mm", ...MARKS]) delete draft.document[key];
  for (const seat of draft.document.seats) delete seat.edge_px;
  Object.assign(draft, { sure: null, sides_seen: null, arranged: false, card: null });
}

// The camera gives pictures of this size: marks made on another size are stretched to it.
export function adoptSize([w, h]) {
  const { size, seats } = draft.document;
  if (size && String(size) !== String([w, h])) {
    const stretched = (points) => points.map(([x, y]) => [(x * w) / size[0], (y * h) / size[1]]);
    for (const key of MARKS) if (draft.document[key]) draft.document[key] = stretched(draft.document[key]);
    for (const seat of seats) if (seat.edge_px) seat.edge_px = stretched(seat.edge_px);
    draft.card = null;
    keep();
  }
  draft.document.size = [w, h];
}

export const gameNow = () => house.games.find(({ id }) => id === draft.document.game);
export const inLanguage = (words) => words[language] ?? words.en;
