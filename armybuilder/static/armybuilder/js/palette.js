// The command palette: everything that can be done from here, found by typing a few letters of it.
// What there is comes from the server, in the reader's language.

const palette = document.getElementById("palette");
const field = document.getElementById("palette-find");
const list = document.getElementById("palette-list");
const count = document.getElementById("palette-count");
const MOST_SHOWN = 60;
let commands = [];
let offered = []; // those that fit what is typed
let chosen = 0;
let number = 1; // how many of a unit are added: "3 archers"
let run = null; // does the command that is chosen
let tick = ""; // what the fields of adding several begin with

const plain = (text) => text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();

// How well a command fits the words typed; 0 where one of them is missing.
function fitOf(command, typed) {
  let fit = 1;
  for (const word of typed) {
    if (command.name.startsWith(word) || command.name.includes(` ${word}`)) fit += 3;
    else if (command.name.includes(word)) fit += 2;
    else if (command.more.includes(word)) fit += 1;
    else return 0;
  }
  return fit;
}

function mark(place) {
  chosen = Math.min(Math.max(place, 0), offered.length - 1);
  const options = list.children;
  for (const [at, option] of [...options].entries()) {
    option.setAttribute("aria-selected", String(at === chosen));
  }
  if (options[chosen]) {
    field.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  } else {
    field.removeAttribute("aria-activedescendant");
  }
}

const isSeveral = (command) => number > 1 && Boolean(command.act?.ref);

function optionOf(command, place) {
  const option = document.createElement("li");
  option.id = `palette-${place}`;
  option.setAttribute("role", "option");
  option.append(isSeveral(command) ? `${number} × ${command.words}` : command.words);
  if (command.about) {
    const about = document.createElement("small");
    about.textContent = ` ${command.about}`;
    option.append(about);
  }
  return option;
}

function fitting(typed) {
  const fits = commands.map((command) => [fitOf(command, typed), command]);
  return fits.filter(([fit]) => fit).sort(([one], [other]) => other - one);
}

function offer() {
  const typed = plain(field.value).split(/\s+/).filter(Boolean);
  let found = fitting(typed);
  number = 1;
  const counted = typed.find((word) => /^\d{1,2}$/.test(word));
  if (!found.length && counted) {
    number = Number(counted);
    found = fitting(typed.filter((word) => word !== counted));
    // Who types a number means to add.
    found.sort(([, one], [, other]) => isSeveral(other) - isSeveral(one));
  }
  offered = found.slice(0, MOST_SHOWN).map(([, command]) => command);
  list.replaceChildren(...offered.map(optionOf));
  count.textContent = commands.length && !offered.length ? count.dataset.none : "";
  mark(0);
}

async function fetchCommands() {
  const address = document.getElementById("hand-form")?.dataset.commands || palette.dataset.url;
  const answer = await fetch(address, { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const known = await answer.json();
  tick = known.tick;
  for (const command of known.commands) {
    command.name = plain(command.words);
    command.more = plain(command.about || "");
  }
  commands = known.commands;
}

// Fill the palette that has been opened; what is chosen is handed to `toDo`.
export function fillPalette(toDo) {
  run = toDo;
  empty();
  fetchCommands().then(offer, () => {
    count.textContent = count.dataset.failed;
  });
}

// Adding several of a unit is an act of its own.
function actOf(command) {
  return isSeveral(command)
    ? { act: "add-several", number, [tick + command.act.ref]: "on" }
    : command.act;
}

// What is offered next is asked of the list as it is then.
function empty() {
  commands = [];
  offer();
}

function choose(command) {
  const toRun = { ...command, act: actOf(command) };
  empty();
  palette.close();
  run(toRun);
}

const BY = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

// A busy browser reports the closing late: perhaps when the palette is open and filled again.
palette.addEventListener("close", () => palette.open || empty());
field.addEventListener("input", offer);
field.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key in BY) {
    event.preventDefault();
    const to = chosen + BY[event.key];
    const last = offered.length - 1;
    const single = Math.abs(BY[event.key]) === 1;
    mark(single && to > last ? 0 : single && to < 0 ? last : to);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (offered[chosen]) choose(offered[chosen]);
  }
});
list.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) choose(offered[[...list.children].indexOf(option)]);
});
