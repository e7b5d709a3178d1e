"""Random lists of a game's files, and random changes of the unknowns of a statement."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import count
from pathlib import Path
from random import Random
from typing import Final

from armybuilder.battlescribe.files.bringing import take_apart
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import members_of
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import PickList
from armybuilder.engine.kernel.spots import Offer, Spot, most_of
from armybuilder.engine.kernel.statement import Statement
from armybuilder.loading.problems import Refusal
from tests.battlescribe.files.specs import SUITE

#: Snapshots of community files, and of several games in one of them, which is meant.
GAMES: Final = sorted((SUITE.parents[1] / "games").glob("*.zip"))
SYSTEMS: Final = {"kingsofwar": "0929-4596-8744-bbdb", "wh40k-killteam": "c521-ad27-44df-f959"}


def games_in(path: Path) -> Iterator[GameFiles]:
    """Yield all games of a zip."""
    for found in take_apart([(path.name, path.read_bytes())]).games:
        yield GameFiles(found.members(), found.system.id)


@lru_cache(maxsize=2)
def game_in(path: Path) -> GameFiles:
    """Return the game of a zip."""
    return GameFiles(members_of(path), SYSTEMS.get(path.stem, ""))


def random_list(game: GameFiles, random: Random, units: int = 6) -> RosterEditor | None:
    """Return a list of so many random units with random options; None of a catalogue that has no
    forces or cannot be read.
    """
    heads = [head for head in game.heads.values() if not head.says("library")]
    editor = RosterEditor(game)
    try:
        book = editor.book(random.choice(heads).id)
    except Refusal:
        return None
    forces = list(book.force_elements())
    force = book.force(forces[0].id) if forces else None
    if force is None:
        return None
    id = editor.add_force(force)
    shown = [one for one in force.children if isinstance(one, FileDefinition)]
    shown = [one for one in shown if not one.says("hidden")]
    of_models = [one for one in shown if one.type in ("unit", "model")] or shown
    for _ in range(units if of_models else 0):
        unit = editor.select(id, random.choice(of_models))
        for _ in range(3):
            holding = [pick for pick in editor.pick(unit).walk() if pick.definition.offered]
            if holding:
                pick = random.choice(holding)
                editor.select(pick.id, random.choice(pick.definition.offered))
    return editor


def some_more(random: Random) -> Offer:
    """Offer a few things more, one of each."""

    def offer(above: Spot, definition: Definition) -> tuple[int, int]:
        share = 0.1 if not above.in_branch else 0.3 if above.was is not None else 0
        return (1, max(1, most_of(definition))) if random.random() < share else (0, 0)

    return offer


def changed_values(statement: Statement, random: Random) -> dict[int, int]:
    """Return the list as it stands with a quarter of its unknowns changed."""
    values, both = statement.space.as_it_stands(), statement.constraints
    for spot in statement.spots:
        above = spot.above
        if spot.variable is None or above is None:
            continue
        if above.variable is not None and not values[above.variable]:
            values[spot.variable] = 0
        elif random.random() < 0.25:
            values[spot.variable] = random.randint(0, both.high[spot.variable])
    return values


def list_of(statement: Statement, values: list[int]) -> PickList:
    """Return the list that the unknowns' values mean."""
    ids: Iterator[int] = count(1)
    return statement.space.list_of(values, lambda: f"new-{next(ids)}")
