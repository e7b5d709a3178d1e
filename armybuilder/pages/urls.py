"""Addresses of all pages: each capability has its own."""

from django.urls import include, path

urlpatterns = [
    path("", include("armybuilder.pages.home.urls")),
    path("", include("armybuilder.pages.builder.urls")),
    path("", include("armybuilder.pages.history.urls")),
    path("", include("armybuilder.pages.my_lists.urls")),
    path("", include("armybuilder.pages.printing.urls")),
    path("", include("armybuilder.pages.sharing.urls")),
    path("", include("armybuilder.pages.takeout.urls")),
    path("books/", include("armybuilder.pages.books.urls")),
    path("account/", include("armybuilder.pages.account.urls")),
    path("library/", include("armybuilder.pages.library.urls")),
    path("gallery/", include("armybuilder.pages.gallery.urls")),
]
