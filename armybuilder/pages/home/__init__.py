"""The first page, new lists, and what the site says where it cannot help."""
