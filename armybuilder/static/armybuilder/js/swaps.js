// When a part of the page is exchanged, this keeps what people are in the middle of: text they
// typed, details they opened, the focus, and the place of the button under their pointer. It also
// says when a click failed. Everything works without it.

let pressed = null; // the element that asked for the exchange under way
let place = 0; // its distance from the top of the window before the exchange
let row = 0; // the number of its entry on the list
let goal = ""; // the unit it goes to
let homes = []; // the parts of the page around it, the nearest first
let anew = false; // whether fields are drawn anew, whatever stands in them
const TOTALS = ".bar-points, .army .unit-points, .category summary";
const changed = new Set(); // rows that are new, and totals that are others
const fresh = new Set(); // elements of the exchange that htmx does not know, or that ask for something else now

function isTyped(field) {
  if (field.matches("select")) {
    const chosen = [...field.options].findIndex((option) => option.defaultSelected);
    return field.selectedIndex !== Math.max(chosen, 0);
  }
  return field.matches("input:not([type=hidden]), textarea") && field.value !== field.defaultValue;
}

// Options of another unit: nothing of them is worth keeping, and to compare them takes longer.
function isOfAnother(old, sent) {
  return "of" in (old.dataset ?? {}) && "of" in (sent.dataset ?? {}) && old.dataset.of !== sent.dataset.of;
}

// Nothing is to be done, as a browser finds by itself far quicker; but fields hold what was typed.
const FIELDS = "input, select, textarea";
function isTheSame(old, sent) {
  return old.isEqualNode(sent) && !(old instanceof Element && (old.matches(FIELDS) || old.querySelector(FIELDS)));
}

const callbacks = {
  beforeAttributeUpdated: (attribute, element) => {
    if (attribute.startsWith("hx-")) fresh.add(element);
    return !(attribute === "open" && element.matches("details:not(.menu)"));
  },
  afterNodeAdded: (added) => {
    fresh.add(added);
    if (added instanceof Element && added.matches(".line")) changed.add(added);
  },
  beforeNodeMorphed: (old, sent) => {
    if (old instanceof Text && old.data !== sent.data) changed.add(old.parentElement.closest(TOTALS));
    if (isOfAnother(old, sent)) {
      old.dataset.of = sent.dataset.of;
      old.replaceChildren(...sent.childNodes);
      for (const child of old.children) fresh.add(child);
      return false;
    }
    if (isTheSame(old, sent)) return false;
    if (!sent.hasAttribute?.("data-same")) {
      return anew || !(old.form && (old.form !== pressed?.form || "kept" in old.dataset) && isTyped(old));
    }
    // What is the same was not sent; nor what nobody sees, which has changed perhaps.
    const isStale = sent.hasAttribute("data-stale");
    old.toggleAttribute("data-stale", isStale);
    old.ariaBusy = isStale ? "true" : null;
    return false;
  },
};

// A tint for a moment says what a click has changed.
function tint() {
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const colour = "color-mix(in srgb, var(--accent) 25%, var(--paper))";
  for (const one of isStill ? [] : changed) one?.animate([{ backgroundColor: colour }, {}], 120);
}

// Idiomorph's own extension has htmx look through all of the page's part: that takes as long again.
const morph = {
  isInlineSwap: (style) => style.startsWith("morph"),
  handleSwap(style, target, sent) {
    if (!style.startsWith("morph")) return false;
    fresh.clear();
    changed.clear();
    Idiomorph.morph(target, sent.children, { morphStyle: "outerHTML" });
    tint();
    return [...fresh].filter((one) => one instanceof Element && one.isConnected);
  },
};

// Pages that exchange nothing, as Play, load neither library.
if ("htmx" in window) {
  Object.assign(Idiomorph.defaults.callbacks, callbacks);
  htmx.defineExtension("morph", morph);
}

function rowOf(element) {
  return [...document.querySelectorAll(".line")].indexOf(element?.closest(".line"));
}

// Where an act leads that no button asked for: to the unit it moved; NEW is the one it made.
const NEW = "new";
function goalOf(asked, fields) {
  if (asked.id !== "hand-form") return "";
  return { move: fields.unit, add: NEW, "add-several": NEW, duplicate: NEW }[fields.act] || "";
}

// Where the focus goes when what held it is gone: to the heading of the part around it.
function nearestHome() {
  for (const id of homes) {
    const part = document.getElementById(id);
    if (part?.matches(".line, .finding, [tabindex='-1']:not(main)")) return part;
    const title = document.getElementById(part?.getAttribute("aria-labelledby") || "");
    if (title) return title;
  }
  return document.getElementById("list-title");
}

document.addEventListener("htmx:beforeSwap", (event) => {
  const config = event.detail.requestConfig;
  // What comes by itself, as it is scrolled to, takes nobody's focus.
  const follows = config.elt.matches(".more-units a, #book-follows") || "X-Resent" in config.headers;
  if (follows && config.triggeringEvent?.type !== "click") {
    pressed = null;
    goal = "";
    return;
  }
  const asked = config.triggeringEvent?.submitter || config.elt;
  pressed = asked.matches("button, input, select, a") ? asked : document.activeElement;
  goal = asked.dataset.goto || goalOf(asked, config.parameters);
  homes = [];
  for (let at = pressed.parentElement?.closest("[id]"); at; at = at.parentElement.closest("[id]")) {
    homes.push(at.id);
  }
  place = pressed.getBoundingClientRect().top;
  row = rowOf(pressed);
  anew = event.detail.target.id === "book";
});

document.addEventListener("htmx:afterSwap", () => {
  document.getElementById("trouble")?.replaceChildren();
  if (goal === NEW) goal = document.getElementById("hand-form").dataset.entry;
  if (goal) {
    const found = document.getElementById(goal);
    // What is folded away takes no focus: what unfolds it does.
    (found?.checkVisibility() ? found : found?.closest("li")?.querySelector("summary"))?.focus();
    if (found?.matches("input[type=text], input:not([type])")) found.select();
  } else if (pressed?.closest("details.menu:not([open])")) {
    // Its menu has closed.
    pressed.closest("details.menu").querySelector("summary").focus({ preventScroll: true });
  } else if (pressed?.isConnected) {
    if (pressed !== document.body) {
      // Moved on the page, an element can lose the focus.
      if (document.activeElement === document.body) pressed.focus({ preventScroll: true });
      const moved = pressed.getBoundingClientRect().top - place;
      // Scrolling by nothing would stop a scroll to the field that the keyboard has just reached.
      if (Math.abs(moved) >= 1) {
        (pressed.closest(".pane") || window).scrollBy({ top: moved, behavior: "instant" });
      }
      if (pressed.matches(".add")) {
        document.querySelector(".line.open")?.scrollIntoView({ block: "nearest" });
      }
    }
  } else if (document.activeElement === document.body && pressed) {
    const lines = document.querySelectorAll(".line");
    const next = row >= 0 && lines.length ? lines[Math.min(row, lines.length - 1)] : null;
    (next || nearestHome())?.focus({ preventScroll: true });
  }
});

// A request that is cut off because the page is left has lost nothing.
let leaving = false;
window.addEventListener("beforeunload", () => (leaving = true));
window.addEventListener("pageshow", () => (leaving = false));

for (const failure of ["htmx:responseError", "htmx:sendError", "htmx:timeout"]) {
  document.addEventListener(failure, (event) => {
    const trouble = document.getElementById("trouble");
    const { lost, unread } = trouble?.dataset ?? {};
    const { triggeringEvent, verb } = event.detail.requestConfig;
    const reads = unread && verb === "get";
    // A saved page says that it is one: what it asks for by itself may fail.
    const asks = !reads || !("saved" in document.documentElement.dataset) || triggeringEvent instanceof UIEvent;
    if (trouble && !leaving && asks) trouble.textContent = reads ? unread : lost;
  });
}

document.addEventListener("click", (event) => {
  const link = event.target.closest('a[href^="#"]');
  const target = link && document.getElementById(link.getAttribute("href").slice(1));
  const around = target?.closest("details.menu");
  if (around) around.open = true;
  if (target?.matches(".line, input, select, h2, [tabindex]")) target.focus();
  const closes = event.target.closest("[data-closes]");
  if (closes) document.getElementById(closes.dataset.closes).replaceChildren();
  // What was done has been seen.
  link?.closest(".toast")?.remove();
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu !== around && !menu.contains(event.target)) menu.open = false;
  }
});

document.addEventListener("keydown", (event) => {
  const menu = event.key === "Escape" && document.querySelector("details.menu[open]");
  if (menu) {
    menu.open = false;
    menu.querySelector("summary").focus();
  }
});

// Up and down go through what a menu holds, as in other programs' menus.
document.addEventListener("keydown", (event) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  const menu = step && event.target.closest("details.menu:not(.made)");
  if (!menu || event.target.matches("[type=number], select, textarea")) return;
  event.preventDefault();
  menu.open = true;
  const stops = [...menu.querySelectorAll("a, button, input, select")].filter((one) => one.checkVisibility());
  const at = stops.indexOf(event.target);
  stops.at(at < 0 && step < 0 ? -1 : (at + step) % stops.length)?.focus();
});

// A page that a browser kept aside shows the list as it was: load it anew.
window.addEventListener("pageshow", (event) => {
  if (event.persisted) window.location.reload();
});
