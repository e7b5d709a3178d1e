"""Kind "available": every piece chosen in a setting is one the other settings allow.

Chainmail terrain: a web belongs under ground, woods above it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.citations import RuleHead
from armybuilder.engine.rules import Finding, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PIECES, Part, Term, just
from armybuilder.engine.vocabulary import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Available(Rule):
    kind: ClassVar[str] = "available"
    says: ClassVar[frozenset[str]] = frozenset(["names"])
    setting: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        return cls(head, data["setting"])

    def settings_asked(self, tally: Tally) -> tuple[str, ...]:
        return (self.setting,)

    def terms(self, tally: Tally) -> Iterator[Term]:
        """The pieces that do not fit, of which there may be none."""
        wrong = self._wrong(tally)
        parts = [Part("", piece.name, 1, key=piece.id) for piece in wrong]
        yield Term(self.head, PIECES, len(wrong), None, 0, just(*parts), setting=self.setting)

    def judge(self, tally: Tally) -> Iterator[Finding]:
        names = [piece.name for piece in self._wrong(tally)]
        if names:
            yield self.finding((), len(names), 0, {"names": names})

    def _wrong(self, tally: Tally) -> list[Piece]:
        values = tally.system.settings[self.setting].values
        settings = tally.roster.settings
        chosen = (values[key] for key in tally.roster.chosen(self.setting) if key in values)
        return [piece for piece in chosen if not piece.fits(settings)]
