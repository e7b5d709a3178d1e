"""The page on which an own pack is changed: its basics, its sentences, and its text."""

import json
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.conf import settings
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.utils.translation import override

from armybuilder.acts.proposals import solver_needed
from armybuilder.authoring.pack_entries import Entry, entries_of, with_sentence, without
from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.pack_sentences import (
    COUNTS,
    FORMS,
    PERCENT,
    Part,
    Sentence,
    blank,
    wording_of,
)
from armybuilder.authoring.packs import Basics, basics_of, with_basics
from armybuilder.engine.wording import say
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.possible import possible_with
from armybuilder.packs.selectors import read_pack
from armybuilder.packs.unchecked import open_questions
from armybuilder.pages.answers import whole_number
from armybuilder.pages.packs.shown import pack_context, written

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
        if "book" in shown:
            self._choices("of", [("", _("Choose a book")), *map(tuple, names.books)])
            self.fields["of"].label = _("Army book")
            del self.fields["names"]
        if "but" not in shown:
            del self.fields["but"]
        for name, offered in (("names", "things"), ("but", "groups")):
            if name in self.fields:
                self.fields[name].widget.attrs |= {"list": offered, "autocomplete": "off"}
        if "weight" in shown:
            self.fields["number"].label = _("Value") if "book" in shown else _("Weight of each")

    def _choices(self, name: str, choices: list[Any]) -> None:
        self.fields[name].choices = choices  # type: ignore[attr-defined]  # a field of choices

    def clean_number(self) -> str:
        text: str = self.cleaned_data["number"].replace(" ", "")
        whole, _slash, parts = text.partition("/")
        weighs = {"weight", "count"} <= FORMS[self.asks].fields
        fraction = parts.isdecimal() and int(parts) > 0 and weighs
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
        """Return whether nothing is written in the row."""
        return not any(self.cleaned_data.get(name) for name in ("of", "names", "but", "number"))

    @property
    def part(self) -> Part:
        """The part of a sentence, once the form is valid."""
        data = self.cleaned_data
        of = tuple(filter(None, (data["of"],))) + data.get("names", ())
        sized = self.meant.system.sized
        default = "picks" if self.asks == "none" else "units" if sized else "models"
        count, but = data.get("count") or default, data.get("but", "")
        return Part(of, but, count, data.get("side", "max"), data.get("number") or "1")


class RuleForm(forms.Form):
    """A rule of a pack as a sentence: its place in the pack and its wording, after all else."""

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

    def __init__(
        self, data: QueryDict | None, initial: dict[str, Any], made: Callable[[], str]
    ) -> None:
        """Show a rule; the wording is left empty if it is the one `made` in a language of ours."""
        for language, _name in settings.LANGUAGES:
            with override(language):
                if initial["summary"] == made():
                    initial |= {"summary": ""}
        super().__init__(data, prefix="s", initial=initial)
        self.order_fields([name for name in self.fields if name not in RuleForm.base_fields])

    @property
    def is_wrong(self) -> bool:
        """Return whether the sent form has mistakes."""
        return self.kept and not self.is_valid()


class SentenceForm(RuleForm):
    """One sentence: its number, books and rule. Its parts are `rows`."""

    side = forms.ChoiceField(label=_lazy("Limit"), choices=_SIDES)
    number = forms.IntegerField(min_value=0, max_value=MAX_POINTS, label=_lazy("Number"))
    top = forms.IntegerField(
        min_value=1, max_value=MAX_POINTS, required=False, label=_lazy("Maximum as well")
    )
    free = forms.IntegerField(
        min_value=0, max_value=MAX_POINTS, required=False, label=_lazy("Number without points")
    )
    values = forms.MultipleChoiceField(
        label=_lazy("Values"), widget=forms.SelectMultiple({"size": 8})
    )
    rule = forms.ChoiceField(required=False, label=_lazy("Rule it replaces"))
    books = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Only for lists of these books"),
        help_text=_lazy("Choose none for all lists."),
        widget=forms.CheckboxSelectMultiple,
    )

    def __init__(self, data: QueryDict | None, sentence: Sentence, names: PackNames) -> None:
        def made() -> str:
            return wording_of(sentence, PackNames(names.library, names.system, names.data))

        initial = {key: getattr(sentence, key) for key in self.base_fields}
        initial |= {name: initial[name] or None for name in ("top", "free")}
        super().__init__(data, initial, made)
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
    def several(self) -> bool:
        """Return whether the sentence has several parts."""
        return "parts" in FORMS[self.asks].fields

    def _parts(self) -> Iterator[Part]:
        for row in self.rows:
            if row.cleaned_data and not (self.several and row.is_blank):
                yield row.part


def _initial(part: Part, names: PackNames) -> Mapping[str, Any]:
    titles = {key: title for title, key in names.groups_by_title.items()}
    grouped = {*names.group_names, *dict(names.books)}
    group = next((key for key in part.of if key in grouped), "")
    rest = [key for key in part.of if key != group]
    return {
        "side": part.side,
        "number": part.number,
        "count": part.count,
        "of": group,
        "names": "; ".join(names.written(rest)),
        "but": titles.get(part.but, part.but),
    }


#: Sizes that a pack may name in the form, and points of each.
MOST_SIZES, MOST_POINTS = 20, 1_000_000
#: Digits of a version's number.
KEY = 9


class AboutForm(forms.Form):
    """Name, description and author of a pack."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    about = forms.CharField(
        max_length=600, required=False, label=_lazy("About"), widget=forms.Textarea({"rows": 2})
    )
    by = forms.CharField(max_length=120, required=False, label=_lazy("Author"))


class BasicsForm(AboutForm):
    """Basics of a pack: its name, sizes, books, lists and teams."""

    sizes = forms.CharField(
        max_length=200,
        required=False,
        label=_lazy("Points per list"),
        help_text=_lazy("One number, or several separated by commas. Leave it empty for any size."),
    )
    books = forms.MultipleChoiceField(
        required=False,
        label=_lazy("Books"),
        help_text=_lazy("Choose none to allow all."),
        widget=forms.CheckboxSelectMultiple,
    )
    barred = forms.MultipleChoiceField(
        required=False, label=_lazy("Books not allowed"), widget=forms.CheckboxSelectMultiple
    )
    own_books = forms.BooleanField(required=False, label=_lazy("Custom books allowed"))
    own_models = forms.ChoiceField(
        label=_lazy("Custom models"),
        choices=[("yes", _lazy("allowed")), ("ask", _lazy("if the organiser agrees")),
                 ("no", _lazy("not allowed"))],
    )  # fmt: skip
    lists = forms.IntegerField(min_value=1, max_value=20, label=_lazy("Lists per player"))
    in_order = forms.BooleanField(
        required=False, label=_lazy("One points limit per list, in this order")
    )
    hidden = forms.BooleanField(required=False, label=_lazy("Opponents see open lists only"))

    team = forms.IntegerField(
        min_value=2, max_value=20, required=False, label=_lazy("Lists per team")
    )

    def __init__(self, data: QueryDict | None, basics: Basics, books: dict[str, str]) -> None:
        initial = asdict(basics) | {"sizes": ", ".join(map(str, basics.sizes))}
        super().__init__(data, initial=initial | {"team": basics.team or None})
        for name in ("books", "barred"):
            field = self.fields[name]
            field.choices = list(books.items())  # type: ignore[attr-defined]  # of choices

    def clean_sizes(self) -> tuple[int, ...]:
        parts = self.cleaned_data["sizes"].replace(",", " ").replace(";", " ").split()
        if not all(part.isdecimal() and 0 < int(part) <= MOST_POINTS for part in parts):
            raise forms.ValidationError(_("Write whole numbers of points, such as 4500."))
        if len(parts) > MOST_SIZES:
            raise forms.ValidationError(_("Too many sizes."))
        return tuple(dict.fromkeys(int(part) for part in parts))

    @property
    def basics(self) -> Basics:
        data: dict[str, Any] = {
            key: tuple(value) if isinstance(value, list) else value
            for key, value in self.cleaned_data.items()
        }
        data["team"] = data["team"] or 0
        return Basics(**{one.name: data[one.name] for one in fields(Basics)})


class RulesEditor(ABC):
    """Page of a pack while it is changed: the text is the pack, the form speaks of parts of it."""

    form: Any
    was: str
    pack: Pack | None
    sentence: Any

    def __init__(self, own: OwnPack, number: int, data: Mapping[str, Any]) -> None:
        self.own, self.seen, self.data = own, number, data
        self.problems: list[Problem] = []
        self.refused, self.key, self.saved = "", "", False
        self.sentence = None
        self._show(data)

    @abstractmethod
    def basics_form(self, posted: QueryDict | None) -> forms.Form:
        """Return the form of the pack's basics, as it was sent or as the pack says."""

    def merged(self, sent: Mapping[str, Any], text: Mapping[str, Any]) -> dict[str, Any]:
        """Return the values of a form that changed since it was made, and else those of the text.

        Of a form that doesn't say how it was made, all count.
        """
        try:
            was = parse_json(self.was.encode(), MAX_BYTES, MAX_DEPTH)
        except Refusal:
            was = None
        before = was if isinstance(was, dict) else {}
        same = {key for key, one in sent.items() if json.dumps(one) == json.dumps(before.get(key))}
        return {**text, **{key: one for key, one in sent.items() if key not in same}}

    @abstractmethod
    def with_form(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        """Return a pack with the values of its valid form that were changed."""

    @abstractmethod
    def go(self, request: HttpRequest, what: str, key: str) -> None:
        """Do the act of a button but saving."""

    @abstractmethod
    def context(self) -> dict[str, Any]:
        """Return the context of the template `packs/edit.html`."""

    def _show(self, data: Mapping[str, Any]) -> None:
        """Let the page show this pack. Raises Refusal if it is none."""
        self.pack = read_pack(data)
        self.data, self.text = data, written(data)
        self.form = self.basics_form(None)

    def act(self, request: HttpRequest) -> None:
        """Do the act of a button, with the values of form and text."""
        posted = request.POST
        self.seen = whole_number(posted.get("seen", ""), KEY)
        self.text, self.was = posted.get("text", ""), posted.get("was", "")
        self.form, self.pack = self.basics_form(posted), None
        try:
            data = read_pack(parse_json(self.text.encode(), MAX_BYTES, MAX_DEPTH)).data
            if self.form.is_valid():
                self._show(self.with_form(data))
                what, _colon, key = posted.get("go", "").partition(":")
                self.go(request, what, key)
                if what == "save" and self.pack is not None:
                    saved = services.save_pack(self.own.holder, self.own.pk, self.pack, self.seen)
                    self.seen, self.saved = saved.number, True
        except Refusal as refusal:
            self.problems = list(refusal.problems)
            self.refused = "" if self.problems else refusal.sentence

    @property
    def is_wrong(self) -> bool:
        """Return whether something sent can't be used."""
        wrong = self.sentence is not None and self.sentence.is_wrong
        return bool(self.problems or self.refused or self.form.errors or wrong)


class PackEditor(RulesEditor):
    """Page of a pack for a game of ours."""

    def __init__(self, own: OwnPack, number: int, data: Mapping[str, Any]) -> None:
        self.library = shipped_library()
        self.system = self.library.systems[own.system]
        self.books = {one.id: one.name for one in self.library.books[own.system].values()}
        self.possible: Any = None
        self.questions: Any = ()
        super().__init__(own, number, data)

    @property
    def names(self) -> PackNames:
        """Names of everything that a sentence can mean."""
        return PackNames(self.library, self.system, self.data)

    def basics_form(self, posted: QueryDict | None) -> BasicsForm:
        if posted is None:
            self.was = json.dumps(asdict(basics_of(self.data)))
        return BasicsForm(posted, basics_of(self.data), self.books)

    def with_form(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        basics = self.merged(asdict(self.form.basics), asdict(basics_of(data)))
        return with_basics(data, Basics(**basics), self.books)

    def go(self, request: HttpRequest, what: str, key: str) -> None:
        if what in ("begin", "open", "keep", "row"):
            self._write(request.POST, what, key)
        elif what == "remove":
            self._show(without(self.data, key))
        elif what == "possible" and self.pack is not None:
            with solver_needed():
                self.possible = possible_with(self.pack, self.library)
            self.questions = open_questions(self.pack, self.library)

    def _write(self, posted: QueryDict, what: str, key: str) -> None:
        """Open a sentence, new or there, or put the one that is written into the pack."""
        names = self.names
        if what == "open":
            entries = (entry for entry in entries_of(self.data) if entry.key == key)
            found = next((entry.sentence for entry in entries), None)
            if found is None:
                raise Refusal(_("The pack has no such rule any more."))
            self.sentence, self.key = SentenceForm(None, found, names), key
            return
        asks = posted.get("begin" if what == "begin" else "asks", "")
        if asks not in FORMS:
            raise Refusal(_("Choose a kind of rule."))
        if what == "begin":
            self.sentence = SentenceForm(None, blank(asks), names)
            return
        self.key = posted.get("key", "")[:200]
        more = SPARE_ROWS if what == "row" else 0
        changed = posted.copy()
        rows = whole_number(posted.get("part-TOTAL_FORMS", ""), 3)
        changed["part-TOTAL_FORMS"] = str(min(rows + more, MAX_ROWS))
        self.sentence = SentenceForm(changed, blank(asks), names)
        self.sentence.kept = what == "keep"
        if what == "keep" and self.sentence.is_valid():
            data = with_sentence(self.data, self.sentence.sentence, names, self.key)
            self._show(data)
            self.sentence, self.key = None, ""

    def context(self) -> dict[str, Any]:
        names = self.names
        return {
            **(pack_context(self.pack) if self.pack else {}),
            **vars(self),
            "asks": [
                (key, say(form.label))
                for key, form in FORMS.items()
                if key != "fixed" or self.system.settings
            ],
            "things": names.things if self.sentence else (),
            "titles": names.groups_by_title if self.sentence else (),
            "entries": [self._entry(entry, names) for entry in entries_of(self.data)],
        }

    def _entry(self, entry: Entry, names: PackNames) -> dict[str, Any]:
        """Return an entry of the pack for the page: its text, and its books by name."""
        sentence = entry.sentence
        text, leaning = entry.text, list[str]()
        if sentence is not None and sentence.asks == "lift":
            rule = names.rules.get(sentence.rule, sentence.rule)
            text, leaning = (
                _("Does not apply: {rule}").format(rule=rule),
                names.leaning(sentence.rule),
            )
        books = [self.books.get(book, book) for book in sentence.books] if sentence else []
        return {"key": entry.key, "text": text, "opens": sentence is not None,
                "books": books, "leaning": leaning}  # fmt: skip
