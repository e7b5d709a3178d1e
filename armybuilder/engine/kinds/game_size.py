"""Kind "game-size": the list is for one of some game sizes, in points."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutList
from armybuilder.engine.fields import given
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import either, marked

SIZE = AboutList("size")


@dataclass(frozen=True, slots=True, eq=False)
class GameSize(Rule):
    kind: ClassVar[str] = "game-size"
    says: ClassVar[frozenset[str]] = frozenset(["size", "wanted"])
    plain: ClassVar[str] = marked("The list is for {size} points. Needed: {wanted}. {summary}")
    sizes: tuple[int, ...] = given(read=tuple)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        if tally.roster.limit not in self.sizes:
            wanted = either(str(size) for size in self.sizes)
            values = {"size": tally.roster.limit, "wanted": wanted}
            yield self.finding(values=values, about=SIZE)

    def sizes_for(self, roster: Roster) -> tuple[int, ...]:
        """Those that are allowed."""
        return () if roster.limit in self.sizes else self.sizes

    def constrain(self, space: Space) -> None:
        if space.roster.limit not in self.sizes:
            space.constraints.require_any((), space.owner(self.head, SIZE))
