"""Games out of BattleScribe files: a game system of its own, made of a .gst, with its books.

`game.make_game` walks the way: costs (what a point is), the books by `books.make_book`, `rules`
(what judges them), `system` (the content of a `system.json`), and the checks of the loader.
"""

from armybuilder.battlescribe.games.fitting import fitted
from armybuilder.battlescribe.games.game import GameImport, RefusedFile, make_game

__all__ = ["GameImport", "RefusedFile", "fitted", "make_game"]
