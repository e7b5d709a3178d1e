// The page on which a list is built.
import "./site.js";
import "./order.js";
import "./unsent.js";
import "./views.js";
import "./sure.js";
import "./adding.js";
import "./shelf.js";
import "./outlook.js";
import "./copy.js";

// What not everybody needs is fetched when they come to it: dragging, with a mouse...
document.addEventListener("pointerover", function fetchDragging({ pointerType }) {
  if (pointerType !== "mouse") return;
  document.removeEventListener("pointerover", fetchDragging);
  import("./drag.js");
});

// ...and finding options, in the field of a long group.
document.addEventListener("focusin", function fetchFinding({ target }) {
  if (!target.matches(".find-options")) return;
  document.removeEventListener("focusin", fetchFinding);
  import("./finding.js");
});
