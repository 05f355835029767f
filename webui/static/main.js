// The page: one state, kept by the stream; every part draws itself from it.

import { by, el, say } from "./dom.js";
import { drawHost } from "./host.js";
import { Feed, enter, watchPictures } from "./net.js";
import { drawLying, drawNow, drawSeats, drawNotices } from "./table.js";
import { drawSeen, drawScores, drawStory } from "./record.js";
import { pickLanguage, reasonOf, t } from "./words.js";

let state = null;
let lying = [];

function draw() {
  if (!state) return;
  drawNotices(state);
  drawNow(state);
  drawSeats(state);
  drawLying(lying);
  drawStory(state);
  drawSeen(state);
  drawScores(state);
  drawHost(state);
}

function show(inside, why = "") {
  by("inside").hidden = !inside;
  by("outside").hidden = inside;
  say(by("outside-why"), why);
}

const feed = new Feed({
  state(whole) {
    state = whole;
    lying = whole.lying;
    show(true);
    draw();
  },
  update(change) {
    if (!state) return;
    const { entries, gone, ...rest } = change;
    const kept = new Map(state.entries.map((entry) => [entry.id, entry]));
    for (const id of gone) kept.delete(id);
    for (const entry of entries) kept.set(entry.id, entry);
    const order = [...kept.values()].sort((a, b) => a.place - b.place);
    state = { ...state, ...rest, entries: order };
    draw();
  },
  lying(news) {
    lying = news.cards;
    if (state) drawLying(lying);
  },
  fresh() {
    badge("live", t("page.live"));
  },
  stale(seconds) {
    badge("stale", t("page.stale", { seconds }));
  },
  replaced() {
    show(false, t("page.replaced"));
    by("follow-here").hidden = false;
  },
  closed() {
    show(false, t("page.table_closed"));
    badge("stale", t("page.table_closed"));
  },
  shut() {
    state = null;
    show(false, t("page.not_in"));
    badge("stale", t("page.guest"));
  },
});

function badge(kind, text) {
  by("link").className = `badge ${kind}`;
  say(by("link"), text);
}

async function main() {
  await pickLanguage(by("language"), draw);
  by("follow-here").addEventListener("click", () => {
    by("follow-here").hidden = true;
    feed.last = ""; // nothing is drawn any more, so ask for everything
    feed.start();
  });
  try {
    await enter();
  } catch (error) {
    by("notices").append(el("p", { class: "notice bad" }, reasonOf(error)));
  }
  feed.start();
  watchPictures(by("picture"), () => by("picture").classList.add("drawn"));
}

main();
