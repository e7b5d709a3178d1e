"""The price of every unit and of every option of it, at its smallest and at its largest.

Random armies meet most of them, not all. Here each is met: armies of many units, with one option
on each, of which nothing is compared but prices.
"""

from __future__ import annotations

from collections.abc import Iterator

from armybuilder.engine.options import Offer
from armybuilder.engine.units import Unit
from tests.second_reading.comparing import differences
from tests.second_reading.growing import Document
from tests.second_reading.running import Bench, Result, Tally
from tests.second_reading.sweeping import take

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
            case = bench.judge(_army(bench, book, entries[first : first + TOGETHER]))
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


def _army(bench: Bench, book: str, entries: list[Document]) -> Document:
    units = [{"id": f"u{number}", **entry} for number, entry in enumerate(entries, 1)]
    return {
        "format": "armylist/1", "system": bench.system, "books": [{"id": book}],
        "name": "Second reading", "limit": 8000, "units": units,
    }  # fmt: skip
