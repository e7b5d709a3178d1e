"""Games and books to browse."""
