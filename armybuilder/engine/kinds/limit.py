"""Kind "limit": a count or sum over the whole list lies between bounds.

Counts points, models, picks (units or options) of what a selector matches, or the pieces
chosen in a setting.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.bounds import Bound, read_bound
from armybuilder.engine.findings import Finding, Gauge, Part, RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Selector
from armybuilder.engine.standing import Contribution, Standing, setting_points
from armybuilder.engine.tallies import Tallies
from armybuilder.engine.wording import say


@dataclass(frozen=True, slots=True, eq=False)
class Limit(Rule):
    kind: ClassVar[str] = "limit"
    can_be_lifted: ClassVar[bool] = True
    count: str
    selector: Selector
    number: int
    minimum: Bound | None
    maximum: Bound | None
    setting: str
    name: str
    what: str = ""

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        selector = Selector.read(data.get("of", {}))
        return cls(
            head=head,
            count=data["count"],
            selector=selector,
            number=tallies.add(selector),
            minimum=read_bound(data.get("min")),
            maximum=read_bound(data.get("max")),
            setting=data.get("setting", ""),
            name=data.get("gauge", ""),
        )

    def judge(self, standing: Standing) -> Iterator[Finding]:
        measured = self.measure(standing)
        top = None if self.maximum is None else self.maximum.upper(standing)
        low = None if self.minimum is None else self.minimum.lower(standing)
        broken = None
        if top is not None and measured > top:
            broken = top
        elif low is not None and measured < low:
            broken = low
        if broken is not None:
            values = self._values(standing)
            if top == low:
                values["bound"] = say("exactly")
            yield self.finding(self._culprits(standing), measured, broken, values)

    def measure(self, standing: Standing) -> int:
        """The count or sum in this line-up."""
        if self.count == "pieces":
            return len(matching_pieces(self, standing))
        if self.head.id in standing.lifts:
            return sum(part.amount for part in self._parts(standing))
        if self.selector is EVERYTHING or self.selector == EVERYTHING:
            if self.count == "points":
                return standing.points
            return standing.models if self.count == "models" else len(standing.lines)
        if self.count == "units":
            return sum(1 for _ in standing.matching(self.selector))
        if self.selector.mentions(CROSS_FACTION):
            return sum(amount(self.count, line) for line in standing.matching(self.selector))
        by = {
            "points": standing.points_by,
            "models": standing.models_by,
            "picks": standing.picks_by,
        }
        return by[self.count][self.number]

    def gauge(self, standing: Standing) -> Gauge | None:
        if not self.name:
            return None
        return Gauge(
            self,
            self.name,
            self.measure(standing),
            None if self.minimum is None else self.minimum.lower(standing),
            None if self.maximum is None else self.maximum.upper(standing),
            standing.lineup if self.head.each_lineup else "",
            self._parts(standing),
        )

    def _culprits(self, standing: Standing) -> tuple[str, ...]:
        if self.count == "pieces":
            return ()
        return tuple(part.line.pick.id for part in self._meant(standing))

    def _meant(self, standing: Standing) -> Iterator[Contribution]:
        """What each line adds, those left out from which a unit lifts the rule."""
        for part in standing.contributions(self.selector, self.number):
            if not standing.spares(self.head.id, part.line):
                yield part

    def _settings(self, standing: Standing) -> list[tuple[str, int]]:
        """(name, points) of the settings that count among all points of the list."""
        if self.count == "points" and self.selector == EVERYTHING:
            return setting_points(standing.roster, standing.system)
        return []

    def _values(self, standing: Standing) -> dict[str, object]:
        if self.count == "pieces":
            return {"names": list(matching_pieces(self, standing))}
        values: dict[str, object] = {"what": self.what or self.name}
        return {**values, "count": self.count} if self.what and self.count == "picks" else values

    def _label(self, line: Line) -> str:
        unknown = self.count == "points" and line.unit.price.start is None
        return say("{unit} (points not known)", unit=line.name) if unknown else line.name

    def _parts(self, standing: Standing) -> tuple[Part, ...]:
        if self.count == "pieces":
            return tuple(Part("", name, 1) for name in matching_pieces(self, standing))
        parts = [
            Part(part.line.pick.id, self._label(part.line), getattr(part, self.count))
            for part in self._meant(standing)
        ]
        parts += [Part("", name, points) for name, points in self._settings(standing)]
        return tuple(parts)


def amount(count: str, line: Line) -> int:
    """What a line adds to a count of points, models or picks."""
    if count == "points":
        return line.points
    return line.models if count == "models" else 1


def matching_pieces(limit: Limit, standing: Standing) -> tuple[str, ...]:
    """Names of the pieces chosen in the limit's setting that its selector matches."""
    values = standing.system.settings[limit.setting].values
    return tuple(
        values[piece].name
        for piece in chosen_pieces(standing.roster, limit.setting)
        if piece in values and limit.selector.matches(values[piece].tags)
    )


def chosen_pieces(roster: Roster, setting: str) -> tuple[str, ...]:
    """Ids of what is chosen in a setting: one value, or pieces with their repeats."""
    chosen = roster.settings.get(setting)
    if isinstance(chosen, tuple):
        return chosen
    return (chosen,) if isinstance(chosen, str) else ()
