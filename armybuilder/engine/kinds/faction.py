"""Kind "faction": the warband's faction is the one whose commanders have most command points.

Where factions tie, the player's choice in a setting decides among the tied. Without any
command points all models must be of one faction. Chainmail 2002, rule 102; 2001 Advanced, p. 26.
Without an `ability` nothing but that is asked: all of one faction (2001 Basic, p. 12).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Self

from armybuilder.engine.about import AboutList, AboutSetting
from armybuilder.engine.catalogue import Unit
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Allegiance, Standing
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import inside, say


def choice_head(head: RuleHead, choose: Mapping[str, Any]) -> RuleHead:
    """The head under which a rule tells that a choice is missing: its own code and summary."""
    return replace(head, id=f"{head.id}-choice", code=choose["code"], summary=choose["summary"])


@dataclass(frozen=True, slots=True, eq=False)
class Faction(Rule):
    """`head` has the code for a mix; `choose` that for an undecided tie."""

    kind: ClassVar[str] = "faction"
    attribute: str
    none: str
    ability: str
    setting: str
    choose: RuleHead

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        choose = choice_head(head, data["choose"]) if "choose" in data else head
        ability, setting = data.get("ability", ""), data.get("setting", "")
        return cls(head, data["attribute"], data["none"], ability, setting, choose)

    def settle(self, standing: Standing) -> Allegiance:
        """The warband's faction in this line-up, or why it is open.

        A commander of unknown rating leaves it open, with nothing to say, unless its rating
        cannot matter: that its card is incomplete is told of the card.
        """
        points: dict[str, int] = {}
        factions: set[str] = set()
        unknown: set[str] = set()
        for line in standing.lines:
            faction = self.faction_of(line.unit.attributes)
            factions.add(faction)
            if faction != self.none:
                rating = line.unit.ratings.get(self.ability, 0)
                if rating:
                    points[faction] = points.get(faction, 0) + rating * line.models
                elif line.unit.blanks and self.unknown(line.unit):
                    unknown.add(faction)
        if unknown:
            return self._despite(unknown, points)
        if points:
            return self._foremost(points, standing)
        if len(factions) == 1 and self.none not in factions:
            return Allegiance(factions.pop())
        return Allegiance(None, (), mixed=bool(factions))

    def _foremost(self, points: Mapping[str, int], standing: Standing) -> Allegiance:
        most = max(points.values())
        tied = tuple(sorted(faction for faction, total in points.items() if total == most))
        if len(tied) == 1:
            return Allegiance(tied[0])
        chosen = standing.roster.settings.get(self.setting)
        return Allegiance(str(chosen) if chosen in tied else None, tied)

    def _despite(self, unknown: set[str], points: Mapping[str, int]) -> Allegiance:
        """The faction where commanders of unknown rating can only add to its lead, else open."""
        most = max(points.values(), default=0)
        first = {faction for faction, total in points.items() if total == most} or unknown
        decided = len(first) == 1 and unknown <= first
        return Allegiance(next(iter(first)) if decided else None)

    def unknown(self, unit: Unit) -> bool:
        """Whether the unit is a commander whose rating its card does not say."""
        return f"ratings.{self.ability}" in unit.blank_fields

    def faction_of(self, attributes: Mapping[str, tuple[str, ...]]) -> str:
        """A unit's faction; units that name none belong to none."""
        values = attributes.get(self.attribute)
        return values[0] if values else self.none

    def cross(self, standing: Standing) -> frozenset[str]:
        """Ids of the cross-faction picks (102.1); none while the faction is open."""
        if standing.faction is None:
            return frozenset()
        return frozenset(
            line.pick.id
            for line in standing.lines
            if self.faction_of(line.unit.attributes) != standing.faction
        )

    def judge(self, standing: Standing) -> Iterator[Finding]:
        allegiance = standing.allegiance
        if allegiance is None or allegiance.faction is not None:
            return
        if allegiance.tied:
            yield Finding(
                self,
                self.choose,
                tuple(
                    line.pick.id
                    for line in standing.lines
                    if self.ability in line.unit.ratings
                    and self.faction_of(line.unit.attributes) in allegiance.tied
                ),
                values={"factions": self.names(standing, allegiance.tied)},
                about=AboutSetting(self.setting, "tie"),
            )
        elif allegiance.mixed:
            present = dict.fromkeys(
                self.faction_of(line.unit.attributes) for line in standing.lines
            )
            yield self.finding(
                tuple(line.pick.id for line in standing.lines),
                len(present),
                1,
                {
                    "factions": self.names(standing, sorted(present)),
                    "count": "" if self.ability else "one",
                },
                AboutList("mixed"),
            )

    def names(self, standing: Standing, factions: tuple[str, ...] | list[str]) -> list[str]:
        """Factions by the names players know them by."""
        names = {**standing.system.attributes[self.attribute].values}
        none = names[self.none]
        is_lack = none.lower().startswith("no ")
        names[self.none] = say(
            "models of {faction}" if is_lack else "{faction} models", faction=inside(none)
        )
        return [names.get(faction, faction) for faction in factions]
