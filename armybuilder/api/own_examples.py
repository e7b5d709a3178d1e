"""Examples of versions, links and own books, for the description of the API."""

from typing import Any

from armybuilder.api.examples import DOCUMENT, got, sent

_VERSION = {
    "number": 2,
    "act": "Saved through the API.",
    "label": "Club night",
    "created": "2026-11-21T20:05:00+00:00",
    "current": True,
}
_LINK = {
    "id": "1f0e9d8c-7b6a-4554-8332-21100fedcba9",
    "name": "Opponents",
    "view": "open",
    "frozen": None,
    "link": "https://armies.example/shared/0123456789abcdefghijklmnopqrstuvwxyzABCDEFG/",
    "created": "2026-11-21T20:05:00+00:00",
}
_BOOK_DOCUMENT: dict[str, Any] = {
    "format": "book/1",
    "id": "own-0123456789abcdef",
    "system": "sbh",
    "name": "Mill guard",
    "about": "Who keeps the mill.",
    "kind": "own",
    "source": {"title": "Made by a player"},
    "units": [
        {
            "id": "miller",
            "name": "Miller",
            "points": 30,
            "stats": {"quality": 3, "combat": 3},
            "group": "Humans",
        }
    ],
}
_BOOK = {
    "id": "own-0123456789abcdef",
    "name": "Mill guard",
    "system": "sbh",
    "revision": "0123456789abcdef",
    "units": 1,
    "created": "2026-11-21T20:00:00+00:00",
    "updated": "2026-11-21T20:05:00+00:00",
    "shared": False,
}
VERSIONS = got("A version", _VERSION)
VERSION = got("A version", {**_VERSION, "document": DOCUMENT})
LABEL = sent("A label", {"label": "Club night"})
LABELLED = got("The version", _VERSION)
LINKS = got("A link", _LINK)
LINK = got("The link", _LINK)
MAKE_LINK = sent("For opponents", {"view": "open", "frozen": False, "name": "Opponents"})
OWN_BOOKS = got("A book of yours", _BOOK)
OWN_BOOK = got("A book of yours", {**_BOOK, "document": _BOOK_DOCUMENT})
A_BOOK = sent("A book", _BOOK_DOCUMENT)
