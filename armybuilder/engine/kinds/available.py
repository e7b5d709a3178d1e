"""Kind "available": every piece chosen in a setting is one the other settings allow.

Chainmail terrain: a web belongs under ground, woods above it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

from armybuilder.engine.rules import Rule
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PIECES, Part, Term, just
from armybuilder.engine.vocabulary import Piece


@dataclass(frozen=True, slots=True, eq=False)
class Available(Rule):
    kind: ClassVar[str] = "available"
    says: ClassVar[frozenset[str]] = frozenset(["names"])
    setting: str

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the pieces that do not fit, of which there may be none."""
        wrong = self._wrong(tally)
        parts = [Part("", piece.name, 1, key=piece.id) for piece in wrong]
        yield Term(self.head, PIECES, len(wrong), None, 0, just(*parts), setting=self.setting)

    def constrain(self, space: Space) -> None:
        settings = space.roster.settings
        wrong = space.pieces(self.setting, lambda piece: not piece.fits(settings))
        space.constraints.require(wrong, None, 0, (), space.owner(self.head))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        return {"names": [part.label for part in term.parts]}

    def _wrong(self, tally: Tally) -> list[Piece]:
        values = tally.system.settings[self.setting].values
        settings = tally.roster.settings
        chosen = (values[key] for key in tally.roster.chosen(self.setting) if key in values)
        return [piece for piece in chosen if not piece.fits(settings)]
