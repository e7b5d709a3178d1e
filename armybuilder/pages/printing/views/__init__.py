"""Views of printing."""
