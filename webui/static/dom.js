// Building nodes. Text only ever goes in as text, so a player's name can't become markup.

export function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else if (value === true) node.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

// The same for pictures drawn as SVG.
export function svg(tag, attributes = {}, ...children) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children.filter(Boolean));
  return node;
}

export const by = (id) => document.getElementById(id);

// Sets text only when it differs: live regions announce every write.
export function say(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Draws a part again only when what it shows (or the language) has changed.
const shown = new WeakMap();
export function redraw(node, value, build) {
  const form = document.documentElement.lang + JSON.stringify(value);
  if (shown.get(node) === form) return;
  shown.set(node, form);
  const focused = node.contains(document.activeElement) ? document.activeElement.id : null;
  build();
  // who goes by keyboard stays where they were, or at least in this part
  if (focused !== null) ((focused && by(focused)) || node).focus();
}
