"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "armybuilder.accounts"
    label = "accounts"

    def ready(self) -> None:
        from armybuilder.accounts import signing  # noqa: F401
