"""Every sheet of every example and of eighteen hard lists, drawn once, on any paper in any size.

Nothing on them is at fault (`tests.sheets.measured` says how that is found), and no table is empty.
"""

from itertools import product

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.setup import KINDS, PAPERS, SCALES
from tests.sheets.measured import HARD, LISTS, faults
from tests.sheets.papers import EXAMPLES, GAMES, material, pdf

pytestmark = pytest.mark.long

LOOKS = list(product(PAPERS, SCALES))
#: Each list with each kind, each of these on each paper and in each size, and these two together.
CASES = [
    (name, kind, *LOOKS[(at + 2 * of) % len(LOOKS)])
    for at, name in enumerate(LISTS)
    for of, kind in enumerate(KINDS)
]


def test_there_are_45_lists_and_every_pair_of_them_and_looks_is_tried():
    assert set(GAMES) == set(shipped_library().systems)
    assert (len(EXAMPLES), len(HARD)) == (27, 18)
    assert {(kind, paper, size) for _name, kind, paper, size in CASES} == set(
        product(KINDS, PAPERS, SCALES)
    )
    for row in (2, 3):
        pairs = {(case[0], case[row]) for case in CASES}
        assert pairs == set(product(LISTS, (PAPERS, SCALES)[row - 2]))


# A little less than three lists, so that each game is among them, with all kinds in turn.
@pytest.mark.one_in(91)
@pytest.mark.parametrize(("name", "kind", "paper", "size"), CASES)
def test_a_sheet_can_be_read_on_its_paper_and_by_programs(name, kind, paper, size):
    listed = LISTS[name]()
    content = pdf(listed, kinds=kind, paper=paper, size=size, backs="1")
    assert [*faults(content, kind, SCALES[size])][:20] == []
    sheet = material(listed).sheet
    assert all(table.rows for table in sheet.tables)
    for unit in sheet.army.units if sheet.army else ():
        assert all(row.cells for row in unit.rows)
