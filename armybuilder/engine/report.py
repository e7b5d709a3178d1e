"""A report: all findings about one roster, with the numbers and facts behind the verdict."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from armybuilder.engine.catalogue import OWN, Catalogue, System
from armybuilder.engine.citations import Severity, settings_fit
from armybuilder.engine.facts import Fact
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import COMMAND, Gauge, Term
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.verdict import (
    Counts,
    Outcome,
    counts_of,
    outcome_of,
    outcome_words,
    reservation_words,
    verdict_sentence,
    verdict_words,
)


@dataclass(frozen=True, slots=True)
class LineNumbers:
    """Numbers shown beside a pick.

    `each` and `points` in points; `supply` and `need` in points of command capacity for the whole
    line.
    """

    points: int
    each: int
    cross_faction: bool
    supply: int
    need: int


@dataclass(frozen=True)
class Report:
    """`legal`: no finding is an error; with `unchecked` restrictions, as far as they could be
    checked. Unchecked restrictions, gauges and facts are worked out on demand.
    """

    findings: tuple[Finding, ...]
    tallies: tuple[Tally, ...] = field(repr=False)
    catalogue: Catalogue = field(repr=False)

    @property
    def system(self) -> System:
        """The game."""
        return self.catalogue.system

    @property
    def legal(self) -> bool:
        """Return whether no finding is an error."""
        return not any(finding.severity is Severity.ERROR for finding in self.findings)

    @cached_property
    def unchecked(self) -> tuple[Unchecked, ...]:
        """The restrictions that apply to the list and were not judged."""
        return tuple(self.find_unchecked())

    def find_unchecked(self) -> Iterator[Unchecked]:
        """Yield the unchecked restrictions, in the order of the list, then of the rules."""
        for line in self.full.lines:
            for doubt in line.loadout.doubts:
                restriction = doubt.restriction
                yield of_line(line, doubt.name, restriction.what, restriction.why)
        for rule in self.rules:
            yield from rule.unchecked(self.full)

    @property
    def complete(self) -> bool:
        """Return whether everything was checked."""
        return not self.unchecked

    @property
    def outcome(self) -> Outcome:
        """Legal, legal as far as judged, or not legal."""
        return outcome_of(self.legal, len(self.unchecked))

    @cached_property
    def counts(self) -> Counts:
        """Numbers of errors by state, of warnings, and of unchecked restrictions."""
        told = ((finding.severity, finding.state) for finding in self.findings)
        return counts_of(told, len(self.unchecked))

    @property
    def outcome_words(self) -> str:
        """The outcome in words, as in the API: "Legal, 2 restrictions not checked"."""
        return outcome_words(self.legal, len(self.unchecked))

    @property
    def verdict(self) -> str:
        """The verdict in a few words: "Legal", "1 error · 4 to do"."""
        return verdict_words(self.counts)

    @property
    def verdict_sentence(self) -> str:
        """The verdict in full: "Not legal yet: 4 to do"."""
        return verdict_sentence(self.counts)

    @property
    def reservation(self) -> str:
        """Premises that aren't the game's own: "no rulebook available", "a custom book"."""
        own = [book.taken for book in self.catalogue.books if book.kind == OWN]
        return reservation_words(str(self.system.reservation), len(own), self.system.taken, *own)

    @property
    def rules(self) -> Iterator[Rule]:
        """The rules of the game and its books that hold with the settings of the list."""
        settings = self.full.roster.settings
        return (rule for rule in self.system.rules if rule.head.applies(settings))

    @property
    def full(self) -> Tally:
        """The line-up with every model of the list."""
        return self.tallies[0]

    @property
    def spent(self) -> int:
        """Points: units, reserve price and settings that cost points."""
        return self.full.points

    @property
    def limit(self) -> int:
        """The agreed game size in points."""
        return self.full.roster.limit

    @property
    def numbers(self) -> tuple[int, int, int]:
        """Points spent, the points limit, and the number of models."""
        return self.spent, self.limit, self.models

    @property
    def unpriced(self) -> int:
        """Models whose points are not known; they count nothing in `spent`."""
        return sum(line.models for line in self.full.lines if line.unit.price.start is None)

    @property
    def models(self) -> int:
        """Number of models, without those of unknown units."""
        return self.full.models

    def of(self, severity: Severity) -> tuple[Finding, ...]:
        """Return the findings of one severity, in their order."""
        return tuple(finding for finding in self.findings if finding.severity is severity)

    @cached_property
    def gauges(self) -> tuple[Gauge, ...]:
        """The numbers that rules bound, one per line-up where a line-up changes them."""
        gauges = []
        for rule in self.rules:
            tallies = self.tallies if rule.head.each_lineup else self.tallies[:1]
            drawn = [gauge for tally in tallies if (gauge := rule.gauge(tally))]
            same = len({(gauge.used, gauge.maximum) for gauge in drawn}) == 1
            if same and len(drawn) == len(tallies):
                drawn = [replace(drawn[0], lineup="")]
            gauges += drawn
        return tuple(gauges)

    @cached_property
    def facts(self) -> tuple[tuple[str, Fact], ...]:
        """(line-up, fact): facts that are the same in every line-up come once, with ""."""
        facts = []
        settings = self.full.roster.settings
        for rule in self.system.facts:
            if not settings_fit(settings, rule.head.given):
                continue
            told = [(tally.lineup, rule.tell(tally)) for tally in self.tallies]
            if len({fact and fact.text for _, fact in told}) == 1:
                told = [("", told[0][1])]
            facts += [(lineup, fact) for lineup, fact in told if fact is not None]
        return tuple(facts)

    @cached_property
    def lines(self) -> Mapping[str, LineNumbers]:
        """Numbers per pick id; picks whose unit is unknown have none."""
        command = next(self.command_in(self.full), None)
        need = {part.unit: part.amount for part in command.parts} if command else {}
        supply = {part.unit: part.amount for part in command.against} if command else {}
        cross = self.full.cross
        return {
            key: LineNumbers(
                line.points, line.each, key in cross, supply.get(key, 0), need.get(key, 0)
            )
            for line in self.full.lines
            for key in (line.pick.id,)
        }

    def command_in(self, tally: Tally) -> Iterator[Term]:
        """Yield the command that a line-up needs, against the command given."""
        for rule in self.rules:
            if rule.commands:
                yield from (term for term in rule.terms(tally) if term.count == COMMAND)

    def terms(self, tally: Tally | None = None) -> Iterator[Term]:
        """The numbers that the game's rules bound, in a line-up, with every model by default."""
        for rule in self.rules:
            yield from rule.terms(tally or self.full)

    def line(self, pick_id: str) -> Line | None:
        """Return the line of a pick; None where its unit is unknown."""
        return next((line for line in self.full.lines if line.pick.id == pick_id), None)

    @property
    def faction(self) -> str | None:
        """Id of the warband's faction; None: open, or the system has none."""
        return self.full.faction
