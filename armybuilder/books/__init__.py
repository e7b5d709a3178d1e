"""Players' own books: cards typed in, pasted or imported, kept in the database and shared.

`cards` is the form of a card whatever the game, `tables` reads many cards at once, `edits` are the
pure functions from a book document to the next one; the rest stores and shows them.
"""
