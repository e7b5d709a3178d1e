"""From a D&D creature to a Chainmail card: the form, every step of the way, and into a book."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import converted, edits
from armybuilder.authoring.fields import ReadCard
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.paths import is_own_id
from armybuilder.books.selectors import own_books
from armybuilder.books.services import BookResult
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import render_for_htmx
from armybuilder.pages.books.shown import face_of
from armybuilder.pages.books.views.common import fields_of, go
from armybuilder.requests import HtmxRequest

PAGE = "books/convert.html"
RESULT = "books/convert.html#result"


@never_cache
@require_http_methods(["GET", "POST"])
def convert(request: HtmxRequest) -> HttpResponse:
    """The form; after a post also what it makes, or, where it was asked for, the book it is in."""
    target = _target(request)
    models = converted.known_models(shipped_library(), target.data["units"] if target else ())
    if request.method == "GET":
        values = converted.start_values()
        nothing = converted.Worked(None, None, "", {})
        return _show(request, values, nothing, models, target, False)
    fields = fields_of(request)
    values = {field.name: fields.get(field.name, "") for field in converted.ALL_FIELDS}
    worked = converted.work_out(values, models, fields.get("against", ""))
    if fields.get("go") != "put" or worked.unit is None or "preview" in fields:
        return _show(request, values, worked, models, target, "preview" not in fields)
    try:
        book, unit_id = _put(request, target, fields, worked.unit)
    except Refusal as refusal:
        return _show(request, values, worked, models, target, True, refusal)
    said = _("“{name}” is in the book.").format(name=worked.unit["name"])
    messages.success(request, said)
    return go("card", book.pk, unit_id)


def _target(request: HttpRequest) -> OwnBook | None:
    """The own book that was chosen to take the card, or came with the address (`?book=...`)."""
    wanted = request.POST.get("into") or request.GET.get("book", "")
    books = _own(request).defer(None).defer("before")
    return books.filter(pk=wanted).first() if is_own_id(wanted) else None


def _own(request: HttpRequest) -> Any:
    systems = [system.id for system in converted.editions(shipped_library())]
    return own_books(holder_of(request)).filter(system__in=systems)


def _put(
    request: HttpRequest, target: OwnBook | None, fields: dict[str, str], unit: dict[str, Any]
) -> tuple[OwnBook, str]:
    """Return the book with the card in it, and the card's id. Raises Refusal."""
    library = shipped_library()
    if target is not None:
        system = library.system(target.system)
        changed = services.change_book(
            holder_of(request), target.pk, lambda data: _with_card(data, system, unit)
        )
        return changed.book, changed.done.unit
    system = library.system(fields.get("into", "").removeprefix("new:"))
    if system not in converted.editions(library):
        raise Refusal(_("Choose the book to put the card into."))
    empty = _new_book(system)
    done = _with_card(empty, system, unit)
    return services.create_book(make_holder(request), done.document), done.unit


def _with_card(data: Document, system: System, unit: dict[str, Any]) -> BookResult:
    document, made = edits.put_card(data, system, ReadCard(unit, (), ()))
    said = _("Added “{name}”, converted from D&D.").format(name=unit["name"])
    return BookResult(document, said, made)


def _new_book(system: System) -> Document:
    """Return an empty book for converted creatures."""
    return edits.new_book(system, new_book_id(), _("Converted creatures"), "")


def _show(
    request: HtmxRequest,
    values: dict[str, str],
    worked: converted.Worked,
    models: converted.Models,
    target: OwnBook | None,
    whole: bool,
    refused: Refusal | None = None,
) -> HttpResponse:
    """The page. Where it is not asked `whole`, mistakes of empty fields are not told yet."""
    library = shipped_library()
    systems = converted.editions(library)
    errors = {
        name: told for name, told in worked.errors.items() if whole or values.get(name, "").strip()
    }
    context = {
        "sections": converted.sections_of(values, errors, converted.factions_of(systems)),
        "errors": [
            (field.name, field.label, errors[field.name])
            for field in converted.ALL_FIELDS
            if field.name in errors
        ],
        "missing": [
            field.label
            for field in converted.ALL_FIELDS
            if field.name in worked.errors and field.name not in errors
        ],
        "worked": worked,
        "face": _face(worked, systems),
        "models": [(key, one["name"], one["points"]) for key, one in models.items()],
        "against": request.POST.get("against", ""),
        "books": _own(request),
        "into": request.POST.get("into", target.pk if target else ""),
        "systems": systems,
        "refused": refused,
    }
    part = request.htmx and "preview" in request.POST
    status = 422 if refused or (whole and worked.errors and not part) else 200
    return render_for_htmx(request, RESULT if part else PAGE, context, status)


def _face(worked: converted.Worked, systems: list[System]) -> Any:
    """Return the card as it looks, in the first edition that takes it."""
    if worked.unit is None:
        return None
    card = {"id": "card", **worked.unit}
    faces = (face_of(_new_book(system), card, system) for system in systems)
    return next(filter(None, faces), None)
