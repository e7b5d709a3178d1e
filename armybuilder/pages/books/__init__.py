"""Players’ own books: write, paste, import, share."""
