"""Players' own books: cards typed in, pasted or imported, kept in the database and shared.

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

Stored and shown:
- `models`, `selectors` (reads), `services` (writes, one transaction each), `marks` (whether a page
  is out of date), `sharing` (secret addresses);
- `pinning`: the content that lists draw from is kept as it was; `tidying`: what may go for good;
- `shown`: what pages show of a book; `hints`: names that state what no verdict checks;
  `urls`, `paths` and `views`: the pages.
"""
