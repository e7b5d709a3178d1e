"""A unit's part of a pasted text, and what it was read as."""

from dataclasses import dataclass

from armybuilder.exchange.pasting.taken import ReadChoice, ReadPiece
from armybuilder.loading.armylist import ListUnit


@dataclass(frozen=True, slots=True)
class Block:
    """A unit's line with what stands below; `more` is on it. `ours`: of our forms, of the `full`
    one; `rules_told`: by the text, of some unit.
    """

    number: int
    text: str
    details: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    ours: bool = False
    full: bool = False
    rules_told: bool = True


@dataclass(frozen=True, slots=True)
class UnitRead:
    """What a line was taken for: `entry` without id, None for no unit, so many `times`.
    Points of each as `printed` and `computed`, None where unknown; of `choices` one is `chosen`,
    `picked` by the player; `added` was not on the line and is a must.
    """

    text: str
    entry: ListUnit | None
    name: str
    sure: str
    models: int = 1
    times: int = 1
    printed: int | None = None
    computed: int | None = None
    pieces: tuple[ReadPiece, ...] = ()
    choices: tuple[ReadChoice, ...] = ()
    chosen: str = ""
    picked: bool = False
    added: tuple[str, ...] = ()

    @property
    def agrees(self) -> bool | None:
        """Whether the points are those in the text; None where either is not known."""
        if self.printed is None or self.computed is None:
            return None
        return self.printed == self.computed

    @property
    def lost(self) -> tuple[ReadPiece, ...]:
        """The names that nothing was found for."""
        return tuple(piece for piece in self.pieces if piece.kind == "unknown")
