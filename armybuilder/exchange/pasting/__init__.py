"""Lists pasted as text: read, with the outcome of every line, and turned into a document.

Read are the forms of `sheets.texts` (in any language of the pages) and what players post for
tournaments, such as "25 Citizen Spears, Champion, 320" or "Prince (General, Shield) [480]", and
what other army builders write. The way of a text: `broken_lines`, `rows` (without marks), `items`
and `other_builders` (kinds of lines), `head` and `game` (books, size), `entries` (a unit's line),
`names` (looked up), `taken` (options, `short_names`), `own_models`, `units`; `reading` does it all,
`blocks` and `results` hold it. A text with many lists is first taken apart by `splitting`
(`our_heads`, `pack_rows`).
"""

from armybuilder.exchange.pasting.head import OtherBook
from armybuilder.exchange.pasting.reading import game_in, game_of_part, read_part, read_text
from armybuilder.exchange.pasting.results import PastedLine, PastedList
from armybuilder.exchange.pasting.splitting import TextPart, split_text

__all__ = ["OtherBook", "PastedLine", "PastedList", "TextPart"]
__all__ += ["game_in", "game_of_part", "read_part", "read_text", "split_text"]
