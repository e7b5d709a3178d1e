"""Army books out of BattleScribe files: read safely, translated openly, nothing dropped silently.

`read_sources` reads the files, `make_book` turns one catalogue into a book and a report.
"""

from armybuilder.importing.books import Import, make_book
from armybuilder.importing.reading import Sources, read_sources
from armybuilder.importing.writing import pretty

__all__ = ["Import", "Sources", "make_book", "pretty", "read_sources"]
