"""How wide the columns of a table are, so that no word in it is broken."""

from collections.abc import Sequence

from armybuilder.sheets.drawing.blocks import COLUMN_GAP
from armybuilder.sheets.drawing.typeface import Ink, printable, width_of

#: Points beyond which a text does not make its column wider at the cost of others.
LONGEST = 170.0


def shares(rows: Sequence[Sequence[str]], width: float, ink: Ink) -> list[float] | None:
    """Shares of the width that the columns of a table take, every text in it set in `ink`; None
    where even their longest words have no room beside each other. The width is in points.
    """
    room = width - COLUMN_GAP * (len(rows[0]) - 1)
    columns = list(zip(*rows, strict=True))
    least = [max(_longest_word(text, ink) for text in column) for column in columns]
    if sum(least) > room:
        return None
    wanted = [
        max(low, min(LONGEST, max(_width(text, ink) for text in column)))
        for low, column in zip(least, columns, strict=True)
    ]
    more = sum(wanted) - sum(least)
    rest = room - sum(least)
    if more <= rest:
        return _stretched(wanted)
    return [
        (low + rest * (want - low) / more) / room for low, want in zip(least, wanted, strict=True)
    ]


def _stretched(wanted: Sequence[float]) -> list[float]:
    """Every column with what it wants, and the rest among them by what they want."""
    total = sum(wanted)
    return [want / total for want in wanted] if total else [1 / len(wanted)] * len(wanted)


def _longest_word(text: str, ink: Ink) -> float:
    return max((width_of(word, *ink[:2]) for word in printable(text).split()), default=0) + 0.1


def _width(text: str, ink: Ink) -> float:
    return width_of(printable(text), *ink[:2]) + 0.1
