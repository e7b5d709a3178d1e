"""Own books that came in under other ids, and the list documents that name them."""

from dataclasses import dataclass, field, replace

from armybuilder.engine.roster import SettingValue
from armybuilder.loading.armylist import ArmyList, ListBook, ListUnit, frozen


@dataclass
class Renames:
    """New ids of books by the old ones, and new revisions by old id and revision."""

    books: dict[str, str] = field(default_factory=dict)
    revisions: dict[tuple[str, str], str] = field(default_factory=dict)

    def document(self, document: ArmyList) -> ArmyList:
        """Return the document with the new ids wherever it names such a book or a unit of one."""
        if not self.books.keys() & {book.id for book in document.books}:
            return document
        settings = {key: self._value(value) for key, value in document.settings.items()}
        return replace(
            document,
            books=tuple(map(self._book, document.books)),
            units=tuple(map(self._unit, document.units)),
            settings=frozen(settings),
        )

    def _book(self, book: ListBook) -> ListBook:
        if book.id not in self.books:
            return book
        revision = self.revisions.get((book.id, book.revision), book.revision)
        return ListBook(self.books[book.id], revision)

    def _unit(self, unit: ListUnit) -> ListUnit:
        return replace(unit, ref=self._ref(unit.ref)) if unit.ref else unit

    def _value(self, value: SettingValue) -> SettingValue:
        """Return a setting's value: units stand in lists of what was chosen of many."""
        return tuple(map(self._ref, value)) if isinstance(value, tuple) else value

    def _ref(self, ref: str) -> str:
        book, slash, unit = ref.partition("/")
        return f"{self.books.get(book, book)}{slash}{unit}"
