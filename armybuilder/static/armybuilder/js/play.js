// The page of a game at the table: draws its rows once, and after each tap what that changed. The
// game itself is in play_state.js, where it is kept in play_keeping.js.
import { load, save, syncWith, watch } from "./play_keeping.js";
import "./site.js";
import { added, emptyLog, replay, scoreOf, sideView, undone } from "./play_state.js";

const page = JSON.parse(document.getElementById("play-data").textContent);
const { words } = page;
const root = document.getElementById("play");
const byId = (id) => document.getElementById(id);
const fill = (text, values) => text.replaceAll(/\{(\w+)\}/g, (_all, name) => values[name]);

// The game as it is played here: its lists stay those that it began with.
let game = { number: 0, hashes: page.hashes, sides: page.sides, log: emptyLog() };
let inMemory = false;
let state = null;

const account = page.account && syncWith(page.account, page.key, {
  current: () => game,
  told: notice,
  take,
});

function make(tag, fields = {}, ...inner) {
  const { data = {}, aria = {}, ...plain } = fields;
  const element = Object.assign(document.createElement(tag), plain);
  Object.assign(element.dataset, data);
  for (const [name, value] of Object.entries(aria)) element.setAttribute(`aria-${name}`, value);
  element.append(...inner);
  return element;
}

const press = (text, act, label, fields = {}) =>
  make("button", {
    type: "button",
    textContent: text,
    data: { act: JSON.stringify(act) },
    aria: { label },
    ...fields,
  });

// One row: name and states, figures, what is tapped, and what is unfolded.
function healthOf(row, at, number) {
  if (!row.hits.length) return [];
  const lose = row.hits.map((hit) =>
    press(`−${hit}`, ["hit", at, number, hit], `${fill(words.lose, { number: hit })}: ${row.name}`),
  );
  const [least] = row.hits;
  const gain = press(
    `+${least}`,
    ["hit", at, number, -least],
    `${fill(words.gain, { number: least })}: ${row.name}`,
  );
  return [make("span", { className: "play-health" }, ...lose, make("output", { data: { health: "" } }), gain)];
}

const tickOf = (side, row, at, number, place) =>
  press(side.game.states[place].name, ["tick", at, number, place], `${side.game.states[place].name}: ${row.name}`, {
    className: "play-tick",
    title: side.game.states[place].cite,
  });

function usesOf(row, at, number) {
  return row.uses.map((use, which) =>
    make(
      "span",
      { className: "play-use", data: { use: which } },
      press(use.name, ["use", at, number, which, 1], `${use.name}: ${row.name}`, { title: use.says }),
      press("+", ["use", at, number, which, -1], `${fill(words.back, { name: use.name })}: ${row.name}`),
    ),
  );
}

// A few ticks are in the row; of many only those for losses and for units not yet there.
function splitTicks(side, row) {
  const inRow = ({ out, away }) => row.ticks.length <= 4 || out || away;
  const first = row.ticks.filter((place) => inRow(side.game.states[place]));
  return [first, row.ticks.filter((place) => !first.includes(place))];
}

function moreOf(side, row, at, number, ticks) {
  const told = row.more.flatMap(({ name, text }) => [
    make("dt", { textContent: name, dir: "auto" }),
    make("dd", { textContent: text, dir: "auto" }),
  ]);
  if (row.unknown) told.push(make("dt", { textContent: words.health }), make("dd", { textContent: words.unknown }));
  for (const [place, left] of row.at) {
    const { name, cite } = side.game.states[place];
    const text = left < 0 ? words.past : fill(words.at, { left });
    told.push(make("dt", { textContent: name }), make("dd", { textContent: `${text} (${cite})` }));
  }
  const marks = make("div", { className: "play-taps" }, ...ticks.map((one) => tickOf(side, row, at, number, one)));
  const head = make(
    "summary",
    {},
    make("h3", { textContent: row.name, dir: "auto" }),
    make("span", { className: "play-states" }),
  );
  return make("details", { className: "play-more" }, head, marks, make("dl", {}, ...told));
}

function rowOf(side, row, at, number) {
  const [ticks, others] = splitTicks(side, row);
  const done = press(words.done, ["done", at, number], `${words.done}: ${row.name}`, { className: "play-done" });
  return make(
    "li",
    { className: "play-row", data: { row: number } },
    moreOf(side, row, at, number, others),
    ...[row.about, row.stats].filter(Boolean).map((textContent) => make("p", { className: "play-facts", textContent, dir: "auto" })),
    make(
      "div",
      { className: "play-taps" },
      ...healthOf(row, at, number),
      ...ticks.map((place) => tickOf(side, row, at, number, place)),
      ...(side.game.activates ? [done] : []),
      ...usesOf(row, at, number),
    ),
  );
}

function sideOf(side, at) {
  return make(
    "section",
    { className: "play-side", id: `side-${at}`, aria: { labelledby: `side-name-${at}` } },
    make("h2", { id: `side-name-${at}`, textContent: side.name, dir: "auto" }),
    make("p", { className: "play-facts", textContent: `${side.about}. ${side.verdict}`, dir: "auto" }),
    make("p", { className: "play-count", data: { count: at } }),
    make("ol", { className: "play-rows" }, ...side.rows.map((row, number) => rowOf(side, row, at, number))),
  );
}

const nameOf = (at) => game.sides[at]?.name ?? words.opponent;

function scoreBox() {
  const { score } = game.sides[0].game;
  const box = byId("play-score");
  const steps = [{ name: "1", points: 1, plain: true }, { name: "10", points: 10, plain: true }, ...(score?.steps ?? [])];
  const sides = [0, 1].map((at) =>
    make(
      "div",
      { className: "play-points" },
      make("h3", { textContent: nameOf(at), dir: "auto" }),
      make("output", { data: { points: at } }),
      make("p", { className: "play-facts", data: { losses: at } }),
      make(
        "div",
        { className: "play-taps" },
        press("−1", ["points", at, -1], `${fill(words.lose, { number: 1 })}: ${nameOf(at)}`),
        ...steps.map(({ name, points, plain, cite }) =>
          press(plain ? `+${points}` : `${name} +${points}`, ["points", at, points], `${plain ? words.score : name} +${points}: ${nameOf(at)}`, { title: cite ?? "" }),
        ),
        ...(score?.result?.goal ? [press(score.result.goal, ["goal", at], `${score.result.goal}: ${nameOf(at)}`)] : []),
      ),
    ),
  );
  const told = score ? `${score.name} (${score.cite})` : words.noScore;
  box.replaceChildren(make("p", { className: "play-facts", textContent: told }), ...sides, make("p", { id: "play-result" }));
}

function draw() {
  byId("play-sides").replaceChildren(...game.sides.map(sideOf));
  const tabs = byId("play-tabs");
  tabs.hidden = game.sides.length < 2;
  tabs.replaceChildren(
    ...game.sides.map((side, at) => make("button", { type: "button", textContent: side.name, dir: "auto", data: { tab: at } })),
  );
  scoreBox();
  show();
  showTab(0);
}

function showTab(at) {
  root.dataset.tab = at;
  for (const tab of byId("play-tabs").children) tab.setAttribute("aria-pressed", String(Number(tab.dataset.tab) === at));
}

// What changes with every tap.
function showRow(side, row, view, kept, element) {
  const names = view.states.map((place) => side.game.states[place].name);
  element.querySelector(".play-states").textContent = names.join(" · ");
  element.classList.toggle("out", view.out);
  element.classList.toggle("done", kept.done || view.away);
  const health = element.querySelector("[data-health]");
  if (health) {
    const models = row.models > 1 && row.per > 1 ? `, ${fill(words.models, { number: view.models })}` : "";
    health.textContent = `${view.left}/${row.health}`;
    health.setAttribute("aria-label", `${view.left} / ${row.health} ${row.word}${models}`);
    health.append(make("small", { textContent: `${row.word}${models}` }));
  }
  for (const button of element.querySelectorAll(".play-tick")) {
    button.setAttribute("aria-pressed", String(kept.ticks.includes(JSON.parse(button.dataset.act)[3])));
  }
  element.querySelector(".play-done")?.setAttribute("aria-pressed", String(kept.done));
  for (const box of element.querySelectorAll("[data-use]")) {
    const use = row.uses[box.dataset.use];
    const left = use.max - (kept.used[box.dataset.use] ?? 0);
    const [spend, regain] = box.children;
    spend.textContent = use.max > 1 ? `${use.name} ${left}/${use.max}` : use.name;
    spend.setAttribute("aria-label", `${use.name}, ${fill(words.left, { number: left })}: ${row.name}`);
    spend.disabled = !left;
    regain.hidden = left === use.max;
  }
}

function breakText({ name, text, cite, models, lost, number, reached }) {
  const told = fill(text, { number, models, rest: models - number });
  const now = fill(words.lost, { lost, models });
  return `${name}: ${told} (${cite}). ${now}${reached ? ` ${words.reached}` : ""}`;
}

function showSide(side, at) {
  const kept = state.sides[at];
  const view = sideView(side, kept);
  for (const element of byId(`side-${at}`).querySelectorAll("[data-row]")) {
    const number = Number(element.dataset.row);
    showRow(side, side.rows[number], view.rows[number], kept.rows[number], element);
  }
  const { activated, activates } = side.game;
  const count = [];
  if (activates) count.push(fill(words.activated, { done: view.done, standing: view.standing }));
  if (activated && view.together) count.push(`${activated.name}: ${view.together} (${activated.cite}).`);
  count.push(...view.breaks.map(breakText));
  const line = byId(`side-${at}`).querySelector("[data-count]");
  line.textContent = count.join(" ");
  line.classList.toggle("reached", view.breaks.some((one) => one.reached));
}

function phaseName() {
  const { round, phases } = game.sides[0].game;
  const phase = phases[state.phase]?.name;
  if (state.over) return words.over;
  if (!state.round) return phase;
  const many = round.last ? ` / ${round.last}` : "";
  const turn = round.each ? nameOf(state.turn) : "";
  return [`${round.name} ${state.round}${many}`, turn, phases.length > 1 ? phase : ""].filter(Boolean).join(" · ");
}

function entryOf({ name, text, cite, who }) {
  const bearers = who.length ? ` (${who.join(", ")})` : "";
  return make(
    "li",
    { dir: "auto" },
    make("b", { textContent: name }),
    `${bearers}: ${text} `,
    make("cite", { textContent: cite }),
  );
}

function showPhase() {
  byId("play-phase").textContent = phaseName();
  const [first] = game.sides;
  const name = first.game.phases[state.phase]?.name;
  let count = 0;
  const told = game.sides.flatMap((side) => {
    const phase = side.game.phases.find((one) => one.name === name);
    const entries = phase?.told.map(entryOf) ?? [];
    count += entries.length;
    const head = game.sides.length > 1 && entries.length ? [make("li", { className: "play-whose", textContent: side.name })] : [];
    return [...head, ...entries];
  });
  byId("play-told").replaceChildren(...told);
  const { cite } = first.game.phases[state.phase] ?? first.game.round;
  byId("play-reminders").querySelector("summary").textContent = `${fill(words.reminders, { phase: name ?? "", number: count })} ${cite ? `(${cite})` : ""}`;
  byId("play-reminders").hidden = !told.length;
}

function showScore() {
  const scored = scoreOf(game.sides, state);
  const { score } = game.sides[0].game;
  for (const at of [0, 1]) {
    root.querySelector(`[data-points="${at}"]`).textContent = scored.points[at];
    const enemy = game.sides[1 - at];
    const parts = [];
    if (enemy && score) parts.push(fill(words.losses, { name: enemy.name, points: sideView(enemy, state.sides[1 - at]).losses.points }));
    if (scored.unknown[1 - at]) parts.push(fill(words.unpriced, { number: scored.unknown[1 - at] }));
    if (!enemy) parts.push(words.typed);
    root.querySelector(`[data-losses="${at}"]`).textContent = parts.join(" ");
  }
  for (const button of byId("play-score").querySelectorAll("[data-act]")) {
    const [name, at] = JSON.parse(button.dataset.act);
    if (name === "goal") button.setAttribute("aria-pressed", String(state.goal === at));
  }
  const result = score?.result;
  byId("play-result").textContent = result
    ? `${result.name}: ${scored.result.join(" – ")} (${result.cite})`
    : "";
}

function show() {
  state = replay(game.sides, game.log);
  for (const [at, side] of game.sides.entries()) showSide(side, at);
  showPhase();
  showScore();
  root.querySelector("[data-play=undo]").disabled = !game.log.acts.length;
}

// What a tap did, for who does not see the page.
function tell([, at, number], text) {
  const side = game.sides[at];
  const row = side?.rows[number];
  const view = row && sideView(side, state.sides[at]).rows[number];
  const names = view?.states.map((place) => side.game.states[place].name).join(", ");
  byId("play-said").textContent = row
    ? [`${row.name}: ${view.left}/${row.health} ${row.word}`, names, text].filter(Boolean).join(". ")
    : [phaseName(), text].filter(Boolean).join(". ");
}

function notice(name, shown = true) {
  byId(`play-${name}`).hidden = !shown;
}

// Another tab may have changed the game: its acts come first, then this one.
function change(log) {
  const there = inMemory ? null : load(page.key);
  if (there && there.number !== game.number) {
    game = there;
    notice("elsewhere");
    draw();
  }
  game = { ...game, number: game.number + 1, log: log(game.log) };
  const wasInMemory = inMemory;
  inMemory = !save(page.key, game);
  if (inMemory !== wasInMemory) notice("memory", inMemory);
  show();
  account?.changed();
}

// The account's other devices have the game too; which of two goes on is the player's to say.
function take(other) {
  game = { ...other, number: game.number + 1 };
  inMemory = !save(page.key, game);
  draw();
}

document.addEventListener("click", ({ target }) => {
  const button = target.closest("#play button");
  if (!button) return;
  const { act, play, tab } = button.dataset;
  if (tab) showTab(Number(tab));
  if (play === "theirs") account.takeTheirs();
  if (play === "mine") account.keepMine();
  if (play === "undo") {
    const last = game.log.acts.at(-1) ?? [];
    change(undone);
    tell(last, words.undone);
  } else if (play === "new") {
    game = { ...game, hashes: page.hashes, sides: page.sides, log: emptyLog() };
    draw();
    change(emptyLog);
    notice("older", false);
    button.closest("details").open = false;
  }
  if (!act) return;
  const one = JSON.parse(act);
  change((log) => added(game.sides, log, one));
  tell(one);
});

// What is kept of a match: both lists as they were played, the scores, and who has more of them.
function proposeMatch() {
  const form = byId("play-match");
  const { points, result } = scoreOf(game.sides, state);
  const [mine, theirs] = result ?? points;
  const ended = mine > theirs ? "won" : "lost";
  form.elements.points.value = mine;
  form.elements.opponent_points.value = theirs;
  form.elements.result.value = mine === theirs ? "drawn" : ended;
}

byId("play-match").closest("details").addEventListener("toggle", ({ target }) => target.open && proposeMatch());
byId("play-match").addEventListener("submit", ({ target }) => {
  const sides = game.sides.map(({ name, about, books, hash, rows }) => ({
    name,
    about,
    books,
    hash,
    lines: rows.map((row) => [row.name, row.price].filter((part) => part !== null).join(" · ")),
  }));
  target.elements.sides.value = JSON.stringify(sides);
});

// A game in progress keeps its lists; a note says if they have changed since.
const kept = load(page.key);
if (kept) {
  game = kept;
  const same = JSON.stringify(kept.hashes) === JSON.stringify(page.hashes);
  if (!kept.log.acts.length && !kept.log.base) game = { ...kept, hashes: page.hashes, sides: page.sides };
  else if (!same) notice("older");
}
watch(page.key, (there) => {
  if (!there || there.number === game.number) return;
  game = there;
  notice("elsewhere");
  draw();
});
draw();
account?.begin();
