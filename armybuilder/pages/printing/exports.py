"""A list taken away: its sheet as page, PDF and text, cards, and itself in several formats."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.view import view_of
from armybuilder.battlescribe.rosters import data_of, write_ros, write_rosz
from armybuilder.battlescribe.rosters.writing import zipped
from armybuilder.downloads import file_response, json_file
from armybuilder.exchange.csvs import write_csv, write_file_csv
from armybuilder.lists import file_sheets
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_version
from armybuilder.lists.worked_out import worked_out
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.printing.setups import for_event, verdict_at_event
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_list
from armybuilder.sheets.content.file_lists import FileList
from armybuilder.sheets.content.make import KINDS, sheet_of
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import CARD_PAPERS, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.printing.printouts import draw_pdf, seconds_for
from armybuilder.sheets.texts.file_lists import FILE_FORMS
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


def _file_list(version: Version) -> FileList | None:
    """Return the drawn list of a community's files; None of any other."""
    if not isinstance(version.content, ForceList):
        return None
    return file_sheets.drawn(worked_out(version), timezone.localdate())


class _Text(NamedTuple):
    """A list as text, in one of its possible forms; `parts` are the facts in it."""

    sheet: Sheet
    forms: Mapping[str, TextForm[Any]]
    chosen: str
    form: TextForm[Any]
    parts: frozenset[str]
    text: str


def _text(request: HttpRequest, list_id: UUID, usual: str) -> _Text:
    """Return the list as text, in the form and with the parts that the address asks for."""
    version = current_version(request, list_id)
    of_files = _file_list(version)
    known: Mapping[str, TextForm[Any]] = FORMS if of_files is None else FILE_FORMS
    chosen = request.GET.get("form", usual if usual in known else USUAL)
    if chosen not in known:
        raise Http404("no such form of text")
    form = known[chosen]
    try:
        parts = form.parts(request.GET.getlist("parts"))
    except Refusal as refusal:
        raise Http404(str(refusal.sentence)) from refusal
    if of_files is not None:
        return _Text(of_files.sheet, known, chosen, form, parts, form.draw(of_files, parts))
    sheet = _sheet_of(request, version.document, form.hides)
    forms = forms_of(sheet.army is not None)
    return _Text(sheet, forms, chosen, form, parts, form.draw(sheet, parts))


@fresh
def sheet_page(request: HttpRequest, list_id: UUID) -> HttpResponse:
    version = current_version(request, list_id)
    context: dict[str, Any] = {"list_id": list_id, "query": ""}
    if (of_files := _file_list(version)) is not None:
        context |= {"sheet": of_files.sheet, "view": of_files.view}
        return render(request, "sheets/sheet.html", context)
    sheet = _sheet_of(request, version.document)
    context |= {"sheet": sheet, "query": "" if sheet.kind == "full" else f"?kind={sheet.kind}"}
    return render(request, "sheets/sheet.html", context)


@fresh
def sheet_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    version = current_version(request, list_id)
    setup = for_event(version, Setup(paper=paper))
    if isinstance(version.content, ForceList):
        return _file_pdf(version, setup)
    sheet = _sheet_of(request, version.document)
    sheet = replace(sheet, at_event=verdict_at_event(version, shipped_library()))
    content = draw_pdf(sheet, setup)
    return file_response(content, "application/pdf", sheet.heading, "pdf", inline=True)


def _file_pdf(version: Version, setup: Setup) -> HttpResponse:
    made = file_sheets.printout(worked_out(version), timezone.localdate(), setup)
    return file_response(made.content, "application/pdf", made.title, "pdf", inline=True)


@fresh
def export(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Every way in which a list can be taken out, on one page."""
    data = current_version(request, list_id).content
    context: dict[str, Any] = {"document": data, "list_id": list_id, "usual": USUAL}
    if isinstance(data, ForceList):
        context |= {"forms": FILE_FORMS.items(), "game": data.game.name}
        return render(request, "printing/export.html", context)
    system = shipped_library().find_system(data.system)
    context |= {
        "forms": forms_of(system is not None and system.sized).items(),
        "battlescribe": data_of(data, shipped_library()),
    }
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
        "forms": made.forms.items(),
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
    kind = "text/plain; charset=utf-8"
    return file_response(made.text.encode(), kind, title, made.form.ending, inline=True)


@fresh
def cards_pdf(request: HttpRequest, list_id: UUID, paper: str = "A4") -> HttpResponse:
    """Answer a card for each entry of the list, nine to a page."""
    if paper not in CARD_PAPERS:
        raise Http404("no such paper")
    version = current_version(request, list_id)
    if isinstance(version.content, ForceList):
        return _file_pdf(version, Setup(paper=paper, kinds=("cards",)))
    data = version.document
    name = one_line(data.name) or _("Unnamed list")
    title = _("{name} cards").format(name=name)
    heavy_ahead(seconds_for(data, Setup(kinds=("cards",))))
    content = draw_cards(faces_of_list(data, shipped_library()), paper, title)
    return file_response(content, "application/pdf", title, "pdf", inline=True)


@fresh
def document(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Send the list as a file that can be opened here again."""
    data = current_version(request, list_id).content
    return json_file(data.to_dict(), data.name)


#: Files of other programs by their endings: their types, and how they are written.
_FILES: dict[str, tuple[str, Callable[[ArmyList, Library], bytes]]] = {
    # The byte order mark lets spreadsheets read the text as UTF-8.
    "csv": ("text/csv; charset=utf-8", lambda *of: write_csv(*of).encode("utf-8-sig")),
    "ros": ("application/xml; charset=utf-8", write_ros),
    "rosz": ("application/zip", write_rosz),
}


@fresh
def list_file(request: HttpRequest, list_id: UUID, ending: str) -> HttpResponse:
    """Send the list as a table for spreadsheets, or a roster of BattleScribe, plain or zipped."""
    version, (kind, write) = current_version(request, list_id), _FILES[ending]
    if isinstance(version.content, ForceList):
        one, name = worked_out(version), version.content.name
        if ending == "csv":
            table = write_file_csv(view_of(one.game, one.evaluation))
            return file_response(table.encode("utf-8-sig"), kind, name, ending)
        xml = file_sheets.roster(one)
        content = zipped(xml, name) if ending == "rosz" else xml.encode()
        return file_response(content, kind, name, ending)
    data = version.document
    return file_response(write(data, shipped_library()), kind, data.name, ending)
