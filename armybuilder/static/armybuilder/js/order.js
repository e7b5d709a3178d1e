// Answers come in any order: acts wait for each other, what is searched or drawn later does not wait
// for them. Each answer says of which version of the list it is. A part of another version than the
// page's is not laid on it but asked for again, once no act is under way; where the page is the older
// one then, as after a change in another window, the page first. And a pane that came by another way
// since an answer was asked for is not what the answer calls the same, nor is it replaced by what
// comes beside the units: that may be of the unit that was open before.
import { naming, renew } from "./views.js";

const version = () => document.querySelector("#hand-form [name=version]")?.value;
const panes = () => [...document.querySelectorAll("[data-pane][data-part]")];
const partOf = (pane) => `${pane.id}:${pane.dataset.part}`;
const answered = (then) => document.addEventListener("htmx:afterRequest", then, { once: true });
let overtaken = []; // panes that came since an answer was asked for, as they are
let acting = 0; // acts under way: a newer version is theirs, and comes with their answers

document.addEventListener("htmx:beforeSend", ({ detail }) => (acting += detail.requestConfig.verb === "post"));
document.addEventListener("htmx:afterRequest", ({ detail }) => (acting -= detail.requestConfig.verb === "post"));

async function askAgain(request, target) {
  await new Promise((done) => answered(() => setTimeout(done))); // htmx has done with it then
  if (acting) return askAgain(request, target);
  const { elt, headers, path } = request;
  const isBehind = headers["X-Version"] === version();
  if (isBehind) {
    const address = naming(document.getElementById("builder").dataset.view);
    address.searchParams.set("part", "list");
    await htmx.ajax("GET", address.pathname + address.search, { source: "#builder" });
    renew();
  }
  await htmx.ajax("GET", path, { source: elt, target });
}

document.addEventListener("htmx:configRequest", ({ detail }) => (detail.headers["X-Version"] = version()));

document.addEventListener(
  "htmx:beforeSwap",
  (event) => {
    const { requestConfig, shouldSwap, target, xhr } = event.detail;
    const known = (requestConfig.headers["X-Parts"] ?? "").split(",");
    overtaken = panes().map((pane) => [pane, partOf(pane)]).filter(([, part]) => !known.includes(part));
    const made = xhr.getResponseHeader("X-Version");
    if (!made || !shouldSwap || made === version() || target.id === "panel") return;
    event.preventDefault();
    event.stopImmediatePropagation();
    askAgain(requestConfig, target).catch(() => {});
  },
  true,
);

// htmx lays what goes elsewhere on the page that holds the element that asked. One that an answer in
// between took away is put back until that is done.
document.addEventListener("htmx:beforeSwap", ({ detail }) => {
  const { elt } = detail.requestConfig;
  if (elt.isConnected || !detail.shouldSwap) return;
  elt.hidden = true;
  document.getElementById("builder").append(elt);
  document.addEventListener("htmx:afterSwap", () => elt.remove(), { once: true });
});

document.addEventListener("htmx:oobBeforeSwap", ({ detail }) => {
  if (overtaken.some(([pane]) => pane === detail.target)) detail.shouldSwap = false;
});

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target.id !== "panel") return;
  for (const [pane, part] of overtaken) if (partOf(pane) === part) pane.dataset.stale = "";
  if (panes().some((pane) => pane.clientHeight && "stale" in pane.dataset)) renew();
});
