"""Addresses of sheets and printing."""

from django.urls import path

from armybuilder.admission.marks import heavy
from armybuilder.pages.printing.views import printing, prints, sheets

urlpatterns = [
    path("lists/prints/", prints.prints, name="prints"),
    path("lists/prints/<uuid:job_id>/", prints.print_job, name="print-job"),
    path("lists/prints/<uuid:job_id>/start/", heavy(prints.start), name="start-print"),
    path("lists/prints/<uuid:job_id>/cancel/", prints.cancel, name="cancel-print"),
    path("lists/prints/<uuid:job_id>/again/", prints.again, name="print-again"),
    path("lists/prints/<uuid:job_id>/file/", prints.file, name="print-job-file"),
    path("lists/<uuid:list_id>/print/", heavy(printing.print_page), name="print"),
    path(
        "lists/<uuid:list_id>/print/page/<int:number>.png",
        heavy(printing.print_picture),
        name="print-picture",
    ),
    path("lists/<uuid:list_id>/print/setups/", printing.print_setups, name="print-setups"),
    path("lists/<uuid:list_id>/print/link/", printing.make_link, name="print-link"),
    path("lists/<uuid:list_id>/print.pdf", heavy(printing.print_file), name="print-pdf"),
    path("lists/<uuid:list_id>/sheet/", heavy(sheets.sheet_page), name="sheet"),
    path("lists/<uuid:list_id>/sheet.pdf", heavy(sheets.sheet_pdf), name="sheet-pdf"),
    path(
        "lists/<uuid:list_id>/sheet-<slug:paper>.pdf", heavy(sheets.sheet_pdf), name="sheet-paper"
    ),
    path("lists/<uuid:list_id>/cards.pdf", heavy(sheets.cards_pdf), name="cards-pdf"),
    path(
        "lists/<uuid:list_id>/cards-<slug:paper>.pdf", heavy(sheets.cards_pdf), name="cards-paper"
    ),
    path("lists/<uuid:list_id>/sheet.txt", heavy(sheets.sheet_text), name="sheet-text"),
    path("lists/<uuid:list_id>/text/", heavy(sheets.text_page), name="list-text"),
    path("lists/<uuid:list_id>/list.json", sheets.document, name="document"),
    path("lists/<uuid:list_id>/list.csv", heavy(sheets.table), name="list-csv"),
]
