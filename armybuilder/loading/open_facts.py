"""Rules of packs about facts that a book may not say: the set of a card, a height, special rules.

Such a rule has two readings. The lenient one counts unknown units so that the list keeps the rule
if it can: a list that breaks even this has an error. If it breaks the strict one, the rule isn't
checked. Both are rules of the usual kinds, so that a solver can state them.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.make_units import OPEN_SET
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.tally import Tally
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.wording import say

Data = Mapping[str, Any]

SET: Final = "set"
#: Kinds of rules that can name sets of cards. Sums settle other open facts themselves.
_EACH, _SUMS = ("copies", "each-unit"), ("weighted", "some-of")
SET_KINDS: Final = ("limit", *_EACH, *_SUMS)


def names_set(value: Any) -> bool:
    """Return whether a part of a pack names a set of cards."""
    return _names(value, {SET: SET})


def _names(value: Any, gaps: Mapping[str, str]) -> bool:
    if isinstance(value, Mapping):
        return not gaps.keys().isdisjoint(value) or any(_names(one, gaps) for one in value.values())
    return isinstance(value, list) and any(_names(one, gaps) for one in value)


@dataclass(frozen=True, slots=True)
class Readings:
    """The readings of a rule; `gaps` of books are by the kinds of tags that they leave open."""

    rule: Data
    gaps: Mapping[str, str]

    @classmethod
    def of(cls, rule: Data, system: System) -> Self | None:
        """Return the readings of a rule; None if books answer all that it asks."""
        gaps = {SET: SET}
        if rule["kind"] not in _SUMS:
            gaps |= {"keyword": "rules"} | {stat: stat for stat in system.asked.stats}
        asks = rule["kind"] in SET_KINDS and _names(rule, gaps)
        return cls(rule, gaps) if asks else None

    def read(self, *, lenient: bool) -> list[Data]:
        """Return the rules of a reading: a maximum and a minimum apart."""
        rule = self.rule
        if rule["kind"] in _EACH:
            return [self._counting(rule, wide=not lenient)]
        if rule["kind"] == "some-of":
            among = (self._counting(one, wide=("min" in one) == lenient) for one in rule["among"])
            return [{**rule, "among": [*among]}]
        without = {key: one for key, one in rule.items() if key not in ("min", "max")}
        return [
            self._counting({**without, side: rule[side]}, wide=(side == "min") == lenient)
            for side in ("max", "min")
            if side in rule
        ]

    def _counting(self, rule: Data, *, wide: bool) -> Data:
        """Return a rule that counts unknown units wherever it may, or nowhere."""
        read = {**rule}
        if "of" in rule:
            read["of"] = self._selector(rule["of"], wide)
        if "counts" in rule:
            read["counts"] = [
                {**one, "of": self._selector(one["of"], wide)} for one in rule["counts"]
            ]
        return read

    def _selector(self, selector: Data, wide: bool) -> Data:
        ones = [self._clause(kind, wanted, wide) for kind, wanted in selector.items()]
        return {"all": ones} if len(ones) > 1 else dict(*ones)

    def _clause(self, kind: str, wanted: Any, wide: bool) -> Data:
        if kind == "not":
            return {kind: self._selector(wanted, not wide)}
        if kind in ("all", "any"):
            return {kind: [self._selector(one, wide) for one in wanted]}
        if kind in self.gaps and wide:
            return {"any": [{kind: wanted}, {"gap": self.gaps[kind]}]}
        return {kind: wanted}

    @property
    def perhaps(self) -> Iterator[tuple[Selector, Selector]]:
        """Pairs of selectors: of units that it may count, and of those that it surely counts."""
        parts = [self.rule, *self.rule.get("among", ())]
        for one in (weight for part in parts for weight in (part, *part.get("counts", ()))):
            asked = one.get("of", {})
            wide, sure = (self._selector(asked, each) for each in (True, False))
            yield Selector.read(wide), Selector.read(sure)


@dataclass(frozen=True, slots=True, eq=False)
class OpenFacts(Rule):
    """The strict reading of a rule, with the selectors of `Readings.perhaps`."""

    strict: tuple[Rule, ...]
    perhaps: tuple[tuple[Selector, Selector], ...]

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        """Yield the units on whose unknown facts the rule depends."""
        found = [one for rule in self.strict for one in rule.judge(tally)]
        named = {unit for one in found for unit in one.units}
        by_unit = self.strict[0].kind in _EACH
        for line in tally.lines if found else ():
            counts = any(may.matches(line.tags) != does.matches(line.tags)
                         for may, does in self.perhaps)  # fmt: skip
            if counts and line.unit.counts and (not by_unit or line.pick.id in named):
                what = say("may count towards: {rule}", rule=self.head.summary)
                why = "set" if OPEN_SET in line.tags else "stat-line"
                yield of_line(line, line.name, what, why, str(self.head.citation))


def rules_of(readings: Readings, kind: type[Rule], head: RuleHead, system: System) -> list[Rule]:
    """Return the rules that check a list by the lenient reading, and name unchecked units."""
    lenient, strict = (
        tuple(kind.read(head, one, system.selector_index) for one in readings.read(lenient=each))
        for each in (True, False)
    )
    return [*lenient, OpenFacts(head, strict, tuple(readings.perhaps))]
