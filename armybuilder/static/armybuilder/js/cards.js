// The pages of books: suggestions for the word being typed on a card, and a card that is sent is
// sent once. Everything works without it.
// The server draws the suggestions below the field; the down arrow goes to them, Enter takes one,
// Escape goes back to the field.

function fieldOf(list) {
  return document.querySelector(`[data-completes="${list.id}"]`);
}

function take(button) {
  const list = button.closest(".suggestions");
  const field = fieldOf(list);
  const kept = field.value.replace(/[^,;\n]*$/, "");
  field.value = kept + (kept && !/[\s]$/.test(kept) ? " " : "") + button.dataset.word;
  list.replaceChildren();
  field.focus();
  field.setSelectionRange(field.value.length, field.value.length);
  // The card next to the form is drawn again; the words below the field are not requested again.
  field.form.dispatchEvent(new Event("change", { bubbles: true }));
}

function move(list, button, step) {
  const buttons = [...list.querySelectorAll("button")];
  const next = buttons[buttons.indexOf(button) + step];
  if (next) next.focus();
  else if (step < 0) fieldOf(list).focus();
}

document.addEventListener("click", (event) => {
  const button = event.target.closest(".suggestions button");
  if (button) take(button);
});

document.addEventListener("keydown", (event) => {
  const field = event.target.closest("[data-completes]");
  const button = event.target.closest(".suggestions button");
  const list = field
    ? document.getElementById(field.dataset.completes)
    : button?.closest(".suggestions");
  if (!list?.firstElementChild) return;
  if (event.key === "Escape") {
    list.replaceChildren();
    (field || fieldOf(list))?.focus();
  } else if (event.key === "ArrowDown") {
    event.preventDefault();
    move(list, button, 1);
  } else if (event.key === "ArrowUp" && button) {
    event.preventDefault();
    move(list, button, -1);
  }
});

// Suggestions go when the keyboard leaves the field and them.
document.addEventListener("focusin", (event) => {
  for (const list of document.querySelectorAll(".suggestions")) {
    if (!list.contains(event.target) && fieldOf(list) !== event.target) list.replaceChildren();
  }
});

// The address of a shared book is there to be copied.
document.addEventListener("focusin", (event) => {
  if (event.target.id === "share-url") event.target.select();
});

// Enter pressed twice, or held down, does not save a card twice.
let sent = false;

document.addEventListener("submit", (event) => {
  if (!event.target.matches(".card-form")) return;
  if (sent) event.preventDefault();
  sent = true;
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && event.repeat && event.target.matches(".card-form input")) {
    event.preventDefault();
  }
});

window.addEventListener("pageshow", () => {
  sent = false;
});

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, () => {
    const trouble = document.getElementById("trouble");
    if (trouble) trouble.textContent = trouble.dataset.says;
  });
}

document.addEventListener("htmx:afterSwap", () => {
  const trouble = document.getElementById("trouble");
  if (trouble) trouble.textContent = "";
});
