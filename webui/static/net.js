// Talking to the server: coming in, the event stream, the newest picture, the host's requests.

const STALE_S = 12; // two heartbeats and a little
const DEAD_S = 18; // no answer in this time: the connection is dead, though nobody was told
const PICTURE_MS = 20_000; // the server answers a request for a picture sooner
const RETRY_MS = [500, 1000, 2000, 4000, 8000];

export class Failure extends Error {
  constructor(code, params) {
    super(code);
    this.code = code;
    this.params = params;
  }
}

// The address of a table's page; its part of the API lies below it. All else is the house's.
export const pageOf = (table) => `/t/${table}/`;
const table = location.pathname.match(/^\/t\/([a-z0-9-]+)\//)?.[1];
export const tableUrl = (path) => `${pageOf(table)}api/${path}`;
export const houseUrl = (path) => `/api/${path}`;

// Asks this page's table; with a body, something is to be done.
export const ask = (path, body) => request(tableUrl(path), body);

// Asks the house: coming in, its tables, an invitation to this page's table.
export const askHouse = (path, body) => request(houseUrl(path), body);

// An address of the house about this page's table.
export const forTable = (path) => (table ? `${path}?table=${table}` : path);

// Sends the house a file as it is.
export const sendFile = (path, file, type) => request(houseUrl(path), file, type);

async function request(url, body, type) {
  const init = { headers: { Accept: "application/json" } };
  if (body !== undefined) {
    init.method = "POST";
    init.body = type ? body : JSON.stringify(body);
    init.headers["Content-Type"] = type ?? "application/json";
  }
  let answer;
  try {
    answer = await fetch(url, init);
  } catch {
    throw new Failure("no_connection", {});
  }
  const data = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Failure(data.error?.code ?? "no_connection", data.error?.params ?? {});
  return data;
}

// Exchanges the key in the address (#host=... or #join=...) for a cookie; the key leaves the address.
export async function enter() {
  const [kind, key] = location.hash.slice(1).split("=");
  // the code scanned again in the same tab: only the key changes, and that loads nothing by itself
  addEventListener("hashchange", () => /^#(host|join)=/.test(location.hash) && location.reload());
  if (!key || (kind !== "host" && kind !== "join")) return;
  history.replaceState(null, "", location.pathname + location.search);
  await askHouse(kind === "host" ? "login" : "join", { key });
}

// Follows the event stream, coming back by itself after sleep and lost networks.
export class Feed {
  constructor(handlers) {
    this.handlers = handlers;
    this.last = "";
    this.heard = performance.now();
    this.tries = 0;
    this.stopped = true;
    setInterval(() => this.check(), 1000);
    addEventListener("online", () => this.restart());
    addEventListener("offline", () => this.stopped || this.handlers.stale(Math.round(this.silence())));
    addEventListener("pageshow", ({ persisted }) => persisted && this.restart());
    // a phone that slept: its connection may be dead without having ended
    const awake = () => !document.hidden && this.silence() > STALE_S / 2 && this.restart();
    for (const kind of ["visibilitychange", "resume"]) document.addEventListener(kind, awake);
  }

  silence() {
    return (performance.now() - this.heard) / 1000;
  }

  start() {
    this.stopped = false;
    this.source?.close();
    clearTimeout(this.timer);
    this.began = performance.now();
    const source = new EventSource(tableUrl(`stream?last=${encodeURIComponent(this.last)}`));
    this.source = source;
    for (const kind of ["state", "update", "lying", "health", "beat", "replaced"]) {
      source.addEventListener(kind, (event) => {
        this.heard = performance.now();
        this.tries = 0;
        if (event.lastEventId) this.last = event.lastEventId;
        if (kind === "replaced") this.stop();
        this.handlers[kind]?.(JSON.parse(event.data));
        this.handlers.fresh();
      });
    }
    source.onerror = () => source === this.source && this.fail(source);
  }

  stop() {
    this.stopped = true;
    this.source?.close();
  }

  restart() {
    if (!this.stopped) this.start();
  }

  async fail(source) {
    source.close();
    if (this.stopped) return;
    const wait = RETRY_MS[Math.min(this.tries++, RETRY_MS.length - 1)];
    try {
      const { tables } = await askHouse("tables");
      if (!tables.some(({ name }) => name === table)) this.handlers.closed(); // it may be opened again
    } catch (error) {
      if (error.code === "not_admitted") {
        this.stop();
        this.handlers.shut();
        return;
      }
      // no network: the next try will tell
    }
    if (source !== this.source) return; // a new try is under way
    this.timer = setTimeout(() => this.restart(), wait);
  }

  check() {
    if (this.stopped) return;
    const silence = this.silence();
    if (silence > STALE_S) this.handlers.stale(Math.round(silence));
    if (Math.min(silence, (performance.now() - this.began) / 1000) > DEAD_S) this.start();
  }
}

// Draws the newest picture on a canvas, one request at a time; rests while nobody looks.
export async function watchPictures(canvas, drawn, url = tableUrl("picture")) {
  const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
  let number = 0;
  for (;;) {
    if (document.hidden) {
      await new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
    }
    try {
      const asked = performance.now();
      const answer = await fetch(`${url}?after=${number}`, { signal: AbortSignal.timeout?.(PICTURE_MS) });
      if (answer.status === 401) return;
      if (answer.status !== 200) {
        // an answer at once means that too many wait: ask now and then instead
        await sleep(performance.now() - asked < 1000 ? 1500 : 0);
        continue;
      }
      number = Number(answer.headers.get("X-Picture"));
      const bitmap = await createImageBitmap(await answer.blob());
      if (canvas.width !== bitmap.width) canvas.width = bitmap.width;
      if (canvas.height !== bitmap.height) canvas.height = bitmap.height;
      canvas.getContext("2d").drawImage(bitmap, 0, 0);
      bitmap.close();
      drawn();
    } catch {
      await sleep(2000);
    }
  }
}
