"""Views of one list."""
