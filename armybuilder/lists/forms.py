"""Forms of the pages around the builder; the builder's own buttons are acts (`acts.py`)."""

from collections.abc import Sequence
from typing import Any

from django import forms

from armybuilder.books.pinning import BookNow
from armybuilder.engine.catalogue import System
from armybuilder.lists.edits import MAX_LIMIT, MAX_NAME


class NewListForm(forms.Form):
    """Name, size in points, and books of a new list; `first` is the id of the book offered."""

    name = forms.CharField(max_length=MAX_NAME, label="Name")
    limit = forms.IntegerField(
        min_value=1,
        max_value=MAX_LIMIT,
        error_messages=dict.fromkeys(
            ("invalid", "min_value", "max_value"), f"Write a whole number from 1 to {MAX_LIMIT}."
        ),
    )
    books = forms.MultipleChoiceField(
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": "Choose at least one book."},
    )

    def __init__(
        self, system: System, books: Sequence[BookNow], first: str, data: Any = None
    ) -> None:
        initial = {
            "name": f"My {system.warband_word}",
            "limit": system.default_size,
            "books": [first] if first else [],
        }
        self.one_book = system.sized
        super().__init__(data, initial=initial)
        self.fields["limit"].label = f"{system.points_name} (points)"
        choices = [(book.id, book.name) for book in books]
        self.fields["books"].choices = choices  # type: ignore[attr-defined]
        if self.one_book:
            self.fields["books"].error_messages["required"] = "Choose a book."

    def clean_books(self) -> list[str]:
        """Exactly one book where the game's lists draw from one."""
        books: list[str] = self.cleaned_data["books"]
        if self.one_book and len(books) > 1:
            raise forms.ValidationError("Choose one book only.")
        return books


class UploadForm(forms.Form):
    """A list document from a file."""

    file = forms.FileField(label="A saved list (.json)", allow_empty_file=True)
