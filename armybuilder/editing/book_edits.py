"""Edits of what a list draws from: its books, and the edition of the game."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import Catalogue, Setting
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal

#: Most books of one list, as its schema says.
MAX_BOOKS = 50


def add_book(document: Document, book_id: str, revision: str) -> Document:
    """Draw from one more book, or from a book in another revision."""
    entry = {"id": book_id, "revision": revision}
    books = [entry if had["id"] == book_id else had for had in document["books"]]
    if entry not in books:
        books.append(entry)
    if len(books) > MAX_BOOKS:
        raise Refusal(_("A list draws from at most {number} books.").format(number=MAX_BOOKS))
    return {**document, "books": books}


def remove_book(document: Document, book_id: str) -> Document:
    """Draw from one book less. Its units stay, and are told as unknown."""
    books = [had for had in document["books"] if had["id"] != book_id]
    if not books:
        raise Refusal(_("Choose at least one book."))
    return {**document, "books": books}


@dataclass(frozen=True, slots=True)
class Switched:
    """A document in another edition; `lost` names the settings that mean nothing there."""

    document: Document
    lost: tuple[str, ...]


def switch_edition(document: Document, old: Catalogue, new: Catalogue) -> Switched:
    """The list under the rules of another edition of its game: units and books stay, and so do the
    settings and roles that both editions know.
    """
    settings: dict[str, Any] = {}
    lost: list[str] = []
    for key, value in document.get("settings", {}).items():
        setting = new.system.settings.get(key)
        kept = None if setting is None else _kept(setting, value, new)
        if kept is not None:
            settings[key] = kept
        if kept != value:
            lost += _named(old.system.settings.get(key), value, kept)
    units = [_with_roles(entry, new) for entry in document["units"]]
    document = {**document, "system": new.system.id, "settings": settings, "units": units}
    return Switched(document, tuple(lost))


def _kept(setting: Setting, value: Any, new: Catalogue) -> Any:
    """What of a value the setting takes over; None: nothing."""
    if setting.kind in ("pieces", "pool"):
        known = new.units if setting.kind == "pool" else setting.values
        pieces = value if isinstance(value, list) else [value]
        return [piece for piece in pieces if piece in known]
    if setting.kind == "number":
        fits = isinstance(value, int) and setting.low <= value <= setting.high
        return value if fits else None
    values: Mapping[str, object] = setting.values
    if setting.kind == "attribute":
        values = new.system.attributes[setting.attribute].values
    return value if isinstance(value, str) and value in values else None


def _named(setting: Setting | None, value: Any, kept: Any) -> list[str]:
    """What is lost of a setting, by name: the whole of it, or some of its pieces."""
    if setting is None or value in (None, "", []) or value == setting.default:
        return []
    if isinstance(value, list) and kept:
        gone = [piece for piece in value if piece not in kept]
        return [setting.values[piece].name for piece in gone if piece in setting.values]
    return [setting.name]


def _with_roles(entry: Mapping[str, Any], new: Catalogue) -> dict[str, Any]:
    rest = {key: value for key, value in entry.items() if key != "roles"}
    roles = [role for role in entry.get("roles", ()) if role in new.system.roles]
    return {**rest, "roles": roles} if roles else rest
