// The little script that is ours. Everything works without it. When a part of the page is
// exchanged, it keeps what people are in the middle of: text they typed, details they opened,
// the focus, and the place of the button under their pointer. It also says when a click failed.
"use strict";
document.documentElement.classList.add("js");

let pressed = null; // the element that asked for the exchange under way
let place = 0; // its distance from the top of the window before the exchange
let row = 0; // the number of its entry on the list
let goal = ""; // the unit it goes to
let anew = false; // whether fields are drawn anew, whatever stands in them

function isTyped(field) {
  if (field.matches("select")) {
    const chosen = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(chosen, 0);
  }
  return field.matches("input:not([type=hidden]), textarea") && field.value !== field.defaultValue;
}

Object.assign(Idiomorph.defaults.callbacks, {
  beforeAttributeUpdated: (attribute, element) =>
    !(attribute === "open" && element.matches("details:not(.menu)")),
  beforeNodeMorphed: (old) =>
    anew || !(old.form && old.form !== pressed?.form && isTyped(old)),
});

function rowOf(element) {
  return [...document.querySelectorAll(".line")].indexOf(element?.closest(".line"));
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const config = event.detail.requestConfig;
  const asked = config.triggeringEvent?.submitter || config.elt;
  pressed = asked.matches("button, input, select, a") ? asked : document.activeElement;
  goal = asked.dataset.goto;
  place = pressed.getBoundingClientRect().top;
  row = rowOf(pressed);
  anew = event.detail.target.id === "book";
});

document.addEventListener("htmx:afterSwap", () => {
  if (goal) {
    document.getElementById(goal)?.focus();
  } else if (pressed?.isConnected) {
    const moved = pressed.getBoundingClientRect().top - place;
    const box = pressed.closest(".book, .verdict");
    const scrolls = box && getComputedStyle(box).overflowY === "auto";
    if (pressed !== document.body) {
      // Scrolling by nothing would stop a scroll to the field that the keyboard has just reached.
      if (Math.abs(moved) >= 1) (scrolls ? box : window).scrollBy({ top: moved, behavior: "instant" });
      if (scrolls && pressed.matches(".add")) {
        document.querySelector(".line.open")?.scrollIntoView({ block: "nearest" });
      }
    }
  } else if (document.activeElement === document.body && pressed) {
    const lines = document.querySelectorAll(".line");
    const next = row >= 0 && lines.length ? lines[Math.min(row, lines.length - 1)] : null;
    (next || document.getElementById("list-title"))?.focus({ preventScroll: true });
  }
});

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, () => {
    document.getElementById("trouble").textContent =
      "That did not reach your list. Check the connection and load the page again.";
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (target?.matches(".line, input, select, h2")) target.focus();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (!menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// A page that a browser kept aside shows the list as it was: load it anew.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
