"""Zips with one long history, as somebody brings them in."""

import json
from typing import Any
from uuid import uuid4

from armybuilder.takeout import FORMAT, MANIFEST
from tests.building.documents import army
from tests.building.zips import packed


def history_zip(
    versions: int, document: dict[str, Any] | None = None, broken: bool = False
) -> bytes:
    """A zip of all data with one list of so many versions, each with another name; the last of
    them, where it is `broken`, without its act.
    """
    document = document or army()
    when = "2026-01-01T10:00:00+00:00"
    first = {"id": str(uuid4()), "current": versions, "created": when, "updated": when}
    lines: list[dict[str, Any]] = [first]
    for number in range(1, versions + 1):
        named = {**document, "name": f"Name {number}"}
        lines.append({"number": number, "act": "Act.", "created": when, "document": named})
    if broken:
        lines[-1]["act"] = 7
    text = b"\n".join(json.dumps(line).encode() for line in lines)
    manifest = json.dumps({"format": FORMAT}).encode()
    return packed({MANIFEST: manifest, f"lists/{first['id']}.jsonl": text})
