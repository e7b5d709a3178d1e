"""The app of army lists."""

from django.apps import AppConfig


class ListsConfig(AppConfig):
    name = "armybuilder.lists"
    label = "lists"
