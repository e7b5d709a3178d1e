"""The form for a new list. The builder's own buttons are acts (`armybuilder.acts`)."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.books.pinning import BookNow
from armybuilder.engine.catalogue import System
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME
from armybuilder.loading.packs import Pack


class _Books(forms.MultipleChoiceField):
    """The chosen ids; the empty one of a menu is no choice."""

    def to_python(self, value: Any) -> list[str]:
        return [one for one in super().to_python(value) if one]


class NewListForm(forms.Form):
    """Books, size in points, and name of a new list, which may be left empty; `first` is the id of
    the book offered; for an event with this `pack`, its size is.
    """

    limit = forms.IntegerField(min_value=1, max_value=MAX_LIMIT)
    books = _Books(
        error_messages={
            "required": _lazy("Choose at least one book."),
            "invalid_choice": _lazy("That book no longer exists. Choose another."),
        },
    )

    name = forms.CharField(max_length=MAX_NAME, label=_lazy("Name"), required=False)
    field_order = ("books", "limit", "name")

    def __init__(
        self,
        system: System,
        books: Sequence[BookNow],
        first: str,
        data: Any = None,
        pack: Pack | None = None,
    ) -> None:
        initial = {
            "limit": next(iter(pack.sizes if pack else ()), system.default_size),
            "books": [first] if first else [],
        }
        self.one_book = system.sized
        super().__init__(data, initial=initial)
        limit = self.fields["limit"]
        limit.label = _("{size} (points)").format(size=_(system.points_name))
        said = _("Write a whole number from 1 to {most}.").format(most=MAX_LIMIT)
        limit.error_messages |= dict.fromkeys(("invalid", "min_value", "max_value"), said)
        choices = [(book.id, book.name) for book in books]
        self.fields["books"].choices = choices  # type: ignore[attr-defined]  # a field of choices
        self.fields["books"].label = _("Army book") if self.one_book else _("Books")
        if self.one_book:
            self.fields["books"].error_messages["required"] = _("Choose a book.")

    @property
    def mistakes(self) -> list[forms.BoundField]:
        """The fields that are wrong, in the order of the page."""
        return [field for field in self if field.errors]

    def clean_books(self) -> list[str]:
        """Exactly one book where the game's lists draw from one."""
        books: list[str] = self.cleaned_data["books"]
        if self.one_book and len(books) > 1:
            raise forms.ValidationError(_("Choose one book only."))
        return books
