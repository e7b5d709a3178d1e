"""Army books out of BattleScribe files: read safely, translated openly, nothing dropped silently.

`books.make_book` walks the way: reading, vocabulary, source (bytes -> checked XML -> values);
survey (what reaches what); conditions, logic, amounts, traits (what entries say, in the format's
words); nodes, groups, options, links, units (drafts); tidy; organisation; ids, render (drafts ->
dicts); origin (places in the source); mends, other_editions, mounts (the whole book); writing.
"""

from armybuilder.battlescribe.books.books import Import, make_book
from armybuilder.battlescribe.books.reading import Sources, read_sources
from armybuilder.battlescribe.books.rulebook import FILES_ALONE, NINTH_AGE, Rulebook
from armybuilder.battlescribe.books.writing import pretty

__all__ = [
    "FILES_ALONE",
    "NINTH_AGE",
    "Import",
    "Rulebook",
    "Sources",
    "make_book",
    "pretty",
    "read_sources",
]  # fmt: skip
