"""Games that players brought as files: their contents, and removing them."""
