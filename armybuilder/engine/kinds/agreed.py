"""Kind "agreed": reports numbers that players must agree on at game sizes without official ones.

D&D Miniatures, Battle Rules p. 14: the table knows 200, 100 and 50 points.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.fields import given
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import inside


@dataclass(frozen=True, slots=True, eq=False)
class Agreed(Rule):
    kind: ClassVar[str] = "agreed"
    says: ClassVar[frozenset[str]] = frozenset(["names", "size"])
    state: ClassVar[State] = State.MISSING
    stated: ClassVar[bool] = False
    sizes: frozenset[int] = given(read=frozenset)
    settings: tuple[str, ...] = given(read=tuple)

    def settings_asked(self, tally: Tally) -> tuple[str, ...]:
        """Those that are still open."""
        return tuple(key for key in self.settings if tally.roster.settings.get(key) is None)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        roster = tally.roster
        if roster.limit in self.sizes:
            return
        if open_ones := self.settings_asked(tally):
            names = [str(inside(tally.system.settings[key].name)) for key in open_ones]
            yield self.finding(values={"names": names, "size": roster.limit})
