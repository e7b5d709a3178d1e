"""The accounts app."""

from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "armybuilder.accounts"
    label = "accounts"

    def ready(self) -> None:
        """Connect what happens around sign-in."""
        from armybuilder.accounts import signing  # noqa: F401
