// Acts that did not reach the server: kept in order, shown, and sent one after the other when
// it can be reached again, each about the version that the one before it left. This browser stores
// them until then, so they outlast the page. What is not sent can not be seen on the page.
import { showFresh } from "./offline.js";

const WAITS = [2, 5, 15, 30]; // seconds between attempts
const RESENT = "X-Resent";
const KEY = "X-Act";
const here = window.location.pathname;
const NAME = `unsent:${here}:`; // and the act's number, of as many digits as sort
let sending = null; // the one under way again
let attempts = 0;
let timer = 0;
let inMemory = false; // whether one could not be stored
const kept = load(); // acts not answered yet: their address, fields, words, key, and version
let stopped = kept.some((act) => act.held); // one was refused: what follows it waits for the player

function load() {
  try {
    const names = Object.keys(localStorage).filter((name) => name.startsWith(NAME));
    return names.sort().map((name) => Object.assign(JSON.parse(localStorage.getItem(name)), { name }));
  } catch {
    return [];
  }
}

const box = () => document.getElementById("unsent");
const versionField = () => document.querySelector("#hand-form [name=version]");

// What was asked for, in the words of its button.
function wordsOf(config) {
  const asked = config.triggeringEvent?.submitter || config.elt;
  const label = asked.getAttribute?.("aria-label") || asked.title || asked.textContent || "";
  return label.replaceAll(/\s+/g, " ").trim().slice(0, 80) || config.parameters.act || "";
}

// Verdicts on the page are of the list without these.
function markVerdicts() {
  for (const mark of document.querySelectorAll(".not-checked")) mark.remove();
  if (!kept.length) return;
  for (const verdict of document.querySelectorAll("#chip, #verdict-title")) {
    const mark = Object.assign(document.createElement("span"), { className: "not-checked" });
    mark.textContent = box().dataset.unchecked;
    verdict.append(mark);
  }
}

function tell() {
  const { one, many, refused, memory } = box().dataset;
  box().hidden = !kept.length;
  document.getElementById("builder").classList.toggle("unsaved", kept.length > 0);
  const words = kept.length === 1 ? one : many.replace("{number}", kept.length);
  const list = kept.map((act) => act.words).filter(Boolean).join(", ");
  const said = stopped ? refused.replace("{acts}", list) : words;
  box().querySelector("span").textContent = inMemory ? `${said}. ${memory}` : said;
  box().querySelector("[data-unsent=drop]").hidden = !stopped;
  markVerdicts();
}

function store(act) {
  const { name, ...facts } = act;
  try {
    localStorage.setItem(name, JSON.stringify(facts));
  } catch {
    inMemory = true;
  }
}

function forget(act) {
  inMemory &&= kept.length > 0;
  try {
    localStorage.removeItem(act.name);
  } catch {
    // It was never stored.
  }
}

function nextName() {
  const last = Math.max(0, ...kept.map((act) => Number(act.name.slice(NAME.length))));
  return NAME + String(last + 1).padStart(6, "0");
}

function keep(config) {
  const fields = Object.fromEntries(config.formData ?? Object.entries(config.parameters));
  delete fields.csrfmiddlewaretoken; // the page that sends it has its own
  const { path } = config;
  const facts = { path, fields, words: wordsOf(config), key: config.headers[KEY] };
  const act = { ...facts, version: versionField().value, page: here, title: document.title, of: document.body.dataset.reader, name: nextName() };
  kept.push(act);
  store(act);
  tell();
  later();
}

function later() {
  clearTimeout(timer);
  if (!kept.length || stopped) return;
  timer = setTimeout(send, 1000 * WAITS[Math.min(attempts, WAITS.length - 1)]);
}

function send() {
  clearTimeout(timer);
  if (sending || stopped || !kept.length) return;
  if (!navigator.onLine) return later();
  sending = kept[0];
  const { fields, version, key, path } = sending;
  const now = Object.fromEntries(
    [...document.querySelectorAll("#state input, #news input")].map((one) => [one.name, one.value]),
  );
  const values = { ...fields, ...now, version };
  const source = document.getElementById("hand-form");
  htmx.ajax("POST", path, { source, values, headers: { [RESENT]: "1", [KEY]: key } }).catch(() => {});
}

// Not reached: the connection, or a server that is starting anew.
export const isLost = ({ status }) => [0, 429, 502, 503, 504].includes(status);
const isAct = (config) => config.verb === "post" && config.path.includes("/act/");
const isOurs = (config) => RESENT in config.headers;

// The units that wait to be added, by their entries in the book.
export const waitingUnits = () => kept.map(({ fields }) => fields.add).filter(Boolean);

// By this name the server knows an act that comes again.
document.addEventListener("htmx:configRequest", ({ detail }) => {
  if (detail.verb !== "post" || KEY in detail.headers) return;
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  detail.headers[KEY] = [...bytes].map((one) => one.toString(16).padStart(2, "0")).join("");
});

// Behind what is kept, acts wait their turn.
document.addEventListener("htmx:beforeRequest", (event) => {
  const config = event.detail.requestConfig;
  if (!box() || !isAct(config) || isOurs(config)) return;
  if (!kept.length && navigator.onLine) return;
  event.preventDefault();
  keep(config);
});

function failed(event) {
  const config = event.detail.requestConfig;
  if (!box() || !isAct(config)) return;
  if (!isLost(event.detail.xhr)) {
    // Signed out, perhaps: it waits for the player.
    if (isOurs(config)) hold();
    return;
  }
  event.stopImmediatePropagation();
  if (!isOurs(config)) return keep(config);
  sending = null;
  attempts += 1;
  later();
}
for (const failure of ["htmx:sendError", "htmx:sendAbort", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, failed, true);
}

function hold() {
  sending = null;
  stopped = true;
  for (const act of kept) {
    act.held = true;
    store(act);
  }
  tell();
}

// The first one is done, or refused, and the page says why; those behind it are for the player.
function answered(refused) {
  sending = null;
  attempts = 0;
  const done = kept.shift();
  if (!done) return;
  forget(done);
  stopped = refused && kept.length > 0;
  for (const act of kept) {
    // Asked for behind it, the next ones are about the version that it left.
    if (!refused && act.version === done.version) act.version = versionField().value;
    act.held = stopped;
    store(act);
  }
  tell();
  send();
}

document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (!sending || !isOurs(requestConfig) || !xhr.status) return;
  if (xhr.status < 300) setTimeout(answered, 0, false);
  else if ([409, 422].includes(xhr.status)) answered(true);
});

document.addEventListener("click", (event) => {
  const what = event.target.closest("[data-unsent]")?.dataset.unsent;
  if (!what) return;
  if (what === "drop") for (const act of kept.splice(0)) forget(act);
  // The player has seen the list as it is.
  for (const act of stopped ? kept : []) act.version = versionField().value;
  stopped = false;
  tell();
  send();
});

window.addEventListener("online", () => {
  attempts = 0;
  send();
});
window.addEventListener("beforeunload", (event) => {
  if (inMemory && kept.length) event.preventDefault();
});

// After each change the saved page is as this one is now, but for what only this moment shows.
const MOMENTARY = ".toast, .line-new, .not-checked, #meaning, #share-box > *, #trouble > *";
const PAUSE = 500;
let pause = 0;
function savePage() {
  const worker = navigator.serviceWorker?.controller;
  if (!worker || kept.length || document.documentElement.dataset.saved || document.querySelector(".htmx-request")) return;
  const page = document.documentElement.cloneNode(true);
  for (const one of page.querySelectorAll(MOMENTARY)) one.remove();
  for (const dialog of page.querySelectorAll("dialog[open]")) dialog.open = false;
  worker.postMessage({ does: "changed", address: window.location.href, html: `<!doctype html>\n${page.outerHTML}` }, []);
}
document.addEventListener("htmx:afterSettle", ({ detail }) => {
  if (!box()) return;
  if (detail.target.id === "panel" && detail.xhr?.status === 200) showFresh();
  clearTimeout(pause);
  pause = setTimeout(savePage, PAUSE);
});

if (box() && kept.length) {
  tell();
  later();
}
