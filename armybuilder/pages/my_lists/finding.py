"""Looking for lists: what an address asks for, and which of a player's lists that are, in order.

It goes by what is kept beside the lists: no document is read, and a list is judged only where
points or verdicts are asked for and none is kept that still holds.
"""

import re
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.utils.translation import gettext_lazy as _lazy

from armybuilder.books.models import OwnBook
from armybuilder.engine import Report
from armybuilder.engine.verdict import Outcome
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import lists_of
from armybuilder.lists.summaries import Verdict, Verdicts
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

MAX_TEXT = 80
#: Seconds that one page may judge lists beside those it shows; the next page goes on from there.
PATIENCE = 0.1
#: Documents that are read at once to be judged.
_AT_ONCE = 20
#: From here on come the letters of Thai, Chinese, Japanese and others without spaces.
_UNSPACED = "\u0e00"

#: Where lists can be: among all, out of the way, or put away until they are removed.
PLACES = {"": _lazy("Lists"), "archived": _lazy("Archived"), "deleted": _lazy("Deleted")}
VERDICTS = {
    "legal": _lazy("Legal"),
    "unchecked": _lazy("Legal as far as checked"),
    "not-legal": _lazy("Not legal"),
}
_OUTCOMES = {
    "legal": Outcome.LEGAL,
    "unchecked": Outcome.UNCHECKED,
    "not-legal": Outcome.ILLEGAL,
}


class Entry:
    """A list as far as its row says what it is."""

    def __init__(self, army_list: ArmyList, library: Library) -> None:
        self.kept = army_list
        self.library = library
        self.verdict: Verdict | None = None

    @property
    def name(self) -> str:
        return self.kept.name or ""

    @property
    def notes(self) -> str:
        return self.kept.notes or ""

    @property
    def game(self) -> str:
        """The id of its game."""
        return self.kept.system or ""

    @property
    def game_name(self) -> str:
        return game_name(self.game, self.library)

    @property
    def tags(self) -> list[str]:
        tags: list[str] = self.kept.tags
        return tags

    @property
    def books(self) -> list[str]:
        """The ids of its books."""
        return [book for book, _pinned in self.kept.books or ()]

    @property
    def points(self) -> int:
        """Points it adds up to; -1 where it cannot be judged, less where it was not yet."""
        return self.verdict.points if self.verdict else -2


def game_name(game: str, library: Library) -> str:
    """What a game is called, by its id; one that is not here any more, by that."""
    system = library.find_system(game)
    return system.name if system else game


#: Orders of the lists, by what an address calls them: their names, and what they go by.
SORTS: dict[str, tuple[Any, Callable[[Entry], Any], bool]] = {
    "changed": (_lazy("last changed"), lambda row: row.kept.updated, True),
    "made": (_lazy("last created"), lambda row: row.kept.created, True),
    "name": (_lazy("name"), lambda row: row.name.casefold(), False),
    "game": (_lazy("game"), lambda row: (row.game_name, row.name.casefold()), False),
    "points": (_lazy("most points"), lambda row: row.points, True),
}


class ListQuery(NamedTuple):
    """What a player looks for among the lists."""

    text: str = ""
    game: str = ""
    verdict: str = ""
    tag: str = ""
    sort: str = "changed"
    place: str = ""
    page: int = 1

    @property
    def filtering(self) -> bool:
        """Whether any lists may be left out."""
        return any((self.text, self.game, self.verdict, self.tag))

    @property
    def query(self) -> str:
        """All of it as a query string."""
        plain = ListQuery()
        names = {"text": "q"}
        pairs = zip(self._fields, self, plain, strict=True)
        told = {names.get(key, key): value for key, value, usual in pairs if value != usual}
        return urlencode(told)


def read_wanted(query: Mapping[str, str]) -> ListQuery:
    """What an address asks for; what makes no sense is left out."""

    def one_of(key: str, known: Iterable[str], usual: str = "") -> str:
        asked = query.get(key, usual)
        return asked if asked in known else usual

    page = query.get("page", "")
    return ListQuery(
        query.get("q", "").strip()[:MAX_TEXT],
        query.get("game", "")[:MAX_TEXT],
        one_of("verdict", VERDICTS),
        query.get("tag", "")[:MAX_TEXT],
        one_of("sort", SORTS, "changed"),
        one_of("place", PLACES),
        max(1, int(page)) if page.isascii() and page.isdigit() and len(page) < 7 else 1,
    )


@dataclass
class Found:
    """The lists of a place, those of them that were looked for, in order, and how many others were
    not judged yet, so that they may be missing or stand too far down.
    """

    entries: list[Entry]
    shown: list[Entry]
    verdicts: Verdicts
    waiting: int = 0


def find_lists(
    holder: str, wanted: ListQuery, library: Library, patience: float | None = None
) -> Found:
    """Look for lists. Beyond `patience`, in seconds, none more is judged. A few queries however
    many lists there are; more only where many must be judged.
    """
    entries = [Entry(one, library) for one in in_place(holder, wanted.place)]
    verdicts = Verdicts([entry.kept for entry in entries], library)
    found = Found(entries, [entry for entry in entries if _fits(entry, wanted)], verdicts)
    if wanted.text:
        books = _book_names(found.shown, holder)
        words = [_beginning(word) for word in wanted.text.split()]
        found.shown = [row for row in found.shown if _mentions(row, words, books)]
    if wanted.verdict or wanted.sort == "points":
        found.waiting = _judge(found, PATIENCE if patience is None else patience)
    if wanted.verdict:
        outcome = _OUTCOMES[wanted.verdict]
        found.shown = [row for row in found.shown if row.verdict and row.verdict.outcome == outcome]
    found.shown = _in_order(found.shown, wanted)
    return found


def in_place(holder: str, place: str) -> Iterable[ArmyList]:
    """The holder's lists in one of `PLACES`, the latest changed first."""
    lists = lists_of(holder, deleted=place == "deleted")
    if place == "deleted":
        return lists
    return lists.filter(archived__isnull=place != "archived")


def _judge(found: Found, patience: float) -> int:
    """Let the lists that were found know their verdicts; how many still do not."""
    for entry in found.shown:
        entry.verdict = found.verdicts.known(entry.kept)
    waiting = [entry for entry in found.shown if entry.verdict is None]
    end = time.perf_counter() + patience
    while waiting and time.perf_counter() < end:
        now, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        versions = versions_of([entry.kept for entry in now])
        for entry in now:
            version = versions.get(entry.kept.pk)
            if version is not None:
                report = _report(version, entry.library)
                entry.verdict = found.verdicts.judged(entry.kept, report)
    found.verdicts.store()
    return len(waiting)


def versions_of(lists: list[ArmyList]) -> dict[UUID, Version]:
    """The versions that the rows of lists tell of, by the lists' ids."""
    keys = [one.facts_of for one in lists if one.facts_of is not None]
    versions = Version.objects.filter(pk__in=keys).select_related("army_list")
    return {one.army_list_id: one for one in versions.prefetch_related("bundle")}


def _report(version: Version, library: Library) -> Report | None:
    try:
        return judge(version.document, library).report
    except Refusal:
        return None


def _in_order(found: list[Entry], wanted: ListQuery) -> list[Entry]:
    """The lists in the order that is wanted, the pinned ones before all others."""
    _name, by, backwards = SORTS[wanted.sort]
    found = sorted(found, key=by, reverse=backwards)
    if wanted.text and wanted.sort == ListQuery().sort:
        # Who types a name looks for the list of that name.
        named = _beginning(" ".join(wanted.text.split()))
        found.sort(key=lambda row: named.search(row.name.casefold()) is None)
    return sorted(found, key=lambda row: not row.kept.pinned)


def _fits(row: Entry, wanted: ListQuery) -> bool:
    tags = {tag.casefold() for tag in row.tags}
    game = not wanted.game or row.game == wanted.game
    return game and (not wanted.tag or wanted.tag.casefold() in tags)


def _beginning(text: str) -> re.Pattern[str]:
    """Finds the text, in small letters, where a word begins with it; a number only as a whole, so
    that "2" is not found in 2023. Scripts that write words without spaces have no such places.
    """
    text = text.casefold()
    before = "" if text[0] >= _UNSPACED else r"(?<![^\W_])"
    after = r"(?!\d)" if text[-1].isdigit() else ""
    return re.compile(f"{before}{re.escape(text)}{after}")


def _mentions(row: Entry, words: list[re.Pattern[str]], books: Mapping[str, str]) -> bool:
    """Whether each word stands in its name, game, books, tags or notes."""
    own = (books.get(book, book) for book in row.books)
    told = (row.name, row.game_name, row.notes, *row.tags, *own)
    text = "\n".join(told).casefold()
    return all(word.search(text) for word in words)


def _book_names(rows: list[Entry], holder: str) -> dict[str, str]:
    """What books are called, by id: the shipped ones of these lists' games, and the holder's."""
    own = OwnBook.objects.filter(holder=holder).exclude(holder="")
    names = dict(own.values_list("pk", "name"))
    for game in {row.game for row in rows}:
        shipped = rows[0].library.books.get(game, {})
        names |= {book.id: book.name for book in shipped.values()}
    return names
