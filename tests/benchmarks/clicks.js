// Clocks a click in the browser: from the pointer's event to the frame that shows the changed list.
"use strict";
window.clicks = [];
let click = null;

function stamp(name, also = () => true) {
  return (event) => {
    if (click && also(event)) click[name] ??= performance.now() - click.begun;
  };
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
  requestAnimationFrame(() => {
    const after = new MessageChannel(); // a task of its own: behind style, layout and paint
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- this opens the port, too
    after.port1.onmessage = () => {
      clocked.shown = performance.now() - clocked.begun;
      clicks.push(clocked);
    };
    after.port2.postMessage("");
  });
});
