"""Games that players bring as files, and keep."""
