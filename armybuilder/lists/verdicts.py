"""Points and outcome of lists, kept beside them, so that many are sorted and filtered without being
judged each time.

Each is kept with the mark of what it was judged by: the version, the game, its books as the list
pins them and as they are shipped, which contents are here, and the program that judged. Where
anything of that is another now, the mark is another, and what is kept says nothing.
"""

import hashlib
import json
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

import armybuilder
from armybuilder.books.models import Kept
from armybuilder.books.paths import is_own_id
from armybuilder.engine import Report
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import Library
from armybuilder.writable import where_possible

#: The parts of the program that a verdict comes from.
_JUDGING = ("engine", "loading")
_COLUMNS = ("verdict_of", "points", "outcome")
#: Lists that are written by one statement.
_AT_ONCE = 100


class Verdict(NamedTuple):
    """What a list adds up to, in points, and an `Outcome`; -1 and "" where it cannot be judged: its
    game is not here, or wants what the list does not say.
    """

    points: int
    outcome: str


@cache
def _program() -> str:
    """The hash of the program that judges."""
    digest = hashlib.sha256()
    for part in _JUDGING:
        for path in sorted(Path(armybuilder.__path__[0], part).rglob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Verdicts:
    """The kept verdicts of some lists, whose facts are fresh. One query where they have own books,
    else none.
    """

    def __init__(self, lists: Iterable[ArmyList], library: Library) -> None:
        self._library = library
        lists = list(lists)
        own = {book for one in lists for book, _pinned in one.books or () if is_own_id(book)}
        kept = Kept.objects.filter(book_id__in=own) if own else Kept.objects.none()
        self._here = set(kept.values_list("book_id", "revision"))
        self._changed: list[ArmyList] = []

    def known(self, army_list: ArmyList) -> Verdict | None:
        """The verdict on a list; None where it must be judged anew."""
        if army_list.verdict_of is None or army_list.verdict_of != self._mark(army_list):
            return None
        return Verdict(army_list.points or 0, army_list.outcome or "")

    def judged(self, army_list: ArmyList, report: Report | None) -> Verdict:
        """Take note of the report on the list's current version; `store` keeps it."""
        verdict = Verdict(report.spent, report.outcome) if report else Verdict(-1, "")
        if self.known(army_list) != verdict:
            army_list.verdict_of = self._mark(army_list)
            army_list.points, army_list.outcome = verdict
            self._changed.append(army_list)
        return verdict

    def store(self) -> None:
        """Keep what was noted; a statement where anything was."""
        changed, self._changed = self._changed, []
        if changed:
            rows = ArmyList.objects
            where_possible(
                "verdicts on lists", lambda: rows.bulk_update(changed, _COLUMNS, _AT_ONCE)
            )

    def _mark(self, army_list: ArmyList) -> str:
        game = army_list.system or ""
        system = self._library.find_system(game)
        shipped = self._library.books.get(game, {})
        books = [
            (
                book,
                pinned,
                shipped[book].revision if book in shipped else "",
                (book, pinned) in self._here,
            )
            for book, pinned in army_list.books or ()
        ]
        told = (_program(), army_list.facts_of, game, system.revision if system else "", books)
        return hashlib.sha256(json.dumps(told).encode()).hexdigest()
