"""Pages beside the builder: changed books, charts, units compared, keys, commands, closed tabs."""

from dataclasses import dataclass
from urllib.parse import urlencode
from uuid import UUID

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts.holders import holder_of
from armybuilder.acts.units import TICK
from armybuilder.books.pinning import take
from armybuilder.comparing.editions import Comparison, compare, in_edition
from armybuilder.editing.book_edits import add_book
from armybuilder.engine import choices
from armybuilder.lists.selectors import current_version
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx, wants_part
from armybuilder.pages.builder.charts import charts_of
from armybuilder.pages.builder.keyboard import Command, commands_everywhere, commands_of
from armybuilder.pages.builder.page import BuilderPage
from armybuilder.pages.builder.shelf.facets import ShelfEntry, make_entry
from armybuilder.pages.builder.shelf.shelf import read_ticks
from armybuilder.pages.builder.tabs import close_tab
from armybuilder.requests import HtmxRequest
from armybuilder.sheets.content.make_numbers import line_makeup
from armybuilder.sheets.content.side_by_side import MOST, chosen_units, side_by_side, units_query


@dataclass(frozen=True, slots=True)
class Proposal:
    """A change to be confirmed: its act and fields, and single `parts` (name, query)."""

    title: str
    about: str
    act: str
    fields: dict[str, str]
    yes: str
    comparison: Comparison
    parts: tuple[tuple[str, str], ...] = ()


@never_cache
@require_safe
def changes(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show what differs with the `book` as it is now, with all changed ones, or in an `edition`."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    if "edition" in request.GET:
        proposal = _edition(page, request.GET["edition"])
    else:
        proposal = _books(page, request.GET.get("book", ""), holder_of(request))
    return render(request, "builder/changes.html", {"page": page, "proposal": proposal})


def _books(page: BuilderPage, book_id: str, holder: str) -> Proposal:
    """One changed book, or with no id all of them."""
    changed = [book for book in page.changed_books if book_id in ("", book.id)]
    if not changed:
        one = _("That book has not changed since it was added to this list.")
        raise Refusal(one if book_id else _("No book of this list has changed since it was added."))
    ids = [book.id for book in changed]
    revisions = take(holder, page.system, page.library, ids)
    document = page.document
    for one, revision in revisions.items():
        document = add_book(document, one, revision)
    title = _("“{name}” has changed").format(name=changed[0].name)
    about = _("This list keeps the book as it was when it was added. With the current book:")
    several = changed if len(changed) > 1 else []
    if several:
        title = _("{number} books have changed").format(number=len(changed))
        about = _(
            "This list keeps its books as they were when they were added. With {names} as "
            "they are now:"
        )
        about = about.format(names=", ".join(book.name for book in changed))
    return Proposal(
        title,
        about,
        "update-book",
        {"book": ",".join(ids), "revision": ",".join(revisions[one] for one in ids)},
        _("Apply the changes"),
        compare(judge(page.document, page.library), judge(document, page.library)),
        tuple((book.name, urlencode({"book": book.id})) for book in several),
    )


def _edition(page: BuilderPage, system_id: str) -> Proposal:
    switched = in_edition(page.document, page.library, system_id)
    name = page.library.system(system_id).name
    title = _("Switch to {name}").format(name=name)
    after = judge(switched.document, page.library)
    return Proposal(
        title,
        _("The same models under the rules of {name}. You can undo it.").format(name=name),
        "edition",
        {"system": system_id},
        title,
        compare(judge(page.document, page.library), after, switched.lost),
    )


CHARTS = "builder/charts.html"
DRAWN = "builder/charts.html#drawn"


@never_cache
@require_safe
def charts(request: HtmxRequest, list_id: UUID) -> HttpResponse:
    """The list's charts, and what the points of each of its units are made of."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    context = {"page": page, "charts": charts_of(page.report, page.catalogue)}
    if wants_part(request):
        return render_for_htmx(request, DRAWN, context)
    context["made"] = [
        (line.pick.id, page.names[line.pick.id], line_makeup(line, page.system))
        for line in page.report.full.lines
    ]
    return render_for_htmx(request, CHARTS, context)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def compare_units(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Compare up to four units (`unit` in the address); the shelf posts those ticked on it."""
    page = BuilderPage(current_version(request, list_id), shipped_library())
    address = reverse("compare-units", args=[list_id])
    if request.method == "POST":
        ticked = read_ticks(request.POST, page.catalogue)
        if not ticked:
            request.session["said"] = _("Select two to four units to compare them.")
            return redirect("builder", list_id)
        query = units_query(page.catalogue.units[ref] for ref in ticked)
        return redirect(f"{address}?{query}")
    chosen = chosen_units(request.GET.getlist("unit"), page.catalogue.units)
    entries = [
        make_entry(choice, page.catalogue, page.report)
        for choice in choices(page.roster, page.catalogue, chosen.units)
    ]
    points = [_points(entry) for entry in entries]
    context = {
        "page": page,
        "chosen": chosen,
        "columns": list(zip(chosen.columns, entries, strict=True)),
        "parts": side_by_side(chosen.units, page.system, points) if entries else (),
        "most": MOST,
    }
    return render(request, "builder/compare_units.html", context)


def _points(entry: ShelfEntry) -> str:
    if entry.unit.price.start is None:
        return "?"
    return f"{entry.start} {entry.points}".strip()


@require_safe
def keys(request: HttpRequest) -> HttpResponse:
    """The keys on a page of their own."""
    return render(request, "builder/keys.html")


@never_cache
@require_safe
def commands(request: HttpRequest, list_id: UUID | None = None) -> JsonResponse:
    """Answer what the palette offers; `tick` begins the fields that add several of a unit."""
    library = shipped_library()
    offered: list[Command] = []
    if list_id is not None:
        offered += commands_of(BuilderPage(current_version(request, list_id), library))
    offered += commands_everywhere(holder_of(request), library, list_id)
    found = [command.plain for command in offered]
    return JsonResponse({"commands": found, "tick": TICK})


@require_POST
def close(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Close a list's tab and stay; where that list was shown, go to the tab beside it."""
    current_version(request, list_id)
    beside = close_tab(request, list_id)
    try:
        here = UUID(request.POST.get("here", ""))
    except ValueError:
        here = list_id
    target = beside if here == list_id else here
    return redirect("builder", target) if target else redirect("my-lists")
