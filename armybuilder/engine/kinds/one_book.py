"""Kind "one-book": all units of the list come from one book.

The Ninth Age: an army is drawn from one Army Book (Rulebook 8.A).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import GROUPS, Term, just, part_of


@dataclass(frozen=True, slots=True, eq=False)
class OneBook(Rule):
    kind: ClassVar[str] = "one-book"
    says: ClassVar[frozenset[str]] = frozenset(["names"])

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        return cls(head)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """The books that the list draws from."""
        parts = [part_of(line, 1, group=line.unit.book) for line in tally.lines]
        yield Term(self.head, GROUPS, len({part.group for part in parts}), None, 1, just(*parts))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """All units of one book, those of the smallest first."""
        books: dict[str, list[Line]] = {}
        for line in tally.lines:
            books.setdefault(line.unit.book, []).append(line)
        smallest = sorted(books.values(), key=lambda lines: sum(line.points for line in lines))
        yield from map(tuple, smallest[:2])

    def judge(self, tally: Tally) -> Iterator[Finding]:
        books = {line.unit.book: line.unit.book_name for line in tally.lines}
        if len(books) > 1:
            where = tuple(line.pick.id for line in tally.lines)
            yield self.finding(where, len(books), 1, {"names": list(books.values())})
