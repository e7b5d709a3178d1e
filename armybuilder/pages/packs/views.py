"""Pages of event packs: to read, with the verdict on a list; own ones made and changed."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import asdict, fields
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring.packs import (
    Basics,
    NewRule,
    asks_of,
    basics_of,
    copy_of,
    counts_of,
    meant_groups,
    new_pack,
    selector_of,
    unit_names,
    with_basics,
    with_rule,
    without_rule,
)
from armybuilder.downloads import json_file
from armybuilder.engine.catalogue import System
from armybuilder.engine.sentences import sentence
from armybuilder.engine.wording import Words, say
from armybuilder.events.building import untie
from armybuilder.lists.forces import build_forces_for
from armybuilder.lists.models import ListDocument
from armybuilder.lists.selectors import current_version
from armybuilder.lists.services import build_for, event_pack_of
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.documents import catalogue_of, judge_at
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import FROM_FILES, ForceList
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.packs import Pack, pack_of_size
from armybuilder.loading.problems import Problem, Refusal
from armybuilder.loading.systems import summary_of
from armybuilder.packs import services
from armybuilder.packs.models import OwnPack
from armybuilder.packs.possible import possible_with
from armybuilder.packs.selectors import (
    find_pack,
    offered,
    own_packs,
    pack_by_key,
    pack_of,
    read_pack,
    version_of,
)
from armybuilder.pages.answers import fresh, whole_number
from armybuilder.pages.packs import file_packs
from armybuilder.solving.port import NoSolver


def pack_context(pack: Pack) -> dict[str, Any]:
    """Return what the template `packs/_pack.html` shows of a pack.

    With a rule that is `changed` goes the rule of the game that is `lifted`, or whose place it
    takes.
    """
    if isinstance(pack, FilePack):
        return _of_files(pack)
    library = shipped_library()
    system = library.systems[pack.system]
    names = {book.id: book.name for book in library.books[system.id].values()}
    data = pack.data
    summaries = {rule.head.id: rule.head.summary for rule in system.rules}
    summaries |= {rule["id"]: summary_of(rule) for rule in data["rules"]}
    return {
        "pack": pack,
        "system": system,
        "rules": list(_rules(pack, pack.resolved["rules"])),
        "changed": list(_changed(pack, data, summaries)),
        "of_books": [
            (
                ", ".join(names.get(key, key) for key in part["books"]),
                [*_rules(pack, part.get("rules", ())), *_changed(pack, part, summaries)],
            )
            for part in pack.resolved.get("book_rules", ())
        ],
        "entry": data.get("entry", {}),
        "team": data.get("team"),
        "team_rules": list(_rules(pack, data.get("team", {}).get("rules", ()))),
        "scores": [(one, str(pack.cite(one["cite"]))) for one in data.get("scores", ())],
        "texts": [
            (one["name"], pack.text_of(one), str(pack.cite(one["cite"])))
            for one in data.get("texts", ())
        ],
    }


def _changed(
    pack: Pack, part: Mapping[str, Any], summaries: Mapping[str, Words]
) -> Iterator[dict[str, Any]]:
    """Yield the rules that a pack, or its part for some books, lifts or replaces."""
    for one in part.get("lift", ()):
        lifted = summaries.get(one["rule"], one["rule"])
        yield {"summary": "", "citation": pack.cite(one["cite"]), "lifted": lifted}
    for one in part.get("replace", ()):
        lifted, by = summaries.get(one["rule"], one["rule"]), one["by"]
        yield {"summary": summary_of(by), "citation": pack.cite(by["cite"]), "lifted": lifted}


def _of_files(pack: FilePack) -> dict[str, Any]:
    """Return the same of a pack for a game from files; a rule is said with what it is about."""
    rules = [
        {
            "summary": rule["summary"],
            "citation": pack.cite(rule["cite"]),
            "among": [one["name"] for one in rule.get("of", ())],
            "by_hand": rule["kind"] == "by-hand",
        }
        for rule in pack.rules
    ]
    return {"pack": pack, "game": pack.game, "rules": rules, "entry": pack.data.get("entry", {})}


def _rules(pack: Pack, rules: Any) -> Iterator[dict[str, Any]]:
    """Yield rules: what each says, where in the pack, and `among` what some must be kept."""
    for rule in rules:
        among = [_(restriction["name"]) for restriction in rule.get("among", ())]
        yield {"summary": summary_of(rule), "citation": pack.cite(rule["cite"]), "among": among}


def written(data: Mapping[str, Any]) -> str:
    """Return a pack as the text of its file."""
    return json.dumps(data, indent=2, ensure_ascii=False)


@fresh
def packs(request: HttpRequest) -> HttpResponse:
    """Show the visitor's own packs, and all shipped ones, by their games."""
    library = shipped_library()
    games = [
        (system, [pack for pack in library.packs.values() if pack.system == system.id])
        for system in sorted(library.systems.values(), key=lambda one: (-one.default_size, one.id))
    ]
    context = {"games": [game for game in games if game[1]], "own": own_packs(holder_of(request))}
    return render(request, "packs/packs.html", context)


@require_safe
def pack(request: HttpRequest, pack_id: str) -> HttpResponse:
    """Show what an event asks of lists, each rule with its place in the pack."""
    context = {**pack_context(_there(shipped_library().packs.get(pack_id))), "key": pack_id}
    return render(request, "packs/pack.html", context)


@require_safe
def pack_file(request: HttpRequest, pack_id: str) -> HttpResponse:
    shipped = _there(shipped_library().packs.get(pack_id))
    return json_file(shipped.data, shipped.id)


@fresh
def at_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show the verdicts on a list by its game, and at the event of `pack` or its own."""
    version = current_version(request, list_id)
    document, built_for, key = version.content, event_pack_of(version), request.GET.get("pack", "")
    context: dict[str, Any] = {
        "list_id": list_id,
        "name": document.name,
        "packs": offered(holder_of(request), document.system),
        "built_for": built_for,
        "key": key,
    }
    chosen = _there(pack_by_key(key)) if key else built_for
    if chosen is not None:
        if chosen.system != document.system:
            raise Http404(_("There is no such event pack."))
        context |= _both_verdicts(document, chosen)
    return render(request, "packs/at_event.html", context)


def _both_verdicts(document: ListDocument, pack: Pack) -> dict[str, Any]:
    """Return the verdicts on a list by its game and at the event of a pack."""
    if isinstance(document, ForceList):
        return _verdicts_by_files(document, pack)
    pack = pack_of_size(pack, document.limit)
    report = judge_at(document, catalogue_of(document, shipped_library()), pack).report
    return {
        "pack": pack,
        "report": report,
        "refusals": [(sentence(one), one.citation) for one in report.refusals],
        "excused": [(sentence(one), one.citation) for one in report.excused],
    }


def _verdicts_by_files(document: ForceList, pack: Pack) -> dict[str, Any]:
    game = work_out(document).report
    event = work_out(document, pack if isinstance(pack, FilePack) else None)
    asked = [told for told in event.told if told.of_event]
    return {
        "pack": pack,
        "report": {
            "game": game,
            "legal": event.report.legal,
            "event_verdict": event.report.verdict_sentence,
        },
        "refusals": [(told.sentence, told.citation) for told in asked if told.is_error],
        "unchecked": [(told.sentence, told.citation) for told in asked if told.mark == "unchecked"],
    }


@require_POST
def build_for_event(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Let the list be built for the event whose pack the form names, or for none."""
    of_files = isinstance(current_version(request, list_id).content, ForceList)
    key = request.POST.get("pack", "")
    build = build_forces_for if of_files else build_for
    build(holder_of(request), list_id, _there(pack_by_key(key)) if key else None)
    untie(list_id)
    return redirect("builder", list_id)


def _there(pack: Pack | None) -> Pack:
    if pack is None:
        raise Http404(_("There is no such event pack."))
    return pack


#: Sizes that a pack may name in the form, and points of each.
MOST_SIZES, MOST_POINTS = 20, 1_000_000
#: Digits of a version's number.
KEY = 9


class BasicsForm(forms.Form):
    """Basics of a pack: what is said of it as a whole."""

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

    def __init__(self, data: QueryDict | None, basics: Basics, books: dict[str, str]) -> None:
        initial = asdict(basics) | {"sizes": ", ".join(map(str, basics.sizes))}
        super().__init__(data, initial=initial)
        field = self.fields["books"]
        field.choices = list(books.items())  # type: ignore[attr-defined]  # a field of choices

    def clean_sizes(self) -> tuple[int, ...]:
        parts = self.cleaned_data["sizes"].replace(",", " ").replace(";", " ").split()
        if not all(part.isdecimal() and 0 < int(part) <= MOST_POINTS for part in parts):
            raise forms.ValidationError(_("Write whole numbers of points, such as 4500."))
        if len(parts) > MOST_SIZES:
            raise forms.ValidationError(_("Too many sizes."))
        return tuple(dict.fromkeys(int(part) for part in parts))

    @property
    def basics(self) -> Basics:
        data = self.cleaned_data | {"books": tuple(self.cleaned_data["books"])}
        return Basics(**{one.name: data[one.name] for one in fields(Basics)})


def basics_text(basics: Basics) -> str:
    """Return what a form says, for the next one to compare with."""
    return json.dumps(asdict(basics))


def _merged(form: Basics, before: str, text: Basics) -> Basics:
    """Return what of a form was changed since it said `before`, and else what the text says now."""
    try:
        was = json.loads(before)
    except ValueError:
        was = {}
    now = json.loads(basics_text(form))
    names = [one.name for one in fields(Basics)]
    changed = {name for name in names if isinstance(was, dict) and now[name] != was.get(name)}
    return Basics(**{name: getattr(form if name in changed else text, name) for name in names})


def _new_rule(data: QueryDict, library: Library, system: System) -> NewRule:
    """Return the rule that the form asks for. Raises Refusal if it cannot be read."""
    number, asks = data.get("rule_number", "").strip(), data.get("rule_asks", "")
    if asks != "none" and not (number.isdecimal() and len(number) <= len(str(MOST_POINTS))):
        raise Refusal(_("Enter a whole number for the rule."))
    name, key = data.get("rule_unit", "").strip(), data.get("rule_of", "")
    if name:
        refs = unit_names(library, system)
        if name not in refs:
            sentence = _("There is no unit “{name}”. Choose one of those offered.")
            raise Refusal(sentence.format(name=name[:80]))
        of: Any = {"unit": refs[name]}
    else:
        groups = meant_groups(library, system)
        names = {one.key: one.name for _title, group in groups for one in group}
        if key and key not in names:
            raise Refusal(_("Choose what the rule is about."))
        of, name = selector_of(key), names.get(key, "")
    place = data.get("rule_place", "").strip()[:40]
    summary = data.get("rule_said", "").strip()[:400]
    count = data.get("rule_count", "units")
    return NewRule(asks, of, name, int(number or 0), count, place, summary)


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
        self.said: Mapping[str, Any] = {}
        self.saved = False

    def _show(self, data: Mapping[str, Any]) -> None:
        """Let the page show this pack. Raises Refusal if it is none."""
        self.pack = read_pack(data)
        self.data, self.text = data, written(data)
        self.form = BasicsForm(None, basics_of(data), self.books)
        self.was = basics_text(basics_of(data))

    def act(self, request: HttpRequest) -> None:
        """Do what a button asks, with what form and text say."""
        posted = self.said = request.POST
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
        what, _colon, rule_id = go.partition(":")
        if what == "add":
            rule = _new_rule(request.POST, self.library, self.system)
            self._show(with_rule(self.data, rule, self.system))
            self.said = {}
        elif what == "remove":
            self._show(without_rule(self.data, rule_id))
        elif what == "possible" and self.pack is not None:
            try:
                self.possible = possible_with(self.pack, self.library)
            except NoSolver as error:
                raise Refusal(_("Suggestions are not available on this site.")) from error
        elif what == "save" and self.pack is not None:
            own = services.save_pack(holder_of(request), self.own.pk, self.pack, self.seen)
            self.seen, self.saved = own.number, True

    def context(self) -> dict[str, Any]:
        return {
            **(pack_context(self.pack) if self.pack else {}),
            **vars(self),
            "asks": [(key, say(text)) for key, text in asks_of(self.system).items()],
            "counts": [(key, say(text)) for key, text in counts_of(self.system).items()],
            "groups": meant_groups(self.library, self.system),
            "unit_names": sorted(unit_names(self.library, self.system), key=str.casefold),
            "removable": self.data["rules"],
        }


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Name a new pack and choose its game, or make a copy of a pack: `copy` is its key."""
    refused = ""
    if request.method == "POST":
        try:
            pack, origin = _begun(request)
            made = services.create_pack(make_holder(request), pack, origin)
            return redirect("edit-pack", made.pk)
        except Refusal as refusal:
            refused = refusal.sentence
    context = {
        "systems": shipped_library().systems.values(),
        "refused": refused,
        "name": request.POST.get("name", ""),
        "chosen": request.POST.get("system", request.GET.get("system", "")),
    }
    return render(request, "packs/new.html", context, status=422 if refused else 200)


def _begun(request: HttpRequest) -> tuple[Pack, str]:
    """Return the pack to begin with, and what it is a copy of."""
    fields = request.POST
    if key := fields.get("copy", ""):
        copied = pack_by_key(key)
        if copied is None:
            raise Refusal(_("There is no such event pack."))
        name = _("{name} (copy)").format(name=copied.name[:100])
        return read_pack(copy_of(copied.data, name)), f"{copied.name} {copied.revision}"
    system = shipped_library().systems.get(fields.get("system", ""))
    name = " ".join(fields.get("name", "").split())[:120]
    if system is None or not name:
        raise Refusal(_("Give the pack a name and choose its game."))
    return read_pack(new_pack(system, name)), ""


@fresh
def own_pack(request: HttpRequest, pack_id: UUID, number: int | None = None) -> HttpResponse:
    """Show a pack to read, in its newest version or another."""
    own = find_pack(pack_id)
    version = version_of(own, number)
    context = {
        **pack_context(pack_of(version)),
        "own": own,
        "version": version,
        "versions": own.versions.defer("data").order_by("-number"),
        "is_mine": own.holder == holder_of(request),
    }
    return render(request, "packs/own.html", context)


@fresh
def own_file(request: HttpRequest, pack_id: UUID, number: int) -> HttpResponse:
    data = version_of(find_pack(pack_id), number).data
    return json_file(data, data["id"])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def edit(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    """Change an own pack; nothing is stored until it is saved. `go` is what the button asks."""
    own = _mine(request, pack_id)
    if own.system.startswith(FROM_FILES):
        return file_packs.edit(request, own)
    newest = version_of(own)
    page = PackEditor(own, newest.number, newest.data)
    if request.method == "POST":
        page.act(request)
        if page.saved:
            messages.success(request, _("Saved as version {number}.").format(number=page.seen))
            return redirect("own-pack", own.pk)
    status = 422 if page.problems or page.refused or page.form.errors else 200
    return render(request, "packs/edit.html", page.context(), status=status)


def _mine(request: HttpRequest, pack_id: UUID) -> OwnPack:
    own = find_pack(pack_id)
    if own.holder != holder_of(request):
        raise Http404("not a pack of this browser")
    return own


@require_POST
def delete(request: HttpRequest, pack_id: UUID) -> HttpResponse:
    services.delete_pack(holder_of(request), _mine(request, pack_id).pk)
    messages.success(request, _("The pack was deleted."))
    return redirect("packs")
