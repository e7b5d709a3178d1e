// Clocks a click in the browser: from the pointer's event to the frame that shows the changed list,
// and to the first one that shows anything of it (`seen`): what is sure does not wait for the answer.
"use strict";
window.clicks = [];
let click = null;

function stamp(name, also = () => true) {
  return (event) => {
    if (click && also(event)) click[name] ??= performance.now() - click.begun;
  };
}

function behindFrame(then) {
  requestAnimationFrame(() => {
    const after = new MessageChannel(); // a task of its own: behind style, layout and paint
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- this opens the port, too
    after.port1.onmessage = then;
    after.port2.postMessage("");
  });
}

const ofList = (event) => event.detail.target?.id === "panel";

document.addEventListener("click", (event) => (click = { begun: event.timeStamp }), true);
document.addEventListener("htmx:beforeSend", stamp("sent"));
document.addEventListener("htmx:beforeOnLoad", stamp("answered", ofList));
document.addEventListener("htmx:beforeSwap", stamp("read", ofList));
document.addEventListener("htmx:afterSwap", (event) => {
  if (!click || !ofList(event) || click.swapped) return;
  const clocked = click;
  stamp("swapped")(event);
  behindFrame(() => {
    clocked.shown = performance.now() - clocked.begun;
    clocked.seen ??= clocked.shown;
    clicks.push(clocked);
  });
});

const changes = new MutationObserver(() => {
  if (!click || click.changed) return;
  const clocked = click;
  clocked.changed = true;
  behindFrame(() => (clocked.seen ??= performance.now() - clocked.begun));
});
document.addEventListener("DOMContentLoaded", () => {
  const builder = document.getElementById("builder");
  if (builder) changes.observe(builder, { subtree: true, childList: true, characterData: true });
});
