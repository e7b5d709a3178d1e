"""Search among a player's lists: the query in a URL, and its page.

It uses the summaries kept with lists: only documents on the page are read, and another list is
checked only if points or verdicts are asked for and no valid ones are kept.
"""

import re
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Count, Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _lazy

from armybuilder.books.models import OwnBook
from armybuilder.books.paths import is_own_id
from armybuilder.collection.selectors import collections_of, game_of_models
from armybuilder.engine import Report
from armybuilder.engine.verdict import Outcome, outcome_words
from armybuilder.events.building import event_names
from armybuilder.lists.forces import verdict_of
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import lists_of
from armybuilder.lists.summaries import FROM_FILES, KeptVerdicts, Verdict
from armybuilder.loading.documents import judge
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import whole_number
from armybuilder.pages.builder.page import JudgedVersion
from armybuilder.solving.owned import owned_on_cards

MAX_TEXT = 80
PER_PAGE = 30
#: Seconds that one page may judge lists besides those it shows; the next page goes on from there.
#: And seconds for all lists, if something is done with all that are found.
PATIENCE, PATIENCE_WITH_ALL = 0.1, 2.0
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
_OUTCOMES = {"legal": Outcome.LEGAL, "unchecked": Outcome.UNCHECKED, "not-legal": Outcome.ILLEGAL}


class ListEntry:
    """A list by the facts in its row; `game` and `books` are ids."""

    def __init__(self, kept: ArmyList, library: Library) -> None:
        self.kept = kept
        self.name, self.notes, self.game = kept.name or "", kept.notes or "", kept.system or ""
        self.game_name = _game_name(self.game, library)
        self.tags: list[str] = kept.tags
        self.books = [book for book, _pinned in kept.books or ()]
        self.verdict: Verdict | None = None

    @property
    def points(self) -> int:
        """Points it adds up to; -1 if it cannot be judged, less if it was not yet."""
        return self.verdict.points if self.verdict else -2


def _game_name(game: str, library: Library) -> str:
    """Return a game's name by its id; the id if the game is gone."""
    if game.startswith(FROM_FILES):
        return game.removeprefix(FROM_FILES)
    system = library.find_system(game)
    return system.name if system else game


#: Orders of the lists by their key in an address: names, and sort keys.
SORTS: dict[str, tuple[Any, Callable[[ListEntry], Any], bool]] = {
    "changed": (_lazy("last changed"), lambda row: row.kept.updated, True),
    "made": (_lazy("last created"), lambda row: row.kept.created, True),
    "name": (_lazy("name"), lambda row: row.name.casefold(), False),
    "game": (_lazy("game"), lambda row: (row.game_name, row.name.casefold()), False),
    "points": (_lazy("most points"), lambda row: row.points, True),
}


class ListQuery(NamedTuple):
    text: str = ""
    game: str = ""
    verdict: str = ""
    tag: str = ""
    sort: str = "changed"
    place: str = ""
    page: int = 1

    @property
    def filtering(self) -> bool:
        return any((self.text, self.game, self.verdict, self.tag))

    @property
    def query(self) -> str:
        pairs = zip(self._fields, self, ListQuery(), strict=True)
        names = {"text": "q"}
        return urlencode(
            {names.get(key, key): value for key, value, usual in pairs if value != usual}
        )


def read_wanted(query: Mapping[str, str]) -> ListQuery:
    """Return the query of an address; invalid values are ignored."""

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


@dataclass
class Found:
    """Lists of a place, those looked for in order, and how many were not judged yet."""

    entries: list[ListEntry]
    shown: list[ListEntry]
    verdicts: KeptVerdicts
    waiting: int = 0


def find_lists(holder: str, wanted: ListQuery, library: Library, patience: float) -> Found:
    """Look for lists. Beyond `patience`, in seconds, none more is judged."""
    rows = lists_of(holder, deleted=wanted.place == "deleted")
    if wanted.place != "deleted":
        rows = rows.filter(archived__isnull=wanted.place != "archived")
    entries = [ListEntry(row, library) for row in rows]
    verdicts = KeptVerdicts([entry.kept for entry in entries], library)
    shown = [
        entry
        for entry in entries
        if wanted.game in ("", entry.game)
        and (not wanted.tag or wanted.tag.casefold() in map(str.casefold, entry.tags))
    ]
    lists = Found(entries, shown, verdicts)
    if wanted.text:
        books = _book_names(lists.shown, holder, library)
        words = [_beginning(word) for word in wanted.text.split()]
        lists.shown = [row for row in lists.shown if _mentions(row, words, books)]
    if wanted.verdict or wanted.sort == "points":
        lists.waiting = _judge(lists, library, patience)
    if wanted.verdict:
        outcome = _OUTCOMES[wanted.verdict]
        lists.shown = [row for row in lists.shown if row.verdict and row.verdict.outcome == outcome]
    _name, by, backwards = SORTS[wanted.sort]
    lists.shown.sort(key=by, reverse=backwards)
    if wanted.text and wanted.sort == ListQuery().sort:
        # Who types a name looks for the list of that name.
        named = _beginning(" ".join(wanted.text.split()))
        lists.shown.sort(key=lambda row: named.search(row.name.casefold()) is None)
    lists.shown.sort(key=lambda row: not row.kept.pinned)
    return lists


def _judge(lists: Found, library: Library, patience: float) -> int:
    """Give the lists that were found their verdicts; return how many still have none."""
    for entry in lists.shown:
        entry.verdict = lists.verdicts.known(entry.kept)
    waiting = [entry for entry in lists.shown if entry.verdict is None]
    end = time.perf_counter() + patience
    while waiting and time.perf_counter() < end:
        now, waiting = waiting[:_AT_ONCE], waiting[_AT_ONCE:]
        versions = versions_of([entry.kept for entry in now])
        for entry in now:
            version = versions.get(entry.kept.pk)
            if version is not None:
                entry.verdict = lists.verdicts.judged(entry.kept, _report_on(version, library))
    lists.verdicts.store()
    return len(waiting)


def _report_on(version: Version, library: Library) -> Report | Verdict | None:
    """Return the verdict on a version; None if its game is gone."""
    if isinstance(version.content, ForceList):
        return verdict_of(version)
    try:
        return judge(version.content, library).report
    except Refusal:
        return None


def versions_of(lists: list[ArmyList]) -> dict[UUID, Version]:
    keys = [one.facts_of for one in lists if one.facts_of is not None]
    versions = Version.objects.filter(pk__in=keys).select_related("army_list")
    return {one.army_list_id: one for one in versions.prefetch_related("bundle")}


def _beginning(text: str) -> re.Pattern[str]:
    """Return a pattern that finds the text, in small letters, at the beginning of a word.

    A number is found only as a whole, so that "2" isn't found in 2023. Scripts without spaces
    between words have no such places.
    """
    text = text.casefold()
    before = "" if text[0] >= _UNSPACED else r"(?<![^\W_])"
    after = r"(?!\d)" if text[-1].isdigit() else ""
    return re.compile(f"{before}{re.escape(text)}{after}")


def _mentions(row: ListEntry, words: list[re.Pattern[str]], books: Mapping[str, str]) -> bool:
    """Return whether each word is in its name, game, books, tags or notes."""
    own = (books.get(book, book) for book in row.books)
    text = "\n".join((row.name, row.game_name, row.notes, *row.tags, *own)).casefold()
    return all(word.search(text) for word in words)


def _book_names(rows: list[ListEntry], holder: str, library: Library) -> dict[str, str]:
    """Return names of books, by id: the shipped ones of these lists' games, and the holder's."""
    own = OwnBook.objects.filter(holder=holder).exclude(holder="")
    names = dict(own.values_list("pk", "name"))
    for game in {row.game for row in rows}:
        names |= {book.id: book.name for book in library.books.get(game, {}).values()}
    return names


#: Colours of games in lists.css.
HUES = 6


class ListRow(JudgedVersion):
    """List as the page shows it; `changed` is how many of its pinned books differ now.

    `event_name` is that of the event which it is built for, if it is for one; `missing` are its
    models that are not in the player's collection.
    """

    changed = 0
    event_name = ""
    missing: Sequence[str] = ()

    @cached_property
    def judged(self) -> Report | None:
        """The report; None if its game is gone, or needs something that the list lacks."""
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
    def game_name(self) -> str:
        return _game_name(self.document.system, self.library)

    @property
    def hue(self) -> int | None:
        """The number of the colour of its game, the same for all editions; None for an own game."""
        games = sorted({game.family or game.id for game in self.library.systems.values()})
        game = self.library.systems.get(self.document.system)
        return games.index(game.family or game.id) % HUES if game else None


class KeptReport(NamedTuple):
    """A stored verdict on a list of a community's files, in the form of any verdict."""

    spent: int
    limit: int | str
    outcome: Outcome
    reservation: str = ""

    @property
    def verdict(self) -> str:
        """The outcome in a few words."""
        if self.outcome is Outcome.UNCHECKED:
            return _("Legal as far as checked")
        return outcome_words(self.outcome is Outcome.LEGAL, 0)


class FilesRow:
    """List of a community's files as the page shows it; `judged` is None if its files are gone."""

    changed = 0
    event_name = ""
    missing: Sequence[str] = ()
    hue = None

    def __init__(self, version: Version, document: ForceList, verdict: Verdict | None) -> None:
        self.version = version
        self.kept = version.army_list
        self.name = document.name
        self.game_name = document.game.name
        self.verdict = verdict
        limits = (limit for limit in document.limits.values() if limit >= 0)
        self.judged = None
        if verdict is not None and verdict.outcome:
            limit = next(limits, "–")
            self.judged = KeptReport(verdict.points, limit, Outcome(verdict.outcome))

    @property
    def report(self) -> KeptReport | None:
        return self.judged


def make_row(
    version: Version, library: Library, verdicts: KeptVerdicts | None = None
) -> ListRow | FilesRow:
    """Return a list as pages of many lists show it; `verdicts` are those that are kept."""
    if not isinstance(version.content, ForceList):
        return ListRow(version, library)
    verdicts = verdicts or KeptVerdicts([version.army_list], library)
    known = verdicts.known(version.army_list)
    return FilesRow(version, version.content, known or verdict_of(version))


class FilterChoice(NamedTuple):
    """Something to filter by: its key, its name, and how many lists it would leave."""

    key: str
    name: str
    number: int
    chosen: bool


def make_overview(holder: str, wanted: ListQuery, library: Library) -> dict[str, Any]:
    """Return the holder's lists for a query. A few database queries for any number of lists.

    Of `total`, `found` are shown on `last` pages; `waiting` others weren't checked yet and may
    belong to them. The choices count the lists of the place, or those in each place.
    """
    lists = find_lists(holder, wanted, library, PATIENCE)
    last = max(1, -(-len(lists.shown) // PER_PAGE))
    page = min(wanted.page, last)
    here = [entry.kept for entry in lists.shown[(page - 1) * PER_PAGE : page * PER_PAGE]]
    versions = versions_of(here)
    # Another window may have changed a list since, and removed the version.
    rows = [
        make_row(versions[one.pk], library, lists.verdicts) for one in here if one.pk in versions
    ]
    if wanted.place != "deleted":
        kept = {one.pk: one for one in here}
        for row in rows:
            report = row.verdict if isinstance(row, FilesRow) else row.judged
            lists.verdicts.judged(kept[row.kept.pk], report)
        lists.verdicts.store()
    _count_changed_books(rows, holder)
    _find_missing(rows, holder)
    names = event_names([row.kept.pk for row in rows if row.kept.pack_id])
    for row in rows:
        row.event_name = names.get(row.kept.pk, "")
    return {
        "rows": rows,
        "found": len(lists.shown),
        "waiting": lists.waiting,
        "total": len(lists.entries),
        "page": page,
        "last": last,
        "games": _games(lists.entries, wanted),
        "tags": _tags(lists.entries, wanted),
        "verdicts": [
            FilterChoice(key, str(name), 0, key == wanted.verdict) for key, name in VERDICTS.items()
        ],
        "places": _places(holder, wanted),
    }


def _count_changed_books(every: Iterable[ListRow | FilesRow], holder: str) -> None:
    """Give lists the number of their books that have changed; the database knows own books."""
    rows = [row for row in every if isinstance(row, ListRow)]
    own = {book.id for row in rows for book in row.document.books if is_own_id(book.id)}
    mine = OwnBook.objects.filter(pk__in=own, holder=holder, deleted__isnull=True)
    now = dict(mine.exclude(holder="").values_list("pk", "revision")) if own else {}
    for row in rows:
        shipped = row.library.books.get(row.document.system, {})
        revisions = now | {book.id: book.revision for book in shipped.values()}
        row.changed = sum(
            book.revision not in ("", revisions.get(book.id, book.revision))
            for book in row.document.books
        )


def _find_missing(every: Iterable[ListRow | FilesRow], holder: str) -> None:
    """Give lists of games that the holder has a collection for the models missing from it."""
    rows = [row for row in every if isinstance(row, ListRow) and row.judged is not None]
    games = {row.version.pk: game_of_models(row.system) for row in rows}
    collections = collections_of(holder, set(games.values())) if games else {}
    for row in rows:
        if collection := collections.get(games[row.version.pk]):
            row.missing = row.beyond({**owned_on_cards(row.catalogue), **collection})


def found_ids(holder: str, wanted: ListQuery, library: Library) -> list[UUID]:
    """Return the ids of all lists wanted. Raises Refusal if not all could be judged."""
    found = find_lists(holder, wanted, library, PATIENCE_WITH_ALL)
    if found.waiting:
        raise Refusal(_("Not all of your lists could be checked yet. Try again in a moment."))
    return [entry.kept.pk for entry in found.shown]


def _games(rows: list[ListEntry], wanted: ListQuery) -> list[FilterChoice]:
    numbers = Counter(row.game for row in rows)
    names = {row.game: row.game_name for row in rows}
    return [
        FilterChoice(game, name, numbers[game], game == wanted.game)
        for game, name in sorted(names.items(), key=lambda pair: pair[1])
    ]


def _tags(rows: list[ListEntry], wanted: ListQuery) -> list[FilterChoice]:
    """Return the tags of these lists by the alphabet, written as on the latest of them."""
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
