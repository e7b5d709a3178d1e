// Questions that the survey of all pages asks a page in the browser.
"use strict";
window.looking = {
  shift: 0, // how much of the page moved by itself, as the layout-shift score counts it

  // Whether an element is drawn, and meant for a finger: what is clipped away is for the keyboard.
  drawn(element) {
    const box = element.getBoundingClientRect();
    if (!element.checkVisibility({ visibilityProperty: true }) || box.width <= 2 || box.height <= 2) return false;
    return !element.closest("[aria-hidden=true]") && getComputedStyle(element).clipPath === "none";
  },

  // A link or fold-out amid the words of a sentence: it is as high as its line.
  inSentence(element) {
    if (!getComputedStyle(element).display.startsWith("inline")) return false;
    const beside = [...element.parentElement.childNodes].filter((node) => node !== element);
    return beside.some((node) => node.nodeType === Node.TEXT_NODE && /\p{L}{2}/u.test(node.data));
  },

  // Whether the element or a label of it is `size` pixels either way.
  large(element, size) {
    const boxes = [element, ...(element.labels || [])].map((one) => one.getBoundingClientRect());
    return boxes.some((box) => box.width >= size && box.height >= size);
  },

  // Whether a finger that misses its middle by half of `size` still meets it: it may have an area
  // around it that can be pressed.
  met(element, size) {
    element.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, top, width, height } = element.getBoundingClientRect();
    const [x, y, far] = [left + width / 2, top + height / 2, size / 2 - 1];
    const parts = [element, ...(element.labels || [])];
    return [[x, y - far], [x, y + far], [x - far, y], [x + far, y]].every(([across, down]) => {
      const there = document.elementFromPoint(across, down);
      return there && parts.some((part) => part.contains(there));
    });
  },

  pressable() {
    const all = "a[href], button, input:not([type=hidden]), select, textarea, summary, [role=button]";
    return [...document.querySelectorAll(all)]
      .filter((element) => !element.disabled && !element.closest(".skip, [inert]"))
      .filter((element) => this.drawn(element));
  },

  // What can be pressed and is smaller than `size` pixels either way.
  small(size) {
    const found = this.pressable()
      .filter((element) => !this.inSentence(element))
      .filter((element) => !this.large(element, size - 0.5))
      .map((element) => [element, this.told(element)]);
    return found.filter(([element]) => !this.met(element, size)).map(([, told]) => told);
  },

  // Whether the middle of an element's first line is its own, or under a name that looks at a unit,
  // or under a message that goes by itself.
  uncovered(element) {
    element.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const { left, top, width, height } = element.getClientRects()[0];
    const there = document.elementFromPoint(left + width / 2, top + height / 2);
    if (!there || there.closest(".strip, .peek")) return Boolean(there);
    return [element, ...(element.labels || [])].some((part) => part.contains(there));
  },

  // What can be pressed and has something else over it.
  covered() {
    const dialog = document.querySelector("dialog:modal") || document.body;
    const found = this.pressable().filter((element) => dialog.contains(element));
    return found.filter((element) => !this.uncovered(element)).map((element) => this.told(element));
  },

  told(element) {
    const { width, height } = element.getBoundingClientRect();
    const name = element.getAttribute("aria-label") || element.innerText || element.name || "";
    const kind = element.tagName.toLowerCase() + [...element.classList].map((one) => `.${one}`).join("");
    return `${kind} “${name.trim().split("\n")[0].slice(0, 30)}” ${Math.round(width)} × ${Math.round(height)}`;
  },

  // Settles once `holds()` is true, asked before every frame.
  until: (holds) =>
    new Promise((settled) => {
      const ask = () => (holds() ? settled() : requestAnimationFrame(ask));
      ask();
    }),

  seen: () => looking.until(() => performance.getEntriesByName("first-contentful-paint").length),
  // Settles once nothing has been asked of the server for a few frames: what a swap sets off begins
  // a moment later.
  quiet() {
    let frames = 0;
    return looking.until(() => {
      frames = document.querySelector(".htmx-request") ? 0 : frames + 1;
      return frames > 4;
    });
  },

  wide: () => document.documentElement.scrollWidth - document.documentElement.clientWidth,

  // Texts that don't fit: they stick out of their button or the page, or are cut where nothing scrolls.
  unfit() {
    const found = this.wide() > 0 ? [`page ${this.wide()} px too wide`] : [];
    for (const element of document.querySelectorAll("body *")) {
      const texts = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
      if (!texts.length || !this.drawn(element) || element.closest(".skip, .visually-hidden, textarea, select")) continue;
      const range = document.createRange();
      const right = Math.max(...texts.map((node) => (range.selectNode(node), range.getBoundingClientRect().right)));
      for (let box = element; box !== document.body; box = box.parentElement) {
        const style = getComputedStyle(box);
        if (["auto", "scroll"].includes(style.overflowX)) break;
        const holds = style.overflowX !== "visible" || box.matches("button, .button, .chip, .pill");
        if (!holds || right <= box.getBoundingClientRect().right + 1) continue;
        found.push(`${style.textOverflow === "ellipsis" ? "shortened" : "cut"} ${this.told(element)}`);
        break;
      }
    }
    return [...new Set(found)];
  },

  unfold() {
    for (const details of document.querySelectorAll("details:not(.menu)")) details.open = true;
  },
};
new PerformanceObserver((list) => {
  for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.looking.shift += entry.value;
}).observe({ type: "layout-shift", buffered: true });
