// The page on which a list is built.
import "./site.js";
import "./shelf.js";
import "./drag.js";
