// The little script that is ours. Everything works without it; it keeps opened details open
// when a part of the page is exchanged, and marks the unit a finding leads to.
"use strict";
document.documentElement.classList.add("js");

const opened = new Map();

document.addEventListener("toggle", (event) => {
  if (event.target.id) opened.set(event.target.id, event.target.open);
}, true);

document.addEventListener("htmx:afterSwap", () => {
  for (const [id, open] of opened) {
    const details = document.getElementById(id);
    if (details && details.open !== open) details.open = open;
  }
});

// A link to a unit moves the focus there, so that keyboard and screen reader follow.
document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (target && target.classList.contains("line")) target.focus();
});
