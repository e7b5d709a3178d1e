"""Selections as the XML of a roster, as BattleScribe writes it."""

import re
from collections.abc import Callable, Iterable, Mapping
from hashlib import sha256
from typing import Final
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from armybuilder.battlescribe.rosters.choosing import WrittenSelection
from armybuilder.battlescribe.rosters.origins import Origin, OriginForce, OriginName

NAMESPACE: Final = "http://www.battlescribe.net/schema/rosterSchema"
#: The version of BattleScribe whose files these are.
VERSION: Final = "2.03"
#: What XML cannot hold at all.
_UNWRITABLE: Final = re.compile("[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Ids = Callable[[], str]


def numbered_ids(seed: bytes) -> Ids:
    """Ids as BattleScribe makes them, four groups of hexadecimal digits: one after the other, the
    same for the same seed.
    """
    number = 0

    def following() -> str:
        nonlocal number
        number += 1
        digits = sha256(seed + str(number).encode()).hexdigest()
        return "-".join(digits[at : at + 4] for at in range(0, 16, 4))

    return following


class ElementWriter:
    """Writes the parts of one roster. `ids` gives each element its id."""

    def __init__(self, ids: Ids, points: OriginName) -> None:
        self.ids = ids
        self.points = points

    def roster(
        self, game: OriginName, name: str, spent: int, limit: int, notes: str
    ) -> tuple[Element, Element]:
        """The roster, and the element in it that its forces go into."""
        root = Element("roster", {"id": self.ids(), "name": _clean(name)})
        root.set("battleScribeVersion", VERSION)
        root.set("gameSystemId", game.id)
        root.set("gameSystemName", game.name)
        root.set("gameSystemRevision", str(game.revision))
        root.set("xmlns", NAMESPACE)
        self._costs(root, spent)
        limits = SubElement(root, "costLimits")
        SubElement(limits, "costLimit", self._cost(limit))
        forces = SubElement(root, "forces")
        _notes(root, notes)
        return root, forces

    def force(
        self,
        into: Element,
        origin: Origin,
        force: OriginForce,
        units: Iterable[WrittenSelection],
        notes: str,
    ) -> None:
        """A force with its units."""
        element = SubElement(into, "force", {"id": self.ids(), "name": force.name})
        element.set("entryId", force.id)
        element.set("catalogueId", origin.catalogue.id)
        element.set("catalogueRevision", str(origin.catalogue.revision))
        element.set("catalogueName", origin.catalogue.name)
        _notes(element, notes)
        self._selections(element, units)
        names = {"(No Category)": "Uncategorised"}
        names |= {id_: origin.categories[id_] for id_ in force.categories}
        self._categories(element, names, dict.fromkeys(names, False))

    def _selections(self, parent: Element, selections: Iterable[WrittenSelection]) -> None:
        found = list(selections)
        if found:
            into = SubElement(parent, "selections")
            for selection in found:
                self._selection(into, selection)

    def _selection(self, parent: Element, selection: WrittenSelection) -> None:
        site = selection.site
        element = SubElement(parent, "selection", {"id": self.ids(), "name": _clean(site.name)})
        element.set("entryId", site.path)
        if site.group:
            element.set("entryGroupId", site.group)
        if selection.name:
            element.set("customName", _clean(selection.name))
        element.set("number", str(selection.number))
        element.set("type", site.type)
        _notes(element, selection.notes)
        self._selections(element, selection.inner)
        self._costs(element, selection.points)
        primary: dict[str, bool] = {}
        for id_, first in site.categories:
            primary[id_] = primary.get(id_, False) or first
        self._categories(element, site.origin.categories, primary)

    def _costs(self, parent: Element, points: int) -> None:
        SubElement(SubElement(parent, "costs"), "cost", self._cost(points))

    def _cost(self, points: int) -> dict[str, str]:
        return {"name": self.points.name, "typeId": self.points.id, "value": f"{points}.0"}

    def _categories(
        self, parent: Element, names: Mapping[str, str], primary: Mapping[str, bool]
    ) -> None:
        if not primary:
            return
        into = SubElement(parent, "categories")
        for id_, first in primary.items():
            SubElement(
                into,
                "category",
                {
                    "id": self.ids(),
                    "name": _clean(names[id_]),
                    "entryId": id_,
                    "primary": "true" if first else "false",
                },
            )


def text_of(root: Element) -> bytes:
    """The file's bytes, in UTF-8."""
    indent(root)
    # Line ends that are part of a text must not be read as one of the file.
    body = tostring(root, encoding="unicode").replace("\r", "&#13;")
    head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    return f"{head}{body}\n".encode()


def _notes(parent: Element, notes: str) -> None:
    if notes:
        SubElement(parent, "customNotes").text = _clean(notes)


def _clean(text: str) -> str:
    """The text without what XML cannot hold."""
    return _UNWRITABLE.sub("", text)
