"""The sharing app."""

from django.apps import AppConfig


class SharingConfig(AppConfig):
    name = "armybuilder.sharing"
    label = "sharing"
