"""Health boxes of a card: a run of them for each model, in groups of five."""

from dataclasses import dataclass

from reportlab.platypus import Flowable

from armybuilder.sheets.cards.card_blocks import SMALLEST
from armybuilder.sheets.drawing.typeface import BLACK, BOLD, Ink, printable, width_of

#: Boxes counted at a glance.
GROUP = 5


@dataclass(frozen=True, slots=True)
class BoxRow:
    """One model's boxes; its number, "" where there is only one."""

    number: str
    boxes: int


class HealthBoxes(Flowable):
    """Rows of boxes in columns beside their label, as many columns as have room. Long rows stand
    below it, and go on below themselves where they are too long even so.
    """

    LABEL = Ink(BOLD, 6.6)
    NUMBER = Ink(size=SMALLEST + 0.5)
    SIDE = 6.6
    STEP = SIDE + 1.4
    #: Further apart between two groups, and between two columns.
    SPACE = 2.2
    COLUMN = 7.0
    LINE = SIDE + 3.0

    def __init__(self, name: str, rows: tuple[BoxRow, ...]) -> None:
        super().__init__()
        self.name = printable(name)
        self.rows = rows

    def _long(self, boxes: int) -> float:
        """Width in points of so many boxes."""
        return boxes * self.STEP + (boxes - 1) // GROUP * self.SPACE - (self.STEP - self.SIDE)

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        self.lead = max(width_of(row.number, *self.NUMBER[:2]) for row in self.rows)
        self.lead += 2.5 if self.lead else 0
        most = max(row.boxes for row in self.rows)
        self.indent = width_of(self.name, *self.LABEL[:2]) + 5
        if self.indent + self.lead + self._long(most) > width:
            self.indent = 0
        self.top = 0 if self.indent else self.LINE
        room = width - self.indent - self.lead
        per_line = next(count for count in range(most, 0, -1) if self._long(count) <= room)
        self.per_line = per_line if per_line == most else per_line - per_line % GROUP
        self.lines = -(-most // self.per_line)
        self.column = self.lead + self._long(self.per_line) + self.COLUMN
        self.columns = max(1, int((width - self.indent + self.COLUMN) / self.column))
        self.height = self.top + -(-len(self.rows) // self.columns) * self.lines * self.LINE
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        """Two blocks, the first of at most `height` points; none where no row fits."""
        self.wrap(width, height)
        count = int((height - self.top) / (self.lines * self.LINE)) * self.columns
        if not 0 < count < len(self.rows):
            return []
        return [type(self)(self.name, self.rows[:count]), type(self)(self.name, self.rows[count:])]

    def draw(self) -> None:
        canvas = self.canv
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.6)
        self._write(self.name, self.LABEL, 0, self.height - self.LINE)
        for place, row in enumerate(self.rows):
            down, across = divmod(place, self.columns)
            y = self.height - self.top - (down * self.lines + 1) * self.LINE
            x = self.indent + across * self.column
            self._write(row.number, self.NUMBER, x, y)
            for box in range(row.boxes):
                below, number = divmod(box, self.per_line)
                left = x + self.lead + number * self.STEP + number // GROUP * self.SPACE
                canvas.rect(left, y + 1.5 - below * self.LINE, self.SIDE, self.SIDE)

    def _write(self, text: str, ink: Ink, x: float, y: float) -> None:
        if text:
            self.canv.setFillColor(ink.colour)
            self.canv.setFont(ink.font, ink.size)
            self.canv.drawString(x, y + 2.4, text)
