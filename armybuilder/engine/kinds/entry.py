"""Kind "entry": a unit is taken as its entry in the book allows.

One rule per aspect: its size ("too-small", "too-large"), options that may not be taken here
("unavailable") or not so often ("too-often"), groups of options ("group-over", "group-under") and
the points they may cost ("allowance"). The book defines a unit's entry; see `loadout`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import About, AboutGroup, AboutOption, AboutSize
from armybuilder.engine.amounts import NONE
from armybuilder.engine.conditions import Condition, OptionTaken, wanted_at
from armybuilder.engine.entry_bounds import EntryBound, Path
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken, lacking, path_of, work_out
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
from armybuilder.engine.view import N
from armybuilder.engine.wording import listed, say

#: What the aspects of an entry count, if it isn't options.
_COUNTS = {"too-small": MODELS, "too-large": MODELS, "allowance": POINTS, "unavailable": BARRED}


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

    def make_trigger(self) -> str:
        return self.aspect

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
        """Return the numbers of its size and groups; of other aspects those that are broken."""
        bounds = line.loadout.breaches
        if self.aspect in ("too-small", "too-large", "allowance"):
            bounds = work_out(line.unit, line.pick.picks, line.place, every=True).breaches
        for bound in self._own(bounds):
            path, count = bound.path, _COUNTS.get(self.aspect, PICKS)
            whole = part_of(line, bound.number, each=int(count == MODELS))
            part = self._meant(line, path, count) if path else whole
            about = self._about(line.pick.id, path)
            yield Term(self.head, count, part.amount, bound.low, bound.high, just(part), about)

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

    def wanted(self, line: Line, taken: Taken) -> frozenset[str]:
        return wanted_at(taken.slot.needs, line.place)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for line in tally.lines:
            for bound in self._own(line.loadout.breaches):
                yield self._finding(line, bound)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            for bound in self._own(candidate.entry):
                owner = space.owner(self.head, self._about(candidate.key, bound.path))
                limits = bound.low, bound.high, bound.when
                space.constraints.require(bound.number, *limits, owner)

    def _own(self, bounds: Iterable[EntryBound[N]]) -> Iterator[EntryBound[N]]:
        """Return the bounds of which the rule speaks."""
        for bound in bounds:
            if bound.aspect == self.aspect:
                group = bound.path[-1] if bound.path else ""
                if group not in self.not_groups and (not self.groups or group in self.groups):
                    yield bound

    def _about(self, unit: str, path: Path | None) -> About:
        if path is None:
            return AboutSize(unit)
        group = self.aspect in ("group-over", "allowance")
        return AboutGroup(unit, path) if group else AboutOption(unit, path)

    def _finding(self, line: Line, bound: EntryBound[int]) -> Finding:
        head, path = self.head, bound.path
        numbers: tuple[int | None, int | None] = None, None
        values: dict[str, object] = {"unit": line.name, "book": line.unit.book_name}
        if self.aspect == "unavailable":
            needs: Iterable[Condition | None] = (line.unit.needs,)
            if path:
                ((taken, _),) = self._meant(line, path).options
                needs = taken.slot.needs
            values |= {"option": bound.name, "why": lacking(filter(None, needs), line.place)}
        else:
            numbers = bound.number, bound.low if bound.high is None else bound.high
            if path is not None:
                values["option" if self.aspect == "too-often" else "group"] = bound.name
        if self.aspect == "too-large" and (options := lowering(line)):
            head = head.citing(self.option_cite, beside=False)
            values["why"] = say(" with {options}", options=listed(options))
        key = line.pick.id
        return Finding(self, head, (key,), *numbers, values, self._about(key, path))


def lowering(line: Line) -> list[str]:
    """Return the options that make the unit's largest size smaller, by name."""
    most = line.unit.size[1] if line.unit.size is not None else NONE
    taken = line.place.taken
    return [
        name
        for change in most.changes
        if most.base is not None and (change.number < (0 if change.adds else most.base))
        if change.condition is not None and change.condition.holds(line.place)
        for part in change.condition.parts()
        if isinstance(part, OptionTaken) and not part.army
        for tag, name in zip(part.tags, part.names, strict=True)
        if taken.get(tag, 0)
    ]
