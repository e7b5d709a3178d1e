"""Sizes and prices of units as BattleScribe catalogue files state them.

A second, independent reading of the source files, for comparing with what the importer makes of
them; it shares no code with it. Developers run it on files they trust, so plain xml.etree will do:

    python packages/bookimport/tests/source_prices.py FOLDER > tests/catalogs/t9a_source_prices.json

Modifiers are ignored: every figure is that of an army in which nothing else has been taken.
"""

import json
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

Ids = dict[str, ET.Element]
CHILDREN = ("selectionEntries", "selectionEntryGroups", "entryLinks")
#: "Highborn Elves 2023 Beta 2", "HE - Highborn Elves".
EDITION = re.compile(r" 20\d\d\b.*$|^[A-Z]{2,3} - ")


def inside(element: ET.Element, path: str) -> list[ET.Element]:
    """The elements at a path, whatever the file's namespace."""
    return element.findall("/".join(f"{{*}}{step}" for step in path.split("/")))


def index(*roots: ET.Element) -> Ids:
    """Everything with an id; the earlier file wins."""
    found: Ids = {}
    for root in roots:
        for element in root.iter():
            if "id" in element.attrib:
                found.setdefault(element.attrib["id"], element)
    return found


def is_a(element: ET.Element, tag: str) -> bool:
    """Is it an element of this name, whatever its namespace?"""
    return element.tag.rpartition("}")[2] == tag


class Node:
    """An entry or a group: the element itself or, for a link, the link and what it points to."""

    def __init__(self, element: ET.Element, ids: Ids) -> None:
        self.ids = ids
        self.parts = [element]
        if is_a(element, "entryLink"):
            self.parts.append(ids[element.attrib["targetId"]])
        self.what = self.parts[-1]
        self.name = element.attrib["name"]
        self.is_group = is_a(self.what, "selectionEntryGroup")
        self.hidden = any(part.get("hidden") == "true" for part in self.parts)

    def inside(self, path: str) -> list[ET.Element]:
        """What stands at a path in the link and in its target."""
        return [element for part in self.parts for element in inside(part, path)]

    def children(self) -> Iterator["Node"]:
        """Entries and groups directly below, without hidden ones and links that lead nowhere."""
        for tag in CHILDREN:
            for container in self.inside(tag):
                for element in container:
                    if element.get("targetId", next(iter(self.ids))) not in self.ids:
                        continue
                    node = Node(element, self.ids)
                    if not node.hidden:
                        yield node

    def price(self) -> int:
        """Its own price in points; that of a link stands in the place of its target's."""
        for part in self.parts:
            costs = [c for c in inside(part, "costs/cost") if c.attrib["name"].strip() == "pts"]
            if costs:
                return whole(sum(float(cost.attrib["value"]) for cost in costs))
        return 0

    def limits(self, kind: str, scope: str) -> list[int]:
        """How many may be taken: the values of its min or max constraints in a scope."""
        return [
            whole(float(c.attrib["value"]))
            for c in self.inside("constraints/constraint")
            if (c.get("type"), c.get("scope"), c.get("field")) == (kind, scope, "selections")
            and float(c.attrib["value"]) >= 0  # -1 is no limit
        ]

    def least(self) -> int:
        """How many its parent must have."""
        return max(self.limits("min", "parent"), default=0)

    def most(self) -> int | None:
        """How many its parent may have."""
        return min(self.limits("max", "parent"), default=None)

    def compulsory(self) -> int:
        """What everything costs that must be taken below it; choices within groups do not count."""
        return sum(
            child.compulsory()
            if child.is_group
            else child.least() * (child.price() + child.compulsory())
            for child in self.children()
        )

    def body(self) -> "Node | None":
        """The entry that is counted for the unit's size.

        That is the one of type model. A few units have their models as type upgrade; there it is
        the one priced entry with a minimum and a greater maximum.
        """
        entries = [child for child in self.children() if not child.is_group]
        models = [entry for entry in entries if entry.what.get("type") == "model"]
        bodies = models or [e for e in entries if e.price() and 1 <= e.least() != e.most()]
        if len(bodies) > 1:
            raise ValueError(f"{self.name}: which of {[body.name for body in bodies]} is its size?")
        return bodies[0] if bodies else None

    def categories(self) -> list[str]:
        """Its categories by their own names, the primary one first."""
        links = self.inside("categoryLinks/categoryLink")
        links = sorted(links, key=lambda link: link.get("primary") != "true")
        return [self.ids[link.attrib["targetId"]].attrib["name"] for link in links]


def whole(number: float) -> int:
    """A number of the file, which writes 20.0 for 20; fails rather than round."""
    if number != int(number):
        raise ValueError(f"{number} is not a whole number")
    return int(number)


def unit(node: Node) -> dict[str, Any]:
    """The figures of one unit.

    base is the price at minimum size, points the same with what must be bought beside the models;
    per_model is 0 where nothing is counted. A size without an upper end is written [5, null].
    """
    body = node.body()
    size = (body.least(), body.most()) if body else (1, 1)
    per_model = body.price() if body else 0
    return {
        "name": node.name,
        "size": list(size),
        "base": node.price() + size[0] * per_model,
        "points": node.price() + node.compulsory(),
        "per_model": per_model,
        "categories": node.categories(),
        "cap": min(node.limits("max", "roster"), default=None),
    }


def book(catalogue: ET.Element, system: ET.Element, file: str) -> dict[str, Any]:
    """What one catalogue says: its file, its revision and its units in the order of the file."""
    ids = index(catalogue, system)
    roots = inside(catalogue, "selectionEntries/selectionEntry")
    roots += inside(catalogue, "entryLinks/entryLink")
    units = [unit(Node(root, ids)) for root in roots]
    return {"file": file, "revision": int(catalogue.attrib["revision"]), "units": units}


def short_name(catalogue: ET.Element) -> str:
    """The book's name without year and edition."""
    return EDITION.sub("", catalogue.attrib["name"])


def read_folder(folder: Path) -> dict[str, dict[str, Any]]:
    """All books of a folder that holds catalogues and the one game system they are for."""
    (system,) = (ET.parse(file).getroot() for file in folder.glob("*.gst"))  # noqa: S314
    books: dict[str, dict[str, Any]] = {}
    for file in sorted(folder.glob("*.cat")):
        catalogue = ET.parse(file).getroot()  # noqa: S314
        if short_name(catalogue) in books:
            raise ValueError(f"two books are called {short_name(catalogue)}")
        books[short_name(catalogue)] = book(catalogue, system, file.name)
    return books


def text(value: object) -> str:
    """JSON on one line."""
    return json.dumps(value, ensure_ascii=False)


def as_json(books: dict[str, dict[str, Any]]) -> str:
    """The books as JSON with one unit per line."""
    parts = []
    for name, content in books.items():
        units = ",\n".join(f"   {text(line)}" for line in content["units"])
        head = f' {text(name)}: {{"file": {text(content["file"])}, '
        parts.append(f'{head}"revision": {content["revision"]}, "units": [\n{units}\n ]}}')
    return "{\n" + ",\n".join(parts) + "\n}\n"


if __name__ == "__main__":
    sys.stdout.buffer.write(as_json(read_folder(Path(sys.argv[1]))).encode())
