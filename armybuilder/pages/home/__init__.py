"""Pages of the start: the first page, new lists, and errors."""
