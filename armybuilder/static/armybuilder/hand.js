// Keys, and acts asked for by keys, palette and dragging. The table of keys is the help sheet of
// the page; nothing is taken from people who write in a field, and single keys can be switched off.
"use strict";

const keySheet = document.getElementById("keys");
const singleKeys = document.getElementById("single-keys");
const doing = new Map(); // what each key does, by its name: "Ctrl+k" to "palette"

for (const row of keySheet.querySelectorAll("[data-does]")) {
  for (const key of row.dataset.keys.split(" ")) doing.set(key, row.dataset.does);
}

// What a key asks for of the list, stored as if a button had been pressed. Several pressed
// quickly wait for each other, each with the fields of its own.
function perform(fields) {
  const form = document.getElementById("hand-form");
  if (form) htmx.ajax("POST", form.getAttribute("action"), { source: form, values: fields });
  return Boolean(form);
}

// Go to a part of the page, opening what it is folded into.
function goTo(element) {
  if (!element) return false;
  for (let fold = element.closest("details"); fold; fold = fold.parentElement.closest("details")) {
    fold.open = true;
  }
  element.focus();
  element.scrollIntoView({ block: "nearest" });
  return true;
}

function byId(id) {
  return document.getElementById(id);
}

const lineHere = () => document.activeElement.closest(".line");
const lineStop = (line) => line?.querySelector(".unit-line") || line;
const stops = () =>
  document.activeElement.closest(".book")
    ? [...document.querySelectorAll("#shelf .add")]
    : [...document.querySelectorAll(".lines > .line")].map(lineStop);

// To the next (1) or the one before (-1) of several, from where the focus is.
function step(elements, by) {
  const here = elements.findIndex((element) => {
    const box = element.closest(".line, .entry, .finding");
    return box.contains(document.activeElement);
  });
  const to = here < 0 ? (by > 0 ? 0 : elements.length - 1) : here + by;
  return goTo(elements[Math.min(Math.max(to, 0), elements.length - 1)]);
}

function follow(id) {
  byId(id)?.click();
  return Boolean(byId(id));
}

function openLine() {
  const line = lineHere();
  const link = line?.querySelector(".unit-line");
  if (link) link.click();
  const fold = !link && line?.querySelector(".line-more");
  if (fold) {
    fold.open = !fold.open;
    if (fold.open) fold.querySelector("input:not([type=hidden])")?.focus();
    else line.focus();
  }
  return Boolean(line);
}

const ofLine = (act) => () => Boolean(lineHere()) && perform({ act, unit: lineHere().id });

const actions = {
  keys: () => keySheet.showModal() ?? true,
  palette: () => openPalette(),
  find: () => goTo(byId("find") || document.querySelector("input[type=search]")) || openPalette(),
  list: () => goTo(lineStop(document.querySelector(".lines > .line")) || byId("list-title")),
  book: () => goTo(byId("book-title")),
  verdict: () => goTo(byId("verdict-title")),
  finding: () => {
    const all = [...document.querySelectorAll("#findings > .finding")];
    return all.at(-1)?.contains(document.activeElement) ? goTo(all[0])
      : step(all, 1) || goTo(byId("verdict-title"));
  },
  next: () => step(stops(), 1),
  previous: () => step(stops(), -1),
  print: () => follow("to-print"),
  history: () => follow("to-history"),
  open: openLine,
  more: ofLine("more"),
  fewer: ofLine("fewer"),
  duplicate: ofLine("duplicate"),
  up: ofLine("up"),
  down: ofLine("down"),
  remove: ofLine("remove"),
  undo: () => perform({ act: "undo" }),
  redo: () => perform({ act: "redo" }),
};

// The name of the keys pressed. Shift is told only where it does not make another letter.
function keyName(event) {
  const held = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  const alt = event.altKey ? "Alt+" : "";
  const single = event.key.length === 1;
  const shift = event.shiftKey && (held || alt || !single) ? "Shift+" : "";
  return held + shift + alt + (single ? event.key.toLowerCase() : event.key);
}

const WRITING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const WALKING = ".line, .unit-line, #shelf .add, #find";

// Whether a key is the page's own here, and not the browser's or the field's.
function isOurs(event, name) {
  const at = event.target;
  if (document.querySelector("dialog[open]")) return false;
  if (name === "Ctrl+k") return true;
  if (at.id === "find" && name === "ArrowDown") return true;
  if (at.closest(WRITING)) return false;
  if (name.startsWith("Arrow")) return at.matches(WALKING);
  if (name === "Enter") return at.matches(".line");
  return singleKeys.checked || /^(Ctrl|Alt)\+/.test(name);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event);
  const action = actions[doing.get(name)];
  if (action && isOurs(event, name) && action()) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) actions[opener.dataset.opens]();
  if (event.target.matches("dialog")) event.target.close();
});

try {
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
} catch {
  // Where nothing may be kept, the keys are on.
}
singleKeys.addEventListener("change", () => {
  try {
    localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off");
  } catch {
    // It holds until the page is left.
  }
});
