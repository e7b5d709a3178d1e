"""Ids in URLs."""

import re

from django.urls.converters import StringConverter


class OwnBookId(StringConverter):
    """The id of a player's own book, so that no other word of an address is taken for one."""

    regex = "own-[0-9a-f]{16}"


def is_own_id(text: str) -> bool:
    """Return whether the text is written as an own book's id; databases do not take any text."""
    return re.fullmatch(OwnBookId.regex, text) is not None


class UnitId:
    """The id of a unit; "new" is written "new_", as "new" is the URL of an empty card."""

    regex = "[a-z0-9_-]+"

    def to_python(self, value: str) -> str:
        return "new" if value == "new_" else value

    def to_url(self, value: str) -> str:
        return "new_" if value == "new" else value
