"""Reports on lists of a community's files: findings, costs, and the verdict, as for any list."""

from dataclasses import dataclass
from typing import ClassVar, Final

from armybuilder.battlescribe.files.showing import number_text
from armybuilder.engine.facts import Fact
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.states import TO_DO
from armybuilder.engine.terms import Part
from armybuilder.engine.unchecked import REASONS
from armybuilder.engine.verdict import (
    Counts,
    Outcome,
    outcome_of,
    outcome_words,
    verdict_sentence,
    verdict_words,
)
from armybuilder.engine.wording import say

#: The mark of a finding by its severity, the gravest first.
MARKS: Final = {
    "error": "error",
    TO_DO: TO_DO,
    "warning": "warning",
    "info": "note",
    "unknown": "unchecked",
}


@dataclass(frozen=True, slots=True)
class Told:
    """A finding about a list, as a sentence, with the file that it comes from.

    `unit` is the id of the unit at fault in its force, `pick` of the pick itself; "" for the list
    or a force. `of_event`: a rule of the event, not the game. `code` names its subject: the id of a
    bound, or the kind of fault.
    """

    mark: str
    sentence: str
    citation: str = ""
    unit: str = ""
    pick: str = ""
    force: str = ""
    of_event: bool = False
    code: str = ""

    # Files don't say these.
    lineup: ClassVar[str] = ""
    measured: ClassVar[int | None] = None
    allowed: ClassVar[int | None] = None

    @property
    def is_error(self) -> bool:
        """Return whether it makes the list illegal: something is broken or missing."""
        return self.mark in ("error", TO_DO)

    @property
    def severity(self) -> str:
        """Severity, as findings of our own books have it."""
        return "error" if self.is_error else self.mark

    @property
    def cited(self) -> str:
        """The citation without its brackets."""
        return self.citation.strip("()")

    @property
    def units(self) -> list[str]:
        """The unit at fault, if any."""
        return [self.unit] if self.unit else []

    @property
    def why(self) -> str:
        """The reason why it was not checked, if it was not: a key of `REASONS`."""
        return "sentence" if self.of_event else "condition"

    @property
    def reason(self) -> str:
        """The same in a sentence."""
        return say(REASONS[self.why])

    @property
    def state(self) -> str:
        """Return "missing" if something is missing, else "broken"."""
        return "missing" if self.mark == TO_DO else "broken"


@dataclass(frozen=True, slots=True)
class CostSum:
    """Total of a list in one cost, and its limit (-1: none)."""

    id: str
    name: str
    spent: Number
    limit: Number

    minimum: ClassVar[int | None] = None
    lineup: ClassVar[str] = ""
    parts: ClassVar[tuple[Part, ...]] = ()

    @property
    def used(self) -> int:
        return int(self.spent)

    @property
    def maximum(self) -> int | None:
        return int(self.limit) if self.limit >= 0 else None

    @property
    def is_over(self) -> bool:
        return 0 <= self.limit < self.spent

    @property
    def words(self) -> str:
        """Such as "120 / 2000"."""
        spent = number_text(self.spent)
        return spent if self.limit < 0 else f"{spent} / {number_text(self.limit)}"


class FileReport:
    """The verdict on a list, as for any list; `spent` and `limit` are words of its first cost.

    `numbers` are points, their limit (0: none) and models, which files don't say.
    """

    reservation = ""
    faction: str | None = None
    facts: tuple[tuple[str, Fact], ...] = ()

    def __init__(self, told: tuple[Told, ...], costs: tuple[CostSum, ...]) -> None:
        marks = [one.mark for one in told]
        self.findings = tuple(one for one in told if one.mark != "unchecked")
        self.unchecked = tuple(one for one in told if one.mark == "unchecked")
        self.complete, self.gauges = not self.unchecked, costs
        numbers = (marks.count(mark) for mark in ("error", TO_DO, "warning", "unchecked"))
        self.counts = Counts(*numbers)
        self.legal = not self.counts.errors
        self.outcome: Outcome = outcome_of(self.legal, self.counts.unchecked)
        self.outcome_words = outcome_words(self.legal, self.counts.unchecked)
        self.verdict = verdict_words(self.counts)
        self.verdict_sentence = verdict_sentence(self.counts)
        first = costs[0] if costs else CostSum("", "", 0, -1)
        self.spent = number_text(first.spent)
        self.limit = number_text(first.limit) if first.limit >= 0 else "–"
        limits = (int(cost.limit) for cost in costs if cost.limit >= 0)
        self.numbers = first.used, next(limits, 0), 0
