"""Kind "game-size": the list is for one of some game sizes, in points."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.about import AboutList
from armybuilder.engine.bounds import Bound, ForList
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import given
from armybuilder.engine.queries import Chosen
from armybuilder.engine.roster import Roster
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import N, Subject, View
from armybuilder.engine.wording import either, marked

SIZE = AboutList("size")


class _Size(Chosen):
    """The game size, as one of some values."""

    def measure(self, view: View[N], subject: Subject) -> N:
        return view.algebra.constant(int(view.roster.limit in self.values))

    def barred(self, space: Space, subject: Subject) -> None:
        return None


@dataclass(frozen=True, slots=True, eq=False)
class GameSize(Rule):
    kind: ClassVar[str] = "game-size"
    says: ClassVar[frozenset[str]] = frozenset(["size", "wanted"])
    plain: ClassVar[str] = marked("The list is for {size} points. Needed: {wanted}. {summary}")
    sizes: tuple[int, ...] = given(read=tuple)

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, _Size("", self.sizes), low=Fixed(1), each=ForList(SIZE))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"size": tally.roster.limit, "wanted": either(map(str, self.sizes))}

    def sizes_for(self, roster: Roster) -> tuple[int, ...]:
        """Those that are allowed."""
        return () if roster.limit in self.sizes else self.sizes
