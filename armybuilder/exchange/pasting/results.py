"""Results of reading a pasted list: what each line was read as, and the list."""

from dataclasses import dataclass
from functools import cached_property

from armybuilder.engine import Finding, Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.exchange.pasting.head import EditionFit, disagreement
from armybuilder.exchange.pasting.names import GUESS
from armybuilder.exchange.pasting.options import ReadChoice, ReadPiece
from armybuilder.loading.armylist import ArmyList, ListUnit
from armybuilder.loading.documents import judge_by


@dataclass(frozen=True, slots=True)
class UnitRead:
    """Meaning of a line: `entry` without id, None for no unit, `times` of it.

    Points of each as `printed` and `computed`, None if unknown; of `choices` one is `chosen`,
    `picked` by the player; `added` was not on the line and is required.
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
        """Return whether the points match the text; None if either is unknown."""
        if self.printed is None or self.computed is None:
            return None
        return self.printed == self.computed

    @property
    def lost(self) -> tuple[ReadPiece, ...]:
        """The names that nothing was found for."""
        return tuple(piece for piece in self.pieces if piece.kind == "unknown")


@dataclass(frozen=True, slots=True)
class PastedLine:
    """A line of the text.

    `kind` is as in `PastedRow`, or "setting", "finding", "game", "unread", "books" (names some that
    are not here), "more" (goes on with the one before). `value` is how it was read; None: not
    understood.
    """

    number: int
    text: str
    kind: str
    unit: UnitRead | None = None
    name: str = ""
    value: str | None = ""

    @property
    def state(self) -> str:
        """Outcome: "ok", "doubt", "lost", or "" if there was nothing to read."""
        if self.kind == "unread" or self.value is None:
            return "lost"
        if self.unit is None:
            return "ok" if self.kind in ("setting", "game", "title", "count") else ""
        if self.unit.entry is None:
            return "lost"
        guessed = self.unit.sure == GUESS or (len(self.unit.choices) > 1 and not self.unit.picked)
        guessed |= any(piece.sure == GUESS for piece in self.unit.pieces)
        return "doubt" if guessed or self.unit.lost or self.unit.agrees is False else "ok"


@dataclass(frozen=True)
class PastedList:
    """A text as read: `system` "" if no game was found; `told`: the text names the edition.

    `printed`: the points in the text; `tells_size`: the size of the game isn't guessed. `fits`: how
    editions of the game were compared; `named`: the text names the game or the army.
    """

    lines: tuple[PastedLine, ...]
    system: str = ""
    books: tuple[str, ...] = ()
    told: bool = False
    document: ArmyList | None = None
    catalogue: Catalogue | None = None
    printed: int | None = None
    tells_size: bool = True
    fits: tuple[EditionFit, ...] = ()
    named: bool = False

    @cached_property
    def report(self) -> Report | None:
        """The verdict on the list."""
        if self.document is None or self.catalogue is None:
            return None
        return judge_by(self.document, self.catalogue).report

    @property
    def agrees(self) -> bool | None:
        """Return whether the points match the text; None if it gives none."""
        if self.printed is None or self.report is None:
            return None
        return self.printed == self.report.spent

    @property
    def disagreement(self) -> str:
        """The sentence that the points are those of no edition; "" where one has most."""
        return disagreement(self.fits)

    @property
    def unnamed(self) -> tuple[Finding, ...]:
        """Requirements of the army that the text doesn't name: findings on the text, not the list.

        Such as a choice for the whole army that costs nothing.
        """
        if self.report is None:
            return ()
        findings = self.report.findings
        return tuple(one for one in findings if one.code == "cap.under" and one.measured == 0)

    @property
    def units(self) -> tuple[PastedLine, ...]:
        """The lines of units."""
        return tuple(line for line in self.lines if line.unit is not None)

    def count(self, state: str) -> int:
        """Return how many lines went so."""
        return sum(line.state == state for line in self.lines)
