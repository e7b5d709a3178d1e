"""People with accounts, and the browsers they sit at."""

from django.http import HttpResponse
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import find_token

PASSWORD = "heron-delta-27"  # noqa: S105 - of the tests alone


def ann(name: str = "ann", email: str = "") -> User:
    """A user with the password of the tests."""
    return User.objects.create_user(name, email, PASSWORD)


def sign_up(client: Client, name: str = "ann", email: str = "") -> HttpResponse:
    """Make an account by the form."""
    fields = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    return client.post("/account/sign-up/", fields)


def sign_in(client: Client, login: str = "ann", password: str = PASSWORD) -> HttpResponse:
    """Sign in by the form."""
    return client.post("/account/sign-in/", {"login": login, "password": password})


def signed_in(name: str = "ann") -> Client:
    """A new browser in which that user, who is there already, has signed in."""
    client = Client()
    assert sign_in(client, name).status_code == 302
    return client


def user_of(raw: str) -> User | None:
    """Whose token this is; None where it opens nothing."""
    token = find_token(raw)
    return token.user if token else None


def confirmed(client: Client) -> Client:
    """The browser, in which the password was just typed once more."""
    answer = client.post("/account/confirm/", {"password": PASSWORD})
    assert answer.status_code == 302, answer.text
    return client
