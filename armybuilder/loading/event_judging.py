"""Documents judged twice: by the rules of their game, and at an event by its pack."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import repeat

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.event_report import EventReport
from armybuilder.engine.teams import TeamFinding
from armybuilder.engine.wording import marked, say
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, catalogue_of, judge_by
from armybuilder.loading.library import Library
from armybuilder.loading.packs import Pack, event_of, pack_for
from armybuilder.loading.problems import Refusal


@dataclass(frozen=True, slots=True)
class JudgedAt:
    """A document judged by its game, and by an event with its pack."""

    game: Judged
    event: Judged
    report: EventReport


def judge_at(document: ArmyList, catalogue: Catalogue, pack: Pack) -> JudgedAt:
    """Return both verdicts on a document.

    Raises Refusal as `make_roster` does, and where the pack is for another game.
    """
    if pack.system != document.system:
        message = marked("The event “{event}” is for another game than this list.")
        raise Refusal(say(message, event=pack.name))
    there, scores, _ = event_of(catalogue, pack)
    game, event = judge_by(document, catalogue), judge_by(document, there)
    return JudgedAt(game, event, EventReport(game.report, event.report, scores))


@dataclass(frozen=True, slots=True)
class JudgedTeam:
    """The lists of a team of `number` lists, and what they break together, in sentences."""

    lists: tuple[JudgedAt, ...]
    findings: tuple[TeamFinding, ...]
    number: int

    @property
    def legal(self) -> bool:
        """Whether every list may be played, all are there, and nothing is broken together."""
        whole = len(self.lists) == self.number
        return whole and not self.findings and all(one.report.legal for one in self.lists)


def judge_team(
    documents: Sequence[ArmyList], library: Library, pack: Pack, numbers: Sequence[int] = ()
) -> JudgedTeam:
    """Return the verdict on the lists of a team, each by the books that it pins.

    `numbers` say which of its player's lists each is, where they hand in several. Raises Refusal
    as `judge_at` does, and where the pack is for no teams.
    """
    if "team" not in pack.data:
        raise Refusal(say("The event “{event}” is for no teams.", event=pack.name))
    judged = [
        judge_at(one, catalogue_of(one, library), pack_for(pack, number))
        for one, number in zip(documents, numbers or repeat(0), strict=False)
    ]
    found: tuple[TeamFinding, ...] = ()
    if judged and (team := event_of(judged[0].game.catalogue, pack).team):
        found = team.judge([one.report.event for one in judged])
    return JudgedTeam(tuple(judged), found, pack.data["team"]["lists"])
