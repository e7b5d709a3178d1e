"""Lists of a game moved to another set of its files: preview of the changes, and moving."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.carrying import Carried, carry
from armybuilder.battlescribe.files.documents import game_name
from armybuilder.games.opening import open_book, open_game
from armybuilder.lists.forces import keep_verdict
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, lock
from armybuilder.lists.services import append
from armybuilder.lists.worked_out import WorkedOut, force_list_of, remember, work_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.problems import Refusal

#: Lists that are looked at together.
MOST_LISTS = 30


@dataclass(frozen=True)
class SetChange:
    """Effect of other files on a list: its costs before and after, new and settled findings.

    `carried` reports differences and losses, `refused` why they are unknown.
    """

    version: Version
    carried: Carried | None = None
    costs: tuple[str, str] = ("", "")
    new: tuple[str, ...] = ()
    solved: tuple[str, ...] = ()
    refused: str = ""

    @property
    def is_quiet(self) -> bool:
        """Whether nothing of the list changes but the files that it names."""
        carried = self.carried
        found = carried is not None and not carried.gone and not carried.by_name
        return found and self.costs[0] == self.costs[1] and not self.new and not self.solved


def lists_of_game(holder: str, key: str) -> list[Version]:
    """Return the holder's lists of a kept game, the last changed first."""
    return list(current_versions(holder).filter(document__game__key=key)[:MOST_LISTS])


def changes_of(holder: str, key: str, newer: str) -> list[SetChange]:
    """Return the changes of the holder's lists of a game with another set of its files."""
    return [_change(version, newer) for version in lists_of_game(holder, key)]


def _change(version: Version, newer: str) -> SetChange:
    document = force_list_of(version.content)
    try:
        carried = _carried(document, newer)
        before, after = work_out(document), work_out(carried.document)
    except Refusal as refusal:
        return SetChange(version, refused=refusal.sentence)
    was, will = _findings(before), _findings(after)
    return SetChange(
        version,
        carried,
        (_costs(before), _costs(after)),
        tuple(sentence for sentence in will if sentence not in was),
        tuple(sentence for sentence in was if sentence not in will),
    )


def _carried(document: ForceList, newer: str) -> Carried:
    game = open_game(newer)
    return carry(document, game_name(newer, game), game, partial(open_book, newer))


def _findings(one: WorkedOut) -> tuple[str, ...]:
    """Return the findings without the names of the files, which have another revision."""
    return tuple(dict.fromkeys(finding.sentence for finding in one.teller.findings()))


def _costs(one: WorkedOut) -> str:
    return ", ".join(f"{cost.words} {cost.name}" for cost in one.costs)


def move_lists(holder: str, key: str, newer: str, list_ids: Collection[UUID]) -> int:
    """Move those of the holder's lists of a game to another set of its files; return how many.

    What each was stays the version before. Raises Refusal where the files are gone, Http404.
    """
    moved = 0
    for version in lists_of_game(holder, key):
        if version.army_list_id in list_ids:
            _move(holder, key, newer, version.army_list_id)
            moved += 1
    return moved


@transaction.atomic
def _move(holder: str, key: str, newer: str, list_id: UUID) -> None:
    current = lock(holder, list_id)
    document = force_list_of(current.content)
    if document.game.key == key:
        after = work_out(_carried(document, newer).document)
        current = append(current, after.document, _("Moved to other files of the game."))
        keep_verdict(current, after)
        remember(current, after)
