// The pictures just before and just after an event, beside what is asked about it; nothing where none were kept.

import { el } from "./dom.js";
import { pair } from "./evidence.js";
import { ask } from "./net.js";

const TRIES = 3;
const RETRY_MS = 1500; // they reach the disk a little after the event
let asking = null;

// Boxes that are made at once share one request.
function kept() {
  asking ??= new Promise((done) => setTimeout(done)).then(() => {
    asking = null;
    return ask("pictures");
  });
  return asking;
}

async function fill(box, id, what, tries) {
  const { match, events } = await kept().catch(() => ({ events: {} }));
  if (events[id]) box.append(...pair(match, id, events[id], what));
  else if (tries > 1) setTimeout(() => box.isConnected && fill(box, id, what, tries - 1), RETRY_MS);
}

export function moments(id, what) {
  const box = el("div", { class: "moment" });
  fill(box, id, what, TRIES);
  return box;
}
