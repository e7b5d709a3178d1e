"""A roster file as a tree of selections, each at its place in the book."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element

from tests.second_reading.reader.books import GENERAL, Book
from tests.second_reading.reader.parts import inside
from tests.second_reading.reader.places import Place

#: What a unit's notes begin with that is the General, where its file has no mark for that.
GENERAL_NOTE = "[General]"


@dataclass(eq=False)
class Selection:
    """Something taken, `number` times, at its place. `direct` counts what is taken on it, by all
    that a place is counted by; `deep` also what is taken on that, and so on.
    """

    place: Place
    number: int
    parent: Selection | None
    notes: str = ""
    inner: list[Selection] = field(default_factory=list)
    direct: Counter[str] = field(default_factory=Counter)
    deep: Counter[str] = field(default_factory=Counter)

    @property
    def name(self) -> str:
        return self.place.name

    @property
    def unit(self) -> Selection:
        return self.parent.unit if self.parent is not None else self

    def walk(self) -> Iterator[Selection]:
        yield self
        for one in self.inner:
            yield from one.walk()

    def above(self) -> Iterator[Selection]:
        yield self
        if self.parent is not None:
            yield from self.parent.above()

    def count(self) -> None:
        """Fill the counters from the leaves up."""
        for one in self.inner:
            one.count()
            for key in one.place.keys:
                self.direct[key] += one.number
            self.deep.update(one.deep)
        self.deep.update(self.direct)


@dataclass(frozen=True, eq=False)
class Army:
    """Units of one book under one force, `limit` points large. `strangers` are paths that the
    roster names and the book does not know.
    """

    book: Book
    force: str
    limit: int
    units: tuple[Selection, ...]
    strangers: tuple[str, ...] = ()
    direct: Counter[str] = field(default_factory=Counter)
    deep: Counter[str] = field(default_factory=Counter)

    def walk(self) -> Iterator[Selection]:
        for unit in self.units:
            yield from unit.walk()


def make_army(
    book: Book, force: str, limit: int, units: list[Selection], strangers: tuple[str, ...] = ()
) -> Army:
    """An army with everything counted."""
    army = Army(book, force, limit, tuple(units), strangers)
    for unit in units:
        unit.count()
        for key in unit.place.keys:
            army.direct[key] += unit.number
        army.deep.update(unit.deep)
    army.deep.update(army.direct)
    return army


def read_army(text: bytes, books: Mapping[str, Book]) -> Army:
    """The army of a roster with one force. Raises KeyError where no book is the force's."""
    root = ET.fromstring(text)  # noqa: S314
    (force,) = inside(root, "forces/force")
    book = books[force.attrib["catalogueId"]]
    (limit,) = inside(root, "costLimits/costLimit")
    strangers: list[str] = []
    units = [
        _read(one, book.units, None, strangers) for one in inside(force, "selections/selection")
    ]
    found = [unit for unit in units if unit is not None]
    size = int(float(limit.attrib["value"]))
    return make_army(book, force.attrib["entryId"], size, found, tuple(strangers))


def _read(
    element: Element, roots: Mapping[str, Place], parent: Selection | None, strangers: list[str]
) -> Selection | None:
    path = element.attrib["entryId"]
    if parent is None:
        place = roots.get(path)
    else:
        place = parent.place.by_path.get((path, element.get("entryGroupId", "")))
    if place is None:
        strangers.append(f"{element.get('name')} {path}")
        return None
    (notes, *_) = [one.text or "" for one in inside(element, "customNotes")] or [""]
    made = Selection(place, int(element.get("number", "1")), parent, notes)
    for one in inside(element, "selections/selection"):
        inner = _read(one, roots, made, strangers)
        if inner is not None:
            made.inner.append(inner)
    if place.what.name == GENERAL:
        made.inner += _brought(made)
    return made


def _brought(mark: Selection) -> list[Selection]:
    """What the mark of the General brings with it: rosters of lists that know the General by a role
    do not name it.
    """
    there = {one.place for one in mark.inner}
    musts = (place for place in mark.place.demanding if not place.is_group)
    return [Selection(place, 1, mark) for place in musts if place not in there]
