"""The first page, starting a list, and the pages for what went wrong."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any, NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.filling import FillAtOnce
from armybuilder.books.pinning import BookNow, books_now
from armybuilder.books.selectors import own_games
from armybuilder.editing.book_edits import example_document
from armybuilder.engine.catalogue import System
from armybuilder.events.clock import Standing
from armybuilder.events.selectors import find_event, newest_pack
from armybuilder.incoming import request_id
from armybuilder.lists import services
from armybuilder.lists.models import Version
from armybuilder.lists.naming import free_name
from armybuilder.lists.packs import build_for
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.naming import list_name
from armybuilder.loading.packs import Pack, pack_for
from armybuilder.loading.problems import Refusal
from armybuilder.packs.reading import pack_of
from armybuilder.packs.selectors import pack_by_key
from armybuilder.pages.answers import list_ids, playable, whole_number
from armybuilder.pages.home.forms import NewListForm
from armybuilder.pages.my_lists.overview import ListRow
from armybuilder.solving.cpsat import is_installed

#: How many lists the first page offers to go on with.
RECENT = 3


class Family(NamedTuple):
    """Editions of one game, the largest first; `name` "" where there is one alone."""

    name: str
    systems: list[System]


def families(systems: Iterable[System]) -> list[Family]:
    """Return the games with their editions together, the largest first, by their usual sizes."""
    grouped: dict[str, list[System]] = {}
    for system in sorted(systems, key=lambda one: (-one.default_size, one.id)):
        grouped.setdefault(system.family or system.id, []).append(system)
    return [Family(_common_name(group), group) for group in grouped.values()]


def _common_name(systems: list[System]) -> str:
    """Return the words with which the names of several editions begin."""
    if len(systems) == 1:
        return ""
    words = zip(*(system.name.split() for system in systems), strict=False)
    same = takewhile(lambda alike: len(set(alike)) == 1, words)
    return " ".join(alike[0] for alike in same)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    library = shipped_library()
    recent = current_versions(holder_of(request)).filter(army_list__archived__isnull=True)
    rows = [ListRow(version, library) for version in recent[:RECENT]]
    context = {
        "families": families(library.systems.values()),
        "own_games": _own_games(holder_of(request), library),
        "recent": [row for row in rows if row.judged is not None],
    }
    return render(request, "home/home.html", context)


def _own_games(holder: str, library: Library) -> list[System]:
    """Return the games that the holder has made of files."""
    found = (library.find_system(game) for game in (own_games(holder) if holder else ()))
    return [game for game in found if game is not None]


@require_http_methods(["GET", "POST"])
def new_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Choose books, size and name; then the builder."""
    library, system = shipped_library(), playable(request, system_id)
    books = books_now(holder_of(request), system, library)
    wanted = request.GET.get("book", "")
    first = wanted if wanted in {book.id for book in books} else _first(library, system)
    pack = _pack_wanted(request, system)
    form = NewListForm(system, books, first, request.POST or None, pack)
    if request.method == "POST" and form.is_valid():
        version = _start(make_holder(request), system, books, form.cleaned_data, pack)
        return redirect("builder", version.army_list_id)
    return _show_form(request, system, books, form, pack)


def _pack_wanted(request: HttpRequest, system: System) -> Pack | None:
    """Return the pack that the list is to be built for: that of an event, by its id, or one that is
    here; `list` says for which of the lists that a player hands in. Raises Http404 where there is
    none, or it is for another game.
    """
    event, name = (request.POST.get(key) or request.GET.get(key, "") for key in ("event", "pack"))
    if not event and not name:
        return None
    found = pack_by_key(name)
    if event:
        (event_id,) = list_ids([event])
        playing = find_event(event_id)
        if playing.standing == Standing.DRAFT:
            raise Http404("no such event")
        found = pack_of(newest_pack(playing))
    if found is None or found.system != system.id:
        raise Http404("no such pack for this game")
    number = request.POST.get("list") or request.GET.get("list", "")
    return pack_for(found, whole_number(number, 2))


_ASKED = ("event", "pack", "list")


def _show_form(
    request: HttpRequest,
    system: System,
    books: Sequence[BookNow],
    form: NewListForm,
    pack: Pack | None,
) -> HttpResponse:
    asked = {key: request.POST.get(key) or request.GET.get(key, "") for key in _ASKED}
    context = {
        "system": system,
        "books": books,
        "form": form,
        "can_fill": is_installed(),
        "event_pack": pack,
        "asked": asked,
    }
    return render(request, "home/new.html", context, status=422 if form.errors else 200)


def _start(
    holder: str,
    system: System,
    books: Sequence[BookNow],
    asked: Mapping[str, Any],
    pack: Pack | None,
) -> Version:
    """Store an empty list as the form asks for it, built for an event where there is a pack;
    without a name, it is called after its book and size.
    """
    name, limit, chosen = asked["name"], asked["limit"], asked["books"]
    if not name:
        titles = [book.name for book in books if book.id in chosen]
        name = free_name(holder, list_name(system, titles, limit))
    made = services.start_list(holder, system, shipped_library(), name, limit, chosen)
    if pack is not None:
        build_for(holder, made.army_list_id, pack)
    return made


def _first(library: Library, system: System) -> str:
    """Return the first book that is complete without the player's own cards and points; "" where
    lists draw from one of many.
    """
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
    """A form without its token: mostly a page that stood open for very long."""
    return render(request, "403.html", status=403)


@require_POST
def open_example(request: HttpRequest, system_id: str, example_id: str) -> HttpResponse:
    """A copy of an example as a list of this browser."""
    example = shipped_examples().find(system_id, example_id)
    if example is None:
        raise Http404("no such example")
    document, holder = example_document(example, shipped_library()), make_holder(request)
    document = replace(document, name=free_name(holder, document.name))
    version = services.create_list(holder, document, "Opened an example.")
    return redirect("builder", version.army_list_id)


@require_POST
def random_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """A new list of the chosen name, size and books, filled at random; undo leaves it empty."""
    library, system = shipped_library(), playable(request, system_id)
    books = books_now(holder_of(request), system, library)
    pack = _pack_wanted(request, system)
    form = NewListForm(system, books, "", request.POST, pack)
    if not form.is_valid():
        return _show_form(request, system, books, form, pack)
    holder = make_holder(request)
    version = _start(holder, system, books, form.cleaned_data, pack)
    list_id = version.army_list_id
    try:
        saved = services.perform(holder, list_id, version.pk, FillAtOnce(), library)
        request.session["said"] = saved.said
    except Refusal as refusal:
        request.session["said"] = refusal.sentence
    return redirect("builder", list_id)
