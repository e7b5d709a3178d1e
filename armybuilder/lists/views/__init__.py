"""Views: `pages` (home, new list, my lists), `builder` (one list), `sheets` (printouts)."""
