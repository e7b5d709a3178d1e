// The judge's page: find an entry, tick units, draw entries to check, and give points. All of it
// works without a connection: ticks stay in the browser, points wait there until they can be sent.
import { scan } from "./scanning.js";
import "./site.js";
import { check, Refused } from "./signatures.js";

const tools = document.getElementById("judge");
const said = document.getElementById("judge-said");
const rows = [...document.querySelectorAll(".judge-lists > li")];
const QUEUE = `judge-queue-${tools.dataset.event}`;

function kept(name, fallback) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? fallback;
  } catch {
    return fallback;
  }
}

function keep(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // A browser that keeps nothing has the ticks for as long as the page is open.
  }
}

document.getElementById("judge-find").addEventListener("input", (event) => {
  const words = event.target.value.toLocaleLowerCase().split(/\s+/);
  for (const row of rows) {
    const told = row.dataset.words.toLocaleLowerCase();
    row.hidden = !words.every((word) => told.includes(word));
  }
});

for (const units of document.querySelectorAll(".judge-units")) {
  const name = `judge-ticks-${units.dataset.list}`;
  const boxes = [...units.querySelectorAll("input")];
  const ticked = kept(name, []);
  for (const [number, box] of boxes.entries()) {
    box.checked = Boolean(ticked[number]);
    box.addEventListener("change", () =>
      keep(
        name,
        boxes.map((one) => one.checked),
      ),
    );
  }
}

// One in ten, at least one, of those that have not been drawn; nobody can foresee which.
document.getElementById("judge-draw").addEventListener("click", () => {
  const left = rows.filter((row) => !row.classList.contains("drawn"));
  const number = Math.min(left.length, Math.ceil(rows.length / 10));
  const names = [];
  for (let drawn = 0; drawn < number; drawn += 1) {
    const at = crypto.getRandomValues(new Uint32Array(1))[0] % left.length;
    const [row] = left.splice(at, 1);
    row.classList.add("drawn");
    names.push(row.querySelector("summary").textContent.replaceAll(/\s+/g, " ").trim());
  }
  said.textContent = names.join(" · ");
});

// Is the paper on the table a list of this event, and the one that counts? By its hash, or by that
// in its certificate, whose signature is checked here.
const paper = document.getElementById("judge-paper");
const sentences = paper.dataset;
const SHORTEST = 8;

// Players may have the very same list: of each entry that has it, the one that counts, which comes
// before former ones, or the latest of those.
function compared(hash) {
  const found = JSON.parse(sentences.hashes).filter(([whole]) => whole.startsWith(hash));
  const each = new Map();
  for (const one of found) if (!each.has(one[1])) each.set(one[1], one);
  if (!each.size) return ["error", sentences.unknown];
  const told = [...each.values()].map(([, entry, number, is]) => {
    const named = (text) => text.replace("{entry}", entry).replace("{number}", number);
    if (is === "former") return named(sentences.former);
    return `${named(sentences.counts)} ${is === "accepted" ? sentences.accepted : sentences.waits}`;
  });
  if (each.size > 1) told.unshift(sentences.several.replace("{entries}", each.size));
  const fine = [...each.values()].every(([, , , is]) => is === "accepted");
  return [fine ? "ok" : "warning", told.join(" ")];
}

async function judgePaper(text) {
  const word = text.slice(text.lastIndexOf("#") + 1).replaceAll(/\s/g, "");
  if (word.includes(".")) {
    try {
      const { claims } = await check(word, JSON.parse(sentences.keys));
      return compared(claims.sha);
    } catch (error) {
      if (error.message === "unknown") return ["warning", sentences.unsigned];
      if (error instanceof Refused) return ["error", sentences.false];
      // A browser without these signatures compares by the hash alone.
      if (error.name === "NotSupportedError") return ["warning", sentences.short];
      throw error;
    }
  }
  if (word.length < SHORTEST) return ["warning", sentences.short];
  return compared(word.toLowerCase());
}

function tell(kind, text) {
  const told = document.getElementById("judge-paper-said");
  told.className = `judge-paper-said ${kind}`;
  told.textContent = `${{ ok: "✓", warning: "△", error: "✗" }[kind]} ${text}`;
}

const written = document.getElementById("judge-hash");

paper.addEventListener("submit", async (event) => {
  event.preventDefault();
  tell(...(await judgePaper(written.value)));
});

// The certificate's code on the paper, through the camera; the same button ends it.
const camera = document.getElementById("judge-camera");
const scanButton = document.getElementById("judge-scan");
let scanning = null;

async function scanPaper() {
  scanning = new AbortController();
  camera.hidden = false;
  scanButton.setAttribute("aria-pressed", "true");
  try {
    const text = await scan(camera, scanning.signal);
    if (text) {
      written.value = text;
      tell(...(await judgePaper(text)));
    }
  } catch (error) {
    tell("warning", error.name === "NotAllowedError" ? sentences.forbidden : sentences.blind);
  } finally {
    scanning = null;
    camera.hidden = true;
    scanButton.setAttribute("aria-pressed", "false");
  }
}

scanButton.hidden = !navigator.mediaDevices;
scanButton.addEventListener("click", () => (scanning ? scanning.abort() : scanPaper()));

async function send(one) {
  const answer = await fetch(one.address, { method: "POST", body: new URLSearchParams(one.fields) });
  if (answer.status >= 500) throw new Error("try again later");
  return answer.ok;
}

// One after the other, in their order.
async function sendNext() {
  const [first] = kept(QUEUE, []);
  if (!first) return;
  const taken = await send(first);
  keep(
    QUEUE,
    kept(QUEUE, []).filter((one) => one.fields.key !== first.fields.key),
  );
  said.textContent = taken ? tools.dataset.sent : tools.dataset.refused;
  await sendNext();
}

// A browser may say that it is online before it is, and says nothing when a server comes back: what
// could not be sent is tried again, after 2 s at first and once a minute at last.
const SOON = 2000;
const LATE = 60_000;
let sending = false;
let wait = SOON;
let again = 0;

async function sendAll() {
  if (sending) return;
  sending = true;
  clearTimeout(again);
  try {
    await sendNext();
    wait = SOON;
  } catch {
    said.textContent = tools.dataset.kept;
    again = setTimeout(sendAll, wait);
    wait = Math.min(2 * wait, LATE);
  } finally {
    sending = false;
  }
}

document.addEventListener("submit", (event) => {
  const form = event.target.closest(".judge-points form");
  if (!form) return;
  event.preventDefault();
  const fields = Object.fromEntries(new FormData(form, event.submitter));
  // With this name the server gives nothing twice, however often it is sent.
  fields.key = crypto.randomUUID();
  keep(QUEUE, [...kept(QUEUE, []), { address: form.action, fields }]);
  form.closest("details").open = false;
  sendAll();
});
window.addEventListener("online", () => {
  wait = SOON;
  sendAll();
});
sendAll();
