"""Addresses of lists and of the pages around them."""

from django.urls import path

from armybuilder.lists.views import builder, changes, own_models, pages, sheets

urlpatterns = [
    path("", pages.home, name="home"),
    path("new/<slug:system_id>/", pages.new_list, name="new-list"),
    path("lists/", pages.my_lists, name="my-lists"),
    path("lists/open/", pages.upload, name="open-list"),
    path("lists/<uuid:list_id>/", builder.builder, name="builder"),
    path("lists/<uuid:list_id>/changes/", changes.changes, name="changes"),
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
