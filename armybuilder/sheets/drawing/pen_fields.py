"""What is filled in by pen: lines with a name below, and rows of boxes with a name above each."""

from collections.abc import Sequence
from dataclasses import dataclass

from reportlab.platypus import Flowable

from armybuilder.sheets.drawing.army_blocks import shrunk
from armybuilder.sheets.drawing.typeface import BLACK, GREY, LINE, Ink, printable, write

NAME = Ink(size=6.4, colour=GREY)
#: Height in points of a line's name.
BELOW = 9.0


class PenBlank(Flowable):
    """A line to write on; `room` points stand above it, its name below."""

    def __init__(self, name: str, room: float = 16) -> None:
        super().__init__()
        self.name = printable(name)
        self.room = room

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width, self.height = width, self.room + BELOW
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        canvas.setStrokeColor(BLACK)
        canvas.setLineWidth(0.6)
        canvas.line(0, BELOW, self.width, BELOW)
        size = shrunk(self.name, NAME, self.width)
        write(canvas, 0, 1.6, self.name, NAME._replace(size=size))


@dataclass(frozen=True, slots=True)
class Box:
    """A box to write in: its name, and its width in parts of what its row has."""

    name: str
    share: float = 1.0


class PenBoxes(Flowable):
    """Boxes beside each other, filling the width; each has its name at its top."""

    def __init__(self, boxes: Sequence[Box], height: float = 24) -> None:
        super().__init__()
        self.boxes = boxes
        self.height = height

    def wrap(self, width: float, _height: float) -> tuple[float, float]:
        self.width = width
        return width, self.height

    def draw(self) -> None:
        canvas = self.canv
        unit = self.width / sum(box.share for box in self.boxes)
        canvas.setStrokeColor(LINE)
        canvas.setLineWidth(0.6)
        x = 0.0
        for box in self.boxes:
            width = box.share * unit
            canvas.rect(x, 0, width, self.height)
            name = printable(box.name)
            size = shrunk(name, NAME, width - 3)
            write(canvas, x + 1.5, self.height - 7, name, NAME._replace(size=size))
            x += width
