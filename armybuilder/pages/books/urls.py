"""Addresses of players' own books."""

from django.urls import path, register_converter

from armybuilder.admission.marks import MB, heavy, takes_bytes
from armybuilder.books.paths import OwnBookId, UnitId
from armybuilder.pages.books.views import (
    abilities,
    book,
    cards,
    categories,
    convert,
    copying,
    files,
    paste,
    shared,
    shelf,
)

register_converter(OwnBookId, "own")
register_converter(UnitId, "unit")

urlpatterns = [
    path("", shelf.my_books, name="my-books"),
    path("new/<slug:system_id>/", shelf.new_book, name="new-book"),
    path("import/", heavy(takes_bytes(16 * MB)(shelf.import_book)), name="import-book"),
    path("convert/", heavy(convert.convert), name="convert"),
    path("shared/<own:book_id>/<slug:token>/", shared.page, name="shared-book"),
    path("shared/<own:book_id>/<slug:token>/copy/", shared.copy, name="copy-shared-book"),
    path("shared/<own:book_id>/<slug:token>/book.json", shared.file, name="shared-file"),
    path("<own:book_id>/", book.page, name="own-book"),
    path("<own:book_id>/act/", book.act, name="book-act"),
    path("<own:book_id>/restore/", shelf.restore, name="restore-book"),
    path("<own:book_id>/units/new/", cards.new_card, name="new-card"),
    path("<own:book_id>/units/<unit:unit_id>/", cards.card, name="card"),
    path("<own:book_id>/units/<unit:unit_id>/json/", cards.card_json, name="card-json"),
    path("<own:book_id>/suggest/", heavy(cards.suggest), name="suggest"),
    path("<own:book_id>/abilities/", abilities.page, name="book-abilities"),
    path("<own:book_id>/categories/", categories.page, name="book-categories"),
    path("<own:book_id>/paste/", heavy(paste.page), name="paste"),
    path("<own:book_id>/copy/", copying.page, name="copy-units"),
    path("<own:book_id>/book.json", files.book_file, name="book-file"),
    path("<own:book_id>/cards.pdf", heavy(files.cards_pdf), name="book-cards"),
    path("<own:book_id>/cards-<slug:paper>.pdf", heavy(files.cards_pdf), name="book-cards-paper"),
]
