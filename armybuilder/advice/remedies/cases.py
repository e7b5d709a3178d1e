"""A finding with all that is at hand to settle it, and the register of what settles which kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext as _

from armybuilder.advice.answers import Answer
from armybuilder.advice.remedies.reductions import Lessening
from armybuilder.engine import Finding
from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.wording import listed

if TYPE_CHECKING:
    from armybuilder.pages.builder.page import BuilderPage


@dataclass
class Case:
    """A finding on a page, with the rule it comes from. `less` works in the line-up to mend."""

    page: BuilderPage
    finding: Finding
    rule: Any
    less: Lessening

    @property
    def system(self) -> System:
        return self.page.system

    @property
    def standing(self) -> Standing:
        """The line-up to mend."""
        return self.less.standing

    @property
    def lines(self) -> dict[str, Line]:
        """The lines of the line-up by the ids of their picks."""
        return self.less.lines

    @property
    def culprits(self) -> list[Line]:
        """The lines that take part and stand in the line-up."""
        return [self.lines[unit] for unit in self.finding.units if unit in self.lines]

    def name(self, line: Line) -> str:
        return self.less.name(line)

    def removal_of(self, lines: Iterable[Line]) -> Iterator[Answer]:
        """All of some lines off the list, in one answer."""
        gone = list(lines)
        if not gone:
            return
        names = list(dict.fromkeys(self.name(line) for line in gone))
        rest = len(names) - 2
        if rest > 1:
            more = _("{number} more").format(number=rest)
            names = [*names[:2], more]
        label = _("Remove {unit}").format(unit=listed(names))
        if len(gone) == 1:
            yield Answer(label, {"act": "remove", "unit": gone[0].pick.id})
        else:
            units = " ".join(line.pick.id for line in gone)
            yield Answer(label, {"act": "remove-units", "units": units})

    def relief(self, line: Line, role_id: str) -> Answer:
        """A role taken from a line."""
        end = self.system.roles[role_id].end
        fields = {"act": "role", "unit": line.pick.id, "role": role_id}
        return Answer(f"{self.name(line)}: {end[:1].lower()}{end[1:]}", fields)

    def promotion(self, line: Line, role_id: str) -> Answer:
        """A role given to a line."""
        role = self.system.roles[role_id]
        fields = {"act": "role", "unit": line.pick.id, "role": role_id}
        label = _("Make {unit} the {role}") if role.alone else _("Make {unit} {role}")
        return Answer(label.format(unit=self.name(line), role=role.name), fields)


Settle = Callable[[Case], Iterator[Answer]]

#: What settles findings of a kind of rule.
SETTLE: dict[type[Rule], Settle] = {}


def settles(*kinds: type[Rule]) -> Callable[[Settle], Settle]:
    """Register what settles findings of these kinds of rules."""

    def register(settle: Settle) -> Settle:
        for kind in kinds:
            SETTLE[kind] = settle
        return settle

    return register
