// My lists.
import "./site.js";
import "./ticks.js";
import "./times.js";
