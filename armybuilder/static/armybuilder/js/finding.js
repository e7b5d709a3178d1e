// Options of a long group are found by typing a part of their names; Enter takes the first one.
// Without it all of them are there.

function found(field) {
  const wanted = field.value.trim().toLowerCase();
  const group = field.parentElement;
  for (const option of group.querySelectorAll(".option")) {
    option.hidden = !option.textContent.toLowerCase().includes(wanted);
  }
  for (const kind of group.querySelectorAll(".option-kind, .not-available")) {
    kind.hidden = !kind.querySelector(".option:not([hidden])");
    if (wanted && kind.matches("details")) kind.open = true;
  }
  return wanted ? group.querySelector(".option:not([hidden]) > button:enabled") : null;
}

document.addEventListener("input", (event) => {
  if (event.target.matches(".find-options")) found(event.target);
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || !event.target.matches(".find-options")) return;
  event.preventDefault();
  found(event.target)?.click();
});

// What comes anew is sifted again; and what was typed before this script came.
function sift() {
  for (const field of document.querySelectorAll(".find-options")) if (field.value) found(field);
}

document.addEventListener("htmx:afterSwap", sift);
sift();
