"""Random armies to judge twice: grown towards a legal one, or off in one way or another.

The same seed gives the same armies. Nothing is asked of the engine but what it offers and what it
finds: an army is filled with units that are each without fault, then mended or spoilt.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, NamedTuple

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.options import Offer
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.report import Report
from armybuilder.engine.units import Unit
from armybuilder.engine.validate import validate
from armybuilder.loading.documents import make_roster
from tests.building.documents import value_of
from tests.second_reading.mending import mend, mend_unit
from tests.second_reading.spoiling import spoil

Document = dict[str, Any]
Entry = dict[str, Any]

SIZES = (1500, 3000, 4500, 4500, 8000)
#: Of games that are smaller, by their systems.
OTHER_SIZES = {"essence-of-war": (1000, 1500, 1500, 2000, 3000)}
#: How many units are tried to fill an army, and how many of Core at the start.
MOST_TRIED = 30
MOST_CORE = 25
#: Findings that there is no room for a unit.
CROWDED = frozenset(("category.over", "cap.over", "points.over"))
#: How deep options are taken on options: a list names them so deep.
MOST_DEEP = 2


class Soil(NamedTuple):
    """A book to grow armies of. `tempting` are ids of options that are bound by their names or
    texts, which are taken more often than others.
    """

    catalogue: Catalogue
    organisations: tuple[str, ...] = ()
    tempting: frozenset[str] = frozenset()


def grow(soil: Soil, rng: Random) -> Document:
    """A random army of the book: most are mended until little is wrong with them, the others are
    spoilt.
    """
    draft = Draft(soil, rng)
    draft.fill()
    if rng.random() < 0.6:
        mend(draft)
    else:
        spoil(draft)
    return draft.document


class Draft:
    """An army that grows. `wild` ones have units that nobody has mended."""

    def __init__(self, soil: Soil, rng: Random) -> None:
        self.soil = soil
        self.rng = rng
        self.catalogue = soil.catalogue
        self.number = 0
        self.wild = rng.random() < 0.3
        self.document: Document = {
            "format": "armylist/1",
            "system": self.catalogue.system.id,
            "books": [{"id": book.id} for book in self.catalogue.books],
            "name": "Second reading",
            "limit": rng.choice(OTHER_SIZES.get(self.catalogue.system.id, SIZES)),
            "units": [],
        }
        if soil.organisations and rng.random() < 0.4:
            self.document["settings"] = {"organisation": rng.choice(soil.organisations)}

    @property
    def units(self) -> list[Entry]:
        """What is on the list."""
        found: list[Entry] = self.document["units"]
        return found

    def unit(self, entry: Entry) -> Unit:
        """The unit in the book that an entry of the list is."""
        return self.catalogue.units[entry["unit"]]

    def report(self) -> Report:
        """What the engine says of the army."""
        return validate(make_roster(value_of(self.document), self.catalogue), self.catalogue)

    def alone(self, entry: Entry) -> Report:
        """What the engine says of an army of one unit."""
        document = {**self.document, "units": [entry]}
        return validate(make_roster(value_of(document), self.catalogue), self.catalogue)

    def fill(self) -> None:
        """Choices for the whole army, a General, Core, and units until the points are spent."""
        known = list(self.catalogue.units.values())
        for unit in known:
            if not unit.counts:
                self.add(unit)
        if not self.wild:
            known = [unit for unit in known if unit.needs is None or self._to_be_had(unit)]
        characters = [unit for unit in known if "characters" in unit.categories and unit.counts]
        leaders = [unit for unit in characters if unit.can_lead is not None] or characters
        self.add(self.rng.choice(leaders), roles=["general"])
        core = [unit for unit in known if "core" in unit.categories]
        least = self.document["limit"] // 4
        while self._spent("core") < least and len(self.units) < MOST_CORE and core:
            self.add(self.rng.choice(core))
        report = self.report()
        for _ in range(MOST_TRIED):
            left = self.document["limit"] - report.spent
            fitting = [unit for unit in self.affordable(left) if unit in known]
            if left < 60 or not fitting:
                break
            self.add(self.rng.choice(fitting), left)
            report = self._think_again(report)

    def _to_be_had(self, unit: Unit) -> bool:
        """Whether the army may have the unit at all."""
        entry = {"id": "u0", "unit": unit.ref, "models": unit.smallest}
        document = {**self.document, "units": [*self.units, entry]}
        report = validate(make_roster(value_of(document), self.catalogue), self.catalogue)
        return not any(one.about.text == "u0/" for one in report.findings)

    def _think_again(self, before: Report) -> Report:
        """Mostly, do without the last unit where the army has no room for it."""
        report = self.report()
        last = self.units[-1]["id"]
        crowded = (one for one in report.findings if one.code in CROWDED and last in one.units)
        if len(self.units) > 1 and any(crowded) and self.rng.random() < 0.9:
            self.units.pop()
            return before
        return report

    def affordable(self, left: int) -> list[Unit]:
        """The units whose smallest form costs no more than is left."""
        known = (unit for unit in self.catalogue.units.values() if unit.counts)
        return [unit for unit in known if (unit.price.of(unit.smallest) or 0) <= left]

    def _spent(self, category: str) -> int:
        lines = self.report().full.lines
        return sum(line.points for line in lines if f"category:{category}" in line.tags)

    def add(self, unit: Unit, left: int = 0, roles: list[str] | None = None) -> None:
        """Add a unit with options, as large as it likes; where it costs more than is left, as
        small and plain as it goes.
        """
        self.number += 1
        entry: Entry = {
            "id": f"u{self.number}", "unit": unit.ref, "models": self._models(unit),
        }  # fmt: skip
        if roles:
            entry["roles"] = roles
        entry["options"] = fresh(unit.fresh) + self.options(unit.offer)
        fold(entry)
        if not self.wild or self.rng.random() < 0.5:
            mend_unit(self, entry)
        if left and self.alone(entry).spent > left:
            entry["models"] = unit.smallest
            entry["options"] = fresh(unit.fresh)
        if not entry["options"]:
            del entry["options"]
        self.units.append(entry)

    def _models(self, unit: Unit) -> int:
        if unit.size is None or not unit.counts:
            return 1
        least = unit.smallest
        most = unit.size[1].base or least + 20
        return self.rng.choice((least, self.rng.randint(least, max(least, most))))

    def options(self, offer: Offer, depth: int = 0) -> list[Entry]:
        """A handful of what is offered, what is tempting with zest."""
        ids = list(offer.slots)
        if not ids or depth > MOST_DEEP:
            return []
        chance = min(0.5, 4 / len(ids)) if depth == 0 else min(0.6, 2 / len(ids))
        taken = []
        for id_ in ids:
            zest = 0.15 if id_ in self.soil.tempting else 0
            if self.rng.random() < max(chance, zest):
                taken.append(self.option(offer, id_, depth))
        return taken

    def option(self, offer: Offer, id_: str, depth: int = 0) -> Entry:
        """An option as a list names it, with something on it."""
        option = offer.slots[id_][0].option
        made: Entry = {"id": id_}
        most = option.most.base
        if most is None or most > 1:
            number = self.rng.randint(1, most or 4)
            if number > 1:
                made["number"] = number
        inner = self.options(option.offer, depth + 1)
        if inner:
            made["options"] = [one["id"] for one in inner] if depth == 1 else inner
        if option.on:
            made["on"] = self.rng.choice(option.on)
        return made


def fresh(picks: Iterable[OptionPick]) -> list[Entry]:
    """What a new unit starts with, but for what is always there."""
    return [{"id": pick.id} for pick in picks if not pick.given]


def fold(entry: Entry) -> None:
    """Each option once: the later one stays."""
    entry["options"] = list({one["id"]: one for one in entry["options"]}.values())
