"""The app of print set-ups and print jobs."""

from django.apps import AppConfig


class PrintingConfig(AppConfig):
    name = "armybuilder.printing"
    label = "printing"
