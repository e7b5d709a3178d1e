// A unit that is added is on the list before the server has said so: a row with what the shelf knows
// of it, marked as not saved yet. Its answer puts the real row in the place of this one; several
// quick clicks have a row each, and so do those that wait for the connection. Where the row could not
// be seen, or the unit may join one that is there, a note says it.
import { isLost, waitingUnits } from "./unsent.js";

const waiting = []; // what was added and is not answered yet, the first first
let drawn = []; // the elements that show it
let answered = null; // the request answered last

const adds = ({ formData }) => formData.has("add");

function piece(name, kind, ...inside) {
  const element = document.createElement(name);
  element.className = kind;
  element.append(...inside);
  return element;
}

const headingOf = (title) => title?.firstChild.textContent.trim() ?? "";

// What an entry of the shelf says of the unit: "20–50" is its size.
function unitOf(entry) {
  const size = /^([1-9]\d*)[–+]/.exec(entry.querySelector(".entry-facts").textContent);
  const points = /\d+/.exec(entry.querySelector(".entry-points").textContent);
  return {
    name: entry.querySelector("strong").textContent,
    models: size?.[1],
    points: points ? points[0] : "?",
    heading: headingOf(entry.closest("ul").previousElementSibling),
  };
}

// All rows of a list without headings; a shelf may have some nevertheless.
const plainRows = () => document.querySelector("#army-form > :not(.category) + .lines");

// The rows under a heading of the army; those of a heading that it has not yet go before the first
// one that comes later in the book.
function rowsUnder(heading) {
  const here = [...document.querySelectorAll("#army-form .category")];
  const found = here.find((one) => headingOf(one.querySelector("h3, h4")) === heading);
  if (found) return found.nextElementSibling;
  const all = [...document.querySelectorAll("#shelf h3")].map(headingOf);
  const later = new Set(all.slice(all.indexOf(heading) + 1));
  const next = here.find((one) => later.has(headingOf(one.querySelector("h3, h4")))) ?? null;
  const title = piece("div", "category", piece("h3", "", heading));
  const rows = piece("ol", "lines");
  document.getElementById("army-form").insertBefore(title, next);
  title.after(rows);
  drawn.push(title, rows);
  return rows;
}

function drawRow(unit, mark) {
  const models = unit.models ? [" ", piece("span", "unit-models", unit.models, piece("span", "times", "×"))] : [];
  const what = piece("span", "unit-what", piece("strong", "", unit.name), ...models, " ", piece("span", "mark", mark));
  const row = piece("li", "line-new", piece("span", "unit-line", what, piece("span", "unit-points", unit.points)));
  row.setAttribute("aria-busy", "true");
  (plainRows() ?? rowsUnder(unit.heading)).append(row);
  row.scrollIntoView({ block: "nearest" });
  drawn.push(row);
}

function drawNote(unit, mark) {
  const note = piece("div", "toast", piece("span", "toast-words", `${unit.name}: ${mark}`));
  document.getElementById("strip").replaceChildren(note);
  drawn.push(note);
}

function draw() {
  const { row: mark } = document.getElementById("unsent").dataset;
  const seen = document.getElementById("list").clientHeight > 0 && document.getElementById("army-form");
  for (const unit of waiting) {
    const placed = plainRows() ? !isThere(unit.name) : unit.heading;
    if (seen && placed) drawRow(unit, mark);
    else drawNote(unit, mark);
  }
}

function isThere(name) {
  return [...document.querySelectorAll(".line strong")].some((one) => one.textContent === name);
}

function erase() {
  for (const element of drawn) element.remove();
  drawn = [];
}

function redraw() {
  erase();
  draw();
}

function forget() {
  waiting.shift();
  redraw();
}

document.addEventListener("click", (event) => {
  const entry = event.target.closest?.("#shelf .add")?.closest(".entry");
  if (entry) waiting.push(unitOf(entry));
  else if (event.target.closest?.("[data-unsent=drop]")) waiting.length = 0;
  // The army may be seen only now.
  else if (!waiting.length || !event.target.closest?.("[data-view]")) return;
  redraw();
});

document.addEventListener("htmx:beforeSwap", (event) => {
  const { requestConfig, shouldSwap, xhr } = event.detail;
  if (!shouldSwap) return;
  erase();
  if (adds(requestConfig)) {
    waiting.shift();
    answered = xhr;
  }
});
document.addEventListener("htmx:afterSwap", () => {
  if (document.getElementById("army-form")) draw();
});
// What did not reach the server waits for it (see unsent.js).
document.addEventListener("htmx:afterRequest", (event) => {
  const { requestConfig, xhr } = event.detail;
  if (adds(requestConfig) && xhr !== answered && !isLost(xhr)) forget();
});
// What an earlier page could not send waits here, too.
for (const ref of waitingUnits()) {
  const entry = document.getElementById(`add-${ref}`)?.closest("#shelf .entry");
  if (entry) waiting.push(unitOf(entry));
}
if (waiting.length) redraw();
