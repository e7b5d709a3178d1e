"""A list in another edition: its options are those of the same names, whatever their ids."""

from collections.abc import Iterator

import pytest

from armybuilder.comparing.editions import compare
from armybuilder.editing.list_edits import switch_edition
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.names import name_key
from armybuilder.engine.options import Offer
from armybuilder.loading.armylist import ListOption
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of

YEARS = ("t9a-2023", "t9a-2024")
WAYS = (YEARS, YEARS[::-1])
LIBRARY = shipped_library()
COMMON = sorted(LIBRARY.books[YEARS[0]].keys() & LIBRARY.books[YEARS[1]].keys())


def chains(offer: Offer, depth: int = 3) -> Iterator[tuple[str, ...]]:
    """Each option, by the ids that lead to it."""
    for key, slots in offer.slots.items():
        yield (key,)
        for below in chains(slots[0].option.offer, depth - 1) if depth else ():
            yield key, *below


def names_along(offer: Offer, path: tuple[str, ...]) -> list[str]:
    names = []
    for key in path:
        option = offer.slots[key][0].option
        names.append(name_key(option.name))
        offer = option.offer
    return names


def has_names(offer: Offer, names: list[str]) -> bool:
    """Whether such options stand on each other there."""
    options = [slots[0].option for slots in offer.slots.values()]
    named = [option for option in options if name_key(option.name) == names[0]]
    return any(len(names) == 1 or has_names(option.offer, names[1:]) for option in named)


def switched(ref: str, path: tuple[str, ...], old: Catalogue, new: Catalogue) -> tuple[str, ...]:
    option: dict[str, object] = {}
    for key in reversed(path):
        option = {"id": key, **({"options": [option]} if option else {})}
    books = [book.id for book in old.books]
    listed = list_of(
        old.system.id, books, [{"unit": ref, "models": 1, "options": [option]}], limit=4500
    )
    (entry,) = switch_edition(value_of(listed), old, new).document.units
    ids, level = [], entry.options
    while level:
        one: ListOption = level[0]
        ids.append(one.id)
        level = one.options
    return tuple(ids)


@pytest.mark.one_in(6)
@pytest.mark.parametrize("way", WAYS, ids=" to ".join)
@pytest.mark.parametrize("book", COMMON)
def test_options_that_both_editions_have_are_carried_over(book: str, way: tuple[str, str]) -> None:
    old, new = (LIBRARY.catalogue(year, [book]) for year in way)
    for ref, unit in old.units.items():
        if ref not in new.units:
            continue
        offer = new.units[ref].offer
        for path in chains(unit.offer):
            names = names_along(unit.offer, path)
            if has_names(offer, names):
                assert names_along(offer, switched(ref, path, old, new)) == names, (ref, path)


def compared(ref: str, way: tuple[str, str], **more: object) -> dict[str, object]:
    book = ref.partition("/")[0]
    old, new = (LIBRARY.catalogue(year, [book]) for year in way)
    document = value_of(list_of(way[0], [book], [{"unit": ref, "models": 1, **more}], limit=4500))
    after = switch_edition(document, old, new)
    return compare(judge(document, LIBRARY), judge(after.document, LIBRARY), after.lost)


@pytest.mark.parametrize(
    ("ref", "way", "other"),
    [
        ("beast-herds/raiding-chariot", WAYS[0], "Raiding Chariots"),
        ("beast-herds/raiding-chariots-core", WAYS[1], "Raiding Chariot (Core)"),
        ("orcs-and-goblins/goblin-witch-doctor", WAYS[0], "Goblin Witch"),
        # Several names fit, or none does.
        ("orcs-and-goblins/orcs", WAYS[0], ""),
        ("kingdom-of-equitaine/equitan-lord", WAYS[0], ""),
    ],
)
def test_a_unit_that_is_gone_is_reported_with_its_likely_successor(
    ref: str, way: tuple[str, str], other: str
) -> None:
    ((_name, (row,)),) = compared(ref, way)["units"]
    told = "no longer in the book"
    assert row.after == (f"{told}; {other} seems to replace it" if other else told)


def test_what_an_enchantment_is_put_on_follows_its_piece() -> None:
    old, new = (LIBRARY.catalogue(year, ["dwarven-holds"]) for year in YEARS)
    options = [{"id": "crossbow-3"}, {"id": "rune", "on": "crossbow-3"}]
    entry = {"unit": "dwarven-holds/rangers", "models": 10, "options": options}
    document = value_of(list_of(YEARS[0], ["dwarven-holds"], [entry], limit=4500))
    (there,) = switch_edition(document, old, new).document.units
    assert [(one.id, one.on) for one in there.options] == [("crossbow", ""), ("rune", "crossbow")]
