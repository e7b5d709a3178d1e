"""The app that prints lists; its only table keeps set-ups for printing."""

from django.apps import AppConfig


class SheetsConfig(AppConfig):
    name = "armybuilder.sheets"
    label = "sheets"
