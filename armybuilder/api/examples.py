"""Examples for the description of the API, which a test sends and checks."""

import json
from typing import Any

from drf_spectacular.utils import OpenApiExample

#: Ten warriors for 300 points, not a point too many.
DOCUMENT: dict[str, Any] = {
    "format": "armylist/1",
    "system": "sbh",
    "books": [{"id": "profiles"}],
    "name": "Ten men",
    "limit": 300,
    "units": [{"id": "u1", "unit": "profiles/human-warrior", "models": 10}],
}
_ELEVEN = {**DOCUMENT, "units": [{**DOCUMENT["units"][0], "models": 11}]}
_NINE = {**DOCUMENT, "units": [{**DOCUMENT["units"][0], "models": 9}]}
_HASH = "3f0b9c1b5a2f8e7d6c5b4a39281706f5e4d3c2b1a0998877665544332211ff00"
_FINDING = {
    "code": "points.over",
    "severity": "error",
    "state": "broken",
    "origin": "game",
    "sentence": "330 points are spent; the limit is 300.",
    "units": ["u1"],
    "rule": "/rules/0",
    "citation": "Song of Blades and Heroes, Organizing Your Warband",
    "reading": "",
    "measured": 330,
    "allowed": 300,
    "lineup": "",
}
_REPORT = {
    "legal": True,
    "complete": True,
    "verdict": "Legal",
    "spent": 300,
    "limit": 300,
    "models": 10,
    "faction": None,
    "findings": [],
    "unchecked": [],
    "gauges": [
        {
            "name": "Points",
            "used": 300,
            "minimum": None,
            "maximum": 300,
            "lineup": "",
            "parts": [{"unit": "u1", "name": "Human Warrior", "amount": 300}],
        }
    ],
    "facts": [],
}
_ENTRY = {
    "id": "6f9b2c1e-3d4a-4b5c-8d6e-7f8091a2b3c4",
    "name": "Ten men",
    "system": "sbh",
    "limit": 300,
    "created": "2026-11-21T20:00:00+00:00",
    "updated": "2026-11-21T20:05:00+00:00",
    "archived": False,
    "tags": ["club"],
    "hash": _HASH,
}
_LINE: dict[str, Any] = {
    "source": "/documents/0",
    "first": None,
    "name": "Ten men",
    "game": "sbh",
    "legal": True,
    "complete": True,
    "spent": 300,
    "limit": 300,
    "codes": [],
    "unchecked": [],
    "seconds": 0.0012,
    "problem": "",
    "problems": [],
}
_FROZEN = {
    "id": "0c1d2e3f405162738495a6b7c8d9eafb",
    "hash": _HASH,
    "salt": "9f8e7d6c5b4a39281706f5e4d3c2b1a0",
    "seal": "b5bb9d8014a0f9b1d61e21e796d78dccdf1352f23cd32812f4850b878ae4944c",
    "made": "2026-11-21T20:05:00+00:00",
    "engine": "0.7.0",
    "revisions": {"profiles": "0123456789abcdef"},
    "report": {"legal": True, "spent": 300, "limit": 300, "models": 10, "findings": []},
    "document": DOCUMENT,
}


def sent(name: str, value: Any, media_type: str | None = None) -> OpenApiExample:
    """Return an example of a body that is sent."""
    return OpenApiExample(name, value=value, request_only=True, media_type=media_type)


def got(name: str, value: Any, media_type: str | None = None) -> OpenApiExample:
    """Return an example of an answer."""
    return OpenApiExample(name, value=value, response_only=True, media_type=media_type)


TEN_MEN = sent("Ten men", DOCUMENT)
_PACK = {
    "id": "raven-cup",
    "name": "Raven Cup",
    "about": "Song of Blades and Heroes, 300 points.",
    "system": "sbh",
    "revision": _HASH,
    "sizes": [300],
}
PACKS = got("The packs in the box", _PACK)
PACK = got("A pack with its rules", {**_PACK, "file": {"format": "pack/1", "id": "raven-cup"}})
REPORT = got("Legal", _REPORT)
CHOICES = got(
    "One more",
    {
        "unit": "profiles/human-warrior",
        "name": "Human Warrior",
        "points": 30,
        "entry": {"unit": "profiles/human-warrior", "models": 1},
        "breaks": [_FINDING],
        "worsens": [],
        "settles": [],
    },
)
_LINES = "Song of Blades and Heroes\n10 Human Warrior, 300"
A_TEXT = sent("A text", {"text": _LINES, "system": "sbh", "books": ["profiles"], "choices": {}})
TEXT_READ = got(
    "Ten men out of a text",
    {
        "system": "sbh",
        "books": ["profiles"],
        "told": True,
        "tells_size": False,
        "printed": None,
        "doubts": 0,
        "lost": 0,
        "lists": [],
        "document": DOCUMENT,
        "lines": [
            {
                "number": 2,
                "text": "10 Human Warrior, 300",
                "kind": "unit",
                "state": "ok",
                "unit": {
                    "unit": "profiles/human-warrior",
                    "name": "Human Warrior",
                    "sure": "exact",
                    "times": 1,
                    "models": 10,
                    "printed": 300,
                    "computed": 300,
                    "pieces": [
                        {
                            "text": "Leader",
                            "kind": "role",
                            "name": "Leader",
                            "sure": "exact",
                            "choices": [],
                        }
                    ],
                    "choices": [],
                },
            }
        ],
    },
)
ELEVEN_MEN = sent("One man too many", _ELEVEN)
NINE_MEN = sent("One man to come", _NINE)
TWO_LISTS = sent("One man more", {"before": DOCUMENT, "after": _ELEVEN})


def _difference(before: int, after: int) -> dict[str, Any]:
    """So many men before, so many after, for 30 points each of at most 300."""

    def number(name: str, was: object, now: object) -> dict[str, str]:
        return {"kind": "number", "name": name, "before": str(was), "after": str(now)}

    def verdict(men: int) -> str:
        return "Legal" if men <= 10 else "Not legal"

    men = {"kind": "models", "name": "Models", "before": str(before), "after": str(after)}
    return {
        "numbers": [
            number("Verdict", verdict(before), verdict(after)),
            number("Points", before * 30, after * 30),
            number("Models", before, after),
        ],
        "about": [],
        "units": [
            {
                "kind": "changed",
                "name": "Human Warrior",
                "before": before * 30,
                "after": after * 30,
                "changes": [men],
            }
        ],
    }


A_FILE = sent("A list as a file", json.dumps(DOCUMENT), "application/octet-stream")
FILE_READ = got(
    "Ten men out of a roster",
    {
        "lists": [
            {
                "document": DOCUMENT,
                "printed": 300,
                "remarks": [{"kind": "note", "where": "", "text": "The list has no name."}],
            }
        ],
        "refused": [{"name": "notes.json", "problem": "The file is not JSON."}],
    },
)
DIFFERENCE = got("One man more", _difference(10, 11))
REPAIRS = got(
    "One man less",
    {
        "legal": False,
        "repairs": [
            {
                "changes": ["Human Warrior: 1 fewer (−30 points)"],
                "points": -30,
                "spent": 300,
                "proved": True,
                "difference": _difference(11, 10),
                "document": DOCUMENT,
            }
        ],
        "impossible": False,
    },
)
FILLED = got(
    "One man more",
    {
        "found": True,
        "left": 0,
        "proved": True,
        "difference": _difference(9, 10),
        "document": DOCUMENT,
    },
)
ANSWER = got(
    "The most men",
    {
        "name": "The most models",
        "found": True,
        "value": 10,
        "proved": True,
        "impossible": False,
        "difference": _difference(9, 10),
        "document": DOCUMENT,
    },
)
OUTLOOK = got(
    "One man more",
    {
        "whole": "open",
        "units": [{"unit": "profiles/human-warrior", "name": "Human Warrior", "fate": "open"}],
    },
)
CORE = got(
    "Too many points",
    {
        "found": True,
        "rules": [
            {
                "rule": "/rules/0",
                "summary": "No more points than the limit",
                "citation": "Song of Blades and Heroes, Organizing Your Warband",
            }
        ],
        "units": ["u1"],
        "proved": True,
    },
)
BATCH = sent("Two lists", {"documents": [DOCUMENT, _ELEVEN]})
BATCH_OF_TEXTS = sent("A text", {"texts": [_LINES], "system": "sbh"})
LINES = got("A line", _LINE)
TEXT = got("Compact", "Ten men\n300 of 300 points\n", "text/plain")
ENTRIES = got("Lists", _ENTRY)
LIST = got("A list", {**_ENTRY, "document": DOCUMENT})
FREEZE = sent("For opponents", {"view": "open", "name": "Club night"})
FROZEN = got("A frozen copy", _FROZEN)
FROZEN_LINK = got(
    "A frozen copy",
    {
        **_FROZEN,
        "link": "https://lists.example/shared/Zm9v1b2Fy8Qm7x4T0pKcW5n6dE3hJ9uLsVaRgYiXoBk/",
    },
)

_EVENT = {
    "id": "6f9c5dbe-5a4b-4f37-9c1e-2f4f5b7f0a11",
    "name": "Raven Cup",
    "system": "sbh",
    "zone": "Europe/Berlin",
    "state": "open",
    "lists_due": "2026-10-24T18:00:00Z",
    "lists_shown": "2026-10-27T19:00:00Z",
}
_SUBMISSION = {
    "number": 1,
    "received": "2026-10-20T17:03:22.100000Z",
    "late": False,
    "legal": True,
    "points": 300,
    "limit": 300,
    "commitment": _HASH,
    "needs": [],
    "judged": "7.legal",
}
_PLAYS = {"number": 2, "name": "Ben", "team": "Mill", "status": "entered"}
EVENTS = got("Events", _EVENT)
EVENT = got(
    "An event",
    {
        **_EVENT,
        "about": "Soup at noon.",
        "place": "The mill",
        "rules_final": "2026-10-20T18:00:00Z",
        "corrections_due": "2026-10-26T19:00:00Z",
        "ends": "2026-10-29T19:00:00Z",
        "role": None,
        "entry": 2,
        "entries": [2],
        "pack": {"format": "pack/1", "id": "raven-cup"},
        "pack_revision": "0123456789abcdef",
    },
)
ENTER = sent("A player", {"name": "Ben", "team": "Mill"})
ENTERED = got("An entry", {**_PLAYS, "submission": None})
RECEIPT = got("A receipt", {**_SUBMISSION, "entry": 2, "salt": _HASH})
ENTRIES_OF_EVENT = got("Entries", {**_PLAYS, "submission": _SUBMISSION})
DECISION = sent("Return it", {"what": "returned", "seen": 1, "to_player": "The leader is missing."})
DECIDED = got("The entry", {**_PLAYS, "status": "returned", "submission": _SUBMISSION})
SHOWN_LISTS = got(
    "Lists",
    {
        "number": 2,
        "name": "Ben",
        "team": "Mill",
        "books": ["Profiles of the rulebook"],
        "legal": True,
        "legal_in_game": True,
        "state": "accepted",
        "late": False,
        "extra_points": 0,
        "points": 300,
        "limit": 300,
        "submission": 1,
        "received": "2026-10-20T17:03:22.100000Z",
        "commitment": _HASH,
        "text": "10 Human Warrior",
    },
)
