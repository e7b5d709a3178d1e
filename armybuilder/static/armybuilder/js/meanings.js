// The meaning of a name, as a card next to it. `site.js` fetches this when one is first wanted.

const card = document.createElement("div");
card.id = "meaning";
card.popover = "auto"; // one at a time; Esc and a click elsewhere close it
card.tabIndex = -1;
card.autofocus = true;
card.setAttribute("role", "dialog");
card.setAttribute("aria-labelledby", "meaning-title");
document.body.append(card);

const known = new Map(); // the text of each name asked for on this page, by its address

async function textOf(url) {
  if (!known.has(url)) {
    const answer = await fetch(url, { headers: { "HX-Request": "true" } });
    if (!answer.ok) throw new Error(String(answer.status));
    known.set(url, await answer.text());
  }
  return known.get(url);
}

const GAP = 6;

// Below the row of the name, or above it; on a phone at the end of the screen that is farther off,
// so that what was just pressed stays in sight.
function place(link) {
  const row = link.getBoundingClientRect();
  card.classList.toggle("at-top", row.top > innerHeight / 2);
  const below = row.bottom + GAP + card.offsetHeight <= innerHeight;
  card.style.top = `${Math.max(below ? row.bottom + GAP : row.top - GAP - card.offsetHeight, GAP)}px`;
  card.style.left = `${Math.max(Math.min(row.left, innerWidth - card.offsetWidth - GAP), GAP)}px`;
}

let wanted; // the name pressed last

export async function openMeaning(link) {
  wanted = link;
  try {
    const text = await textOf(link.href);
    if (wanted !== link) return;
    card.innerHTML = text;
    card.showPopover();
    place(link);
  } catch {
    location.assign(link.href);
  }
}
