"""The first page, starting a list, and the pages for what went wrong."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.acts.about import Starter
from armybuilder.books.pinning import books_now
from armybuilder.editing.book_edits import example_document
from armybuilder.engine.catalogue import System
from armybuilder.lists import services
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import game_of
from armybuilder.pages.home.forms import NewListForm
from armybuilder.pages.my_lists.overview import ListRow
from armybuilder.request_ids import request_id

#: How many lists the first page offers to go on with.
RECENT = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    library = shipped_library()
    recent = current_versions(holder_of(request)).filter(army_list__archived__isnull=True)
    rows = [ListRow(version, library) for version in recent[:RECENT]]
    context = {
        "systems": library.systems.values(),
        "recent": [row for row in rows if row.judged is not None],
    }
    return render(request, "home/home.html", context)


@require_http_methods(["GET", "POST"])
def new_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Choose books, size and name; then the builder."""
    library, system = shipped_library(), game_of(system_id)
    books = books_now(holder_of(request), system, library)
    wanted = request.GET.get("book", "")
    first = wanted if wanted in {book.id for book in books} else _first(library, system)
    form = NewListForm(system, books, first, request.POST or None)
    if request.method == "POST" and form.is_valid():
        asked = form.cleaned_data
        version = services.start_list(
            make_holder(request), system, library, asked["name"], asked["limit"], asked["books"]
        )
        return redirect("builder", version.army_list_id)
    context = {"system": system, "books": books, "form": form}
    return render(request, "home/new.html", context, status=422 if form.errors else 200)


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
        if book.units and not any(unit.blanks or unit.suggested for unit in book.units.values())
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
    document = example_document(example, shipped_library())
    version = services.create_list(make_holder(request), document, "Opened an example.")
    return redirect("builder", version.army_list_id)


@require_POST
def make_starter(request: HttpRequest, system_id: str) -> HttpResponse:
    """A new list of the chosen name, size and books, filled at random; undo leaves it empty."""
    library, system = shipped_library(), game_of(system_id)
    books = books_now(holder_of(request), system, library)
    form = NewListForm(system, books, "", request.POST)
    if not form.is_valid():
        context = {"system": system, "books": books, "form": form}
        return render(request, "home/new.html", context, status=422)
    asked, holder = form.cleaned_data, make_holder(request)
    version = services.start_list(
        holder, system, library, asked["name"], asked["limit"], asked["books"]
    )
    list_id = version.army_list_id
    try:
        saved = services.perform(holder, list_id, version.pk, Starter(), library)
        request.session["said"] = saved.said
    except Refusal as refusal:
        request.session["said"] = refusal.sentence
    return redirect("builder", list_id)
