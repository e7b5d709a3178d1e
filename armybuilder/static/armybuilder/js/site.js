// Every page: what is done when a part of it is exchanged, keys, and the palette.
import "./swaps.js";
import "./keys.js";
import "./meanings.js";
import "./offline.js";
