"""What the page of a player's lists shows: a page of those that were looked for.

The lists that the page shows are judged; the others are not.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _

from armybuilder.books.models import OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.engine import Report
from armybuilder.lists.models import ArmyList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.page import JudgedVersion
from armybuilder.pages.my_lists.finding import (
    PLACES,
    VERDICTS,
    Entry,
    Found,
    ListQuery,
    find_lists,
    game_name,
    versions_of,
)

PER_PAGE = 30
#: Seconds that all lists may be judged for, where something is done with all that are found.
PATIENCE = 2.0


class ListRow(JudgedVersion):
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
        return game_name(self.game, self.library)

    @property
    def tags(self) -> list[str]:
        tags: list[str] = self.kept.tags
        return tags


@dataclass(frozen=True, slots=True)
class FilterChoice:
    """Something to filter by: its key, its name, and how many lists it would leave."""

    key: str
    name: str
    number: int
    chosen: bool


@dataclass(frozen=True, slots=True)
class Overview:
    """A page of lists. `found` of `total` are shown on `last` pages; `waiting` others were not
    judged yet and may belong to them. The choices count the lists of the place; `numbers` says how
    many there are in each place.
    """

    rows: list[ListRow]
    found: int
    waiting: int
    total: int
    page: int
    last: int
    games: list[FilterChoice]
    tags: list[FilterChoice]
    verdicts: list[FilterChoice]
    places: list[FilterChoice]


def make_overview(holder: str, wanted: ListQuery, library: Library) -> Overview:
    """The holder's lists as they are wanted. A few queries, however many lists."""
    found = find_lists(holder, wanted, library)
    last = max(1, -(-len(found.shown) // PER_PAGE))
    page = min(wanted.page, last)
    here = list(_rows(found.shown[(page - 1) * PER_PAGE : page * PER_PAGE], library))
    if wanted.place != "deleted":
        _note_verdicts(found, here)
    _tell_changed(here, holder)
    return Overview(
        here,
        len(found.shown),
        found.waiting,
        len(found.entries),
        page,
        last,
        _games(found.entries, wanted),
        _tags(found.entries, wanted),
        [FilterChoice(key, str(name), 0, key == wanted.verdict) for key, name in VERDICTS.items()],
        _places(holder, wanted),
    )


def _rows(entries: list[Entry], library: Library) -> Iterator[ListRow]:
    versions = versions_of([entry.kept for entry in entries])
    for entry in entries:
        version = versions.get(entry.kept.pk)
        if version is not None:  # else another window changed it since, and removed the version
            yield ListRow(version, library)


def _note_verdicts(found: Found, rows: list[ListRow]) -> None:
    """Keep the verdicts that the page shows, as far as they are new."""
    kept = {entry.kept.pk: entry.kept for entry in found.entries}
    for row in rows:
        found.verdicts.judged(kept[row.kept.pk], row.judged)
    found.verdicts.store()


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
    """The ids of all lists that are wanted, on whatever page, in order. Raises Refusal where not
    all could be judged that must be.
    """
    found = find_lists(holder, wanted, library, PATIENCE)
    if found.waiting:
        said = _("Not all of your lists could be checked yet. Try again in a moment.")
        raise Refusal(said)
    return [entry.kept.pk for entry in found.shown]


def _games(rows: list[Entry], wanted: ListQuery) -> list[FilterChoice]:
    numbers = Counter(row.game for row in rows)
    names = {row.game: row.game_name for row in rows}
    return [
        FilterChoice(game, name, numbers[game], game == wanted.game)
        for game, name in sorted(names.items(), key=lambda pair: pair[1])
    ]


def _tags(rows: list[Entry], wanted: ListQuery) -> list[FilterChoice]:
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
