// The pages of books and their cards.
import "./site.js";
import "./cards.js";
