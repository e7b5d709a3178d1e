"""A unit copied from another book, with what it needs there: abilities of that book's own, shared
options, categories. What is asked of units that did not come along is refused.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.fields import Entry
from armybuilder.authoring.wording import free_id, quoted, simplified
from armybuilder.loading.abilities import read_ability
from armybuilder.loading.documents import Document
from armybuilder.loading.names import node_id, walk
from armybuilder.loading.problems import Refusal

#: Keys under which units and options name categories.
CATEGORY_KEYS = ("categories", "category", "add_category", "remove_category")


@dataclass(frozen=True, slots=True)
class Renaming:
    """New ids of shared options, and of the unit."""

    options: Mapping[str, str]
    units: Mapping[str, str]

    def having(self, had: str, name: str) -> "Renaming":
        """The same, with one more option."""
        return replace(self, options={**self.options, had: name})


def take_over(
    book: Document, source: Document, units: Mapping[str, Entry]
) -> tuple[Document, list[dict[str, Any]]]:
    """Return the book with all that units need of their source, and the units. Raises Refusal."""
    shared = {node_id(node): node for node in source.get("options", ())}
    needed = dict.fromkeys(name for unit in units.values() for name in _uses(unit, shared))
    ids = Renaming({}, {unit["id"]: new_id for new_id, unit in units.items()})
    nodes, ids = _shared_nodes(book, [shared[name] for name in needed], ids)
    copies = []
    abilities: dict[str, str] = {}
    for new_id, unit in units.items():
        renamed = {**_renamed(unit, ids), "id": new_id}
        book, copy = _with_abilities(book, source, renamed, abilities)
        copies.append(copy)
    book = _with_list(book, "options", nodes)
    book = _with_list(book, "categories", _categories(book, source, [*copies, *nodes]))
    gaps = [
        {**gap, "where": ids.units[home]}
        for gap in source.get("gaps", ())
        if (home := gap["where"].partition("/")[0]) in ids.units
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


def _shared_nodes(book: Document, wanted: list[Entry], ids: Renaming) -> tuple[list[Any], Renaming]:
    """Return the shared options that the book lacks, and new ids where one means something else."""
    there = {node_id(node): node for node in book.get("options", ())}
    added: dict[str, Any] = {}
    for node in wanted:
        had = name = node_id(node)
        number = 2
        while True:
            key = "group" if "group" in node else "id"
            made = {**_rewritten(node, ids.having(had, name)), key: name}
            if there.get(name, made) == made:
                break
            name, number = f"{had}-{number}", number + 1
        if name != had:
            ids = ids.having(had, name)
        if name not in there:
            added[name] = made
    return list(added.values()), ids


def _renamed(entry: Entry, ids: Renaming) -> dict[str, Any]:
    """Return the unit with new ids for what it names; options of its own keep theirs."""
    own = set(_own_options(entry))
    options = {had: name for had, name in ids.options.items() if had not in own}
    renamed: dict[str, Any] = _rewritten(entry, replace(ids, options=options))
    return renamed


def _own_options(entry: Entry) -> Iterator[str]:
    nodes = (node for node, _ in walk(entry.get("options", ()), ()))
    return (node_id(node) for node in nodes if "use" not in node)


def _rewritten(value: Any, ids: Renaming) -> Any:
    """Return the value with other ids where it uses or names shared options, or the unit itself."""
    if isinstance(value, list):
        return [_rewritten(inner, ids) for inner in value]
    if not isinstance(value, dict):
        return value
    made: dict[str, Any] = {}
    for key, inner in value.items():
        if key in ("use", "default", "not_with"):
            made[key] = _other_ids(inner, ids.options)
        elif key == "unit":
            made[key] = _other_ids(inner, ids.units)
        elif key == "taken":
            army = value.get("in") == "army"
            made[key] = _other_ids(inner, {**ids.options, **(ids.units if army else {})})
        elif key == "on":
            both = (*inner, *(ids.options.get(name, name) for name in inner))
            made[key] = list(dict.fromkeys(both))
        else:
            made[key] = _rewritten(inner, ids)
    return made


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
        same = (key for key, had in there.items() if _same_ability(had, entry))
        found = next(same, None)
        ids[name] = found or (name if name not in there else free_id(name, there, "ability"))
        there.setdefault(ids[name], {**entry, "id": ids[name]})
    renamed = {name for name, new in ids.items() if name != new}
    if renamed:
        unit["abilities"] = [
            {**use, "ability": ids[use["ability"]]} if use["ability"] in renamed else entry
            for entry, use in zip(unit["abilities"], uses, strict=True)
        ]
    return ({**book, "abilities": list(there.values())} if there else book), unit


def _same_ability(had: Entry, other: Entry) -> bool:
    """Return whether a card can name one instead of the other."""
    keys = ("rating", "rating_optional", "target", "target_optional", "points")
    same_form = all(had.get(key) == other.get(key) for key in keys)
    return same_form and simplified(had["name"]) == simplified(other["name"])


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
    """Yield the ids that stand under some keys, anywhere inside a value."""
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
    """Raise Refusal where a condition names a thing that the book does not have."""
    book = {**book, "units": [*book["units"], *units]}
    known = _ids_of(book)
    for unit in units:
        missing = _missing([unit, *nodes], known | _ids_below(book, unit))
        if missing:
            names = _names_of(source)
            told = _(
                "{unit} refers to {names}, which your book does not have: copy that too, or "
                "the whole book."
            )
            raise Refusal(told.format(unit=unit["name"], names=quoted([*map(names, missing)], 5)))


def _missing(entries: list[Any], known: set[str]) -> list[str]:
    """Return the ids that conditions of the entries name and that are not known."""
    missing: dict[str, None] = {}
    for entry in entries:
        for name in ids_under(entry, ("taken", "unit", "organisation", "not_with")):
            home, _, option = name.rpartition("/")
            lost = home if home and home not in known else option
            if lost not in known:
                missing[lost] = None
    return list(missing)


def _ids_below(book: Document, unit: Entry) -> set[str]:
    shared = {node_id(node): node for node in book.get("options", ())}
    found = set(_own_options(unit))
    for name in _uses(unit, shared):
        found |= {name, *_own_options(shared[name])}
    return found


def _ids_of(book: Document) -> set[str]:
    """Return every unit, option, group and organisation of a book."""
    found = {entry["id"] for key in ("units", "organisations") for entry in book.get(key, ())}
    for entry in (book, *book["units"]):
        found |= set(_own_options(entry))
    return found


def _names_of(source: Document) -> Callable[[str], str]:
    """How a book calls its units, options and organisations; an id that it does not know stays."""
    names: dict[str, str] = {}
    for key in ("units", "organisations", "options"):
        for node, _path in walk(source.get(key, ()), ()):
            if "name" in node:
                names.setdefault(node_id(node), node["name"])
    return lambda name: names.get(name, name)
