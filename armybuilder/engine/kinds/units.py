"""Kind "units": how many units the list has, where some do not count and others count as one.

The Ninth Age, Rulebook 8.B.c.3: characters do not count, all war machines together count once.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from armybuilder.engine.citations import Severity
from armybuilder.engine.ends import End, Moving, read_end
from armybuilder.engine.fields import counted, given
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.constraints import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import UNITS, Term, just, units_of
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.view import THE_LIST
from armybuilder.engine.wording import listed, marked, say


@dataclass(frozen=True, slots=True, eq=False)
class Units(Rule):
    """`disputed` units do not count by the reading we took; where they decide, the finding is a
    warning. Of `unclear` ones the book does not say whether they count as one; where they decide,
    the number is not checked.
    """

    kind: ClassVar[str] = "units"
    says: ClassVar[frozenset[str]] = frozenset(["doubt"])
    selector: Selector = given("of", Selector.read)
    as_one: Selector = given(read=Selector.read)
    number: int = counted("of")
    disputed: int = counted("disputed")
    unclear: Selector = given(read=Selector.read)
    minimum: End = given("min", read_end)
    name: str = given("gauge")
    size_cite: str = given(default="")

    def judge(self, tally: Tally) -> Iterator[Finding]:
        counted, disputed = self._split(tally)
        least = self.minimum.lower(tally) or 0
        measured = self._number(counted)
        if measured < least:
            if self._number([*counted, *disputed]) < least:
                yield self._finding(counted, measured, least)
            else:
                yield self._finding(disputed, measured, least, marked(", if {units} do not count"))

    def constrain(self, space: Space) -> None:
        """Disputed units count: where they decide, that is a warning alone."""
        both, number, as_one = space.constraints, Expression(), Expression()
        for candidate, meant in space.matched(self.selector):
            number.add(candidate.units(meant))
            grouped = both.all_of([meant, candidate.matches(self.as_one)])
            as_one.add(candidate.units(grouped))
        least = self.minimum.edge(space, THE_LIST)
        space.bound(self.head, number, low=least)
        space.bound(self.head, number - as_one + 1, low=least)

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        counted, _ = self._split(tally)
        unclear = [line for line in counted if self._may_be_one(line)]
        least = self.minimum.lower(tally) or 0
        if self._number(counted, unclear) < least <= self._number(counted):
            names = listed(sorted({line.name for line in unclear}))
            where = tuple(line.pick.id for line in unclear)
            asked = say(
                "perhaps among the War Machines, which all count as one;"
                " at least {number} units are needed",
                number=least,
            )
            cited = str(self.head.citation)
            yield Unchecked(where, names, names, asked, "stat-line", cited)

    def _finding(self, lines: list[Line], measured: int, least: int, doubt: str = "") -> Finding:
        """Return an error, or with a `doubt`, which names the units it rests on, a warning."""
        moved = isinstance(self.minimum, Moving) and least != self.minimum.amount.base
        head = self.head.citing(self.size_cite) if moved else self.head
        head = replace(head, severity=Severity.WARNING) if doubt else head
        names = listed(sorted({line.name for line in lines}))
        told = say(doubt, units=names) if doubt else ""
        where = tuple(line.pick.id for line in lines)
        return Finding(self, head, where, measured, least, {"doubt": told})

    def _may_be_one(self, line: Line) -> bool:
        """Return whether the unit, a single model, could be of those that count as one."""
        single = line.unit.size is not None and line.unit.size[1].base == 1
        return single and self.unclear.matches(line.tags)

    @property
    def needed(self) -> Selector | None:
        return self.selector

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the units that count; those that count as one are a group."""
        counted, _ = self._split(tally)
        parts = [
            units_of(line, "one" if self.as_one.matches(line.tags) else "") for line in counted
        ]
        yield Term(
            self.head,
            UNITS,
            self._number(counted),
            self.minimum.lower(tally),
            None,
            just(*parts),
            of=self.selector,
            name=self.name,
            minimum=self.minimum,
        )

    def _split(self, tally: Tally) -> tuple[list[Line], list[Line]]:
        counted: list[Line] = []
        disputed: list[Line] = []
        hits_of = tally.system.selector_index.hits
        for line in tally.lines:
            if self.number in (hits := hits_of(line.tags)):
                (disputed if self.disputed in hits else counted).append(line)
        return counted, disputed

    def _number(self, lines: list[Line], also_one: Sequence[Line] = ()) -> int:
        """Return how many units the lines count as; `also_one` extends the units that count as
        one."""
        units = sum(line.units for line in lines)
        as_one = (line for line in lines if line in also_one or self.as_one.matches(line.tags))
        return units - max(0, sum(line.units for line in as_one) - 1)
