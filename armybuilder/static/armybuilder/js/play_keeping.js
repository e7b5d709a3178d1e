// Where a game at the table is kept: in this browser, and in memory where that is full or forbidden.
// The number of a game counts its changes; no clock decides which of two is the newer.
const name = (key) => `play:${key}`;

export function load(key) {
  try {
    const kept = JSON.parse(localStorage.getItem(name(key)));
    const whole = kept && Array.isArray(kept.log?.acts) && Array.isArray(kept.sides) && kept.sides.length;
    return whole && Number.isInteger(kept.number) ? kept : null;
  } catch {
    return null;
  }
}

// Whether it could be kept.
export function save(key, kept) {
  try {
    localStorage.setItem(name(key), JSON.stringify(kept));
    return true;
  } catch {
    return false;
  }
}

// Tell of changes by other tabs of this browser.
export function watch(key, changed) {
  window.addEventListener("storage", (event) => {
    if (event.key === name(key) || event.key === null) changed(load(key));
  });
}
