"""Lists of a community's files, worked out: their costs and their findings.

A process remembers recent results by list and version, so that the next act works out only the
changed parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final
from uuid import UUID

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.books import cost_types
from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import Books, Missing, document_of, pick_list
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import FileElement
from armybuilder.battlescribe.files.reports import CostSum, FileReport, Told
from armybuilder.battlescribe.files.telling import Teller, mark_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.games.opening import open_book, open_game, when_let_go
from armybuilder.lists.models import ListDocument, Version
from armybuilder.loading.cache import Cache
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import pack_of

#: Lists that a process remembers, and versions of each: undo leads to one of them, and back.
MOST, EACH = 24, 2

#: A version and a language.
_Key = tuple[int, str | None]


@dataclass
class WorkedOut:
    """A list by the files of its game, and by the pack of an event that it is for."""

    document: ForceList
    game: GameFiles
    book: Books
    roster: PickList
    strays: tuple[Missing, ...]
    evaluation: Evaluation
    pack: FilePack | None = None

    @cached_property
    def teller(self) -> Teller:
        return Teller(self.game, self.evaluation, self.pack)

    @property
    def told(self) -> tuple[Told, ...]:
        """Findings, each once, the gravest first."""
        return self.teller.findings

    @cached_property
    def broken_bounds(self) -> dict[tuple[str, str, str], str]:
        """The broken bounds by their ids, their tags and the picks around them, with their marks.

        Migrated files call the bounds of several groups "maxSelections".
        """
        return {
            (breach.bound.id, breach.bound.query.tag, breach.at.pick.id): mark_of(breach)
            for breach in self.evaluation.breaches
            if breach.bound is not None and breach.at.pick is not None
        }

    @cached_property
    def costs(self) -> tuple[CostSum, ...]:
        """Totals by cost: those limited or not 0, otherwise the first."""
        limits = self.roster.limits
        sums = [
            CostSum(one.id, one.get("name").strip(), self.evaluation.spent(one.id), limit)
            for one, limit in ((one, limits.get(one.id, -1)) for one in self.cost_types)
        ]
        return tuple(one for one in sums if one.spent or one.limit >= 0) or tuple(sums[:1])

    @cached_property
    def cost_types(self) -> list[FileElement]:
        return [*cost_types(self.game, self.evaluation).values()]

    @cached_property
    def report(self) -> FileReport:
        return FileReport(self.told, self.costs)

    def builder(self) -> ListBuilder:
        return ListBuilder(self.game, self.book, self.roster, self.evaluation)

    def node(self, id: str) -> Node | None:
        """Return the node of a pick; None if there is none."""
        try:
            return self.builder().node(id)
        except KeyError:
            return None


def work_out(document: ForceList, pack: FilePack | None = None) -> WorkedOut:
    """Work out a document, for the event of a pack. Raises Refusal where its files are not here."""
    key = document.game.key
    game, book = open_game(key), partial(open_book, key)
    roster, strays = pick_list(document, game, book, pack)
    return WorkedOut(document, game, book, roster, strays, Evaluation(roster), pack)


def worked_out(version: Version) -> WorkedOut:
    """Return a version of a list, worked out or remembered; raises as `work_out` does."""
    document, pack = force_list_of(version.content), event_pack_of(version)
    known = _known.get(version.army_list_id) or ()
    for key, one in known:
        same = key == _key(version) and one.document == document and one.pack is pack
        # Another set of files may have been opened for its game since.
        if same and open_game(one.document.game.key) is one.game:
            return one
    return remember(version, work_out(document, pack))


def check_pack_fits(document: ListDocument, pack: Pack) -> None:
    """Raise Refusal where a list is of another game than a pack, or of other files of it."""
    if document.system == pack.system:
        return
    game = document.game if isinstance(document, ForceList) else None
    if game and isinstance(pack, FilePack) and game.system == pack.game.system:
        sentence = _(
            "This list uses other files of {game} than the event. Move it to the event’s files "
            "first, on the game’s page."
        )
        raise Refusal(sentence.format(game=pack.game.name))
    sentence = _("The event “{event}” is for a different game.")
    raise Refusal(sentence.format(event=pack.name))


def event_pack_of(version: Version) -> FilePack | None:
    """Return the pack of the event that a list of files is built for, if it is for its game."""
    if version.army_list_id is None or version.army_list.pack is None:
        return None
    pack = pack_of(version.army_list.pack)
    fits = isinstance(pack, FilePack) and pack.system == version.content.system
    return pack if isinstance(pack, FilePack) and fits else None


def remember(version: Version, one: WorkedOut) -> WorkedOut:
    if version.army_list_id is not None:
        known = _known.get(version.army_list_id) or ()
        key = _key(version)
        others = [pair for pair in known if pair[0] != key]
        _known.put(version.army_list_id, (*others, (key, one))[-EACH:])
    return one


def _key(version: Version) -> _Key:
    """Return the key of a worked-out list: its version, and the language of its sentences."""
    return version.pk, get_language()


def force_list_of(document: ListDocument) -> ForceList:
    """Return a document that is one of a community's files. Raises Refusal."""
    if not isinstance(document, ForceList):
        raise Refusal(_("This page sent a request that isn’t possible. Reload it and try again."))
    return document


def changed(
    before: WorkedOut, builder: ListBuilder, document: ForceList | None = None
) -> WorkedOut:
    """Return a list after changes; `document` has its words, if these changed."""
    words = document or before.document
    roster, evaluation = builder.roster, builder.evaluation
    made = document_of(roster, words.name, words.game, words.notes)
    if before.pack is not None and before.roster.limits != roster.limits:
        return work_out(made, before.pack)  # its limits are those of the event
    same = before.game, before.book, roster, before.strays
    return WorkedOut(made, *same, evaluation, before.pack)


_known: Final[Cache[UUID, tuple[tuple[_Key, WorkedOut], ...]]] = Cache(MOST)
when_let_go.append(_known.clear)
