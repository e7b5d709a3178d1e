"""Games that players brought as files: what is in one, and forgetting it."""
