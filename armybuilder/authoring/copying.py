"""Units copied from another book, with the abilities, shared options and categories they need.

Conditions on units that were not copied are refused.
"""

from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.fields import Entry
from armybuilder.authoring.wording import free_id, quoted, simplified
from armybuilder.loading.documents import Document
from armybuilder.loading.options import node_id, walk
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import read_ability

#: Keys under which units and options name categories.
CATEGORY_KEYS = ("categories", "category", "add_category", "remove_category")


def take_over(
    book: Document, source: Document, units: Mapping[str, Entry]
) -> tuple[Document, list[dict[str, Any]]]:
    """Return the book with all that units need of their source, and the units. Raises Refusal."""
    if source["system"] != book["system"]:
        raise Refusal(_("That book is for a different game."))
    shared = {node_id(node): node for node in source.get("options", ())}
    needed = dict.fromkeys(name for unit in units.values() for name in _uses(unit, shared))
    unit_ids = {unit["id"]: new_id for new_id, unit in units.items()}
    nodes, option_ids = _shared_nodes(book, [shared[name] for name in needed], unit_ids)
    copies = []
    abilities: dict[str, str] = {}
    for new_id, unit in units.items():
        # Options of its own keep their ids.
        own = set(_own_options(unit))
        others = {old: name for old, name in option_ids.items() if old not in own}
        renamed = {**_rewritten(unit, others, unit_ids), "id": new_id}
        book, copy = _with_abilities(book, source, renamed, abilities)
        copies.append(copy)
    book = _with_list(book, "options", nodes)
    book = _with_list(book, "categories", _categories(book, source, [*copies, *nodes]))
    gaps = [
        {**gap, "where": unit_ids[home]}
        for gap in source.get("gaps", ())
        if (home := gap["where"].partition("/")[0]) in unit_ids
    ]
    book = _with_list(book, "gaps", gaps)
    _check_names(book, source, copies, nodes)
    return book, copies


def _with_list(book: Document, key: str, added: list[Any]) -> Document:
    return {**book, key: [*book.get(key, ()), *added]} if added else book


def _uses(entry: Entry, shared: Mapping[str, Entry]) -> Iterator[str]:
    """Yield the shared options below an entry, those that they use first."""
    for node in entry.get("options", ()):
        name = node.get("use")
        if name in shared:
            yield from _uses(shared[name], shared)
            yield name
        yield from _uses(node, shared)


def _shared_nodes(
    book: Document, wanted: list[Entry], unit_ids: Mapping[str, str]
) -> tuple[list[Any], dict[str, str]]:
    """Return the shared options that the book lacks, and the new ids of options.

    One gets a new id if the book has another option of its id.
    """
    existing = {node_id(node): node for node in book.get("options", ())}
    option_ids: dict[str, str] = {}
    added: dict[str, Any] = {}
    for node in wanted:
        old_id = new_id = node_id(node)
        key = "group" if "group" in node else "id"
        for number in count(2):
            copy = {**_rewritten(node, {**option_ids, old_id: new_id}, unit_ids), key: new_id}
            if existing.get(new_id, copy) == copy:
                break
            new_id = f"{old_id}-{number}"
        if new_id != old_id:
            option_ids[old_id] = new_id
        if new_id not in existing:
            added[new_id] = copy
    return list(added.values()), option_ids


def _own_options(entry: Entry) -> Iterator[str]:
    nodes = (node for node, _ in walk(entry.get("options", ()), ()))
    return (node_id(node) for node in nodes if "use" not in node)


def _rewritten(value: Any, options: Mapping[str, str], units: Mapping[str, str]) -> Any:
    """Return the value with new ids of the shared options and units that it uses or names."""
    if isinstance(value, list):
        return [_rewritten(inner, options, units) for inner in value]
    if not isinstance(value, dict):
        return value
    copy: dict[str, Any] = {}
    for key, inner in value.items():
        if key in ("use", "default", "not_with"):
            copy[key] = _other_ids(inner, options)
        elif key == "unit":
            copy[key] = _other_ids(inner, units)
        elif key == "taken":
            in_army = value.get("in") == "army"
            copy[key] = _other_ids(inner, {**options, **units} if in_army else options)
        elif key == "on":
            copy[key] = list(dict.fromkeys((*inner, *(options.get(name, name) for name in inner))))
        else:
            copy[key] = _rewritten(inner, options, units)
    return copy


def _other_ids(named: Any, ids: Mapping[str, str]) -> Any:
    """Return the new id of an id, of "unit/option" that of the unit, or those of a list of them."""
    if isinstance(named, list):
        return [_other_ids(name, ids) for name in named]
    home, slash, option = named.partition("/")
    return f"{ids.get(home, home)}/{option}" if slash else ids.get(named, named)


def _with_abilities(
    book: Document, source: Document, unit: dict[str, Any], ids: dict[str, str]
) -> tuple[Document, dict[str, Any]]:
    """Return the book with the source's own abilities of a unit, and the unit with their ids there.

    An ability of the same name and style is the same; `ids` grow.
    """
    own = {entry["id"]: entry for entry in source.get("abilities", ())}
    uses = [read_ability(entry) for entry in unit.get("abilities", ())]
    there = {entry["id"]: entry for entry in book.get("abilities", ())}
    named = dict.fromkeys(use["ability"] for use in uses if use["ability"] in own)
    for name in [name for name in named if name not in ids]:
        entry = own[name]
        same = next((key for key, other in there.items() if _form(other) == _form(entry)), "")
        ids[name] = same or (name if name not in there else free_id(name, there, "ability"))
        there.setdefault(ids[name], {**entry, "id": ids[name]})
    renamed = {name for name, new in ids.items() if name != new}
    if renamed:
        unit["abilities"] = [
            {**use, "ability": ids[use["ability"]]} if use["ability"] in renamed else entry
            for entry, use in zip(unit["abilities"], uses, strict=True)
        ]
    return ({**book, "abilities": list(there.values())} if there else book), unit


def _form(ability: Entry) -> list[object]:
    keys = ("rating", "rating_optional", "target", "target_optional", "points")
    return [simplified(ability["name"]), *map(ability.get, keys)]


def _categories(book: Document, source: Document, entries: list[Entry]) -> list[dict[str, Any]]:
    """Return the categories that the book lacks, without `when`, which asks of the other book."""
    there = {entry["id"] for entry in book.get("categories", ())}
    named = {name for entry in entries for name in ids_under(entry, CATEGORY_KEYS)}
    return [
        {key: value for key, value in entry.items() if key != "when"}
        for entry in source.get("categories", ())
        if entry["id"] in named - there
    ]


def ids_under(value: Any, keys: tuple[str, ...]) -> Iterator[str]:
    """Yield the ids found under some keys, anywhere inside a value."""
    if isinstance(value, list):
        for inner in value:
            yield from ids_under(inner, keys)
    elif isinstance(value, dict):
        for key, inner in value.items():
            if key in keys:
                yield from [inner] if isinstance(inner, str) else inner
            else:
                yield from ids_under(inner, keys)


def _check_names(book: Document, source: Document, units: list[Any], nodes: list[Any]) -> None:
    book = {**book, "units": [*book["units"], *units]}
    known = {entry["id"] for key in ("units", "organisations") for entry in book.get(key, ())}
    for entry in (book, *book["units"]):
        known |= set(_own_options(entry))
    shared = {node_id(node): node for node in book.get("options", ())}
    for unit in units:
        below = known | set(_own_options(unit))
        for name in _uses(unit, shared):
            below |= {name, *_own_options(shared[name])}
        missing: dict[str, None] = {}
        for name in ids_under([unit, *nodes], ("taken", "unit", "organisation", "not_with")):
            home, _slash, option = name.rpartition("/")
            lost = home if home and home not in below else option
            if lost not in below:
                missing[lost] = None
        if missing:
            names: dict[str, str] = {}
            for key in ("units", "organisations", "options"):
                for node, _path in walk(source.get(key, ()), ()):
                    if "name" in node:
                        names.setdefault(node_id(node), node["name"])
            told = _(
                "{unit} refers to {names}, which your book does not have: copy that too, or "
                "the whole book."
            )
            missed = [names.get(name, name) for name in missing]
            raise Refusal(told.format(unit=unit["name"], names=quoted(missed, 5)))
