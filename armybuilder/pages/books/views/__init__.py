"""Views: `shelf` (my books), `book` (one book), `cards` (one card), and what fills a book."""
