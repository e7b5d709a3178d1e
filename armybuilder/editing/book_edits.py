"""Edits of what a list draws from: its books, and the edition of the game."""

from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.armylist import (
    ArmyList,
    ListBook,
    changed,
    pieces_in,
    with_settings,
)
from armybuilder.loading.documents import offered_by
from armybuilder.loading.examples import Example
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: Most books of one list, as its schema says.
MAX_BOOKS = 50


def add_book(document: ArmyList, book_id: str, revision: str) -> ArmyList:
    """Draw from one more book, or from a book in another revision."""
    entry = ListBook(book_id, revision)
    books = [entry if had.id == book_id else had for had in document.books]
    if entry not in books:
        books.append(entry)
    if len(books) > MAX_BOOKS:
        raise Refusal(_("A list can use at most {number} books.").format(number=MAX_BOOKS))
    return replace(document, books=tuple(books))


def remove_book(document: ArmyList, book_id: str) -> ArmyList:
    """Draw from one book less. Its units stay, and are told as unknown."""
    books = tuple(had for had in document.books if had.id != book_id)
    if not books:
        raise Refusal(_("Choose at least one book."))
    return replace(document, books=books)


@dataclass(frozen=True, slots=True)
class Switched:
    """A document in another edition; `lost` names the settings that mean nothing there."""

    document: ArmyList
    lost: tuple[str, ...]


def switch_edition(document: ArmyList, old: Catalogue, new: Catalogue) -> Switched:
    """Return the list in another edition: units, the edition's own books of the same ids, and the
    settings and roles that both know.
    """
    settings: dict[str, SettingValue] = {}
    lost: list[str] = []
    for key, value in document.settings.items():
        setting = new.system.settings.get(key)
        kept = None if setting is None else _kept(setting, value, new)
        if kept is not None:
            settings[key] = kept
        if kept != value:
            lost += _named(old.system.settings.get(key), value, kept)
    known = new.system.roles
    units = tuple(
        changed(entry, roles=tuple(role for role in entry.roles if role in known))
        for entry in document.units
    )
    revisions = {book.id: book.revision for book in new.books}
    books = tuple(
        replace(had, revision=revisions.get(had.id, had.revision)) if had.revision else had
        for had in document.books
    )
    switched = replace(document, system=new.system.id, units=units, books=books)
    return Switched(with_settings(switched, settings), tuple(lost))


def _kept(setting: Setting, value: SettingValue, new: Catalogue) -> SettingValue:
    """Return what of a value the setting takes over; None: nothing."""
    if setting.kind in ("pieces", "pool"):
        known = offered_by(setting, new)
        return tuple(str(piece) for piece in pieces_in(value) if piece in known)
    if setting.kind == "number":
        fits = isinstance(value, int) and setting.low <= value <= setting.high
        return value if fits else None
    return value if isinstance(value, str) and value in offered_by(setting, new) else None


def _named(setting: Setting | None, value: SettingValue, kept: SettingValue) -> list[str]:
    """Return what is lost of a setting, by name: the whole of it, or some of its pieces."""
    if setting is None or value in (None, "", ()) or value == setting.default:
        return []
    if isinstance(value, tuple) and isinstance(kept, tuple) and kept:
        gone = [piece for piece in value if piece not in kept]
        return [setting.values[piece].name for piece in gone if piece in setting.values]
    return [setting.name]


def example_document(example: Example, library: Library) -> ArmyList:
    """Return an example as a list of somebody's own: with the books as they are now, and what it
    is about in the reader's language.
    """
    shipped = library.books[example.document.system]
    books = tuple(ListBook(book.id, shipped[book.id].revision) for book in example.document.books)
    notes = _(example.about) if example.about else ""
    return replace(example.document, books=books, notes=notes)
