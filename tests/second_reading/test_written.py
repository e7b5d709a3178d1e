"""Rosters tell the categories of units as the source has them, whatever options bring or take away.

Programs that only read a roster take them from there. Needs the source's files, as the comparison
of verdicts does.
"""

from collections.abc import Iterator
from itertools import islice
from xml.etree import ElementTree as ET

import pytest

from armybuilder.battlescribe.rosters import write_ros
from tests.building.documents import list_of, value_of
from tests.effort import THOROUGH
from tests.second_reading.names import SYSTEM
from tests.second_reading.reader.armies import read_army
from tests.second_reading.reader.counting import Counting
from tests.second_reading.reader.parts import inside
from tests.second_reading.running import VARIABLE, Bench, make_bench, source_folder

pytestmark = pytest.mark.long

#: Of all units with each single option, every so-manieth.
EVERY = 1 if THOROUGH else 40
#: The file changes the category of the option, as if that had one; we take it for the unit's, which
#: is what its limits ask for.
OF_THE_OPTION = {("empire-of-sonnstahl/imperial-giant", "giant-repeater-4")}


@pytest.fixture(scope="module")
def bench() -> Bench:
    folder = source_folder()
    if folder is None:
        pytest.skip(f"{VARIABLE} names no folder with {SYSTEM} in it")
    return make_bench(folder)


def units_with_one_option(bench: Bench) -> Iterator[tuple[str, int, str]]:
    """Every unit of every book plain and with each of its options: (unit, models, option)."""
    for book in bench.books:
        for unit in bench.catalogue(book).units.values():
            for option in ("", *unit.offer.slots):
                yield unit.ref, unit.smallest, option


def test_a_unit_is_in_the_categories_that_the_source_gives_it(bench: Bench) -> None:
    wrong, changed = [], 0
    for ref, models, option in islice(units_with_one_option(bench), 0, None, EVERY):
        options = [{"id": option}] if option else []
        entry = {"unit": ref, "models": models, "options": options}
        document = list_of(SYSTEM, [ref.split("/")[0]], [entry], limit=4500)
        raw = write_ros(value_of(document), bench.library)
        army = read_army(raw, bench.sources)
        (unit,) = army.units
        (written,) = inside(ET.fromstring(raw), "forces/force/selections/selection")  # noqa: S314
        told = {one.get("entryId") for one in inside(written, "categories/category")}
        expected = Counting(army).categories[unit]
        changed += expected != {id_ for id_, _ in unit.place.categories}
        if told != expected and (ref, option) not in OF_THE_OPTION:
            wrong.append((ref, option))
    assert wrong == []
    assert changed
