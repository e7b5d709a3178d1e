"""Acts on what a list draws from: its books, and the edition of the game."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import ClassVar, Self

from django.utils.translation import gettext as _

from armybuilder.acts.base import ActResult, Fields, ListAct, Outside, TakenBook
from armybuilder.comparing.editions import edition_of
from armybuilder.editing.book_edits import add_book, remove_book, switch_edition
from armybuilder.engine.catalogue import Catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class AddBook(ListAct):
    """A book more, as it is now."""

    name: ClassVar[str] = "add-book"
    adds: ClassVar[bool] = True
    book: str
    taken: Mapping[str, TakenBook] = field(default_factory=dict)

    def prepared(self, army_list: ArmyList, catalogue: Catalogue, outside: Outside) -> Self:
        if catalogue.system.sized:
            raise Refusal(_("In this game a list uses one book only."))
        return replace(self, taken=outside.take([self.book]))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        book = self.taken[self.book]
        after = add_book(army_list, book.id, book.revision)
        return ActResult(after, _("The list now uses {book}.").format(book=book.name))


@dataclass(frozen=True, slots=True)
class UpdateBooks(ListAct):
    """Books as they are now, in place of pinned ones, unless other than `seen` ("": not seen)."""

    name: ClassVar[str] = "update-book"
    books: tuple[str, ...]
    seen: Mapping[str, str]
    taken: Mapping[str, TakenBook] = field(default_factory=dict)

    @classmethod
    def read(cls, form: Fields) -> Self:
        books = form.get("book", "").split(",")
        seen = zip(books, form.get("revision", "").split(","), strict=False)
        return cls(tuple(books), dict(seen))

    def part(self, army_list: ArmyList) -> object:
        return army_list.books

    def prepared(self, army_list: ArmyList, catalogue: Catalogue, outside: Outside) -> Self:
        if not set(self.books) <= {had.id for had in army_list.books}:
            raise Refusal(_("The list does not use that book."))
        return replace(self, taken=outside.take(self.books))

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        after = army_list
        for book in map(self.taken.__getitem__, self.books):
            if self.seen.get(book.id) and self.seen[book.id] != book.revision:
                said = _("“{name}” has changed again: check the differences once more.")
                raise Refusal(said.format(name=book.name))
            after = add_book(after, book.id, book.revision)
        names = ", ".join(self.taken[book].name for book in self.books)
        return ActResult(after, _("Applied the changes to {book}.").format(book=names))


@dataclass(frozen=True, slots=True)
class RemoveBook(ListAct):
    """A book less."""

    name: ClassVar[str] = "remove-book"
    adds: ClassVar[bool] = True
    book: str

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        book = next((book for book in catalogue.books if book.id == self.book), None)
        after = remove_book(army_list, self.book)
        name = book.name if book else self.book
        return ActResult(after, _("Removed {name}.").format(name=name))


@dataclass(frozen=True, slots=True)
class SwitchEdition(ListAct):
    """The list under the rules of another edition of its game."""

    name: ClassVar[str] = "edition"
    system: str
    editions: Mapping[str, Catalogue] = field(default_factory=dict)

    def part(self, army_list: ArmyList) -> object:
        return army_list.system

    def prepared(self, army_list: ArmyList, catalogue: Catalogue, outside: Outside) -> Self:
        edition = edition_of(army_list, catalogue, outside.library, self.system)
        return replace(self, editions={self.system: edition})

    def perform(self, army_list: ArmyList, catalogue: Catalogue) -> ActResult:
        edition = self.editions[self.system]
        after = switch_edition(army_list, catalogue, edition).document
        game = edition.system.name
        return ActResult(after, _("The list is now for {game}.").format(game=game))
