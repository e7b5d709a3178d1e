"""Acts that go back and forth in the history of a list, and change nothing of it."""

from dataclasses import dataclass
from typing import ClassVar

from armybuilder.acts.base import Act


@dataclass(frozen=True, slots=True)
class HistoryAct(Act):
    """A step in the history: `step` versions forward."""

    step: ClassVar[int] = 0


@dataclass(frozen=True, slots=True)
class Undo(HistoryAct):
    """Back to the version before."""

    name: ClassVar[str] = "undo"
    step: ClassVar[int] = -1


@dataclass(frozen=True, slots=True)
class Redo(HistoryAct):
    """Forward to the version after."""

    name: ClassVar[str] = "redo"
    step: ClassVar[int] = 1
