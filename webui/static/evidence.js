// Pictures of the play area just before and just after an event: small ones, and large on a tap.

import { by, el } from "./dom.js";
import { tableUrl } from "./net.js";
import { t } from "./words.js";

export const pictureUrl = (match, id, when) => tableUrl(`events/${id}.jpg?match=${match}&when=${when}`);

const missing = () => el("div", { class: "none quiet" }, t("replay.no_picture"));

function figure(match, id, when, what, kept, tap) {
  const name = t(`replay.${when}`);
  let shown = missing();
  if (kept.includes(when)) {
    const gone = () => shown.replaceWith(missing()); // it was deleted, or thinned out, since
    const image = el("img", { src: pictureUrl(match, id, when), alt: `${name}: ${what}`, onerror: gone });
    shown = tap ? el("button", { type: "button", onclick: tap, "aria-label": `${t("replay.enlarge")}: ${name}` }, image) : image;
  }
  return el("figure", {}, shown, el("figcaption", {}, name));
}

// The two pictures side by side; `kept` says which there are; with `large` a tap shows them large.
export function pair(match, id, kept, what, large = false) {
  const tap = large ? () => enlarge(match, id, kept, what) : null;
  return ["before", "after"].map((when) => figure(match, id, when, what, kept, tap));
}

export function enlarge(match, id, kept, what, ...more) {
  const box = by("large") ?? el("dialog", { id: "large", class: "panel", "aria-labelledby": "large-title" });
  document.body.append(box);
  const close = el("button", { type: "button", class: "main", onclick: () => box.close() }, t("page.close"));
  box.replaceChildren(
    el("h2", { id: "large-title" }, what),
    el("div", { class: "pair" }, ...pair(match, id, kept, what)),
    el("div", { class: "row" }, ...more, close),
  );
  box.showModal();
}
