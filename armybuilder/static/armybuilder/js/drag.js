// Units are dragged to another place by their handle, where the pointer is fine enough; fingers
// and keys have buttons and keys of their own for that. One drag is one change of the list.
import { perform } from "./actions.js";

const EDGE = 60; // pixels from the top or bottom of the window where it scrolls along
let dragged = null; // the line under way, where it goes, and the pointer's place

function dropPlace(lines, y) {
  const others = lines.filter((line) => line !== dragged.line);
  return others.find((line) => {
    const box = line.getBoundingClientRect();
    return y < box.top + box.height / 2;
  });
}

function showPlace() {
  const lines = [...dragged.line.parentElement.children];
  const before = dropPlace(lines, dragged.y);
  const others = lines.filter((line) => line !== dragged.line);
  for (const line of others) {
    line.classList.toggle("drop-before", line === before);
    line.classList.toggle("drop-after", !before && line === others.at(-1));
  }
  dragged.before = before?.id || "";
  // The line that comes next now: dropped before it, nothing would change.
  dragged.moves = (dragged.line.nextElementSibling?.id || "") !== dragged.before;
}

function scrollAlong() {
  if (!dragged) return;
  const low = window.innerHeight - EDGE;
  const by = dragged.y < EDGE ? -12 : dragged.y > low ? 12 : 0;
  if (by) {
    window.scrollBy({ top: by, behavior: "instant" });
    showPlace();
  }
  requestAnimationFrame(scrollAlong);
}

function letGo() {
  for (const line of document.querySelectorAll(".dragged, .drop-before, .drop-after")) {
    line.classList.remove("dragged", "drop-before", "drop-after");
  }
  document.documentElement.classList.remove("dragging");
  dragged = null;
}

document.addEventListener("pointerdown", (event) => {
  const handle = event.target.closest(".handle");
  if (!handle || event.button) return;
  event.preventDefault();
  const line = handle.closest(".line");
  dragged = { line, y: event.clientY, before: "", moves: false };
  handle.setPointerCapture(event.pointerId);
  line.classList.add("dragged");
  document.documentElement.classList.add("dragging");
  requestAnimationFrame(scrollAlong);
});

document.addEventListener("pointermove", (event) => {
  if (!dragged) return;
  if (!dragged.line.isConnected) return letGo();
  dragged.y = event.clientY;
  showPlace();
});

document.addEventListener("pointerup", () => {
  if (!dragged) return;
  const { line, before, moves } = dragged;
  letGo();
  if (moves) perform({ act: "move", unit: line.id, before });
});

document.addEventListener("pointercancel", () => dragged && letGo());
document.addEventListener("keydown", (event) => {
  if (dragged && event.key === "Escape") letGo();
});
