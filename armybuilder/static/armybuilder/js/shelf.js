// Ticks on the shelf. They stand in the page itself; this only clears them once the ticked units
// are added, and lets a click with Shift on a plus sign tick the unit and ask how many of it.

function untick() {
  for (const tick of document.querySelectorAll("#shelf .tick")) tick.checked = false;
  const number = document.getElementById("how-many");
  if (number) number.value = 1;
}

// Caught on the way down, before the page keeps the focus: the pressed button goes away with its
// ticks, so the focus goes back to the last of them.
document.addEventListener(
  "htmx:beforeSwap",
  (event) => {
    const { requestConfig, xhr } = event.detail;
    const asked = requestConfig.triggeringEvent?.submitter || requestConfig.elt;
    if (xhr.status >= 400 || !asked.matches("#shelf-form [value=add-several]")) return;
    const ticked = document.querySelectorAll("#shelf .entry .tick:checked");
    asked.dataset.goto = [...ticked].at(-1)?.id || "shelf-count";
    untick();
  },
  true,
);

document.addEventListener("reset", (event) => {
  if (event.target.id !== "shelf-form") return;
  event.preventDefault();
  untick();
  document.getElementById("shelf-count").focus();
});

document.addEventListener(
  "click",
  (event) => {
    const add = event.shiftKey && event.target.closest?.("#shelf .add");
    if (!add) return;
    event.preventDefault();
    event.stopPropagation();
    document.getElementById(`tick-${add.value}`).checked = true;
    const number = document.getElementById("how-many");
    number.focus({ preventScroll: true });
    number.select();
  },
  true,
);

// Why a unit cannot be added is told beside its row, where keys or the pointer have gone last; above
// it in the lower half of the pane. The page may scroll under a pointer that rests.
let at = "";

function place({ type, target, clientX, clientY }) {
  const entry = target.closest?.("#shelf .entry");
  const page = entry?.closest(".builder")?.classList;
  if (!page) return;
  const here = `${clientX} ${clientY}`;
  const keys = type === "focusin" ? target.matches(":focus-visible") : at === here && page.contains("by-keys");
  if (type !== "focusin") at = here;
  page.toggle("by-keys", keys);
  page.toggle("by-pointer", !keys);
  if (keys && type !== "focusin") return;
  const row = entry.getBoundingClientRect();
  const pane = entry.closest(".pane").getBoundingClientRect();
  page.toggle("tells-up", row.top + row.bottom > pane.top + pane.bottom);
}

document.addEventListener("focusin", place);
document.addEventListener("pointerover", place);
