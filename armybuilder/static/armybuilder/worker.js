// Saves pages and the files they need, and answers with them when the site can't be reached. The
// server says which pages may be saved, and for whom (X-Offline); `site` has the files and the name
// of this release. Whatever fails here leaves the browser to the network.
const { files, version, static: folder } = self.site;
const FILES = `files-${version}`;
const PAGES = "pages";
const READER = "reader";
const LIMIT = 4000; // milliseconds that the network has before a saved page is shown
const MOST_PAGES = 80;
const MOST_BYTES = 3_000_000; // of one page or file
const DOWN = new Set([502, 503, 504]); // what a proxy says while a server starts
const GONE = new Set([403, 404, 410]);
const SAVED_PAGES = "/saved/";
const HASHED = /\.[0-9a-f]{12}\.\w+$/;

// Whose page it is, and "path" where all queries of an address have one page.
const saidOf = (page) => (page?.headers.get("X-Offline") ?? "").split(" ");
const wayOf = (page) => saidOf(page)[1];

// Changes of what is saved wait for each other.
let turn = Promise.resolve();
function inTurn(work) {
  turn = turn.then(work, work);
  return turn;
}

async function forget() {
  await caches.delete(PAGES);
  await caches.delete(READER);
}

// Pages of one reader are saved at a time.
async function belongTo(mark) {
  const known = await caches.match("/", { cacheName: READER });
  if ((await known?.text()) === mark) return;
  await forget();
  await (await caches.open(READER)).put("/", new Response(mark));
}

async function tell(message) {
  for (const client of await self.clients.matchAll()) client.postMessage(message, []);
}

async function put(pages, key, response) {
  const rest = response.clone();
  try {
    await pages.put(key, response);
  } catch {
    // Full: half of what was saved longest ago makes room.
    const keys = await pages.keys();
    await Promise.all(keys.slice(0, Math.ceil(keys.length / 2)).map((one) => pages.delete(one)));
    await pages.put(key, rest).catch(() => tell("full"));
  }
}

async function write(key, body, from) {
  const headers = new Headers(from);
  for (const name of ["Content-Encoding", "Content-Length"]) headers.delete(name);
  headers.set("X-Saved", new Date().toISOString());
  headers.set("X-Files", FILES);
  const pages = await caches.open(PAGES);
  await put(pages, key, new Response(body, { headers }));
  const keys = await pages.keys();
  await Promise.all(keys.slice(0, -MOST_PAGES).map((one) => pages.delete(one)));
}

// A page that is refused or gone takes those below it along.
async function drop(address) {
  const pages = await caches.open(PAGES);
  const { origin, pathname } = new URL(address);
  const below = (await pages.keys()).filter((one) => one.url.startsWith(origin + pathname));
  await Promise.all(below.map((one) => pages.delete(one)));
}

async function save(address, response) {
  if (GONE.has(response.status)) return drop(address);
  const [mark, way] = saidOf(response);
  if (!mark || response.status !== 200 || response.redirected) return undefined;
  const body = await response.blob();
  if (body.size > MOST_BYTES) return undefined;
  await belongTo(mark);
  return write(keyOf(address, way), body, response.headers);
}

function keyOf(address, way = "") {
  const url = new URL(address);
  if (way) url.search = "";
  url.hash = "";
  return url.href;
}

async function find(address) {
  const pages = await caches.open(PAGES);
  const exact = await pages.match(keyOf(address), { ignoreVary: true });
  if (exact) return exact;
  const latest = await pages.match(keyOf(address, "path"), { ignoreVary: true });
  return wayOf(latest) ? latest : undefined;
}

// A page that says of itself that it is not of now: `data-saved` or `data-missed` of its <html>.
async function marked(response, name, value, status) {
  const text = await response.text();
  const html = text.replace("<html ", `<html data-${name}="${value}" `);
  return new Response(html, { status, headers: response.headers });
}

const isPage = ({ headers }) => (headers.get("Content-Type") ?? "").startsWith("text/html");
const show = (page) => (isPage(page) ? marked(page, "saved", page.headers.get("X-Saved"), 200) : page);

async function showMissing(why) {
  const page = await caches.match(SAVED_PAGES, { ignoreVary: true });
  return page ? marked(page, "missed", why, 503) : Response.error();
}

async function ask(event) {
  const answer = (await event.preloadResponse) ?? (await fetch(event.request));
  const copy = answer.clone();
  event.waitUntil(inTurn(() => save(event.request.url, copy)).catch(() => {}));
  return answer;
}

async function openPage(event) {
  const asked = ask(event);
  event.waitUntil(asked.catch(() => {}));
  const page = await find(event.request.url);
  try {
    const late = new Promise((resolve) => setTimeout(resolve, LIMIT));
    const answer = await (page ? Promise.race([asked, late]) : asked);
    if (answer && !(page && DOWN.has(answer.status))) return answer;
  } catch {
    // Not reached.
  }
  if (page) return show(page);
  return showMissing(new URL(event.request.url).pathname === SAVED_PAGES ? "" : "page");
}

// Who signs out, or leaves, leaves nothing behind.
async function postToAccount(request) {
  const answer = await fetch(request);
  await inTurn(forget).catch(() => {});
  return answer;
}

async function openFile(event) {
  const { request } = event;
  const known = await caches.match(request, { ignoreVary: true });
  if (known && HASHED.test(request.url)) return known;
  try {
    const answer = await fetch(request);
    if (answer.status === 200) {
      const copy = answer.clone();
      event.waitUntil(caches.open(FILES).then((cache) => cache.put(request, copy)).catch(() => {}));
    }
    return answer;
  } catch (error) {
    if (known) return known;
    throw error;
  }
}

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode === "navigate" && request.method === "GET") event.respondWith(openPage(event));
  else if (request.mode === "navigate" && !self.navigator.onLine) event.respondWith(showMissing("form"));
  else if (request.mode === "navigate" && pathname.startsWith("/account/")) event.respondWith(postToAccount(request));
  else if (request.method === "GET" && pathname.startsWith(folder)) event.respondWith(openFile(event));
});

// Files stay as long as a saved page is of their release; those of the release before in any case,
// for pages that are open.
async function sweep() {
  const pages = await caches.open(PAGES);
  const saved = await Promise.all((await pages.keys()).map((key) => pages.match(key, { ignoreVary: true })));
  const needed = new Set([FILES, ...saved.map((page) => page?.headers.get("X-Files"))]);
  const others = (await caches.keys()).filter((name) => name.startsWith("files-") && !needed.has(name));
  await Promise.all(others.slice(0, -1).map((name) => caches.delete(name)));
}

self.addEventListener("install", (event) => {
  self.skipWaiting();
  event.waitUntil(caches.open(FILES).then((cache) => cache.addAll(files)));
});
self.addEventListener("activate", (event) =>
  event.waitUntil(
    (async () => {
      await self.registration.navigationPreload?.enable();
      await sweep();
      await self.clients.claim();
    })(),
  ),
);

// What pages say: who reads them and in which language, and that one came before there was a worker;
// or how one looks after a change.
const heard = {
  async read({ mark, lang, first }) {
    await belongTo(mark);
    const page = await caches.match(SAVED_PAGES, { ignoreVary: true });
    if (page?.headers.get("Content-Language") !== lang) await (await caches.open(FILES)).add(SAVED_PAGES);
    if (first) await save(first, await fetch(first));
  },
  async changed({ address, html }) {
    const page = await find(address);
    if (page) await write(keyOf(address, wayOf(page)), html, page.headers);
  },
};
self.addEventListener("message", (event) => {
  const { does, ...facts } = event.data;
  event.waitUntil(inTurn(() => heard[does](facts)).catch(() => {}));
});
