"""The app of players' own books."""

from django.apps import AppConfig


class BooksConfig(AppConfig):
    name = "armybuilder.books"
    label = "books"

    def ready(self) -> None:
        """Let books move with their holder. (They go after the lists: `lists.belonging`.)"""
        from armybuilder.accounts.holders import move_along
        from armybuilder.books.models import OwnBook

        move_along(OwnBook)
