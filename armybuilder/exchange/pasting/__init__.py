"""Lists pasted as text: read, with the outcome of every line, and turned into a document.

Read are the forms of `sheets.texts` (in any language of the pages), what players post for
tournaments, such as "25 Citizen Spears, Champion, 320" or "Prince (General, Shield) [480]", and
what other army builders write. The way of a text: `rows` (without marks), `lines` (kinds of rows),
`head` (game, books, size), `entries` (a unit's line taken apart), `names` (looked up), `options`
(what is taken), `units`, `pasted_text` (all lines); `reading` does it in the edition that fits,
`results` holds it. A text with many lists is first taken apart: by `splitting` at army books, by
`several` at what else tells lists from sections.
"""

from armybuilder.exchange.pasting.reading import (
    editions_of,
    in_one_edition,
    read_part,
    read_text,
)
from armybuilder.exchange.pasting.results import PastedLine, PastedList
from armybuilder.exchange.pasting.several import split_text
from armybuilder.exchange.pasting.splitting import PastedPart

__all__ = [
    "PastedLine", "PastedList", "PastedPart", "editions_of", "in_one_edition", "read_part",
    "read_text", "split_text",
]  # fmt: skip
