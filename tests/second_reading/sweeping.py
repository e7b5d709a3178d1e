"""What random armies meet seldom, tried one by one: restrictions in words, and prices.

A restriction is tried on everyone it reaches: on foot, on each of the mounts, and with each of the
choices that it may speak of, in an army of one unit, of which nothing is compared but what is said
of restrictions in words. Prices are those of every unit and of every option of it, at its smallest
and at its largest, in armies of many units with one option on each.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from tests.building.documents import list_of
from tests.second_reading.comparing import differences
from tests.second_reading.growing import Document
from tests.second_reading.reader.bodies import WIZARDS, is_mount
from tests.second_reading.reader.places import Place
from tests.second_reading.reader.wordings import words_of
from tests.second_reading.running import Bench, Result, Tally

#: Beside mounts, what a wording may speak of, by how its name begins.
SPOKEN_OF = (*WIZARDS, "Battle Standard Bearer", "Ambush", "Cult of", "Caelysian Pantheon")

Option = dict[str, Any]


def sweep(bench: Bench, every: int = 1) -> Result:
    """Try them all, or every so-manieth."""
    result = Result({book: Tally() for book in bench.books})
    for number, (label, document) in enumerate(tries(bench)):
        if number % every == 0:
            case = bench.judge(document)
            found = [one for one in differences(case) if one.kind in ("named", "hidden")]
            result.count(label, case, found)
    return result


def tries(bench: Bench) -> Iterator[tuple[str, Document]]:
    """An army of one unit for each restriction, unit, and companion of the restriction."""
    for book in bench.books:
        source, names = bench.source(book), bench.names[book]
        words = words_of(source)
        for unit in bench.catalogue(book).units.values():
            id_ = unit.ref.partition("/")[2]
            place = next((p for p in source.units.values() if id_ in names.ours(p.id)), None)
            if place is None:
                continue
            bound = _ours(bench, book, (p for p in place.walk() if words.of(p)))
            beside = _ours(bench, book, (p for p in place.walk() if _spoken_of(p)))
            for option in sorted(bound):
                for other in ("", *sorted(beside)):
                    label = f"{unit.name}, {option}, {other or 'alone'}"
                    yield label, _army(bench, book, unit, option, other)


def _ours(bench: Bench, book: str, places: Iterator[Place]) -> frozenset[str]:
    return frozenset().union(*(bench.names[book].ours(place.id) for place in places))


def _spoken_of(place: Place) -> bool:
    entry = not place.is_group and place.owner is not None and place.what.type != "model"
    return entry and (is_mount(place) or place.name.startswith(SPOKEN_OF))


def _army(bench: Bench, book: str, unit: Unit, option: str, other: str) -> Document:
    """The unit as it comes, with the option and what stands beside it."""
    taken: dict[str, Option] = {pick.id: {"id": pick.id} for pick in unit.fresh if not pick.given}
    for wanted in (other, option):
        path = _path(unit.offer, wanted)
        if path:
            take(taken, unit.offer, path)
    entry = {"unit": unit.ref, "models": unit.smallest, "options": [*taken.values()]}
    return list_of(bench.system, [book], [entry], limit=4500, name="Second reading")


def _path(offer: Offer, wanted: str, depth: int = 0) -> tuple[str, ...]:
    """The way to an option, () where it is not offered."""
    if wanted in offer.slots:
        return (wanted,)
    for id_, slots in offer.slots.items() if depth < 2 else ():
        inner = _path(slots[0].option.offer, wanted, depth + 1)
        if inner:
            return (id_, *inner)
    return ()


def take(taken: dict[str, Option], offer: Offer, path: tuple[str, ...]) -> None:
    """Take what a path leads to; what else stands in a group that has room for one makes way."""
    first, *rest = path
    groups = {group.id for group in offer.slots[first][0].groups if group.most.base == 1}
    for id_ in list(taken):
        around = {group.id for group in offer.slots[id_][0].groups}
        if id_ != first and around & groups:
            del taken[id_]
    one = taken.setdefault(first, {"id": first})
    if rest:
        one["options"] = [
            {"id": rest[0]} if len(rest) == 1 else {"id": rest[0], "options": rest[1:]}
        ]


#: So many units stand in one army, which is cheaper than an army for each.
TOGETHER = 40
#: How deep options on options are followed: as deep as a document writes them.
DEEPEST = 3


def price_all(bench: Bench, every: int = 1) -> Result:
    """Compare all prices, or every so-manieth."""
    result = Result({book: Tally() for book in bench.books})
    for book in bench.books:
        units = bench.catalogue(book).units.values()
        entries = [entry for unit in units for entry in _all(unit)][::every]
        for first in range(0, len(entries), TOGETHER):
            some = entries[first : first + TOGETHER]
            army = list_of(bench.system, [book], some, limit=8000, name="Second reading")
            case = bench.judge(army)
            found = [one for one in differences(case) if one.kind == "price"]
            result.count(f"{book}, from {first}", case, found)
    return result


def _all(unit: Unit) -> Iterator[Document]:
    """The unit by itself and with each of its options, in both of its sizes."""
    most = unit.size[1].base if unit.size else unit.smallest
    for models in dict.fromkeys((unit.smallest, most or 2 * unit.smallest)):
        for path in ((), *_paths(unit.offer)):
            taken = {pick.id: {"id": pick.id} for pick in unit.fresh if not pick.given}
            if path:
                take(taken, unit.offer, path)
            yield {"unit": unit.ref, "models": models, "options": [*taken.values()]}


def _paths(offer: Offer, above: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for id_, slots in offer.slots.items():
        yield (*above, id_)
        if len(above) + 1 < DEEPEST:
            yield from _paths(slots[0].option.offer, (*above, id_))
