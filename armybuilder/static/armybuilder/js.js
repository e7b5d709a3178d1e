// Runs before the first paint: what is there only with script, or only without, is laid out at once.
document.documentElement.classList.add("js");
