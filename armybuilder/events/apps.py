"""The events app."""

from django.apps import AppConfig


class EventsConfig(AppConfig):
    name = "armybuilder.events"
    label = "events"
