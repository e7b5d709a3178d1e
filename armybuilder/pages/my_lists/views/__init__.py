"""Views of My lists."""
