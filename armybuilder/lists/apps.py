"""The app of army lists."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "armybuilder.lists"
    label = "lists"

    def ready(self) -> None:
        """Let the modules register their acts that no other module imports, and let what belongs to
        a holder move and go with it.
        """
        from armybuilder.lists import belonging, option_acts, several  # noqa: F401

        belonging.connect()
