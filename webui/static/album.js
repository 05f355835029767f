// The story's pictures, for the host: a small one beside each event, large on a tap; deleting them all.

import { by, el, redraw } from "./dom.js";
import { enlarge, pictureUrl } from "./evidence.js";
import { ask } from "./net.js";
import { sentence } from "./reasons.js";
import { reasonOf, t } from "./words.js";

const SETTLE_MS = 700; // pictures are written a little after their event is told
const AGAIN_MS = 3000;
const WENT = new Set(["sweep", "take_back"]); // what lay there before says more than the bare table

document.head.append(el("link", { rel: "stylesheet", href: "/static/replay.css" }));

let state = null;
let album = null; // {match, events: {id: ["before", "after"]}, kept, count, size, problem}
let told = ""; // the events that the album was last asked about
let timer = null;

function askLater(ms, again) {
  clearTimeout(timer);
  timer = setTimeout(() => refresh(again), ms);
}

async function refresh(again) {
  try {
    album = await ask("pictures");
  } catch {
    return; // no connection: the next event asks again
  }
  decorate();
  drawBar();
  const newest = state.entries.at(-1);
  if (again && newest && album.kept && !album.events[newest.id]) askLater(AGAIN_MS, false);
}

function thumb(entry, kept) {
  const what = sentence(state, entry);
  const when = WENT.has(entry.kind) && kept.includes("before") ? "before" : kept.at(-1);
  const url = pictureUrl(album.match, entry.id, when);
  const gone = () => box.remove(); // it was deleted, or thinned out, since
  const image = el("img", { src: url, alt: "", loading: "lazy", width: 88, height: 66, onerror: gone });
  const replay = el("a", { href: `replay?match=${album.match}&event=${entry.id}` }, t("replay.open"));
  const large = () => enlarge(album.match, entry.id, kept, what, replay);
  const label = t("replay.small", { what });
  const box = el("div", { class: "thumbs" }, el("button", { type: "button", "aria-label": label, onclick: large }, image));
  return box;
}

// The story keeps its nodes while they say the same, so a picture is added once to each.
function decorate() {
  if (!album) return;
  for (const entry of state.entries) {
    const line = by("story").querySelector(`[data-id="${entry.id}"] .entry`);
    const kept = album.events[entry.id] ?? [];
    const form = `${album.match} ${kept.join()}`;
    if (!line || line.dataset.pictures === form) continue;
    line.dataset.pictures = form;
    line.querySelector(".thumbs")?.remove();
    if (kept.length) line.append(thumb(entry, kept));
  }
}

async function remove() {
  if (!confirm(t("replay.pictures_really"))) return;
  try {
    await ask("pictures/delete", {});
  } catch (error) {
    by("notices").append(el("p", { class: "notice bad" }, reasonOf(error)));
  }
  await refresh(false);
}

function drawBar() {
  const section = by("story").closest("section");
  const bar = section.querySelector(".pictures-bar") ?? section.appendChild(el("div", { class: "pictures-bar" }));
  const { kept, count, size, problem } = album;
  redraw(bar, [kept, count, size, problem], () => {
    const words = kept ? t("replay.pictures_kept", { n: count, mb: (size / 1e6).toFixed(1) }) : t("replay.pictures_none");
    const parts = [el("span", { class: "quiet" }, words)];
    if (count) parts.push(el("button", { type: "button", onclick: remove }, t("replay.pictures_delete")));
    if (problem) parts.unshift(el("p", { class: "notice", role: "status" }, t(`replay.problem_${problem}`)));
    bar.replaceChildren(...parts);
  });
}

export function drawAlbum(whole) {
  state = whole;
  decorate();
  if (album) drawBar();
  const events = state.entries.map(({ id, t: when }) => `${id}@${when}`).join();
  if (events !== told || !album) {
    told = events;
    askLater(SETTLE_MS, true);
  }
}
