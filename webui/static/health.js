// The health strip: can the cards be read in this picture, and if not, what helps?

import { by, el, redraw } from "./dom.js";
import { t } from "./words.js";

const SIGNS = { ok: "✓", warning: "!", bad: "✗" };

export function checkItem({ name, level, advice, params }) {
  const words = advice ? t(`health.${advice}`, params) : t(`health.${level}`);
  const sign = el("span", { class: `sign ${level}`, role: "img", "aria-label": t(`health.${level}`) }, SIGNS[level]);
  return el("li", { class: level }, sign, el("b", {}, t(`health.${name}`)), advice ? el("span", {}, words) : null);
}

// The worst first; nothing while nobody looks.
export function drawHealth(state) {
  const order = ["bad", "warning", "ok"];
  const checks = [...state.health].sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  by("health").hidden = !checks.length || state.camera.status !== "watching";
  redraw(by("health"), checks, () => by("health").replaceChildren(...checks.map(checkItem)));
}
