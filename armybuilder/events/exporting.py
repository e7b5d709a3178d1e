"""Lists of an event as far as a person may see them, for pages, programs and paper.

Lists don't change once they are published, and drawing thousands takes seconds. The files can be
made again: each machine has its own, and deletes them some time after they were last read.
"""

import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from functools import partial
from hashlib import sha256
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO, Any
from uuid import UUID
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from django.conf import settings
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder import __version__
from armybuilder.events.deciding import standing_of
from armybuilder.events.models import Entry, Event, Submission
from armybuilder.events.rules import EventState, Person, Sight
from armybuilder.events.selectors import shown_entries, sight_of
from armybuilder.events.shown import ShownList
from armybuilder.exchange.csvs import safe_text
from armybuilder.lists.comparing import list_difference, with_report
from armybuilder.loading.deadline import checked
from armybuilder.loading.file_names import free_name
from armybuilder.loading.forcelist import FROM_FILES
from armybuilder.loading.library import Library, shipped_library
from armybuilder.sheets.content.setup import Setup, read_occasion
from armybuilder.sheets.kinds.contents import ContentsLine, draw_contents


def hides_cost(event: Event, sight: Sight, library: Library) -> bool:
    """Return whether a list's points are hidden, as they would reveal prices of hidden items."""
    if event.system.startswith(FROM_FILES):  # files know nothing that is hidden from opponents
        return False
    system = library.systems.get(event.system)
    return sight is Sight.OPEN and (system is None or system.sized)


def show(
    person: Person,
    event: Event,
    entry: Entry,
    submission: Submission,
    now: datetime,
) -> ShownList | None:
    """Return a submission as far as the person may see it now; None if its list may not be."""
    sight = sight_of(person, event, entry, submission, now)
    if sight < Sight.OPEN or entry.forgotten is not None:
        return None
    return ShownList(entry, submission, sight, now.date())


def shown_lists(
    person: Person,
    event: Event,
    now: datetime,
    entries: Iterable[Entry] | None = None,
) -> Iterator[ShownList]:
    """Yield the current lists, of all `entries` or these, that the person may see now."""
    for entry in checked(shown_entries(event).iterator(100) if entries is None else entries):
        if entry.submission is not None:
            shown = show(person, event, entry, entry.submission, now)
            if shown is not None:
                yield shown


def listed(person: Person, event: Event, now: datetime) -> list[ShownList]:
    """Return the lists that the person may see now, to be written to a file of all."""
    lists = list(shown_lists(person, event, now))
    if event.state(now) in (EventState.REVEALED, EventState.OVER):
        take_drawn(event, lists)
    return lists


def changed_lines(before: Submission, after: Submission) -> tuple[str, ...]:
    """Return the differences between two submissions of one entry, in short lines."""
    if before.content is None or after.content is None:
        return ()  # one of them was removed
    was, now = with_report(before.content), with_report(after.content)
    return list_difference(was, now).lines()


#: The columns of the table.
COLUMNS = (
    *("number", "name", "team", "books", "points", "limit", "legal", "legal_in_game", "state"),
    *("late", "extra_points", "commitment", "list"),
)


def as_data(event: Event, shown: Iterable[ShownList]) -> dict[str, Any]:
    """Return the lists as JSON-ready data (docs/events.md); a whole list with its salt."""
    pack, extra = event.packs.latest("pk"), standing_of(event)
    return {
        "format": "event/1",
        "event": {"id": str(event.pk), "name": event.name, "system": event.system},
        "pack": {"id": pack.pack_id, "revision": pack.revision},
        "entries": [_entry(one, extra) for one in shown],
    }


def _entry(shown: ShownList, extra: Mapping[int, int]) -> dict[str, Any]:
    kept = shown.submission
    data: dict[str, Any] = {
        "number": shown.entry.number,
        "name": shown.entry.name,
        "team": shown.entry.team,
        "legal": kept.legal,
        "legal_in_game": kept.game_report["legal"],
        "state": shown.entry.status,
        "late": kept.late,
        "extra_points": extra.get(shown.entry.number, 0),
        "submission": kept.number,
        "received": kept.received.isoformat(),
        "commitment": kept.commitment,
        **shown.drawn,
    }
    if shown.document is not None:
        data |= {"salt": kept.salt, "document": shown.document.to_dict()}
    return data


def as_players(event: Event, shown: Iterable[ShownList]) -> dict[str, Any]:
    """Return the players as pairing tools read them (the shape of ListFortress)."""
    players = [
        {"name": one.entry.name, "score": 0, "mov": 0, "sos": 0, "dropped": None}
        | {"rank": {"swiss": None, "elimination": None}, "list": one.drawn["text"]}
        for one in shown
    ]
    return {"title": event.name, "players": players, "rounds": []}


def file_of_table(event: Event, shown: Iterable[ShownList]) -> bytes:
    """Return the lists as CSV that spreadsheets read as UTF-8; texts of players aren't formulas."""
    stream, extra = io.StringIO(), standing_of(event)
    writer = csv.writer(stream)
    writer.writerow(COLUMNS)
    for one in shown:
        data = _entry(one, extra) | {"list": one.drawn["text"]}
        writer.writerow([_cell(data[column]) for column in COLUMNS])
    return f"\ufeff{stream.getvalue()}".encode()


def _cell(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return str(value)
    return safe_text(", ".join(value) if isinstance(value, list) else value)


def write_zip(stream: IO[bytes], event: Event, shown: Sequence[ShownList]) -> None:
    """Write a zip with the table, a text of each list, and its document if visible."""
    taken: set[str] = set()
    with ZipFile(stream, "w", ZIP_DEFLATED) as archive:
        table = file_of_table(event, shown)
        archive.writestr(ZipInfo(free_name("lists", "csv", taken)), table, ZIP_DEFLATED)
        for one in shown:
            stem = f"{one.entry.number:04} {one.entry.name}"
            files = {"txt": one.drawn["text"]}
            if one.document is not None:
                files["json"] = json.dumps(one.document.to_dict(), indent=2, ensure_ascii=False)
            for ending, text in files.items():
                # Without the time of day, equal lists make equal files.
                info = ZipInfo(free_name(stem, ending, taken))
                archive.writestr(info, text.encode(), ZIP_DEFLATED)


def write_booklet(stream: IO[bytes], event: Event, shown: Sequence[ShownList]) -> None:
    """Write one PDF with contents, then the compact sheet of every list, or the open list."""
    from armybuilder.sheets.printing.merging import Merger

    lines = []
    for each in shown:
        about = filter(None, (each.entry.team, ", ".join(each.visible.sheet.books)))
        lines.append(ContentsLine(f"{each.entry.number} {each.entry.name}", " · ".join(about), 0))
    contents = partial(draw_contents, event.name, setup=Setup(), day=timezone.localdate())
    merger = Merger(stream, numbered=True)
    ahead = merger.count_pages(contents(lines))
    for number, one in enumerate(shown):
        occasion = {"player": one.entry.name, "team": one.entry.team, "event": event.name}
        kind = "compact" if one.whole or one.visible.of_files else "hidden"
        setup = Setup(notes=False, kinds=(kind,), **read_occasion(occasion))
        before = ahead + merger.pages
        lines[number] = lines[number]._replace(page=before + 1)
        merger.add(lines[number].name, one.visible.pdf(setup, before))
    merger.add(_("Contents"), contents(lines), first=True)
    merger.finish(event.name, get_language() or "en")


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
