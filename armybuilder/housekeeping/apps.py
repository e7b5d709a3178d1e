"""The app that lets what belongs to a holder move and go with it."""

from django.apps import AppConfig


class HousekeepingConfig(AppConfig):
    name = "armybuilder.housekeeping"
    label = "housekeeping"

    def ready(self) -> None:
        from armybuilder.housekeeping import tidying

        tidying.connect()
