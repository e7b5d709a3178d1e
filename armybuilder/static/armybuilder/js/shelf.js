// Ticks on the shelf. They are in the page itself; this only clears them once the ticked units
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

// Why a unit can't be added is shown in a card next to the pane, for the row where keys or pointer
// have gone last: it covers no row. The page may scroll under a pointer that rests.
let at = "";
let byKeys = false;
let told = null; // the row of which it is told

function tell(entry) {
  told = entry ?? null;
  const card = document.getElementById("entry-card");
  const why = entry?.matches(".breaks, .over, .dead") && entry.querySelector("details:not([open]) > .entry-told");
  card.hidden = !why;
  if (!why) return;
  card.replaceChildren(...why.cloneNode(true).childNodes);
  const pane = entry.closest(".pane").getBoundingClientRect();
  const isLeft = innerWidth - pane.right >= card.offsetWidth;
  const lowest = innerHeight - card.offsetHeight - 1;
  card.style.left = `${isLeft ? pane.right : pane.left - card.offsetWidth}px`;
  card.style.top = `${Math.max(0, Math.min(entry.getBoundingClientRect().top, lowest))}px`;
}

const rowOf = ({ target }) => target.closest?.("#shelf .entry") ?? null;

function follow(event) {
  const { type, target, clientX, clientY } = event;
  if (!document.getElementById("entry-card")) return;
  if (type === "focusin") byKeys = target.matches(":focus-visible");
  else if (at === `${clientX} ${clientY}` && byKeys) return;
  else {
    at = `${clientX} ${clientY}`;
    byKeys = false;
  }
  tell(rowOf(event));
}

document.addEventListener("focusin", follow);
document.addEventListener("pointerover", follow);
// After keys the pointer may move on within the row on which it rested.
document.addEventListener("pointermove", (event) => rowOf(event) !== told && follow(event));
document.addEventListener("click", ({ target }) => target.closest?.("#shelf summary") && tell(null));
document.addEventListener("htmx:afterSwap", () => told && tell(told.isConnected ? told : null));
