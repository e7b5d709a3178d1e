"""From a D&D creature to a Chainmail card: the form, every step of the way, and into a book."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.authoring import edits
from armybuilder.authoring.fields import Input, ReadCard, Sections, in_sections
from armybuilder.books import services
from armybuilder.books.models import OwnBook, new_book_id
from armybuilder.books.paths import is_own_id
from armybuilder.books.selectors import own_books
from armybuilder.books.services import BookResult
from armybuilder.converting import price
from armybuilder.converting.dnd import convert as converted
from armybuilder.converting.fields import CHOICE_FIELDS, FIELDS, read_choices, read_scores
from armybuilder.converting.scores import BadScores
from armybuilder.engine.catalogue import System
from armybuilder.loading.documents import Document
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh_form, render_for_htmx
from armybuilder.pages.books.common import change, face_of, fields_of, go
from armybuilder.requests import HtmxRequest

#: The game that D&D creatures are converted to, in any edition.
FAMILY = "Chainmail"
ALL_FIELDS = (*FIELDS, *CHOICE_FIELDS)
#: Choices that start empty, because no default would be right.
NOT_GUESSED = ("type", "alignment")
#: Usual values of other choices, if that is not the first.
USUAL = {"size": "medium", "faction": "none"}

Models = Mapping[str, Mapping[str, Any]]


@fresh_form
def convert(request: HtmxRequest) -> HttpResponse:
    """Show the form; after a post also the converted card, or put it in a book on request."""
    # The own book chosen to take the card, or that of the address.
    wanted = request.POST.get("into") or request.GET.get("book", "")
    books = _own(request).defer(None).defer("before")
    target = books.filter(pk=wanted).first() if is_own_id(wanted) else None
    models = _known_models(target.data["units"] if target else ())
    if request.method == "GET":
        values = {
            field.name: USUAL.get(field.name, field.choices[0][0] if field.choices else "")
            for field in ALL_FIELDS
            if field.name not in NOT_GUESSED
        }
        return _show(request, values, {}, models, target, False)
    fields = fields_of(request)
    values = {field.name: fields.get(field.name, "") for field in ALL_FIELDS}
    worked = _work_out(values, models, fields.get("against", ""))
    if fields.get("go") != "put" or "unit" not in worked or "preview" in fields:
        return _show(request, values, worked, models, target, "preview" not in fields)
    try:
        book, unit_id = _put(request, target, fields, worked["unit"])
    except Refusal as refusal:
        return _show(request, values, worked, models, target, True, refusal)
    messages.success(request, _("“{name}” is in the book.").format(name=worked["unit"]["name"]))
    return go("card", book.pk, unit_id)


def _work_out(values: Mapping[str, str], models: Models, measure: str) -> dict[str, Any]:
    """Return the card, priced against a model (an id of `models`; "" for the nearest).

    Or why it has no price; or only the mistakes, by field.
    """
    errors: dict[str, str] = {}
    try:
        scores = read_scores(values)
    except BadScores as bad:
        errors |= bad.errors
    try:
        choices = read_choices(values)
    except BadScores as bad:
        errors |= bad.errors
    if errors:
        return {"errors": errors}
    conversion = converted(scores, choices)
    try:
        known = models.get(measure) or price.default_model(conversion.unit, models.values())
        suggestion = price.suggest(conversion.unit, known)
    except price.NotComparable as why:
        unit = {**conversion.unit, "points": None}
        return {"conversion": conversion, "why_not": str(why), "unit": unit}
    unit = {**conversion.unit, "points": suggestion.points, "suggested": True}
    return {"conversion": conversion, "suggestion": suggestion, "unit": unit}


def _known_models(own: Iterable[Mapping[str, Any]]) -> dict[str, Mapping[str, Any]]:
    """Return models to compare with, by id: shipped ones that aren't invented, and custom ones."""
    library = shipped_library()
    models: dict[str, Mapping[str, Any]] = {}
    for system in _editions():
        for book in library.books[system.id].values():
            if book.system == system.id and book.kind not in ("invented", "converted", "house"):
                units = (library.shipped_data(system.id, book.id) or {}).get("units", ())
                models |= {f"{book.id}/{unit['id']}": unit for unit in units}
    models |= {f"own/{unit['id']}": unit for unit in own}
    return {key: unit for key, unit in models.items() if _measures(unit)}


def _measures(unit: Mapping[str, Any]) -> bool:
    if not unit.get("points") or unit.get("suggested"):
        return False
    try:
        price.suggest(unit, unit)
    except (price.NotComparable, ZeroDivisionError):
        return False
    return True


def _editions() -> list[System]:
    return [system for system in shipped_library().systems.values() if system.family == FAMILY]


def _own(request: HttpRequest) -> Any:
    return own_books(holder_of(request)).filter(system__in=[system.id for system in _editions()])


def _put(
    request: HttpRequest, target: OwnBook | None, fields: dict[str, str], unit: dict[str, Any]
) -> tuple[OwnBook, str]:
    library = shipped_library()

    def put(data: Document) -> BookResult:
        document, made = edits.put_card(data, system, ReadCard(unit, (), ()))
        told = _("Added “{name}”, converted from D&D.")
        return BookResult(document, told.format(name=unit["name"]), made)

    if target is not None:
        system = library.system(target.system)
        changed = change(request, target, put)
        return changed.book, changed.done.unit
    system = library.system(fields.get("into", "").removeprefix("new:"))
    if system not in _editions():
        raise Refusal(_("Choose the book to put the card into."))
    done = put(_new_book(system))
    return services.create_book(make_holder(request), done.document), done.unit


def _new_book(system: System) -> Document:
    return edits.new_book(system, new_book_id(), _("Converted creatures"), "")


def _show(
    request: HtmxRequest,
    values: dict[str, str],
    worked: dict[str, Any],
    models: Models,
    target: OwnBook | None,
    whole: bool,
    refused: Refusal | None = None,
) -> HttpResponse:
    """Return the page. Unless the form is `whole`, empty fields have no mistakes yet."""
    systems, wrong = _editions(), worked.get("errors", {})
    errors = {name: told for name, told in wrong.items() if whole or values.get(name, "").strip()}
    context = {
        "sections": _sections(values, errors, systems),
        "errors": [
            (field.name, field.label, errors[field.name])
            for field in ALL_FIELDS
            if field.name in errors
        ],
        "missing": [
            field.label for field in ALL_FIELDS if field.name in wrong and field.name not in errors
        ],
        "worked": worked,
        "face": _face(worked, systems),
        "models": [(key, unit["name"], unit["points"]) for key, unit in models.items()],
        "against": request.POST.get("against", ""),
        "books": _own(request),
        "into": request.POST.get("into", target.pk if target else ""),
        "systems": systems,
        "refused": refused,
    }
    part = request.htmx and "preview" in request.POST
    status = 422 if refused or (whole and wrong and not part) else 200
    template = "books/convert.html#result" if part else "books/convert.html"
    return render_for_htmx(request, template, context, status)


def _sections(
    values: Mapping[str, str], errors: Mapping[str, str], systems: Iterable[System]
) -> Sections:
    """Return the form in sections; focus is on the first field with a mistake, or the name."""
    factions: dict[str, str] = {}
    for system in systems:
        if "faction" in system.attributes:
            factions |= system.attributes["faction"].values
    first = next((field.name for field in ALL_FIELDS if field.name in errors), "name")
    inputs = []
    for field in ALL_FIELDS:
        name = field.name
        if name == "faction":
            field = replace(field, kind="choice", choices=tuple(factions.items()))
        value, mistake = values.get(name, ""), errors.get(name, "")
        inputs.append(Input(field, value, mistake, first=name == first))
    return in_sections(inputs)


def _face(worked: dict[str, Any], systems: list[System]) -> dict[str, Any] | None:
    """Return the card as it looks, in the first edition that takes it."""
    if "unit" not in worked:
        return None
    card = {"id": "card", **worked["unit"]}
    faces = (face_of(_new_book(system), card, system) for system in systems)
    return next(filter(None, faces), None)
