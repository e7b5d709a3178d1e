"""Edits of what a list draws from: its books, and the edition of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.armylist import (
    ArmyList,
    ListBook,
    ListUnit,
    changed,
    pieces_in,
    with_settings,
)
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
        raise Refusal(_("A list draws from at most {number} books.").format(number=MAX_BOOKS))
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
    """The list under the rules of another edition of its game: units and books stay, and so do the
    settings and roles that both editions know.
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
    units = tuple(_with_roles(entry, new) for entry in document.units)
    switched = replace(document, system=new.system.id, units=units)
    return Switched(with_settings(switched, settings), tuple(lost))


def _kept(setting: Setting, value: SettingValue, new: Catalogue) -> SettingValue:
    """What of a value the setting takes over; None: nothing."""
    if setting.kind in ("pieces", "pool"):
        known = new.units if setting.kind == "pool" else setting.values
        return tuple(str(piece) for piece in pieces_in(value) if piece in known)
    if setting.kind == "number":
        fits = isinstance(value, int) and setting.low <= value <= setting.high
        return value if fits else None
    values: Mapping[str, object] = setting.values
    if setting.kind == "attribute":
        values = new.system.attributes[setting.attribute].values
    return value if isinstance(value, str) and value in values else None


def _named(setting: Setting | None, value: SettingValue, kept: SettingValue) -> list[str]:
    """What is lost of a setting, by name: the whole of it, or some of its pieces."""
    if setting is None or value in (None, "", ()) or value == setting.default:
        return []
    if isinstance(value, tuple) and isinstance(kept, tuple) and kept:
        gone = [piece for piece in value if piece not in kept]
        return [setting.values[piece].name for piece in gone if piece in setting.values]
    return [setting.name]


def _with_roles(entry: ListUnit, new: Catalogue) -> ListUnit:
    return changed(entry, roles=tuple(role for role in entry.roles if role in new.system.roles))
