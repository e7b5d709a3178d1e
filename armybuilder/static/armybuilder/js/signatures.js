// Certificates checked in the browser itself: a JWS signed with Ed25519 around a deflated list.
const ALG = "Ed25519";

// `message` is one of: broken, alg, unknown, changed, kind, other, revoked (with a `reason`), ended.
export class Refused extends Error {
  constructor(what, reason = "") {
    super(what);
    this.reason = reason;
  }
}

function bytesOf(text) {
  const letters = text.replaceAll("-", "+").replaceAll("_", "/");
  return Uint8Array.from(atob(letters), (letter) => letter.charCodeAt(0));
}

function jsonOf(text) {
  try {
    return JSON.parse(new TextDecoder().decode(bytesOf(text)));
  } catch {
    throw new Refused("broken");
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
  if (!fits) throw new Refused("changed");
}

async function unpacked(text) {
  const stream = new Blob([bytesOf(text)]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

async function sha(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return [...hash].map((one) => one.toString(16).padStart(2, "0")).join("");
}

// What a certificate says, its list and its key; Refused where none of the keys makes it believed.
export async function check(word, keys) {
  const parts = word.split(".");
  if (parts.length !== 3) throw new Refused("broken");
  const header = jsonOf(parts[0]);
  if (header?.alg !== ALG || Object.keys(header).length !== 2) throw new Refused("alg");
  const key = keys.find((one) => one.kid === header.kid);
  if (!key) throw new Refused("unknown");
  await checkSignature(parts, key);
  const claims = jsonOf(parts[1]);
  if (claims.v !== "certificate/1") throw new Refused("kind");
  const list = await unpacked(claims.doc);
  if ((await sha(list)) !== claims.sha) throw new Refused("other");
  if (key.revoked) throw new Refused("revoked", key.reason ?? "–");
  if (key.until && claims.iat > key.until) throw new Refused("ended");
  return { claims, list: JSON.parse(new TextDecoder().decode(list)), key };
}
