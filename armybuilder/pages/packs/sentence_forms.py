"""The form of one sentence of a pack, with only the fields that its kind needs."""

from collections.abc import Iterator, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import override

from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.pack_sentences import (
    COUNTS,
    FORMS,
    PERCENT,
    Part,
    Sentence,
    wording_of,
)
from armybuilder.engine.wording import say
from armybuilder.loading.problems import Refusal

#: Points that a sentence may name, and rows of one.
MAX_POINTS, MAX_ROWS = 1_000_000, 30
#: Empty rows below those of a sentence of several.
SPARE_ROWS = 2
_SIDES = [("max", _lazy("at most")), ("min", _lazy("at least"))]
#: The counts that a kind of sentence can have; all where it is not here.
_COUNTS = {
    "copies": ("units", "models"),
    "each-unit": ("models", "points"),
    "weighted": ("units", "models", "picks", "points"),
    "score": ("units", "models", "picks", "points"),
    "team-sum": ("units", "models", "picks", "points"),
}


def counts_of(asks: str, names: PackNames) -> list[tuple[str, str]]:
    """Return the counts that a kind of sentence can have, with their names."""
    known = _COUNTS.get(asks, tuple(COUNTS))
    return [(key, say(COUNTS[key])) for key in known if names.system.sized or key != "units"]


class PartForm(forms.Form):
    """A part of a sentence: a group, units and options by name, and exceptions."""

    side = forms.ChoiceField(label=_lazy("Limit"), choices=_SIDES)
    number = forms.CharField(required=False, max_length=9, label=_lazy("Number"))
    count = forms.ChoiceField(label=_lazy("Counted"))
    of = forms.ChoiceField(required=False, label=_lazy("Group"))
    names = forms.CharField(
        required=False,
        max_length=4000,
        label=_lazy("Units or options by name"),
        help_text=_lazy("Separate several by semicolons."),
    )
    but = forms.CharField(required=False, max_length=200, label=_lazy("Except the group"))

    def __init__(self, *args: Any, asks: str, names: PackNames, **more: Any) -> None:
        super().__init__(*args, **more)
        self.meant, shown = names, FORMS[asks].fields
        self.asks = asks
        # A single part that says nothing means all.
        self.empty_permitted &= "parts" in shown
        if not {"weight", "bound"} & shown:
            del self.fields["number"]
        if "bound" not in shown:
            del self.fields["side"]
        if "count" in shown:
            self._choices("count", counts_of(asks, names))
        else:
            self.fields["count"] = forms.CharField(required=False, widget=forms.HiddenInput)
        every = _("all units") if names.system.sized else _("all models")
        groups = [(title, [tuple(one) for one in group]) for title, group in names.groups]
        self._choices("of", [("", every), *groups])
        if "but" not in shown:
            del self.fields["but"]
        for name, offered in (("names", "things"), ("but", "groups")):
            if name in self.fields:
                self.fields[name].widget.attrs |= {"list": offered, "autocomplete": "off"}
        if "weight" in shown:
            self.fields["number"].label = _("Weight of each")

    def _choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a field of choices

    def clean_number(self) -> str:
        text: str = self.cleaned_data["number"].replace(" ", "")
        whole, _slash, parts = text.partition("/")
        fraction = parts.isdecimal() and int(parts) > 0 and "weight" in FORMS[self.asks].fields
        if text and not (
            whole.isdecimal() and (not parts or fraction) and int(whole) <= MAX_POINTS
        ):
            raise forms.ValidationError(_("Write a whole number."))
        return text

    def clean_names(self) -> tuple[str, ...]:
        parts = self.cleaned_data["names"].replace("\n", ";").split(";")
        try:
            return self.meant.keys_of([part.strip() for part in parts if part.strip()])
        except Refusal as refusal:
            raise forms.ValidationError(refusal.sentence) from refusal

    def clean_but(self) -> str:
        named = {title.casefold(): key for title, key in self.meant.groups_by_title.items()}
        text = self.cleaned_data["but"].strip()
        if text and text.casefold() not in named:
            raise forms.ValidationError(_("There is no such group. Choose one of those offered."))
        return named.get(text.casefold(), "")

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        number = data.get("number", "")
        if data.get("count") == PERCENT and number.isdecimal() and int(number) > 100:
            self.add_error("number", _("Write at most 100 per cent."))
        if "side" in self.fields and not number and not self.is_blank:
            self.add_error("number", _("Write a whole number."))
        return data

    @property
    def is_blank(self) -> bool:
        """Whether nothing is written in the row."""
        return not any(self.cleaned_data.get(name) for name in ("of", "names", "but", "number"))

    @property
    def part(self) -> Part:
        """The part of a sentence, once the form is valid."""
        data = self.cleaned_data
        of = tuple(filter(None, (data["of"],))) + data["names"]
        sized = self.meant.system.sized
        default = "picks" if self.asks == "none" else "units" if sized else "models"
        count, but = data.get("count") or default, data.get("but", "")
        return Part(of, but, count, data.get("side", "max"), data.get("number") or "1")


class SentenceForm(forms.Form):
    """One sentence: its number, books, rule, place and wording. Its parts are `rows`."""

    side = forms.ChoiceField(label=_lazy("Limit"), choices=_SIDES)
    number = forms.IntegerField(min_value=0, max_value=MAX_POINTS, label=_lazy("Number"))
    top = forms.IntegerField(
        min_value=1, max_value=MAX_POINTS, required=False, label=_lazy("And at most")
    )
    free = forms.IntegerField(
        min_value=0, max_value=MAX_POINTS, required=False, label=_lazy("First ones without points")
    )
    values = forms.MultipleChoiceField(
        label=_lazy("Values"), widget=forms.SelectMultiple({"size": 8})
    )
    rule = forms.ChoiceField(required=False, label=_lazy("Instead of this rule"))
    books = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Only for lists of these books"),
        help_text=_lazy("Choose none for all lists."),
        widget=forms.CheckboxSelectMultiple,
    )
    place = forms.CharField(
        required=False, max_length=40, label=_lazy("Section of your pack, such as 3.2")
    )
    summary = forms.CharField(
        required=False,
        max_length=400,
        label=_lazy("Your wording"),
        help_text=_lazy("Leave it empty: the sentence then follows the rule."),
    )

    #: Whether it was sent to be put into the pack.
    kept = False

    def __init__(self, data: QueryDict | None, sentence: Sentence, names: PackNames) -> None:
        initial = {key: getattr(sentence, key) for key in self.base_fields}
        if _is_generated(sentence, names):
            initial["summary"] = ""
        initial |= {name: initial[name] or None for name in ("top", "free")}
        super().__init__(data, prefix="s", initial=initial)
        form, self.asks, self.meant = FORMS[sentence.asks], sentence.asks, names
        for name in ("side", "number", "top", "free", "values", "rule", "books"):
            if name not in form.fields:
                del self.fields[name]
        if "rule" in form.fields:
            rules = [(key, text[:120]) for key, text in names.rules.items()]
            none = _("Choose a rule") if self.asks == "lift" else _("none")
            self._choices("rule", [("", none), *rules])
        if "values" in form.fields:
            settings_of = names.settings
            groups = [(title, [tuple(one) for one in group]) for title, group in settings_of]
            self._choices("values", groups)
        if "books" in form.fields:
            books = names.library.books[names.system.id].values()
            self._choices("books", [(book.id, book.name) for book in books])
        self._label()
        self.rows = self._rows(data, sentence, names)

    def _label(self) -> None:
        if self.asks == "lift":
            self.fields["rule"].label = _("Rule")
            del self.fields["summary"]
        elif self.asks == "class":
            self.fields["summary"].label, self.fields["summary"].help_text = _("Name"), ""
            del self.fields["place"]
        elif self.asks == "score":
            self.fields["number"].label = _("Points for each")

    def _choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a field of choices

    def _rows(self, data: QueryDict | None, sentence: Sentence, names: PackNames) -> Any:
        most = MAX_ROWS if self.several else int("of" in FORMS[self.asks].fields)
        spare = SPARE_ROWS if self.several else most - len(sentence.parts)
        make = forms.formset_factory(PartForm, extra=spare, max_num=most, absolute_max=most)
        initial = [_initial(part, names) for part in sentence.parts]
        about = {"asks": self.asks, "names": names}
        return make(data, prefix="part", initial=initial, form_kwargs=about)

    def is_valid(self) -> bool:
        rows: bool = self.rows.is_valid()
        return super().is_valid() and rows

    @property
    def sentence(self) -> Sentence:
        """The sentence that it says, once it is valid."""
        data = {key: value for key, value in self.cleaned_data.items() if value is not None}
        data |= {name: tuple(data.get(name, ())) for name in ("books", "values")}
        return Sentence(self.asks, parts=tuple(self._parts()), **data)

    @property
    def is_wrong(self) -> bool:
        """Whether the sent form has mistakes."""
        return self.kept and not self.is_valid()

    @property
    def several(self) -> bool:
        """Whether the sentence has several parts."""
        return "parts" in FORMS[self.asks].fields

    def _parts(self) -> Iterator[Part]:
        for row in self.rows:
            if row.cleaned_data and not (self.several and row.is_blank):
                yield row.part


def _is_generated(sentence: Sentence, names: PackNames) -> bool:
    """Return whether its wording was made from its words, in any language of the site."""
    for language, _name in settings.LANGUAGES:
        with override(language):
            again = PackNames(names.library, names.system, names.data)
            if sentence.summary == wording_of(sentence, again):
                return True
    return False


def _initial(part: Part, names: PackNames) -> Mapping[str, Any]:
    titles = {key: title for title, key in names.groups_by_title.items()}
    group = next((key for key in part.of if key in names.group_names), "")
    rest = [key for key in part.of if key != group]
    return {
        "side": part.side,
        "number": part.number,
        "count": part.count,
        "of": group,
        "names": "; ".join(names.written(rest)),
        "but": titles.get(part.but, part.but),
    }
