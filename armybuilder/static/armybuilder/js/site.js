// Every page: what is done when a part of it is exchanged, keys, and the palette.
import "./swaps.js";
import "./keys.js";
import "./offline.js";

// The meaning of a name opens next to it; without script, its link leads to a page.
document.addEventListener("click", (event) => {
  const link = event.target.closest?.("a.means, a.about");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  import("./meanings.js").then(
    ({ openMeaning }) => openMeaning(link),
    () => location.assign(link.href),
  );
});
