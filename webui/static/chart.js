// The scores over the match as lines. The score sheet says the same in numbers, for those who can't see it.

import { svg } from "./dom.js";

const WIDTH = 320;
const HEIGHT = 150;
const LEFT = 34;
const RIGHT = 92;
const TOP = 12;
const BOTTOM = 20;
const ROW = 15; // least distance of two names
const MARKS = ["●", "■", "▲", "◆", "✚", "★"]; // a line is told by its mark and its name, not by colour alone

// Rising steps of 1, 2 or 5 times a power of ten, a few over the span.
function ticks(low, high) {
  const rough = Math.max(1, (high - low) / 3);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((n) => n * power).find((one) => one >= rough);
  const first = Math.ceil(low / step) * step;
  return Array.from({ length: Math.floor((high - first) / step) + 1 }, (_, i) => first + i * step);
}

// Moves labels apart so that none covers another; keeps their order.
function spread(heights) {
  const order = heights.map((y, i) => [y, i]).sort((a, b) => a[0] - b[0]);
  let least = TOP;
  const moved = [];
  for (const [y, i] of order) {
    moved[i] = Math.max(y, least);
    least = moved[i] + ROW;
  }
  const over = Math.max(0, least - ROW - (HEIGHT - BOTTOM + 6));
  return moved.map((y) => y - over);
}

// `running`: for each hand the totals after it, by side; `names`: one a side.
export function scoreChart(running, names, label) {
  const rows = [names.map(() => 0), ...running];
  const values = rows.flat();
  const low = Math.min(0, ...values);
  const high = Math.max(1, ...values);
  const x = (hand) => LEFT + (hand / (rows.length - 1)) * (WIDTH - LEFT - RIGHT);
  const y = (value) => TOP + ((high - value) / (high - low)) * (HEIGHT - TOP - BOTTOM);
  const grid = ticks(low, high).flatMap((value) => [
    svg("line", { class: value === 0 ? "zero" : "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y(value), y2: y(value) }),
    svg("text", { class: "tick", x: LEFT - 5, y: y(value) + 4, "text-anchor": "end" }, String(value)),
  ]);
  const every = Math.ceil((rows.length - 1) / 8);
  const hands = rows.slice(1).map((_, i) =>
    (i + 1) % every ? null : svg("text", { class: "tick", x: x(i + 1), y: HEIGHT - 4, "text-anchor": "middle" }, String(i + 1)),
  );
  const places = spread(names.map((_, side) => y(rows.at(-1)[side])));
  const lines = names.map((name, side) => {
    const mark = MARKS[side % MARKS.length];
    const points = rows.map((totals, hand) => `${x(hand)},${y(totals[side])}`).join(" ");
    const short = [...name].length > 8 ? `${[...name].slice(0, 7).join("")}…` : name;
    const dots = rows.slice(1).map((totals, hand) =>
      svg("text", { class: "mark", x: x(hand + 1), y: y(totals[side]) + 3.5, "text-anchor": "middle" }, mark),
    );
    const end = svg("text", { class: "name", x: WIDTH - RIGHT + 9, y: places[side] + 4 }, `${mark} ${short}`);
    return svg("g", { class: `side side-${side % MARKS.length}` }, svg("polyline", { points }), ...dots, end);
  });
  return svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label }, ...grid, ...hands, ...lines);
}
