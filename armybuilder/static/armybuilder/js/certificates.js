// Checks a certificate in the browser itself: from behind the # of the address, or from the form.
// Nothing is sent. A browser that cannot check signatures of this kind asks the server by the form.
import "./site.js";

const ALG = "Ed25519";
const page = document.getElementById("verify");
const form = document.getElementById("verify-form");
const sentences = page.dataset;

class Refused extends Error {}

function bytesOf(text) {
  const letters = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
}

function jsonOf(text, sentence) {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(text)));
  } catch {
    throw new Refused(sentence);
  }
}

async function checkSignature(parts, key) {
  const jwk = { kty: key.kty, crv: key.crv, x: key.x };
  const own = await crypto.subtle.importKey("jwk", jwk, { name: ALG }, false, ["verify"]);
  const signed = new TextEncoder().encode(`${parts[0]}.${parts[1]}`);
  let fits = false;
  try {
    fits = await crypto.subtle.verify({ name: ALG }, own, bytesOf(parts[2]), signed);
  } catch (error) {
    if (error.name !== "InvalidCharacterError") throw error;
  }
  if (!fits) throw new Refused(sentences.changed);
}

async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function sha(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((one) => one.toString(16).padStart(2, "0")).join("");
}

// What a certificate says, its list and its key; Refused where it is not to be believed.
async function check(word) {
  const parts = word.split(".");
  if (parts.length !== 3) throw new Refused(sentences.broken);
  const header = jsonOf(parts[0], sentences.broken);
  if (header.alg !== ALG) throw new Refused(sentences.alg);
  const key = JSON.parse(sentences.keys).find((one) => one.kid === header.kid);
  if (!key) throw new Refused(sentences.unknown);
  await checkSignature(parts, key);
  const claims = jsonOf(parts[1], sentences.broken);
  if (claims.v !== "certificate/1") throw new Refused(sentences.kind);
  const list = await unpacked(claims.doc);
  if ((await sha(list)) !== claims.sha) throw new Refused(sentences.other);
  if (key.revoked) throw new Refused(sentences.revoked.replace("{reason}", key.reason ?? "–"));
  if (key.until && claims.iat > key.until) throw new Refused(sentences.ended);
  return { claims, list: JSON.parse(new TextDecoder().decode(list)), key };
}

const verdict = ([legal, errors]) =>
  legal ? `✓ ${sentences.legal}` : `✗ ${sentences.illegal.replace("{number}", errors)}`;
const WHEN = { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" };
const moment = (seconds) =>
  `${new Date(seconds * 1000).toLocaleString(document.documentElement.lang, WHEN)} (UTC)`;

function spelled(ref) {
  const words = ref.split("/").at(-1).replaceAll("-", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function option(one) {
  if (typeof one === "string") return spelled(one);
  const inner = (one.options ?? []).map(option).join(", ");
  return (one.number ? `${one.number}× ` : "") + spelled(one.id) + (inner && ` [${inner}]`);
}

function unit(one) {
  const name = one.unit ? spelled(one.unit) : one.profile.name;
  const more = [...(one.roles ?? []).map(spelled), ...(one.options ?? []).map(option)].join(", ");
  return `${one.models}× ${name}` + (more && ` (${more})`);
}

function tell({ claims, list, key }) {
  const facts = {
    name: list.name,
    game: `${verdict(claims.game)} ${claims.sys[0]}`,
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
  const rows = list.units.map((one) => {
    const row = document.createElement("li");
    row.textContent = unit(one);
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
    tell(await check(word));
    show("");
  } catch (error) {
    if (error instanceof Refused) show(error.message);
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
