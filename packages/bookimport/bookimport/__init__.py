"""Army books out of BattleScribe files: read safely, translated openly, nothing dropped silently.

A Django app of two commands, `import_battlescribe` and `audit_catalogues`.

`books.make_book` walks the way: reading, vocabulary, source (bytes -> checked XML -> values);
survey (what reaches what); conditions, logic, amounts, traits (what entries say, in the format's
words); nodes, groups, options, links, units (drafts); tidy; organisation; ids, render (drafts ->
dicts); origin (places in the source); mends, other_editions, mounts (the whole book); writing.
"""

from bookimport.books import Import, make_book
from bookimport.reading import Sources, read_sources
from bookimport.rulebook import NINTH_AGE, Rulebook
from bookimport.writing import pretty

__all__ = [
    "NINTH_AGE",
    "Import",
    "Rulebook",
    "Sources",
    "make_book",
    "pretty",
    "read_sources",
]  # fmt: skip
