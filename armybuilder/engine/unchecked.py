"""Unchecked restrictions of a report: they apply to a list, but no rule can decide them.

A list with any is legal as far as it was checked, never plainly legal. They come from the books
(restrictions that an import could not express, `unchecked` of a unit, option or book), from
conditions that a book leaves open (no stat line), and from rules that depend on such facts.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from armybuilder.engine.lines import Line
from armybuilder.engine.wording import marked, say

#: Why something is not checked, by the words of book files and rules.
REASONS: Mapping[str, str] = marked(
    {
        "stat-line": "This book has no stat line for it.",
        "sentence": "The book states this only in words.",
        "condition": "Army Builder has no condition for this yet.",
        "source": "The file this book was made from leaves it open.",
        "set": "This book doesn’t say which set the card is from.",
    }
)


@dataclass(frozen=True, slots=True)
class Unchecked:
    """A restriction that applies to the list and was not checked.

    `units` are the ids of the picks concerned, empty if it concerns the whole army; `unit` and
    `name` the names of unit and option; `restriction` is the book's demand in words, `why` a key of
    `REASONS`, and `citation` where to look it up.
    """

    units: tuple[str, ...]
    unit: str
    name: str
    restriction: str
    why: str
    citation: str

    @property
    def reason(self) -> str:
        """The reason why it was not checked, in a sentence."""
        return say(REASONS[self.why])

    @property
    def subject(self) -> str:
        """Return the unit and option concerned: "Chief: Destiny's Call"."""
        what = self.name if self.name != self.unit else ""
        return ": ".join(filter(None, (self.unit, what)))

    @property
    def sentence(self) -> str:
        """All of it in one sentence: "Chief: Destiny's Call, only for models on foot"."""
        words = {"subject": self.subject, "restriction": self.restriction}
        return say("{subject}, {restriction}.", **words)


def of_line(line: Line, name: str, restriction: str, why: str, citation: str = "") -> Unchecked:
    """Something of one unit that was not judged; cited by its book where nothing else is said."""
    cited = citation or line.unit.book_name
    return Unchecked((line.pick.id,), line.name, name, restriction, why, cited)
