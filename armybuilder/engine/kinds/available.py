"""Kind "available": every piece chosen in a setting is one the other settings allow.

Chainmail terrain: a web belongs under ground, woods above it.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.catalogue import Piece
from armybuilder.engine.findings import Finding, RuleHead, settings_fit
from armybuilder.engine.kinds.limit import chosen_pieces
from armybuilder.engine.roster import SettingValue
from armybuilder.engine.rules import Rule
from armybuilder.engine.standing import Standing
from armybuilder.engine.tallies import Tallies


def fits(piece: Piece, settings: Mapping[str, SettingValue]) -> bool:
    """Whether the values of the other settings allow the piece."""
    return settings_fit(settings, piece.needs)


@dataclass(frozen=True, slots=True, eq=False)
class Available(Rule):
    kind: ClassVar[str] = "available"
    setting: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        return cls(head, data["setting"])

    def judge(self, standing: Standing) -> Iterator[Finding]:
        values = standing.system.settings[self.setting].values
        settings = standing.roster.settings
        wrong = [
            values[piece].name
            for piece in chosen_pieces(standing.roster, self.setting)
            if piece in values and not fits(values[piece], settings)
        ]
        if wrong:
            yield self.finding((), len(wrong), 0, {"names": wrong})
