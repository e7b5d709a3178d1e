"""Kind "units": how many units the list has, where some do not count and others count as one.

The Ninth Age, Rulebook 8.B.c.3: characters do not count, all war machines together count once.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound
from armybuilder.engine.citations import RuleHead, Severity
from armybuilder.engine.ends import Moving, read_end
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import Query
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import EVERYTHING, Count, Selector, SelectorIndex
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import UNITS, Part, Term, units_of
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.view import N, Subject, View
from armybuilder.engine.wording import listed, say


@dataclass(frozen=True, slots=True)
class _Number(Query):
    """The units that a selector means; those of them that another means count once together.

    `every` and `together` count the two, each in parts that have no unit in common.
    """

    every: tuple[Count, ...]
    together: tuple[Count, ...]
    as_one: Selector
    selector: Selector = EVERYTHING
    field: str = UNITS

    def measure(self, view: View[N], subject: Subject) -> N:
        together = view.algebra.sum(map(view.counted, self.together))
        apart = view.algebra.sum(map(view.counted, self.every)) - together
        return apart + view.algebra.number(view.algebra.at_least(together, 1))

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        """Return the units; those that count as one are a group."""
        for line in tally.matching(self.selector):
            yield units_of(line, "one" if self.as_one.matches(line.tags) else "")


@dataclass(frozen=True, slots=True, eq=False)
class Units(Rule):
    """`certain` bounds the units that count by the reading we took, `least` these and the disputed
    ones: where those decide, the finding is a warning. Of `unclear` units the book does not say
    whether they count as one; where they decide, the number is not checked.
    """

    kind: ClassVar[str] = "units"
    says: ClassVar[frozenset[str]] = frozenset(["doubt"])
    certain: Bound
    least: Bound
    disputed: Selector
    unclear: Selector
    size_cite: str
    name: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        of, as_one, disputed = data["of"], data["as_one"], data["disputed"]

        def count(*wanted: Mapping[str, Any]) -> Count:
            selector = Selector.read({"all": [of, *wanted]})
            return Count(UNITS, selector, selector_index.add(selector))

        one, minimum = Selector.read(as_one), read_end(data["min"])
        every = count({"not": disputed}), count(disputed)
        together = count({"not": disputed}, as_one), count(disputed, as_one)
        certain = _Number(every[:1], together[:1], one, every[0].selector)
        return cls(
            head,
            Bound(head, certain, minimum, name=data["gauge"]),
            Bound(head, _Number(every, together, one, Selector.read(of)), minimum),
            every[1].selector,
            Selector.read(data["unclear"]),
            data.get("size_cite", ""),
            data["gauge"],
        )

    def make_bounds(self) -> Iterator[Bound]:
        yield self.least

    def terms(self, tally: Tally) -> Iterator[Term]:
        return self.certain.terms(tally)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        return (self.told(term, tally) for term in self.certain.broken(tally))

    def told(self, term: Term, tally: Tally) -> Finding:
        """Return a finding about the units that count; a warning names the disputed ones."""
        head, meant, doubt, end = self.head, term.of or EVERYTHING, "", self.certain.low
        if isinstance(end, Moving) and term.low != end.amount.base:
            head = head.citing(self.size_cite)
        if not self.least.broken(tally):
            head, meant = replace(head, severity=Severity.WARNING), self.disputed
            names = {line.name for line in tally.matching(meant)}
            doubt = say(", if {units} do not count", units=listed(sorted(names)))
        where = tuple(line.pick.id for line in tally.matching(meant))
        return Finding(self, head, where, term.measured, term.low, {"doubt": doubt})

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        (term,) = self.terms(tally)
        unclear = [line for line in term.lines if self._may_be_one(line)]
        apart = (part.amount for part in term.parts if not part.group and part.line not in unclear)
        least = term.low or 0
        if sum(apart) + 1 < least <= term.measured:
            names = listed(sorted({line.name for line in unclear}))
            where = tuple(line.pick.id for line in unclear)
            asked = say(
                "perhaps among the War Machines, which all count as one;"
                " at least {number} units are needed",
                number=least,
            )
            cited = str(self.head.citation)
            yield Unchecked(where, names, names, asked, "stat-line", cited)

    def _may_be_one(self, line: Line) -> bool:
        """Return whether the unit, a single model, could be of those that count as one."""
        single = line.unit.size is not None and line.unit.size[1].base == 1
        return single and self.unclear.matches(line.tags)
