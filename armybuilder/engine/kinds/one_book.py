"""Kind "one-book": all units of the list come from one book.

The Ninth Age: an army is drawn from one Army Book (Rulebook 8.A).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Tally
from armybuilder.engine.tallies import SelectorIndex
from armybuilder.engine.terms import GROUPS, Term, just, part_of


@dataclass(frozen=True, slots=True, eq=False)
class OneBook(Rule):
    kind: ClassVar[str] = "one-book"
    says: ClassVar[frozenset[str]] = frozenset(["names"])

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: SelectorIndex) -> Self:
        return cls(head)

    def terms(self, standing: Tally) -> Iterator[Term]:
        """The books that the list draws from."""
        parts = [part_of(line, 1, group=line.unit.book) for line in standing.lines]
        yield Term(self, GROUPS, len({part.group for part in parts}), None, 1, just(*parts))

    def removals(self, standing: Tally) -> Iterator[tuple[Line, ...]]:
        """All units of one book, those of the smallest first."""
        books: dict[str, list[Line]] = {}
        for line in standing.lines:
            books.setdefault(line.unit.book, []).append(line)
        smallest = sorted(books.values(), key=lambda lines: sum(line.points for line in lines))
        yield from map(tuple, smallest[:2])

    def judge(self, standing: Tally) -> Iterator[Finding]:
        books = {line.unit.book: line.unit.book_name for line in standing.lines}
        if len(books) > 1:
            where = tuple(line.pick.id for line in standing.lines)
            yield self.finding(where, len(books), 1, {"names": list(books.values())})
