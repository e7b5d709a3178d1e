"""Prices of random lists by a second look: what each selection costs is read again from the XML of
the game's files, without any code of the program.

Prices that a modifier changes are left out: those are shown by specs and by hand.
"""

import io
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from random import Random
from xml.etree import ElementTree as ET
from zipfile import ZipFile

import pytest

from armybuilder.battlescribe.files.roster_files import write_roster
from tests.battlescribe.files.random_lists import GAMES, game_in
from tests.effort import THOROUGH, scaled
from tests.kept_games.whole_way import Journey

#: A game of JSON, two whose prices all may be changed from afar, three games that share ids.
OTHERS = ("wh40k-11e", "TrenchCrusade", "Warhammer-The-Old-World", "wh40k-killteam")
#: Games whose files are XML.
OF_XML = [path for path in GAMES if path.stem not in OTHERS]
TRIED = OF_XML if THOROUGH else [path for path in OF_XML if path.stem == "kingsofwar"]


class SecondLook:
    """The entries of a zip by their ids: what each costs, and which costs modifiers change."""

    def __init__(self, path: Path) -> None:
        self.costs: dict[str, dict[str, Decimal]] = {}
        self.changed: dict[str, set[str]] = {}
        self.target: dict[str, str] = {}
        self.far: set[str] = set()
        self.twice: Counter[str] = Counter()
        with ZipFile(path) as archive:
            for name in archive.namelist():
                if name.endswith((".cat", ".gst")):
                    self._read(ET.parse(io.BytesIO(archive.read(name))).getroot())  # noqa: S314

    def _read(self, root: ET.Element) -> None:
        for element in root.iter():
            kind = element.tag.rpartition("}")[2]
            if kind in ("selectionEntry", "entryLink"):
                self._entry(element)
            elif kind == "modifier" and ({"affects", "scope"} & element.attrib.keys()):
                self.far.add(element.get("field", ""))

    def _entry(self, element: ET.Element) -> None:
        id = element.get("id", "")
        self.twice[id] += 1
        self.target[id] = element.get("targetId", "")
        own = {child.tag.rpartition("}")[2]: child for child in element}
        self.costs[id] = {
            cost.get("typeId", ""): Decimal(cost.get("value", "0")) for cost in own.get("costs", ())
        }
        groups = (own[name] for name in ("modifiers", "modifierGroups") if name in own)
        modifiers = (one for group in groups for one in group.iter())
        self.changed[id] = {one.get("field", "") for one in modifiers}

    def wrong(self, roster: str, seen: Counter[str]) -> Iterator[str]:
        """Yield the selections of a roster that cost something else than the files say."""
        for selection in ET.fromstring(roster).iter():  # noqa: S314
            if selection.tag.rpartition("}")[2] == "selection":
                yield from self._compared(selection, seen)

    def _compared(self, selection: ET.Element, seen: Counter[str]) -> Iterator[str]:
        chain = selection.get("entryId", "").split("::")
        if any(self.twice[id] > 1 for id in chain):
            seen["of two with one id"] += 1
            return
        listed = next((one for one in selection if one.tag.endswith("}costs")), ())
        said = {cost.get("typeId", ""): Decimal(cost.get("value", "0")) for cost in listed}
        files: dict[str, Decimal] = {}
        for id in (chain[-1], *chain[-2:-1]):
            if id == chain[-1] or self.target.get(id) == chain[-1]:
                files |= self.costs.get(id, {})
        changed = set().union(*(self.changed.get(id, ()) for id in chain), self.far)
        for cost in said.keys() | files.keys():
            if cost in changed:
                seen["changed"] += 1
                continue
            seen["compared"] += 1
            number = Decimal(selection.get("number", "1"))
            if said.get(cost, 0) != files.get(cost, 0) * number:
                priced = f"{said.get(cost, 0)}, by the files {files} x {number}"
                yield f"{selection.get('name')}: {priced}"


@pytest.mark.skipif(not GAMES, reason="the communities' files are not here")
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_unchanged_prices_of_random_lists_are_those_of_the_xml(path: Path) -> None:
    look, journey, seen = SecondLook(path), Journey(game_in(path)), Counter[str]()
    for number in range(scaled(3, 20, 60)):
        one = journey.built(Random(number))  # noqa: S311
        roster = write_roster(one.document, one.game, one.evaluation)
        assert list(look.wrong(roster, seen)) == [], number
    assert seen["compared"] > seen["changed"]
