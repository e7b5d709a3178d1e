"""Kind "eligible": who has a role may have it.

The Ninth Age, Rulebook 8.B.c.4: the General is a Character able to lead, not one with Not a Leader.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, ClassVar

from armybuilder.engine.bounds import Bound, ForFound
from armybuilder.engine.citations import Severity
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import OfBarred
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import EVERYTHING, Selector, Tags
from armybuilder.engine.space.constraints import TRUE
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import ROLES, Term
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.view import Subject, View
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

    def make_bounds(self) -> Iterator[Bound]:
        heads = {False: self.head, True: replace(self.head, severity=Severity.WARNING)}
        for unclear, head in heads.items() if self.unclear else [(False, self.head)]:
            each = ForFound(partial(self._doubtful, unclear))
            yield Bound(head, OfBarred(ROLES, self.role), high=Fixed(0), each=each)

    def make_trigger(self) -> str:
        return f"role:{self.role}"

    def _doubtful(self, unclear: bool, view: View[Any]) -> Iterator[Subject]:
        """Return the units that have the role and may not, or only perhaps (`unclear`), have it."""
        for member, has in view.in_role(self.role):
            allowed = [view.is_meant(member, self.needs), ~view.is_meant(member, self.selector)]
            if self.unclear is not None:
                perhaps = view.is_meant(member, self.unclear)
                allowed.append(~perhaps if unclear else perhaps)
            may = view.algebra.any_of(allowed)
            if may != TRUE:
                yield Subject(member.key, ((member, has),), (), (~may,))

    def doubts(self, role: str, tags: Tags) -> Iterator[Severity | None]:
        if role != self.role:
            return
        unclear = self.unclear is not None and self.unclear.matches(tags)
        fine = not self.selector.matches(tags) or self.needs.matches(tags)
        yield None if fine else Severity.WARNING if unclear else self.head.severity

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for bound in self.bounds[1:]:
            for term in bound.broken(tally):
                line = term.lines[0]
                role = tally.system.roles[self.role].name
                asked = say("can be the {role} only if the book says so", role=role)
                yield of_line(line, line.unit.name, asked, "stat-line", str(self.head.citation))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (line,) = term.lines
        count = "sure" if term.head is self.head else "unsure"
        return {"unit": line.name, "count": count, "source": self._source(line)}

    def _source(self, line: Line) -> str:
        """Return the options that bring the forbidden tags, in words."""
        names = [
            taken.option.name
            for taken in line.options
            if any(barred.matches(taken.option.tags) for barred in self.needs.without)
        ]
        return say(" (because of {options})", options=listed(dict.fromkeys(names))) if names else ""
