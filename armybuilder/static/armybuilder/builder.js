// The little script that is ours. Everything works without it: it keeps opened details open
// (but for menus) when a part of the page is exchanged, and moves the focus to the unit a finding leads to.
"use strict";
document.documentElement.classList.add("js");

Idiomorph.defaults.callbacks.beforeAttributeUpdated = (attribute, element) =>
  !(attribute === "open" && element.matches("details:not(.menu)"));

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  if (target && target.classList.contains("line")) target.focus();
});
