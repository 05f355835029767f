// The words: the same catalogs as the server's, filled the same way (see webui/catalogs.py).

const PLACE = /\{(\w+)(?:\|([^|}]*)\|([^|}]*))?\}/g;
let messages = {};
export let language = "en";

export async function load(wanted) {
  const answer = await fetch(`/locales/${wanted}.json`);
  messages = await answer.json();
  language = wanted;
  document.documentElement.lang = wanted;
  for (const node of document.querySelectorAll("[data-t]")) node.textContent = t(node.dataset.t);
  for (const node of document.querySelectorAll("[data-t-alt]")) node.alt = t(node.dataset.tAlt);
  document.title = t("page.title");
}

// Loads the chosen language (kept for the next time) and again whenever another is picked.
export async function pickLanguage(picker, draw) {
  const kept = localStorage.getItem("language");
  if ([...picker.options].some((option) => option.value === kept)) picker.value = kept;
  picker.addEventListener("change", async () => {
    localStorage.setItem("language", picker.value);
    await load(picker.value);
    draw();
  });
  await load(picker.value);
}

function find(key) {
  let node = messages;
  for (const part of key.split(".")) {
    node = node?.[part];
  }
  return typeof node === "string" ? node : undefined;
}

export const has = (key) => find(key) !== undefined;

export function t(key, params = {}) {
  const message = find(key);
  if (message === undefined) return key;
  return message.replace(PLACE, (whole, name, one, many) => {
    if (!(name in params)) return whole;
    return one === undefined ? String(params[name]) : params[name] === 1 ? one : many;
  });
}

// Why something was refused: by the server, or by the rules.
export function reasonOf(error) {
  const key = has(`error.${error.code}`) ? "error" : "code";
  return t(`${key}.${error.code}`, error.params);
}
