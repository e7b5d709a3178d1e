"""A finding with all that is at hand to settle it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Remedy
from armybuilder.advice.remedies.reductions import Reducer
from armybuilder.advice.subjects import Subject
from armybuilder.engine import Finding
from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.rulebook import may_have
from armybuilder.engine.rules import Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.wording import listed


@dataclass(frozen=True, slots=True)
class RemedyContext:
    """A finding about a list, and the number that it tells of in the line-up to mend, None where it
    tells of none. `less` works in that line-up.
    """

    subject: Subject
    finding: Finding
    less: Reducer
    term: Term | None

    @property
    def system(self) -> System:
        return self.subject.system

    @property
    def rule(self) -> Rule:
        return self.finding.rule

    @property
    def tally(self) -> Tally:
        """The line-up to mend."""
        return self.less.tally

    @property
    def full(self) -> Tally:
        """The line-up with everything on the list."""
        return self.subject.report.full

    @property
    def culprits(self) -> list[Line]:
        """The lines that take part and stand in the line-up."""
        lines = self.less.lines
        return [lines[unit] for unit in self.finding.units if unit in lines]

    def name(self, line: Line) -> str:
        return self.less.name(line)

    def may_have(self, role_id: str, line: Line) -> bool:
        return may_have(role_id, line.tags, self.system)

    def removal_of(self, lines: Iterable[Line]) -> Iterator[Remedy]:
        """All of some lines off the list, in one answer."""
        gone = list(lines)
        if not gone:
            return
        named: Counter[str] = Counter()
        for line in gone:
            named[self.name(line)] += line.pick.models if line.unit.size is None else 1
        names = [f"{number} × {name}" if number > 1 else name for name, number in named.items()]
        rest = len(names) - 2
        if rest > 2:
            more = _("{number} more").format(number=rest)
            names = [*names[:2], more]
        label = _("Remove {unit}").format(unit=listed(names))
        if len(gone) == 1:
            yield Remedy(label, {"act": "remove", "unit": gone[0].pick.id})
        else:
            units = " ".join(line.pick.id for line in gone)
            yield Remedy(label, {"act": "remove-units", "units": units})

    def relief(self, line: Line, role_id: str) -> Remedy:
        """Return a role taken from a line."""
        end = _(self.system.roles[role_id].end)
        fields = {"act": "role", "unit": line.pick.id, "role": role_id}
        return Remedy(f"{self.name(line)}: {end[:1].lower()}{end[1:]}", fields)

    def split(self, line: Line, role_id: str) -> Iterator[Remedy]:
        """Return a role left to one of several models alone."""
        one = self.system.roles[role_id].act_one
        words = _(one) if one else ""
        if words and line.unit.size is None and line.pick.models > 1:
            fields = {"act": "role-one", "unit": line.pick.id, "role": role_id}
            yield Remedy(f"{self.name(line)}: {words[:1].lower()}{words[1:]}", fields)

    def promotion(self, line: Line, role_id: str) -> Remedy:
        """Return a role given to a line."""
        role = self.system.roles[role_id]
        fields = {"act": "role", "unit": line.pick.id, "role": role_id}
        label = _("Make {unit} the {role}") if role.alone else _("Make {unit} {role}")
        return Remedy(label.format(unit=self.name(line), role=_(role.name)), fields)

    def promotions(self, role_id: str) -> Iterator[Remedy]:
        """Return the dearest units that may have the role have it first."""
        for line in sorted(self.tally.lines, key=lambda line: -line.points):
            if role_id not in line.pick.roles and self.may_have(role_id, line):
                yield self.promotion(line, role_id)
