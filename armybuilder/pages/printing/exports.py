"""A list taken away: its sheet as page, PDF and text, cards, and itself in several formats."""

from collections.abc import Callable
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.battlescribe.rosters import data_of, write_ros, write_rosz
from armybuilder.downloads import file_response, json_file
from armybuilder.exchange.csvs import write_csv
from armybuilder.lists.selectors import current_version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_list
from armybuilder.sheets.content.make import KINDS, sheet_of
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import CARD_PAPERS, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.printing.printouts import draw_pdf, seconds_for
from armybuilder.sheets.texts.forms import FORMS, PART_NAMES, USUAL, TextForm, forms_of
from armybuilder.sheets.texts.lines import places


def _sheet_of(request: HttpRequest, document: ArmyList, hides: bool = False) -> Sheet:
    """Return the sheet of the kind asked for (`?kind=open`); one that `hides` is always open."""
    kind = request.GET.get("kind", KINDS[0])
    if kind not in KINDS:
        raise Http404("no such kind of sheet")
    kind = "open" if hides else kind
    heavy_ahead(seconds_for(document, Setup()))
    return sheet_of(document, shipped_library(), timezone.localdate(), kind)


def _form(request: HttpRequest, usual: str) -> tuple[str, TextForm[Sheet], frozenset[str]]:
    """Return the form that the address asks for, with its id, and what it is to say (`?parts=`)."""
    chosen = request.GET.get("form", usual)
    if chosen not in FORMS:
        raise Http404("no such form of text")
    try:
        return chosen, FORMS[chosen], FORMS[chosen].parts(request.GET.getlist("parts"))
    except Refusal as refusal:
        raise Http404(str(refusal.sentence)) from refusal


@fresh
def sheet_page(request: HttpRequest, list_id: UUID) -> HttpResponse:
    sheet = _sheet_of(request, current_version(request, list_id).document)
    query = "" if sheet.kind == "full" else f"?kind={sheet.kind}"
    context = {"sheet": sheet, "list_id": list_id, "query": query}
    return render(request, "sheets/sheet.html", context)


@fresh
def sheet_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    sheet = _sheet_of(request, current_version(request, list_id).document)
    content = draw_pdf(sheet, paper)
    return file_response(content, "application/pdf", sheet.file_name, "pdf", inline=True)


@fresh
def export(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every way in which a list can be taken out, on one page."""
    data = current_version(request, list_id).document
    system = shipped_library().find_system(data.system)
    context = {
        "document": data,
        "list_id": list_id,
        "forms": forms_of(system is not None and system.sized).items(),
        "usual": USUAL,
        "battlescribe": data_of(data, shipped_library()),
    }
    return render(request, "printing/export.html", context)


@fresh
def text_page(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the list as text, to be copied from the page: `?form=`, else the usual form."""
    chosen, form, parts = _form(request, USUAL)
    sheet = _sheet_of(request, current_version(request, list_id).document, form.hides)
    text = form.draw(sheet, parts)
    address = "" if form.hides or sheet.kind == "full" else f"&kind={sheet.kind}"
    context = {
        "sheet": sheet,
        "list_id": list_id,
        "forms": forms_of(sheet.army is not None).items(),
        "chosen": chosen,
        "form": form,
        "text": text,
        "address": address,
        "parts": [
            (key, PART_NAMES[key], key in parts)
            for key in form.offers
            if key != "pages" or places(sheet)
        ],
        "said": "" if parts == form.usual else f"&parts={','.join(sorted(parts))}",
        # Characters that one message of the chat most used by players holds.
        "message": 2000,
    }
    return render(request, "printing/text.html", context)


@fresh
def sheet_text(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Answer the same as a file; the full form where the address asks for none."""
    chosen, form, parts = _form(request, "full")
    sheet = _sheet_of(request, current_version(request, list_id).document, form.hides)
    title = sheet.title if form.hides else sheet.file_name
    if chosen != "full":
        title = f"{title} {form.name}"
    content = form.draw(sheet, parts).encode()
    return file_response(content, "text/plain; charset=utf-8", title, form.ending, inline=True)


@fresh
def cards_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    """Answer a card for each entry of the list, nine to a page."""
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    data = current_version(request, list_id).document
    name = one_line(data.name) or _("Unnamed list")
    title = _("{name} cards").format(name=name)
    heavy_ahead(seconds_for(data, Setup(kinds=("cards",))))
    content = draw_cards(faces_of_list(data, shipped_library()), paper, title)
    return file_response(content, "application/pdf", title, "pdf", inline=True)


@fresh
def document(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Send the list as a file that can be opened here again."""
    data = current_version(request, list_id).document
    return json_file(data.to_dict(), data.name)


#: Files of other programs by their endings: their types, and how they are written.
_FILES: dict[str, tuple[str, Callable[[ArmyList, Library], bytes]]] = {
    # The mark at its start tells spreadsheets that the letters are UTF-8.
    "csv": ("text/csv; charset=utf-8", lambda *of: write_csv(*of).encode("utf-8-sig")),
    "ros": ("application/xml; charset=utf-8", write_ros),
    "rosz": ("application/zip", write_rosz),
}


@fresh
def list_file(request: HttpRequest, list_id: UUID, ending: str) -> HttpResponse:
    """Send the list as a table for spreadsheets, or a roster of BattleScribe, plain or zipped."""
    data, (kind, write) = current_version(request, list_id).document, _FILES[ending]
    return file_response(write(data, shipped_library()), kind, data.name, ending)
