"""A list taken away: its sheet as page, PDF and text, cards, and itself in several formats."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from armybuilder.battlescribe.rosters import data_of
from armybuilder.downloads import file_response, json_file
from armybuilder.lists.drawn import AnyForm, DrawnList, drawn_list, forms_for
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.printing.setups import for_event, verdict_at_event
from armybuilder.sheets.content.make import KINDS
from armybuilder.sheets.content.setup import CARD_PAPERS, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.texts.forms import PART_NAMES, USUAL
from armybuilder.sheets.texts.lines import places


def _drawn(request: HttpRequest, version: Version) -> DrawnList:
    """Return a list, drawn as the address asks for (`?kind=open`)."""
    kind = request.GET.get("kind", KINDS[0])
    if kind not in KINDS:
        raise Http404("no such kind of sheet")
    drawn = drawn_list(version, kind=kind)
    heavy_ahead(drawn.seconds(Setup()))
    return drawn


class _Text(NamedTuple):
    """A list as text, in one of its possible forms; `parts` are the facts in it."""

    sheet: Sheet
    offered: Mapping[str, AnyForm]
    chosen: str
    form: AnyForm
    parts: frozenset[str]
    text: str


def _text(request: HttpRequest, list_id: UUID, usual: str) -> _Text:
    """Return the list as text, in the form and with the parts that the address asks for."""
    version = current_version(request, list_id)
    drawn, offered = _drawn(request, version), forms_for(version.content)
    chosen = request.GET.get("form", usual if usual in drawn.forms else USUAL)
    if (form := drawn.form(chosen)) is None:
        raise Http404("no such form of text")
    try:
        parts = form.parts(request.GET.getlist("parts"))
    except Refusal as refusal:
        raise Http404(str(refusal.sentence)) from refusal
    if form.hides:
        drawn = replace(drawn, kind="open")
    return _Text(drawn.sheet, offered, chosen, form, parts, drawn.text(form, parts))


@fresh
def sheet_page(request: HttpRequest, list_id: UUID) -> HttpResponse:
    drawn = _drawn(request, current_version(request, list_id))
    query = "" if drawn.sheet.kind == "full" else f"?kind={drawn.sheet.kind}"
    context = {"list_id": list_id, "query": query, "sheet": drawn.sheet, "view": drawn.view}
    return render(request, "sheets/sheet.html", context)


@fresh
def sheet_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    version = current_version(request, list_id)
    drawn, setup = _drawn(request, version), for_event(version, Setup(paper=paper))
    drawn = replace(drawn, at_event=verdict_at_event(version, shipped_library()))
    return file_response(drawn.full_pdf(setup), drawn.sheet.heading, "pdf")


@fresh
def export(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every way in which a list can be taken out, on one page."""
    data = current_version(request, list_id).content
    context: dict[str, Any] = {"document": data, "list_id": list_id, "usual": USUAL}
    context["forms"] = forms_for(data).items()
    if isinstance(data, ForceList):
        context["game"] = data.game.name
    else:
        context["battlescribe"] = data_of(data, shipped_library())
    return render(request, "printing/export.html", context)


@fresh
def text_page(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the list as text, to be copied from the page: `?form=`, else the usual form."""
    made = _text(request, list_id, USUAL)
    sheet, form, parts = made.sheet, made.form, made.parts
    address = "" if form.hides or sheet.kind == "full" else f"&kind={sheet.kind}"
    context = {
        "sheet": sheet,
        "list_id": list_id,
        "forms": made.offered.items(),
        "chosen": made.chosen,
        "form": form,
        "pieces": form.messages(made.text),
        "address": address,
        "parts": [
            (key, PART_NAMES[key], key in parts)
            for key in form.offers
            if key != "pages" or places(sheet)
        ],
        "said": "" if parts == form.usual else f"&parts={','.join(sorted(parts))}",
        "length": len(made.text),
    }
    return render(request, "printing/text.html", context)


@fresh
def sheet_text(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the same as a file; the full form where the address asks for none."""
    made = _text(request, list_id, "full")
    title = made.sheet.title if made.form.hides else made.sheet.heading
    if made.chosen != "full":
        title = f"{title} {made.form.name}"
    return file_response(made.text.encode(), title, made.form.ending)


@fresh
def cards_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    """Answer a card for each entry of the list, nine to a page."""
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    drawn = drawn_list(current_version(request, list_id))
    heavy_ahead(drawn.seconds(Setup(kinds=("cards",))))
    made = drawn.cards(paper)
    return file_response(made.content, made.title, "pdf")


@fresh
def document(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Send the list as a file that can be opened here again."""
    data = current_version(request, list_id).content
    return json_file(data.to_dict(), data.name)


@fresh
def list_file(request: HttpRequest, list_id: UUID, ending: str) -> HttpResponse:
    """Send the list as a table for spreadsheets, or a roster of BattleScribe, plain or zipped."""
    drawn = drawn_list(current_version(request, list_id))
    return file_response(drawn.file(ending), drawn.document.name, ending)
