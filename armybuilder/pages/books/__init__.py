"""Players’ own books: `shelf` (my books), `book` (one book), `cards` (one card), filling one."""
