"""Two verdicts on one list, never mixed: by the rules of its game, and by those of an event."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from armybuilder.engine.citations import Citation, Origin, Severity
from armybuilder.engine.fields import given
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Finding
from armybuilder.engine.weights import Weight, Weights, fraction
from armybuilder.engine.wording import say, say_count


@dataclass(frozen=True, slots=True)
class Score:
    """A score at an event, which never affects the verdict: `points` for each whole of what
    counts, in parts of `whole`, beyond the first `free` ones."""

    id: str
    name: str
    citation: Citation
    weights: tuple[Weight, ...]
    whole: int
    points: int
    free: int = given("from", default=0)


@dataclass(frozen=True, slots=True)
class Scored:
    """A list's score: the count in words, and its points."""

    score: Score
    counted: str
    points: int


@dataclass(frozen=True)
class EventReport:
    """The reports on a list by its game, and by the game's rules as the event plays them together
    with the event's own.
    """

    game: Report
    event: Report
    scores: tuple[Score, ...] = ()

    @property
    def legal(self) -> bool:
        """Return whether the list can be played at the event, as far as it was checked."""
        return self.event.legal

    @cached_property
    def refusals(self) -> tuple[Finding, ...]:
        """The event's own findings, gravest first."""
        return tuple(one for one in self.event.findings if one.origin is Origin.EVENT)

    @cached_property
    def findings(self) -> tuple[Finding, ...]:
        """The findings of the game, then of the event, each marked."""
        return (*self.game.findings, *self.refusals)

    @cached_property
    def excused(self) -> tuple[Finding, ...]:
        """Findings of the game that the event lifts."""
        minded = {finding.key for finding in self.event.findings}
        return tuple(
            one
            for one in self.game.findings
            if one.severity is Severity.ERROR and one.key not in minded
        )

    @cached_property
    def scored(self) -> tuple[Scored, ...]:
        """The list's scores at the event."""
        return tuple(self._scored(score) for score in self.scores)

    def _scored(self, score: Score) -> Scored:
        parts = Weights(score.weights).measure(self.event.full)
        wholes = max(0, parts // score.whole - score.free)
        return Scored(score, fraction(parts, score.whole), wholes * score.points)

    @property
    def reservation(self) -> str:
        """The reservation of both verdicts; mostly ""."""
        return self.game.reservation

    @property
    def verdict(self) -> str:
        """Both verdicts in a few words: "Legal · not at this event: 2 errors"."""
        return f"{self.game.verdict} · {self.event_verdict}"

    @property
    def event_verdict(self) -> str:
        """The event's verdict in a few words."""
        errors = sum(1 for one in self.refusals if one.severity is Severity.ERROR)
        return event_words(self.event.legal, errors, len(self.event.unchecked))


def event_words(legal: bool, errors: int, unchecked: int) -> str:
    """Return an event's verdict in a few words: whether the list can be played, the number of
    errors by the event's own rules, and of restrictions not checked."""
    if not legal and not errors:
        return say("not legal at this event")
    if not legal:
        return say_count(
            "not legal at this event: {number} error",
            "not legal at this event: {number} errors",
            errors,
        )
    if not unchecked:
        return say("legal at this event")
    return say_count(
        "legal at this event, {number} restriction not checked",
        "legal at this event, {number} restrictions not checked",
        unchecked,
    )
