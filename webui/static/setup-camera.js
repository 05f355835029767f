// Step 1: which camera, by what it shows.

import { by, el, say } from "./dom.js";
import { houseUrl } from "./net.js";
import { askSetup, draft, forgetMarks, keep } from "./setup-draft.js";
import { reasonOf, t } from "./words.js";

const ASK_MS = 1500;
let cameras = null;

async function use(camera) {
  if (draft.camera !== camera) forgetMarks(); // another camera sees the table elsewhere
  draft.camera = camera;
  keep();
  try {
    await askSetup("/camera", { camera });
  } catch (error) {
    say(by("camera-state"), reasonOf(error));
  }
}

// What the camera shows now, or why it can't be used; a mere guess that is wrong is left out.
async function fillThumbnail(camera, choice, canvas, note) {
  const answer = await fetch(houseUrl(`setup/cameras/${camera.id}/picture`)).catch(() => null);
  if (answer?.ok) {
    const bitmap = await createImageBitmap(await answer.blob());
    canvas.width = bitmap.width;
    canvas.height = bitmap.height;
    canvas.getContext("2d").drawImage(bitmap, 0, 0);
    return true;
  }
  const { error } = (await answer?.json().catch(() => null)) ?? {};
  if (camera.guess && error?.code === "camera_missing") choice.remove();
  else note.textContent = reasonOf(error ?? { code: "no_connection" });
  return error?.code === "camera_watched";
}

function choiceOf(camera) {
  const input = el("input", { type: "radio", name: "camera", value: camera.id, checked: camera.id === draft.camera, onchange: () => use(camera.id) });
  const canvas = el("canvas", { width: 16, height: 9, "aria-hidden": "true" });
  const note = el("span", { class: "quiet" });
  const name = /^\d+$/.test(camera.name) ? t("setup.camera_number", { n: camera.name }) : camera.name;
  const choice = el("label", { class: "choice" }, canvas, el("span", {}, input, ` ${name}`), note);
  return { camera, choice, input, ready: fillThumbnail(camera, choice, canvas, note) };
}

async function list(box, again) {
  box.replaceChildren(el("p", { class: "quiet" }, t("setup.looking_for_cameras")));
  if (!cameras || again) ({ cameras } = await askSetup("/cameras"));
  const choices = cameras.map(choiceOf);
  box.replaceChildren(...choices.map(({ choice }) => choice));
  const usable = [];
  for (const one of choices) {
    if (await one.ready) usable.push(one);
  }
  if (!box.childElementCount) box.replaceChildren(el("p", { class: "wrong" }, t("setup.no_cameras")));
  if (usable.length === 1 && draft.camera === null) {
    usable[0].input.checked = true;
    await use(usable[0].camera.id);
  }
}

// How the camera does that is looked through, while the page is open.
export async function followCamera() {
  for (;;) {
    if (!document.hidden && draft.camera !== null && !by("look").hidden) {
      try {
        const { status, error } = await askSetup("/camera");
        const reason = error && reasonOf(error);
        say(by("camera-state"), t(`setup.camera_${status === "restarting" || status === "failed" ? "lost" : status}`, { reason }));
      } catch (error) {
        say(by("camera-state"), reasonOf(error));
      }
    }
    await new Promise((done) => setTimeout(done, ASK_MS));
  }
}

export const cameraStep = {
  looks: true,
  missing: () => (draft.camera === null ? t("setup.choose_camera") : ""),
  draw(body) {
    const box = el("div", { class: "choices", role: "radiogroup", "aria-labelledby": "step" });
    const fail = (error) => box.replaceChildren(el("p", { class: "wrong" }, reasonOf(error)));
    const again = el("button", { type: "button", onclick: () => list(box, true).catch(fail) }, t("setup.look_again"));
    body.append(box, el("div", { class: "row" }, again));
    const ready = draft.camera === null ? Promise.resolve() : use(draft.camera);
    ready.then(() => list(box, false)).catch(fail);
  },
};
