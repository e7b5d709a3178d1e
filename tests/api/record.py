"""The examples of the API's description: calls of every operation, and what is answered.

`RECORD=1 pytest tests/api/test_description.py` writes them to armybuilder/api/examples.json.
"""

import json
import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch

from django.utils import timezone

from armybuilder.api.urls import description
from tests.api.calls import DOCUMENT, OWN_BOOK, Caller, an_event

_WARRIORS = DOCUMENT["units"][0]
ELEVEN = {**DOCUMENT, "units": [{**_WARRIORS, "models": 11}]}
NINE = {**DOCUMENT, "units": [{**_WARRIORS, "models": 9}]}
SPEARS = {
    **DOCUMENT,
    "system": "t9a-2023",
    "books": [{"id": "highborn-elves"}],
    "name": "Spears",
    "limit": 4500,
    "units": [{"id": "u7", "unit": "highborn-elves/citizen-spears", "models": 20}],
}
_TEXT = "Song of Blades and Heroes\n10 Human Warrior, 300"
_READ = {"text": _TEXT, "system": "sbh", "books": ["profiles"], "choices": {}}
_BATCHES = {
    "Two lists": {"documents": [DOCUMENT, ELEVEN]},
    "A text": {"texts": [_TEXT], "system": "sbh"},
}
_RETURNED = {"what": "returned", "seen": 1, "to_player": "The leader is missing."}
_LINK = {"view": "open", "frozen": False, "name": "Opponents"}
#: What an operation's answer is called, and the bodies that are sent: the first is recorded.
CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "systems": ("Systems", {}),
    "system": ("A system", {}),
    "book": ("A book", {}),
    "unit": ("A unit", {}),
    "units": ("Units", {}),
    "packs": ("The packs in the box", {}),
    "pack": ("A pack with its rules", {}),
    "validate": ("Legal", {"Ten men": DOCUMENT}),
    "choices": ("One more", {"Ten men": DOCUMENT}),
    "offers": ("Spears", {"Spears": SPEARS}),
    "diff": ("One man more", {"One man more": {"before": DOCUMENT, "after": ELEVEN}}),
    "batch": ("A line", _BATCHES),
    "sheet": ("", {"Ten men": DOCUMENT}),
    "text": ("Compact", {"Ten men": DOCUMENT}),
    "read": ("Ten men out of a text", {"A text": _READ}),
    "read_file": ("Ten men out of a file", {"A list as a file": json.dumps(DOCUMENT)}),
    "repair": ("One man less", {"One man too many": ELEVEN}),
    "fill": ("One man more", {"One man to come": NINE}),
    "answer": ("The most men", {"One man to come": NINE}),
    "outlook": ("One man more", {"One man to come": NINE}),
    "explain": ("Too many points", {"One man too many": ELEVEN}),
    "store_list": ("A list", {"Ten men": DOCUMENT}),
    "lists": ("Lists", {}),
    "list": ("A list", {}),
    "report_of_list": ("Legal", {}),
    "diff_of_lists": ("One man more", {}),
    "sheet_of_list": ("", {}),
    "text_of_list": ("Compact", {}),
    "fill_of_list": ("One man more", {}),
    "answer_of_list": ("The most men", {}),
    "outlook_of_list": ("One man more", {}),
    "repair_of_list": ("None is needed", {}),
    "explain_of_list": ("Nothing clashes", {}),
    "history_of_list": ("A version", {}),
    "version_of_list": ("A version", {}),
    "label_version": ("The version", {"A label": {"label": "Club night"}}),
    "freeze_list": ("A frozen copy", {"For opponents": {"view": "open", "name": "Club night"}}),
    "frozen": ("A frozen copy", {}),
    "make_link": ("The link", {"For opponents": _LINK}),
    "links_of_list": ("A link", {}),
    "replace_list": ("A list", {"Ten men": DOCUMENT}),
    "store_book": ("A book of yours", {"A book": OWN_BOOK}),
    "own_books": ("A book of yours", {}),
    "own_book": ("A book of yours", {}),
    "replace_book": ("A book of yours", {"A book": OWN_BOOK}),
    "enter": ("An entry", {"A player": {"name": "Ben", "team": "Mill"}}),
    "submit": ("A receipt", {"Ten men": DOCUMENT}),
    "events": ("Events", {}),
    "event": ("An event", {}),
    "entries": ("Entries", {}),
    "decide": ("The entry", {"Return it": _RETURNED}),
    "event_lists": ("Lists", {}),
}
#: What differs between two recordings, and what stands for it.
_MASKS = {
    r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}": "6f9b2c1e-3d4a-4b5c-8d6e-7f8091a2b3c4",
    r"\d{4}-\d\d-\d\dT[\d:.]+": "2026-11-21T20:05:00",
    r"\b[0-9a-f]{64}\b": "3f0b9c1b5a2f8e7d6c5b4a39281706f5e4d3c2b1a0998877665544332211ff00",
    r"\b[0-9a-f]{32}\b": "0c1d2e3f405162738495a6b7c8d9eafb",
    r"\b[0-9a-f]{16}\b": "0123456789abcdef",
    r"#[0-9a-f]{10}\b": "#3f0b9c1b5a",
    r"http://testserver/shared/[\w-]+": "https://lists.example/shared/"
    "Zm9v1b2Fy8Qm7x4T0pKcW5n6dE3hJ9uLsVaRgYiXoBk",
    r'"seconds": [\d.e-]+': '"seconds": 0.0012',
    r'"engine": "[^"]+"': '"engine": "0.7.0"',
    r'"judged": "\d+': '"judged": "7',
}
#: Of a list in an answer so much is recorded.
_MAX_ITEMS = 2


def operations() -> Iterator[tuple[str, str, Any]]:
    """Yield address, method and description of each operation."""
    for address, methods in json.loads(description())["paths"].items():
        for method, operation in methods.items():
            yield address, method, operation


def play(
    ann: Caller, bob: Caller, check: Callable[[str, Any, Any], None]
) -> dict[str, dict[str, Any]]:
    """Call every operation that has an answer, as a recording.

    `check` is called with the operation, the schema of its answer and the answer.
    """
    known = {operation["operationId"]: (a, m, operation) for a, m, operation in operations()}
    list_id = ann.store(name="Men").json()["id"]
    ann("put", f"/lists/{list_id}/", NINE, If_Match="*")
    places = {"list_id": list_id, "other_id": ann.store().json()["id"], "number": 2}
    unit = {"system_id": "t9a-2023", "book_id": "highborn-elves", "unit_id": "citizen-spears"}
    places |= {"system_id": "sbh", "book_id": "profiles"}
    places |= {"pack_id": "raven-cup", "event_id": str(an_event(ann).pk)}
    recording: dict[str, dict[str, Any]] = {}
    for name, (title, bodies) in CALLS.items():
        address, method, operation = known[name]
        caller = bob if name in ("enter", "submit") else ann
        later = timezone.now() + timedelta(days=4.5 if name == "event_lists" else 0)
        answers = []
        for body in list(bodies.values()) or [None]:
            place = address.removeprefix(ann.start)
            place = place.format(**{**places, **(unit if name == "unit" else {})})
            raw = body.encode() if isinstance(body, str) else body
            extra = {"Content-Type": "application/octet-stream"} if isinstance(body, str) else {}
            query = "?name=list.json" if name == "read_file" else ""
            with patch("armybuilder.api.events.timezone.now", return_value=later):
                answer = caller(method, place + query, raw, If_Match="*", **extra)
            assert answer.status_code in (200, 201), (name, answer.content)
            answers.append(answer)
        recorded = {"sent": bodies} if bodies else {}
        if title:
            recorded["got"] = {title: _got(name, operation, answers[0], check)}
        recording[name] = recorded
        if name == "store_book":
            places["book_id"] = answers[0].json()["id"]
        elif name == "freeze_list":
            places["frozen_id"] = answers[0].json()["id"]
    return recording


def _got(name: str, operation: Any, answer: Any, check: Callable[[str, Any, Any], None]) -> Any:
    """Return what is recorded of an answer: of several things the first."""
    if not answer["Content-Type"].startswith("application/json"):
        return answer.content.decode()
    data = answer.json()
    good = operation["responses"][str(answer.status_code)]
    check(name, good["content"]["application/json"]["schema"], data)
    data = data["results"] if isinstance(data, dict) and "results" in data else data
    text = json.dumps(_cut(data[0] if isinstance(data, list) else data))
    for pattern, mask in _MASKS.items():
        text = re.sub(pattern, mask, text)
    return json.loads(text)


def _cut(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _cut(inner) for key, inner in value.items()}
    return [_cut(inner) for inner in value[:_MAX_ITEMS]] if isinstance(value, list) else value
