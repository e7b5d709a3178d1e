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
import "./finding.js";

// Dragging is for a mouse: its script is fetched when one comes over the page.
document.addEventListener("pointerover", function fetchDragging({ pointerType }) {
  if (pointerType !== "mouse") return;
  document.removeEventListener("pointerover", fetchDragging);
  import("./drag.js");
});
