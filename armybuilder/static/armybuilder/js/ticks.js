// My lists: ticks that outlast a search, ticking a whole page at once, and how many are ticked.
// Without it ticks hold for the page that is shown.

const ticked = new Set(); // the ids of the lists that are ticked, also of those not shown now

const boxes = () => [...document.querySelectorAll(".list-tick input")];

function hiddenField(name, value) {
  const field = document.createElement("input");
  Object.assign(field, { type: "hidden", name, value, className: "gathered-tick" });
  return field;
}

function showTicks() {
  const here = boxes();
  for (const box of here) box.checked = ticked.has(box.value);
  const shown = here.filter((box) => box.checked).length;
  const all = document.getElementById("tick-all");
  if (all) {
    all.checked = shown > 0 && shown === here.length;
    all.indeterminate = shown > 0 && shown < here.length;
  }
  const bar = document.getElementById("chosen");
  if (bar) gather(bar, new Set(here.map((box) => box.value)));
}

// The bar acts on what is ticked but not shown, too, and says so.
function gather(bar, here) {
  for (const field of bar.querySelectorAll(".gathered-tick")) field.remove();
  const away = [...ticked].filter((id) => !here.has(id));
  bar.append(...away.map((id) => hiddenField("list", id)));
  bar.classList.toggle("gathered", away.length > 0);
  if (!ticked.size) return;
  const told = bar.querySelector(".chosen-number");
  const words = told.dataset[(ticked.size === 1 ? "one" : "many") + (away.length ? "Away" : "")];
  told.textContent = words.replace("{number}", ticked.size).replace("{away}", away.length);
}

function readTicks() {
  for (const box of boxes()) if (box.checked) ticked.add(box.value);
  showTicks();
}

document.addEventListener("change", (event) => {
  const changed = event.target.id === "tick-all" ? boxes() : [event.target];
  if (!event.target.matches("#tick-all, .list-tick input")) return;
  for (const box of changed) ticked[event.target.checked ? "add" : "delete"](box.value);
  showTicks();
});

document.addEventListener("click", (event) => {
  if (!event.target.closest("#untick")) return;
  ticked.clear();
  showTicks();
  document.getElementById("lists-found").focus({ preventScroll: true });
});

// Buttons of a single list lead back to this page: the ticks come along.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("#lists-found form:not(#chosen)")) return;
  for (const field of event.target.querySelectorAll(".gathered-tick")) field.remove();
  event.target.append(...[...ticked].map((id) => hiddenField("ticked", id)));
});

document.addEventListener("htmx:afterSettle", showTicks);
for (const id of document.getElementById("lists-found")?.dataset.ticked.split(" ") ?? []) {
  if (id) ticked.add(id);
}
window.addEventListener("pageshow", readTicks);
readTicks();
