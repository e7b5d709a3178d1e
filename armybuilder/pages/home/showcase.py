"""Showcase of the first page: a small list that isn't legal, and then is."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from armybuilder.editing.unit_edits import add_unit, remove
from armybuilder.engine import Report, Severity, choices, validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library

#: How many units a list to be shown has, the one that breaks it among them.
FEWEST, MOST = 3, 5


class ShowcaseLine(NamedTuple):
    """A unit of the list; `goes` if the list is legal without it."""

    name: str
    models: int
    points: int
    goes: bool


class Showcase(NamedTuple):
    """A list with one unit that breaks one rule (`finding`), and its verdict without that unit."""

    name: str
    lines: tuple[ShowcaseLine, ...]
    wrong: Report
    finding: Finding
    right: Report

    @property
    def sentence(self) -> str:
        return sentence(self.finding)

    @property
    def culprit(self) -> str:
        return next(line.name for line in self.lines if line.goes)


@lru_cache(maxsize=1)
def showcase() -> Showcase | None:
    """Return the first that an example of the smallest games makes; worked out by the engine."""
    return next(_showcases(), None)


def _showcases() -> Iterator[Showcase]:
    library = shipped_library()
    examples = shipped_examples().by_system
    for system in sorted(library.systems.values(), key=lambda game: (game.default_size, game.id)):
        for example in examples.get(system.id, ()):
            books = [book.id for book in example.document.books]
            if not system.sized and FEWEST <= len(example.document.units) <= MOST:
                yield from _broken_by_one(example.document, library.catalogue(system.id, books))


def _broken_by_one(document: ArmyList, catalogue: Catalogue) -> Iterator[Showcase]:
    """Yield the list with its last unit exchanged for one that breaks a single rule."""
    legal = remove(document, document.units[-1].id)
    roster = make_roster(legal, catalogue)
    right = validate(roster, catalogue)
    if right.of(Severity.ERROR):
        return
    for choice in choices(roster, catalogue):
        if len(choice.breaks) != 1 or choice.worsens:
            continue
        broken, entry = add_unit(legal, catalogue, choice.unit.ref)
        wrong = validate(make_roster(broken, catalogue), catalogue)
        errors = wrong.of(Severity.ERROR)
        if len(errors) == 1 and not errors[0].rule.is_budget:
            lines = tuple(
                ShowcaseLine(line.name, line.models, line.points, line.pick.id == entry)
                for line in wrong.full.lines
            )
            yield Showcase(document.name, lines, wrong, errors[0], right)
