"""The files of a folder: one book for each catalogue, read with the game system it is for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NamedTuple
from xml.etree import ElementTree as ET
from xml.etree.ElementTree import Element
from zipfile import ZipFile

from tests.second_reading.reader.parts import (
    Constraint,
    Modifier,
    Parts,
    inside,
    name_of_tag,
    read_constraint,
    read_modifiers,
)
from tests.second_reading.reader.places import Place, root_place

#: The entry by which a list says who its General is.
GENERAL = "Army General"


class CategoryRule(NamedTuple):
    """What a force asks of a category."""

    id: str
    name: str
    constraints: tuple[Constraint, ...]
    modifiers: tuple[Modifier, ...]


@dataclass(frozen=True, eq=False)
class Book:
    """A catalogue: its units by the paths that rosters name them by; forces by their ids; `points`
    is the id of the kind of cost, `categories` those of all categories.
    """

    id: str
    name: str
    points: str
    parts: Parts
    units: dict[str, Place]
    forces: dict[str, tuple[CategoryRule, ...]]
    categories: frozenset[str]

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


def read_folder(folder: Path) -> dict[str, Book]:
    """The books of a folder of catalogues and the one game system they are for, by their ids."""
    (system,) = map(read_file, [*folder.glob("*.gst"), *folder.glob("*.gstz")])
    files = sorted([*folder.glob("*.cat"), *folder.glob("*.catz")])
    found = (read_book(read_file(file), system) for file in files)
    return {book.id: book for book in found}


def read_file(file: Path) -> Element:
    if file.suffix in (".cat", ".gst"):
        return ET.parse(file).getroot()  # noqa: S314
    with ZipFile(file) as packed:
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
