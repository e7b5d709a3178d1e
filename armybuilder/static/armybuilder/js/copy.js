// Copies the text of a field at a press, and says so; a link that a press has just made is copied as
// it comes. Without it people select and copy by hand.

async function copyText(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  // Only pages that came over a safe connection have the clipboard above.
  else if (!document.execCommand("copy")) throw new Error("not allowed");
}

async function copyFor(button) {
  const told = document.querySelector(".copied");
  told.textContent = "";
  const { said, failed } = { ...told.dataset, ...button.dataset };
  try {
    await copyText(document.getElementById(button.dataset.copies));
    told.textContent = said;
  } catch {
    told.textContent = failed;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies]");
  if (button) copyFor(button);
});

function offer(target) {
  if (target.id === "share-box" && !target.matches(":popover-open")) {
    target.showPopover();
    target.querySelector("button").focus();
  }
  const button = document.querySelector("[data-copy-now]");
  if (!button) return;
  button.removeAttribute("data-copy-now");
  button.focus();
  copyFor(button);
}

document.addEventListener("htmx:afterSwap", ({ detail }) => offer(detail.target));
// What came before this script.
const box = document.getElementById("share-box");
if (box?.childElementCount) offer(box);
