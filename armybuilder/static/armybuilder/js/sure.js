// What a click surely leads to is shown before the server has said it: how many models there are,
// and which unit opens. Its answer takes that back before it says the same or better; so does a
// request that came to nothing.

let asked = null; // the request under way of which something is shown
const takeBack = []; // what undoes that, the last first

function write(text, words) {
  if (text?.nodeType !== Node.TEXT_NODE || text.data === words) return;
  const before = text.data;
  text.data = words;
  takeBack.push(() => (text.data = before));
}

// The number in a unit's row, and in its pane; a row without one is left to the server.
function showModels(id, models) {
  if (!(models > 1)) return;
  write(document.querySelector(`#${CSS.escape(id)} .unit-models`)?.firstChild, String(models));
  const field = document.getElementById(`models-${id}`);
  if (!field) return;
  const before = field.value;
  field.value = models;
  takeBack.push(() => (field.value = before));
}

function modelsAfter(act, unit) {
  const [name, of] = act.split(":");
  const field = document.getElementById(`models-${unit}`);
  if (name === "models" && of) return [unit, Number(of)];
  if (name === "most" && field) return [unit, Number(field.max)];
  if (name === "step" && field) {
    const after = Math.max(Number(field.value) + Number(of), Number(field.min));
    return [unit, Math.min(after, Number(field.max) || after)];
  }
  const step = { more: 1, fewer: -1 }[name];
  const shown = step && document.querySelector(`#${CSS.escape(of || unit)} .unit-models`)?.firstChild;
  return shown ? [of || unit, Number(shown.data) + step] : [];
}

// The row that opens, and the head of its pane. Below is still another unit.
function showOpening(line) {
  const open = document.querySelector(".line.open");
  for (const one of [open, line]) one?.classList.toggle("open", one === line);
  takeBack.push(() => {
    line.classList.remove("open");
    open?.classList.add("open");
  });
  const head = document.querySelector("#unit .unit-head");
  if (!head || open === line) return;
  write(head.querySelector("h2").firstChild, line.querySelector("strong").textContent);
  const points = line.querySelector(".unit-points").firstChild;
  write(head.querySelector(".made > summary, .unit-points").firstChild, points.textContent);
  const others = [...head.querySelectorAll("form"), ...document.querySelectorAll("#unit > :not(header)")];
  for (const other of others) other.inert = true;
  takeBack.push(() => {
    for (const other of others) other.inert = false;
  });
}

function lineOf(link, path) {
  if (link.matches(".unit-line")) return link.closest(".line");
  const id = link.matches(".beside a") && new URL(path, document.baseURI).searchParams.get("open");
  return id ? document.getElementById(id) : null;
}

function letGo(event) {
  if (event.detail.xhr !== asked) return;
  while (takeBack.length) takeBack.pop()();
  asked = null;
}

document.addEventListener("htmx:beforeSend", (event) => {
  const { elt, xhr, requestConfig } = event.detail;
  const { act, unit } = requestConfig.parameters;
  const line = lineOf(elt, requestConfig.path);
  if (!line && !act) return;
  asked = xhr;
  if (line) showOpening(line);
  else showModels(...modelsAfter(act, unit));
});
document.addEventListener("htmx:beforeSwap", letGo);
document.addEventListener("htmx:afterRequest", letGo);
