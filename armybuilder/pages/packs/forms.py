"""The form of an own pack: what it says at its head, and a rule to add."""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.authoring.packs import (
    ASKS,
    COUNTS,
    Basics,
    NewRule,
    meant_groups,
    selector_of,
    unit_names,
)
from armybuilder.engine.catalogue import System
from armybuilder.engine.wording import say
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

#: Sizes that a pack may name in the form, and points of each.
MOST_SIZES, MOST_POINTS = 20, 1_000_000


class BasicsForm(forms.Form):
    """What is said of a pack as a whole."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    about = forms.CharField(
        max_length=600, required=False, label=_lazy("About"), widget=forms.Textarea({"rows": 2})
    )
    by = forms.CharField(max_length=120, required=False, label=_lazy("Who wrote it"))
    sizes = forms.CharField(
        max_length=200,
        required=False,
        label=_lazy("Points per list"),
        help_text=_lazy("One number, or several with commas; empty: any size."),
    )
    books = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Books"),
        help_text=_lazy("None chosen: all of them."),
        widget=forms.CheckboxSelectMultiple,
    )
    own_books = forms.BooleanField(required=False, label=_lazy("Custom books may be used"))
    own_models = forms.ChoiceField(
        label=_lazy("Custom models"),
        choices=[("yes", _lazy("allowed")), ("ask", _lazy("if the organiser agrees")),
                 ("no", _lazy("not allowed"))],
    )  # fmt: skip
    lists = forms.IntegerField(min_value=1, max_value=20, label=_lazy("Lists per player"))
    in_order = forms.BooleanField(
        required=False, label=_lazy("Each of these lists has its own of the points, in this order")
    )
    hidden = forms.BooleanField(
        required=False, label=_lazy("Opponents see the open lists, without what is hidden")
    )

    def __init__(self, data: QueryDict | None, basics: Basics, books: dict[str, str]) -> None:
        said = asdict(basics) | {"sizes": ", ".join(map(str, basics.sizes))}
        super().__init__(data, initial=said)
        field = self.fields["books"]
        field.choices = list(books.items())  # type: ignore[attr-defined]  # a field of choices

    def clean_sizes(self) -> tuple[int, ...]:
        """Numbers of points."""
        parts = self.cleaned_data["sizes"].replace(",", " ").replace(";", " ").split()
        if not all(part.isdecimal() and 0 < int(part) <= MOST_POINTS for part in parts):
            raise forms.ValidationError(_("Write whole numbers of points, such as 4500."))
        if len(parts) > MOST_SIZES:
            raise forms.ValidationError(_("Too many sizes."))
        return tuple(dict.fromkeys(int(part) for part in parts))

    def clean_books(self) -> tuple[str, ...]:
        """Ids of books."""
        return tuple(self.cleaned_data["books"])

    @property
    def basics(self) -> Basics:
        """What was said, once the form is valid."""
        return Basics(**{one.name: self.cleaned_data[one.name] for one in fields(Basics)})


def basics_text(basics: Basics) -> str:
    """Return what a form said, for the next one to compare with."""
    return json.dumps(asdict(basics))


def merged(said: Basics, before: str, now: Basics) -> Basics:
    """Return what of a form was changed since it said `before`, and else what the text says now."""
    try:
        was = json.loads(before)
    except ValueError:
        was = {}
    told = json.loads(basics_text(said))
    names = [one.name for one in fields(Basics)]
    changed = {name for name in names if isinstance(was, dict) and told[name] != was.get(name)}
    return Basics(**{name: getattr(said if name in changed else now, name) for name in names})


def rule_context(library: Library, system: System) -> dict[str, Any]:
    """Return what the form of a new rule can choose from."""
    return {
        "asks": [(key, say(text)) for key, text in ASKS.items()],
        "counts": [(key, say(text)) for key, text in COUNTS.items()],
        "groups": meant_groups(library, system),
        "unit_names": sorted(unit_names(library, system), key=str.casefold),
    }


def new_rule(said: QueryDict, library: Library, system: System) -> NewRule:
    """Return the rule that the form asks for. Raises Refusal where it cannot be read."""
    number = said.get("rule_number", "").strip()
    asks = said.get("rule_asks", "")
    if asks != "none" and not (number.isdecimal() and len(number) <= len(str(MOST_POINTS))):
        raise Refusal(_("Give the rule a whole number."))
    name, key = said.get("rule_unit", "").strip(), said.get("rule_of", "")
    if name:
        refs = unit_names(library, system)
        if name not in refs:
            raise Refusal(
                _("There is no unit “{name}”. Choose one of those offered.").format(name=name[:80])
            )
        return _rule(said, asks, {"unit": refs[name]}, name, number)
    names = {one.key: one.name for _title, group in meant_groups(library, system) for one in group}
    if key and key not in names:
        raise Refusal(_("Choose what the rule is about."))
    return _rule(said, asks, selector_of(key), names.get(key, ""), number)


def _rule(said: QueryDict, asks: str, of: Any, what: str, number: str) -> NewRule:
    place, summary = (
        said.get("rule_place", "").strip()[:40],
        said.get("rule_said", "").strip()[:400],
    )
    count = said.get("rule_count", "units")
    return NewRule(asks, of, what, int(number or 0), count, place, summary)
