"""Lists as files and texts of other programs, and many at once: documents in, documents out."""
