// What keys, the palette and dragging do: acts on the list, and ways to its parts. Each action is
// true where it could be done.
import { showAround } from "./views.js";

// The palette's script is fetched when it is opened first; its field is there at once, for what is
// typed meanwhile.
function openPalette() {
  document.getElementById("palette-find").value = "";
  document.getElementById("palette").showModal();
  import("./palette.js").then((palette) => palette.fillPalette(run), tellMissing);
  return true;
}

function tellMissing() {
  const count = document.getElementById("palette-count");
  count.textContent = count.dataset.failed;
}

// What a key asks for of the list, stored as if a button had been pressed. Several pressed
// quickly wait for each other, each with the fields of its own.
export function perform(fields) {
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
  showAround(element);
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
  document.activeElement.closest(".units")
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
  const link = lineHere()?.querySelector(".unit-line");
  link?.click();
  return Boolean(link);
}

const ofLine = (act) => () => Boolean(lineHere()) && perform({ act, unit: lineHere().id });

export const actions = {
  keys: () => byId("keys").showModal() ?? true,
  palette: openPalette,
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

// Do what was chosen in the palette.
function run({ url, go, does, act }) {
  if (url) window.location.assign(url);
  if (go) goTo(byId(go.slice(1)));
  if (does) actions[does]();
  if (act) perform(act);
}
