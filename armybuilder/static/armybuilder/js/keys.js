// Keys. Their table is the help sheet of the page; nothing is taken from people who write in a
// field, and single keys can be switched off.
import { actions } from "./actions.js";

const singleKeys = document.getElementById("single-keys");
const doing = new Map(); // what each key does, by its name: "Ctrl+k" to "palette"

for (const row of document.querySelectorAll("#keys [data-does]")) {
  for (const key of row.dataset.keys.split(" ")) doing.set(key, row.dataset.does);
}

// The name of the keys pressed. It has Shift only if that does not make another letter.
function keyName(event) {
  const held = event.ctrlKey || event.metaKey ? "Ctrl+" : "";
  const alt = event.altKey ? "Alt+" : "";
  const single = event.key.length === 1;
  const shift = event.shiftKey && (held || alt || !single) ? "Shift+" : "";
  return held + shift + alt + (single ? event.key.toLowerCase() : event.key);
}

const WRITING = "input:not([type=checkbox], [type=radio]), select, textarea, [contenteditable]";
const WALKING = ".line, .unit-line, #shelf .add, #find";

// Whether a key is the page's own here, and not the browser's or the field's.
function isOurs(event, name) {
  const at = event.target;
  if (document.querySelector("dialog[open]")) return false;
  if (name === "Ctrl+k") return true;
  if (at.id === "find" && name === "ArrowDown") return true;
  if (at.closest(WRITING)) return false;
  if (name.startsWith("Arrow")) return at.matches(WALKING);
  if (name === "Enter") return at.matches(".line");
  return singleKeys.checked || /^(Ctrl|Alt)\+/.test(name);
}

document.addEventListener("keydown", (event) => {
  if (event.defaultPrevented || event.isComposing) return;
  const name = keyName(event);
  const action = actions[doing.get(name)];
  if (action && isOurs(event, name) && action()) event.preventDefault();
});

document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-opens]");
  if (opener) actions[opener.dataset.opens]();
  if (event.target.matches("dialog")) event.target.close();
});

try {
  singleKeys.checked = localStorage.getItem("single-keys") !== "off";
} catch {
  // Where nothing may be kept, the keys are on.
}
singleKeys.addEventListener("change", () => {
  try {
    localStorage.setItem("single-keys", singleKeys.checked ? "on" : "off");
  } catch {
    // It holds until the page is left.
  }
});
