"""One suit and one shield (Rulebook 21.E): constraints say of armour what is judged."""

from typing import Any

import pytest

from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from tests.building.documents import list_of
from tests.building.tiny import book_data, titled, unit
from tests.solving.agreement import verdicts_of

LIGHT, HEAVY = "light-armour", "heavy-armour"


def catalogue_with_a_warden():
    system = shipped_library().system("t9a-2023")
    options = [
        *map(titled, (LIGHT, HEAVY, "spear")),
        titled("shield", number=[0, 2]),
        titled("plate-armour", number=[1, 1]),
        {"id": "old-shield", "name": "SHIELD"},
        {"id": "war-gear", "name": "Axe and Heavy Armour", "keywords": ["Heavy Armour"]},
        {"id": "hoard", "name": "Hoard", "keywords": ["Heavy Armour"]},
        {"id": "crew", "name": "Light Armour (crew)"},
        titled("horse", options=[{"id": "barding", "name": "Heavy Armour"}]),
    ]
    warden = unit("warden", 50, categories=["core"], options=options)
    data = {**book_data(warden, categories=[titled("core")]), "system": system.id}
    made, problems = build_book(data, system, "book.json")
    assert made is not None, problems
    return make_catalogue(system, [made])


def listed(options: list[Any]) -> dict[str, Any]:
    return list_of("t9a-2023", ["book"], [{"unit": "book/warden", "models": 1, "options": options}],
                   limit=1000)  # fmt: skip


TWICE = {"id": "shield", "number": 2}
RIDDEN = {"id": "horse", "options": [{"id": "barding"}]}


@pytest.mark.parametrize(
    ("options", "broken"),
    [
        ([], False),
        ([LIGHT, "shield"], False),
        ([LIGHT, HEAVY], True),
        ([LIGHT, "war-gear"], True),
        (["war-gear", "spear"], False),
        ([TWICE], True),
        (["shield", "old-shield"], True),
        # What the entry or an option brings replaces another or is replaced, and a mount or a crew
        # is another model.
        (["plate-armour", HEAVY], False),
        ([LIGHT, "hoard"], False),
        ([HEAVY, RIDDEN], False),
        ([HEAVY, "crew"], False),
    ],
)
def test_two_pieces_of_one_type_are_an_error(options: list[Any], broken: bool) -> None:
    written = [{"id": one} if isinstance(one, str) else one for one in options]
    for verdict in verdicts_of(listed(written), catalogue_with_a_warden()):
        assert ("armour" in verdict) is broken
