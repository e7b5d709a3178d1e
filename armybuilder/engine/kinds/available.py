"""Kind "available": every piece chosen in a setting is one the other settings allow.

Chainmail terrain: a web belongs under ground, woods above it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.bounds import Bound
from armybuilder.engine.ends import Fixed
from armybuilder.engine.queries import Pieces
from armybuilder.engine.rules import Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term


@dataclass(frozen=True, slots=True, eq=False)
class Available(Rule):
    kind: ClassVar[str] = "available"
    says: ClassVar[frozenset[str]] = frozenset(["names"])
    setting: str

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, Pieces(self.setting), high=Fixed(0))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"names": [part.label for part in term.parts]}
