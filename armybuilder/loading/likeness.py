"""Changes of custom books against the shipped ones that they copy."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from armybuilder.engine.catalogue import OWN, Book, Catalogue
from armybuilder.engine.describe import option_cost, unit_abilities
from armybuilder.engine.names import name_key
from armybuilder.engine.units import Unit
from armybuilder.engine.wording import say, say_count
from armybuilder.loading.cache import Cache
from armybuilder.loading.library import shipped_library

#: The part of a custom book's units that makes it a copy of the shipped book that has them.
COPIED = 0.5


@dataclass(frozen=True, slots=True)
class Likeness:
    """Differences of a custom book from the shipped one of this id.

    `changed` units differ or aren't in the shipped book. `unit` is the first with other points, by
    its id there: at `points`, `shipped` points there; "" if there is none.
    """

    book: str
    changed: int
    unit: str = ""
    points: int = 0
    shipped: int = 0

    def words(self, book: str, unit: str) -> str:
        """Return it as a sentence, with the names of both."""
        if not self.unit:
            return say_count(
                "Differs from {book}: {number} unit",
                "Differs from {book}: {number} units",
                self.changed,
                book=book,
            )
        text = "Differs from {book}: {unit} {points} instead of {shipped} points"
        told = say(text, book=book, unit=unit, points=self.points, shipped=self.shipped)
        more = self.changed - 1
        return f"{told}, " + say("{number} more", number=more) if more else told


_KNOWN: Cache[tuple[str, str, str], Likeness] = Cache(500)


def likenesses(catalogue: Catalogue) -> Iterator[tuple[Book, Likeness]]:
    """Yield the custom books that are changed copies of shipped ones of their game."""
    system = catalogue.system.id
    shipped = shipped_library().books[system]
    for book in catalogue.books if shipped else ():
        if book.kind == OWN:
            key = (system, book.id, book.revision)
            likeness = _KNOWN.get(key) or _KNOWN.put(key, _likeness(book, shipped.values()))
            if likeness.changed:
                yield book, likeness


def differences(catalogue: Catalogue) -> tuple[str, ...]:
    """Return a sentence for each custom book of a list that is a changed copy of a shipped one."""
    shipped = shipped_library().books[catalogue.system.id]
    books = ((shipped[one.book], one) for _book, one in likenesses(catalogue))
    return tuple(
        one.words(book.name, book.names.get(f"{book.id}/{one.unit}", "")) for book, one in books
    )


def _likeness(custom: Book, shipped: Iterable[Book]) -> Likeness:
    """Compare a custom book with the shipped one that has most of its units, by their ids."""
    ids = _ids(custom)
    best = max(shipped, key=lambda book: (len(ids & _ids(book)), book.name == custom.taken))
    by_id = {_id(unit): unit for unit in best.units.values()}
    by_name = {name_key(unit.name): unit for unit in best.units.values()}
    pairs = [
        (unit, by_id.get(_id(unit)) or by_name.get(name_key(unit.name)))
        for unit in custom.units.values()
    ]
    same = sum(other is not None for _unit, other in pairs)
    if not custom.taken and same < COPIED * len(pairs):
        return Likeness(best.id, 0)
    changed = [(unit, other) for unit, other in pairs if not other or _told(unit) != _told(other)]
    for unit, other in changed:
        if other and (points := _points(unit)) != (before := _points(other)):
            return Likeness(best.id, len(changed), _id(other), points, before)
    return Likeness(best.id, len(changed))


def _ids(book: Book) -> frozenset[str]:
    return frozenset(ref.rpartition("/")[2] for ref in book.names)


def _id(unit: Unit) -> str:
    return unit.ref.rpartition("/")[2]


def _points(unit: Unit) -> int:
    return unit.price.start or 0


def _told(unit: Unit) -> str:
    """Return the parts of a unit that decide its price, number and abilities.

    Without the book's id, which is in its caps.
    """
    options = [(option.name, option_cost(option)) for option in unit.offer.options()]
    plain = (unit.name, unit.price, unit.size, unit.price_changes, unit.cap, unit.categories)
    told = (*plain, options, dict(unit.stats), unit_abilities(unit), unit.keywords)
    return repr(told).replace(f"{unit.book}/", "")
