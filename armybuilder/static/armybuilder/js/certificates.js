// Checks a certificate in the browser itself: from behind the # of the address, or from the form.
// Nothing is sent. A browser that cannot check signatures of this kind asks the server by the form.
import "./site.js";
import { check, Refused } from "./signatures.js";

const page = document.getElementById("verify");
const form = document.getElementById("verify-form");
const sentences = page.dataset;

const verdicts = JSON.parse(sentences.verdicts);
const counted = (number, word) => verdicts[word][number === 1 ? 0 : 1].replace("{number}", number);

// As the server says it (`CertifiedVerdict`): the first certificates had three numbers alone.
function verdict([legal, errors, _warnings, missing = 0, unchecked = null]) {
  if (legal && unchecked === null) return `⚠ ${verdicts["as-far"]}`;
  if (legal) return unchecked ? `⚠ ${counted(unchecked, "unchecked")}` : `✓ ${verdicts.legal}`;
  const broken = errors - missing;
  const wrong = [broken && counted(broken, "broken"), missing && counted(missing, "missing")];
  const said = broken ? verdicts.illegal : verdicts.begun;
  return `${broken ? "✗" : "…"} ${said.replace("{wrong}", wrong.filter(Boolean).join(", "))}`;
}
const WHEN = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" };
const moment = (seconds) =>
  `${new Date(seconds * 1000).toLocaleString(document.documentElement.lang, WHEN)} (UTC)`;

// No book is in a certificate: ids spell most names, and the page has those that they do not.
const { small, names } = JSON.parse(sentences.spelling);

function spelled(ref) {
  const words = ref.split("/").at(-1).split("-");
  return words
    .map((word, at) => (at && small.includes(word) ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join(" ");
}

function option(one) {
  if (typeof one === "string") return spelled(one);
  const inner = (one.options ?? []).map(option).join(", ");
  return (one.number ? `${one.number}× ` : "") + spelled(one.id) + (inner && ` [${inner}]`);
}

function unit(one) {
  const name = one.unit ? (names[one.unit] ?? spelled(one.unit)) : one.profile.name;
  const called = one.name ? ` ${sentences.called.replace("{text}", () => one.name)}` : "";
  const more = [...(one.roles ?? []).map(spelled), ...(one.options ?? []).map(option)].join(", ");
  return `${one.models}× ${name}${called}` + (more && ` (${more})`);
}

// A game from files has its names in the list itself.
function forceOptions({ picks = [] }) {
  const taken = new Map();
  for (const pick of picks) {
    const inner = forceOptions(pick).join(", ");
    const said = pick.name + (inner && ` [${inner}]`);
    taken.set(said, (taken.get(said) ?? 0) + (pick.number ?? 1));
  }
  return [...taken].map(([said, number]) => (number > 1 ? `${number}× ${said}` : said));
}

function forceUnit(pick) {
  const called = pick.custom_name ? ` ${sentences.called.replace("{text}", () => pick.custom_name)}` : "";
  const more = forceOptions(pick).join(", ");
  return `${pick.number ?? 1}× ${pick.name}${called}` + (more && ` (${more})`);
}

function forceUnits(forces = []) {
  return forces.flatMap((force) => [...(force.picks ?? []).map(forceUnit), ...forceUnits(force.forces)]);
}

const LETTERS = 12; // of the hash of a game's files, as the server shows it

// Books of players have an id alone, because players choose the name. Files of a game have a hash.
function game({ sys, bks }, list) {
  if (list.game) return `${list.game.name} (${fill(verdicts.files, { hash: list.game.key.slice(0, LETTERS) })})`;
  const own = Object.keys(bks).filter((id) => id.startsWith("own-")).length;
  const [name, reservation] = JSON.parse(sentences.games)[sys[0]] ?? [sys[0], ""];
  const rests = [reservation, own && counted(own, "custom")].filter(Boolean).join(", ");
  return [name, rests].filter(Boolean).join(" · ");
}

function fill(text, values) {
  return text.replaceAll(/{(\w+)}/g, (_all, key) => values[key]);
}

// As the server says it (`Likeness.words`).
function differences({ sys, dif = {} }) {
  const here = JSON.parse(sentences.books);
  return Object.values(dif)
    .map(([id, number, one, points, shipped]) => {
      const book = here[`${sys[0]}/${id}`] ?? id;
      if (!one) return fill(counted(number, "differs"), { book });
      const ref = `${id}/${one}`;
      const name = names[ref] ?? spelled(ref);
      const words = fill(verdicts.priced, { book, unit: name, points, shipped });
      return number > 1 ? `${words}, ${fill(verdicts.more, { number: number - 1 })}` : words;
    })
    .join(". ");
}

function books({ sys, bks }) {
  const here = JSON.parse(sentences.books);
  return Object.entries(bks)
    .map(([id, revision]) => `${here[`${sys[0]}/${id}`] ?? id} ${revision}`)
    .join(", ");
}

function tell({ claims, list, key }) {
  const facts = {
    name: list.name,
    game: `${verdict(claims.game)} ${game(claims, list)}`,
    books: books(claims),
    differences: differences(claims),
    event: claims.event ? `${verdict(claims.event)} ${claims.pack[0]}` : "",
    points: claims.pts.join(" / "),
    issuer: claims.iss,
    issued: moment(claims.iat),
    expires: moment(claims.exp),
    key: key.kid,
    hash: claims.sha,
  };
  for (const [name, fact] of Object.entries(facts)) {
    page.querySelector(`[data-fact="${name}"]`).textContent = fact;
  }
  page.querySelector("[data-row=event]").hidden = !claims.event;
  page.querySelector("[data-row=differences]").hidden = !claims.dif;
  const rows = (list.game ? forceUnits(list.forces) : list.units.map(unit)).map((said) => {
    const row = document.createElement("li");
    row.textContent = said;
    return row;
  });
  document.getElementById("verified-units").replaceChildren(...rows);
  document.getElementById("verify-expired").hidden = claims.exp * 1000 >= Date.now();
}

function show(refused) {
  document.querySelector("#verify-refused > span").textContent = refused;
  document.getElementById("verify-refused").hidden = !refused;
  document.getElementById("verify-true").hidden = Boolean(refused);
  document.getElementById("verified").hidden = Boolean(refused);
  if (refused) document.getElementById("verify-expired").hidden = true;
}

async function run(word) {
  try {
    tell(await check(word, JSON.parse(sentences.keys)));
    show("");
  } catch (error) {
    if (error instanceof Refused) show(sentences[error.message].replace("{reason}", error.reason));
    else form.submit(); // a browser without these signatures: the server does it
  }
}

function fromAddress() {
  const word = window.location.hash.slice(1);
  if (!word) return;
  document.getElementById("certificate").value = word;
  run(word);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const said = document.getElementById("certificate").value.replaceAll(/\s/g, "");
  run(said.slice(said.lastIndexOf("#") + 1));
});
window.addEventListener("hashchange", fromAddress);
fromAddress();
