"""A player’s own book as a document: cards typed in, pasted or worked out, and every change of it.

A card is read by the parts of its form: `fields`, `wording`, `card_parts`, `army_parts`,
`abilities_text`, `options_text`, all together in `cards`; `grids` and `tables` read many at once.
`edits`, `category_edits` and `copying` make the next document, each ending in `checking`.
"""
