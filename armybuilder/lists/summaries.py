"""Summaries kept with lists, so that pages of many lists read no documents and check none.

Facts carry their version, verdicts the mark of their premises: if any has changed, they are made
again before use.
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.db.models import F

import armybuilder
from armybuilder.books.models import Kept
from armybuilder.books.paths import is_own_id
from armybuilder.engine import Report
from armybuilder.lists.models import ArmyList, ListDocument, Version
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.writable import where_possible

#: The columns that facts and verdicts fill.
COLUMNS = ("facts_of", "name", "system", "notes", "books")
_VERDICT_COLUMNS = ("verdict_of", "points", "outcome")
#: The parts of the program that a verdict comes from.
_JUDGING = ("engine", "loading", "battlescribe/files")
#: Lists whose facts, or verdicts, are written by one statement.
_AT_ONCE, _VERDICTS_AT_ONCE = 200, 100


#: Prefix of the name of a game from files, in place of a system's id.
FROM_FILES = "files: "


def put_facts(army_list: ArmyList, version_key: int, document: ListDocument) -> None:
    """Copy the facts of a list's current document to its row."""
    army_list.facts_of = version_key
    army_list.name = document.name
    army_list.notes = document.notes
    if isinstance(document, ForceList):
        army_list.system = (FROM_FILES + document.game.name)[:80]
        named = {force.catalogue_name: force.revision for force in document.all_forces()}
        army_list.books = [list(pair) for pair in named.items()]
    else:
        army_list.system = document.system
        army_list.books = [[book.id, book.revision] for book in document.books]


def put_verdict(army_list: ArmyList, points: int, outcome: str) -> None:
    """Keep the verdict on the current version of a list of a community's files."""
    army_list.verdict_of = mark_of_files(army_list)
    army_list.points, army_list.outcome = points, outcome
    army_list.save(update_fields=_VERDICT_COLUMNS)


def mark_of_files(army_list: ArmyList) -> str:
    """Return the mark for which a verdict on a list of files is valid: they never change."""
    facts = (_program(), army_list.facts_of, army_list.system)
    return hashlib.sha256(json.dumps(facts).encode()).hexdigest()


def refresh_facts(holder: str) -> None:
    """Update facts of the holder's lists that are missing or outdated."""
    stale = (
        Version.objects.filter(army_list__holder=holder, number=F("army_list__number"))
        .exclude(army_list__holder="")
        .exclude(army_list__facts_of=F("pk"))
        .select_related("army_list")
        .prefetch_related("bundle")
    )
    waiting: list[ArmyList] = []
    for version in stale.iterator(_AT_ONCE):
        put_facts(version.army_list, version.pk, version.content)
        waiting.append(version.army_list)
        if len(waiting) == _AT_ONCE:
            _keep_facts(waiting)
            waiting.clear()
    if waiting:
        _keep_facts(waiting)


def _keep_facts(lists: list[ArmyList]) -> None:
    where_possible("facts of lists", lambda: ArmyList.objects.bulk_update(lists, COLUMNS))


class Verdict(NamedTuple):
    """Points of a list, and an `Outcome`; -1 and "" if it cannot be judged here."""

    points: int
    outcome: str


@cache
def _program() -> str:
    digest = hashlib.sha256()
    for part in _JUDGING:
        for path in sorted(Path(armybuilder.__path__[0], part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class KeptVerdicts:
    """Kept verdicts of some lists, whose facts are fresh: one query if they have own books."""

    def __init__(self, lists: Iterable[ArmyList], library: Library) -> None:
        self._library = library
        own = {book for one in lists for book, _pinned in one.books or () if is_own_id(book)}
        kept = Kept.objects.filter(book_id__in=own) if own else Kept.objects.none()
        self._here = set(kept.values_list("book_id", "revision"))
        self._changed: list[ArmyList] = []

    def known(self, army_list: ArmyList) -> Verdict | None:
        """Return the verdict on a list; None if it must be checked again."""
        if army_list.verdict_of is None or army_list.verdict_of != self._mark(army_list):
            return None
        return Verdict(army_list.points or 0, army_list.outcome or "")

    def judged(self, army_list: ArmyList, report: Report | Verdict | None) -> Verdict:
        """Take note of the report on the list's current version; `store` keeps it."""
        if isinstance(report, Report):
            report = Verdict(report.spent, report.outcome)
        verdict = report or Verdict(-1, "")
        if self.known(army_list) != verdict:
            army_list.verdict_of = self._mark(army_list)
            army_list.points, army_list.outcome = verdict
            self._changed.append(army_list)
        return verdict

    def store(self) -> None:
        """Store the noted verdicts, by one statement if there are any."""
        changed, self._changed = self._changed, []
        if changed:
            columns = (_VERDICT_COLUMNS, _VERDICTS_AT_ONCE)
            where_possible(
                "verdicts on lists", lambda: ArmyList.objects.bulk_update(changed, *columns)
            )

    def _mark(self, army_list: ArmyList) -> str:
        game = army_list.system or ""
        if game.startswith(FROM_FILES):
            return mark_of_files(army_list)
        system = self._library.find_system(game)
        shipped = self._library.books.get(game, {})
        books = [
            (book, pinned, shipped[book].revision if book in shipped else "",
             (book, pinned) in self._here)
            for book, pinned in army_list.books or ()
        ]  # fmt: skip
        facts = (_program(), army_list.facts_of, game, system.revision if system else "", books)
        return hashlib.sha256(json.dumps(facts).encode()).hexdigest()
