"""Addresses of lists and of the pages around them."""

from django.urls import path

from armybuilder.lists.views import (
    builder,
    changes,
    charts,
    history,
    own_models,
    pages,
    sheets,
    start,
)

urlpatterns = [
    path("", pages.home, name="home"),
    path("new/<slug:system_id>/", pages.new_list, name="new-list"),
    path("new/<slug:system_id>/starter/", start.make_starter, name="starter"),
    path(
        "new/<slug:system_id>/example/<slug:example_id>/", start.open_example, name="open-example"
    ),
    path("lists/", pages.my_lists, name="my-lists"),
    path("lists/open/", pages.upload, name="open-list"),
    path("lists/<uuid:list_id>/", builder.builder, name="builder"),
    path("lists/<uuid:list_id>/changes/", changes.changes, name="changes"),
    path("lists/<uuid:list_id>/charts/", charts.charts, name="charts"),
    path("lists/compare/", history.compare_lists, name="compare-lists"),
    path("lists/<uuid:list_id>/history/", history.history, name="history"),
    path("lists/<uuid:list_id>/history/back/", history.go_back, name="go-back"),
    path("lists/<uuid:list_id>/history/<int:number>/", history.version, name="version"),
    path("lists/<uuid:list_id>/act/", builder.act, name="act"),
    path("lists/<uuid:list_id>/own/", own_models.own_model, name="own-model"),
    path("lists/<uuid:list_id>/own/<slug:unit>/", own_models.own_model, name="change-own-model"),
    path("lists/<uuid:list_id>/copy/", pages.copy, name="copy-list"),
    path("lists/<uuid:list_id>/rename/", pages.rename, name="rename-list"),
    path("lists/<uuid:list_id>/delete/", pages.delete, name="delete-list"),
    path("lists/<uuid:list_id>/restore/", pages.restore, name="restore-list"),
    path("lists/<uuid:list_id>/sheet/", sheets.sheet_page, name="sheet"),
    path("lists/<uuid:list_id>/sheet.pdf", sheets.sheet_pdf, name="sheet-pdf"),
    path("lists/<uuid:list_id>/sheet-<slug:paper>.pdf", sheets.sheet_pdf, name="sheet-paper"),
    path("lists/<uuid:list_id>/cards.pdf", sheets.cards_pdf, name="cards-pdf"),
    path("lists/<uuid:list_id>/cards-<slug:paper>.pdf", sheets.cards_pdf, name="cards-paper"),
    path("lists/<uuid:list_id>/sheet.txt", sheets.sheet_text, name="sheet-text"),
    path("lists/<uuid:list_id>/list.json", sheets.document, name="document"),
]
