"""Edits of a player's book: pure functions from a document to the next one.

Each returns a new document and leaves the old one as it was. Every one that is given the game
ends in one check, so none returns a book that the game refuses; one that cannot be done raises
`Refusal` with one sentence, and with the problems where the schema or a reference refuses.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.authoring.abilities_text import LONGEST_NAME
from armybuilder.authoring.checking import (
    MAX_BYTES,
    MAX_DEPTH,
    MOST_PROBLEMS,
    check_limits,
    check_units,
    checked,
    find_part,
    needed_name,
)
from armybuilder.authoring.copying import CATEGORY_KEYS, ids_under, take_over
from armybuilder.authoring.fields import Entry, ReadCard, Wrong
from armybuilder.authoring.wording import (
    UNKNOWN,
    free_id,
    paragraph,
    quoted,
    simplified,
    whole_number,
)
from armybuilder.engine.abilities import RATING_FORMS
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import marked
from armybuilder.languages import in_every_language
from armybuilder.loading.documents import Document
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import Library, book_problems
from armybuilder.loading.problems import Refusal
from armybuilder.loading.systems import read_ability

MAX_TEXT = 600
#: Default description of a book: stored in English, shown in the reader's language.
_USUAL = marked("Cards for {game}.")

#: Categories of a new army book; the rulebook's usual shares.
_CATEGORIES = (
    {"id": "characters", "name": "Characters", "max": "40%"},
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special"},
    {"id": "army-specific", "name": "Army-specific", "max": "30%"},
)


class NothingTaken(Refusal):
    """A file with mistakes, refused in a sentence that says that nothing was done."""

    says_nothing_was_done = True


def new_book(system: System, book_id: str, name: str, about: str = "") -> Document:
    book: Document = {
        "format": "book/1",
        "id": book_id,
        "system": system.id,
        "name": "",
        "about": "",
        "kind": "own",
        "source": {"title": _("Made by a player")},
        "units": [],
    }
    if system.sized:
        book["categories"] = [dict(category) for category in _CATEGORIES]
    return rename(book, system, name, about)


def read_book(raw: bytes, library: Library, name: str = "book") -> tuple[Document, System]:
    """Read an uploaded book, and find its game. Raises Refusal, with the file's problems."""
    book = parse_json(raw, MAX_BYTES, MAX_DEPTH)
    if not isinstance(book, dict) or "units" not in book:
        raise Refusal(_("The file contains no book."))
    if str(book.get("format", "")).startswith("armylist/"):
        raise Refusal(_("The file is an army list, not a book."))
    system_id = book.get("system")
    if not isinstance(system_id, str):
        raise Refusal(_("The file does not say which game the book is for (“system”)."))
    system = library.system(system_id)
    check_limits(book)
    problems = book_problems(book, system, name, MOST_PROBLEMS)
    if problems:
        told = ngettext(
            "The file has one error; nothing was imported.",
            "The file has {number} errors; nothing was imported.",
            len(problems),
        )
        raise NothingTaken(told.format(number=len(problems)), problems)
    return book, system


def as_own(book: Document, book_id: str, name: str = "") -> Document:
    """Return a checked book as the player's own, with another id and perhaps another name."""
    source = dict(book["source"])
    if book["kind"] != "own":
        note = _("From the book “{book}”.").format(book=book["name"])
        told = " ".join(filter(None, (source.get("note"), note)))
        source["note"] = told if len(told) <= MAX_TEXT else note[:MAX_TEXT]
    own = {**book, "id": book_id, "kind": "own", "source": source}
    own["name"] = needed_name(name or book["name"])
    check_limits(own)
    return own


def rename(book: Document, system: System, name: str, about: str) -> Document:
    """Change the book's name, and the words about it; empty ones are put in order."""
    name = needed_name(name)
    try:
        about = paragraph(about, MAX_TEXT)
    except Wrong as wrong:
        told = _("The description: {wrong}").format(wrong=wrong.messages[0])
        raise Refusal(told) from wrong
    about = about or in_every_language(_USUAL)[0].format(game=system.name)
    return checked({**book, "name": name, "about": about}, system, book)


def told_about(about: str, game: str) -> str:
    """Return the description of a game's book, in the reader's language if nobody wrote one."""
    usual = (text.format(game=game) for text in in_every_language(_USUAL))
    return _(_USUAL).format(game=game) if about in usual else about


def put_card(
    book: Document, system: System, read: ReadCard, unit_id: str = ""
) -> tuple[Document, str]:
    """Add a card, or replace the unit of that id. Returns its id too."""
    _complete(read)
    units = list(book["units"])
    if unit_id:
        units[_place(book, unit_id)] = {**read.unit, "id": unit_id}
    else:
        unit_id = free_id(read.unit["name"], [unit["id"] for unit in units], "unit")
        units.append({"id": unit_id} | read.unit | {"id": unit_id})
    return _settled(book, units, system, read.abilities), unit_id


def put_cards(
    book: Document, system: System, reads: Sequence[ReadCard], replace: bool = False
) -> Document:
    """Add many cards, all or none. `replace`: one with a unit's id or name takes its place."""
    units = {unit["id"]: unit for unit in book["units"]}
    by_name = {simplified(unit["name"]): unit["id"] for unit in reversed(book["units"])}
    abilities = [ability for read in reads for ability in read.abilities]
    for read in reads:
        _complete(read)
        unit_id = read.unit.get("id", by_name.get(simplified(read.unit["name"]), ""))
        if not replace or unit_id not in units:
            unit_id = free_id(read.unit["name"], units, "unit")
        units[unit_id] = {"id": unit_id} | read.unit | {"id": unit_id}
    return _settled(book, list(units.values()), system, abilities)


def put_json(book: Document, system: System, raw: str, unit_id: str) -> Document:
    """Replace a unit by JSON text, for values that the form cannot show."""
    place = _place(book, unit_id)
    try:
        unit = parse_json(raw.encode("utf-8", "surrogatepass"), MAX_BYTES, MAX_DEPTH)
    except Refusal as refusal:
        # The sentence is about a file, in the reader's language; here there is none.
        raise Refusal(refusal.sentence.replace(_("The file"), _("The text"), 1)) from refusal
    if not isinstance(unit, dict):
        raise Refusal(_("Write one unit as a JSON object."))
    if unit.get("id", unit_id) != unit_id:
        raise Refusal(_("The id of a unit cannot be changed: “{id}”.").format(id=unit_id))
    units = list(book["units"])
    units[place] = {"id": unit_id, **unit}
    return _settled(book, units, system)


def remove_unit(book: Document, system: System, unit_id: str) -> Document:
    _place(book, unit_id)
    units = [unit for unit in book["units"] if unit["id"] != unit_id]
    gaps = [gap for gap in book.get("gaps", ()) if gap["where"].partition("/")[0] != unit_id]
    return _settled(_with(book, "gaps", gaps), units, system)


def move_unit(book: Document, system: System, unit_id: str, step: int) -> Document:
    """Move the unit up (-1) or down (+1) by some places, not beyond either end."""
    return checked({**book, "units": _moved(book, unit_id, "units", step)}, system, book)


def copy_unit(
    book: Document, system: System, source: Document, unit_id: str
) -> tuple[Document, str]:
    """Copy a unit of a book of the same game, with the parts it needs. Return its id too.

    In its own book it goes behind itself. Raises Refusal if it needs a part that this book lacks.
    """
    place = _place(source, unit_id)
    new_id = free_id(unit_id, [unit["id"] for unit in book["units"]], "unit")
    grown, copies = take_over(book, source, {new_id: source["units"][place]})
    units = list(book["units"])
    behind = place + 1 if source is book else len(units)
    units[behind:behind] = copies
    return _settled(grown, units, system), new_id


def copy_units(
    book: Document, system: System, source: Document, unit_ids: Iterable[str]
) -> Document:
    """Copy several units as `copy_unit` does, all or none; they may ask about each other."""
    taken = {unit["id"] for unit in book["units"]}
    units: dict[str, Entry] = {}
    for unit_id in dict.fromkeys(unit_ids):
        unit = source["units"][_place(source, unit_id)]
        new_id = free_id(unit_id, taken, "unit")
        taken.add(new_id)
        units[new_id] = unit
    check_units(len(taken))
    grown, copies = take_over(book, source, units)
    return _settled(grown, [*book["units"], *copies], system)


def own_ability(book: Document, system: System, ability: Mapping[str, Any]) -> Document:
    """Change a custom ability by its "id": "name", "rating" (a style), "summary", "points".

    Missing keys stay as they are, an empty summary goes.
    """
    before = find_part(book, "abilities", str(ability.get("id")))
    if before is None:
        raise Refusal(_("That ability is no longer in the book."))
    changed = {**before, **_ability_changes(ability, before)}
    entry = {key: value for key, value in changed.items() if value not in ("", None)}
    abilities = [entry if each is before else each for each in book["abilities"]]
    names = [simplified(each["name"]) for each in abilities]
    known = {simplified(known.name) for known in system.abilities.values()}
    name = simplified(entry["name"])
    if names.count(name) > 1 or name in known:
        raise Refusal(_("There is another ability called {name}.").format(name=entry["name"]))
    uses = (read_ability(use) for unit in book["units"] for use in unit.get("abilities", ()))
    if entry.get("rating", "none") == "none" and any(
        use["ability"] == entry["id"] and "rating" in use for use in uses
    ):
        told = _("Cards in the book have a number after {name}; change them first.")
        raise Refusal(told.format(name=entry["name"]))
    return checked({**book, "abilities": abilities}, system, book)


def _ability_changes(ability: Mapping[str, Any], before: Entry) -> dict[str, Any]:
    changes: dict[str, Any] = {}
    if "name" in ability:
        changes["name"] = needed_name(str(ability["name"]), LONGEST_NAME)
    if "rating" in ability:
        if ability["rating"] not in RATING_FORMS:
            raise Refusal(_("Choose how the number is written."))
        changes["rating"] = ability["rating"]
        if before.get("rating", "none") == "none" != ability["rating"]:
            changes["rating_optional"] = True
    try:
        if "summary" in ability:
            changes["summary"] = paragraph(str(ability["summary"]), MAX_TEXT)
        points = str(ability.get("points", "")).strip()
        if points:
            changes["points"] = whole_number(points, -999, 999)
    except Wrong as wrong:
        told = _("{field}: {wrong}").format(field=before["name"], wrong=wrong.messages[0])
        raise Refusal(told) from wrong
    return changes


def _complete(read: ReadCard) -> None:
    if read.mistakes:
        raise Refusal(read.mistakes[0].message)
    if not read.unit.get("name"):
        raise Refusal(_("The card has no name."))


def _place(book: Document, part_id: str, key: str = "units") -> int:
    """Return the place of a unit or category. Raises Refusal if it isn't in the book."""
    for place, part in enumerate(book.get(key, ())):
        if part["id"] == part_id:
            return place
    gone = _("That unit is no longer in the book.")
    raise Refusal(gone if key == "units" else _("That category is no longer in the book."))


def _moved(book: Document, part_id: str, key: str, step: int) -> list[Any]:
    """Return the units or categories with one moved by some places, not beyond either end."""
    place, parts = _place(book, part_id, key), list(book[key])
    parts.insert(min(max(place + step, 0), len(parts) - 1), parts.pop(place))
    return parts


def _settled(
    book: Document, units: list[Any], system: System, abilities: Iterable[Entry] = ()
) -> Document:
    """Return the checked book, without unused abilities unless somebody described them."""
    check_units(len(units))
    own = {entry["id"]: entry for entry in book.get("abilities", ())}
    for entry in abilities:
        own[entry["id"]] = _merged(own.get(entry["id"]), entry)
    gone = _used(book["units"]) - _used(units) if own else set()
    described = {"summary", "points", "target"}
    kept = [entry for entry in own.values() if entry["id"] not in gone or entry.keys() & described]
    return checked({**_with(book, "abilities", kept), "units": units}, system, book)


def _merged(old: Entry | None, new: Entry) -> dict[str, Any]:
    """Return an own ability as all cards that name it need it, however they write its rating."""
    if old is None:
        return dict(new)
    merged = {**new, **old}
    styles = {entry.get("rating", "none") for entry in (old, new)}
    if "plus" in styles:
        merged["rating"] = "plus"
    elif old.get("rating", "none") == "none":
        merged["rating"] = new.get("rating", "none")
    if any(each.get("rating_optional") for each in (old, new)) or {"none"} < styles:
        merged["rating_optional"] = True
    if any(each.get("target_optional") for each in (old, new)):
        merged["target_optional"] = True
    return {key: value for key, value in merged.items() if (key, value) != ("rating", "none")}


def _used(units: Iterable[Any]) -> set[str]:
    """Return the abilities that units name. A unit written as JSON may hold anything yet."""
    used: set[str] = set()
    for unit in units:
        entries = unit.get("abilities", ())
        for entry in entries if isinstance(entries, list) else ():
            named = entry.get("ability") if isinstance(entry, dict) else entry
            if isinstance(named, str):
                used.add(named.partition(":")[0].partition(" ")[0])
    return used


def _with(book: Document, key: str, value: list[Any]) -> Document:
    """Return the book with a list under a key; without the key where the list is empty."""
    if value:
        return {**book, key: value}
    return {other: inner for other, inner in book.items() if other != key}


MAX_CATEGORIES = 40
#: Units named where a category cannot be removed.
_TOLD = 5


@dataclass(frozen=True, slots=True)
class CategoryBound:
    """A number of a category: key, label, the highest that makes sense, the sign behind it."""

    key: str
    label: str | Promise
    high: int
    sign: str


BOUNDS = (
    CategoryBound("min", gettext_lazy("Min %"), 100, "%"),
    CategoryBound("max", gettext_lazy("Max %"), 100, "%"),
    CategoryBound("min_units", gettext_lazy("Min units"), 999, ""),
    CategoryBound("max_units", gettext_lazy("Max units"), 999, ""),
)


def texts_of(category: Entry) -> dict[str, str]:
    """Return the texts of a category's form: its name and its numbers, without signs."""
    numbers = {
        bound.key: str(category.get(bound.key, "")).removesuffix(bound.sign) for bound in BOUNDS
    }
    return {"name": category["name"], **numbers}


def needed_categories(system: System) -> set[str]:
    """Return the ids of categories that every army of the game must have units of."""
    bounds = (bound for rule in system.rules for bound in rule.bounds)
    needed = (one.query.selector for one in bounds if one.of_list and one.low is not None)
    clauses = (clause for selector in needed if selector for clause in selector.clauses)
    tags = frozenset[str]().union(*clauses)
    return {tag.removeprefix("category:") for tag in tags if tag.startswith("category:")}


def put_category(
    book: Document, system: System, texts: Mapping[str, str], category_id: str = ""
) -> tuple[Document, str]:
    """Add or change a category by its texts. Return its id too.

    They are "name", "min", "max" (per cent), "min_units", "max_units"; "" is no limit.
    """
    categories = list(book.get("categories", ()))
    place = _place(book, category_id, "categories") if category_id else len(categories)
    others = [*categories[:place], *categories[place + 1 :]]
    name = needed_name(texts.get("name", ""), LONGEST_NAME)
    if simplified(name) in {simplified(other["name"]) for other in others}:
        raise Refusal(_("There is another category called {name}.").format(name=name))
    if not category_id and len(others) >= MAX_CATEGORIES:
        raise Refusal(_("A book has at most {most} categories.").format(most=MAX_CATEGORIES))
    new_id = category_id or free_id(name, [other["id"] for other in others], "category")
    entry = dict(categories[place]) if category_id else {}
    entry |= {"id": new_id, "name": name}
    for bound in BOUNDS:
        entry.pop(bound.key, None)
        text = texts.get(bound.key, "").strip()
        if text in UNKNOWN:
            continue
        try:
            number = whole_number(text, 0, bound.high, bound.sign)
        except Wrong as wrong:
            told = _("{field}: {wrong}").format(field=bound.label, wrong=wrong.messages[0])
            raise Refusal(told) from wrong
        entry[bound.key] = f"{number}{bound.sign}" if bound.sign else number
    return _with_categories(
        book, system, [*categories[:place], entry, *categories[place + 1 :]]
    ), new_id


def remove_category(book: Document, system: System, category_id: str) -> Document:
    """Remove a category. Raises Refusal, naming units that are in it."""
    categories = list(book.get("categories", ()))
    gone = categories.pop(_place(book, category_id, "categories"))
    # Units in it, and units and shared options whose parts name it.
    names = [
        entry.get("name", entry.get("group", ""))
        for entry in (*book["units"], *book.get("options", ()))
        if category_id in ids_under(entry, CATEGORY_KEYS)
    ]
    if names:
        told = ngettext(
            "{category} still has {names}: move it first.",
            "{category} still has {names}: move them first.",
            len(names),
        )
        raise Refusal(told.format(category=gone["name"], names=quoted(names, _TOLD)))
    return _with_categories(book, system, categories)


def move_category(book: Document, system: System, category_id: str, step: int) -> Document:
    """Move a category, and its heading in lists, up (-1) or down (+1); it stops at the ends."""
    return _with_categories(book, system, _moved(book, category_id, "categories", step))


def _with_categories(book: Document, system: System, categories: list[Any]) -> Document:
    if not system.sized:
        raise Refusal(_("Books of {game} have no army categories.").format(game=system.name))
    return checked({**book, "categories": categories}, system, book)
