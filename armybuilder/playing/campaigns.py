"""Campaign of a list: its matches, and changes of its models between them."""

from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, NamedTuple

from django.core.exceptions import ValidationError
from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.lists.models import ArmyList
from armybuilder.loading.problems import Refusal
from armybuilder.playing.models import CampaignEntry, Match
from armybuilder.writable import count_bytes

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
