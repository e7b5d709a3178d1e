"""All addresses of the site."""

from django.urls import include, path
from django.views.i18n import set_language

urlpatterns = [
    path("", include("armybuilder.lists.urls")),
    path("books/", include("armybuilder.books.urls")),
    path("account/", include("armybuilder.accounts.urls")),
    path("api/", include("armybuilder.api.urls")),
    path("library/", include("armybuilder.library.urls")),
    path("gallery/", include("armybuilder.gallery.urls")),
    path("language/", set_language, name="set-language"),
]
handler404 = "armybuilder.lists.views.pages.not_found"
handler500 = "armybuilder.lists.views.pages.server_error"
