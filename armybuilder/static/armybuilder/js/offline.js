// What each page does about a lost connection: a worker saves pages (worker.js); a saved page says of
// when it is; and acts that wait to be sent are named until they are.
const { dataset, lang } = document.documentElement;
const { reader } = document.body.dataset;
const UNSENT = "unsent:";
const ACCOUNT = "reader"; // of the account that was signed in here last
const part = (name) => document.getElementById(`offline-${name}`);

// The names under which this browser stores something; none where that is forbidden.
function stored(...starts) {
  try {
    return Object.keys(localStorage).filter((name) => starts.some((start) => name.startsWith(start)));
  } catch {
    return [];
  }
}

// In the reader's region; English without one is as the server writes it: "22 Nov 2026, 07:07".
export const region = navigator.languages.find((one) => one.startsWith(`${lang}-`)) ?? (lang === "en" ? "en-GB" : lang);
export const times = new Intl.DateTimeFormat(region, { dateStyle: "medium", timeStyle: "short" });

function showAge() {
  const time = part("saved").querySelector("time");
  time.dateTime = dataset.saved;
  time.textContent = times.format(new Date(dataset.saved));
  part("saved").hidden = false;
}

// The page shows what is there now.
export function showFresh() {
  delete dataset.saved;
  for (const name of ["saved", "back"]) part(name).hidden = true;
}

function showUnsent() {
  const lists = new Map();
  for (const name of stored(UNSENT)) {
    try {
      const { page, title, of } = JSON.parse(localStorage.getItem(name));
      // The page of saved pages is nobody's.
      const whose = reader ?? localStorage.getItem(ACCOUNT);
      if (of === whose || !of?.startsWith("a")) lists.set(page, title);
    } catch {
      localStorage.removeItem(name);
    }
  }
  const links = [...lists].map(([href, textContent]) => {
    const item = document.createElement("li");
    item.append(Object.assign(document.createElement("a"), { href, textContent, dir: "auto" }));
    return item;
  });
  part("unsent").querySelector("ul").replaceChildren(...links);
  part("unsent").hidden = !links.length;
}

// Who leaves an account leaves nothing behind in this browser; nor finds another one what there was.
// A session that only ended leaves acts that wait, to be sent when their player signs in again.
const LEAVING = /\/account\/(sign-out|delete)\/$/;
function leave() {
  for (const name of [...stored(UNSENT, "play:", "judge-"), ACCOUNT]) localStorage.removeItem(name);
}

function settle(mark) {
  try {
    const before = localStorage.getItem(ACCOUNT) ?? mark;
    if (before !== mark) leave();
    localStorage.setItem(ACCOUNT, mark);
  } catch {
    // It stores nothing.
  }
}
document.addEventListener("submit", ({ target }) => LEAVING.test(target.action) && leave());

async function register() {
  const first = navigator.serviceWorker.controller ? "" : window.location.href;
  await navigator.serviceWorker.register("/sw.js");
  const { active } = await navigator.serviceWorker.ready;
  active.postMessage({ does: "read", mark: reader, lang, first }, []);
}

if (dataset.saved) showAge();
if (reader?.startsWith("a")) settle(reader);
if (!document.getElementById("unsent")) showUnsent();
window.addEventListener("online", () => {
  if (!dataset.saved) return;
  part("saved").hidden = true;
  part("back").hidden = false;
});
if (reader && navigator.serviceWorker) {
  // A browser may forbid it: then pages are not saved, and the page of those saved says so.
  window.addEventListener("load", () => register().catch(() => {}));
  navigator.serviceWorker.addEventListener("message", ({ data }) => {
    if (data === "full") part("full").hidden = false;
  });
}
