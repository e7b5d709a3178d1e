"""Event packs on pages: what they ask, and whether a list suits them."""
