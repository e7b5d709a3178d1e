// The command palette: everything that can be done from here, found by typing a few letters of it.
// What there is comes from the server, in the reader's language.
"use strict";

const palette = document.getElementById("palette");
const paletteField = document.getElementById("palette-find");
const paletteList = document.getElementById("palette-list");
const paletteCount = document.getElementById("palette-count");
const MOST_SHOWN = 60;
let commands = [];
let offered = []; // those that fit what is typed
let chosen = 0;
let number = 1; // how many of a unit are added: "3 archers"
let tick = ""; // what the fields of adding several begin with

const plain = (text) => text.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();

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

function choose(number) {
  chosen = Math.min(Math.max(number, 0), offered.length - 1);
  const options = paletteList.children;
  for (const [place, option] of [...options].entries()) {
    option.setAttribute("aria-selected", String(place === chosen));
  }
  if (options[chosen]) {
    paletteField.setAttribute("aria-activedescendant", options[chosen].id);
    options[chosen].scrollIntoView({ block: "nearest" });
  } else {
    paletteField.removeAttribute("aria-activedescendant");
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
  const typed = plain(paletteField.value).split(/\s+/).filter(Boolean);
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
  paletteList.replaceChildren(...offered.map(optionOf));
  paletteCount.textContent = commands.length && !offered.length ? paletteCount.dataset.none : "";
  choose(0);
}

function openPalette() {
  paletteField.value = "";
  commands = [];
  offer();
  palette.showModal();
  const address = document.getElementById("hand-form")?.dataset.commands || palette.dataset.url;
  fetch(address, { headers: { Accept: "application/json" } })
    .then((answer) => (answer.ok ? answer.json() : Promise.reject(answer.status)))
    .then((known) => {
      tick = known.tick;
      commands = known.commands.map((command) => ({
        ...command, name: plain(command.words), more: plain(command.about || ""),
      }));
      offer();
    })
    .catch(() => {
      paletteCount.textContent = paletteCount.dataset.failed;
    });
  return true;
}

function run(command) {
  const several = isSeveral(command);
  palette.close();
  if (command.url) window.location.assign(command.url);
  if (command.go) goTo(document.getElementById(command.go.slice(1)));
  if (command.does) actions[command.does]();
  if (several) perform({ act: "add-several", number, [tick + command.act.ref]: "on" });
  else if (command.act) perform(command.act);
}

const BY = { ArrowDown: 1, ArrowUp: -1, PageDown: 8, PageUp: -8 };

paletteField.addEventListener("input", offer);
paletteField.addEventListener("keydown", (event) => {
  if (event.isComposing) return;
  if (event.key in BY) {
    event.preventDefault();
    const to = chosen + BY[event.key];
    const last = offered.length - 1;
    const single = Math.abs(BY[event.key]) === 1;
    choose(single && to > last ? 0 : single && to < 0 ? last : to);
  } else if (event.key === "Enter") {
    event.preventDefault();
    if (offered[chosen]) run(offered[chosen]);
  }
});
paletteList.addEventListener("click", (event) => {
  const option = event.target.closest("[role=option]");
  if (option) run(offered[[...paletteList.children].indexOf(option)]);
});
