"""The app of the pages, for the sake of its template tags."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "armybuilder.pages"
    label = "pages"
