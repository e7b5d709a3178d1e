"""Kind "one-book": all units of the list come from one book.

The Ninth Age: an army is drawn from one Army Book (Rulebook 8.A).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.bounds import Bound
from armybuilder.engine.ends import Fixed
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import Groups
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.view import N, View


class _Books(Groups):
    """The books that a list draws on."""

    def groups(self, view: View[N]) -> Mapping[str, list[tuple[Any, Literal]]]:
        books: dict[str, list[tuple[Any, Literal]]] = {}
        for member in view.members:
            books.setdefault(member.unit.book, []).append((member, member.present))
        return books


@dataclass(frozen=True, slots=True, eq=False)
class OneBook(Rule):
    kind: ClassVar[str] = "one-book"
    says: ClassVar[frozenset[str]] = frozenset(["names"])

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, _Books(), high=Fixed(1))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All units of one book, those of the smallest first."""
        books: dict[str, list[Line]] = {}
        for line in tally.lines:
            books.setdefault(line.unit.book, []).append(line)
        smallest = sorted(books.values(), key=lambda lines: sum(line.points for line in lines))
        yield from map(tuple, smallest[:2])

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"names": sorted({line.unit.book_name for line in tally.lines})}
