// This device's own settings, kept in its browser: colours, and signals on a warning and on one's turn.

import { by, el } from "./dom.js";
import { t } from "./words.js";

const kept = JSON.parse(localStorage.getItem("signals") ?? "{}");
const canShake = "vibrate" in navigator;
let audio = null;

// Browsers let a page sound only after a touch or a key.
function wakeAudio() {
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
}

function tones(...pitches) {
  if (!audio) return;
  pitches.forEach((pitch, i) => {
    const start = audio.currentTime + i * 0.2;
    const oscillator = audio.createOscillator();
    const volume = audio.createGain();
    oscillator.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start);
    volume.gain.exponentialRampToValueAtTime(0.3, start + 0.02);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + 0.18);
    oscillator.connect(volume).connect(audio.destination);
    oscillator.start(start);
    oscillator.stop(start + 0.19);
  });
}

const SIGNALS = {
  warning: { shake: [180, 90, 180], sound: () => tones(740, 494) },
  turn: { shake: [70], sound: () => tones(660) },
};

function signal(kind) {
  if (kept.sound) SIGNALS[kind].sound();
  // before the first touch a browser refuses to shake
  if (kept.shake && canShake && navigator.userActivation?.hasBeenActive !== false) navigator.vibrate(SIGNALS[kind].shake);
}

let last = null;

// Signals what is new since the last call: a violation (its id, or null), and that it is the turn of
// one's own seat `me`.
export function signalNews(violation, me, myTurn) {
  if (last) {
    if (violation !== null && violation !== last.violation) signal("warning");
    else if (myTurn && !last.myTurn && me === last.me && kept.turn) signal("turn");
  }
  last = { violation, me, myTurn };
}

function toggle(name, onChange = () => {}) {
  const box = el("input", { type: "checkbox", id: `device-${name}`, checked: Boolean(kept[name]) });
  box.addEventListener("change", () => {
    kept[name] = box.checked;
    localStorage.setItem("signals", JSON.stringify(kept));
    if (box.checked) onChange();
  });
  return el("label", { class: "check" }, box, el("span", {}, t(`page.signal_${name}`)));
}

function themePicker() {
  const chosen = document.documentElement.dataset.theme ?? "system";
  const options = ["system", "light", "dark"].map((theme) =>
    el("option", { value: theme, selected: theme === chosen }, t(`page.theme_${theme}`)),
  );
  const picker = el("select", { id: "theme" }, ...options);
  picker.addEventListener("change", () => {
    localStorage.setItem("theme", picker.value);
    if (picker.value === "system") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = picker.value;
  });
  return el("label", { class: "check", for: "theme" }, el("span", {}, t("page.theme")), picker);
}

// Draws the settings again in the language of the page.
export function drawDevice() {
  by("device").replaceChildren(
    themePicker(),
    toggle("sound", () => (wakeAudio(), tones(660))),
    ...(canShake ? [toggle("shake", () => navigator.vibrate(70))] : []),
    toggle("turn"),
  );
}

for (const touch of ["pointerdown", "keydown"]) {
  addEventListener(touch, () => kept.sound && wakeAudio(), { passive: true });
}
