"""Writes around accounts that are not sign-ins: another name, and the end of an account."""

from django.contrib.auth import logout
from django.db import transaction
from django.http import HttpRequest

from armybuilder.accounts.holders import leaving
from armybuilder.accounts.models import User
from armybuilder.accounts.signing import end_others, remember_name


def rename(request: HttpRequest, user: User, name: str) -> None:
    """Give the user another name, which `forms.NameForm` has checked."""
    user.username = name
    user.save(update_fields=["username"])
    remember_name(request, user)


def delete_account(request: HttpRequest, user: User) -> None:
    """Delete the account with everything that is the user's, and sign out everywhere."""
    with transaction.atomic():
        leaving.send(User, holder=user.holder)
        end_others(request, user)
        logout(request)
        user.delete()
