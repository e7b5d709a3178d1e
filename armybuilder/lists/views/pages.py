"""Home, starting a list, the browser's own lists, and the pages for what went wrong."""

from collections.abc import Iterable
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.pinning import books_now
from armybuilder.engine.catalogue import System
from armybuilder.lists import services
from armybuilder.lists.builder import BuilderPage
from armybuilder.lists.forms import NewListForm, UploadForm
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version, current_versions
from armybuilder.loading.documents import catalogue_of, make_roster, read_document
from armybuilder.loading.jsontext import MAX_BYTES
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    library = shipped_library()
    recent = current_versions(holder_of(request))[:3]
    return render(
        request,
        "lists/home.html",
        {
            "systems": library.systems.values(),
            "recent": _sorted_out(recent)[0],
        },
    )


def _sorted_out(versions: Iterable[Version]) -> tuple[list[BuilderPage], list[Version]]:
    """The lists that can be shown, judged, and those whose game is not here (any more) or wants
    what they do not say.
    """
    pages, strange = [], []
    for version in versions:
        page = BuilderPage(version, shipped_library())
        try:
            page.report  # noqa: B018, worked out here, where a refusal is caught
        except Refusal:
            strange.append(version)
        else:
            pages.append(page)
    return pages, strange


@require_http_methods(["GET", "POST"])
def new_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Choose books, size and name; then the builder."""
    library = shipped_library()
    if system_id not in library.systems:
        raise Http404("no such game system")
    system = library.systems[system_id]
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
    return render(
        request,
        "lists/new.html",
        {"system": system, "books": books, "form": form},
        status=422 if form.errors else 200,
    )


def _first(library: Library, system: System) -> str:
    """The book that a new list starts with: the first a newcomer can build with as it is, without
    cards of their own and without points to agree on; none where lists draw from one of many.
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


@require_safe
def my_lists(request: HttpRequest) -> HttpResponse:
    pages, strange = _sorted_out(current_versions(holder_of(request)))
    return render(
        request,
        "lists/my_lists.html",
        {
            "pages": pages,
            "strange": strange,
            "deleted": current_versions(holder_of(request), deleted=True)[:20],
            "upload": UploadForm(),
        },
    )


@require_POST
def upload(request: HttpRequest) -> HttpResponse:
    """Open a saved list document: it becomes a list of this browser, as it is."""
    form = UploadForm(request.POST, request.FILES)
    if not form.is_valid():
        raise Refusal("Choose a file first: a list saved from here, ending in .json.")
    file = form.cleaned_data["file"]
    document = read_document(file.read(MAX_BYTES + 1), file.name)
    make_roster(document, catalogue_of(document, shipped_library()))
    version = services.create_list(make_holder(request), document, "Opened from a file.")
    return redirect("builder", version.army_list_id)


@require_POST
def copy(request: HttpRequest, list_id: UUID) -> HttpResponse:
    version = services.copy_list(current_version(request, list_id), make_holder(request))
    messages.success(request, f"Copied. The copy is called “{version.document['name']}”.")
    return redirect("my-lists")


@require_POST
def rename(request: HttpRequest, list_id: UUID) -> HttpResponse:
    seen = current_version(request, list_id).pk
    fields = {"act": "rename", "name": request.POST.get("name", "")}
    try:
        services.perform(holder_of(request), list_id, seen, fields, shipped_library())
    except services.Conflict as conflict:
        raise Refusal("The list was renamed elsewhere just now; look at it first.") from conflict
    messages.success(request, "Renamed.")
    return redirect("my-lists")


@require_POST
def delete(request: HttpRequest, list_id: UUID) -> HttpResponse:
    name = current_version(request, list_id).document["name"]
    services.delete_list(holder_of(request), list_id)
    messages.success(request, f"Deleted “{name}”.", extra_tags=f"undo:{list_id}")
    return redirect("my-lists")


@require_POST
def restore(request: HttpRequest, list_id: UUID) -> HttpResponse:
    if not services.restore_list(holder_of(request), list_id):
        raise Http404("no such deleted list in this browser")
    messages.success(request, "The list is back.")
    return redirect("my-lists")


def not_found(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    return render(request, "404.html", status=404)


def server_error(request: HttpRequest) -> HttpResponse:
    return render(request, "500.html", status=500)


def forbidden(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: mostly a page that stood open for very long."""
    return render(request, "403.html", status=403)
