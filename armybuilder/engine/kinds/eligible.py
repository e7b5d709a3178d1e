"""Kind "eligible": who has a role may have it.

The Ninth Age, Rulebook 8.B.c.4: the General is a Character able to lead, not one with Not a Leader.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

from armybuilder.engine.about import AboutUnit
from armybuilder.engine.citations import Severity
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selectors import EVERYTHING, Selector, Tags
from armybuilder.engine.space.constraints import FALSE
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import ROLES, Term, just, part_of
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.wording import listed, say


@dataclass(frozen=True, slots=True, eq=False)
class Eligible(Rule):
    """`selector` says whom it speaks of. Of `unclear` ones the book does not say whether they may
    have the role: a warning.
    """

    kind: ClassVar[str] = "eligible"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "source"])
    role: str = given()
    needs: Selector = given(read=Selector.read)
    selector: Selector = given("of", Selector.read, default=EVERYTHING)
    unclear: Selector | None = given(read=Selector.read, default=None)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Each unit that has the role and may not have it."""
        for line, _ in self._doubtful(tally):
            part, about = part_of(line, 1), AboutUnit(line.pick.id)
            yield Term(self.head, ROLES, 1, None, 0, just(part), about, role=self.role)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            has = candidate.has_role(self.role)
            if has == FALSE:
                continue
            allowed = [candidate.matches(self.needs), ~candidate.matches(self.selector)]
            if self.unclear is not None:
                allowed.append(candidate.matches(self.unclear))
            about = AboutUnit(candidate.key)
            may = space.constraints.any_of(allowed)
            space.forbid(self.head, candidate.present, has, ~may, about=about)

    def doubts(self, role: str, tags: Tags) -> Iterator[Severity | None]:
        if role == self.role:
            yield self._doubt(tags)

    def _doubt(self, tags: Tags) -> Severity | None:
        if not self.selector.matches(tags) or self.needs.matches(tags):
            return None
        unclear = self.unclear is not None and self.unclear.matches(tags)
        return Severity.WARNING if unclear else self.head.severity

    def _doubtful(self, tally: Tally) -> Iterator[tuple[Line, Severity]]:
        """Return the units that have the role and may not, or perhaps not, have it."""
        for line in tally.lines:
            if self.role in line.pick.roles and (severity := self._doubt(line.tags)) is not None:
                yield line, severity

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for line, severity in self._doubtful(tally):
            head = replace(self.head, severity=severity)
            count = "unsure" if severity is not self.head.severity else "sure"
            values = {"unit": line.name, "count": count, "source": self._source(line)}
            key = line.pick.id
            yield Finding(self, head, (key,), values=values, about=AboutUnit(key))

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for line, severity in self._doubtful(tally):
            if severity is not self.head.severity:
                role = tally.system.roles[self.role].name
                asked = say("can be the {role} only if the book says so", role=role)
                yield of_line(line, line.unit.name, asked, "stat-line", str(self.head.citation))

    def _source(self, line: Line) -> str:
        """Return the options that bring the forbidden tags, in words."""
        names = [
            taken.option.name
            for taken in line.loadout.taken
            if any(barred.matches(taken.option.tags) for barred in self.needs.without)
        ]
        return say(" (because of {options})", options=listed(dict.fromkeys(names))) if names else ""
