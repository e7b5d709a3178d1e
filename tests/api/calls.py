"""A program that calls the API, for tests."""

import json
from typing import Any

from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.api.examples import DOCUMENT

__all__ = ["DOCUMENT", "Caller", "make_user"]


def make_user(name: str = "ann") -> User:
    return User.objects.create_user(name, f"{name}@example.org", "a long password")


class Caller:
    """Calls with a user's token, or as nobody. `start` is what all addresses begin with."""

    start = "/api/v1"

    def __init__(self, user: User | None = None) -> None:
        self.user = user
        self.client = Client(raise_request_exception=False)
        self.headers = {}
        if user is not None:
            self.headers["Authorization"] = f"Bearer {make_token(user, 'test')[1]}"

    def __call__(self, method: str, address: str, body: Any = None, **headers: str) -> Any:
        """The answer. A body that is not bytes is sent as JSON; headers are written If_Match."""
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        kind = named.pop("Content-Type", "application/json")
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        data = {} if body is None else {"data": content, "content_type": kind}
        call = getattr(self.client, method)
        return call(self.start + address, **data, headers={**self.headers, **named})

    def store(self, **changed: Any) -> Any:
        """Store the example's document as a list."""
        answer = self("post", "/lists/", {**DOCUMENT, **changed})
        assert answer.status_code == 201, answer.content
        return answer
