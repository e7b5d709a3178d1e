"""A player’s own book as a document: cards typed in, pasted or worked out, and every change of it.

`fields` is the form kit, `cards` reads and writes a card by it (with `abilities_text`,
`options_text`, `wording`), `tables` many. `edits` and `copying` make the next document, each ending
in `checking`.
"""
