"""What the page of a player's lists shows: those that were looked for, in order, a page of them.

A list is judged only where it is shown, or where something is asked of all verdicts.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.books.models import OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.engine import Report
from armybuilder.engine.verdict import Outcome
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number
from armybuilder.pages.builder.page import BuilderPage

PER_PAGE = 30
MAX_TEXT = 80
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


class ListRow(BuilderPage):
    """A list as the page shows it; `changed` is how many of its pinned books differ now."""

    changed = 0

    @cached_property
    def judged(self) -> Report | None:
        """None: its game is not here any more, or wants what the list does not say."""
        try:
            return self.report
        except Refusal:
            return None

    @property
    def kept(self) -> ArmyList:
        return self.version.army_list

    @property
    def name(self) -> str:
        return self.document.name

    @property
    def game(self) -> str:
        """The id of its game."""
        return self.document.system

    @property
    def game_name(self) -> str:
        system = self.library.systems.get(self.game)
        return system.name if system else self.game

    @property
    def points(self) -> int:
        return self.judged.spent if self.judged else -1

    @property
    def tags(self) -> list[str]:
        tags: list[str] = self.kept.tags
        return tags


#: Orders of the lists, by what an address calls them: their names, and what they go by.
SORTS: dict[str, tuple[Any, Callable[[ListRow], Any], bool]] = {
    "changed": (_lazy("last changed"), lambda row: row.kept.updated, True),
    "made": (_lazy("last made"), lambda row: row.kept.created, True),
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
    """Return what an address asks for; what makes no sense is left out."""

    def one_of(key: str, known: Iterable[str], usual: str = "") -> str:
        asked = query.get(key, usual)
        return asked if asked in known else usual

    return ListQuery(
        query.get("q", "").strip()[:MAX_TEXT],
        query.get("game", "")[:MAX_TEXT],
        one_of("verdict", VERDICTS),
        query.get("tag", "")[:MAX_TEXT],
        one_of("sort", SORTS, "changed"),
        one_of("place", PLACES),
        max(1, whole_number(query.get("page", ""), 6)),
    )


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """Something to filter by: its key, its name, and how many lists it would leave."""

    key: str
    name: str
    number: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """A page of lists, `found` of `total` on `last` pages; choices count the lists of the place."""

    rows: list[ListRow]
    found: int
    total: int
    page: int
    last: int
    games: list[FilterChoice]
    tags: list[FilterChoice]
    verdicts: list[FilterChoice]
    places: list[FilterChoice]


def make_overview(holder: str, wanted: ListQuery, library: Library) -> Overview:
    """Return the holder's lists as they are wanted. Four queries at most, however many lists."""
    rows = [ListRow(version, library) for version in in_place(holder, wanted.place)]
    shown = _found(rows, wanted, holder)
    last = max(1, -(-len(shown) // PER_PAGE))
    page = min(wanted.page, last)
    here = shown[(page - 1) * PER_PAGE : page * PER_PAGE]
    _tell_changed(here, holder)
    return Overview(
        here,
        len(shown),
        len(rows),
        page,
        last,
        _games(rows, wanted),
        _tags(rows, wanted),
        [FilterChoice(key, str(name), 0, key == wanted.verdict) for key, name in VERDICTS.items()],
        _places(holder, wanted),
    )


def _tell_changed(rows: list[ListRow], holder: str) -> None:
    """Tell lists how many of their books have changed; only own books are asked the database."""
    named = {book.id for row in rows for book in row.document.books}
    own = {book_id for book_id in named if is_own_id(book_id)}
    mine = OwnBook.objects.filter(pk__in=own, holder=holder, deleted__isnull=True)
    now = dict(mine.exclude(holder="").values_list("pk", "revision")) if own else {}
    for row in rows:
        shipped = row.library.books.get(row.game, {})
        revisions = now | {book.id: book.revision for book in shipped.values()}
        pinned = ((book.id, book.revision) for book in row.document.books)
        row.changed = sum(had not in ("", revisions.get(one, had)) for one, had in pinned)


def found_ids(holder: str, wanted: ListQuery, library: Library) -> list[UUID]:
    """Return the ids of all lists that are wanted, on whatever page, in order."""
    rows = [ListRow(version, library) for version in in_place(holder, wanted.place)]
    return [row.kept.pk for row in _found(rows, wanted, holder)]


def in_place(holder: str, place: str) -> Iterable[Version]:
    """Return the current versions of the holder's lists in one of `PLACES`."""
    versions = current_versions(holder, deleted=place == "deleted")
    if place == "deleted":
        return versions
    return versions.filter(army_list__archived__isnull=place != "archived")


def _found(rows: list[ListRow], wanted: ListQuery, holder: str) -> list[ListRow]:
    """Return those that were looked for, in order, the pinned ones before all others."""
    _name, by, backwards = SORTS[wanted.sort]
    found = [row for row in rows if _fits(row, wanted)]
    if wanted.text:
        books = _book_names(found, holder)
        words = [_beginning(word) for word in wanted.text.split()]
        found = [row for row in found if _mentions(row, words, books)]
    if wanted.verdict:
        judged = [row for row in found if row.judged is not None]
        found = [row for row in judged if row.report.outcome is _OUTCOMES[wanted.verdict]]
    found.sort(key=by, reverse=backwards)
    if wanted.text and wanted.sort == ListQuery().sort:
        # Who types a name looks for the list of that name.
        named = _beginning(" ".join(wanted.text.split()))
        found.sort(key=lambda row: named.search(row.name.casefold()) is None)
    return sorted(found, key=lambda row: not row.kept.pinned)


def _fits(row: ListRow, wanted: ListQuery) -> bool:
    tags = {tag.casefold() for tag in row.tags}
    game = not wanted.game or row.game == wanted.game
    return game and (not wanted.tag or wanted.tag.casefold() in tags)


def _beginning(text: str) -> re.Pattern[str]:
    """Return what finds the text where a word begins; a number only as a whole ("2" is not found in
    2023). Scripts without spaces have no such places.
    """
    text = text.casefold()
    before = "" if text[0] >= _UNSPACED else r"(?<![^\W_])"
    after = r"(?!\d)" if text[-1].isdigit() else ""
    return re.compile(f"{before}{re.escape(text)}{after}")


def _mentions(row: ListRow, words: list[re.Pattern[str]], books: Mapping[str, str]) -> bool:
    """Return whether each word stands in its name, game, books, tags or notes."""
    own = (books.get(book.id, book.id) for book in row.document.books)
    told = (row.name, row.game_name, row.notes, *row.tags, *own)
    text = "\n".join(told).casefold()
    return all(word.search(text) for word in words)


def _book_names(rows: list[ListRow], holder: str) -> dict[str, str]:
    """What books are called, by id: the shipped ones of these lists' games, and the holder's."""
    own = OwnBook.objects.filter(holder=holder).exclude(holder="")
    names = dict(own.values_list("pk", "name"))
    for game in {row.game for row in rows}:
        shipped = rows[0].library.books.get(game, {})
        names |= {book.id: book.name for book in shipped.values()}
    return names


def _games(rows: list[ListRow], wanted: ListQuery) -> list[FilterChoice]:
    numbers = Counter(row.game for row in rows)
    names = {row.game: row.game_name for row in rows}
    return [
        FilterChoice(game, name, numbers[game], game == wanted.game)
        for game, name in sorted(names.items(), key=lambda pair: pair[1])
    ]


def _tags(rows: list[ListRow], wanted: ListQuery) -> list[FilterChoice]:
    """The tags of these lists in the order of the alphabet, written as on the latest of them."""
    numbers = Counter(tag.casefold() for row in rows for tag in row.tags)
    names = {tag.casefold(): tag for row in reversed(rows) for tag in row.tags}
    chosen = wanted.tag.casefold()
    return [
        FilterChoice(names[key], names[key], numbers[key], key == chosen) for key in sorted(names)
    ]


def _places(holder: str, wanted: ListQuery) -> list[FilterChoice]:
    here = Q(deleted__isnull=True)
    numbers = (
        ArmyList.objects.filter(holder=holder)
        .exclude(holder="")
        .aggregate(
            all=Count("pk", filter=here & Q(archived__isnull=True)),
            archived=Count("pk", filter=here & Q(archived__isnull=False)),
            deleted=Count("pk", filter=~here),
        )
    )
    return [
        FilterChoice(key, str(name), numbers[key or "all"], key == wanted.place)
        for key, name in PLACES.items()
    ]
