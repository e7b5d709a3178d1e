"""Pages of a collection: its units, books and lists to take them from, tables and texts brought."""

from collections.abc import Sequence
from operator import itemgetter
from typing import Any, NamedTuple
from urllib.parse import urlencode

from django.contrib import messages
from django.core.paginator import Page, Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring.tables import MAX_BYTES, read_grid
from armybuilder.collection.models import MAX_NOTE, MAX_NUMBER, OwnedUnit
from armybuilder.collection.selectors import (
    collection_of,
    collection_sizes,
    game_of_files,
    game_of_models,
    owned_numbers,
)
from armybuilder.collection.services import MAX_UNITS, Owned, add_models, put_units
from armybuilder.collection.tables import (
    CollectionTable,
    NamedUnits,
    collection_csv,
    table_fields,
)
from armybuilder.downloads import file_response
from armybuilder.exchange.csvs import table_text
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.games.services import games_of, holding_of
from armybuilder.lists.selectors import current_version, current_versions
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import (
    fresh,
    fresh_form,
    list_ids,
    playable,
    render_for_htmx,
    whole_number,
    with_query,
)
from armybuilder.pages.collection.page import BookCollection, CollectionPage, FileCollection
from armybuilder.pages.my_lists.keeping import own_library
from armybuilder.requests import HtmxRequest
from armybuilder.solving.owned import Models

#: Units on a page, and lists that are added up at most.
PER_PAGE, MOST_TOGETHER = 50, 20


def collection_page(request: HttpRequest, system_id: str) -> CollectionPage:
    """Return the visitor's collection for a game. Raises Http404 for no such game."""
    holding = holding_of(holder_of(request), system_id)
    if holding is not None:
        return FileCollection(holding)
    system = playable(request, system_id)
    return BookCollection(holder_of(request), system, own_library(request))


@fresh
def collections(request: HttpRequest) -> HttpResponse:
    """Show the games, each with the size of the visitor's collection for it."""
    sizes = collection_sizes(holder_of(request))
    games: dict[str, tuple[str, str]] = {}
    systems = list(own_library(request).systems.values())
    for system in sorted(systems, key=lambda one: (-one.default_size, one.id)):
        named = str(system.family or system.name)
        games.setdefault(game_of_models(system), (named, system.id))
    for held in games_of(holder_of(request)):
        games.setdefault(game_of_files(held.game.system_id), (held.name, held.game_id))
    rows = [(*named, sizes.get(game)) for game, named in games.items()]
    return render(request, "collection/collections.html", {"games": rows})


@fresh
def collection(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show the units that the visitor owns, or all of the chosen `book` with their numbers."""
    page = collection_page(request, system_id)
    books = page.books
    text = request.GET.get("q", "")[:80].strip()
    book = books.get(request.GET.get("book", ""))
    number = whole_number(request.GET.get("page", ""), 5, 1)
    paginated, rows = _shown(page, book, text, number)
    fields = {"q": text, "book": book.id if book else ""}
    query = urlencode({key: value for key, value in fields.items() if value})
    context = {
        "page": page,
        "size": collection_sizes(page.holder).get(page.game),
        "books": [(one.id, one.name, one is book) for one in books.values() if one.names],
        "book": book,
        "text": text,
        "rows": [(row, page.units.books.get(row.ref, "")) for row in rows],
        "shown": paginated,
        "query": query,
        "here": f"{query}&page={paginated.number}".lstrip("&"),
        "lists": page.lists(),
        "most": MAX_NUMBER,
        "most_note": MAX_NOTE,
    }
    return render(request, "collection/collection.html", context)


def _shown(
    page: CollectionPage, book: NamedUnits | None, text: str, number: int
) -> tuple[Page[Any], list[OwnedUnit]]:
    """Return a page of the units whose name holds the text, owned or in a book, and its rows."""
    if book is None:
        mine = collection_of(page.holder, page.game).filter(name__icontains=text)
        owned = Paginator(mine.order_by("name", "ref"), PER_PAGE).get_page(number)
        return owned, list(owned)
    words = text.casefold()
    named = [(ref, name) for ref, name in book.names.items() if words in name.casefold()]
    paginated = Paginator(named, PER_PAGE).get_page(number)
    return paginated, _rows_of(page, list(paginated))


def _rows_of(page: CollectionPage, units: Sequence[tuple[str, str]]) -> list[OwnedUnit]:
    """Return the rows of some units, by ref and name; of those that are not owned, empty ones."""
    kept = collection_of(page.holder, page.game).filter(ref__in=[ref for ref, _name in units])
    rows = {row.ref: row for row in kept}
    return [rows.get(ref) or OwnedUnit(ref=ref, name=name, number=0) for ref, name in units]


@require_POST
def change_unit(request: HtmxRequest, system_id: str) -> HttpResponse:
    """Write the number of one unit, or change it by one; by htmx show its row."""
    page = collection_page(request, system_id)
    ref, do = request.POST.get("ref", ""), request.POST.get("do", "")
    row = collection_of(page.holder, page.game).filter(ref=ref).first()
    name = page.units.names.get(ref) or (row.name if row else "")
    if not name:
        raise Http404("no such unit")
    page.holder, refused = make_holder(request), ""
    try:
        if do in ("more", "fewer"):
            step = {ref: 1 if do == "more" else -1}
            add_models(page.holder, page.game, step, {ref: name}, add=True)
        else:
            put_units(page.holder, page.game, [_typed(request, ref, name)])
    except Refusal as refusal:
        if not request.htmx:
            raise
        refused = refusal.sentence
    if not request.htmx:
        return redirect(f"{with_query(page.address, request.POST.get('here', ''))}#u-{ref}")
    (row,) = _rows_of(page, [(ref, name)])
    context = {
        "refused": refused,
        "typed": request.POST if refused else None,
        "page": page,
        "row": row,
        "book_name": page.units.books.get(ref, ""),
        "here": request.POST.get("here", ""),
        "most": MAX_NUMBER,
        "most_note": MAX_NOTE,
        "is_open": do == "save",
    }
    status = 422 if refused else 200
    return render_for_htmx(request, "collection/_row.html", context, status)


def _typed(request: HttpRequest, ref: str, name: str) -> Owned:
    """Return a unit as a form says it. Raises Refusal for numbers that are none."""
    fields = {key: request.POST.get(key, "").strip() for key in ("number", "painted", "note")}
    number, painted = (whole_number(fields[key], 4, -1) for key in ("number", "painted"))
    if number < 0 or (fields["painted"] and not 0 <= painted <= number):
        said = _(
            "{name}: write whole numbers from 0 to {most}, and no more painted than there are."
        )
        raise Refusal(said.format(name=name, most=MAX_NUMBER))
    note = fields["note"].replace("\0", "")[:MAX_NOTE]
    return Owned(ref, name[:200], number, painted if fields["painted"] else None, note)


@require_POST
def from_list(request: HttpRequest, system_id: str) -> HttpResponse:
    """Add all models of one of the visitor's lists, or raise the numbers to its needs."""
    page = collection_page(request, system_id)
    (list_id, *_more) = list_ids([request.POST.get("list", "")])
    models = page.models_of(current_version(request, list_id))
    add = request.POST.get("do") == "add"
    came = add_models(page.holder, page.game, models, page.units.names, add)
    said = ngettext("Added {number} model.", "Added {number} models.", came)
    messages.success(request, said.format(number=came))
    return redirect(page.address)


@require_POST
def empty(request: HttpRequest, system_id: str) -> HttpResponse:
    """Delete the visitor's collection for a game."""
    page = collection_page(request, system_id)
    collection_of(page.holder, page.game).delete()
    messages.success(request, _("Collection deleted."))
    return redirect(page.address)


@fresh
def collection_file(request: HttpRequest, system_id: str) -> HttpResponse:
    page = collection_page(request, system_id)
    rows = collection_of(page.holder, page.game).order_by("name", "ref")
    units = (Owned(*row) for row in rows.values_list(*Owned._fields))
    content = collection_csv(units, page.units.books)
    return file_response(content, page.game, "csv")


class UnitNeed(NamedTuple):
    """Models of a unit that some lists need together, and that are owned; `lists` as text."""

    name: str
    needed: int
    owned: int
    lists: str

    @property
    def missing(self) -> int:
        return max(0, self.needed - self.owned)


@fresh
def together(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show whether the collection has the models for all chosen lists, and those missing."""
    page = collection_page(request, system_id)
    chosen = list_ids(request.GET.getlist("list"))
    if len(chosen) > MOST_TOGETHER:
        raise Refusal(_("Choose at most {most} lists.").format(most=MOST_TOGETHER))
    versions = current_versions(page.holder).filter(army_list_id__in=chosen)
    needs = _needs(page, [(one.content.name, page.models_of(one)) for one in versions])
    context = {
        "page": page,
        "lists": [(key, name, key in chosen) for key, name in page.lists()],
        "needs": needs,
        "short": [need for need in needs if need.missing],
        "chosen": len(versions),
        "most": MOST_TOGETHER,
    }
    return render(request, "collection/together.html", context)


def _needs(page: CollectionPage, lists: list[tuple[str, Models]]) -> list[UnitNeed]:
    """Return the models that some lists need together, missing ones first."""
    by_list = sorted(lists, key=itemgetter(0))
    refs = {ref for _name, models in by_list for ref in models}
    owned = owned_numbers(page.holder, page.game, refs)
    needs = []
    for ref in refs:
        users = [(name, models[ref]) for name, models in by_list if ref in models]
        name = page.units.names.get(ref) or _("A unit that is no longer in the books")
        told = ", ".join(f"{number} × {list_name}" for list_name, number in users)
        needs.append(UnitNeed(name, sum(n for _name, n in users), owned.get(ref, 0), told))
    return sorted(needs, key=lambda need: (not need.missing, need.name.casefold()))


#: Mistakes and lines that are shown; the others are counted.
MOST_SHOWN = 100


@fresh_form
def import_collection(request: HttpRequest, system_id: str) -> HttpResponse:
    """Show the forms; after a post the units as read; save them on request."""
    page = collection_page(request, system_id)
    context: dict[str, Any] = {"page": page, "most_kilobytes": MAX_BYTES // 1024}
    context |= {"most_units": MAX_UNITS, "most_list": MAX_TEXT // 1024}
    if request.method == "GET":
        return render(request, "collection/import.html", context)
    try:
        read = _pasted if request.POST.get("kind") == "list" else _table
        done, shown = read(request, page)
    except Refusal as refusal:
        context |= {"refused": refusal.sentence, "table": request.POST.get("table", "")}
        context["text"] = request.POST.get("text", "")
        return render(request, "collection/import.html", context, status=422)
    if done is None:
        return render(request, "collection/import.html", context | shown)
    said = ngettext("Saved {number} unit.", "Saved {number} units.", done)
    messages.success(request, said.format(number=done))
    return redirect(page.address)


def _table(request: HttpRequest, page: CollectionPage) -> tuple[int | None, dict[str, Any]]:
    """Return the number of units saved from a table, or None and the table as read."""
    fields, file = request.POST, request.FILES.get("file")
    raw = file.read(MAX_BYTES + 1) if file is not None else fields.get("table", "").encode()
    grid = read_grid(raw, MAX_UNITS)
    table = CollectionTable(grid, fields.dict(), page.units)
    wrong, units = table.wrong, table.units
    how, go = fields.get("how", "set"), fields.get("go", "")
    if units and (go == "good" or (go == "save" and not wrong)):
        return _saved(request, page, units, how), {}
    shown = {
        "read": table,
        "fields": table_fields(),
        "good": len(units),
        "models": sum(unit.number for unit in units),
        "wrong": wrong[:MOST_SHOWN],
        "wrong_number": len(wrong),
        "how": how,
        "table": table_text(raw),
    }
    return None, shown


def _saved(request: HttpRequest, page: CollectionPage, units: list[Owned], how: str) -> int:
    """Write the units of a table as the form says. Raises NoRoom."""
    holder = make_holder(request)
    if how == "add":
        models = {unit.ref: unit.number for unit in units}
        add_models(holder, page.game, models, page.units.names, add=True)
        return len(units)
    return put_units(holder, page.game, units, instead=how == "instead")


def _pasted(request: HttpRequest, page: CollectionPage) -> tuple[int | None, dict[str, Any]]:
    """Return the number of units saved from a list as text, or None and the list as read."""
    text = request.POST.get("text", "").replace("\0", "")
    models, unclear = page.read(text)
    known = {ref: number for ref, number in models.items() if ref in page.units.names}
    if known and request.POST.get("go") in ("add", "raise"):
        add = request.POST["go"] == "add"
        add_models(make_holder(request), page.game, known, page.units.names, add)
        return len(known), {}
    units = [(page.units.names[ref], number) for ref, number in known.items()]
    return None, {"text": text, "pasted": units, "lost": unclear[:MOST_SHOWN]}
