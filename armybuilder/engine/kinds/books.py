"""Kind "books": which books a list may draw on, and whether it may have custom models.

Events name their books, or the kinds of books, or books as they were when the rules were frozen.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from armybuilder.engine.about import AboutBook
from armybuilder.engine.bounds import Bound, ForFound
from armybuilder.engine.catalogue import OWN
from armybuilder.engine.ends import Fixed
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.queries import OfBarred
from armybuilder.engine.rules import KnownBook, Rule
from armybuilder.engine.space.constraints import TRUE, Literal
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import Term
from armybuilder.engine.unchecked import Unchecked, of_line
from armybuilder.engine.view import Subject, View
from armybuilder.engine.wording import marked, say


@dataclass(frozen=True, slots=True, eq=False)
class Books(Rule):
    """Allowed books.

    `allow` are ids of books (none: all), `deny` ids of forbidden ones, `kinds` the allowed kinds of
    book (none: all); `revisions` the allowed revisions. `own_models` is "yes", "no" or "ask":
    somebody has to agree. `refused` are ids of the books of a catalogue that can't be used; see
    `drawing_on`.
    """

    kind: ClassVar[str] = "books"
    says: ClassVar[frozenset[str]] = frozenset(["book"])
    plain: ClassVar[str] = marked("{book}: not allowed. {summary}")
    allow: frozenset[str] = given(read=frozenset, default=frozenset())
    deny: frozenset[str] = given(read=frozenset, default=frozenset())
    kinds: frozenset[str] = given(read=frozenset, default=frozenset())
    revisions: Mapping[str, str] = given(default=None)
    own_models: str = given(default="yes")
    refused: frozenset[str] = frozenset()

    def drawing_on(self, books: Collection[KnownBook]) -> Rule:
        """Return the same rule, which now knows the books that it refuses."""
        return replace(self, refused=frozenset(book.id for book in books if not self._takes(book)))

    def _takes(self, book: KnownBook) -> bool:
        wanted = (self.revisions or {}).get(book.id, book.revision)
        return (
            (not self.allow or book.id in self.allow)
            and book.id not in self.deny
            and (not self.kinds or book.kind in self.kinds)
            and book.revision.startswith(wanted)
        )

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, OfBarred(), high=Fixed(0), each=ForFound(self._refused))

    def _refused(self, view: View[Any]) -> Iterator[Subject]:
        """Return the units of each refused book."""
        found: dict[str, list[tuple[Any, Literal]]] = {}
        for member in view.members:
            book = OWN if member.unit.own else member.unit.book
            if self.own_models == "no" if book == OWN else book in self.refused:
                found.setdefault(book, []).append((member, TRUE))
        for book, members in found.items():
            yield Subject(book, members, about=AboutBook(book))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        unit = term.lines[0].unit
        return {"book": say("Custom models") if unit.own else unit.book_name}

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        if self.own_models != "ask":
            return
        for line in tally.lines:
            if line.unit.own:
                what = say("a custom model needs the organiser’s approval")
                yield of_line(line, line.name, what, "sentence", str(self.head.citation))

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """Yield all units from books that aren't allowed."""
        return (term.lines for term in self.terms(tally))
