"""Games at the table that an account keeps, matches and campaigns: writes and reads, bounded."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple
from uuid import UUID, uuid5

from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.lists.models import ArmyList
from armybuilder.loading.jsontext import canonical_json, parse_json
from armybuilder.loading.problems import Refusal
from armybuilder.playing.models import CampaignEntry, KeptGame, Match
from armybuilder.sheets.content.printable import one_line
from armybuilder.writable import count_bytes

#: Games and matches of a holder, and bytes of a game.
MOST_GAMES, MOST_MATCHES, MAX_GAME = 60, 2000, 250_000
#: Letters of the key of a game, and the largest number of its changes.
MAX_KEY, MAX_NUMBER = 120, 2**31 - 1
#: Bytes of both lists of a match.
MAX_SIDES = 120_000
#: Lines of a list in a match, letters of each, and how deep its JSON nests (lists, list, lines).
MAX_LINES, MAX_LINE, MAX_DEPTH = 400, 300, 3

#: Columns of a match that a form or a file fills as they are.
MATCH_FIELDS = (
    *("day", "opponent", "opponent_book", "scenario", "result"),
    *("points", "opponent_points", "notes"),
)


class GameConflict(Exception):
    """Another device has changed the game since: `kept` is the game now."""

    def __init__(self, kept: KeptGame) -> None:
        super().__init__("changed elsewhere")
        self.kept = kept


def kept_game(holder: str, key: str) -> KeptGame | None:
    """Return the game that an account keeps under a key."""
    return KeptGame.objects.filter(holder=holder, key=key).first()


@transaction.atomic
def keep_game(holder: str, key: str, number: int, data: Any) -> int:
    """Keep a game that had the `number` before; return its new one.

    Raises GameConflict where another device has kept it since.
    """
    mine = KeptGame.objects.select_for_update().filter(holder=holder)
    kept = mine.filter(key=key).first()
    if kept is None:
        for old in mine.order_by("-changed").values_list("pk", flat=True)[MOST_GAMES - 1 :]:
            KeptGame.objects.filter(pk=old).delete()
        kept = KeptGame(holder=holder, key=key, number=number)
    elif kept.number != number:
        raise GameConflict(kept)
    kept.number, kept.data = number + 1, data
    kept.save()
    return kept.number


def read_sides(text: str) -> list[dict[str, Any]]:
    """Return the lists of a match as a page wrote them. Raises Refusal for anything else."""
    try:
        return _sides(parse_json((text or "[]").encode(), None, MAX_DEPTH))
    except Refusal as refusal:
        raise Refusal(_("We can’t read the lists of this match.")) from refusal


def _sides(sides: Any) -> list[dict[str, Any]]:
    wrong = Refusal(_("We can’t read the lists of this match."))
    if not isinstance(sides, list) or len(sides) > 2:
        raise wrong
    read = [_side(side, wrong) for side in sides]
    if len(canonical_json({"sides": read})) > MAX_SIDES:
        raise wrong
    return read


def _side(side: Any, wrong: Refusal) -> dict[str, Any]:
    if not isinstance(side, dict):
        raise wrong
    texts = {key: side.get(key, "") for key in ("name", "about", "hash")}
    lists = {key: side.get(key, []) for key in ("books", "lines")}
    if not all(isinstance(one, list) and len(one) <= MAX_LINES for one in lists.values()):
        raise wrong
    if not all(isinstance(one, str) for one in (*texts.values(), *lists["books"], *lists["lines"])):
        raise wrong
    return {
        **{key: one_line(one)[:MAX_LINE] for key, one in texts.items()},
        **{key: [one_line(line)[:MAX_LINE] for line in one] for key, one in lists.items()},
    }


def keep_match(match: Match) -> None:
    """Keep a match. Raises Refusal where its holder has too many."""
    if Match.objects.filter(holder=match.holder).count() >= MOST_MATCHES:
        text = _("There are already {most} matches. Delete one first.")
        raise Refusal(text.format(most=MOST_MATCHES))
    count_bytes(len(canonical_json({"sides": match.sides})) + len(match.notes))
    match.save()


def bring_match(holder: str, facts: Mapping[str, Any], created: datetime) -> bool:
    """Add a match from elsewhere; return whether it is new. Raises Refusal for an invalid one."""
    # Files of before have no scenario and no points of the list.
    columns = {key: facts.get(key) for key in (*MATCH_FIELDS, "list_points")}
    columns["scenario"] = facts.get("scenario", "")
    match = Match(holder=holder, sides=_sides(facts.get("sides")), **columns)
    try:
        match.clean_fields()
        match.pk = uuid5(UUID(str(facts.get("id"))), holder)
    except (ValidationError, ValueError) as error:
        raise Refusal(_("We can’t read this match.")) from error
    if Match.objects.filter(holder=holder, pk__in=(match.pk, str(facts.get("id")))).exists():
        return False
    list_id = str(facts.get("list") or "")
    mine = ArmyList.objects.filter(holder=holder)
    match.army_list = next((one for one in mine.only("pk") if str(one.pk) == list_id), None)
    keep_match(match)
    Match.objects.filter(pk=match.pk).update(created=created)
    return True


def move_games(old: str, new: str, **_signal: Any) -> int:
    """Give one holder's games to another, who keeps games already there; return how many."""
    theirs = KeptGame.objects.filter(holder=new).values("key")
    moving = KeptGame.objects.filter(holder=old)
    moving.filter(key__in=list(theirs.values_list("key", flat=True))).delete()
    return moving.update(holder=new)


class MatchTally(NamedTuple):
    """Numbers of matches played, won, drawn and lost."""

    name: str
    played: int
    won: int
    drawn: int
    lost: int


def tallies_of(matches: list[Match]) -> list[MatchTally]:
    """Return the tally of all matches, then those against each book of opponents, by name."""
    by_book: dict[str, list[Match]] = {}
    for match in matches:
        by_book.setdefault(match.opponent_book, []).append(match)
    books = sorted(by_book.items(), key=lambda item: (not item[0], item[0].casefold()))
    named = [(book or _("Unknown book"), those) for book, those in books]
    return [_tally(name, those) for name, those in [(_("All matches"), matches), *named]]


def _tally(name: str, matches: list[Match]) -> MatchTally:
    number: Mapping[str, int] = {
        result: sum(match.result == result for match in matches) for result in Match.Result.values
    }
    return MatchTally(name, len(matches), number["won"], number["drawn"], number["lost"])


#: Entries of a list.
MOST_ENTRIES = 500
#: Columns of an entry that a form or a file fills as they are.
ENTRY_FIELDS = ("day", "kind", "model", "text", "price_before", "price_after", "treasure")
_FILE_FIELDS = (*ENTRY_FIELDS, "points", "created")


class CampaignStep(NamedTuple):
    """A match or an entry of a campaign, with the list's points then; None where not known."""

    day: date
    created: datetime
    points: int | None
    match: Match | None = None
    entry: CampaignEntry | None = None


def steps_of(army_list: ArmyList) -> list[CampaignStep]:
    """Return matches and entries of a list in the order in which they happened: two queries."""
    return sorted(_steps(army_list), key=lambda step: (step.day, step.created))


def _steps(army_list: ArmyList) -> Iterator[CampaignStep]:
    for match in Match.objects.filter(army_list=army_list, holder=army_list.holder):
        yield CampaignStep(match.day, match.created, match.list_points, match=match)
    for entry in army_list.campaign.all():
        yield CampaignStep(entry.day, entry.created, entry.points, entry=entry)


def keep_entry(entry: CampaignEntry) -> None:
    """Keep an entry. Raises Refusal where its list has too many."""
    if entry.army_list.campaign.count() >= MOST_ENTRIES:
        text = _("This campaign already has {most} entries. Delete one first.")
        raise Refusal(text.format(most=MOST_ENTRIES))
    store_entries([entry])


def store_entries(entries: Sequence[CampaignEntry]) -> None:
    """Store entries of lists, counted as bytes of who brings them. Raises Refusal for too many."""
    count_bytes(sum(len(entry.text) + len(entry.model) for entry in entries))
    CampaignEntry.objects.bulk_create(entries)


def treasure_of(army_list: ArmyList) -> int:
    return int(army_list.campaign.aggregate(all=Sum("treasure"))["all"] or 0)


def entry_data(entry: CampaignEntry) -> dict[str, Any]:
    """Return an entry as a file has it."""
    fields = {field: getattr(entry, field) for field in _FILE_FIELDS}
    return {**fields, "day": entry.day.isoformat()}


def read_entries(data: Any) -> list[CampaignEntry]:
    """Return the entries of a file, of no list yet. Raises Refusal for invalid ones."""
    wrong = Refusal(_("We can’t read the campaign of this list."))
    if not isinstance(data, list) or len(data) > MOST_ENTRIES:
        raise wrong
    entries = []
    for facts in data:
        try:
            entry = CampaignEntry(**{key: facts.get(key) for key in _FILE_FIELDS})
            entry.clean_fields(exclude=["army_list"])
        except (AttributeError, TypeError, ValidationError, ValueError) as error:
            raise wrong from error
        entries.append(entry)
    return entries
