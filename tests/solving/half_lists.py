"""`python -m tests.solving.half_lists --lists 1000`: ask every verb about half lists of each game.

`--lists` of each, of an army game from all of its books. Prints where two verbs contradict each
other; for each game how many lists there were, what becomes of them, the contradictions and the
seconds of processor; at the end one line with the sums. Ends with status 1 if there are any
contradictions. `--games` names some of the games, `--share 2/3` does the second of three shares,
`--seconds` limits each verb: what it does not know by then, it does not say.
"""

import argparse
import os
import sys
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import islice
from random import Random
from time import process_time
from typing import Any

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    import django

    django.setup()

from armybuilder.editing.unit_edits import add_unit, new_entry
from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList, ListOption, ListUnit, changed
from armybuilder.loading.documents import make_roster
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.explain import explain
from armybuilder.solving.fill import filling
from armybuilder.solving.look_ahead import Fate, Outlook, look_ahead
from armybuilder.solving.repair import repairs
from tests.building.documents import value_of
from tests.building.random_lists import ARMY_BOOKS, SKIRMISHES, catalogue_of, random_lists

SOLVER = CpSat()
#: Seconds for a verb.
SECONDS = 1.0
#: Each game with what its lists are drawn from.
GAMES: dict[str, list[str]] = {**{game: [game] for game in SKIRMISHES}, "t9a-2023": ARMY_BOOKS}


def halves(game: str, seed: str = "half") -> Iterator[ArmyList]:
    """Return random lists of a game, each without about half of its units."""
    chance = Random(f"{seed} {game}")  # noqa: S311, tries, not secrets
    for data in random_lists(game, chance.randrange(10**6)):
        units = [one for one in data["units"] if chance.random() < 0.5]
        yield value_of({**data, "units": units})


def parts_of(army_list: ArmyList) -> set[tuple[str, ...]]:
    """What each unit is and has: its roles, options, and what these are put on where that is
    chosen.
    """
    found = set[tuple[str, ...]]()

    def note(options: Iterable[ListOption], *above: str) -> None:
        for one in options:
            found.add((*above, one.id))
            if one.on:
                found.add((*above, one.id, "on", one.on))
            note(one.options, *above, one.id)

    for unit in army_list.units:
        found |= {(unit.id, unit.ref), *((unit.id, "role", role) for role in unit.roles)}
        note(unit.options, unit.id)
    return found


def has_grown(before: ArmyList, after: ArmyList, catalogue: Catalogue) -> bool:
    """Whether nothing of a list went or changed, of its settings neither. A model that goes into
    reserve, at another price, leaves the warband.
    """
    priced = {role.id for role in catalogue.system.roles.values() if role.price is not None}
    before, after = (_without_given(one, catalogue) for one in (before, after))
    there = {one.id: one for one in after.units}
    kept = all(
        one.id in there
        and there[one.id].models >= one.models
        and priced.isdisjoint({*there[one.id].roles} - {*one.roles})
        for one in before.units
    )
    return (
        kept
        and parts_of(before) <= parts_of(after)
        and _numbers(before) <= _numbers(after)
        and before.limit == after.limit
        and all(_holds(value, after.settings.get(key)) for key, value in before.settings.items())
    )


def _without_given(army_list: ArmyList, catalogue: Catalogue) -> ArmyList:
    """Leave out what units have anyway, whether a list names it or not."""

    def without(entry: ListUnit) -> ListUnit:
        unit = catalogue.units.get(entry.ref)
        given = {pick.id for pick in unit.fresh if pick.given and not pick.picks} if unit else set()
        return replace(entry, options=tuple(one for one in entry.options if one.id not in given))

    return changed(army_list, units=tuple(without(one) for one in army_list.units))


def _numbers(army_list: ArmyList) -> Counter[tuple[str, ...]]:
    """How often each option is taken, by the path to it."""
    found = Counter[tuple[str, ...]]()

    def note(options: Iterable[ListOption], *above: str) -> None:
        for one in options:
            found[*above, one.id] = one.number
            note(one.options, *above, one.id)

    for entry in army_list.units:
        note(entry.options, entry.id)
    return found


def _holds(value: object, after: object) -> bool:
    if isinstance(value, tuple) and isinstance(after, tuple):
        return all(after.count(piece) >= value.count(piece) for piece in value)
    return value == after


class Asking:
    """What every verb says of one list."""

    def __init__(self, made: ArmyList, catalogue: Catalogue, seconds: float = SECONDS) -> None:
        self.made = made
        self.catalogue = catalogue
        self.seconds = seconds
        self.outlook: Outlook = look_ahead(made, catalogue, SOLVER, seconds)
        self.filled = filling(made, catalogue, SOLVER, 1)
        self.mended = repairs(made, catalogue, SOLVER)
        self.core = explain(made, catalogue, SOLVER, seconds)

    @property
    def fate(self) -> Fate:
        return self.outlook.whole

    def is_legal(self, army_list: ArmyList) -> bool:
        return validate(make_roster(army_list, self.catalogue), self.catalogue).legal

    def contradictions(self, chance: Random | None = None) -> Iterator[str]:
        """Yield where two verbs say what cannot both be; with `chance`, of two units too."""
        noes = {
            "look-ahead": self.fate is Fate.DEAD,
            "fill": self.filled.impossible,
            "repair": self.mended.impossible,
            "explanation": self.core is not None,
        }
        if self.fate is Fate.OPEN:
            yield from (f"open, but no by {verb}" for verb, says_no in noes.items() if says_no)
        filled = self.filled.filled
        if filled is not None and not filled.unfinished:
            if not has_grown(self.made, filled.army_list, self.catalogue):
                yield "the filling has lost something"
            yield from self._against("filled", filled.army_list, noes)
        for way in self.mended.found:
            if not self.is_legal(way.army_list):
                yield "a repair is not legal"
            if has_grown(self.made, way.army_list, self.catalogue):
                grown = {verb: no for verb, no in noes.items() if verb != "repair"}
                yield from self._against("repaired by adding", way.army_list, grown)
        if chance is not None:
            yield from self._of_units(chance)

    def _against(self, what: str, after: ArmyList, noes: dict[str, bool]) -> Iterator[str]:
        """Yield who says that a list cannot be, that is there."""
        if not self.is_legal(after):
            yield f"{what} is not legal"
            return
        yield from (f"{what}, but no by {verb}" for verb, says_no in noes.items() if says_no)
        had, has = (Counter[str]() for _ in "12")
        for number, army_list in ((had, self.made), (has, after)):
            for one in army_list.units:
                number[one.ref] += 1 if self.catalogue.system.sized else one.models
        for ref in has - had:
            if self.outlook.units.get(ref) is Fate.DEAD:
                yield f"{what} with {ref}, which is a dead end"

    def _of_units(self, chance: Random) -> Iterator[str]:
        """Add a unit that may come, and one that may not, and ask again."""
        for fate in (Fate.OPEN, Fate.DEAD):
            refs = [ref for ref, one in self.outlook.units.items() if one is fate]
            if not refs:
                continue
            ref = chance.choice(refs)
            more = [*self._with(ref)]
            again = {look_ahead(one, self.catalogue, SOLVER, self.seconds).whole for one in more}
            filled = [filling(one, self.catalogue, SOLVER, 1) for one in more]
            if fate is Fate.OPEN:
                if again == {Fate.DEAD}:
                    yield f"{ref} is open, with it the list is dead"
                if all(one.impossible for one in filled):
                    yield f"{ref} is open, with it no filling is possible"
                continue
            if Fate.OPEN in again:
                yield f"{ref} is dead, with it the list is open"
            if any(one.filled is not None and not one.filled.unfinished for one in filled):
                yield f"{ref} is dead, with it there is a filling"

    def _with(self, ref: str) -> Iterator[ArmyList]:
        """Yield the list with one more of a unit, in each role that changes its price, too."""
        yield add_unit(self.made, self.catalogue, ref)[0]
        unit, units = self.catalogue.units[ref], self.made.units
        for role in self.catalogue.system.roles.values():
            if role.price is not None and unit.size is None:
                one = replace(new_entry(unit), id="more", roles=(role.id,))
                yield changed(self.made, units=(*units, one))


def ask(game: str, number: int, seconds: float, share: tuple[int, int]) -> Counter[str]:
    """Ask about a share of so many half lists; print contradictions and return the figures."""
    figures, sources, (which, shares) = Counter[str](), GAMES[game], share
    for place, source in enumerate(sources):
        catalogue = catalogue_of(source)
        lists = number // len(sources) + (place < number % len(sources))
        for index, made in enumerate(islice(halves(source), lists)):
            if index % shares != which - 1:
                continue
            asking = Asking(made, catalogue, seconds)
            chance = Random(f"{source} {index}")  # noqa: S311
            found = [*asking.contradictions(chance)]
            figures.update(["lists", asking.fate.value, *["contradictions"] * len(found)])
            for one in found:
                print(source, index, one, made.to_dict(), sep="\t", flush=True)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lists", type=int, default=1000)
    parser.add_argument("--games", nargs="+", default=[*GAMES], choices=[*GAMES])
    parser.add_argument("--seconds", type=float, default=SECONDS)
    parser.add_argument("--share", default="1/1")
    asked: Any = parser.parse_args()
    which, _, shares = asked.share.partition("/")
    share, total = (int(which), int(shares)), Counter[str]()
    for game in asked.games:
        begun = process_time()
        figures = ask(game, asked.lists, asked.seconds, share)
        total += figures
        print(_summary(game, figures, process_time() - begun), flush=True)
    print(_summary(f"{len(asked.games)} games", total, process_time()))
    return int(total["contradictions"] > 0)


def _summary(name: str, figures: Counter[str], seconds: float) -> str:
    fates = ", ".join(f"{figures[fate.value]} {fate.value}" for fate in Fate)
    wrong = figures["contradictions"]
    return f"{name}: {figures['lists']} lists ({fates}), {wrong} contradictions, {seconds:.0f} s"


if __name__ == "__main__":
    sys.exit(main())
