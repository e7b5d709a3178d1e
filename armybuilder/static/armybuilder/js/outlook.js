// What can become of the list comes in a request of its own. It is kept unseen, and laid on whatever
// of the page is there by then: the errors, the units and options that lead nowhere. It goes with the
// version of the list it is about.

const REST = 300; // milliseconds after which a pointer rests on something

const version = () => document.querySelector("#hand-form [name=version]")?.value;

function clear() {
  for (const laid of document.querySelectorAll("#shelf .laid, #unit .laid")) laid.remove();
  for (const entry of document.querySelectorAll(".entry.dead")) entry.classList.remove("dead");
}

function markEntry(ref, words) {
  const entry = document.getElementById(`add-${ref}`)?.closest(".entry");
  if (!entry?.matches(".fits:not(.dead)")) return;
  entry.classList.add("dead");
  const sign = words.querySelector(".icon").cloneNode(true);
  sign.classList.add("laid");
  entry.querySelector(".peek").after(sign);
  const told = entry.querySelector(".entry-told");
  const marks = words.cloneNode(true);
  const why = marks.querySelector(".entry-why");
  why.setAttribute("hx-get", `${words.dataset.why}?unit=${encodeURIComponent(ref)}`);
  told.append(...marks.children);
  htmx.process(why);
}

function markOption(id, words) {
  const button = document.getElementById(id);
  if (!button || button.disabled || button.querySelector(".laid")) return;
  button.querySelector(".option-name")?.append(...words.cloneNode(true).children);
}

// Lay the words into a place of the page that is still without them.
function fillIn(place, told) {
  if (!place || place.dataset.told === told.dataset.told) return;
  place.dataset.told = told.dataset.told;
  place.replaceChildren(...told.cloneNode(true).childNodes);
  htmx.process(place);
}

function lay() {
  const told = document.querySelector("#ahead .ahead-told");
  if (!told) return;
  if (told.dataset.version !== version()) {
    clear();
    return;
  }
  fillIn(document.getElementById("outlook"), told);
  fillIn(document.getElementById("missing"), document.querySelector("#ahead .missing-told"));
  const sign = document.getElementById("outlook-sign");
  if (sign) sign.hidden = !told.querySelector(".outlook-dead");
  const mark = document.querySelector("#ahead .ahead-mark");
  const option = document.querySelector("#ahead .ahead-option");
  for (const ref of told.dataset.dead.split(" ").filter(Boolean)) markEntry(ref, mark);
  for (const id of told.dataset.options.split(" ").filter(Boolean)) markOption(id, option);
}

document.addEventListener("htmx:afterSwap", lay);

// The reason of a dead end is worked out when somebody rests on it, not when they pass over it.
function ask(event) {
  const entry = event.target.closest?.(".entry.dead");
  const why = entry?.querySelector(".entry-why:not([data-asked])");
  if (!why) return;
  setTimeout(() => {
    if (why.dataset.asked || !entry.matches(":hover, :focus-within, :has(details[open])")) return;
    why.dataset.asked = "true";
    htmx.trigger(why, "asked");
  }, REST);
}

for (const event of ["pointerover", "focusin", "toggle"]) document.addEventListener(event, ask, true);
