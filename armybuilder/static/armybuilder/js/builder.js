// The page on which a list is built.
import "./site.js";
import "./order.js";
import "./unsent.js";
import "./views.js";
import "./sure.js";
import "./adding.js";
import "./shelf.js";
import "./outlook.js";

// What not everybody needs is fetched when they come to it.
function fetchOnce(name, comes, fetch) {
  document.addEventListener(name, function first(event) {
    if (!comes(event)) return;
    document.removeEventListener(name, first);
    fetch();
  });
}
// A page that is drawn under a mouse at rest tells of a move of nothing, too.
const moves = ({ pointerType, movementX, movementY }) => pointerType === "mouse" && (movementX || movementY);
fetchOnce("pointermove", moves, () => import("./drag.js"));
fetchOnce("focusin", ({ target }) => target.matches(".find-options"), () => import("./finding.js"));
fetchOnce("htmx:beforeRequest", ({ detail }) => detail.target.id === "share-box", () => import("./copy.js"));
