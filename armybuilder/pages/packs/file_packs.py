"""Event packs for games from files: a new one, and the page on which its rules are written."""

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from typing import Any

from django import forms
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.accounts.holders import holder_of
from armybuilder.authoring.file_sentences import (
    FILE_FORMS,
    FileSentence,
    sentence_of,
    with_rule,
    without_rule,
    wording,
)
from armybuilder.authoring.packs import new_file_pack
from armybuilder.battlescribe.files.documents import game_name
from armybuilder.engine.wording import say, say_given
from armybuilder.games.opening import open_book, open_game
from armybuilder.games.services import holding_of
from armybuilder.loading.problems import Refusal
from armybuilder.packs import services
from armybuilder.packs.selectors import read_pack
from armybuilder.pages.answers import fresh_form, whole_number
from armybuilder.pages.forces.page import catalogues_of
from armybuilder.pages.packs.editor import KEY, AboutForm, RuleForm, RulesEditor
from armybuilder.pages.packs.shown import pack_context, written

#: Catalogues whose names are offered: of more, names are looked up only when they are sent.
MOST_OFFERED = 12
_ENTRIES = ("selectionEntries", "sharedSelectionEntries", "categoryEntries")


class NewPackForm(forms.Form):
    """Form of a new pack: its name."""

    name = forms.CharField(max_length=120, label=_lazy("Name"))


@fresh_form
def new_pack(request: HttpRequest, game_key: str) -> HttpResponse:
    """Show the form of a new pack for a game; a POST stores it.

    Raises Http404 for a game that this browser has not brought.
    """
    holding = holding_of(holder_of(request), game_key)
    if holding is None or not holding.brought:
        raise Http404("no such game of this browser")
    form = NewPackForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        name = game_name(game_key, open_game(game_key))
        try:
            pack = read_pack(new_file_pack(form.cleaned_data["name"], name))
            return redirect("edit-pack", services.create_pack(holding.holder, pack).pk)
        except Refusal as refusal:
            form.add_error(None, refusal.sentence)
    context = {"holding": holding, "form": form}
    return render(request, "packs/new_of_files.html", context, status=422 if form.errors else 200)


class FileNames:
    """Names of things in a game's files; of catalogues, those that the pack allows."""

    def __init__(self, data: Mapping[str, Any]) -> None:
        self.key = data["game"]["key"]
        game = open_game(self.key)
        self.catalogues = {one.id: one.name for one in catalogues_of(game)}
        self.forces = {one.id: one.get("name").strip() for one in game.system.all("forceEntries")}
        self.costs = {
            cost.id: cost.get("name").strip()
            for cost in game.system.all("costTypes")
            if not cost.says("hidden")
        }
        rules = (rule for rule in data["rules"] if rule["kind"] == "catalogues" and "of" in rule)
        allowed = {one["id"] for rule in rules for one in rule["of"]}
        self._searched = [id for id in self.catalogues if not allowed or id in allowed]

    @cached_property
    def _found(self) -> dict[str, dict[str, dict[str, None]]]:
        """Ids of units, options and categories by their names, in small letters and as written."""
        found: dict[str, dict[str, dict[str, None]]] = {}
        read = set()
        for catalogue in self._searched:
            for root in open_book(self.key, catalogue).sources:
                if root.id not in read:
                    read.add(root.id)
                    for one in root.walk():
                        if one.place in _ENTRIES and (name := one.get("name").strip()):
                            named = found.setdefault(name.casefold(), {})
                            named.setdefault(name, {})[one.id] = None
        return found

    def ids(self, name: str) -> list[str]:
        """Return the ids of all things of a name."""
        return [id for ids in self._found.get(name.casefold(), {}).values() for id in ids]

    @property
    def offered(self) -> list[str]:
        """The names that a field offers; none of many catalogues."""
        few = len(self._searched) <= MOST_OFFERED
        return sorted(next(iter(one)) for one in self._found.values()) if few else []


class FileBasicsForm(AboutForm):
    """Basics of a pack for a game from files."""

    lists = forms.IntegerField(min_value=1, max_value=20, label=_lazy("Lists per player"))


def _basics(data: Mapping[str, Any]) -> dict[str, Any]:
    lists = data.get("entry", {}).get("lists", 1)
    return {"name": data["name"], "about": data["about"], "by": data.get("by", ""), "lists": lists}


def _number(label: Any) -> forms.IntegerField:
    return forms.IntegerField(required=False, min_value=0, max_value=99_999_999, label=label)


def _choices(label: Any) -> forms.MultipleChoiceField:
    widget = forms.CheckboxSelectMultiple
    return forms.MultipleChoiceField(required=False, label=label, widget=widget)


class FileSentenceForm(RuleForm):
    """One rule as a sentence: its numbers, and the things it is about."""

    cost = forms.ChoiceField(required=False, label=_lazy("Cost"))
    least = _number(_lazy("At least"))
    most = _number(_lazy("At most"))
    per_cent = forms.BooleanField(required=False, label=_lazy("Per cent of the limit"))
    names = forms.CharField(
        required=False,
        max_length=4000,
        label=_lazy("Units, options or categories by name"),
        help_text=_lazy("Separate several by semicolons."),
        widget=forms.TextInput({"list": "things", "autocomplete": "off"}),
    )
    of = _choices(_lazy("Only these"))
    barred = _choices(_lazy("Not these"))

    def __init__(self, data: QueryDict | None, sentence: FileSentence, names: FileNames) -> None:
        initial: dict[str, Any] = {key: getattr(sentence, key) for key in self.base_fields}
        initial |= {"cost": sentence.cost[0], "names": "; ".join(sentence.names)}
        initial |= {key: [id for id, _name in initial[key]] for key in ("of", "barred")}
        super().__init__(data, initial, partial(wording, sentence))
        self.asks = sentence.asks
        self.known = names.catalogues if self.asks == "catalogues" else names.forces
        self.costs = names.costs
        shown = {*FILE_FORMS[self.asks].fields, "place", "summary"}
        for name in [name for name in self.fields if name not in shown]:
            del self.fields[name]
        for name, choices in (("of", self.known), ("barred", self.known), ("cost", self.costs)):
            if name in self.fields:
                self.fields[name].choices = [*choices.items()]  # type: ignore[attr-defined]  # of choices
        for name in FILE_FORMS[self.asks].needs:
            self.fields[name].required = True
        if self.asks == "by-hand":
            self.fields["summary"].label, self.fields["summary"].help_text = _("Rule"), ""

    @property
    def sentence(self) -> FileSentence:
        """The sentence that it says, once it is valid."""
        data: dict[str, Any] = dict(self.cleaned_data)
        parts = data.pop("names", "").split(";")
        names = dict.fromkeys(part.strip() for part in parts if part.strip())
        cost = data.pop("cost", "")
        pairs: dict[str, Any] = {
            name: tuple((id, self.known[id]) for id in data.pop(name, ()))
            for name in ("of", "barred")
        }
        known = cost, self.costs.get(cost, "")
        return FileSentence(self.asks, cost=known, names=tuple(names), **pairs, **data)


class FilePackEditor(RulesEditor):
    """Page of a pack for a game from files."""

    things: Sequence[str] = ()

    def basics_form(self, posted: QueryDict | None) -> FileBasicsForm:
        if posted is None:
            self.was = written(_basics(self.data))
        return FileBasicsForm(posted, initial=_basics(self.data))

    def with_form(self, data: Mapping[str, Any]) -> Mapping[str, Any]:
        basics = self.merged(self.form.cleaned_data, _basics(data))
        rest = {key: value for key, value in data.items() if key != "by"}
        rest |= {"by": basics["by"]} if basics["by"] else {}
        entry = {**data.get("entry", {}), "lists": basics["lists"]}
        about = basics["about"] or basics["name"]
        return {**rest, "name": basics["name"], "about": about, "entry": entry}

    def go(self, request: HttpRequest, what: str, key: str) -> None:
        if what in ("begin", "open", "keep"):
            self._write(request.POST, what, key)
        elif what == "remove":
            self._show(without_rule(self.data, whole_number(key, KEY)))

    def _write(self, posted: QueryDict, what: str, key: str) -> None:
        """Open a sentence, new or there, or put the one that is written into the pack."""
        if holding_of(self.own.holder, self.data["game"]["key"]) is None:
            raise Refusal(_("You don’t have the files of this pack’s game any more."))
        names, rules = FileNames(self.data), self.data["rules"]
        self.key = key if what == "open" else posted.get("key", "")[:KEY]
        at = int(self.key) if self.key.isdecimal() and int(self.key) < len(rules) else None
        if what == "open":
            if at is None:
                raise Refusal(_("The pack has no such rule any more."))
            self.sentence = FileSentenceForm(None, sentence_of(rules[at]), names)
        else:
            asks = posted.get("begin" if what == "begin" else "asks", "")
            if asks not in FILE_FORMS:
                raise Refusal(_("Choose a kind of rule."))
            kept = what == "keep"
            self.sentence = FileSentenceForm(posted if kept else None, FileSentence(asks), names)
            self.sentence.kept = kept
            if kept and self.sentence.is_valid():
                self._show(with_rule(self.data, self.sentence.sentence, names.ids, at))
                self.sentence, self.key = None, ""
        if self.sentence is not None and "names" in self.sentence.fields:
            self.things = names.offered

    def context(self) -> dict[str, Any]:
        return {
            **(pack_context(self.pack) if self.pack else {}),
            **vars(self),
            "things": self.things,
            "asks": [(key, say(form.label)) for key, form in FILE_FORMS.items()],
            "entries": [
                {"key": str(at), "text": say_given(rule["summary"]), "opens": True}
                for at, rule in enumerate(self.data["rules"])
            ],
        }
