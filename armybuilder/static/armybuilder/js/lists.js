// My lists.
import "./site.js";
import "./ticks.js";
import "./drop.js";
import "./times.js";
