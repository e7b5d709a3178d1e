"""Rules of play at the table: rounds, phases, states of a unit, what breaks a side, score."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.citations import Citation, Given, settings_fit
from armybuilder.engine.facts import ShareFact, Steps, Worth
from armybuilder.engine.prices import Share
from armybuilder.engine.units import Unit


class PlayRound(NamedTuple):
    """Round of a game: its name, the `last` one (0: none), whether `each` side has a turn."""

    name: str
    citation: Citation
    last: int = 0
    each: bool = False


class PlayPhase(NamedTuple):
    """A part of a round, or of the game where it comes `once`, before all rounds.

    `groups` are those of the abilities and rules that matter then, `reminders` their names.
    """

    name: str
    citation: Citation
    groups: frozenset[str] = frozenset()
    reminders: frozenset[str] = frozenset()
    once: bool = False


class UnitState(NamedTuple):
    """Something that a unit can be in.

    With `at` it is worked out: at that share of its health or less, in multiples of `step`, or
    `past` the last of it; else it is ticked. A unit that is `out` is gone; `casualty`: it counts as
    lost. Only units `with_any` of these rules or marks can be in it; `away`: not on the table yet.
    """

    name: str
    citation: Citation
    at: Share | None = None
    step: int = 1
    past: bool = False
    out: bool = False
    casualty: bool = False
    away: bool = False
    with_any: frozenset[str] = frozenset()

    def left(self, health: int) -> int | None:
        """Return the health at or below which it holds, -1 past the last; None: it is ticked."""
        if self.past:
            return -1
        return self.at.down(health) // self.step * self.step if self.at else None


class PlayPool(NamedTuple):
    """Uses that the rating of an ability or a statistic gives, for the game or each round anew."""

    name: str
    citation: Citation
    ability: str = ""
    stat: str = ""
    each_round: bool = False

    def of(self, unit: Unit) -> int:
        """Return how many uses a unit has; 0 where none, or where that is not known."""
        number = unit.ratings.get(self.ability) or unit.stats.get(self.stat)
        return number if isinstance(number, int) else 0


class ScorePart(NamedTuple):
    """Score of the enemy for a unit in a state: a share of its price, rounded up."""

    state: str
    share: Share


class ScoreExtra(NamedTuple):
    """Points for a unit that is gone and bore this mark."""

    mark: str
    points: int


class ScoreStep(NamedTuple):
    """Points that a side gains at a press, where the settings are as `given`."""

    name: str
    points: int
    citation: Citation
    given: Given = ()

    def fits(self, settings: Mapping[str, object]) -> bool:
        """Return whether a list with these settings is played so."""
        return settings_fit(settings, self.given)


class ScoreResult(NamedTuple):
    """Points by the difference in per cent of the limit: (up to, winner, loser), None: any more.

    `objective` is what its winner gains besides, and its loser loses; `goal` its name.
    """

    name: str
    rows: tuple[tuple[int | None, int, int], ...]
    citation: Citation
    objective: int = 0
    goal: str = ""


@dataclass(frozen=True, slots=True)
class PlayScore:
    """Scoring of a game. With `worth` a unit has another value than its price."""

    name: str
    citation: Citation
    parts: tuple[ScorePart, ...] = ()
    extras: tuple[ScoreExtra, ...] = ()
    steps: tuple[ScoreStep, ...] = ()
    worth: Worth | None = None
    result: ScoreResult | None = None


@dataclass(frozen=True, slots=True)
class PlayRules:
    """A game's rules of play. `breaks` are shares of the models lost, `activated` how many act at a
    time, `once` the names of the powers used once a game.
    """

    round: PlayRound
    phases: tuple[PlayPhase, ...] = ()
    states: tuple[UnitState, ...] = ()
    breaks: tuple[ShareFact, ...] = ()
    activates: bool = False
    activated: Steps | None = None
    pools: tuple[PlayPool, ...] = ()
    once: tuple[str, ...] = ()
    score: PlayScore | None = None
