// The page of what this browser has saved; it also takes the place of a page that it has not.
import { times } from "./offline.js";
import "./site.js";

const { dataset } = document.documentElement;
const byId = (id) => document.getElementById(id);

// The title of a page, or the name of a file.
async function nameOf(response, address) {
  const isPage = response.headers.get("Content-Type").startsWith("text/html");
  const found = isPage && new DOMParser().parseFromString(await response.text(), "text/html").title;
  return found || decodeURIComponent(new URL(address).pathname.split("/").at(-1));
}

async function rowOf(pages, request) {
  const response = await pages.match(request, { ignoreVary: true });
  const moment = response.headers.get("X-Saved");
  const link = Object.assign(document.createElement("a"), {
    href: request.url,
    textContent: (await nameOf(response, request.url)).trim(),
    className: "row-name",
    dir: "auto",
  });
  const time = Object.assign(document.createElement("time"), {
    dateTime: moment,
    textContent: times.format(new Date(moment)),
    className: "muted",
  });
  const row = document.createElement("li");
  row.className = "row";
  row.append(link, time);
  return row;
}

async function show() {
  const pages = await caches.open("pages");
  const keys = await pages.keys();
  const rows = await Promise.all(keys.map((key) => rowOf(pages, key)));
  byId("saved-list").replaceChildren();
  for (const row of rows) byId("saved-list").prepend(row); // the latest first
  byId("saved-none").hidden = rows.length > 0;
  byId("saved-forget").hidden = !rows.length;
}

if (dataset.missed) byId(`missed-${dataset.missed}`).hidden = false;
if (!navigator.serviceWorker || !window.caches) byId("saved-forbidden").hidden = false;
else show().catch(() => (byId("saved-forbidden").hidden = false));

byId("saved-forget").addEventListener("click", async () => {
  await caches.delete("pages");
  await show();
  byId("saved-title").focus();
});
