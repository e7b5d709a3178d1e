"""Kind "entry": a unit is taken as its entry in the book allows.

One rule per aspect: its size ("too-small", "too-large"), options that may not be taken here
("unavailable") or not so often ("too-often"), groups of options ("group-over", "group-under") and
the points they may cost ("allowance"). The book defines a unit's entry; see `loadout`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import About, AboutGroup, AboutOption, AboutSize
from armybuilder.engine.amounts import NONE
from armybuilder.engine.conditions import OptionTaken, wanted_at
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Path, Violation, path_of
from armybuilder.engine.loadout import Taken as TakenHere
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import (
    BARRED,
    MODELS,
    PICKS,
    POINTS,
    Part,
    Term,
    just,
    options_of,
    part_of,
)
from armybuilder.engine.wording import listed, say


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Rule):
    """It speaks of the `groups` only, where some are named, and not of those of other rules.
    `option_cite` is cited where an option made the largest size smaller.
    """

    kind: ClassVar[str] = "entry"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "book", "option", "group", "why"])
    aspect: str = given()
    groups: frozenset[str] = given(read=frozenset, default=frozenset())
    not_groups: frozenset[str] = given(read=frozenset, default=frozenset())
    option_cite: str = given(default="")

    @property
    def aspects(self) -> frozenset[str]:
        """Return the one that it is about."""
        return frozenset([self.aspect])

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the numbers that each unit's entry bounds, in the aspect of the rule."""
        for line in tally.lines:
            yield from self._terms(line)

    def term_of(self, finding: Finding, tally: Tally) -> Term | None:
        # Entries are long: only that of the finding's own unit is looked through.
        own = (line for line in tally.lines if line.pick.id == finding.about.own_unit)
        terms = (term for line in own for term in self._terms(line))
        return next((term for term in terms if term.about == finding.about), None)

    def _terms(self, line: Line) -> Iterator[Term]:
        if self.aspect in ("too-small", "too-large"):
            yield from self._size(line)
        elif self.aspect == "allowance":
            yield from self._allowances(line)
        else:
            yield from (self._term(line, breach) for breach in self._breaches(line))

    def _size(self, line: Line) -> Iterator[Term]:
        if line.unit.size is not None and line.unit.counts:
            least, most = line.unit.size
            small = self.aspect == "too-small"
            low = least.number(line.place) if small else None
            high = None if small else most.at(line.place)
            parts = just(part_of(line, line.models, each=1))
            yield Term(self.head, MODELS, line.models, low, high, parts, AboutSize(line.pick.id))

    def _allowances(self, line: Line) -> Iterator[Term]:
        """Return the points of the groups in which something is taken."""
        every = line.loadout.taken
        paths = [path_of(every, place)[:-1] for place in range(len(every))]
        groups = {
            (*path, group.id): group
            for path, taken in zip(paths, every, strict=True)
            for group in taken.slot.groups
        }
        for path, group in groups.items():
            part, high = self._meant(line, path, POINTS), group.allowance.at(line.place)
            about = AboutGroup(line.pick.id, path)
            yield Term(self.head, POINTS, part.amount, None, high, just(part), about)

    def _term(self, line: Line, breach: Violation) -> Term:
        """Return the number that is out of bounds; of a barred option none is allowed."""
        path = breach.path or ()
        part = self._meant(line, path) if path else part_of(line, 1)
        low = breach.allowed if self.aspect == "group-under" else None
        high = None if low is not None else breach.allowed or 0
        count = BARRED if self.aspect == "unavailable" else PICKS
        about = self._about(line.pick.id, path)
        return Term(self.head, count, part.amount, low, high, just(part), about)

    def _meant(self, line: Line, path: Path, count: str = PICKS) -> Part:
        """Return the picks of the option, or in the group, that a path leads to."""
        every = line.loadout.taken
        meant = [
            (one, one.total if count == POINTS else one.number)
            for place, one in enumerate(every)
            if (here := path_of(every, place))[:-1] == path[:-1]
            and (here == path or any(group.id == path[-1] for group in one.slot.groups))
        ]
        return options_of(line, meant)

    def wanted(self, line: Line, taken: TakenHere) -> frozenset[str]:
        return wanted_at(taken.slot.needs, line.place)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for line in tally.lines:
            if line.loadout.breaches:
                yield from (self._finding(line, breach) for breach in self._breaches(line))

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            for one in candidate.entry.get(self.aspect, ()):
                if self._speaks_of(one.path):
                    key = candidate.key
                    about = AboutSize(key) if one.path is None else self._about(key, one.path)
                    owner = space.owner(self.head, about)
                    space.constraints.require(one.number, one.low, one.high, one.when, owner)

    def _breaches(self, line: Line) -> Iterator[Violation]:
        for breach in line.loadout.breaches:
            if breach.aspect == self.aspect and self._speaks_of(breach.path):
                yield breach

    def _speaks_of(self, path: Path | None) -> bool:
        group = path[-1] if path else ""
        return (not self.groups or group in self.groups) and group not in self.not_groups

    def _about(self, unit: str, path: Path) -> About:
        group = self.aspect in ("group-over", "allowance")
        return AboutGroup(unit, path) if group else AboutOption(unit, path)

    def _finding(self, line: Line, breach: Violation) -> Finding:
        head = self.head
        values = {"unit": line.name, "book": line.unit.book_name, **breach.values}
        if self.aspect == "too-large" and (options := lowering(line)):
            head = head.citing(self.option_cite, beside=False)
            values["why"] = say(" with {options}", options=listed(options))
        key = line.pick.id
        about = AboutSize(key) if breach.path is None else self._about(key, breach.path)
        return Finding(self, head, (key,), breach.measured, breach.allowed, values, about)


def lowering(line: Line) -> list[str]:
    """Return the options that make the unit's largest size smaller, by name."""
    most = line.unit.size[1] if line.unit.size is not None else NONE
    taken = line.place.taken
    return [
        name
        for change in most.changes
        if most.base is not None and (change.number < (0 if change.adds else most.base))
        if change.condition is not None and change.holds(line.place)
        for part in change.condition.parts()
        if isinstance(part, OptionTaken) and not part.army
        for tag, name in zip(part.tags, part.names, strict=True)
        if taken.get(tag, 0)
    ]
