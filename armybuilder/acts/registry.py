"""Acts: what a button of the builder asks for, from form fields to an edit of the document.

Every act names what it touches, so that an act from a page that is out of date can be told
apart: where the touched part is still as the page showed it, the act is done on the newer
list; where it is not, the player is asked.
"""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.books.pinning import BookNow, books_now, take
from armybuilder.comparing.editions import in_edition
from armybuilder.editing import cleanup, unit_edits
from armybuilder.editing.book_edits import add_book, remove_book
from armybuilder.editing.headings import category_of, neighbour
from armybuilder.engine.catalogue import Catalogue, Unit
from armybuilder.engine.units import size_bounds
from armybuilder.engine.wording import inside
from armybuilder.loading.armylist import ArmyList, ListProfile, ListUnit
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT, MAX_MODELS
from armybuilder.loading.problems import Refusal

Fields = Mapping[str, str]


class Done(NamedTuple):
    """A new document, what was done as a sentence, and the entry to show (or "")."""

    document: ArmyList
    said: str
    entry: str = ""


class Asked(NamedTuple):
    """What an act works on. `fields` are the form's; `unit` the id of the entry meant, or "";
    `holder` is whose list it is.
    """

    document: ArmyList
    catalogue: Catalogue
    library: Library
    fields: Fields
    holder: str = ""

    @property
    def unit(self) -> str:
        return self.fields.get("unit", "")

    def name(self) -> str:
        """What the player knows the entry by."""
        return entry_name(unit_edits.find(self.document, self.unit), self.catalogue.units)


class Act(NamedTuple):
    run: Callable[[Asked], Done]
    touches: Callable[[Fields], str]


def entry_name(entry: ListUnit, units: Mapping[str, Unit]) -> str:
    """An entry's own name, its unit's, or, where the unit is unknown, its reference."""
    if entry.name:
        return entry.name
    if entry.profile is not None:
        return entry.profile.name
    unit = units.get(entry.ref)
    return unit.name if unit else entry.ref


ACTS: dict[str, Act] = {}


def act(name: str, touches: Callable[[Fields], str] = lambda fields: "") -> Callable[..., object]:
    """Register an act. `touches` names the part of the document it replaces: "name", "limit",
    "books", "notes", "settings:<id>", "unit:<id>"; "" where it adds to what is there.
    """

    def register(run: Callable[[Asked], Done]) -> Callable[[Asked], Done]:
        ACTS[name] = Act(run, touches)
        return run

    return register


def part(document: ArmyList, touched: str) -> object:
    """The part of a document an act touches, to see whether two documents agree in it."""
    kind, _, key = touched.partition(":")
    if kind == "unit":
        return next((entry for entry in document.units if entry.id == key), None)
    if kind == "settings":
        return document.settings.get(key)
    part: object = getattr(document, kind)
    return part


def entry_touched(fields: Fields) -> str:
    """The part of the document that an act on one unit replaces."""
    return f"unit:{fields.get('unit', '')}"


@act("add")
def _add(asked: Asked) -> Done:
    ref = asked.fields.get("ref", "")
    document, entry = unit_edits.add_unit(asked.document, asked.catalogue, ref)
    return Done(document, _("Added {name}.").format(name=asked.catalogue.units[ref].name), entry)


def _keep_size(asked: Asked, step: int) -> None:
    """Raises Refusal where a step would make or leave a unit that its book does not have: a key
    pressed once too often neither takes a unit off the list nor breaks its size.
    """
    entry = unit_edits.find(asked.document, asked.unit)
    unit = asked.catalogue.units.get(entry.ref)
    if unit is None or not asked.catalogue.system.sized:
        return
    low, high = size_bounds(unit)
    if step < 0 and entry.models <= max(low, 1):
        least = ngettext(
            "{name} has at least {number} model.", "{name} has at least {number} models.", low
        )
        raise Refusal(least.format(name=asked.name(), number=low))
    if step > 0 and high is not None and entry.models >= high:
        most = ngettext(
            "{name} has at most {number} model.", "{name} has at most {number} models.", high
        )
        raise Refusal(most.format(name=asked.name(), number=high))


@act("more")
def _more(asked: Asked) -> Done:
    _keep_size(asked, 1)
    document = unit_edits.step_models(asked.document, asked.unit, 1)
    return Done(document, _("One more {name}.").format(name=asked.name()), asked.unit)


@act("fewer")
def _fewer(asked: Asked) -> Done:
    _keep_size(asked, -1)
    document = unit_edits.step_models(asked.document, asked.unit, -1)
    gone = len(document.units) < len(asked.document.units)
    said = (_("Removed {name}.") if gone else _("One {name} less.")).format(name=asked.name())
    return Done(document, said, "" if gone else asked.unit)


@act("models", entry_touched)
def _models(asked: Asked) -> Done:
    models = unit_edits.whole_number(
        asked.fields.get("models", ""), 0, MAX_MODELS, _("The number of models")
    )
    document = unit_edits.set_models(asked.document, asked.unit, models)
    said = (_("{number} × {name}.") if models else _("Removed {name}.")).format(
        number=models, name=asked.name()
    )
    return Done(document, said, asked.unit if models else "")


@act("remove", entry_touched)
def _remove(asked: Asked) -> Done:
    document = unit_edits.remove(asked.document, asked.unit)
    return Done(document, _("Removed {name}.").format(name=asked.name()))


@act("remove-units", lambda fields: "units")
def _remove_units(asked: Asked) -> Done:
    """Several units at once: `units` are their ids, with blanks between."""
    document = cleanup.remove_several(asked.document, asked.fields.get("units", "").split())
    number = len(asked.document.units) - len(document.units)
    said = ngettext("Removed {number} unit.", "Removed {number} units.", number)
    return Done(document, said.format(number=number))


@act("forget", lambda fields: entry_touched(fields) if fields.get("unit") else "settings")
def _forget(asked: Asked) -> Done:
    """What nobody knows: `kind` is what it would be, `name` what the list calls it."""
    kind, name = asked.fields.get("kind", ""), asked.fields.get("name", "")
    document = cleanup.forget(asked.document, asked.catalogue, kind, asked.unit, name)
    return Done(document, _("Left out “{name}”.").format(name=name[:60]), asked.unit)


@act("duplicate")
def _duplicate(asked: Asked) -> Done:
    document, entry = unit_edits.duplicate(asked.document, asked.catalogue, asked.unit)
    return Done(document, _("Copied {name}.").format(name=asked.name()), entry)


@act("up")
def _up(asked: Asked) -> Done:
    return _moved(asked, -1, _("Moved {name} up."))


@act("down")
def _down(asked: Asked) -> Done:
    return _moved(asked, 1, _("Moved {name} down."))


def _moved(asked: Asked, step: int, said: str) -> Done:
    """Past the next unit; where units stand under headings, the next one under its own."""
    if asked.catalogue.system.sized:
        picks = make_roster(asked.document, asked.catalogue).picks
        step = neighbour(picks, asked.unit, step, asked.catalogue)
    document = unit_edits.move(asked.document, asked.unit, step)
    return Done(document, said.format(name=asked.name()), asked.unit)


@act("move")
def _move(asked: Asked) -> Done:
    """To another place: `before` is the id of the unit that comes next there; "" is the end."""
    before = asked.fields.get("before", "")
    if before and asked.catalogue.system.sized:
        _same_heading(asked, before)
    document = unit_edits.move_before(asked.document, asked.unit, before)
    return Done(document, _("Moved {name}.").format(name=asked.name()), asked.unit)


def _same_heading(asked: Asked, other: str) -> None:
    """Raises Refusal where two units stand under different headings."""
    entries = (unit_edits.find(asked.document, entry_id) for entry_id in (asked.unit, other))
    units = [asked.catalogue.units.get(entry.ref) for entry in entries]
    ours, theirs = (category_of(unit, asked.catalogue) for unit in units)
    if ours != theirs:
        raise Refusal(_("{name} stands under {heading}.").format(name=asked.name(), heading=ours))


@act("describe", entry_touched)
def _describe(asked: Asked) -> Done:
    document = unit_edits.rename_unit(asked.document, asked.unit, asked.fields.get("name", ""))
    document = unit_edits.note_unit(document, asked.unit, asked.fields.get("notes", ""))
    return Done(
        document, _("Changed name and notes of {name}.").format(name=asked.name()), asked.unit
    )


@act("role", entry_touched)
def _role(asked: Asked) -> Done:
    role = asked.fields.get("role", "")
    document = unit_edits.switch_role(asked.document, asked.catalogue, asked.unit, role)
    given = role in unit_edits.find(document, asked.unit).roles
    name = inside(asked.catalogue.system.roles[role].name)
    said = _("{name}: {role}.") if given else _("{name}: no longer {role}.")
    return Done(document, said.format(name=asked.name(), role=name), asked.unit)


@act("card", entry_touched)
def _card(asked: Asked) -> Done:
    document = unit_edits.fill_card(asked.document, asked.catalogue, asked.unit, asked.fields)
    return Done(document, _("Filled in the card of {name}.").format(name=asked.name()), asked.unit)


@act("rename", lambda fields: "name")
def _rename(asked: Asked) -> Done:
    document = unit_edits.rename(asked.document, asked.fields.get("name", ""))
    return Done(document, _("Renamed the list to {name}.").format(name=document.name))


@act("limit", lambda fields: "limit")
def _limit(asked: Asked) -> Done:
    limit = unit_edits.whole_number(asked.fields.get("limit", ""), 1, MAX_LIMIT, _("The size"))
    said = ngettext("Size: {number} point.", "Size: {number} points.", limit)
    return Done(unit_edits.set_limit(asked.document, limit), said.format(number=limit))


@act("notes", lambda fields: "notes")
def _notes(asked: Asked) -> Done:
    document = unit_edits.set_notes(asked.document, asked.fields.get("notes", ""))
    return Done(document, _("Changed the notes."))


@act("setting", lambda fields: f"settings:{fields.get('setting', '')}")
def _setting(asked: Asked) -> Done:
    key = asked.fields.get("setting", "")
    value = asked.fields.get("value", "")
    document = unit_edits.set_setting(asked.document, asked.catalogue, key, value)
    name = inside(asked.catalogue.system.settings[key].name)
    return Done(document, _("Changed {name}.").format(name=name))


@act("add-piece")
def _add_piece(asked: Asked) -> Done:
    key, piece = asked.fields.get("setting", ""), asked.fields.get("piece", "")
    document = unit_edits.add_piece(asked.document, asked.catalogue, key, piece)
    name = unit_edits.pieces_of(asked.catalogue, key)[piece]
    return Done(document, _("Added {name}.").format(name=name))


@act("remove-piece")
def _remove_piece(asked: Asked) -> Done:
    key, piece = asked.fields.get("setting", ""), asked.fields.get("piece", "")
    document = unit_edits.remove_piece(asked.document, key, piece)
    name = unit_edits.pieces_of(asked.catalogue, key).get(piece, piece)
    return Done(document, _("Removed {name}.").format(name=name))


@act("add-book")
def _add_book(asked: Asked) -> Done:
    if asked.catalogue.system.sized:
        raise Refusal(_("In this game a list draws from one book only."))
    book = _taken(asked, asked.fields.get("book", ""))
    document = add_book(asked.document, book.id, book.revision)
    return Done(document, _("The list uses {book} now.").format(book=book.name))


@act("update-book", lambda fields: "books")
def _update_book(asked: Asked) -> Done:
    """Books of the list as they are now, in place of the content that the list pins: `book` holds
    their ids with commas between, `revision` likewise those that the player has seen; where a book
    is another again by now, nothing is taken over unseen.
    """
    ids = asked.fields.get("book", "").split(",")
    seen = dict(zip(ids, asked.fields.get("revision", "").split(","), strict=False))
    document, names = asked.document, []
    for book_id in ids:
        if book_id not in {had.id for had in document.books}:
            raise Refusal(_("The list does not use that book."))
        book = _taken(asked, book_id)
        if seen.get(book_id) and seen[book_id] != book.revision:
            said = _("“{name}” has changed again since: look once more at what would differ.")
            raise Refusal(said.format(name=book.name))
        document = add_book(document, book.id, book.revision)
        names.append(book.name)
    said = _("Took over what has changed in {book}.")
    return Done(document, said.format(book=", ".join(names)))


def _taken(asked: Asked, book_id: str) -> BookNow:
    """A book as it is now, kept for the list."""
    system = asked.catalogue.system
    revision = take(asked.holder, system, asked.library, [book_id])[book_id]
    books = books_now(asked.holder, system, asked.library)
    return next(book for book in books if book.id == book_id)._replace(revision=revision)


@act("remove-book")
def _remove_book(asked: Asked) -> Done:
    book_id = asked.fields.get("book", "")
    book = next((book for book in asked.catalogue.books if book.id == book_id), None)
    document = remove_book(asked.document, book_id)
    return Done(document, _("Left out {name}.").format(name=book.name if book else book_id))


@act("edition", lambda fields: "system")
def _edition(asked: Asked) -> Done:
    """The list under the rules of another edition: `system` is its id."""
    document = in_edition(asked.document, asked.library, asked.fields.get("system", "")).document
    game = asked.library.system(document.system).name
    return Done(document, _("The list is for {game} now.").format(game=game))


def own_profile(asked: Asked) -> ListProfile:
    """The own model that the form's fields describe."""
    return unit_edits.own_profile(
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


@act("own", entry_touched)
def _own(asked: Asked) -> Done:
    """A new own model, or with `unit` a change of one on the list."""
    profile = own_profile(asked)
    if asked.unit:
        document = unit_edits.set_profile(asked.document, asked.unit, profile)
        return Done(document, _("Changed {name}.").format(name=profile.name), asked.unit)
    document, entry = unit_edits.add_own(asked.document, asked.catalogue, profile)
    return Done(document, _("Added {name}.").format(name=profile.name), entry)


def find_act(name: str) -> Act:
    """Raises Refusal where there is no such act."""
    if name not in ACTS:
        raise Refusal(_("The page asked for something the app cannot do."))
    return ACTS[name]
