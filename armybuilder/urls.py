"""All addresses of the site."""

from django.urls import include, path

urlpatterns = [
    path("", include("armybuilder.lists.urls")),
    path("books/", include("armybuilder.books.urls")),
    path("api/v1/", include("armybuilder.api.urls")),
    path("library/", include("armybuilder.library.urls")),
]
handler404 = "armybuilder.lists.views.pages.not_found"
handler500 = "armybuilder.lists.views.pages.server_error"
