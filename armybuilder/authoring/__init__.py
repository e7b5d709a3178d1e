"""A player’s own book as a document: cards typed in, pasted or worked out, and every change of it.

From the text of a field to a card:
- `fields`: what a form is made of, a `Part` that reads and fills each field;
- `wording`: texts as people write them, ids made of names; `names`: things found by their names;
- `card_parts`, `army_parts`, `abilities_text`, `options_text`: the single parts of a card;
- `cards`: the card of a game, all its parts together; `cardform`: its form as a page draws it;
- `grids`, `tables`: many cards at once, a table's cells and what each row becomes;
- `converted`: a Chainmail card worked out from D&D scores.

From one document of a book to the next, without a database:
- `checking`: what every book must pass, its limits first;
- `edits`, `category_edits`: the changes that players make, each ending in that check;
- `copying`: what a unit from another book brings with it.
- `marks`: whether the part of a book that a page shows was changed meanwhile;
- `hints`: names that state what no verdict checks.
"""
