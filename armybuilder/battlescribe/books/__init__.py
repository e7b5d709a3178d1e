"""Army books out of BattleScribe files: read safely, translated openly, nothing dropped silently.

`read_sources` reads the files, `make_book` turns one catalogue into a book and a report. The way
through, as `books` walks it:

reading, vocabulary, source: bytes -> checked XML -> frozen entries, links, conditions
survey: which units reach what, through which links
conditions, logic: what BattleScribe asks -> conditions of the format, simplified
amounts, traits: limits, prices and changes; names, keywords, stat lines, kinds of items
nodes, groups, options, links, units: entries -> drafts of groups, options, uses and units
pruning, tidy: what comes to nothing goes, what tells nothing is merged away
organisation: categories and ways to organise the army
names, ids, render: drafts -> the dicts that are written
origin: where everything stands in the source, for rosters in and out
equipment, known_slips: what can be said only when the book is whole
report, writing: what a person is told; JSON that people can read
"""

from armybuilder.battlescribe.books.books import Import, make_book
from armybuilder.battlescribe.books.reading import Sources, read_sources
from armybuilder.battlescribe.books.writing import pretty

__all__ = ["Import", "Sources", "make_book", "pretty", "read_sources"]
