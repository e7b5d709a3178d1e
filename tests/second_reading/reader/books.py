"""The files of a folder: one book for each catalogue, read with the game system it is for;
and armies as roster files tell them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from io import BytesIO
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element
from zipfile import Path as PathInZip
from zipfile import ZipFile

from tests.second_reading.reader.facts import Fact
from tests.second_reading.reader.parts import (
    Constraint,
    Modifier,
    Parts,
    Place,
    inside,
    name_of_tag,
    read_constraint,
    read_modifiers,
    root_place,
)

#: The entry by which a list says who its General is.
GENERAL = "Army General"


#: A folder, or a zip of it, and the files in them.
Folder = Path | PathInZip
#: A catalogue's id and name.
Key = tuple[str, str]


class CategoryRule(NamedTuple):
    """What a force asks of a category."""

    id: str
    name: str
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class Book:
    """A catalogue: its units by the paths that rosters name them by; forces by their ids; `points`
    is the id of the kind of cost, `categories` those of all categories; `facts` are what other
    editions say of units and mounts, by their ids.
    """

    id: str
    name: str
    points: str
    parts: Parts
    units: dict[str, Place]
    forces: dict[str, tuple[CategoryRule, ...]]
    categories: frozenset[str]
    facts: Mapping[str, Fact] = field(default_factory=dict)

    @property
    def key(self) -> Key:
        """The id alone does not do: authors who copy a catalogue forget to change it."""
        return self.id, self.name

    @cached_property
    def places(self) -> tuple[Place, ...]:
        """Everything that can be taken, at each of its places; groups too."""
        return tuple(place for unit in self.units.values() for place in unit.walk())

    @cached_property
    def musts(self) -> tuple[Place, ...]:
        """What an army must have: each such entry once, wherever it stands."""
        found = {
            place.id: place
            for place in self.places
            if any(one.query.scope == "roster" for one in place.needs)
        }
        return tuple(found.values())

    def name_of(self, id_: str) -> str:
        """What the files call the thing with an id; the id itself where they know none."""
        element = self.parts.ids.get(id_)
        return id_ if element is None else element.get("name", id_)


def read_folder(folder: Folder, wanted: Container[Key]) -> dict[Key, Book]:
    """The wanted books of a folder of catalogues and the one game system they are for."""
    files: list[Folder] = sorted(folder.iterdir(), key=lambda file: str(file.name))
    (system,) = (read_file(file) for file in files if file.suffix in (".gst", ".gstz"))
    catalogues = (read_file(file) for file in files if file.suffix in (".cat", ".catz"))
    roots = {(root.attrib["id"], root.attrib["name"]): root for root in catalogues}
    return {key: read_book(root, system) for key, root in roots.items() if key in wanted}


def read_file(file: Folder) -> Element:
    if file.suffix in (".cat", ".gst"):
        return ET.fromstring(file.read_bytes())  # noqa: S314
    with ZipFile(BytesIO(file.read_bytes())) as packed:
        (name,) = packed.namelist()
        return ET.fromstring(packed.read(name))  # noqa: S314


def read_book(catalogue: Element, system: Element) -> Book:
    """What one catalogue says, with its game system."""
    ids: dict[str, Element] = {}
    for element in (*catalogue.iter(), *system.iter()):
        if "id" in element.attrib:
            ids.setdefault(element.attrib["id"], element)
    parts = Parts(ids)
    roots = inside(catalogue, "selectionEntries/selectionEntry")
    roots += inside(catalogue, "entryLinks/entryLink")
    units = [root_place(parts, parts.of(element)) for element in roots]
    (kind,) = inside(system, "costTypes/costType")
    return Book(
        catalogue.attrib["id"],
        catalogue.attrib["name"],
        kind.attrib["id"],
        parts,
        {unit.path: unit for unit in units},
        {
            force.attrib["id"]: tuple(_category_rules(force, ids))
            for force in _forces(catalogue) or _forces(system)
        },
        frozenset(id_ for id_, one in ids.items() if name_of_tag(one) == "categoryEntry"),
    )


def _forces(file: Element) -> list[Element]:
    return [
        force for force in inside(file, "forceEntries/forceEntry") if force.get("hidden") != "true"
    ]


def _category_rules(force: Element, ids: dict[str, Element]) -> Iterator[CategoryRule]:
    for link in inside(force, "categoryLinks/categoryLink"):
        target = ids[link.attrib["targetId"]]
        limits = inside(link, "constraints/constraint") + inside(target, "constraints/constraint")
        yield CategoryRule(
            target.attrib["id"],
            target.attrib["name"],
            tuple(read_constraint(one, target.attrib["id"]) for one in limits),
            (*read_modifiers(target), *read_modifiers(link)),
        )


# A roster file as a tree of selections, each at its place in the book.

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
    army = Army(book, force, limit, tuple(units), strangers)
    for unit in units:
        unit.count()
        for key in unit.place.keys:
            army.direct[key] += unit.number
        army.deep.update(unit.deep)
    army.deep.update(army.direct)
    return army


def read_army(text: bytes, books: Mapping[Key, Book]) -> Army:
    """The army of a roster with one force. Raises KeyError where no book is the force's."""
    root = ET.fromstring(text)  # noqa: S314
    (force,) = inside(root, "forces/force")
    book = books[force.attrib["catalogueId"], force.attrib["catalogueName"]]
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
