"""Players' own books in the database, and the contents that lists draw from (`pinning`).

`authoring` makes and changes their documents.
"""
