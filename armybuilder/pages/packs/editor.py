"""The page on which an own pack is changed: its basics, its sentences, and its text."""

import json
from collections.abc import Mapping
from dataclasses import asdict, fields
from typing import Any

from django import forms
from django.http import HttpRequest, QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring.pack_entries import Entry, entries_of, with_sentence, without
from armybuilder.authoring.pack_names import PackNames
from armybuilder.authoring.pack_sentences import FORMS, blank
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
from armybuilder.pages.packs.sentence_forms import MAX_ROWS, SPARE_ROWS, SentenceForm
from armybuilder.pages.packs.shown import pack_context, written
from armybuilder.solving.port import NoSolver

#: Sizes that a pack may name in the form, and points of each.
MOST_SIZES, MOST_POINTS = 20, 1_000_000
#: Digits of a version's number.
KEY = 9


class BasicsForm(forms.Form):
    """Basics of a pack: its name, sizes, books, lists and teams."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))
    about = forms.CharField(
        max_length=600, required=False, label=_lazy("About"), widget=forms.Textarea({"rows": 2})
    )
    by = forms.CharField(max_length=120, required=False, label=_lazy("Author"))
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


def basics_text(basics: Basics) -> str:
    """Return a form's values as text, for the next one to compare with."""
    return json.dumps(asdict(basics))


def _merged(form: Basics, before: str, text: Basics) -> Basics:
    """Return the values of a form that changed since `before`, and else those of the text."""
    try:
        was = json.loads(before)
    except ValueError:
        was = {}
    now = json.loads(basics_text(form))
    names = [one.name for one in fields(Basics)]
    changed = {name for name in names if isinstance(was, dict) and now[name] != was.get(name)}
    return Basics(**{name: getattr(form if name in changed else text, name) for name in names})


class PackEditor:
    """Page of a pack while it is changed: the text is the pack, the form speaks of parts of it."""

    def __init__(self, own: OwnPack, number: int, data: Mapping[str, Any]) -> None:
        self.own, self.seen, self.data = own, number, data
        self.library = shipped_library()
        self.system = self.library.systems[own.system]
        self.books = {one.id: one.name for one in self.library.books[own.system].values()}
        self.pack: Pack | None
        self._show(data)
        self.problems: list[Problem] = []
        self.refused = ""
        self.possible: Any = None
        self.questions: Any = ()
        self.sentence: SentenceForm | None = None
        self.key = ""
        self.saved = False

    @property
    def names(self) -> PackNames:
        """Names of everything that a sentence can mean."""
        return PackNames(self.library, self.system, self.data)

    def _show(self, data: Mapping[str, Any]) -> None:
        """Let the page show this pack. Raises Refusal if it is none."""
        self.pack = read_pack(data)
        self.data, self.text = data, written(data)
        self.form = BasicsForm(None, basics_of(data), self.books)
        self.was = basics_text(basics_of(data))

    def act(self, request: HttpRequest) -> None:
        """Do the act of a button, with the values of form and text."""
        posted = request.POST
        self.seen = whole_number(posted.get("seen", ""), KEY)
        self.text, self.was = posted.get("text", ""), posted.get("was", "")
        self.form = BasicsForm(posted, basics_of(self.data), self.books)
        self.pack = None
        try:
            data = dict(read_pack(parse_json(self.text.encode(), MAX_BYTES, MAX_DEPTH)).data)
            if not self.form.is_valid():
                return
            basics = _merged(self.form.basics, self.was, basics_of(data))
            self._show(with_basics(data, basics, self.books))
            self._go(request, posted.get("go", ""))
        except Refusal as refusal:
            self.problems = list(refusal.problems)
            self.refused = "" if self.problems else refusal.sentence

    def _go(self, request: HttpRequest, go: str) -> None:
        what, _colon, key = go.partition(":")
        if what in ("begin", "open", "keep", "row"):
            self._write(request.POST, what, key)
        elif what == "remove":
            self._show(without(self.data, key))
        elif what == "possible" and self.pack is not None:
            try:
                self.possible = possible_with(self.pack, self.library)
                self.questions = open_questions(self.pack, self.library)
            except NoSolver as error:
                raise Refusal(_("Suggestions are not available on this site.")) from error
        elif what == "save" and self.pack is not None:
            own = services.save_pack(holder_of(request), self.own.pk, self.pack, self.seen)
            self.seen, self.saved = own.number, True

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
        self.sentence = SentenceForm(_with_rows(posted, more), blank(asks), names)
        self.sentence.kept = what == "keep"
        if what == "keep" and self.sentence.is_valid():
            data = with_sentence(self.data, self.sentence.sentence, names, self.key)
            self._show(data)
            self.sentence, self.key = None, ""

    @property
    def is_wrong(self) -> bool:
        """Whether something sent can't be used."""
        wrong = self.sentence is not None and self.sentence.is_wrong
        return bool(self.problems or self.refused or self.form.errors or wrong)

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


def _with_rows(posted: QueryDict, more: int) -> QueryDict:
    """Return a sent form with some more empty rows."""
    changed = posted.copy()
    rows = whole_number(posted.get("part-TOTAL_FORMS", ""), 3)
    changed["part-TOTAL_FORMS"] = str(min(rows + more, MAX_ROWS))
    return changed
