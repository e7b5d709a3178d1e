"""What a report could not judge: restrictions that apply to a list and that no rule can answer.

A list with any is legal as far as judged, never plainly legal. They come from the books (what an
import found and could not say, `unchecked` of a unit, option or book), from conditions that a book
leaves open (no stat line), and from rules whose answer rests on what a book does not say.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from armybuilder.engine.lines import Line
from armybuilder.engine.options import Restriction
from armybuilder.engine.rules import Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.wording import marked, say

#: Why something is not judged, by the words of book files and rules.
REASONS: Mapping[str, str] = marked(
    {
        "stat-line": "This book has no stat line for it.",
        "sentence": "The book states this in words only.",
        "condition": "Army Builder has no condition for this yet.",
        "source": "The file this book was made from leaves it open.",
    }
)


class Unchecked(NamedTuple):
    """A restriction that applies to the list and was not judged.

    `units` are the ids of the picks concerned, none where it is one of the whole army; `unit` and
    `name` what they and the option are called; `restriction` is what the book asks, in words, `why`
    a key of `REASONS`, and `citation` where to look it up.
    """

    units: tuple[str, ...]
    unit: str
    name: str
    restriction: str
    why: str
    citation: str

    @property
    def reason(self) -> str:
        """Why it was not judged, in a sentence."""
        return say(REASONS[self.why])

    @property
    def sentence(self) -> str:
        """All of it in one sentence: "Chief: Destiny's Call, only for models on foot"."""
        what = self.name if self.name != self.unit else ""
        subject = ": ".join(filter(None, (self.unit, what)))
        return say("{subject}, {restriction}.", subject=subject, restriction=self.restriction)


def unchecked(tally: Tally) -> Iterator[Unchecked]:
    """All that was not judged of a line-up, in the order of the list, then of the rules."""
    for line in tally.lines:
        for doubt in line.loadout.doubts:
            restriction = doubt.restriction
            yield of_line(line, doubt.name, restriction.what, restriction.why)
    for rule in tally.system.rules:
        if rule.head.applies(tally.roster.settings):
            yield from rule.unchecked(tally)


@dataclass(frozen=True, slots=True, eq=False)
class OfTheArmy(Rule):
    """What a book asks of a whole army that cannot be judged; a rule that its book brings."""

    book: str
    restrictions: tuple[Restriction, ...]

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for restriction in self.restrictions:
            if restriction.applies(tally.place):
                cited = str(self.head.citation)
                yield Unchecked((), self.book, self.book, restriction.what, restriction.why, cited)


def of_line(line: Line, name: str, restriction: str, why: str, citation: str = "") -> Unchecked:
    """Something of one unit that was not judged; cited by its book where nothing else is said."""
    cited = citation or line.unit.book_name
    return Unchecked((line.pick.id,), line.name, name, restriction, why, cited)
