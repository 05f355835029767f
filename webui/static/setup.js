// The set-up of a table, step by step: camera, game, table, one card, rules.

import { by, el, say } from "./dom.js";
import { enter, watchPictures, houseUrl } from "./net.js";
import { cameraStep, followCamera } from "./setup-camera.js";
import { cardStep } from "./setup-card.js";
import { begin, draft, forget, keep, keepNow, whenKept } from "./setup-draft.js";
import { gameStep } from "./setup-game.js";
import { rulesStep } from "./setup-rules.js";
import { stage } from "./setup-stage.js";
import { tableStep } from "./setup-table.js";
import { pickLanguage, reasonOf, t } from "./words.js";

// A step: `looks` shows the picture; `draw(body)` fills the page; `missing()` says what keeps from going on.
const STEPS = { camera: cameraStep, game: gameStep, table: tableStep, card: cardStep, rules: rulesStep };
const ORDER = Object.keys(STEPS);

const complain = (text) => by("notices").replaceChildren(...(text ? [el("p", { class: "notice bad" }, text)] : []));

// The first step, up to the wanted one, that lacks something.
function reachable(wanted) {
  return ORDER.slice(0, ORDER.indexOf(wanted)).find((name) => STEPS[name].missing()) ?? wanted;
}

function drawSteps() {
  const items = ORDER.map((name, place) => {
    const here = name === draft.step;
    const label = [`${place + 1}.`, el("span", { class: "name" }, ` ${t(`setup.step.${name}`)}`)];
    return el("li", {}, el("button", { type: "button", "aria-current": here && "step", onclick: () => go(name) }, ...label));
  });
  by("steps").replaceChildren(...items);
}

function draw() {
  const step = STEPS[draft.step];
  drawSteps();
  say(by("step"), t(`setup.step.${draft.step}`));
  say(by("step-how"), t(`setup.how.${draft.step}`));
  by("look").hidden = !step.looks;
  by("live").setAttribute("aria-label", t("setup.picture"));
  by("tools").replaceChildren();
  stage.show(null);
  by("back").hidden = draft.step === ORDER[0];
  by("next").hidden = draft.step === ORDER.at(-1);
  by("body").replaceChildren();
  step.draw(by("body"));
}

function go(wanted) {
  complain("");
  const name = reachable(wanted);
  if (name !== wanted) complain(STEPS[name].missing());
  if (name === draft.step) return;
  draft.step = name;
  keepNow();
  draw();
  by("step").focus();
  scrollTo(0, 0);
}

// Begins again with the set-up as it was saved, or with nothing.
async function discard() {
  if (!confirm(t("setup.really_discard"))) return;
  try {
    await forget();
    location.reload();
  } catch (error) {
    complain(reasonOf(error));
  }
}

async function main() {
  await pickLanguage(by("language"), () => by("wizard").hidden || draw());
  whenKept((error) => say(by("kept"), error ? t("page.failed", { reason: reasonOf(error) }) : t("setup.kept")));
  try {
    await enter();
    await begin();
  } catch (error) {
    by("outside").hidden = false;
    say(by("outside-why"), error.code === "not_admitted" ? t("setup.host_only") : reasonOf(error));
    return;
  }
  by("wizard").hidden = false;
  by("back").addEventListener("click", () => go(ORDER[ORDER.indexOf(draft.step) - 1]));
  by("next").addEventListener("click", () => go(ORDER[ORDER.indexOf(draft.step) + 1]));
  by("discard").addEventListener("click", discard);
  document.addEventListener("change", keep);
  draft.step = reachable(STEPS[draft.step] ? draft.step : ORDER[0]);
  draw();
  followCamera();
  watchPictures(by("live"), () => stage.pictured(), houseUrl("setup/picture"));
}

main();
