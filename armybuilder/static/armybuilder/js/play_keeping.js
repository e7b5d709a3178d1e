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

function write(what, text) {
  try {
    localStorage.setItem(what, text);
  } catch {
    // It asks again the next time.
  }
}

// Keep a game with an account, too, after a pause in the taps. `kept` is what it had when the page was
// made; `number` is the change that this browser knows of: where there is a later one, it asks.
const PAUSE = 1500;
const AGAIN = 15_000;

export function syncWith(account, key, { current, told, take }) {
  const known = `${name(key)}:account`;
  const owed = `${known}:owed`; // whether it has not all taps yet
  let there = account.kept;
  let number = 0;
  let timer = 0;
  let waits = false;
  try {
    number = Number(localStorage.getItem(known)) || 0;
  } catch {
    // Without storage this browser knows of no change.
  }

  function know(now) {
    number = now;
    write(known, String(now));
    write(owed, "");
  }

  function conflict(kept) {
    there = kept;
    waits = true;
    told("conflict", true);
  }

  async function send() {
    if (waits) return;
    const { number: _changes, ...game } = current();
    try {
      const answer = await fetch(account.address, {
        method: "POST",
        headers: { "Content-Type": "application/json", "X-CSRFToken": account.token },
        body: JSON.stringify({ key, number, game: { ...game, number: 0 } }),
      });
      told("offline", !answer.ok && answer.status !== 409);
      if (answer.status === 409) conflict(await answer.json());
      else if (answer.ok) know((await answer.json()).number);
      else if (answer.status >= 500) later(AGAIN);
    } catch {
      told("offline", true);
      later(AGAIN);
    }
  }

  function later(wait) {
    clearTimeout(timer);
    timer = setTimeout(send, wait);
  }

  function isOwed() {
    try {
      return Boolean(localStorage.getItem(owed));
    } catch {
      return false;
    }
  }

  function settle() {
    waits = false;
    told("conflict", false);
    know(there.number);
  }

  return {
    changed() {
      write(owed, "1");
      later(PAUSE);
    },
    begin() {
      // A page that this browser has saved may know less than it does.
      if (!there || there.number <= number) {
        if (isOwed()) later(0);
        return;
      }
      const { log } = current();
      if (log.base || log.acts.length) return conflict(there);
      know(there.number);
      take(there.game);
    },
    takeTheirs() {
      settle();
      take(there.game);
    },
    keepMine() {
      settle();
      later(0);
    },
  };
}
