"""The app that prints lists; it has no tables."""

from django.apps import AppConfig


class SheetsConfig(AppConfig):
    name = "armybuilder.sheets"
    label = "sheets"
