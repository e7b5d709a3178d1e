"""A unit as everything draws it, before anybody does: its figures, names, boxes and lines to fill.

Typed text is tidied by then (`printable.py`); drawers only escape it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine.nouns import counted
from armybuilder.loading.unit_fields import PriceRemark

#: Boxes to cross off a unit's health with; a larger number is only written.
MOST_TICKS = 60
#: Rows of boxes a card draws at most; of more models it says how many there are.
MOST_ROWS = 30
#: Boxes one model gets at most; a larger number is written, with a line to count on.
MOST_BOXES = 30
#: What a unit's rules call that it scores.
SCORING = "Scoring"
#: What a model moves on the ground, and in brackets in flight.
_FLIGHT = re.compile(r'(\d+") \((\d+")\)')


@dataclass(frozen=True, slots=True)
class StatColumn:
    """A statistic of the army's stat lines: id, short name over the column, full name."""

    id: str
    short: str
    name: str


@dataclass(frozen=True, slots=True)
class StatCell:
    """One statistic of a stat line: `label` over `value`, its whole `name`, its meaning."""

    label: str
    value: str
    help: str
    id: str = ""
    name: str = ""


@dataclass(frozen=True, slots=True)
class StatRow:
    """A stat line with the statistics that it has; `note`: what stays open."""

    name: str
    cells: tuple[StatCell, ...]
    note: str = ""

    @classmethod
    def apart(cls, name: str, cells: Iterable[StatCell], note: str = "") -> Iterator["StatRow"]:
        """Yield a stat line, and below it the values in flight: of `2" (9")` the 9"."""
        found = [(cell, _FLIGHT.fullmatch(cell.value)) for cell in cells]
        ground = (replace(cell, value=both[1]) if both else cell for cell, both in found)
        yield cls(name, tuple(ground), note)
        if flight := tuple(replace(cell, value=both[2]) for cell, both in found if both):
            yield cls(_("in flight"), flight)

    def values(self, columns: Iterable[StatColumn]) -> tuple[str, ...]:
        """Return a text per column, "" for none."""
        values = {cell.id: cell.value for cell in self.cells}
        return tuple(values.get(column.id, "") for column in columns)


@dataclass(frozen=True, slots=True)
class TakenLine:
    """An option with its points for the whole unit: `number` times `plain`, taken `on` another.

    `ranks` are the models of a formation, such as "5×3" has; 0 for any other option. One to use
    `once` a game has a box.
    """

    name: str
    points: int = 0
    plain: str = ""
    number: int = 1
    on: str = ""
    ranks: int = 0
    once: bool = False

    @property
    def title(self) -> str:
        return _("Formation {size}").format(size=self.name) if self.ranks else self.name


class PathSpell(NamedTuple):
    """A spell of a path by number and name, with its casting value, range and type in words."""

    name: str
    text: str


@dataclass(frozen=True, slots=True)
class Wizard:
    """A wizard's knowledge: `path` ("" while open), number of `spells`; `rule`: has no path.

    `choices` are the spells of its path, as far as we have them.
    """

    kind: str
    path: str
    spells: int
    rule: str = ""
    choices: tuple[PathSpell, ...] = ()

    @property
    def label(self) -> str:
        """Such as "Wizard Master, Pyromancy, 4 spells"."""
        return ", ".join((*self.names, self.spells_known))

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(filter(None, (self.kind, self.path, self.rule)))

    @property
    def spells_known(self) -> str:
        """Such as "4 spells"."""
        text = ngettext("{number} spell", "{number} spells", self.spells)
        return text.format(number=self.spells)

    @property
    def asks_path(self) -> bool:
        return not self.path and not self.rule


#: What a sheet says of a unit whose book was not chosen.
UNKNOWN_UNIT = gettext_lazy("The chosen books do not have this unit. It does not count.")


@dataclass(frozen=True, slots=True)
class Uses:
    """An ability or spell: `boxes` to cross off (0: none), its effect if there is room."""

    label: str
    boxes: int = 0
    summary: str = ""

    @property
    def name(self) -> str:
        """Its label and uses: "bless ×2"."""
        return f"{self.label} ×{self.boxes}" if self.boxes > 1 else self.label


@dataclass(frozen=True, slots=True)
class Track:
    """Boxes of each model to cross off, with their label; a line after the first `mark`."""

    name: str
    each: int
    boxes: int
    label: str
    mark: int = 0


@dataclass(frozen=True, slots=True)
class Lines:
    """A part of a card with its free lines, such as a creature's attacks."""

    name: str
    lines: tuple[str, ...]


def box_label(name: str, box: int) -> str:
    """Return the label of health boxes, each worth some points of health."""
    return name if box == 1 else _("{name} ({number} a box)").format(name=name, number=box)


def _several(name: str) -> Uses:
    """Return "2 × Ancient Ally" as its name and a number."""
    number, __, plain = name.partition(" × ")
    return Uses(plain, int(number)) if plain and number.isdecimal() else Uses(name)


class WeaponUse(NamedTuple):
    """All statistics of a bearer with a weapon, by their ids, in one way of using it.

    `note` says which; "" for the usual one. `shots` of a weapon to shoot with, else "".
    """

    note: str
    stats: tuple[tuple[str, str], ...]
    shots: str = ""


class WeaponLine(NamedTuple):
    """A weapon as its bearer uses it, in words; `bearer` "" where only one can bear it.

    `uses` are its figures, where its bearer is certain and it is for a model of this type.
    """

    name: str
    bearer: str
    figures: str
    uses: tuple[WeaponUse, ...] = ()

    @property
    def label(self) -> str:
        return f"{self.name}, {self.bearer}" if self.bearer else self.name


class OfferedOption(NamedTuple):
    """An available option: its name, its price in words, its own options."""

    name: str
    cost: str = ""
    inner: str = ""

    @property
    def words(self) -> str:
        """Such as "Horse +40"; a free one by its name alone."""
        return f"{self.name} {self.cost}".rstrip()

    @property
    def whole(self) -> str:
        """The same with its own options."""
        return f"{self.words} ({self.inner})" if self.inner else self.words


class OfferedGroup(NamedTuple):
    """A group of options; `most`: the points that they may cost together, None for any."""

    name: str
    options: tuple[OfferedOption, ...]
    most: int | None = None

    @property
    def whole(self) -> str:
        return ", ".join(option.whole for option in self.options)

    @property
    def bound(self) -> str:
        """Limit of their total points, in words; "" if unlimited."""
        if not self.most:
            return ""
        text = ngettext("up to {points} point", "up to {points} points", self.most)
        return text.format(points=self.most)


class BookEntry(NamedTuple):
    """A book's facts about a unit that is on no list yet.

    Its `heading`, `size` and `cap` in words, the points of each `extra` model above the smallest
    size. `origin`: the set it is from, and how sure its numbers are; `sources` are URLs, or words.
    """

    heading: str
    size: str
    cap: str
    extra: int
    groups: tuple[OfferedGroup, ...]
    origin: str = ""
    sources: tuple[str, ...] = ()

    @property
    def bounds(self) -> str:
        """Its possible sizes, and its maximum in an army."""
        return " · ".join(filter(None, (self.size, self.cap)))


class FactPart(Enum):
    """Heading of a unit's facts in comparisons of units or editions."""

    SHORT = 1
    STATS = 2
    RULES = 3
    OPTIONS = 4


class UnitFact(NamedTuple):
    """Something that a unit has under a name, in words."""

    part: FactPart
    name: str
    words: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as pane, page, sheet, card, text and API draw it, with everything worked out.

    `known` false: not in the chosen books; `priced` false: without points. `points` is its whole
    price (None: not known), `each` that of one model; `price_remark` is the book's. `sized`: a unit
    of an army; `letter` distinguishes it from others of the same look; `counts` false: a choice for
    the army, no unit. `marks` begin with the `roles`. `health` is that of a model (None: not known;
    `health_in_stats`: its stat line has it), its champion `more` beyond; `formed`: models of its
    formation; `states` have a box each. `armour` is in words, and in all (`armour_total`, None: not
    known), the pieces `worn`. `blanks` are filled in by pen; `own`: it is the player's own model.
    `book` is its book's name where another book of the list has a unit by the same name. `source`
    is the small print of its card.
    With an `entry` it is on no list: the least of a unit that a book has.
    """

    id: str
    name: str
    models: int
    known: bool = True
    unit_name: str = ""
    points: int | None = None
    each: int | None = None
    price_remark: PriceRemark | None = None
    priced: bool = True
    sized: bool = False
    counts: bool = True
    letter: str = ""
    scoring: bool = False
    roles: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()
    about: str = ""
    rows: tuple[StatRow, ...] = ()
    armour: str = ""
    armour_total: int | None = None
    worn: tuple[str, ...] = ()
    weapons: tuple[WeaponLine, ...] = ()
    health: int | None = None
    health_name: str = ""
    health_box: int = 1
    health_in_stats: bool = False
    half: bool = False
    healthy: bool = True
    more: int = 0
    formed: int = 0
    states: tuple[str, ...] = ()
    options: tuple[TakenLine, ...] = ()
    items: tuple[TakenLine, ...] = ()
    given: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    abilities: tuple[Uses, ...] = ()
    spells: tuple[Uses, ...] = ()
    texts: tuple[Lines, ...] = ()
    wizard: Wizard | None = None
    blanks: tuple[str, ...] = ()
    own: bool = False
    book: str = ""
    notes: str = ""
    remark: str = ""
    source: str = ""
    entry: BookEntry | None = None

    @property
    def title(self) -> str:
        """Models, name and letter: "25 Citizen Spears B", of single models "4 × Orc"."""
        if self.entry:
            return self.name
        if not self.sized:
            return f"{self.models} × {self.name}" if self.models > 1 else self.name
        number = f"{self.models} " if self.models > 1 and self.counts else ""
        return f"{number}{self.name} {self.letter}".rstrip()

    @property
    def price(self) -> str:
        """Return the points of a unit, "?" not known; of single models and of entries in words.

        Such as "24 points (6 each)". "" where they are left out, and of unknown units.
        """
        if not self.priced:
            return ""
        if self.entry and self.entry.extra and self.points is not None:
            return _("{points} points, {extra} for each model above {size}").format(
                points=self.points, extra=self.entry.extra, size=self.models
            )
        if self.sized and not self.entry:
            return str(self.points) if self.points is not None else "?" if self.known else ""
        if self.points is None:
            return _("points ?") if self.known else _("no points")
        words = counted(self.points, "points")
        if self.models > 1 and self.each and self.each * self.models == self.points:
            words = _("{points} ({each} each)").format(points=words, each=self.each)
        return f"{words}, {self.price_remark.mark}" if self.price_remark else words

    @property
    def stats(self) -> tuple[StatCell, ...]:
        """The statistics of a model that has one stat line."""
        return self.rows[0].cells if self.rows else ()

    @property
    def lacks_stats(self) -> bool:
        """Return whether the file lacks the stat line that it has in its book."""
        return self.known and self.counts and not self.rows

    @property
    def _said(self) -> set[str]:
        """The names that its armour, weapons, marks and magic say already."""
        marks = (*self.worn, *([SCORING] if self.scoring else ()))
        kind = [self.wizard.kind] if self.wizard else []
        return {*marks, *kind, *(weapon.name for weapon in self.weapons)}

    @property
    def other_rules(self) -> tuple[str, ...]:
        """Its rules but those that its armour, weapons, marks or magic name already."""
        return tuple(rule for rule in self.rules if rule not in self._said)

    @property
    def other_options(self) -> tuple[TakenLine, ...]:
        """Its options but those without points that something else names already."""
        return tuple(one for one in self.options if one.points or one.name not in self._said)

    @property
    def taken(self) -> Iterator[tuple[str, tuple[TakenLine, ...]]]:
        """Yield its options and items, under a heading."""
        for heading, options in ((_("Options"), self.options), (_("Items"), self.items)):
            if options:
                yield heading, options

    @property
    def named(self) -> Iterator[tuple[str, tuple[Uses, ...]]]:
        """Yield its other names, under a heading."""
        for heading, named in (
            (_("Comes with"), map(_several, self.given)),
            (_("Rules") if self.sized else _("Keywords"), map(Uses, self.rules)),
            (_("Special rules"), self.abilities),
            (_("Spells"), self.spells),
        ):
            if uses := tuple(named):
                yield heading, uses

    @property
    def facts(self) -> Iterator[UnitFact]:
        """Yield all that a unit of a book is and has, but for its name."""
        short, stats, rules, entry = FactPart.SHORT, FactPart.STATS, FactPart.RULES, self.entry
        yield UnitFact(short, _("Points"), (self.price,))
        if entry:
            yield UnitFact(short, _("Models"), (entry.size,))
            yield UnitFact(short, _("At most"), (entry.cap,))
            heading = entry.heading if entry.heading != self.about else ""
            yield UnitFact(short, _("Heading"), (heading,))
        yield UnitFact(short, _("Kind"), tuple(self.about.split(" · ")))
        yield UnitFact(short, _("Marks"), self.marks)
        yield UnitFact(short, _("To fill in"), self.blanks)
        yield UnitFact(short, _("Note"), (self.remark,))
        yield UnitFact(short, _("Source"), tuple(self.source.split(" · ")))
        values: dict[str, list[tuple[str, str]]] = {}
        for row in self.rows:
            for cell in row.cells:
                values.setdefault(cell.name, []).append((row.name, cell.value))
        for name, texts in values.items():
            several = len(texts) > 1
            words = (f"{whose} {text}" if several else text for whose, text in texts)
            yield UnitFact(stats, name, tuple(words))
        weapons = tuple(f"{weapon.label}: {weapon.figures}" for weapon in self.weapons)
        yield UnitFact(stats, _("Armour"), (self.armour,))
        yield UnitFact(stats, _("Weapons"), weapons)
        yield UnitFact(stats, _("Health"), (self.condition,))
        if self.wizard:
            spells = (f"{spell.name} {spell.text}".rstrip(" _") for spell in self.wizard.choices)
            yield UnitFact(rules, _("Wizard"), (self.wizard.label,))
            yield UnitFact(rules, _("Spells"), tuple(spells))
        for name, uses in self.named:
            yield UnitFact(rules, name, tuple(use.name for use in uses))
        for part in self.texts:
            yield UnitFact(rules, part.name, part.lines)
        for group in entry.groups if entry else ():
            options = tuple(option.whole for option in group.options)
            yield UnitFact(FactPart.OPTIONS, group.name, (group.bound, *options))

    @property
    def total_health(self) -> int | None:
        return None if self.health is None else self.health * self.fielded + self.more

    @property
    def fielded(self) -> int:
        """The number of models on the table."""
        return self.formed or self.models

    @property
    def shattered(self) -> int | None:
        """The Health Points at or below which it is shattered: a quarter, in whole points."""
        total = None if self.formed else self.total_health
        return None if total is None else total // 4

    @property
    def boxes(self) -> int:
        """Boxes for the health: of one model, of a unit that is sized for all of it."""
        health, most = self.health or 0, MOST_BOXES
        if self.sized:
            health, most = self.total_health or 0, MOST_TICKS
        number = -(-health // self.health_box)
        return number if number <= most else 0

    @property
    def mark(self) -> int:
        """After how many boxes a line marks the half, or what shatters it; 0 where none does."""
        if self.sized:
            return self.boxes - (self.shattered or 0) if self.boxes and self.shattered else 0
        left = (self.health or 0) // (2 * self.health_box)
        return self.boxes - left if self.half and self.boxes else 0

    @property
    def spell_lines(self) -> range:
        """A line to write on for the path where it is open, and one for each spell."""
        wizard = self.wizard
        if not wizard or wizard.choices:
            return range(0)
        return range(wizard.spells + wizard.asks_path)

    @property
    def condition(self) -> str:
        """Its health in words: "25 Health Points, shattered at 6"; "" without any.

        Of a single model only if its statistics don't say it.
        """
        if self.health and not self.sized:
            if self.half:
                text = _("{name} half at {number}")
                half = self.health // (2 * self.health_box) * self.health_box
                return text.format(name=self.health_name, number=half)
            return "" if self.health_in_stats else f"{self.health_name} {self.health}"
        if not (self.sized and self.counts and self.known and self.healthy):
            return ""
        health = self.total_health
        if health is None:
            return _("? Health Points")
        points = ngettext("{number} Health Point", "{number} Health Points", health)
        text = points.format(number=health)
        if self.fielded > 1 and (self.health != 1 or self.more or self.formed):
            more = f" + {self.more}" if self.more else ""
            text += f" ({self.fielded} × {self.health}{more})"
        if self.shattered:
            text = _("{health}, shattered at {number}").format(health=text, number=self.shattered)
        return text

    @property
    def tracks(self) -> tuple[Track, ...]:
        """The boxes that each single model gets: for its health, and for states it can be in."""
        if self.sized:
            return ()
        states = ", ".join(self.states)
        label = box_label(self.health_name, self.health_box)
        tracks = (
            Track(self.health_name, self.health or 0, self.boxes, label, self.mark),
            Track(states, len(self.states), len(self.states), states),
        )
        return tuple(track for track in tracks if track.boxes)

    @property
    def boxed(self) -> range:
        """Numbers of the models that get a row of boxes, from 1."""
        return range(1, min(self.models, MOST_ROWS) + 1) if self.tracks else range(0)

    @property
    def unboxed(self) -> int:
        """Number of models without boxes."""
        return self.models - len(self.boxed) if self.boxed else 0
