// Pages that show when something was done, or have a text to copy.
import "./site.js";
import "./copy.js";
import "./times.js";
