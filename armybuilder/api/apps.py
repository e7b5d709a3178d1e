"""The API app."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "armybuilder.api"
    label = "api"
