"""Acts on the list as a whole: name, size, notes, settings, books, edition, history."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import Act, ActResult, Fields, ListAct, Take, TakenBook, UnitAct, whole
from armybuilder.comparing.editions import edition_of
from armybuilder.editing import list_edits, unit_edits
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.wording import inside, marked
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import named_at
from armybuilder.loading.library import Library
from armybuilder.loading.limits import MAX_LIMIT
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True)
class Rename(ListAct, name="rename", replaces="name", form_names={"called": "name"}):
    called: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.rename(army_list, self.called)
        return ActResult(after, _("Renamed the list to {name}.").format(name=after.name))


@dataclass(frozen=True)
class SetLimit(ListAct, name="limit", replaces="limit"):
    """Change the points limit. A generated list name follows."""

    limit: int = whole(1, MAX_LIMIT, marked("The size"))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        text = ngettext("Size: {number} point.", "Size: {number} points.", self.limit)
        after = unit_edits.set_limit(army_list, self.limit)
        after = replace(after, name=named_at(army_list, catalogue, self.limit))
        return ActResult(after, text.format(number=self.limit))


@dataclass(frozen=True)
class SetNotes(ListAct, name="notes", replaces="notes"):
    notes: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        return ActResult(unit_edits.set_notes(army_list, self.notes), _("Changed the notes."))


@dataclass(frozen=True)
class ChangeSetting(ListAct, name="setting"):
    """Another value of a setting; "" returns to its default."""

    setting: str
    value: str

    def part(self, army_list: ArmyList) -> object:
        return army_list.settings.get(self.setting)

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.set_setting(army_list, catalogue, self.setting, self.value)
        name = inside(_(catalogue.system.settings[self.setting].name))
        return ActResult(after, _("Changed {name}.").format(name=name))


@dataclass(frozen=True)
class _PieceAct(ListAct, adds=True):
    """An act on a setting that takes several pieces."""

    setting: str
    piece: str


class AddPiece(_PieceAct, name="add-piece"):
    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.add_piece(army_list, catalogue, self.setting, self.piece)
        name = unit_edits.pieces_of(catalogue, self.setting)[self.piece]
        return ActResult(after, _("Added {name}.").format(name=name))


class RemovePiece(_PieceAct, name="remove-piece"):
    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = unit_edits.remove_piece(army_list, self.setting, self.piece)
        name = unit_edits.pieces_of(catalogue, self.setting).get(self.piece, self.piece)
        return ActResult(after, _("Removed {name}.").format(name=name))


@dataclass(frozen=True)
class Forget(UnitAct, name="forget", form_names={"called": "name"}):
    """Without an unknown thing of a unit, or a setting: its `kind`, and how it is `called`."""

    kind: str
    called: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = list_edits.forget(army_list, catalogue, self.kind, self.unit, self.called)
        return ActResult(after, _("Removed “{name}”.").format(name=self.called[:60]), self.unit)


@dataclass(frozen=True)
class AddBook(ListAct, name="add-book", adds=True):
    """Add a book in its current revision."""

    book: str
    taken: Mapping[str, TakenBook] = field(default_factory=dict)

    def prepared(
        self, army_list: ArmyList, catalogue: Catalogue, library: Library, take: Take
    ) -> Self:
        if catalogue.system.sized:
            raise Refusal(_("Lists for this game can use only one book."))
        return replace(self, taken=take([self.book]))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        book = self.taken[self.book]
        after = list_edits.add_book(army_list, book.id, book.revision)
        return ActResult(after, _("The list now uses {book}.").format(book=book.name))


@dataclass(frozen=True)
class UpdateBooks(ListAct, name="update-book", replaces="books"):
    """Update books to their current revisions, unless these differ from `seen` ("": not seen)."""

    books: tuple[str, ...]
    seen: Mapping[str, str]
    taken: Mapping[str, TakenBook] = field(default_factory=dict)

    @classmethod
    def read(cls, form: Fields) -> Self:
        books = form.get("book", "").split(",")
        seen = zip(books, form.get("revision", "").split(","), strict=False)
        return cls(tuple(books), dict(seen))

    def prepared(
        self, army_list: ArmyList, catalogue: Catalogue, library: Library, take: Take
    ) -> Self:
        if not set(self.books) <= {book.id for book in army_list.books}:
            raise Refusal(_("The list does not use that book."))
        return replace(self, taken=take(self.books))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = army_list
        for book in map(self.taken.__getitem__, self.books):
            if self.seen.get(book.id) and self.seen[book.id] != book.revision:
                text = _("“{name}” has changed again: check the differences once more.")
                raise Refusal(text.format(name=book.name))
            after = list_edits.add_book(after, book.id, book.revision)
        names = ", ".join(self.taken[book].name for book in self.books)
        return ActResult(after, _("Applied the changes to {book}.").format(book=names))


@dataclass(frozen=True)
class RemoveBook(ListAct, name="remove-book", adds=True):
    book: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = list_edits.remove_book(army_list, self.book)
        names = {book.id: book.name for book in catalogue.books}
        name = names.get(self.book, self.book)
        return ActResult(after, _("Removed {name}.").format(name=name))


@dataclass(frozen=True)
class SwitchEdition(ListAct, name="edition", replaces="system"):
    """The list under the rules of another edition of its game."""

    system: str
    editions: Mapping[str, Catalogue] = field(default_factory=dict)

    def prepared(
        self, army_list: ArmyList, catalogue: Catalogue, library: Library, take: Take
    ) -> Self:
        edition = edition_of(army_list, catalogue, library, self.system)
        return replace(self, editions={self.system: edition})

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        edition = self.editions[self.system]
        after = list_edits.switch_edition(army_list, catalogue, edition).document
        return ActResult(after, _("The list is now for {game}.").format(game=edition.system.name))


class HistoryAct(Act):
    """A step in the history: `step` versions forward."""

    step: ClassVar[int] = 0


class Undo(HistoryAct, name="undo", step=-1):
    """Back to the version before."""


class Redo(HistoryAct, name="redo", step=1):
    """Forward to the version after."""
