"""Printouts of documents and of stored lists: PDF of any kinds of sheet, and text."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request

from armybuilder.api.base import OpenView, PdfRenderer, TextRenderer
from armybuilder.api.describing import PRINT_SWITCHES, SETUP, TEXT_FORM, operation
from armybuilder.api.parsing import DocumentParser, document_of
from armybuilder.downloads import file_response
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.content.make import KINDS, sheet_of
from armybuilder.sheets.content.setup import CHOICES, OCCASION, read_setup
from armybuilder.sheets.printing.printouts import printout
from armybuilder.sheets.texts.forms import FORMS, USUAL

PDF = {(200, "application/pdf"): OpenApiTypes.BINARY}
TEXT = {(200, "text/plain"): OpenApiTypes.STR}


class SheetOfDocument(OpenView):
    parser_classes = [DocumentParser]
    renderer_classes = [PdfRenderer, JSONRenderer]

    @operation("Sheets", "sheet", PDF, parameters=SETUP)
    def post(self, request: Request) -> HttpResponse:
        """Return the sheets of a list document in one PDF."""
        return pdf(document_of(request.data), request.query_params)


class TextOfDocument(OpenView):
    parser_classes = [DocumentParser]
    renderer_classes = [TextRenderer, JSONRenderer]

    @operation("Sheets", "text", TEXT, parameters=TEXT_FORM)
    def post(self, request: Request) -> HttpResponse:
        """Return a list document as text, in one of several forms."""
        return text(document_of(request.data), request.query_params)


def pdf(document: ArmyList, fields: Mapping[str, Any]) -> HttpResponse:
    """Print the document as the fields ask for. Raises Refusal for what is not offered."""
    keys = (*CHOICES, *PRINT_SWITCHES, *OCCASION, "kinds")
    known = {key: fields[key] for key in keys if key in fields}
    offered = {**CHOICES, **dict.fromkeys(PRINT_SWITCHES, ("0", "1"))}
    for key, value in known.items():
        if value not in offered.get(key, (value,)):
            raise Refusal(_("“{value}” is not offered here.").format(value=value[:80]))
    made = printout(document, shipped_library(), timezone.localdate(), read_setup(known))
    return file_response(made.content, "application/pdf", made.title, "pdf", inline=True)


def text(document: ArmyList, fields: Mapping[str, Any]) -> HttpResponse:
    """Return the document as text.

    The fields are `form`, `kind` "full" or "open", and `parts`, separated by commas. Raises Refusal
    for what is not offered.
    """
    name, kind = fields.get("form", USUAL), fields.get("kind", KINDS[0])
    form = FORMS.get(name)
    if form is None or kind not in KINDS:
        wrong = kind if form else name
        raise Refusal(_("“{value}” is not offered here.").format(value=wrong[:80]))
    kind = "open" if form.hides else kind
    sheet = sheet_of(document, shipped_library(), timezone.localdate(), kind)
    parts = form.parts([fields["parts"]] if "parts" in fields else [])
    content = form.draw(sheet, parts).encode()
    title = sheet.title if form.hides else sheet.file_name
    return file_response(content, "text/plain; charset=utf-8", title, form.ending, inline=True)
