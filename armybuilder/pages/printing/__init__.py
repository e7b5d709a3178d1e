"""Print a list: set-ups, previews, files, and jobs of many lists."""
