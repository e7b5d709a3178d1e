// Copies the text of a field at a press, and says so. Without it people select and copy by hand.

async function copyText(field) {
  field.select();
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  // Only pages that came over a safe connection have the clipboard above.
  else if (!document.execCommand("copy")) throw new Error("not allowed");
}

async function copyFor(button) {
  const told = document.querySelector(".copied");
  told.textContent = "";
  try {
    await copyText(document.getElementById(button.dataset.copies));
    told.textContent = button.dataset.said;
  } catch {
    told.textContent = button.dataset.failed;
  }
}

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-copies]");
  if (button) copyFor(button);
});
