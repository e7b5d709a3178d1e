"""The app of players' own books."""

from django.apps import AppConfig


class BooksConfig(AppConfig):
    name = "armybuilder.books"
    label = "books"
