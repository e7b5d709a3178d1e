"""The app of army lists."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "armybuilder.lists"
    label = "lists"

    def ready(self) -> None:
        """Let the modules register their acts that no other module imports."""
        from armybuilder.lists import option_acts, several  # noqa: F401
