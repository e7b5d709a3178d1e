// The panes of the builder. Each is an address of its own without script; here they are switched
// at once, and each comes back where it was scrolled to.
const STRETCH = 30; // units of a long list that come at once
const SIDES = new Set(["unit", "errors", "game"]);
const HOME = "army";
const PHONE = window.matchMedia("(max-width: 47.99rem)");
const places = new Map(); // how far each pane is scrolled, by its name
let depth = history.state?.depth ?? 0; // steps from the army to the view shown, on a phone
const FRAME = 16; // milliseconds in which a frame is drawn
const PATIENCE = 300; // milliseconds until what nobody sees is drawn anew
const KEPT = `places of ${window.location.pathname}`; // where they wait while the page is away
let later = 0; // the timer of that, while it runs
let due = ""; // the address of what is shown, until it is set
let adding = false; // whether a unit was added, and no pane chosen since
let awaited = ""; // the pane that is asked for, as somebody is about to see it

const builder = () => document.getElementById("builder");
const pane = (view) => document.querySelector(`[data-pane="${view}"]`);
let opened = pane("unit")?.dataset.unit; // the unit whose pane was shown last

// Show a pane; on wide screens the army and the units are next to it anyway.
export function show(view) {
  const page = builder();
  if (!page || !pane(view)) return;
  adding = false;
  if (page.dataset.view !== view) remember(page.dataset.view, view);
  display(view);
}

function notePlaces() {
  for (const one of document.querySelectorAll("[data-pane]")) {
    if (one.clientHeight) places.set(one.dataset.pane, one.scrollTop);
  }
}

function display(view) {
  const page = builder();
  notePlaces();
  page.dataset.view = view;
  if (SIDES.has(view)) page.dataset.side = view;
  mark();
  const here = pane(view);
  if (later) renew();
  else draw(view);
  if (here.scrollTop !== (places.get(view) ?? 0)) here.scrollTop = places.get(view) ?? 0;
}

// Where one was stays so over a reload, and for the way back from another page.
window.addEventListener("pagehide", () => {
  if (!builder()) return;
  notePlaces();
  try {
    sessionStorage.setItem(KEPT, JSON.stringify({ unit: pane("unit").dataset.unit, places: [...places] }));
  } catch {
    // A browser that keeps nothing begins at the top.
  }
});

function keptPlaces() {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEPT));
    return kept.places.filter(([view]) => view !== "unit" || kept.unit === opened);
  } catch {
    return [];
  }
}

function goBack(view) {
  const here = pane(view);
  if (here?.clientHeight && places.has(view)) here.scrollTop = places.get(view);
}

if (builder() && ["reload", "back_forward"].includes(performance.getEntriesByType("navigation")[0]?.type)) {
  const kept = new Map(keptPlaces());
  for (const [view, place] of kept) places.set(view, place);
  for (const view of kept.keys()) goBack(view);
  // Beside a long list the units come later.
  const units = document.getElementById("book-follows") && kept.get("units");
  if (units) {
    document.addEventListener("htmx:afterSwap", function follow({ detail }) {
      if (detail.target.id !== "book") return;
      document.removeEventListener("htmx:afterSwap", follow);
      places.set("units", units);
      goBack("units");
    });
  }
}

// The address names the view. On a phone "back" leads from the unit to the view before it, and from
// any other to the army; so few steps are kept, however often one goes to and fro.
function remember(before, view) {
  setAddress();
  const address = naming(view);
  if (PHONE.matches && view === HOME && depth) {
    history.go(-depth);
  } else if (PHONE.matches && (before === HOME || view === "unit")) {
    history.replaceState({ depth }, "");
    depth += 1;
    history.pushState({ depth }, "", address);
  } else {
    history.replaceState({ depth }, "", address);
  }
}

// The address of the page with its unit and a view. A unit alone would mean its own view.
export function naming(view) {
  const address = new URL(due || window.location.href, window.location.href);
  const { unit } = pane("unit").dataset;
  if (unit) address.searchParams.set("open", unit);
  if (view === HOME && !unit) address.searchParams.delete("view");
  else address.searchParams.set("view", view);
  return address;
}

// The view and the unit that an address names.
function read(address) {
  const { searchParams } = new URL(address);
  const open = searchParams.get("open") ?? "";
  return { open, view: searchParams.get("view") ?? (open && !PHONE.matches ? "unit" : HOME) };
}

window.addEventListener("popstate", (event) => {
  if (!builder()) return;
  due = "";
  depth = event.state?.depth ?? 0;
  const { open, view } = read(window.location.href);
  if (pane(view)) display(view);
  if (view !== "unit" || !open || open === pane("unit").dataset.unit) return;
  const line = document.getElementById(`open-${open}`);
  if (line) htmx.ajax("GET", `${line.getAttribute("href")}&part=list`, { source: line });
});

// The address of what an answer shows is set behind the frame that shows it: that takes a browser as
// long as drawing does. htmx would load the whole page anew for addresses that it has set.
function readdress(address) {
  due = address;
  behindFrame(setAddress);
}

// When what has changed is seen. The next frame begins too early for that, where this one was late.
function behindFrame(then) {
  requestAnimationFrame(() => setTimeout(then, FRAME));
}

function setAddress() {
  if (!due) return;
  const address = PHONE.matches ? naming(builder().dataset.view) : due;
  due = "";
  history.replaceState({ depth }, "", address);
}

// What nobody sees is not drawn when the list changes, but when somebody opens it, or is about to.
function draw(view) {
  const asked = awaited === view && document.getElementById("filters")?.matches(".htmx-request");
  if (asked || !("stale" in (pane(view)?.dataset ?? {}))) return;
  awaited = view;
  renew();
}

function foresee(event) {
  const link = event.target.closest?.("a[data-view]");
  if (link && builder()) draw(link.dataset.view);
}

for (const event of ["pointerover", "focusin"]) document.addEventListener(event, foresee);

const old = () => [...document.querySelectorAll("[data-pane][data-stale]")];
const seen = (one) => one.clientHeight || one.dataset.pane === awaited;

// Where there is more room, more is seen.
window.addEventListener("resize", () => old().some((one) => one.clientHeight) && renew());

// Ask for the units, and for panes that have not been drawn since the list changed and are seen.
export function renew() {
  clearTimeout(later);
  later = 0;
  htmx.trigger(document.body, "list-changed", { now: true });
}

// The units follow what was clicked, once that is drawn. Where they are not seen, several quick
// clicks have them drawn once.
document.addEventListener(
  "list-changed",
  (event) => {
    if (event.detail.now) return;
    event.stopPropagation();
    clearTimeout(later);
    later = 0;
    if (pane("units").clientHeight) behindFrame(renew);
    else later = setTimeout(renew, PATIENCE);
  },
  true,
);

// Look at a unit of the books: its pane alone is asked for.
function peek(link) {
  link.dataset.goto = "unit-title";
  htmx.ajax("GET", `${link.href}&part=preview`, { source: link, target: "#unit", swap: "morph:outerHTML" });
}

// Show the pane that contains an element.
export function showAround(element) {
  const here = element?.closest("[data-pane]");
  if (here && !here.clientHeight) show(here.dataset.pane);
}

function mark() {
  const { view } = builder().dataset;
  for (const link of document.querySelectorAll(".views a")) {
    if (link.dataset.view === view) link.setAttribute("aria-current", "true");
    else link.removeAttribute("aria-current");
  }
}

// Before anything else hears of the click: what is asked for then finds its pane shown.
document.addEventListener(
  "click",
  (event) => {
    if (event.target.closest?.(".add")) adding = true;
    const within = event.target.closest?.('a[href^="#"]');
    if (within) showAround(document.getElementById(within.getAttribute("href").slice(1)));
    const shows = event.target.closest?.("button[data-shows]");
    if (shows) show(shows.dataset.shows);
    const link = event.target.closest?.("a[data-view], a.peek");
    if (!link || !builder() || event.ctrlKey || event.metaKey || event.shiftKey) return;
    if (link.hasAttribute("hx-get") && link.closest(".line.open") && pane("unit").clientHeight) return;
    show(link.dataset.view || "unit");
    if (link.matches(".peek")) peek(link);
    const hash = new URL(link.href).hash.slice(1);
    const part = hash && document.getElementById(hash);
    if (!link.hasAttribute("hx-get")) event.preventDefault();
    if (part) {
      part.focus({ preventScroll: true });
      part.scrollIntoView({ block: "nearest" });
    }
  },
  true,
);

// The page as it came knows the view of its address; what is exchanged must not go back to that.
document.addEventListener("htmx:afterSwap", (swapped) => {
  if (!builder()) return;
  if (swapped.detail.target.id === "shelf") awaited = "";
  // Who has gone to a pane before the answer came sees it without a pause.
  if (later && old().some((one) => one.clientHeight)) renew();
  const address = swapped.detail.xhr.getResponseHeader("X-Address");
  if (address) readdress(address);
  if (adding && swapped.detail.requestConfig.elt.matches(".add")) builder().dataset.side = "unit";
  mark();
  const unit = pane("unit");
  if (unit && unit.dataset.unit !== opened) {
    opened = unit.dataset.unit;
    unit.scrollTop = 0;
  }
  const charts = document.querySelector("#charts[open] .charts-ask");
  if (charts && swapped.detail.target.id === "panel") htmx.trigger(charts, "refresh");
  // Forms of parts that were not sent again are about this version, too.
  const version = document.querySelector("#hand-form [name=version]").value;
  for (const field of document.querySelectorAll("[name=version]")) field.value = version;
});

// Whether an answer shows the pane of a unit that was not seen before: that of one just added.
function opensUnit(asked) {
  const three = ["units", "army", builder().dataset.side];
  return adding && asked.matches(".add") && three.every((view) => pane(view)?.clientHeight);
}

// What is here need not be sent: the server compares. Nor what nobody sees: it comes with the units
// when somebody opens it.
function tellPanes(headers, asked) {
  const filters = document.getElementById("filters");
  if (!filters) return;
  const panes = [...document.querySelectorAll("[data-pane]")];
  const shown = panes.filter((one) => one.clientHeight).map((one) => one.id);
  if (opensUnit(asked)) shown.push("unit");
  headers["X-Shown"] = shown.join(",");
  headers["X-Stale"] = old().filter(seen).map((one) => one.id).join(",");
}

// Of the units only a search asks, or a change of the list: other answers bring none of them, or all
// anew.
function partsFor(target) {
  const parts = [...document.querySelectorAll("[data-part]")];
  return target?.id === "shelf" ? parts : parts.filter((one) => !one.closest("#book"));
}

document.addEventListener("htmx:configRequest", (event) => {
  const { headers } = event.detail;
  headers["X-Parts"] = partsFor(event.detail.target).map((one) => `${one.id}:${one.dataset.part}`).join(",");
  tellPanes(headers, event.detail.elt);
  // Of a long list, the stretch in which one is: more of them were scrolled to, perhaps.
  const here = event.detail.elt.closest(".line") ?? document.querySelector(".line.open");
  const first = Number(event.detail.parameters["now-at"]);
  const at = [...document.querySelectorAll(".line")].indexOf(here);
  if (at >= STRETCH) event.detail.parameters["now-at"] = String(first + at - (at % STRETCH));
});
