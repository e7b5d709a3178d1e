// The page on which a list is built.
import "./site.js";
import "./order.js";
import "./unsent.js";
import "./views.js";
import "./sure.js";
import "./adding.js";
import "./shelf.js";
import "./outlook.js";
import "./drag.js";
import "./copy.js";
import "./finding.js";
