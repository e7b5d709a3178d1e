"""Kind "target": an ability against a named kind of enemy names it (Lethal), and nothing that is
barred: no model is Lethal against Lethal models."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.names import simple
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.units import Fault, Unit
from armybuilder.engine.wording import say

#: With one of these words before it, a barred word means everybody else.
_OTHERS = frozenset(["no", "non", "not", "without"])


def casefolded(words: Iterable[str]) -> frozenset[str]:
    """Return words in a form in which they can be compared."""
    return frozenset(map(str.casefold, words))


@dataclass(frozen=True, slots=True, eq=False)
class Target(Rule):
    """`barred` are words that a target may not name; with them the rule asks for that alone.

    With `known` words, targets that name none of them are left to people.
    """

    kind: ClassVar[str] = "target"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names", "target"])
    ability: str = given()
    barred: frozenset[str] = given(read=casefolded, default=frozenset())
    known: frozenset[str] = given(read=casefolded, default=frozenset())

    def state_of(self, finding: Finding) -> State:
        return State.BROKEN if self.barred else State.MISSING

    def faults(self, unit: Unit) -> Iterator[Fault]:
        for use in unit.abilities:
            if use.ability.id == self.ability and self._is_wrong(use.target):
                names = [use.label if self.barred else use.ability.name]
                yield Fault(self.head, values={"names": names, "target": use.ability.target})
                return

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for line in tally.lines if self.known else ():
            for use in line.unit.abilities:
                words = simple(use.target).split()
                if use.ability.id == self.ability and words and self.known.isdisjoint(words):
                    what = say("may not be allowed here: {name}", name=use.label)
                    yield of_line(line, line.name, what, "sentence", str(self.head.citation))

    def _is_wrong(self, target: str) -> bool:
        if not self.barred:
            return not target
        words = simple(target).split()
        return not self.barred.isdisjoint(words) and _OTHERS.isdisjoint(words)
