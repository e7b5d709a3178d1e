"""Tiny books of the source and armies of them, for tests of the reader."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any
from xml.etree.ElementTree import Element, SubElement

from tests.second_reading.reader.armies import Army, Selection, make_army
from tests.second_reading.reader.books import Book, read_book
from tests.second_reading.reader.judging import Verdict, judge
from tests.second_reading.reader.wordings import word_faults

POINTS = "points-id"
FORCE = "force-id"
#: What stands in an entry in a container of its own.
CONTAINERS = {
    "constraint": "constraints",
    "modifier": "modifiers",
    "condition": "conditions",
    "conditionGroup": "conditionGroups",
    "repeat": "repeats",
    "selectionEntry": "selectionEntries",
    "selectionEntryGroup": "selectionEntryGroups",
    "entryLink": "entryLinks",
    "categoryLink": "categoryLinks",
    "profile": "profiles",
    "rule": "rules",
    "infoLink": "infoLinks",
    "cost": "costs",
}
_NUMBERS = count(1)
#: What is taken: a name, how often, and what is taken on it.
Taken = tuple[Any, ...]


def element(tag: str, *inner: Element, **attributes: object) -> Element:
    """An element with what stands in it, each in its container."""
    made = Element(tag, {key: str(value) for key, value in attributes.items()})
    containers: dict[str, Element] = {}
    for one in inner:
        name = CONTAINERS[one.tag]
        if name not in containers:
            containers[name] = SubElement(made, name)
        containers[name].append(one)
    return made


def _id(id_: str) -> str:
    return id_ or f"id-{next(_NUMBERS)}"


def entry(
    name: str, *inner: Element, id_: str = "", kind: str = "upgrade", cost: float | None = None,
    hidden: bool = False,
) -> Element:  # fmt: skip
    """Something that can be taken; its id is its name where none is given."""
    price = () if cost is None else (element("cost", name="pts", typeId=POINTS, value=cost),)
    return element(
        "selectionEntry", *inner, *price, id=id_ or name, name=name, type=kind,
        hidden=str(hidden).lower(),
    )  # fmt: skip


def unit(name: str, *inner: Element, cost: float = 0) -> Element:
    """A unit, in no category unless it says so."""
    return entry(name, *inner, kind="unit", cost=cost)


def models(name: str, least: int, most_: int, cost: float = 0, *inner: Element) -> Element:
    """The models of a unit."""
    return entry(name, least_(least), most(most_), *inner, kind="model", cost=cost)


def group(name: str, *inner: Element, hidden: bool = False) -> Element:
    """A group of entries; its id is its name."""
    return element(
        "selectionEntryGroup", *inner, id=name, name=name, hidden=str(hidden).lower()
    )  # fmt: skip


def link(
    to: str, *inner: Element, name: str = "", id_: str = "", cost: float | None = None
) -> Element:
    """A link to an entry or a group, which bears its name unless it has one of its own."""
    price = () if cost is None else (element("cost", name="pts", typeId=POINTS, value=cost),)
    return element(
        "entryLink", *inner, *price, id=_id(id_), name=name or to, targetId=to, hidden="false"
    )  # fmt: skip


def most(value: float, scope: str = "parent", field: str = "selections", id_: str = "") -> Element:
    """A limit above; of `points`, or of the `limit` in per cent."""
    return _limit("max", value, scope, field, id_)


def least_(
    value: float, scope: str = "parent", field: str = "selections", id_: str = ""
) -> Element:
    return _limit("min", value, scope, field, id_)


def _limit(side: str, value: float, scope: str, field: str, id_: str) -> Element:
    return element(
        "constraint", type=side, value=value, scope=scope, field=_field(field), id=_id(id_),
        includeChildSelections="true", percentValue=str(field == "limit").lower(),
    )  # fmt: skip


def _field(name: str) -> str:
    return {"points": POINTS, "limit": f"limit::{POINTS}"}.get(name, name)


def change(act: str, field: str, value: object, *inner: Element) -> Element:
    """A change of a limit by its id, of `points`, of `hidden` or of `category`."""
    return element("modifier", *inner, type=act, field=_field(field), value=value)


def when(
    child: str, compare: str = "atLeast", value: float = 1, scope: str = "parent",
    field: str = "selections",
) -> Element:  # fmt: skip
    return element(
        "condition", type=compare, value=value, scope=scope, field=_field(field), childId=child,
        includeChildSelections="true",
    )  # fmt: skip


def either(*inner: Element) -> Element:
    """Conditions of which one is enough."""
    return element("conditionGroup", *inner, type="or")


def each(child: str, value: float = 1, scope: str = "parent", up: bool = False) -> Element:
    """A repeat: once for every so many."""
    return element(
        "repeat", value=value, scope=scope, field="selections", childId=child, repeats=1,
        roundUp=str(up).lower(), includeChildSelections="true",
    )  # fmt: skip


def category(id_: str, *inner: Element, primary: bool = False) -> Element:
    """That an entry counts in a category; or what a force asks of it."""
    return element(
        "categoryLink", *inner, id=_id(""), targetId=id_, primary=str(primary).lower()
    )  # fmt: skip


def profile(table: str, name: str, **cells: str) -> Element:
    made = element("profile", id=_id(""), name=name, typeName=table)
    inner = SubElement(made, "characteristics")
    for key, text in cells.items():
        SubElement(inner, "characteristic", {"name": key}).text = text
    return made


def size(height: str, type_: str = "Infantry") -> Element:
    return profile("0 Size", "Size", Height=height, Type=type_)


def rule(name: str, text: str = "") -> Element:
    made = element("rule", id=_id(""), name=name)
    SubElement(made, "description").text = text
    return made


def book(*roots: Element, shared: Sequence[Element] = (), asks: Sequence[Element] = ()) -> Book:
    """A book of these units; `shared` is what links lead to, `asks` what the force asks of
    categories.
    """
    system = Element("gameSystem")
    SubElement(SubElement(system, "costTypes"), "costType", {"id": POINTS, "name": "pts"})
    categories = SubElement(system, "categoryEntries")
    for name in ("Characters", "Core", "Wings"):
        SubElement(categories, "categoryEntry", {"id": name, "name": name})
    catalogue = Element("catalogue", {"id": "book-id", "name": "Tiny"})
    forces = SubElement(catalogue, "forceEntries")
    forces.append(element("forceEntry", *asks, id=FORCE, name="Tiny"))
    SubElement(catalogue, "selectionEntries").extend(roots)
    SubElement(catalogue, "sharedSelectionEntries").extend(shared)
    return read_book(catalogue, system)


def army(of: Book, *units: Taken, limit: int = 4500) -> Army:
    """An army: of each unit its name, how often, and what is taken on it, likewise."""
    found = {place.name: place for place in of.units.values()}
    made = [_selection(found[name], rest, None) for name, *rest in units]
    return make_army(of, FORCE, limit, made)


def _selection(place: Any, rest: list[Any], parent: Selection | None) -> Selection:
    number, *inner = rest or [1]
    made = Selection(place, number, parent)
    for name, *more in inner:
        fits = (one for one in place.inner if one.name == name and not one.is_group)
        made.inner.append(_selection(next(fits), more, made))
    return made


def verdict(of: Book, *units: Taken, limit: int = 4500) -> Verdict:
    return judge(army(of, *units, limit=limit), word_faults)
