"""Facts about games and books: search, unchecked restrictions, limits of the verdicts."""
