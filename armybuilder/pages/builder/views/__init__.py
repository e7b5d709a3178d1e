"""Views of one list: the page and its acts, charts, changed books, own models, palette, tabs."""
