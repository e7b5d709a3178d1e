"""What a finding is about: the list, a unit, an option of a unit, a setting, a name.

Frozen values, so that nobody has to take a text apart. `text` is the same in one string, by which
findings are sorted and pages name them: its form is part of addresses and must stay as it is.
"""

from abc import ABC, abstractmethod
from dataclasses import dataclass


class About(ABC):
    """What a finding is about. Two findings of a rule about equal things are the same fault."""

    __slots__ = ()

    @property
    @abstractmethod
    def text(self) -> str:
        """All of it in one string."""

    @property
    def own_unit(self) -> str:
        """Id of the one unit on the list that it is about by itself; "" where there is none."""
        return ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class AboutList(About):
    """The list as a whole; `word` tells apart what one rule may say of it."""

    word: str = ""

    @property
    def text(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class AboutCategory(About):
    """A category of the army, by its id."""

    category: str

    @property
    def text(self) -> str:
        return ""


@dataclass(frozen=True, slots=True)
class AboutSetting(About):
    """A choice that is missing: of the setting of this id."""

    setting: str
    word: str

    @property
    def text(self) -> str:
        return self.word


@dataclass(frozen=True, slots=True)
class AboutCopies(About):
    """All models of one unit: by its ref in a book, or by a Unique name."""

    ref: str

    @property
    def text(self) -> str:
        return self.ref


@dataclass(frozen=True, slots=True)
class AboutCap(About):
    """What the army holds of all that one cap counts: `count` is "times", "models" or "points"."""

    key: str
    count: str

    @property
    def text(self) -> str:
        return f"{self.key} {self.count}"


@dataclass(frozen=True, slots=True)
class AboutName(About):
    """A name that leads nowhere: the `kind` of thing it should be; on the list the `pick` is ""."""

    kind: str
    pick: str
    name: str

    @property
    def text(self) -> str:
        return f"{self.kind}:{self.pick}:{self.name}"


@dataclass(frozen=True, slots=True)
class AboutUnit(About):
    """A unit on the list, by the id of its pick."""

    unit: str

    @property
    def text(self) -> str:
        return self.unit

    @property
    def own_unit(self) -> str:
        return self.unit


@dataclass(frozen=True, slots=True)
class AboutSize(AboutUnit):
    """How many models a unit has."""

    @property
    def text(self) -> str:
        return f"{self.unit}/models"


@dataclass(frozen=True, slots=True)
class AboutOption(AboutUnit):
    """An option of a unit, or a group of options: the ids from the unit down to it. Without any
    the unit's entry itself.
    """

    path: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.unit}/{'/'.join(self.path)}"


@dataclass(frozen=True, slots=True)
class AboutGroup(AboutUnit):
    """A group of options of a unit with too much in it: the ids from the unit down to it."""

    path: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.unit}/{'/'.join(self.path)}"


@dataclass(frozen=True, slots=True)
class AboutItem(AboutUnit):
    """An option of a unit by its id, wherever on the unit it was taken."""

    option: str

    @property
    def text(self) -> str:
        return f"{self.unit}/{self.option}"


@dataclass(frozen=True, slots=True)
class AboutPiece(AboutUnit):
    """What is put on a piece of a unit's equipment, by the piece's name."""

    piece: str

    @property
    def text(self) -> str:
        return f"{self.unit}/{self.piece}"


WHOLE_LIST = AboutList()
