"""Terms: the numbers that a rule bounds in a list, each with its parts.

`Rule.terms` makes them on demand: for gauges, for the parts of a number, for remedies, and for most
rules' checks; the other rules use the same bounds and numbers, in less time. A term has the count
(`count`, `of`), its place (`about`), its bounds, and the shares of picks; numbers and bounds only,
so that a solver can state the same of possible lists, with expressions as shares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from armybuilder.engine.about import WHOLE_LIST, About, AboutCategory
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.ends import End
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.selectors import EVERYTHING, Selector
from armybuilder.engine.wording import say

#: What is counted: points spent; the normal points of one model; models; units on the list;
#: units and options, each as often as it is taken; pieces chosen in a setting; points of command;
#: who has a role; groups of parts; and what may not be there as it is.
POINTS, PRICE, MODELS, UNITS, PICKS = "points", "price", "models", "units", "picks"
PIECES, COMMAND, ROLES, GROUPS, BARRED = "pieces", "command", "roles", "groups", "barred"


@dataclass(frozen=True, slots=True)
class Part:
    """Share of one pick in a number, by the pick's id; "" if no pick brings it.

    `line` is the pick's; `each` the share of every model, 0 if it doesn't depend on models. If not
    the `whole` of it counts, `options` has the shares of its options. `key` is the id of a piece or
    setting. Parts of one `group` count once together.
    """

    unit: str
    label: str
    amount: int
    line: Line | None = None
    each: int = 0
    whole: bool = True
    options: tuple[tuple[Taken, int], ...] = ()
    key: str = ""
    group: str = ""


def part_of(line: Line, amount: int, each: int = 0, group: str = "") -> Part:
    """Return a line that counts as a whole."""
    return Part(line.pick.id, line.name, amount, line, each, group=group)


def units_of(line: Line, group: str = "") -> Part:
    """Return a line that counts as its units."""
    return part_of(line, line.units, int(line.unit.size is None), group)


def options_of(line: Line, options: Iterable[tuple[Taken, int]]) -> Part:
    """Return a part of a line whose options count with these amounts."""
    counted = tuple(options)
    amount = sum(number for _, number in counted)
    return Part(line.pick.id, line.name, amount, line, whole=False, options=counted)


def just(*parts: Part) -> Callable[[], Iterable[Part]]:
    """Parts that are at hand already."""
    return lambda: parts


@dataclass(slots=True, eq=False)
class Term:
    """A number that a rule bounds, from `low` to `high` (None: unbounded), in one line-up.

    `head` is the rule's, `of` the matching selector, None if there is none; `role` the counted
    role. `minimum` and `maximum` are the sources of the bounds, `against` their parts, if the list
    makes them. `name` is the number's label on a page. `setting` is the setting of chosen pieces.
    `parts_of` makes the parts on demand. Not frozen, only because rules make many; nobody changes
    one.
    """

    head: RuleHead
    count: str
    measured: int
    low: int | None = None
    high: int | None = None
    parts_of: Callable[[], Iterable[Part]] = tuple
    about: About = WHOLE_LIST
    of: Selector | None = None
    role: str = ""
    name: str = ""
    setting: str = ""
    minimum: End | None = None
    maximum: End | None = None
    against: tuple[Part, ...] = ()
    culprits_of: Callable[[], Iterable[str]] | None = None
    _parts: tuple[Part, ...] | None = None

    @property
    def parts(self) -> tuple[Part, ...]:
        """Parts of the number; groups count once."""
        if self._parts is None:
            self._parts = tuple(self.parts_of())
        return self._parts

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines that bring its parts."""
        return tuple(part.line for part in self.parts if part.line is not None)

    @property
    def culprits(self) -> tuple[str, ...]:
        """The ids of the picks that it is made of."""
        if self.culprits_of is not None:
            return tuple(dict.fromkeys(self.culprits_of()))
        return tuple(dict.fromkeys(part.unit for part in self.parts if part.unit))

    @property
    def is_over(self) -> bool:
        """Return whether the number exceeds its upper bound."""
        return self.high is not None and self.measured > self.high

    @property
    def is_short(self) -> bool:
        """Return whether the number is below its lower bound."""
        return self.low is not None and self.measured < self.low

    @property
    def is_of_all(self) -> bool:
        """Return whether everything on the list counts."""
        return self.about == WHOLE_LIST and self.of == EVERYTHING


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number with its bounds, as a page draws it in a line-up ("": in all of them)."""

    term: Term
    lineup: str = ""

    @property
    def head(self) -> RuleHead:
        """Head of its rule."""
        return self.term.head

    @property
    def name(self) -> str:
        """Label on pages, in the reader's language; a category's name is the book's."""
        of_book = isinstance(self.term.about, AboutCategory)
        return self.term.name if of_book else say(self.term.name)

    @property
    def used(self) -> int:
        """The number itself."""
        return self.term.measured

    @property
    def minimum(self) -> int | None:
        """The least that it may be."""
        return self.term.low

    @property
    def maximum(self) -> int | None:
        """The most that it may be."""
        return self.term.high

    @property
    def parts(self) -> tuple[Part, ...]:
        """Its parts."""
        return self.term.parts

    @property
    def ok(self) -> bool:
        """Return whether the number is within its bounds."""
        return not (self.term.is_over or self.term.is_short)
