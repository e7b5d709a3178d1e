"""Pasted lists: texts read, with the outcome of every line, and turned into a document.

It reads the forms of `sheets.texts` (in any language of the pages), players' tournament posts, such
as "25 Citizen Spears, Champion, 320" or "Prince (General, Shield) [480]", and other army builders'
texts. Steps: `rows` (without marks; `data` in JSON or YAML as rows), `lines` (kinds of rows, with
`own_forms`, `builders` and tables), `head` (game, books, size), `entries` (parts of a unit's line;
`profiles` of own models), `names` (lookup), `options`, `units`, `pasted_text` (all lines);
`reading` does it in the edition that fits, `results` holds it. A text with many lists is split
first: by `splitting` at army books, by `several` at other marks.
"""

from armybuilder.exchange.pasting.reading import editions_of, in_one_edition, read_part, read_text
from armybuilder.exchange.pasting.results import PastedLine, PastedList
from armybuilder.exchange.pasting.several import split_text
from armybuilder.exchange.pasting.splitting import PastedPart

__all__ = [
    "PastedLine", "PastedList", "PastedPart", "editions_of", "in_one_edition", "read_part",
    "read_text", "split_text",
]  # fmt: skip
