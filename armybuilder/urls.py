"""All addresses of the site."""

from django.urls import include, path
from django.views.i18n import set_language

urlpatterns = [
    path("", include("armybuilder.pages.urls")),
    path("api/", include("armybuilder.api.urls")),
    path("language/", set_language, name="set-language"),
]
handler404 = "armybuilder.pages.home.views.not_found"
handler500 = "armybuilder.pages.home.views.server_error"
