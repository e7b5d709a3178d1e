"""Parts of a page drawn smaller or larger than the rest of it."""

from collections.abc import Iterable
from math import inf

from reportlab.platypus import Flowable


class Scaled(Flowable):
    """A flowable at `scale` times its size; it is laid out for the room that it then has."""

    def __init__(self, inner: Flowable, scale: float) -> None:
        super().__init__()
        self.inner = inner
        self.scale = scale

    def getSpaceBefore(self) -> float:  # noqa: N802  ReportLab's name
        return float(self.inner.getSpaceBefore()) * self.scale

    def wrap(self, width: float, height: float) -> tuple[float, float]:
        _, tall = self.inner.wrap(width / self.scale, height / self.scale)
        self.width, self.height = width, tall * self.scale
        return width, self.height

    def split(self, width: float, height: float) -> list[Flowable]:
        parts = self.inner.split(width / self.scale, height / self.scale)
        return [Scaled(part, self.scale) for part in parts]

    def draw(self) -> None:
        self.canv.scale(self.scale, self.scale)
        self.inner.drawOn(self.canv, 0, 0)


def height_of(parts: Iterable[Flowable], width: float) -> float:
    """The height in points of parts below each other, the space between them too."""
    height = 0.0
    for number, part in enumerate(parts):
        height += part.wrap(width, inf)[1] + (part.getSpaceBefore() if number else 0)
    return height
