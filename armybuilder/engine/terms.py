"""Terms: the numbers that a rule bounds in a list, each with what it is made of.

`Rule.terms` makes them when somebody asks: gauges, "what is this number made of", remedies,
and most rules to judge by; the others judge by the same bounds and numbers, in less time.
A term says what is counted (`count`, `of`), where (`about`), between which bounds, and which picks
add how much; numbers and bounds only, so that a constraint solver can state the same of lists that
are not there yet: there the amounts of the parts are expressions instead of numbers.
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
    """What one pick adds to a number, by the pick's id; "" for what no pick brings.

    `line` is the pick's; `each` what every model of it adds, 0 where it does not go by models. Not
    the `whole` of it may count: then `options` says which of what is taken on it adds how much.
    `key` is the id of a piece or setting. Parts of one `group` count once together.
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
    """Return a line of which some options count, each so much."""
    counted = tuple(options)
    amount = sum(number for _, number in counted)
    return Part(line.pick.id, line.name, amount, line, whole=False, options=counted)


def just(*parts: Part) -> Callable[[], Iterable[Part]]:
    """Parts that are at hand already."""
    return lambda: parts


@dataclass(slots=True, eq=False)
class Term:
    """A number that a rule bounds, from `low` to `high` (None: unbounded), in one line-up.

    `head` is that of the rule, `of` whom it speaks of, None where that is not said by a selector;
    `role` the role that it counts. `minimum` and `maximum` are where the bounds come from,
    `against` what they are made of, if the list makes them. `name` is what a page calls the number
    that it draws. `setting` is the one that pieces are chosen in. `parts_of` makes the parts when
    they are asked for. Not frozen, because rules make many while a list is judged; still nobody
    changes one.
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
        """What the number is made of; with groups, each of these counts once."""
        if self._parts is None:
            self._parts = tuple(self.parts_of())
        return self._parts

    @property
    def culprits(self) -> tuple[str, ...]:
        """The ids of the picks that it is made of."""
        if self.culprits_of is not None:
            return tuple(dict.fromkeys(self.culprits_of()))
        return tuple(dict.fromkeys(part.unit for part in self.parts if part.unit))

    @property
    def is_over(self) -> bool:
        """Whether the number exceeds its upper bound."""
        return self.high is not None and self.measured > self.high

    @property
    def is_short(self) -> bool:
        """Whether the number does not reach its lower bound."""
        return self.low is not None and self.measured < self.low

    @property
    def is_of_all(self) -> bool:
        """Whether everything on the list counts."""
        return self.about == WHOLE_LIST and self.of == EVERYTHING


@dataclass(frozen=True, slots=True)
class Gauge:
    """A number with its bounds, as a page draws it in a line-up ("": in all of them)."""

    term: Term
    lineup: str = ""

    @property
    def head(self) -> RuleHead:
        """What it is cited by."""
        return self.term.head

    @property
    def name(self) -> str:
        """What a page calls it, in the reader's language; a category as its book calls it."""
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
        """What it is made of."""
        return self.term.parts

    @property
    def ok(self) -> bool:
        """Whether the number lies between its bounds, these included."""
        return not (self.term.is_over or self.term.is_short)
