// The live picture with what is marked on it: shapes, and handles that are moved by mouse, finger or keys.

import { by, el } from "./dom.js";
import { adoptSize, draft } from "./setup-draft.js";

const NS = "http://www.w3.org/2000/svg";
const MARGIN = 0.04; // round the picture, in widths of it, so that a handle on its border can be seen
const FARTHEST = 0.6; // how far outside a corner may lie
const STEP = 4; // picture pixels a key press; ten times that with Shift
const ZOOM = 3;
const KEYS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

class Stage {
  constructor() {
    this.size = null;
    this.parts = null;
    this.buttons = [];
  }

  // `parts()` gives {shapes: [{points, kind, closed, label}], handles: [{at, name, kind, inside, set(point), done()}]}
  show(parts) {
    this.parts = parts;
    for (const button of this.buttons) button.remove();
    this.buttons = [];
    this.fit();
  }

  pictured() {
    const canvas = by("live");
    const size = [canvas.width, canvas.height];
    by("stage").classList.add("drawn");
    if (String(size) === String(this.size)) return;
    this.size = size;
    if (draft.document.table_px) adoptSize(size);
    this.fit();
  }

  // The part of the plane that is shown: the picture, and whatever lies outside of it.
  fit() {
    if (!this.size) return;
    const [w, h] = this.size;
    const edge = MARGIN * w;
    const points = (this.parts?.() ?? { handles: [] }).handles.map(({ at }) => at);
    const xs = points.map(([x]) => x);
    const ys = points.map(([, y]) => y);
    this.x0 = Math.min(0, ...xs) - edge;
    this.y0 = Math.min(0, ...ys) - edge;
    this.w = Math.max(w, ...xs) + edge - this.x0;
    this.h = Math.max(h, ...ys) + edge - this.y0;
    by("stage").style.aspectRatio = `${this.w} / ${this.h}`;
    const { style } = by("live");
    [style.left, style.top] = this.percent([0, 0]);
    style.width = `${(100 * w) / this.w}%`;
    by("shapes").setAttribute("viewBox", `${this.x0} ${this.y0} ${this.w} ${this.h}`);
    this.render();
  }

  percent([x, y]) {
    return [`${(100 * (x - this.x0)) / this.w}%`, `${(100 * (y - this.y0)) / this.h}%`];
  }

  render() {
    if (!this.size) return;
    const { shapes, handles } = this.parts?.() ?? { shapes: [], handles: [] };
    by("shapes").replaceChildren(...shapes.map(drawn));
    handles.forEach((handle, place) => {
      const button = this.buttons[place] ?? this.newButton(place);
      button.className = `handle ${handle.kind}`;
      button.firstChild.textContent = handle.text ?? "";
      button.setAttribute("aria-label", `${handle.name} (${handle.at.map(Math.round).join(", ")})`);
      [button.style.left, button.style.top] = this.percent(handle.at);
    });
    for (const button of this.buttons.splice(handles.length)) button.remove();
  }

  newButton(place) {
    const button = el("button", { type: "button", "aria-describedby": "step-how" }, el("span"));
    const handle = () => this.parts().handles[place];
    const finish = () => {
      handle().done?.();
      this.fit();
    };
    let held = null;
    button.addEventListener("pointerdown", (event) => {
      if (event.button) return;
      button.setPointerCapture(event.pointerId);
      const [x, y] = this.at(event);
      held = [handle().at[0] - x, handle().at[1] - y]; // the handle doesn't jump to the finger
      button.focus();
      event.preventDefault();
    });
    button.addEventListener("pointermove", (event) => {
      if (!held) return;
      const [x, y] = this.at(event);
      this.move(handle(), [x + held[0], y + held[1]]);
      this.magnify(handle().at);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      button.addEventListener(kind, () => {
        if (!held) return;
        held = null;
        by("loupe").hidden = true;
        finish();
      });
    }
    button.addEventListener("keydown", (event) => {
      const way = KEYS[event.key];
      if (!way) return;
      event.preventDefault();
      const far = STEP * (event.shiftKey ? 10 : 1);
      const { at } = handle();
      this.move(handle(), [at[0] + way[0] * far, at[1] + way[1] * far]);
      finish();
    });
    this.buttons.push(button);
    by("stage").append(button);
    return button;
  }

  at(event) {
    const box = by("stage").getBoundingClientRect();
    return [this.x0 + ((event.clientX - box.left) / box.width) * this.w, this.y0 + ((event.clientY - box.top) / box.height) * this.h];
  }

  move(handle, [x, y]) {
    const reach = handle.inside ? 0 : FARTHEST;
    const limited = (value, size) => Math.round(Math.min(Math.max(value, -reach * size), (1 + reach) * size) * 10) / 10;
    handle.set([limited(x, this.size[0]), limited(y, this.size[1])]);
    this.render();
  }

  // The place under the finger, enlarged, in the corner that is farther away.
  magnify([x, y]) {
    const loupe = by("loupe");
    loupe.hidden = false;
    loupe.classList.toggle("right", x < this.size[0] / 2);
    const pen = loupe.getContext("2d");
    const side = loupe.width / ZOOM;
    pen.fillRect(0, 0, loupe.width, loupe.height);
    pen.drawImage(by("live"), x - side / 2, y - side / 2, side, side, 0, 0, loupe.width, loupe.height);
    pen.strokeStyle = "#fff";
    pen.beginPath();
    for (const [a, b] of [[0, 0.45], [0.55, 1]]) {
      pen.moveTo(a * loupe.width, loupe.height / 2);
      pen.lineTo(b * loupe.width, loupe.height / 2);
      pen.moveTo(loupe.width / 2, a * loupe.height);
      pen.lineTo(loupe.width / 2, b * loupe.height);
    }
    pen.stroke();
  }
}

function drawn({ points, kind, closed }) {
  const node = document.createElementNS(NS, closed ? "polygon" : "polyline");
  node.setAttribute("points", points.map((point) => point.join(",")).join(" "));
  node.setAttribute("class", kind);
  return node;
}

export const stage = new Stage();
