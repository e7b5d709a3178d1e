"""Addresses of the library."""

from django.urls import path

from armybuilder.admission.marks import heavy
from armybuilder.pages.library import compare, views

urlpatterns = [
    path("", views.library, name="library"),
    path("truth/", views.truth, name="truth"),
    path("<slug:system_id>/", views.system, name="system"),
    path("<slug:system_id>/blank-cards.pdf", heavy(views.blank_cards), name="blank-cards"),
    path(
        "<slug:system_id>/blank-cards-<slug:paper>.pdf",
        heavy(views.blank_cards),
        name="blank-paper",
    ),
    path("<slug:system_id>/compare/", heavy(compare.compare), name="compare-in-library"),
    path("<slug:system_id>/<slug:book_id>/", views.book, name="book"),
    path("<slug:system_id>/<slug:book_id>/data/", views.book_data, name="book-data"),
    path("<slug:system_id>/<slug:book_id>/cards.pdf", heavy(views.book_cards), name="book-cards"),
    path(
        "<slug:system_id>/<slug:book_id>/cards-<slug:paper>.pdf",
        heavy(views.book_cards),
        name="book-cards-paper",
    ),
]
