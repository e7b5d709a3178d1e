"""Kind "one-book": all units of the list come from one book.

The Ninth Age: an army is drawn from one Army Book (Rulebook 8.A).
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class OneBook(Rule):
    kind: ClassVar[str] = "one-book"

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head)

    def judge(self, standing: Standing) -> Iterator[Finding]:
        books = {line.unit.book: line.unit.book_name for line in standing.lines}
        if len(books) > 1:
            where = tuple(line.pick.id for line in standing.lines)
            yield self.finding(where, len(books), 1, {"names": list(books.values())})
