"""Kind "faction": the warband's faction is the one whose commanders have most command points.

Where factions tie, the player's choice in a setting decides among the tied. Without any
command points all models must be of one faction. Chainmail 2002, rule 102; 2001 Advanced, p. 26.
Without an `ability` nothing but that is asked: all of one faction (2001 Basic, p. 12).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar, NamedTuple

from armybuilder.engine.about import AboutList, AboutSetting
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.fields import choice, given
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.constraints import FALSE, Expression, Literal, sum_of
from armybuilder.engine.space.space import Allegiances, Space
from armybuilder.engine.states import State
from armybuilder.engine.tally import Allegiance, Sides, Tally
from armybuilder.engine.terms import GROUPS, Term, just, part_of
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Vocabulary
from armybuilder.engine.wording import inside, say

MIXED = AboutList("mixed")


@dataclass(frozen=True, slots=True, eq=False)
class Faction(Rule):
    """`head` has the code for a mix; `choose` that for an undecided tie."""

    kind: ClassVar[str] = "faction"
    says: ClassVar[frozenset[str]] = frozenset(["factions"])
    attribute: str
    none: str
    choose: RuleHead | None = choice("choose", None)
    commands: str = given("ability", default="")
    setting: str = given(default="")

    @property
    def sides(self) -> Sides:
        return self

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Without command points: the factions on the list, of which one is allowed."""
        allegiance = tally.allegiance
        if allegiance is None or not allegiance.mixed:
            return
        parts = [part_of(line, 1, group=tally.faction_of(line)) for line in tally.lines]
        found = {part.group for part in parts}
        # To be of none is not to be of one: alone it is no faction either.
        most = 0 if found == {self.none} else 1
        yield Term(self.head, GROUPS, len(found), None, most, just(*parts), MIXED)

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All but one faction, those that leave the most models first."""
        models = Counter[str]()
        for line in tally.lines:
            models[tally.faction_of(line)] += line.models
        del models[self.none]
        for kept, _ in models.most_common(2):
            yield tuple(line for line in tally.lines if tally.faction_of(line) != kept)

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """Those that tie, in any line-up."""
        if isinstance(finding.about, AboutSetting):
            allegiances = [one.allegiance for one in tallies if one.allegiance]
            for tied in sorted({faction for one in allegiances for faction in one.tied}):
                yield self.setting, tied

    def settle(self, tally: Tally) -> Allegiance:
        """Return the warband's faction in this line-up, or why it is undecided.

        A commander of unknown rating leaves it undecided, unless its rating can't matter: the
        incomplete card is reported at the card.
        """
        points: dict[str, int] = {}
        factions: set[str] = set()
        unknown: set[str] = set()
        for line in tally.lines:
            faction = self.faction_of(line.unit.attributes)
            factions.add(faction)
            if faction != self.none:
                rating = line.unit.ratings.get(self.commands, 0)
                if rating:
                    points[faction] = points.get(faction, 0) + rating * line.models
                elif line.unit.blanks and self.unknown(line.unit):
                    unknown.add(faction)
        if unknown:
            return self._despite(unknown, points)
        if points:
            return self._foremost(points, tally)
        if len(factions) == 1 and self.none not in factions:
            return Allegiance(factions.pop())
        return Allegiance(None, (), mixed=bool(factions))

    def settle_in(self, space: Space) -> Allegiances:
        """Return `settle` for a space of lists."""
        both, found = space.constraints, _Sides.of(self, space)
        if self.head.pointer in space.demanded and not found.unknown:
            return self._choose_in(space, found)
        commanded = both.at_least(sum_of(found.points.values()), 1)
        open_ = both.any_of(found.unknown.values())
        factions = {}
        for faction in found.present:
            rivals = [other for other in found.present if other != faction]
            others = [found.present[other] for other in rivals]
            alone = both.all_of(
                [found.present[faction], ~found.without, *(~other for other in others)]
            )
            unsure = [~found.unknown.get(other, FALSE) for other in rivals]
            leads = both.all_of([found.leads(faction, rival, FALSE) for rival in rivals])
            chosen = space.among(self.setting, {faction}) if self.setting else FALSE
            wins = [found.leads(faction, rival, chosen) for rival in rivals]
            has_points = both.at_least(found.points.get(faction, Expression()), 1)
            factions[faction] = both.any_of(
                [
                    both.all_of([~open_, commanded, has_points, *wins]),
                    both.all_of([~open_, ~commanded, alone]),
                    both.all_of([open_, *unsure, both.any_of([~commanded, leads])]),
                ]
            )
        settled = both.any_of(factions.values())
        some = both.any_of([*found.present.values(), found.without])
        return Allegiances(factions, settled, both.all_of([some, ~settled, ~open_]))

    def _choose_in(self, space: Space, found: _Sides) -> Allegiances:
        """Return the sides if the rule surely holds: one faction is chosen, and its needs follow
        from that. Half the constraints, solved in half the time.
        """
        both = space.constraints
        commanded = both.at_least(sum_of(found.points.values()), 1)
        factions = {faction: both.yes_no() for faction in found.present}
        for faction, own in factions.items():
            mine = found.points.get(faction, Expression())
            both.require(mine, 1, None, (own, commanded))
            both.require_any((~own, found.present[faction]))
            both.require_any((~own, commanded, ~found.without))
            tie = space.among(self.setting, {faction}) if self.setting else FALSE
            for rival, there in found.present.items():
                if rival != faction:
                    lead = mine - found.points.get(rival, Expression())
                    both.require(lead + both.number(tie), 1, None, (own, commanded))
                    both.require_any((~own, commanded, ~there))
        chosen = sum_of(map(both.number, factions.values()))
        both.require(chosen, None, 1)
        settled = both.at_least(chosen, 1)
        some = both.any_of([*found.present.values(), found.without])
        return Allegiances(factions, settled, both.all_of([some, ~settled]))

    def constrain(self, space: Space) -> None:
        space.forbid(self.head, space.allegiances.wrong)

    def _foremost(self, points: Mapping[str, int], tally: Tally) -> Allegiance:
        most = max(points.values())
        tied = tuple(sorted(faction for faction, total in points.items() if total == most))
        if len(tied) == 1:
            return Allegiance(tied[0])
        chosen = tally.roster.settings.get(self.setting)
        return Allegiance(str(chosen) if chosen in tied else None, tied)

    def _despite(self, unknown: set[str], points: Mapping[str, int]) -> Allegiance:
        """The faction where commanders of unknown rating can only add to its lead, else open."""
        most = max(points.values(), default=0)
        first = {faction for faction, total in points.items() if total == most} or unknown
        decided = len(first) == 1 and unknown <= first
        return Allegiance(next(iter(first)) if decided else None)

    def unknown(self, unit: Unit) -> bool:
        """Return whether the unit is a commander whose rating its card does not say."""
        return f"ratings.{self.commands}" in unit.blank_fields

    def faction_of(self, attributes: Mapping[str, tuple[str, ...]]) -> str:
        """Return a unit's faction; units that name none belong to none."""
        values = attributes.get(self.attribute)
        return values[0] if values else self.none

    def state_of(self, finding: Finding) -> State:
        return State.MISSING if isinstance(finding.about, AboutSetting) else State.BROKEN

    def judge(self, tally: Tally) -> Iterator[Finding]:
        allegiance = tally.allegiance
        if allegiance is None or allegiance.faction is not None:
            return
        if allegiance.tied:
            yield Finding(
                self,
                self.choose or self.head,
                tuple(
                    line.pick.id
                    for line in tally.lines
                    if self.commands in line.unit.ratings
                    and tally.faction_of(line) in allegiance.tied
                ),
                values={"factions": self.names(tally.system, allegiance.tied)},
                about=AboutSetting(self.setting, "tie"),
            )
        elif allegiance.mixed:
            present = {tally.faction_of(line) for line in tally.lines}
            yield self.finding(
                tuple(line.pick.id for line in tally.lines),
                len(present),
                1,
                {
                    "factions": self.names(tally.system, sorted(present)),
                    "count": "" if self.commands else "one",
                },
                MIXED,
            )

    def names(self, system: Vocabulary, factions: Sequence[str]) -> list[str]:
        """Factions by the names players know them by."""
        names = {**system.attributes[self.attribute].values}
        none = names[self.none]
        is_lack = none.lower().startswith("no ")
        names[self.none] = say(
            "models of {faction}" if is_lack else "{faction} models", faction=inside(none)
        )
        return [names.get(faction, faction) for faction in factions]


class _Sides(NamedTuple):
    """The factions possible on a list: whether each is present, its command points, whether it
    has a commander of unknown rating; `without`: whether a model of no faction is present."""

    space: Space
    present: dict[str, Literal]
    points: dict[str, Expression]
    unknown: dict[str, Literal]
    without: Literal

    @classmethod
    def of(cls, rule: Faction, space: Space) -> _Sides:
        """Return those of a line-up."""
        there: dict[str, list[Literal]] = {}
        unknown: dict[str, list[Literal]] = {}
        points: dict[str, Expression] = {}
        for candidate in space.candidates:
            unit = candidate.unit
            faction = rule.faction_of(unit.attributes)
            there.setdefault(faction, []).append(candidate.present)
            rating = 0 if faction == rule.none else unit.ratings.get(rule.commands, 0)
            if rating:
                points.setdefault(faction, Expression()).add(candidate.models, rating)
            elif faction != rule.none and rule.unknown(unit):
                unknown.setdefault(faction, []).append(candidate.present)
        any_of = space.constraints.any_of
        present = {faction: any_of(literals) for faction, literals in there.items()}
        without = present.pop(rule.none, FALSE)
        return cls(
            space, present, points, {one: any_of(some) for one, some in unknown.items()}, without
        )

    def leads(self, faction: str, rival: str, chosen: Literal) -> Literal:
        """Return whether it has more points than a rival, or as many and is `chosen`."""
        nothing, both = Expression(), self.space.constraints
        lead = self.points.get(faction, nothing) - self.points.get(rival, nothing)
        tied = both.all_of([chosen, both.at_least(lead, 0)])
        return both.any_of([both.at_least(lead, 1), tied])
