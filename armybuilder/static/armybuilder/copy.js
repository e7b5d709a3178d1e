// Copies the text of a field at a press, and says so. Without it people select and copy by hand.
"use strict";

async function copyText(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  // Only pages that came over a safe connection have the clipboard above.
  else if (!document.execCommand("copy")) throw new Error("not allowed");
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies]");
  if (!button) return;
  const told = document.querySelector(".copied");
  told.textContent = "";
  copyText(document.getElementById(button.dataset.copies)).then(
    () => { told.textContent = button.dataset.said; },
    () => { told.textContent = button.dataset.failed; },
  );
});
