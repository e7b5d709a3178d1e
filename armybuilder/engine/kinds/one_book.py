"""Kind "one-book": all units of the list come from one book.

The Ninth Age: an army is drawn from one Army Book (Rulebook 8.A).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.space.constraints import Literal
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import GROUPS, Part, Term, part_of


@dataclass(frozen=True, slots=True, eq=False)
class OneBook(Rule):
    kind: ClassVar[str] = "one-book"
    says: ClassVar[frozenset[str]] = frozenset(["names"])

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the books that the list draws from."""
        books = {line.unit.book for line in tally.lines}
        yield Term(self.head, GROUPS, len(books), None, 1, partial(_parts, tally))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All units of one book, those of the smallest first."""
        books: dict[str, list[Line]] = {}
        for line in tally.lines:
            books.setdefault(line.unit.book, []).append(line)
        smallest = sorted(books.values(), key=lambda lines: sum(line.points for line in lines))
        yield from map(tuple, smallest[:2])

    def constrain(self, space: Space) -> None:
        books: dict[str, list[Literal]] = {}
        for candidate in space.candidates:
            books.setdefault(candidate.unit.book, []).append(candidate.present)
        if len(books) < 2:
            return
        drawn = Expression()
        for present in books.values():
            drawn.add(space.constraints.number(space.constraints.any_of(present)))
        space.constraints.require(drawn, None, 1, (), space.owner(self.head))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"names": sorted({line.unit.book_name for line in tally.lines})}


def _parts(tally: Tally) -> Iterator[Part]:
    return (part_of(line, 1, group=line.unit.book) for line in tally.lines)
