"""The app that moves and removes a holder's data."""

from django.apps import AppConfig


class HousekeepingConfig(AppConfig):
    name = "armybuilder.housekeeping"
    label = "housekeeping"

    def ready(self) -> None:
        from armybuilder.housekeeping import tidying

        tidying.connect()
