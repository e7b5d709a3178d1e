"""Random armies of our books get the same price and verdict from the files that these were made of,
judged by the kernel, but for differences with a name.

`ARMIES=20 THOROUGH=all pytest tests/battlescribe/files/test_own_books.py` tries 20 of each book.
"""

import os
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import pytest

from armybuilder.battlescribe.files.books import FileBook
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import members_of, read_element
from armybuilder.battlescribe.files.rosters import RosterReader
from armybuilder.battlescribe.rosters import write_ros
from armybuilder.engine import validate
from armybuilder.engine.citations import Severity
from armybuilder.engine.kernel.branches import Breach
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.loading.documents import catalogue_of, make_roster
from tests.battlescribe.files.random_lists import GAMES
from tests.building.documents import value_of
from tests.exchange.pasted import LIBRARY
from tests.random_armies.test_random_armies import BOOKS, army

ARMIES = int(os.environ.get("ARMIES", "1"))
FILES = Path(os.environ.get("BATTLESCRIBE_FILES", "nowhere"))
THIRD: Final = next((path for path in GAMES if path.stem == "t9a-3rd"), None)


class Judged(NamedTuple):
    """An army as our engine judges it, and as the files do."""

    codes: set[str]
    limit: int
    points: int
    breaches: list[Breach]
    spent: Any
    asks_parents: bool

    @property
    def named(self) -> set[str]:
        """The names of what the files find wrong."""
        return {breach.bound.definition.name for breach in self.breaches if breach.bound}


def asks_parents(breach: Breach, evaluation: Evaluation) -> bool:
    """Return whether a bound, or what joins what it counts, is moved by what stands beside."""
    bound = breach.bound
    if bound is None or not isinstance(bound.definition, FileDefinition):
        return False
    moved = list(bound.definition.modifiers.get(bound.id, ()))
    for node in evaluation.parts(breach):
        if isinstance(node.definition, FileDefinition):
            moved += node.definition.modifiers.get("category", ())
    elements = (part for modifier, around in moved for part in (modifier, *around))
    return any(inner.get("scope") == "parent" for part in elements for inner in part.walk())


#: Why our verdict or price may be another than the letter of the files, and when that is so.
NAMES: Final[dict[str, Callable[[Judged], bool]]] = {
    # Rulebook 8.C: caps follow the size of the game; the files have those of 3,000 to 4,500 points.
    "size of the game": lambda judged: not 3000 <= judged.limit <= 4500,
    # Rulebook 8.B: an army spends enough, and has enough units; no file asks for it.
    "spending enough": lambda judged: (
        bool(judged.codes)
        and judged.codes <= {"points.under", "category.under", "units.too-few", "unit.too-large"}
    ),
    # The price of a unit below its least size is that of its least size.
    "too small": lambda judged: "unit.too-small" in judged.codes,
    # Authors ask "parent" of a unit, and of what stands within an entry of it, and mean the unit.
    "parent": lambda judged: judged.asks_parents,
    # What must be taken and is the only choice stands on no roster of ours.
    "comes by itself": lambda judged: any(
        breach.bound is not None and not breach.is_over and breach.measured < 1
        for breach in judged.breaches
    ),
    # What one file says against itself, or its rulebook, is mended (docs/truth.md).
    "mended": lambda judged: bool(
        judged.named & {"Gallantry", "Fires of Industry", "Throwing Weapons", "Paired Weapons"}
    ),
}
#: Books in which prices that a file repeats, or leaves at 0, are read as meant.
PRICES_MENDED: Final = {"ogre-khans", "sylvan-elves"}


@lru_cache(maxsize=4)
def _game(system: str) -> GameFiles:
    return GameFiles(members_of(THIRD if system == "t9a-3rd" and THIRD else FILES / system))


def judged(system: str, book: str, number: int) -> Judged:
    document = value_of(army(system, book, number))
    catalogue = catalogue_of(document, LIBRARY)
    report = validate(make_roster(document, catalogue), catalogue)
    game = _game(system)
    roster = RosterReader(game, lru_cache(lambda id: FileBook(game, id))).read(
        read_element(write_ros(document, LIBRARY))
    )
    evaluation = Evaluation(roster)
    cost = next(game.system.all("costTypes")).id
    breaches = [breach for breach in evaluation.breaches if breach.severity == "error"]
    return Judged(
        {f.head.code for f in report.findings if f.severity == Severity.ERROR},
        document.limit,
        report.full.points,
        breaches,
        evaluation.spent(cost),
        any(asks_parents(breach, evaluation) for breach in breaches),
    )


@pytest.mark.one_in(30)
@pytest.mark.parametrize(("system", "book"), BOOKS, ids=["/".join(one) for one in BOOKS])
def test_an_army_is_priced_and_judged_alike_by_our_book_and_by_its_files(
    system: str, book: str
) -> None:
    if not (THIRD if system == "t9a-3rd" else (FILES / system).is_dir()):
        pytest.skip("the files that the book was made of are not here")
    for number in range(ARMIES):
        one = judged(system, book, number)
        names = {name for name, explains in NAMES.items() if explains(one)}
        if one.points != one.spent:
            assert "too small" in names or book in PRICES_MENDED, (number, one.points, one.spent)
        if bool(one.codes) != bool(one.breaches):
            assert names, (number, one.codes, one.named)
