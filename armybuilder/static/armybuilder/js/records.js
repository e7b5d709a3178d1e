// Pages that tell when something was done, or have a text to be copied.
import "./site.js";
import "./copy.js";
import "./times.js";
