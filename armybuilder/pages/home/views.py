"""Pages of the start: the first page, new lists, errors, and the security contact."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from itertools import takewhile
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.proposals import FillAtOnce, TakeFilling, random_filling
from armybuilder.acts.units import NewOwnModel
from armybuilder.books.pinning import BookNow, books_now
from armybuilder.books.selectors import own_games
from armybuilder.collection.selectors import collection_of, game_of_models
from armybuilder.editing.list_edits import example_document
from armybuilder.editing.unit_edits import add_unit, remove
from armybuilder.engine import Report, Severity, choices, validate
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.rules import Finding
from armybuilder.engine.sentences import sentence
from armybuilder.games.services import games_of
from armybuilder.incoming import request_id
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, free_name
from armybuilder.lists.services import build_for
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import list_name, make_roster
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.limits import MAX_LIMIT, MAX_NAME
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import pack_wanted, playable, tie_to_event
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.my_lists.search import make_row
from armybuilder.sheets.content.setup import KINDS
from armybuilder.solving.cpsat import is_installed

#: How many units a list to be shown has, the one that breaks it among them.
FEWEST, MOST = 3, 5


@dataclass(frozen=True, slots=True)
class ShowcaseLine:
    """A unit of the list; `goes` if the list is legal without it."""

    name: str
    models: int
    points: int
    goes: bool


@dataclass(frozen=True, slots=True)
class Showcase:
    """A list with one unit that breaks one rule (`finding`), and its verdict without that unit."""

    name: str
    lines: tuple[ShowcaseLine, ...]
    wrong: Report
    finding: Finding
    right: Report

    @property
    def sentence(self) -> str:
        return sentence(self.finding)

    @property
    def culprit(self) -> str:
        return next(line.name for line in self.lines if line.goes)


@lru_cache(maxsize=1)
def showcase() -> Showcase | None:
    """Return the first that an example of the smallest games makes; worked out by the engine."""
    return next(_showcases(), None)


def _showcases() -> Iterator[Showcase]:
    library = shipped_library()
    examples = shipped_examples().by_system
    for system in sorted(library.systems.values(), key=lambda game: (game.default_size, game.id)):
        for example in examples.get(system.id, ()):
            books = [book.id for book in example.document.books]
            if not system.sized and FEWEST <= len(example.document.units) <= MOST:
                yield from _broken_by_one(example.document, library.catalogue(system.id, books))


def _broken_by_one(document: ArmyList, catalogue: Catalogue) -> Iterator[Showcase]:
    """Yield the list with its last unit exchanged for one that breaks a single rule."""
    legal = remove(document, document.units[-1].id)
    roster = make_roster(legal, catalogue)
    right = validate(roster, catalogue)
    if right.of(Severity.ERROR):
        return
    for choice in choices(roster, catalogue):
        if len(choice.breaks) != 1 or choice.worsens:
            continue
        broken, entry = add_unit(legal, catalogue, choice.unit.ref)
        wrong = validate(make_roster(broken, catalogue), catalogue)
        errors = wrong.of(Severity.ERROR)
        if len(errors) == 1 and not errors[0].rule.is_budget:
            lines = tuple(
                ShowcaseLine(line.name, line.models, line.points, line.pick.id == entry)
                for line in wrong.full.lines
            )
            yield Showcase(document.name, lines, wrong, errors[0], right)


#: How many lists the first page offers to go on with.
RECENT = 3
#: How many games from files it names.
KEPT_GAMES = 20
#: Time for which the security contact is valid; each request renews it.
_CONTACT_HOLDS = timedelta(days=180)


def families(systems: Iterable[System]) -> list[tuple[str, list[System]]]:
    """Return the games with their editions together, the largest first, by their usual sizes.

    Each family has a name; "" if it is one game alone.
    """
    grouped: dict[str, list[System]] = {}
    for system in sorted(systems, key=lambda game: (-game.default_size, game.id)):
        grouped.setdefault(system.family or system.id, []).append(system)
    named = []
    for group in grouped.values():
        # Several are called by the words with which the names of all begin.
        words = zip(*(system.name.split() for system in group), strict=False)
        same = takewhile(lambda alike: len(set(alike)) == 1, words)
        name = " ".join(alike[0] for alike in same) if len(group) > 1 else ""
        named.append((name, group))
    return named


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    library = shipped_library()
    recent = current_versions(holder_of(request)).filter(army_list__archived__isnull=True)
    rows = [make_row(version, library) for version in recent[:RECENT]]
    holder = holder_of(request)
    made_of_files = map(library.find_system, own_games(holder) if holder else ())
    context = {
        "families": families(library.systems.values()),
        "own_games": [game for game in made_of_files if game is not None],
        "kept_games": games_of(holder).filter(brought=True)[:KEPT_GAMES] if holder else (),
        "recent": [row for row in rows if row.judged is not None],
        "showcase": SimpleLazyObject(showcase),
        "offer": {
            "armies": sum(map(len, library.books.values())),
            "games": len(library.systems),
            "sheets": len(KINDS),
        },
    }
    return render(request, "home/home.html", context)


class _Books(forms.MultipleChoiceField):
    """Reader of chosen ids, without the empty one of a menu."""

    def to_python(self, value: Any) -> list[str]:
        return [one for one in super().to_python(value) if one]


class NewListForm(forms.Form):
    """Form of a new list: books (`first` is offered), size (that of `pack`), and name."""

    limit = forms.IntegerField(min_value=1, max_value=MAX_LIMIT)
    books = _Books(
        error_messages={
            "required": _lazy("Choose at least one book."),
            "invalid_choice": _lazy("That book no longer exists. Choose another."),
        }
    )

    name = forms.CharField(max_length=MAX_NAME, label=_lazy("Name"), required=False)
    field_order = ("books", "limit", "name")

    def __init__(
        self, system: System, books: Sequence[BookNow], first: str, data: Any, pack: Pack | None
    ) -> None:
        self.system, self.offered, self.pack = system, books, pack
        size = next(iter(pack.sizes if pack else ()), system.default_size)
        super().__init__(data, initial={"limit": size, "books": [first] if first else []})
        self.one_book = system.sized
        limit, field = self.fields["limit"], self.fields["books"]
        limit.label = _("{size} (points)").format(size=_(system.points_name))
        sentence = _("Write a whole number from 1 to {most}.").format(most=MAX_LIMIT)
        limit.error_messages |= dict.fromkeys(("invalid", "min_value", "max_value"), sentence)
        choices = [(book.id, book.name) for book in books]
        field.choices = choices  # type: ignore[attr-defined]  # a field of choices
        field.label = _("Army book") if self.one_book else _("Books")
        field.required = not system.own_models
        if self.one_book:
            field.error_messages["required"] = _("Choose a book.")

    @property
    def mistakes(self) -> list[forms.BoundField]:
        return [field for field in self if field.errors]

    def clean_books(self) -> list[str]:
        """Return the books: exactly one if the game's lists draw from one."""
        books: list[str] = self.cleaned_data["books"]
        if self.one_book and len(books) > 1:
            raise forms.ValidationError(_("Choose one book only."))
        return books


@require_http_methods(["GET", "POST"])
def new_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Choose books, size and name; then the builder."""
    library, system = shipped_library(), playable(request, system_id)
    books = books_now(holder_of(request), system, library)
    wanted = request.GET.get("book", "")
    first = wanted if wanted in {book.id for book in books} else _first(library, system)
    form = NewListForm(system, books, first, request.POST or None, pack_wanted(request, system.id))
    if request.method == "POST" and form.is_valid():
        holder = make_holder(request)
        version = _start(holder, form)
        tie_to_event(request, version.army_list_id)
        address = reverse("builder", args=[version.army_list_id])
        if "own" not in request.POST or not system.own_models:
            return redirect(address)
        saved = services.perform(holder, version.army_list_id, version.pk, NewOwnModel(""), library)
        return redirect(f"{address}?{urlencode({'open': saved.entry, 'view': 'unit'})}")
    return _show_form(request, form)


def _show_form(request: HttpRequest, form: NewListForm) -> HttpResponse:
    given = {
        key: request.POST.get(key) or request.GET.get(key, "") for key in ("event", "pack", "list")
    }
    collection = collection_of(holder_of(request), game_of_models(form.system))
    context = {
        "system": form.system,
        "books": form.offered,
        "form": form,
        "can_fill": is_installed(),
        "owns": SimpleLazyObject(collection.exists),
        "event_pack": form.pack,
        "asked": given,
    }
    return render(request, "home/new.html", context, status=422 if form.errors else 200)


def _start(holder: str, form: NewListForm) -> Version:
    """Store an empty list as the form asks, for the event of its pack; name it if unnamed."""
    name, limit, chosen = (form.cleaned_data[field] for field in ("name", "limit", "books"))
    if not name:
        titles = [book.name for book in form.offered if book.id in chosen]
        name = free_name(holder, list_name(form.system, titles, limit))
    made = services.start_list(holder, form.system, shipped_library(), name, limit, chosen)
    if form.pack is not None:
        build_for(holder, made.army_list_id, form.pack)
    return made


def _first(library: Library, system: System) -> str:
    """Return the first book that needs no own cards; "" if lists use only one."""
    books = library.books[system.id].values()
    if system.sized and len(books) > 1:
        return ""
    complete = (
        book.id
        for book in books
        if book.names and not any(unit.blanks or unit.suggested for unit in book.units.values())
    )
    return next(complete, "")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", {"request_id": request_id()}, status=500)


def forbidden(request: HttpRequest, reason: str = "") -> HttpResponse:
    """Answer a form without its token: mostly a page that stood open for very long."""
    return render(request, "403.html", status=403)


@require_POST
def open_example(request: HttpRequest, system_id: str, example_id: str) -> HttpResponse:
    example = shipped_examples().find(system_id, example_id)
    if example is None:
        raise Http404("no such example")
    document, holder = example_document(example, shipped_library()), make_holder(request)
    document = replace(document, name=free_name(holder, document.name))
    version = services.create_list(holder, document, "Opened an example.")
    return redirect("builder", version.army_list_id)


@require_POST
def random_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Start a list of the chosen name, size and books, filled at random; undo leaves it empty."""
    library, system = shipped_library(), playable(request, system_id)
    books = books_now(holder_of(request), system, library)
    form = NewListForm(system, books, "", request.POST, pack_wanted(request, system.id))
    if not form.is_valid():
        return _show_form(request, form)
    holder = make_holder(request)
    version = _start(holder, form)
    list_id = version.army_list_id
    tie_to_event(request, list_id)
    try:
        act = FillAtOnce() if "owned" not in request.POST else _from_collection(version, library)
        saved = services.perform(holder, list_id, version.pk, act, library)
        request.session["said"] = saved.said
    except Refusal as refusal:
        request.session["said"] = refusal.sentence
    return redirect("builder", list_id)


def _from_collection(version: Version, library: Library) -> TakeFilling:
    """Return the act that fills a list from its player's collection. Raises Refusal."""
    page = BuilderPage(version, library)
    return random_filling(page.document, page.catalogue, page.owned)


@require_safe
def security(request: HttpRequest) -> HttpResponse:
    """Say where weaknesses are reported (RFC 9116). Raises Http404 if no one says."""
    if not settings.SECURITY_CONTACT:
        raise Http404("nobody to report to")
    until = (timezone.now() + _CONTACT_HOLDS).strftime("%Y-%m-%dT00:00:00Z")
    lines = [
        f"Contact: {settings.SECURITY_CONTACT}",
        f"Expires: {until}",
        "Preferred-Languages: " + ", ".join(code for code, _name in settings.LANGUAGES),
    ]
    if settings.SITE_URL:
        lines.append(f"Canonical: {settings.SITE_URL}{request.path}")
    return HttpResponse("\n".join([*lines, ""]), content_type="text/plain; charset=utf-8")
