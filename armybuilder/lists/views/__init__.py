"""Views: `pages` (home, my lists), `builder`, `own_models` (one list), `sheets` (printouts)."""
