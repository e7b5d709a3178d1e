"""Army lists: their documents, the edits that change them, and the builder's pages."""
