"""Own books that came in under other ids, and the list documents that name them."""

from dataclasses import dataclass, field
from typing import Any

from armybuilder.loading.documents import Document


@dataclass
class Renames:
    """The new ids of books by the old ones, and the new revisions by old id and old revision: a
    book's id is a part of what the revision is the hash of.
    """

    books: dict[str, str] = field(default_factory=dict)
    revisions: dict[tuple[str, str], str] = field(default_factory=dict)

    def document(self, document: Document) -> Document:
        """The document with the new ids wherever it names such a book or a unit of one."""
        if not self.books.keys() & {book["id"] for book in document["books"]}:
            return document
        changed = {
            **document,
            "books": [self._book(book) for book in document["books"]],
            "units": [self._unit(unit) for unit in document["units"]],
        }
        if "settings" in document:
            settings = document["settings"]
            changed["settings"] = {key: self._value(value) for key, value in settings.items()}
        return changed

    def _book(self, book: dict[str, str]) -> dict[str, str]:
        old = book["id"]
        if old not in self.books:
            return book
        new = {**book, "id": self.books[old]}
        if "revision" in book:
            new["revision"] = self.revisions.get((old, book["revision"]), book["revision"])
        return new

    def _unit(self, unit: dict[str, Any]) -> dict[str, Any]:
        return {**unit, "unit": self._ref(unit["unit"])} if "unit" in unit else unit

    def _value(self, value: Any) -> Any:
        """A setting's value: units stand in lists of what was chosen of many."""
        return [self._ref(one) for one in value] if isinstance(value, list) else value

    def _ref(self, ref: str) -> str:
        book, slash, unit = ref.partition("/")
        return f"{self.books.get(book, book)}{slash}{unit}"
