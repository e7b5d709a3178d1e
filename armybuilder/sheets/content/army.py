"""What the sheet of an army of units says beside the common parts, before anybody draws it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine.states import TO_DO

#: Boxes to cross off a unit's health with; a larger number is only written.
MOST_TICKS = 60

_STATES = {
    "ok": gettext_lazy("ok"),
    "over": gettext_lazy("over"),
    "under": gettext_lazy("under"),
}


@dataclass(frozen=True, slots=True)
class StatColumn:
    """A statistic of the army's stat lines: id, short name over the column, full name."""

    id: str
    short: str
    name: str


@dataclass(frozen=True, slots=True)
class StatRow:
    """A stat line: a text per column of the army, "" for none; `note`: what stays open."""

    name: str
    values: tuple[str, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class TakenLine:
    """An option as the sheet names it, with its points for the whole unit; by itself it is `number`
    times `plain`, taken `on` another by that one's name ("": on the unit).
    """

    name: str
    points: int = 0
    plain: str = ""
    number: int = 1
    on: str = ""


@dataclass(frozen=True, slots=True)
class Wizard:
    """What a wizard knows: `path` ("" while open), number of `spells`; `rule`: chooses no path."""

    kind: str
    path: str
    spells: int
    rule: str = ""

    @property
    def label(self) -> str:
        """Such as "Wizard Master, Pyromancy, 4 spells"."""
        spells = ngettext("{number} spell", "{number} spells", self.spells)
        spells = spells.format(number=self.spells)
        return ", ".join(filter(None, (self.kind, self.path, self.rule, spells)))

    @property
    def asks_path(self) -> bool:
        """Whether a path is still to be chosen."""
        return not self.path and not self.rule


@dataclass(frozen=True, slots=True)
class UnitBlock:
    """A unit of the army; `known` false: not in the chosen books.

    `letter` tells it from others of the same look. `counts` false: a choice for the army, no unit.
    `healthy`: the game has Health Points, of which a model has `each` (None: not known) and its
    champion `more` beyond. `formed`: its models, and their Health Points, are not counted.
    `chosen`, `items` and `given` are options, `build` height, type and base. `armour`: what it has
    in all, in words; "" where that is not known.
    """

    id: str
    name: str
    models: int
    known: bool = True
    counts: bool = True
    unit_name: str = ""
    letter: str = ""
    points: int | None = None
    marks: tuple[str, ...] = ()
    scoring: bool = False
    build: str = ""
    stats: tuple[StatRow, ...] = ()
    chosen: tuple[TakenLine, ...] = ()
    items: tuple[TakenLine, ...] = ()
    given: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    priced: bool = True
    healthy: bool = True
    each: int | None = None
    more: int = 0
    wizard: Wizard | None = None
    armour: str = ""
    notes: str = ""
    remark: str = ""
    formed: bool = False

    @property
    def title(self) -> str:
        """Models, name and letter: "25 Citizen Spears B"."""
        number = f"{self.models} " if self.models > 1 and self.counts else ""
        return f"{number}{self.name} {self.letter}".rstrip()

    @property
    def price(self) -> str:
        """Return the points: "?" not known, "" for unknown units and where they are left out."""
        if not self.priced:
            return ""
        if self.points is None:
            return "?" if self.known else ""
        return str(self.points)

    @property
    def health(self) -> int | None:
        """Health Points of the unit at the start: its models' together."""
        return None if self.each is None else self.each * self.models + self.more

    @property
    def shattered(self) -> int | None:
        """The Health Points at or below which it is shattered: a quarter, in whole points."""
        return None if self.health is None else self.health // 4

    @property
    def ticks(self) -> int:
        """Boxes for the unit's health; 0 where none are drawn."""
        health = self.health or 0
        return health if health <= MOST_TICKS else 0

    @property
    def mark(self) -> int:
        """After how many boxes it is shattered: a line stands there; 0 where it has no boxes."""
        return self.ticks - (self.shattered or 0) if self.ticks and self.shattered else 0

    @property
    def spell_lines(self) -> range:
        """A line to write on for the path where it is open, and one for each spell."""
        wizard = self.wizard
        return range(wizard.spells + wizard.asks_path if wizard else 0)

    @property
    def condition(self) -> str:
        """Its health in words: "25 Health Points, shattered at 6"; "" for what has none."""
        if not self.counts or not self.known or self.formed or not self.healthy:
            return ""
        if self.health is None:
            return _("? Health Points")
        points = ngettext("{number} Health Point", "{number} Health Points", self.health)
        said = points.format(number=self.health)
        if self.models > 1 and (self.each != 1 or self.more):
            more = f" + {self.more}" if self.more else ""
            said += f" ({self.models} × {self.each}{more})"
        if self.shattered:
            said = _("{health}, shattered at {number}").format(health=said, number=self.shattered)
        return said


@dataclass(frozen=True, slots=True)
class CategoryShare:
    """An army category: points, per cent of the game size, its `bound` in words, and its state to
    that: "ok", "over" or "under".
    """

    name: str
    points: int
    per_cent: str
    bound: str
    state: str

    @property
    def ok(self) -> bool:
        """Whether it keeps to its bounds."""
        return self.state == "ok"

    @property
    def sign(self) -> str:
        """What a page draws it as: "ok", "error" or `TO_DO`."""
        return {"over": "error", "under": TO_DO}.get(self.state, "ok")

    @property
    def state_word(self) -> str:
        """The state as it is read."""
        return str(_STATES[self.state])


@dataclass(frozen=True, slots=True)
class Division:
    """The units of one category."""

    title: str
    units: tuple[UnitBlock, ...]


@dataclass(frozen=True, slots=True)
class SheetArmy:
    """An army: `columns` of its stat lines, categories (`shares`), units; `left` in points, None on
    an open list.

    `kind` is "full", or "open" where special items are hidden; `hint` says what that leaves out.
    """

    kind: str
    hint: str
    columns: tuple[StatColumn, ...]
    shares: tuple[CategoryShare, ...]
    total: CategoryShare
    left: int | None
    divisions: tuple[Division, ...]

    @property
    def units(self) -> tuple[UnitBlock, ...]:
        """All units in the order of the sheet."""
        return tuple(unit for division in self.divisions for unit in division.units)
