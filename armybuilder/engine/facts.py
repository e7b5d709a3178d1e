"""Facts of a list on game day: numbers and names computed from a line-up.

Each kind of fact is one class: here those of any game. A system file names the kind, its
parameters and the source.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import ClassVar

from armybuilder.engine.citations import Citation, Given
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.prices import Share
from armybuilder.engine.roster import Roster
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import either, say, say_given


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the game-day sheet. `value` is the bare number where there is one."""

    id: str
    name: str
    text: str
    citation: Citation
    value: int | None = None
    units: tuple[str, ...] = ()
    note: str = ""


@dataclass(frozen=True, slots=True)
class FactHead:
    """Common fields of all facts of a system. `given`: the settings that it requires."""

    id: str
    name: str
    citation: Citation
    note: str = ""
    given: Given = ()


@dataclass(frozen=True, slots=True, eq=False)
class FactRule(ABC):
    """A fact of a list on game day. Kinds compute it."""

    kind: ClassVar[str] = ""
    head: FactHead

    @abstractmethod
    def tell(self, tally: Tally) -> Fact | None:
        """Return the fact for a line-up; None where it has nothing to say."""

    def fact(
        self, text: str, value: int | None = None, units: tuple[str, ...] = (), note: str = ""
    ) -> Fact:
        """Return the fact with this rule's name and citation, and its note if there is no other."""
        head = self.head
        told = note or say_given(head.note)
        return Fact(head.id, say(head.name), text, head.citation, value, units, told)


@dataclass(frozen=True, slots=True, eq=False)
class Sum(FactRule):
    """Ratings of an ability over all models, plus a number setting (scouting bonus)."""

    kind: ClassVar[str] = "sum"
    ability: str
    setting: str = ""

    def tell(self, tally: Tally) -> Fact:
        rated = [line for line in tally.lines if self.ability in line.unit.ratings]
        having = [line for line in rated if line.unit.ratings[self.ability]]
        setting = tally.roster.settings.get(self.setting)
        total = setting if isinstance(setting, int) else 0
        total += sum(line.unit.ratings[self.ability] * line.models for line in having)
        unknown = dict.fromkeys(line.name for line in rated if not line.unit.ratings[self.ability])
        names = ", ".join(unknown)
        gap = say("Excludes the unknown numbers of {names}.", names=names) if names else ""
        note = f"{gap} {say_given(self.head.note)}".strip()
        return self.fact(f"{total:+d}", total, tuple(line.pick.id for line in having), note)


@dataclass(frozen=True, slots=True, eq=False)
class Steps(FactRule):
    """A number that rises with the models: [[4, 1], [8, 2]], and beyond them a share, rounded up,
    or one number.
    """

    kind: ClassVar[str] = "steps"
    steps: tuple[tuple[int, int], ...]
    beyond: Share | int

    def tell(self, tally: Tally) -> Fact | None:
        models = tally.models
        if not models:
            return None
        number = next((number for step, number in self.steps if models <= step), None)
        if number is None:
            beyond = self.beyond
            number = beyond if isinstance(beyond, int) else beyond.up(models)
        return self.fact(str(number), number)


@dataclass(frozen=True, slots=True, eq=False)
class ShareFact(FactRule):
    """A share of the models, in a phrase such as "when {number} are lost"; {rest} are the others.

    Rounded up, or `down`; a share of no model isn't a fact.
    """

    kind: ClassVar[str] = "share"
    share: Share
    phrase: str
    down: bool = given("round", lambda way: way == "down", default=False)

    def tell(self, tally: Tally) -> Fact | None:
        models = tally.models
        number = self.share.down(models) if self.down else self.share.up(models)
        if not number:
            return None
        said = say(self.phrase, number=number, rest=models - number, models=models)
        return self.fact(said, number)


@dataclass(frozen=True, slots=True, eq=False)
class BySize(FactRule):
    """A number the rulebook tables by game size; other sizes take about a share of it."""

    kind: ClassVar[str] = "by-size"
    table: Mapping[int, int]
    share: Share
    phrase: str

    def tell(self, tally: Tally) -> Fact:
        limit = tally.roster.limit
        number = self.table.get(limit)
        if number is not None:
            return self.fact(say(self.phrase, number=number), number)
        number = self.share.down(limit)
        return self.fact(say("about {what}", what=say(self.phrase, number=number)), number)


@dataclass(frozen=True, slots=True, eq=False)
class Foremost(FactRule):
    """The model with the highest rating of an ability, on the warband's own side or in the
    `whole` of it.

    Ties go to the higher cost; without the ability to the costliest own model, unless `required`.
    `up_to` bars models that cost more; `unrivalled`: no model on the whole list may have a higher
    rating. `rated`: ability and rating follow the name.
    """

    kind: ClassVar[str] = "foremost"
    ability: str
    up_to: int | None = None
    required: bool = False
    unrivalled: bool = False
    whole: bool = False
    rated: bool = False

    def tell(self, tally: Tally) -> Fact | None:
        own = self._own(tally)
        if any(f"ratings.{self.ability}" in line.unit.blank_fields for line in own):
            return self.fact(say("not known until the ratings are filled in"))
        if self.required:
            own = [line for line in own if self._rating(line)]
        if self.unrivalled:
            top = max(map(self._rating, tally.lines), default=0)
            own = [line for line in own if self._rating(line) == top]
        if self.up_to is not None:
            known = [line for line in own if line.unit.price.start is not None]
            own = [line for line in known if line.each <= self.up_to]
        if not own:
            return None
        if not self.unrivalled:
            best = max((self._rating(line), line.each) for line in own)
            own = [line for line in own if (self._rating(line), line.each) == best]
        names = either(dict.fromkeys(map(self._called, own)))
        tied = sum(line.models for line in own) > 1 and not self.required
        note = say("Tied: choose at random before play.") if tied else ""
        return self.fact(names, None, tuple(line.pick.id for line in own), note)

    def _own(self, tally: Tally) -> list[Line]:
        if self.whole:
            return list(tally.lines)
        if tally.sides is not None and tally.faction is None:
            return []
        return [line for line in tally.lines if line.pick.id not in tally.cross]

    def _rating(self, line: Line) -> int:
        return line.unit.ratings.get(self.ability, 0)

    def _called(self, line: Line) -> str:
        """Return the unit's name, with the ability and its rating if asked: "Ann (Chief 4)"."""
        uses = (use.label for use in line.unit.abilities if use.ability.id == self.ability)
        label = next(uses, "") if self.rated else ""
        return f"{line.name} ({label})" if label else line.name


@dataclass(frozen=True, slots=True, eq=False)
class Each(FactRule):
    """The rating of an ability for every unit that has it (command points per round)."""

    kind: ClassVar[str] = "each"
    ability: str

    def tell(self, tally: Tally) -> Fact | None:
        having = [line for line in tally.lines if line.unit.ratings.get(self.ability)]
        if not having:
            return None
        models = Counter[str]()
        for line in having:
            models[f"{line.name} {line.unit.ratings[self.ability]}"] += line.models
        texts = (f"{told} (×{number})" if number > 1 else told for told, number in models.items())
        return self.fact(", ".join(texts), None, tuple(line.pick.id for line in having))


@dataclass(frozen=True, slots=True, eq=False)
class FactionFact(FactRule):
    """The warband's faction, by name."""

    kind: ClassVar[str] = "faction"

    def tell(self, tally: Tally) -> Fact | None:
        rule = tally.sides
        if rule is None or tally.faction is None:
            return None
        return self.fact(rule.names(tally.system, [tally.faction])[0])


@dataclass(frozen=True, slots=True, eq=False)
class EachStat(FactRule):
    """A share of a statistic, rounded down to a multiple of `step`, for every unit (bloodied at
    half the hit points).
    """

    kind: ClassVar[str] = "each-stat"
    stat: str
    share: Share
    step: int = 1

    def tell(self, tally: Tally) -> Fact | None:
        return _per_unit(self, tally, self._of)

    def _of(self, line: Line) -> int | None:
        value = line.unit.stats.get(self.stat)
        return self.share.down(value) // self.step * self.step if isinstance(value, int) else None


@dataclass(frozen=True, slots=True, eq=False)
class Worth(FactRule):
    """Value of each unit to the enemy: its points, with a bonus by the value of a setting
    (victory points, in some scenarios)."""

    kind: ClassVar[str] = "worth"
    setting: str = ""
    more: Mapping[str, int] = field(default_factory=dict)

    def tell(self, tally: Tally) -> Fact | None:
        return _per_unit(self, tally, lambda line: self.of(line, tally.roster))

    def of(self, line: Line, roster: Roster) -> int | None:
        """Return the worth of each model of a line; None if its price is unknown."""
        more = self.more.get(str(roster.settings.get(self.setting)), 0)
        return None if line.unit.price.start is None else line.each + more


@dataclass(frozen=True, slots=True, eq=False)
class ByChoice(FactRule):
    """A text that goes with the value chosen in a setting."""

    kind: ClassVar[str] = "by-choice"
    setting: str
    texts: Mapping[str, str]

    def tell(self, tally: Tally) -> Fact | None:
        text = self.texts.get(str(tally.roster.settings.get(self.setting)))
        return self.fact(say(text)) if text else None


def _per_unit(rule: FactRule, tally: Tally, number: Callable[[Line], int | None]) -> Fact | None:
    """Return a number for each unit of the list, every unit once: "Warlord 40, Guard 25"."""
    told: dict[str, str] = {}
    for line in tally.lines:
        value = number(line)
        told.setdefault(line.name, "?" if value is None else str(value))
    if not told or set(told.values()) == {"?"}:
        return None
    return rule.fact(", ".join(f"{name} {value}" for name, value in told.items()))


GAME_FACTS: tuple[type[FactRule], ...] = (
    *(Sum, Steps, ShareFact, BySize, Foremost, Each, FactionFact, EachStat, Worth, ByChoice),
)
