"""Edits of a list as a whole: books, edition (by names), unknown names, several units at once."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import NamedTuple

from django.utils.translation import gettext as _

from armybuilder.editing import unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.names import name_key, simple
from armybuilder.engine.options import Offer, Slot
from armybuilder.engine.roster import Roster, SettingValue
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Setting
from armybuilder.loading.armylist import (
    ArmyList,
    ListBook,
    ListOption,
    ListUnit,
    changed,
    pieces_in,
    setting_text,
    with_settings,
)
from armybuilder.loading.documents import fitting
from armybuilder.loading.examples import Example
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal


def carried(entry: ListUnit, old: Catalogue, new: Catalogue) -> ListUnit:
    """Return an entry with the ids under which the new books have its unit and its options.

    Names that they lack keep their ids: the list then reports them as unknown.
    """
    was = old.units.get(entry.ref)
    ref = entry.ref if was is None else _ref(was, entry.ref, new)
    unit = new.units.get(ref)
    if was is None or unit is None:
        return entry
    renamed: dict[str, str] = {}
    options = _options(entry.options, was.offer, unit.offer, renamed)
    if ref == entry.ref and not renamed:
        return entry
    return replace(entry, ref=ref, options=tuple(_put_on(one, renamed) for one in options))


def _ref(was: Unit, ref: str, new: Catalogue) -> str:
    if ref in new.units:
        return ref
    book, key = ref.partition("/")[0], name_key(was.name)
    named = [
        other
        for other, unit in new.units.items()
        if other.partition("/")[0] == book and name_key(unit.name) == key
    ]
    return named[0] if len(named) == 1 else ref


def _options(
    options: tuple[ListOption, ...], old: Offer, new: Offer, renamed: dict[str, str]
) -> tuple[ListOption, ...]:
    """Return options with their ids in the new offer, and note those that are `renamed`."""
    places = {option.id: old.slots.get(option.id, ()) for option in options}
    taken = {id_ for id_, slots in places.items() if _is_same(slots, new.slots.get(id_))}
    moved = []
    for option in options:
        if slots := places[option.id]:
            id_ = _id(option.id, slots, new, taken)
            if id_ != option.id:
                renamed[option.id] = id_
                taken.add(id_)
            if option.options and id_ in new.slots:
                inner = slots[0].option.offer, new.slots[id_][0].option.offer
                option = replace(option, options=_options(option.options, *inner, renamed))
            option = option if id_ == option.id else replace(option, id=id_)
        moved.append(option)
    return tuple(moved)


def _id(id_: str, slots: tuple[Slot, ...], new: Offer, taken: set[str]) -> str:
    """Return the id that an option has in a new offer.

    That is the one of its whole name, else its own, else that of its name without the text in
    brackets; of several of one name that of the same group.
    """
    option = slots[0].option
    groups = {name_key(group.name) for slot in slots for group in slot.groups}
    if _is_same(slots, new.slots.get(id_)):
        return id_
    for key in (name_key, lambda name: simple(name.split("(")[0])):
        named = {
            other: {name_key(group.name) for slot in several for group in slot.groups}
            for other, several in new.slots.items()
            if other not in taken and key(several[0].option.name) == key(option.name)
        }
        close = [other for other, its in named.items() if groups & its] or list(named)
        if len(close) == 1:
            return close[0]
        if id_ in new.slots:
            return id_
    return id_


def _is_same(slots: tuple[Slot, ...], others: tuple[Slot, ...] | None) -> bool:
    names = [name_key(some[0].option.name) for some in (slots, others) if some]
    return len(names) == 2 and names[0] == names[1]


def _put_on(option: ListOption, renamed: Mapping[str, str]) -> ListOption:
    """Return an option that is put on a piece, by the id that this has now."""
    inner = tuple(_put_on(one, renamed) for one in option.options)
    return replace(option, on=renamed.get(option.on, option.on), options=inner)


#: Most books of one list, as its schema says.
MAX_BOOKS = 50
#: Things that an unknown name may refer to on a unit, and on the list itself.
KINDS = ("option", "role", "ability", "setting")


def add_book(document: ArmyList, book_id: str, revision: str) -> ArmyList:
    """Draw from one more book, or from a book in another revision."""
    entry = ListBook(book_id, revision)
    books = [entry if book.id == book_id else book for book in document.books]
    if entry not in books:
        books.append(entry)
    if len(books) > MAX_BOOKS:
        raise Refusal(_("A list can use at most {number} books.").format(number=MAX_BOOKS))
    return replace(document, books=tuple(books))


def remove_book(document: ArmyList, book_id: str) -> ArmyList:
    """Remove a book. Its units stay, and are reported as unknown."""
    books = tuple(book for book in document.books if book.id != book_id)
    if not books:
        raise Refusal(_("Choose at least one book."))
    return replace(document, books=books)


class Switched(NamedTuple):
    """A document in another edition; `lost` names the settings that mean nothing there."""

    document: ArmyList
    lost: tuple[str, ...]


def switch_edition(document: ArmyList, old: Catalogue, new: Catalogue) -> Switched:
    """Return the list in another edition, with the settings and roles that both know.

    Units and options are matched by name, not by id.
    """
    settings: dict[str, SettingValue] = {}
    lost: list[str] = []
    for key, value in document.settings.items():
        setting = new.system.settings.get(key)
        kept = None if setting is None else fitting(setting, value, new)
        if kept is not None:
            settings[key] = kept
        if kept != value:
            lost += _named(old.system.settings.get(key), value, kept)
    known = new.system.roles
    units = tuple(
        changed(
            carried(entry, old, new), roles=tuple(role for role in entry.roles if role in known)
        )
        for entry in document.units
    )
    revisions = {book.id: book.revision for book in new.books}
    books = tuple(
        replace(book, revision=revisions.get(book.id, book.revision)) if book.revision else book
        for book in document.books
    )
    switched = replace(document, system=new.system.id, units=units, books=books)
    return Switched(with_settings(switched, settings), tuple(lost))


def _named(setting: Setting | None, value: SettingValue, kept: SettingValue) -> list[str]:
    if setting is None or value in (None, "", ()) or value == setting.default:
        return []
    if isinstance(value, tuple) and isinstance(kept, tuple) and kept:
        gone = [piece for piece in value if piece not in kept]
        return [setting.values[piece].name for piece in gone if piece in setting.values]
    return [setting.name]


def example_document(example: Example, library: Library) -> ArmyList:
    """Return an example as a player's list: with today's books, in the reader's language."""
    shipped = library.books[example.document.system]
    books = tuple(ListBook(book.id, shipped[book.id].revision) for book in example.document.books)
    notes = _(example.about) if example.about else ""
    return replace(example.document, books=books, notes=notes)


def remove_several(document: ArmyList, entry_ids: Iterable[str]) -> ArmyList:
    """Take several units off the list. Raises Refusal where one is gone, or none is named."""
    gone = list(entry_ids)
    if not gone:
        raise Refusal(_("Name at least one unit."))
    for entry_id in gone:
        document = unit_edits.remove(document, entry_id)
    return document


def forget(
    document: ArmyList, catalogue: Catalogue, kind: str, entry_id: str, name: str
) -> ArmyList:
    """Leave out an unknown option, role, ability or setting. Raises Refusal: gone, or known."""
    if kind not in KINDS:
        raise Refusal(_("This page sent a request that isn’t possible. Reload it and try again."))
    after = _forgotten(document, catalogue, kind, entry_id, name)
    if after == document:
        raise Refusal(_("“{name}” is no longer on the list.").format(name=name[:60]))
    return after


def forget_all(document: ArmyList, catalogue: Catalogue, roster: Roster) -> ArmyList:
    """Leave out all that the roster of a document names and that is unknown, but for books."""
    for stray in roster.strays:
        kind = "option" if stray.kind == "repeated" else stray.kind
        if kind in KINDS:
            document = _forgotten(document, catalogue, kind, stray.pick, stray.name)
    gone = {pick.id for pick in roster.picks if pick.unit is None}
    units = tuple(entry for entry in document.units if entry.id not in gone)
    return replace(document, units=units) if gone else document


def _forgotten(
    document: ArmyList, catalogue: Catalogue, kind: str, entry_id: str, name: str
) -> ArmyList:
    if kind == "setting":
        kept: dict[str, SettingValue] = {}
        system = catalogue.system
        for key, value in document.settings.items():
            setting = system.settings.get(key)
            if setting is None and key == name:
                continue
            if setting is not None and setting.kind in ("pieces", "pool"):
                offered = unit_edits.pieces_of(catalogue, key)
                pieces = [str(piece) for piece in pieces_in(value)]
                if name not in offered and name in pieces:
                    value = tuple(piece for piece in pieces if piece != name)
            elif setting is not None and name == f"{setting.name}: {setting_text(value)}":
                continue
            kept[key] = value
        return with_settings(document, kept) if document.settings else document

    def without(entry: ListUnit) -> ListUnit:
        if kind == "role":
            known = name in catalogue.system.roles
            roles = (role for role in entry.roles if known or role != name)
            return changed(entry, roles=tuple(roles))
        if kind == "ability":
            profile = entry.profile
            if profile is None or name in catalogue.abilities:
                return entry
            uses = tuple(use for use in profile.abilities if use.ability != name)
            return replace(entry, profile=replace(profile, abilities=uses))
        unit = catalogue.units.get(entry.ref)
        slots = unit.offer.slots if unit is not None else {}
        return changed(entry, options=_unknown_left(entry.options, slots, name))

    return unit_edits.change_entry(document, entry_id, without)


def _unknown_left(
    options: Iterable[ListOption], slots: Mapping[str, tuple[Slot, ...]], name: str
) -> tuple[ListOption, ...]:
    """Return the options without a name not offered, repeated, or misplaced ("rune on lance")."""
    left: list[ListOption] = []
    for option in options:
        known = slots.get(option.id)
        twice = option.id in [one.id for one in left]
        if (known is None or twice) and option.id == name:
            continue
        if option.on and name == f"{option.id} on {option.on}":
            option = replace(option, on="")
        inner = known[0].option.offer.slots if known else {}
        left.append(changed(option, options=_unknown_left(option.options, inner, name)))
    return tuple(left)
