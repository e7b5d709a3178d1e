"""Writes of lists of a community's files: started, and changed by acts, each in one transaction."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from functools import partial
from uuid import UUID

from django.db import transaction
from django.utils.translation import gettext as _

from armybuilder.acts.about import HistoryAct
from armybuilder.acts.forces import ForceAct
from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import Carried, carry, document_of, game_name
from armybuilder.battlescribe.files.game import opening_limits
from armybuilder.editing.unit_edits import read_name
from armybuilder.games.opening import open_book, open_game
from armybuilder.lists.models import ListDocument, Version
from armybuilder.lists.selectors import current_versions, free_name, lock
from armybuilder.lists.services import (
    FIRST,
    Conflict,
    Saved,
    Sent,
    append,
    build_for,
    check_game,
    create_list,
    done_before,
    perform,
    replace_document,
)
from armybuilder.lists.summaries import Verdict, put_verdict
from armybuilder.lists.worked_out import (
    WorkedOut,
    changed,
    force_list_of,
    remember,
    work_out,
    worked_out,
)
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal


def start_forces(
    holder: str,
    key: str,
    catalogue: str,
    force: str,
    name: str = "",
    limits: Mapping[str, int] = {},
) -> Version:
    """Store a new list with a force of a catalogue of a kept game. Raises Refusal, NoRoom.

    The game is one that the holder may see: who calls looks. `limits` are by cost; others are as
    the files say.
    """
    game, book = open_game(key), partial(open_book, key)
    builder = ListBuilder(game, book)
    for cost, limit in {**opening_limits(game.system), **limits}.items():
        builder.set_limit(cost, limit)
    builder.start_force(catalogue, force)
    builder.check_room()
    called = read_name(name) or free_name(holder, book(catalogue).root.get("name").strip()[:100])
    document = document_of(builder.roster, called, game_name(key, game))
    return store_list(holder, replace(document, name=called), _("Started the list."))


@transaction.atomic
def store_list(holder: str, document: ListDocument, act: str) -> Version:
    """Store a new list of either kind, with the verdict on one of files. Raises Refusal, NoRoom."""
    return _with_verdict(create_list(holder, document, act))


@transaction.atomic
def replace_list(
    holder: str, list_id: UUID, seen: int, document: ListDocument, act: str
) -> Version:
    """Store a document from elsewhere as the next version, as `store_list` does.

    Raises Conflict: not `seen`, Http404, Refusal.
    """
    check_game(holder, document)
    return _with_verdict(replace_document(holder, list_id, seen, document, act))


@transaction.atomic
def build_list_for(holder: str, list_id: UUID, pack: Pack | None) -> None:
    """Let a list be built for an event, or none, as `build_for` does; keep its verdict there."""
    build_for(holder, list_id, pack)
    _with_verdict(lock(holder, list_id))


def _with_verdict(version: Version) -> Version:
    if isinstance(version.content, ForceList):
        keep_verdict(version, worked_out(version))
    return version


def verdict_of(version: Version) -> Verdict | None:
    """Return points and outcome of a version; None where the files of its game are gone."""
    try:
        report = worked_out(version).report
    except Refusal:
        return None
    return Verdict(report.numbers[0], report.outcome)


def keep_verdict(version: Version, one: WorkedOut) -> None:
    put_verdict(version.army_list, one.report.numbers[0], one.report.outcome)


def perform_forces(
    holder: str, list_id: UUID, seen: int, act: ForceAct, sent: Sent = FIRST
) -> Saved:
    """Do an act and store the result as the next version; `seen`: the key the page showed.

    Raises Http404, Refusal if it cannot be done, Conflict if it would overwrite an unseen change.
    """
    with transaction.atomic():
        current = lock(holder, list_id)
        if sent.again and done_before(current, sent.key):
            return Saved(current, current.act)
        merged = seen != current.pk
        document = force_list_of(current.content)
        if merged and not act.adds:
            shown = Version.objects.filter(pk=seen, army_list_id=list_id).first()
            if shown is None or act.part(force_list_of(shown.content)) != act.part(document):
                raise Conflict
        before = worked_out(current)
        builder = before.builder()
        done = act.perform(builder, document)
        if not act.as_given:
            done = done._replace(said=" ".join((done.said, *builder.settle())))
        builder.check_room()
        after = changed(before, builder, done.document)
        if after.document != document:
            current = append(current, after.document, done.said, sent.key)
            keep_verdict(current, after)
            remember(current, after)
        return Saved(current, done.said, done.entry, merged)


def step_forces(holder: str, list_id: UUID, seen: int, act: HistoryAct) -> Saved:
    """Undo or redo, as `services.perform` does, and keep the verdict on the list after it."""
    saved = perform(holder, list_id, seen, act, shipped_library())
    keep_verdict(saved.version, worked_out(saved.version))
    return saved


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
        """Return whether nothing of the list changes but the files that it names."""
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
    return tuple(dict.fromkeys(finding.sentence for finding in one.told))


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
