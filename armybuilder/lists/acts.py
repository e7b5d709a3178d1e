"""Acts: what a button of the builder asks for, from form fields to an edit of the document.

Every act names what it touches, so that an act from a page that is out of date can be told
apart: where the touched part is still as the page showed it, the act is done on the newer
list; where it is not, the player is asked.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from armybuilder.books.pinning import BookNow, books_now, take
from armybuilder.engine.catalogue import Catalogue, Unit
from armybuilder.lists import edits, mending, option_edits
from armybuilder.lists.army import neighbour
from armybuilder.lists.book_edits import add_book, remove_book
from armybuilder.lists.comparison import in_edition
from armybuilder.loading.documents import Document, make_roster
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

Fields = Mapping[str, str]


class Done(NamedTuple):
    """A new document, what was done as a sentence, and the entry to show (or "")."""

    document: Document
    said: str
    entry: str = ""


class Asked(NamedTuple):
    """What an act works on. `fields` are the form's; `unit` the id of the entry meant, or "";
    `holder` is whose list it is.
    """

    document: Document
    catalogue: Catalogue
    library: Library
    fields: Fields
    holder: str = ""

    @property
    def unit(self) -> str:
        return self.fields.get("unit", "")

    def name(self) -> str:
        """What the player knows the entry by."""
        return entry_name(edits.find(self.document, self.unit), self.catalogue.units)


class Act(NamedTuple):
    run: Callable[[Asked], Done]
    touches: Callable[[Fields], str]


def entry_name(entry: Mapping[str, object], units: Mapping[str, Unit]) -> str:
    """An entry's own name, its unit's, or, where the unit is unknown, its reference."""
    if name := entry.get("name"):
        return str(name)
    profile = entry.get("profile")
    if isinstance(profile, dict):
        return str(profile["name"])
    unit = units.get(str(entry.get("unit")))
    return unit.name if unit else str(entry.get("unit"))


ACTS: dict[str, Act] = {}


def act(name: str, touches: Callable[[Fields], str] = lambda fields: "") -> Callable[..., object]:
    """Register an act. `touches` names the part of the document it replaces: "name", "limit",
    "books", "notes", "settings:<id>", "unit:<id>"; "" where it adds to what is there.
    """

    def register(run: Callable[[Asked], Done]) -> Callable[[Asked], Done]:
        ACTS[name] = Act(run, touches)
        return run

    return register


def part(document: Document, touched: str) -> object:
    """The part of a document an act touches, to see whether two documents agree in it."""
    kind, _, key = touched.partition(":")
    if kind == "unit":
        return next((entry for entry in document["units"] if entry["id"] == key), None)
    if kind == "settings":
        return document.get("settings", {}).get(key)
    return document.get(kind)


def _entry(fields: Fields) -> str:
    return f"unit:{fields.get('unit', '')}"


@act("add")
def _add(asked: Asked) -> Done:
    ref = asked.fields.get("ref", "")
    document, entry = edits.add_unit(asked.document, asked.catalogue, ref)
    return Done(document, f"Added {asked.catalogue.units[ref].name}.", entry)


@act("more")
def _more(asked: Asked) -> Done:
    document = edits.step_models(asked.document, asked.unit, 1)
    return Done(document, f"One more {asked.name()}.", asked.unit)


@act("fewer")
def _fewer(asked: Asked) -> Done:
    document = edits.step_models(asked.document, asked.unit, -1)
    gone = len(document["units"]) < len(asked.document["units"])
    said = f"Removed {asked.name()}." if gone else f"One {asked.name()} less."
    return Done(document, said, "" if gone else asked.unit)


@act("models", _entry)
def _models(asked: Asked) -> Done:
    models = edits.whole_number(
        asked.fields.get("models", ""), 0, edits.MAX_MODELS, "The number of models"
    )
    document = edits.set_models(asked.document, asked.unit, models)
    said = f"{models} × {asked.name()}." if models else f"Removed {asked.name()}."
    return Done(document, said, asked.unit if models else "")


@act("remove", _entry)
def _remove(asked: Asked) -> Done:
    return Done(edits.remove(asked.document, asked.unit), f"Removed {asked.name()}.")


@act("remove-units", lambda fields: "units")
def _remove_units(asked: Asked) -> Done:
    """Several units at once: `units` are their ids, with blanks between."""
    document = mending.remove_several(asked.document, asked.fields.get("units", "").split())
    number = len(asked.document["units"]) - len(document["units"])
    return Done(document, f"Removed {number} unit{'' if number == 1 else 's'}.")


@act("forget", lambda fields: _entry(fields) if fields.get("unit") else "settings")
def _forget(asked: Asked) -> Done:
    """What nobody knows: `kind` is what it would be, `name` what the list calls it."""
    kind, name = asked.fields.get("kind", ""), asked.fields.get("name", "")
    document = mending.forget(asked.document, asked.catalogue, kind, asked.unit, name)
    return Done(document, f"Left out “{name[:60]}”.", asked.unit)


@act("duplicate")
def _duplicate(asked: Asked) -> Done:
    document, entry = edits.duplicate(asked.document, asked.catalogue, asked.unit)
    return Done(document, f"Copied {asked.name()}.", entry)


@act("up")
def _up(asked: Asked) -> Done:
    return _moved(asked, -1, "up")


@act("down")
def _down(asked: Asked) -> Done:
    return _moved(asked, 1, "down")


def _moved(asked: Asked, step: int, where: str) -> Done:
    """Past the next unit; where units stand under headings, the next one under its own."""
    name = asked.name()
    if asked.catalogue.system.sized:
        picks = make_roster(asked.document, asked.catalogue).picks
        step = neighbour(picks, asked.unit, step, asked.catalogue)
    document = edits.move(asked.document, asked.unit, step)
    return Done(document, f"Moved {name} {where}.", asked.unit)


@act("describe", _entry)
def _describe(asked: Asked) -> Done:
    document = edits.rename_unit(asked.document, asked.unit, asked.fields.get("name", ""))
    document = edits.note_unit(document, asked.unit, asked.fields.get("notes", ""))
    return Done(document, f"Changed name and notes of {asked.name()}.", asked.unit)


@act("role", _entry)
def _role(asked: Asked) -> Done:
    role = asked.fields.get("role", "")
    document = edits.switch_role(asked.document, asked.catalogue, asked.unit, role)
    given = role in edits.find(document, asked.unit).get("roles", ())
    name = asked.catalogue.system.roles[role].name.lower()
    said = f"{asked.name()}: {name}." if given else f"{asked.name()}: no longer {name}."
    return Done(document, said, asked.unit)


@act("option", _entry)
def _option(asked: Asked) -> Done:
    path = asked.fields.get("option", "")
    document = option_edits.switch_option(asked.document, asked.catalogue, asked.unit, path)
    return Done(document, f"Changed the options of {asked.name()}.", asked.unit)


@act("option-number", _entry)
def _option_number(asked: Asked) -> Done:
    """So many of an option: `option` is its path, `number` how many."""
    number = edits.whole_number(
        asked.fields.get("number", ""), 0, option_edits.MAX_TIMES, "The number"
    )
    path = asked.fields.get("option", "")
    document = option_edits.set_number(asked.document, asked.catalogue, asked.unit, path, number)
    return Done(document, f"Changed the options of {asked.name()}.", asked.unit)


@act("put-on", _entry)
def _put_on(asked: Asked) -> Done:
    """An enchantment put on a piece of equipment: `option` is its path, `piece` what it is on."""
    path, piece = asked.fields.get("option", ""), asked.fields.get("piece", "")
    document = option_edits.put_on(asked.document, asked.catalogue, asked.unit, path, piece)
    return Done(document, f"Changed the options of {asked.name()}.", asked.unit)


@act("card", _entry)
def _card(asked: Asked) -> Done:
    document = edits.fill_card(asked.document, asked.catalogue, asked.unit, asked.fields)
    return Done(document, f"Filled in the card of {asked.name()}.", asked.unit)


@act("rename", lambda fields: "name")
def _rename(asked: Asked) -> Done:
    document = edits.rename(asked.document, asked.fields.get("name", ""))
    return Done(document, f"Renamed the list to {document['name']}.")


@act("limit", lambda fields: "limit")
def _limit(asked: Asked) -> Done:
    limit = edits.whole_number(asked.fields.get("limit", ""), 1, edits.MAX_LIMIT, "The size")
    return Done(edits.set_limit(asked.document, limit), f"Size: {limit} points.")


@act("notes", lambda fields: "notes")
def _notes(asked: Asked) -> Done:
    return Done(
        edits.set_notes(asked.document, asked.fields.get("notes", "")), "Changed the notes."
    )


@act("setting", lambda fields: f"settings:{fields.get('setting', '')}")
def _setting(asked: Asked) -> Done:
    key = asked.fields.get("setting", "")
    value = asked.fields.get("value", "")
    document = edits.set_setting(asked.document, asked.catalogue, key, value)
    return Done(document, f"Changed {asked.catalogue.system.settings[key].name.lower()}.")


@act("add-piece")
def _add_piece(asked: Asked) -> Done:
    key, piece = asked.fields.get("setting", ""), asked.fields.get("piece", "")
    document = edits.add_piece(asked.document, asked.catalogue, key, piece)
    return Done(document, f"Added {edits.pieces_of(asked.catalogue, key)[piece]}.")


@act("remove-piece")
def _remove_piece(asked: Asked) -> Done:
    key, piece = asked.fields.get("setting", ""), asked.fields.get("piece", "")
    document = edits.remove_piece(asked.document, key, piece)
    name = edits.pieces_of(asked.catalogue, key).get(piece, piece)
    return Done(document, f"Removed {name}.")


@act("add-book")
def _add_book(asked: Asked) -> Done:
    if asked.catalogue.system.sized:
        raise Refusal("In this game a list draws from one book only.")
    book = _taken(asked)
    return Done(add_book(asked.document, book.id, book.revision), f"The list uses {book.name} now.")


@act("update-book", lambda fields: "books")
def _update_book(asked: Asked) -> Done:
    """A book of the list as it is now, in place of the content that the list pins."""
    book = _taken(asked)
    document = add_book(asked.document, book.id, book.revision)
    return Done(document, f"Took over what has changed in {book.name}.")


def _taken(asked: Asked) -> BookNow:
    """The book that the fields name, as it is now, kept for the list."""
    book_id = asked.fields.get("book", "")
    system = asked.catalogue.system
    revision = take(asked.holder, system, asked.library, [book_id])[book_id]
    books = books_now(asked.holder, system, asked.library)
    return next(book for book in books if book.id == book_id)._replace(revision=revision)


@act("remove-book")
def _remove_book(asked: Asked) -> Done:
    book_id = asked.fields.get("book", "")
    book = next((book for book in asked.catalogue.books if book.id == book_id), None)
    document = remove_book(asked.document, book_id)
    return Done(document, f"Left out {book.name if book else book_id}.")


@act("edition", lambda fields: "system")
def _edition(asked: Asked) -> Done:
    """The list under the rules of another edition: `system` is its id."""
    document = in_edition(asked.document, asked.library, asked.fields.get("system", "")).document
    return Done(document, f"The list is for {asked.library.system(document['system']).name} now.")


def own_profile(asked: Asked) -> edits.Entry:
    """The own model that the form's fields describe."""
    return edits.own_profile(
        asked.catalogue,
        asked.fields.get("name", ""),
        {stat: asked.fields.get(f"stat-{stat}", "") for stat in asked.catalogue.system.stats},
        [key.removeprefix("ability-") for key in asked.fields if key.startswith("ability-")],
        {
            key.removeprefix("target-"): value
            for key, value in asked.fields.items()
            if key.startswith("target-")
        },
    )


@act("own", _entry)
def _own(asked: Asked) -> Done:
    """A new own model, or with `unit` a change of one on the list."""
    profile = own_profile(asked)
    if asked.unit:
        document = edits.set_profile(asked.document, asked.unit, profile)
        return Done(document, f"Changed {profile['name']}.", asked.unit)
    document, entry = edits.add_own(asked.document, asked.catalogue, profile)
    return Done(document, f"Added {profile['name']}.", entry)


def find_act(name: str) -> Act:
    """Raises Refusal where there is no such act."""
    if name not in ACTS:
        raise Refusal("The page asked for something the app cannot do.")
    return ACTS[name]
