"""Players' own books in the database (`authoring` makes and changes their documents), and the
contents that lists draw from (`pinning`).
"""
