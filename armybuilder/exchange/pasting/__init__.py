"""Lists pasted as text: read, with the outcome of every line, and turned into a document.

Read are the forms of `sheets.texts` (in any language of the pages) and what players post for
tournaments, such as "25 Citizen Spears, Champion, 320", "480 - Prince, General" or
"Prince (General, Shield) [480]". The way of a text:

    rows.py       marks of Markdown and BBCode off, one row for each line
    full_form.py  the full form, whose lines are broken, put together again
    head.py       which game, books, size and settings the lines above the units tell
    entries.py    a line of a unit taken apart: number, points, own name, and what may be a name
    names.py      names looked up: as written, nearly so, or guessed
    taken.py      what is taken on a unit: names to paths in the tree of its options
    own_lines.py  lines of our own forms, whose grammar is known
    own_models.py what only the lines below a unit tell: own models, cards filled in by hand
    units.py      all of that for one unit, with what the player chose of several readings
    reading.py    `read_text`, which does it all
    results.py    what it hands back
"""

from armybuilder.exchange.pasting.head import OtherBook
from armybuilder.exchange.pasting.reading import game_in, read_text
from armybuilder.exchange.pasting.results import PastedLine, PastedList

__all__ = ["OtherBook", "PastedLine", "PastedList", "game_in", "read_text"]
