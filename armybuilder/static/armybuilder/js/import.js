// The page where lists are imported.
import "./site.js";
import "./drop.js";
