"""Files of published lists, kept after the first drawing.

Lists don't change once they are published, and drawing thousands takes seconds. The files can be
made again: each machine has its own, and deletes them some time after they were last read.
"""

import json
import os
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import Any
from uuid import UUID

from django.conf import settings
from django.utils.translation import get_language

from armybuilder import __version__
from armybuilder.events.models import Event
from armybuilder.events.rules import Sight
from armybuilder.loading.library import shipped_library

#: Lists that are drawn without keeping them, and how long a file stays that nobody reads.
FEW, KEPT_FOR = 8, timedelta(days=30)

Drawn = Mapping[str, Any]


def take_drawn(event: Event, lists: Sequence[Any]) -> None:
    """Reuse drawn parts of an event's lists (`ShownList`), and keep those drawn now."""
    there = {shown.key for shown in lists}
    for sight in (Sight.OPEN, Sight.FULL):
        group = [shown for shown in lists if shown.sight is sight]
        if len(group) <= FEW:
            continue
        file = _folder() / f"{event.pk}-{sight.name}-{_mark(event)}.json"
        kept = _read(file)
        for shown in group:
            if shown.key in kept:
                shown.drawn = kept[shown.key]
        # Also what this reader sees otherwise, such as their own list, is there for the others.
        now = {key: drawn for key, drawn in kept.items() if key in there}
        fresh = {shown.key: shown.drawn for shown in group if shown.key not in kept}
        if fresh or len(now) < len(kept):
            _write(file, now | fresh)


def remove_drawn(now: datetime) -> None:
    """Remove files that were not read for long, and those of deleted events."""
    there = set(map(str, Event.objects.values_list("pk", flat=True)))
    for file in _folder().glob("*.json"):
        unread = file.stat().st_mtime < (now - KEPT_FOR).timestamp()
        if unread or file.name[:36] not in there:
            file.unlink(missing_ok=True)


def forget_drawn(event_id: UUID) -> None:
    """Remove the files of an event: one of its lists is no more."""
    for file in _folder().glob(f"{event_id}-*.json"):
        file.unlink(missing_ok=True)


def _folder() -> Path:
    folder: Path = settings.VAR_DIR / "drawn"
    folder.mkdir(mode=0o700, exist_ok=True)
    return folder


def _mark(event: Event) -> str:
    """Return a key of language, program version and book versions."""
    system = shipped_library().systems.get(event.system)
    books = (book.revision for book in shipped_library().books.get(event.system, {}).values())
    revision = system.revision if system is not None else event.system
    words = " ".join((get_language() or "", __version__, revision, *books))
    return sha256(words.encode()).hexdigest()[:16]


def _read(file: Path) -> dict[str, Drawn]:
    try:
        kept: dict[str, Drawn] = json.loads(file.read_bytes())
        os.utime(file)
    except (OSError, ValueError):
        return {}
    return kept


def _write(file: Path, drawn: Mapping[str, Drawn]) -> None:
    """Replace a file as a whole, so that nobody reads half of it."""
    with NamedTemporaryFile("w", dir=file.parent, encoding="utf-8", delete=False) as half:
        json.dump(drawn, half, ensure_ascii=False)
    Path(half.name).replace(file)
