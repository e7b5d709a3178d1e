"""One suit and one shield (Rulebook 21.E): constraints say of armour what is judged."""

from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.books import build_book
from armybuilder.loading.library import make_catalogue, shipped_library
from tests.building.documents import list_of
from tests.building.tiny import book_data, titled, unit
from tests.solving.agreement import verdicts_of

LIGHT, HEAVY = "light-armour", "heavy-armour"


def catalogue_with_a_warden() -> Catalogue:
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
        titled("pony", options=[{"id": "rug", "name": "Light Armour"}]),
    ]
    warden = unit("warden", 50, categories=["core"], options=options)
    enchanted = [
        *(one for one in options if one["id"] != "plate-armour"),
        titled("unarmoured"),
        titled("gilding", item="armour-enchantment", on=[HEAVY, "plate-armour"]),
        titled("polish", item="armour-enchantment", on=[HEAVY]),
        titled("crest", item="armour-enchantment", on=[HEAVY, "shield"]),
        titled("boss", item="shield-enchantment", on=["shield"]),
        titled("blazon", item="shield-enchantment", on=["shield", "buckler"]),
    ]
    hero = unit("hero", 50, categories=["core"], options=enchanted, sparse=True)
    data = {**book_data(warden, hero, categories=[titled("core")]), "system": system.id}
    made, problems = build_book(data, system, "book.json")
    assert made is not None, problems
    return make_catalogue(system, [made])


def listed(name: str, options: list[Any]) -> dict[str, Any]:
    written = [{"id": one} if isinstance(one, str) else one for one in options]
    entry = {"unit": f"book/{name}", "models": 1, "options": written}
    return list_of("t9a-2023", ["book"], [entry], limit=1000)


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
    for verdict in verdicts_of(listed("warden", options), catalogue_with_a_warden()):
        assert ("armour" in verdict) is broken


@pytest.mark.parametrize(
    ("options", "broken"),
    [
        # Nobody says what such a unit wears, until it chooses; but no shield that it is offered.
        (["gilding"], False),
        (["polish"], False),
        (["polish", LIGHT], True),
        (["boss"], True),
        (["boss", "shield"], False),
        (["crest"], False),
        (["crest", "unarmoured"], True),
        (["crest", "shield"], False),
        (["blazon"], False),
        (["blazon", LIGHT], False),
        (["gilding", HEAVY], False),
        (["gilding", "war-gear"], False),
        (["gilding", LIGHT], True),
        (["gilding", "unarmoured"], True),
        # A shield is no suit, what is taken on a mount another's.
        (["gilding", "shield"], False),
        (["gilding", RIDDEN], False),
        (["gilding", {"id": "pony", "options": [{"id": "rug"}]}], False),
        (["gilding", "crew"], False),
    ],
)
def test_who_wears_one_suit_enchants_no_other(options: list[Any], broken: bool) -> None:
    for verdict in verdicts_of(listed("hero", options), catalogue_with_a_warden()):
        assert ("armour-fits" in verdict) is broken
