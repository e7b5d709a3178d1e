// Acts that did not reach the server: kept in their order, told, and sent one after the other when
// it can be reached again, each about the version that the one before it left. What is not sent can
// not be seen on the page; leaving it asks first.
const kept = []; // acts not answered yet: their address, fields, and words
const WAITS = [2, 5, 15, 30]; // seconds between attempts
const RESENT = "X-Resent";
let sending = null; // the one under way again
let stopped = false; // one was refused: what follows it waits for the player
let attempts = 0;
let timer = 0;

const box = () => document.getElementById("unsent");

// What was asked for, in the words of its button.
function wordsOf(config) {
  const asked = config.triggeringEvent?.submitter || config.elt;
  const label = asked.getAttribute?.("aria-label") || asked.title || asked.textContent || "";
  return label.replaceAll(/\s+/g, " ").trim().slice(0, 80) || config.parameters.act || "";
}

function tell() {
  const { one, many, refused } = box().dataset;
  box().hidden = !kept.length;
  document.getElementById("builder").classList.toggle("unsaved", kept.length > 0);
  const words = kept.length === 1 ? one : many.replace("{number}", kept.length);
  const list = kept.map((act) => act.words).filter(Boolean).join(", ");
  box().querySelector("span").textContent = stopped ? refused.replace("{acts}", list) : words;
  box().querySelector("[data-unsent=drop]").hidden = !stopped;
}

// What was under way may have been done: the server looks (`again`).
function keep(config, again = false) {
  const fields = Object.fromEntries(config.formData ?? Object.entries(config.parameters));
  kept.push({ path: config.path, fields, words: wordsOf(config), again });
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
  const version = document.querySelector("#hand-form [name=version]").value;
  const now = Object.fromEntries(
    [...document.querySelectorAll("#state input, #news input")].map((one) => [one.name, one.value]),
  );
  const values = { ...sending.fields, ...now, version };
  const source = document.getElementById("hand-form");
  const headers = { [RESENT]: "1", ...(sending.again && { "X-Again": "1" }) };
  htmx.ajax("POST", sending.path, { source, values, headers }).catch(() => {});
}

// Not reached: the connection, or a server that is starting anew.
export const isLost = ({ status }) => [0, 429, 502, 503, 504].includes(status);
const isAct = (config) => config.verb === "post" && config.path.includes("/act/");
const isOurs = (config) => RESENT in config.headers;

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
    if (isOurs(config)) answered(true);
    return;
  }
  event.stopImmediatePropagation();
  if (!isOurs(config)) return keep(config, true);
  sending.again = true;
  sending = null;
  attempts += 1;
  later();
}
for (const failure of ["htmx:sendError", "htmx:sendAbort", "htmx:timeout", "htmx:responseError"]) {
  document.addEventListener(failure, failed, true);
}

// The first one is done, or refused, and the page says why; those behind it are for the player.
function answered(refused) {
  sending = null;
  attempts = 0;
  kept.shift();
  stopped = refused && kept.length > 0;
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
  if (what === "drop") kept.length = 0;
  stopped = false;
  tell();
  send();
});

window.addEventListener("online", () => {
  attempts = 0;
  send();
});
window.addEventListener("beforeunload", (event) => {
  if (kept.length) event.preventDefault();
});
