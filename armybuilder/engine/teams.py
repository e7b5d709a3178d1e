"""Rules of an event for the lists of a team together: each book once, a character once, sums."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from armybuilder.engine.citations import Citation
from armybuilder.engine.report import Report
from armybuilder.engine.selectors import Selector, SelectorIndex
from armybuilder.engine.weights import Weight, Weights, fraction, read_weights
from armybuilder.engine.wording import Words, listed, say


@dataclass(frozen=True, slots=True)
class TeamFinding:
    """A joint breach of a team's lists: the rule, the lists by index from 0, and a sentence."""

    rule: TeamRule
    lists: tuple[int, ...]
    sentence: str

    @property
    def citation(self) -> str:
        """Source of the rule."""
        return str(self.rule.citation)


@dataclass(frozen=True, slots=True)
class TeamRule(ABC):
    """One demand on the lists of a team."""

    id: str
    citation: Citation
    summary: Words

    @abstractmethod
    def judge(self, reports: Sequence[Report]) -> Iterator[TeamFinding]:
        """Yield the faults of lists that were checked at the event."""

    def told(self, lists: Sequence[int], what: str) -> TeamFinding:
        """Return a finding: the rule, then the fault."""
        return TeamFinding(self, tuple(lists), f"{self.summary} {what}")


@dataclass(frozen=True, slots=True)
class OnceInTeam(TeamRule):
    """Nothing of some kind is on more than `most` lists."""

    most: int

    @abstractmethod
    def things(self, report: Report) -> Mapping[str, str]:
        """Return the counted things of a list: names by their keys."""

    def judge(self, reports: Sequence[Report]) -> Iterator[TeamFinding]:
        names: dict[str, str] = {}
        lists: dict[str, list[int]] = {}
        for place, report in enumerate(reports):
            for key, name in self.things(report).items():
                names[key] = name
                lists.setdefault(key, []).append(place)
        for key, places in lists.items():
            if len(places) > self.most:
                numbers = listed(str(place + 1) for place in places)
                what = say("{name}: on lists {numbers}.", name=names[key], numbers=numbers)
                yield self.told(places, what)


@dataclass(frozen=True, slots=True)
class BookOnce(OnceInTeam):
    """A book that lists draw on."""

    def things(self, report: Report) -> Mapping[str, str]:
        """Return the list's books by id."""
        units = (line.unit for line in report.full.lines)
        return {unit.book: unit.book_name for unit in units if unit.book}


@dataclass(frozen=True, slots=True)
class UnitOnce(OnceInTeam):
    """A unit that a selector matches."""

    selector: Selector

    def things(self, report: Report) -> Mapping[str, str]:
        """Return its units that are meant, by ref."""
        units = (line.unit for line in report.full.matching(self.selector))
        return {unit.ref: unit.name for unit in units}


@dataclass(frozen=True, slots=True)
class Sum(TeamRule):
    """A bound on a sum over all lists, `low` to `high` (None: unbounded)."""

    weights: tuple[Weight, ...]
    whole: int
    low: int | None
    high: int | None

    def judge(self, reports: Sequence[Report]) -> Iterator[TeamFinding]:
        parts = [self._parts(report) for report in reports]
        total = fraction(sum(parts), self.whole)
        places = [place for place, number in enumerate(parts) if number]
        if self.high is not None and sum(parts) > self.high * self.whole:
            what = say("This team: {sum}, maximum {number}.", sum=total, number=self.high)
            yield self.told(places, what)
        elif self.low is not None and sum(parts) < self.low * self.whole:
            what = say("This team: {sum}, minimum {number}.", sum=total, number=self.low)
            yield self.told(range(len(reports)), what)

    def _parts(self, report: Report) -> int:
        """Return what counts of a list; each list's catalogue numbers the selectors its own way."""
        number = report.system.selector_index.add
        counts = (replace(one.count, number=number(one.count.selector)) for one in self.weights)
        weights = map(Weight, counts, (one.parts for one in self.weights))
        return Weights(tuple(weights)).measure(report.full)


@dataclass(frozen=True, slots=True)
class BookValues(TeamRule):
    """The values of the lists' books come to `most` at most; those not named count nothing."""

    values: Mapping[str, int]
    most: int

    def judge(self, reports: Sequence[Report]) -> Iterator[TeamFinding]:
        drawn = [dict.fromkeys(line.unit.book for line in one.full.lines) for one in reports]
        worth = [sum(self.values.get(book, 0) for book in books) for books in drawn]
        if sum(worth) > self.most:
            what = say("This team: {sum}, maximum {number}.", sum=sum(worth), number=self.most)
            yield self.told([place for place, number in enumerate(worth) if number], what)


@dataclass(frozen=True, slots=True)
class Team:
    """Demands of an event on a team: its number of lists, and joint bounds."""

    lists: int
    rules: tuple[TeamRule, ...]

    def judge(self, reports: Sequence[Report]) -> tuple[TeamFinding, ...]:
        """Return the faults of a team's lists, in the order of the rules."""
        return tuple(finding for rule in self.rules for finding in rule.judge(reports))


def read_team_rule(
    data: Mapping[str, Any], citation: Citation, summary: Words, selector_index: SelectorIndex
) -> TeamRule:
    """Build from the rule's JSON object, which has passed the schema."""
    head = (data["id"], citation, summary)
    match data["kind"]:
        case "book-once":
            return BookOnce(*head, data.get("max", 1))
        case "unit-once":
            return UnitOnce(*head, data.get("max", 1), Selector.read(data["of"]))
        case "sum":
            weights, whole = read_weights(data["counts"], selector_index)
            return Sum(*head, weights, whole, data.get("min"), data.get("max"))
        case _:
            return BookValues(*head, data["values"], data["max"])
