// The page: one state, kept by the stream; every part draws itself from it.

import { drawMine, mySeat, whoAmI } from "./claims.js";
import { drawDevice, signalNews } from "./device.js";
import { by, el, say } from "./dom.js";
import { Feed, enter, watchPictures } from "./net.js";
import { drawDiscards, drawSeen } from "./piles.js";
import { drawLying, drawNow, drawSeats, drawNotices, violationOf } from "./table.js";
import { drawScores, drawStory } from "./record.js";
import { pickLanguage, reasonOf, t } from "./words.js";

let state = null;
let lying = [];
let host = null;

// What only the host needs is loaded for the host only: phones get a light page.
async function loadHost() {
  const parts = await Promise.all([import("./host.js"), import("./phones.js"), import("./album.js")]);
  host = Object.assign({}, ...parts);
}

function draw() {
  if (!state) return;
  const me = mySeat(state);
  drawNotices(state);
  drawNow(state);
  drawMine(state);
  drawSeats(state, me);
  drawLying(lying);
  drawStory(state, host?.tools);
  drawDiscards(state);
  drawSeen(state);
  drawScores(state);
  host?.drawHost(state);
  host?.drawPhones(state);
  host?.drawAlbum(state);
  signalNews(violationOf(state)?.id ?? null, me, me !== null && state.turn === me && !state.hand.over);
}

function show(inside, why = "") {
  by("inside").hidden = !inside;
  by("outside").hidden = inside;
  say(by("outside-why"), why);
}

const feed = new Feed({
  async state(whole) {
    state = whole;
    lying = whole.lying;
    show(true);
    draw();
    // who this is may have changed with a new admission; the page doesn't wait for it
    if (whole.viewer === "host" && !host) await loadHost();
    await whoAmI().catch(() => {});
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
  health(news) {
    if (!state) return;
    state = { ...state, health: news.checks };
    host?.drawHost(state);
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
  await pickLanguage(by("language"), () => {
    drawDevice();
    draw();
  });
  drawDevice();
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
