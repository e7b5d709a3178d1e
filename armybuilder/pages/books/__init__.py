"""Players’ own books: `book` (all of them, one), `cards` (one card), `filling` (many cards)."""
