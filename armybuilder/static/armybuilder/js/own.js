// A model of one's own: special rules are found by typing; those it has are always shown. Without
// it all of them stand there to be ticked.
import "./site.js";

const rules = document.getElementById("own-rules");
const find = document.getElementById("find-rules");
const all = document.getElementById("all-rules");
const said = document.getElementById("rules-found");
const choices = [...rules.querySelectorAll(".choice")];

const boxOf = (choice) => choice.querySelector("input");

// Names that begin with what is typed come before all others that have it somewhere.
function search() {
  const wanted = find.value.trim().toLowerCase();
  const fits = (choice) => wanted && choice.textContent.toLowerCase().includes(wanted);
  for (const choice of choices) choice.classList.toggle("found", Boolean(fits(choice)));
  const found = choices.filter((choice) => choice.classList.contains("found"));
  said.textContent = (found.length ? said.dataset.found : said.dataset.none).replace(
    "{number}",
    found.length,
  );
  if (!wanted) said.textContent = "";
}

function first() {
  const wanted = find.value.trim().toLowerCase();
  const found = choices.filter(
    (choice) => choice.classList.contains("found") && !boxOf(choice).checked,
  );
  return (
    found.find((choice) => choice.dataset.rule.toLowerCase().startsWith(wanted)) ??
    found.find((choice) => choice.dataset.rule.toLowerCase().includes(wanted)) ??
    found[0]
  );
}

// What is typed here is no change of the model.
for (const kind of ["input", "change"]) {
  find.addEventListener(kind, (event) => {
    event.stopPropagation();
    search();
  });
}

find.addEventListener("keydown", (event) => {
  if (event.key !== "Enter") return;
  event.preventDefault();
  const choice = first();
  if (!choice) return;
  find.value = "";
  search();
  boxOf(choice).click();
});

all.addEventListener("click", () => {
  const shown = rules.classList.toggle("all");
  all.setAttribute("aria-pressed", String(shown));
});
