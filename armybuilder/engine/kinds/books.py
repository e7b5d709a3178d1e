"""Kind "books": which books a list may draw on, and whether it may have custom models.

Events name their books, or the kinds of books, or books as they were when the rules were frozen.
"""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

from armybuilder.engine.about import AboutBook
from armybuilder.engine.catalogue import OWN
from armybuilder.engine.fields import given
from armybuilder.engine.lines import Line
from armybuilder.engine.rules import Finding, KnownBook, Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.unchecked import Unchecked
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

    def judge(self, tally: Tally) -> Iterator[Finding]:
        lines: dict[str, list[Line]] = {}
        for line in tally.lines:
            book = OWN if line.unit.own else line.unit.book
            if self._is_refused(book):
                lines.setdefault(book, []).append(line)
        for book, found in lines.items():
            name = say("Custom models") if book == OWN else found[0].unit.book_name
            units = tuple(line.pick.id for line in found)
            yield self.finding(units, values={"book": name}, about=AboutBook(book))

    def _is_refused(self, book: str) -> bool:
        return self.own_models == "no" if book == OWN else book in self.refused

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        if self.own_models != "ask":
            return
        for line in tally.lines:
            if line.unit.own:
                where, cited = (line.pick.id,), str(self.head.citation)
                what = say("a custom model needs the organiser’s approval")
                yield Unchecked(where, line.name, line.name, what, "sentence", cited)

    def removals(self, tally: Tally) -> Iterator[tuple[Line, ...]]:
        """Yield all units from books that aren't allowed."""
        for finding in self.judge(tally):
            units = set(finding.units)
            yield tuple(line for line in tally.lines if line.pick.id in units)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            book = OWN if candidate.unit.own else candidate.unit.book
            if self._is_refused(book):
                space.forbid(self.head, candidate.present, about=AboutBook(book))
