"""What stands on the face of one printed card: texts tidied, one line each, but for the notes."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from armybuilder.loading.unit_fields import PriceRemark
from armybuilder.sheets.content.structure import MOST_ROWS, Lines, Named, StatCell, Uses, box_label

#: Boxes drawn for the health of one model; more is a number and a line to count on.
MOST_HEALTH = 20
#: Boxes drawn behind an ability or a spell; more is a number.
MOST_USES = 20

#: So few statistics of a game have their whole names, in large letters.
FEW = 3

#: What small print calls a kind of book.
KINDS = {
    "official": gettext_lazy("official"),
    "collected": gettext_lazy("from public pages"),
    "imported": gettext_lazy("imported"),
    "invented": gettext_lazy("practice: invented"),
    "house": gettext_lazy("house rules"),
    "converted": gettext_lazy("converted"),
    "own": gettext_lazy("own book"),
}


@dataclass(frozen=True, slots=True)
class StatBlock:
    """A stat line of its own, of a mount or a part; `about` are the statistics that are words."""

    name: str
    about: str
    cells: tuple[StatCell, ...]


@dataclass(frozen=True, slots=True)
class Health:
    """What one model can take, for each of `models`; one box stands for `box` of it."""

    name: str
    each: int
    models: int = 1
    box: int = 1

    @property
    def label(self) -> str:
        """The name before boxes: it says what one stands for, where that is not one."""
        return box_label(self.name, self.box)

    @property
    def boxes(self) -> int:
        """Boxes for each model; 0 where they would be too many."""
        boxes = -(-self.each // self.box)
        return boxes if boxes <= MOST_HEALTH else 0

    @property
    def rows(self) -> range:
        """Numbers of the models that get boxes or a line, from 1."""
        return range(1, min(self.models, MOST_ROWS) + 1)

    @property
    def more(self) -> int:
        """Models beyond those."""
        return self.models - len(self.rows)


@dataclass(frozen=True, slots=True)
class Face:
    """One card. `price` is "?" where unknown, "" where there is none; `known` false: not in the
    chosen books. `models` is how many the list has, `each`: the price is that of one,
    `price_remark` what the book says of it.

    `marks` say its part and side, `price_marks` what else it costs; `unique` is the name that one
    model of a list may have. `lists` are names under a heading, `fields` have a line to write
    beside them, `write` lines below (on a `blank` card always, else where room is left). `source`
    is the small print, `note` the book's remark.
    """

    title: str
    price: str = ""
    price_remark: PriceRemark | None = None
    models: int = 1
    each: bool = False
    known: bool = True
    blank: bool = False
    unique: str = ""
    about: str = ""
    marks: tuple[str, ...] = ()
    price_marks: tuple[str, ...] = ()
    stats: tuple[StatCell, ...] = ()
    blocks: tuple[StatBlock, ...] = ()
    health: Health | None = None
    condition: str = ""
    abilities: tuple[Uses, ...] = ()
    spells: tuple[Uses, ...] = ()
    keywords: tuple[str, ...] = ()
    keywords_name: str = ""
    texts: tuple[Lines, ...] = ()
    lists: tuple[Named, ...] = ()
    fields: tuple[str, ...] = ()
    write: tuple[str, ...] = ()
    notes: str = ""
    note: str = ""
    source: str = ""

    @property
    def heading(self) -> str:
        """The name, with the number of models where there are several."""
        return f"{self.models} × {self.title}" if self.models > 1 else self.title

    @property
    def price_note(self) -> str:
        """What stands under the price: what is to know of it, and whether it is that of one."""
        if self.price_remark:
            return str(self.price_remark.each if self.each else self.price_remark.mark)
        return _("points each") if self.each else _("points")

    @property
    def labels(self) -> tuple[str, ...]:
        """What marks the card out: that it is unique, and what part it plays."""
        same = self.title.casefold().startswith(self.unique.casefold())
        said = _("Unique") if same else _("Unique: {name}").format(name=self.unique)
        marks = (*self.marks, *self.price_marks)
        return (said, *marks) if self.unique else marks
