"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "armybuilder.accounts"
    label = "accounts"
