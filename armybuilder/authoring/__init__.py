"""A player’s own book as a document: cards typed in, pasted or worked out, and every change of it.

`fields` is the form kit, `card_parts` a field of a unit as a form reads and writes it (with
`abilities_text`, `options_text`, `wording`), `cards` all of a card; `grids` and `tables` read many.
`edits`, `category_edits` and `copying` make the next document, each ending in `checking`.
"""
