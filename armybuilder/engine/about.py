"""Subjects of findings: the list, a unit, an option of a unit, a setting, a name.

They are frozen values. `text` is the same as one string, by which findings are sorted and pages
name them: its form is part of URLs and must not change.
"""

from dataclasses import dataclass
from typing import ClassVar


@dataclass(frozen=True, slots=True)
class About:
    """Subject of a finding. Two findings of a rule with equal subjects are the same fault."""

    #: How `text` puts the fields together.
    form: ClassVar[str] = ""

    @property
    def text(self) -> str:
        """All of it in one string."""
        return self.form.format(self)

    @property
    def own_unit(self) -> str:
        """Id of the only unit that the finding concerns by itself; "" if there is none."""
        return ""

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class AboutList(About):
    """The list as a whole; `word` separates findings of one rule."""

    form = "{0.word}"
    word: str = ""


@dataclass(frozen=True, slots=True)
class AboutCategory(About):
    """A category of the army, by its id."""

    category: str


@dataclass(frozen=True, slots=True)
class AboutSetting(About):
    """A choice that is missing: of the setting of this id."""

    form = "{0.word}"
    setting: str
    word: str


@dataclass(frozen=True, slots=True)
class AboutCopies(About):
    """All models of one unit: by its ref in a book, or by a Unique name."""

    form = "{0.ref}"
    ref: str


@dataclass(frozen=True, slots=True)
class AboutBook(About):
    """All that the list draws from one book, by the book's id."""

    form = "book {0.book}"
    book: str


@dataclass(frozen=True, slots=True)
class AboutCap(About):
    """Everything in the army that one cap counts: `count` is "times", "models" or "points"."""

    form = "{0.key} {0.count}"
    key: str
    count: str


@dataclass(frozen=True, slots=True)
class AboutName(About):
    """A name that leads nowhere: the `kind` of thing it should be; on the list the `pick` is ""."""

    form = "{0.kind}:{0.pick}:{0.name}"
    kind: str
    pick: str
    name: str


@dataclass(frozen=True, slots=True)
class AboutUnit(About):
    """A unit on the list, by the id of its pick."""

    form = "{0.unit}"
    unit: str

    @property
    def own_unit(self) -> str:
        return self.unit


@dataclass(frozen=True, slots=True)
class AboutSize(AboutUnit):
    """Number of models of a unit."""

    form = "{0.unit}/models"


@dataclass(frozen=True, slots=True)
class AboutPath(AboutUnit):
    """Something on a unit: the ids from the unit down to it."""

    path: tuple[str, ...]

    @property
    def text(self) -> str:
        return f"{self.unit}/{'/'.join(self.path)}"


@dataclass(frozen=True, slots=True)
class AboutOption(AboutPath):
    """An option of a unit, or a group of options; without a path the unit's entry itself."""


@dataclass(frozen=True, slots=True)
class AboutGroup(AboutPath):
    """A group of options of a unit with too much in it."""


@dataclass(frozen=True, slots=True)
class AboutItem(AboutUnit):
    """An option of a unit by its id, wherever on the unit it was taken."""

    form = "{0.unit}/{0.option}"
    option: str


@dataclass(frozen=True, slots=True)
class AboutPiece(AboutUnit):
    """An enchantment on a piece of a unit's equipment, by the piece's name."""

    form = "{0.unit}/{0.piece}"
    piece: str


WHOLE_LIST = AboutList()
