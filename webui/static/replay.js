// The replay: a slider over the events of a match; the table at each step comes from the server.

import { cardRow } from "./cards.js";
import { by, el, redraw, say } from "./dom.js";
import { pair } from "./evidence.js";
import { ask, enter } from "./net.js";
import { asideText, remedy, sentence } from "./reasons.js";
import { drawSeats, drawTurn } from "./table.js";
import { language, pickLanguage, reasonOf, t } from "./words.js";

const SIGNS = { ok: "✓", violation: "✗", unsure: "?" };
const PACE_MS = 1400;
const PLAY = "M6 3l14 9-14 9z"; // drawn, as many phones have no letters for these
const PAUSE = "M5 3h5v18H5zM14 3h5v18h-5z";
const MARKS = ["violation", "unsure"];
const DOUBTS = new Set(["dispute", "answer", "amend", "delete"]);

let matches = [];
let match = null; // the match on show
let steps = []; // its events; step n is steps[n - 1], step 0 is before the first
let doubted = new Set(); // ids of events that were disputed, asked about or corrected
let range = [0, 0]; // the steps on the slider
let at = 0;
let states = new Map(); // step -> promise of the table then
let state = null;
let timer = null;

// What breaks a rule or is asked about, and what people had to say something about.
function markOf(step) {
  if (MARKS.includes(step.verdict)) return step.verdict;
  return doubted.has(step.id) ? "unsure" : null;
}

function outside(why) {
  by("inside").hidden = true;
  by("outside").hidden = false;
  say(by("outside-why"), why);
}

const date = (seconds, form) => new Intl.DateTimeFormat(language, form).format(new Date(seconds * 1000));

async function load(id) {
  const answer = await ask(`matches/${id}/steps`);
  match = answer.match;
  steps = answer.steps;
  doubted = new Set(steps.filter((step) => DOUBTS.has(step.kind)).map((step) => step.of));
  states = new Map();
  choose(by("hand").value);
}

// The steps of one hand ("" for all); the step on show stays where it can.
function choose(hand) {
  const hands = [...new Set(steps.map((step) => step.hand))];
  const wanted = hands.some((one) => String(one) === hand) ? hand : "";
  const inHand = steps.map((step, i) => [step, i]).filter(([step]) => !wanted || String(step.hand) === wanted);
  range = inHand.length ? [inHand[0][1], inHand.at(-1)[1] + 1] : [0, 0];
  const option = (value, words) => el("option", { value, selected: value === wanted }, words);
  const choices = hands.map((one) => option(String(one), t("page.hand", { n: one })));
  by("hand").replaceChildren(option("", t("replay.all_hands")), ...choices);
  by("hand").value = wanted;
  drawTrack();
}

function drawTrack() {
  const [first, last] = range;
  const slider = by("slider");
  slider.min = first;
  slider.max = last;
  const marks = [];
  for (let n = first + 1; n <= last; n++) {
    const kind = markOf(steps[n - 1]);
    if (!kind) continue;
    const mark = el("i", { class: kind }, SIGNS[kind]);
    const share = (n - first) / Math.max(1, last - first);
    mark.style.left = `calc(8px + ${share} * (100% - 16px))`; // the thumb keeps half its width from the ends
    marks.push(mark);
  }
  by("marks").replaceChildren(...marks);
}

function fetchState(n) {
  if (!states.has(n)) {
    const asked = ask(`matches/${match.id}/state?step=${n}`);
    asked.catch(() => states.delete(n));
    states.set(n, asked);
  }
  return states.get(n);
}

async function go(n) {
  at = Math.max(range[0], Math.min(range[1], n));
  by("slider").value = at;
  const wanted = at;
  drawWhere();
  let got;
  try {
    got = await fetchState(wanted);
  } catch (error) {
    stop();
    by("event").replaceChildren(el("p", { class: "notice bad" }, reasonOf(error)));
    return;
  }
  if (at !== wanted) return; // the slider has moved on
  state = got;
  draw();
  if (at < range[1]) fetchState(at + 1).catch(() => {});
}

function nextMark(direction) {
  for (let n = at + direction; n > range[0] && n <= range[1]; n += direction) {
    if (markOf(steps[n - 1])) return n;
  }
  return null;
}

function jump(direction) {
  const n = nextMark(direction);
  if (n !== null) go(n);
}

// A match that is being played goes on behind the last step.
async function onwards() {
  if (at === range[1] && match.now) await load(match.id);
  await go(at + 1);
}

function stop() {
  clearInterval(timer);
  timer = null;
  drawButtons();
}

function play() {
  if (timer !== null) {
    stop();
    return;
  }
  if (at === range[1]) go(range[0]);
  timer = setInterval(() => (at < range[1] ? go(at + 1) : stop()), PACE_MS);
  drawButtons();
}

function drawButtons() {
  const playing = timer !== null;
  const [sign, name] = by("play").children;
  sign.firstElementChild.setAttribute("d", playing ? PAUSE : PLAY);
  name.dataset.t = playing ? "replay.pause" : "replay.play";
  say(name, t(name.dataset.t));
  by("back").disabled = at === range[0];
  by("on").disabled = at === range[1] && !match?.now;
  by("mark_back").disabled = nextMark(-1) === null;
  by("mark_on").disabled = nextMark(1) === null;
}

function drawWhere() {
  const step = at ? steps[at - 1] : null;
  const time = step ? date(step.at, { timeStyle: "medium" }) : date(match.began, { dateStyle: "medium", timeStyle: "short" });
  say(by("where"), t("replay.where", { n: at - range[0], all: range[1] - range[0], time }));
  drawButtons();
}

// What the step was: the event itself, or what somebody decided about another one.
function eventText(step, entry) {
  const what = entry ? sentence(state, entry) : "";
  if (entry && entry.id === step.id) return what;
  const did = t(`replay.did.${step.kind}`);
  return what ? t("replay.about", { did, what }) : did;
}

// What became of the verdict of then.
function laterText(step, entry) {
  if (entry?.id !== step.id || entry.verdict === step.verdict) return "";
  if (step.verdict === null) return t("replay.withdrawn");
  return t("replay.changed", { verdict: t(`verdict.${step.verdict}`) });
}

function drawEvent() {
  const step = at ? steps[at - 1] : null;
  const entry = step ? (state.entries[0] ?? null) : null;
  const picturesOf = (id) => steps.find((one) => one.id === id)?.pictures ?? [];
  let about = entry?.id ?? step?.of ?? step?.id;
  // a dispute, or what was split off, has the pictures of the play that it is about
  if (!picturesOf(about).length && step?.of !== null) about = step?.of;
  const kept = picturesOf(about);
  redraw(by("event"), [match.id, at, step, entry, state.seats], () => {
    if (!step) {
      by("event").replaceChildren(el("p", {}, t("replay.start")));
      return;
    }
    const text = eventText(step, entry);
    const verdict = entry?.verdict;
    const later = laterText(step, entry);
    const lines = [
      el("p", { class: "what" }, text),
      verdict === "violation" && remedy(entry) ? el("p", { class: "quiet" }, remedy(entry)) : null,
      later ? el("p", { class: "quiet later" }, later) : null,
    ];
    const sign = verdict ? el("span", { class: `sign ${verdict}`, role: "img", "aria-label": t(`verdict.${verdict}`) }, SIGNS[verdict]) : el("span");
    const cards = entry?.cards.length && entry.kind !== "sweep" ? cardRow(entry.cards, "small") : null;
    const asides = (list) => list.map((derived) => el("p", { class: "aside" }, asideText(state, derived)));
    by("event").replaceChildren(
      ...(entry?.id === step.id ? asides(entry.before) : []),
      el("div", { class: "entry" }, sign, el("div", {}, ...lines.filter(Boolean)), cards),
      ...(entry?.id === step.id ? asides(entry.after) : []),
    );
  });
  redraw(by("pair"), [match.id, about, kept, at === 0], () => {
    const what = step ? eventText(step, entry) : "";
    by("pair").replaceChildren(...(kept.length ? pair(match.id, about, kept, what, true) : []));
  });
}

function draw() {
  if (!match || !state) return;
  drawWhere();
  drawTurn(state);
  drawSeats(state);
  drawEvent();
  const step = at ? steps[at - 1] : null;
  document.title = `${t("replay.title")} · ${t("page.title")}`;
  by("slider").setAttribute("aria-valuetext", step ? eventText(step, state.entries[0]) : t("replay.start"));
  history.replaceState(null, "", `?match=${match.id}&step=${at}`);
}

function drawMatches() {
  const options = matches.map((one) => {
    const when = date(one.began, { dateStyle: "medium", timeStyle: "short" });
    const game = one.game.name[language] ?? one.game.name.en;
    const words = t(one.now ? "replay.match_now" : "replay.match_then", { when, game });
    return el("option", { value: one.id, selected: one.id === match?.id }, words);
  });
  by("match").replaceChildren(...options.reverse());
}

function drawAll() {
  if (!match) return;
  drawMatches();
  choose(by("hand").value);
  draw();
}

const KEYS = {
  ArrowLeft: () => go(at - 1),
  ArrowRight: () => onwards(),
  PageUp: () => jump(-1),
  PageDown: () => jump(1),
  Home: () => go(range[0]),
  End: () => go(range[1]),
  " ": () => play(),
};

function onKey(event) {
  const act = KEYS[event.key];
  if (!act || event.altKey || event.ctrlKey || event.metaKey || by("large")?.open) return;
  if (event.target.closest("select") || (event.key === " " && event.target.closest("button, a"))) return;
  event.preventDefault();
  if (event.key !== " ") stop();
  act();
}

async function open(id, step, hand = "") {
  stop();
  by("hand").value = hand;
  await load(id);
  drawMatches();
  await go(step ?? range[0]);
}

async function main() {
  const wanted = new URLSearchParams(location.search);
  await pickLanguage(by("language"), drawAll);
  try {
    await enter();
    matches = (await ask("matches")).matches;
  } catch (error) {
    outside(error.code === "not_admitted" ? t("page.not_in") : reasonOf(error));
    return;
  }
  by("inside").hidden = false;
  const found = matches.find((one) => String(one.id) === wanted.get("match")) ?? matches.at(-1);
  if (!found) {
    outside(t("page.nothing_yet"));
    return;
  }
  by("match").addEventListener("change", () => open(Number(by("match").value)));
  by("hand").addEventListener("change", () => {
    stop();
    choose(by("hand").value);
    go(range[0]);
  });
  by("slider").addEventListener("input", () => {
    stop();
    go(Number(by("slider").value));
  });
  for (const [id, act] of [["mark_back", () => jump(-1)], ["back", () => go(at - 1)], ["on", onwards], ["mark_on", () => jump(1)]]) {
    by(id).addEventListener("click", () => {
      stop();
      act();
    });
  }
  by("play").addEventListener("click", play);
  addEventListener("keydown", onKey);
  await load(found.id);
  drawMatches();
  const event = steps.findIndex((step) => String(step.id) === wanted.get("event"));
  const step = event >= 0 ? event + 1 : Number(wanted.get("step") ?? range[0]);
  await go(Number.isInteger(step) ? step : 0);
}

main();
