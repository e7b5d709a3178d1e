"""The rule base class, and findings.

A kind is one module in `kinds/` with one subclass of `Rule`; `rulebook.rule_kinds` finds it. To add
one: its file, its parameters in `catalogs/schema/system.schema.json`, its line in
`catalogs/README.md`, a case that shows it. A guard test asks for all of them. Its fields declare
how a file gives them (`fields`); mostly its `bounds` are all it has. Other code asks a rule through
the small methods here, never by its kind.
"""

from __future__ import annotations

from abc import ABC
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol, Self, TypeAlias, cast

from armybuilder.engine.about import WHOLE_LIST, About, AboutUnit
from armybuilder.engine.amounts import Amount
from armybuilder.engine.bounds import Bound
from armybuilder.engine.citations import Origin, RuleHead, Severity
from armybuilder.engine.condition_reading import Resolve
from armybuilder.engine.conditions import Place, army_tags
from armybuilder.engine.ends import End
from armybuilder.engine.fields import read_fields
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Cap, Option, Restriction
from armybuilder.engine.roster import Roster
from armybuilder.engine.selectors import EVERYTHING, Selector, SelectorIndex, Tags
from armybuilder.engine.space.space import Space
from armybuilder.engine.states import State, state_of_numbers
from armybuilder.engine.tally import Sides, Tally
from armybuilder.engine.terms import BARRED, POINTS, ROLES, Gauge, Term
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.units import Blank, Fault, Unit
from armybuilder.engine.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True)
class Finding:
    """A finding of a rule about a roster.

    `rule` is its rule, `head` its code, severity and citation: the rule's own, or another. `units`
    are the ids of all picks concerned; `measured` and `allowed` the numbers compared (in the rule's
    unit: points, models, pieces); `values` other names for the sentence. `about` is its subject.
    `lineup` is the line-up in which it occurs; "" means all.
    """

    rule: Rule
    head: RuleHead
    units: tuple[str, ...] = ()
    measured: int | None = None
    allowed: int | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    about: About = WHOLE_LIST
    lineup: str = ""

    @property
    def code(self) -> str:
        """Code of the finding for programs, such as "points.over"."""
        return self.head.code

    @property
    def severity(self) -> Severity:
        """Severity of its rule."""
        return self.head.severity

    @property
    def state(self) -> State:
        """Return whether something is missing or broken."""
        return self.rule.state_of(self)

    @property
    def origin(self) -> Origin:
        """Source of the finding: the game, or an event."""
        return self.head.origin

    @property
    def citation(self) -> str:
        """Source of the rule, and the book of the entry that it is measured by, if any."""
        book = self.values.get("book")
        return f"{self.head.citation}, {book}" if book else str(self.head.citation)

    @property
    def key(self) -> tuple[str, About]:
        """Two findings of equal key are the same fault, perhaps with other numbers."""
        return self.head.pointer, self.about

    @property
    def excess(self) -> int:
        """Distance of the measured number from the allowed one; 0 without numbers."""
        if self.measured is None or self.allowed is None:
            return 0
        return abs(self.measured - self.allowed)


@dataclass(frozen=True, slots=True)
class Must:
    """A requirement of a book on every army: its name, the tag that counts it, its number."""

    book: Mapping[str, Any]
    name: str
    tag: str
    number: Amount


class KnownBook(Protocol):
    """Facts about a book that rules can ask for."""

    @property
    def id(self) -> str:
        """Id in lists."""
        ...

    @property
    def kind(self) -> str:
        """Maker: "official", "imported" and so on."""
        ...

    @property
    def revision(self) -> str:
        """The hash of its content."""
        ...


#: What a rule finds nothing without: matches of the selector of a number, breaches of an aspect of
#: an entry, or a role, as the tag of who has it. None: nothing says so.
Trigger: TypeAlias = int | str | None


@dataclass(frozen=True, slots=True, eq=False)
class ItemSlot:
    """Options of which a unit has no more than `most`: those that it `holds`."""

    holds: Callable[[Option], bool]
    most: int


@dataclass(frozen=True, slots=True, eq=False)
class Rule(ABC):
    """One requirement of a game system.

    Kinds override the methods they need. `says` are the values that a sentence may name besides the
    numbers; `can_be_lifted`: a unit on the list may lift it from some units, see `Tally.spares`.
    `stated`: constraints can state it. `by_unit`: its findings about a unit depend on that unit,
    its options and the counts of conditions only, so that they stay valid while other units change;
    `by_held`: they depend on the army's holdings under caps, by the cap's key. `lasts`: its
    constraints hold with any other units (`Scope.others`), as those of rules `by_unit` do.
    `plain` is the sentence of a finding whose code has none; `state` that of all its findings,
    where the numbers don't say it.
    """

    kind: ClassVar[str] = ""
    says: ClassVar[frozenset[str]] = frozenset()
    can_be_lifted: ClassVar[bool] = False
    stated: ClassVar[bool] = True
    by_unit: ClassVar[bool] = False
    by_held: ClassVar[bool] = False
    lasts: ClassVar[bool] = False
    plain: ClassVar[str] = ""
    state: ClassVar[State | None] = None
    head: RuleHead
    #: Its demands, if bounds state all of them.
    bounds: tuple[Bound, ...] = field(init=False, default=())
    trigger: Trigger = field(init=False, default=None)
    #: The numbers of the selectors whose counts alone decide, besides the game size, settings and
    #: counts of conditions, what it finds; None: more does.
    reads: frozenset[int] | None = field(init=False, default=None)

    # What kinds may have as fields. Not annotated here, or every kind would have the field.
    #: The label of the rule's number on a page; "" if none is drawn.
    name = ""
    #: The setting in which the player settles the rule's findings.
    setting = ""
    #: The category of the army that it bounds.
    category = ""
    #: The role that it gives to who must lead.
    leading_role = ""
    #: The ability whose ratings command the list, or make its faction.
    commands = ""
    #: The options that it limits on one unit.
    items = cast("Selector | None", None)

    def __post_init__(self) -> None:
        object.__setattr__(self, "bounds", tuple(self.make_bounds()))
        object.__setattr__(self, "trigger", self.make_trigger())
        reads = [bound.reads for bound in self.bounds]
        if reads and None not in reads and type(self).judge is Rule.judge:
            object.__setattr__(self, "reads", frozenset(reads))

    def make_bounds(self) -> Iterator[Bound]:
        """Return the rule's demands as data."""
        return iter(())

    @property
    def judges(self) -> bool:
        """Return whether it can have findings besides the faults of units by themselves."""
        return bool(self.bounds) or type(self).judge is not Rule.judge

    def make_trigger(self) -> Trigger:
        """Return its `trigger`."""
        numbers = {bound.number for bound in self.bounds}
        return numbers.pop() if len(numbers) == 1 else None

    @property
    def lasting(self) -> tuple[RuleHead, ...]:
        """Return the heads of findings that stay with any added units; those may lift the rule."""
        return ()

    @property
    def card_fields(self) -> frozenset[str]:
        """Fields that it needs on a card, by the names of a card's blanks."""
        return frozenset()

    def army_tags(self) -> set[str]:
        """Return the tags that the conditions of its bounds count in the whole army."""
        return {tag for bound in self.bounds for tag in bound.army_tags()}

    def ends_for_all(self, count: str) -> tuple[End | None, End | None]:
        """Return the ends between which it keeps the points or models of the whole list."""
        for bound in self.bounds:
            query = bound.query
            if bound.of_list and query.field == count and query.selector == EVERYTHING:
                return bound.low, bound.high
        return None, None

    @property
    def is_budget(self) -> bool:
        """Return whether it limits the points of the whole list."""
        return self.ends_for_all(POINTS)[1] is not None

    def points_of_game(self, roster: Roster) -> tuple[int | None, int | None]:
        """Return the least and the most points of any list; None where that depends on the list, or
        it is not about all points.
        """
        ends = self.ends_for_all(POINTS)
        least, most = (None if end is None else end.top_of_game(roster) for end in ends)
        return least, most

    @property
    def carried(self) -> frozenset[str]:
        """Facts that books of the game can leave out because of this rule: "scaling" of caps
        with the game size, "slots" of special items."""
        return frozenset()

    @property
    def sides(self) -> Sides | None:
        """Basis of the warband's faction, if this rule decides it."""
        return None

    @classmethod
    def of_every_system(cls) -> Rule | None:
        """Return the rule of this kind that every system has; None: system files name it."""
        return None

    def of_collection(self, numbers: Mapping[str, int]) -> Rule | None:
        """Return the rule that keeps advice to the models somebody owns, by the units' refs; None
        where another kind gives it.
        """
        return None

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        """Build from the rule's JSON object, which has passed the schema, as its fields say."""
        return cls(head, **read_fields(cls, data, selector_index, head))

    def finding(
        self,
        units: tuple[str, ...] = (),
        measured: int | None = None,
        allowed: int | None = None,
        values: Mapping[str, object] | None = None,
        about: About = WHOLE_LIST,
    ) -> Finding:
        """Return a finding under the rule's own head."""
        return Finding(self, self.head, units, measured, allowed, values or {}, about)

    def judge(self, tally: Tally) -> Iterable[Finding]:
        """Findings about the roster in one line-up: one for each number that is out of bounds."""
        return [self.told(term, tally) for bound in self.bounds for term in bound.broken(tally)]

    def constrain(self, space: Space) -> None:
        """Demand in a space of lists, in one line-up, what `judge` checks on a list: by default
        its bounds, and the absence of units in which the rule finds a fault. Other kinds
        demand more, or aren't `stated`."""
        for bound in self.bounds:
            if bound.head.severity is Severity.ERROR:
                bound.demand(space, self.head)
        for candidate in space.candidates:
            for fault in candidate.unit.faults:
                if fault.head.id == self.head.id:
                    about = AboutUnit(candidate.key)
                    space.forbid(self.head, candidate.present, about=about)

    def told(self, term: Term, tally: Tally) -> Finding:
        """Return the finding about a number out of bounds; forbidden things have none."""
        units, values = term.culprits, self.values(term, tally)
        numbers: tuple[int | None, int | None] = None, None
        if term.count not in (BARRED, ROLES):
            numbers = term.measured, term.high if term.is_over else term.low
        return Finding(self, term.head, units, *numbers, values, term.about)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        """Return the other values in the sentence about a number: the unit, if that names one."""
        return {"unit": term.parts[0].label} if "unit" in self.says else {}

    def state_of(self, finding: Finding) -> State:
        """Return whether a finding of the rule is missing or broken; see `State`."""
        return self.state or state_of_numbers(finding.measured, finding.allowed)

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        """Return the restrictions that the rule can't check because the book lacks a fact."""
        return iter(())

    def faults(self, unit: Unit) -> Iterator[Fault]:
        """Return findings about a unit by itself; called once, when the unit is made."""
        return iter(())

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return the numbers that the rule bounds in an actual line-up.

        Kinds that forbid something give a term for each breach only; those that check a card by
        itself, or only note something, give none.
        """
        for bound in self.bounds:
            yield from bound.terms(tally)

    def term_of(self, finding: Finding, tally: Tally) -> Term | None:
        """Return the number of a finding in a line-up; None: it has none."""
        terms = self.terms(tally)
        return next((term for term in terms if term.about == finding.about), None)

    def gauge(self, tally: Tally) -> Gauge | None:
        """Return the number that a page should draw, if there is one."""
        if not self.name:
            return None
        lineup = tally.lineup if self.head.each_lineup else ""
        return next((Gauge(term, lineup) for term in self.terms(tally) if term.name), None)

    def removals(self, tally: Tally) -> Iterable[tuple[Line, ...]] | None:
        """Return sets of lines, each of which settles the finding if removed together; None if
        single lines or options do."""
        return None

    def values_for(self, finding: Finding, tallies: tuple[Tally, ...]) -> Iterator[tuple[str, str]]:
        """(setting, value): choices of the player that would settle a finding."""
        return iter(())

    @property
    def aspects(self) -> frozenset[str]:
        """Aspects of the entries of units, such as "too-large", that lists must keep to."""
        return frozenset()

    def sizes_for(self, roster: Roster) -> tuple[int, ...]:
        """Return the game sizes, in points, one of which the list must be for; none where it is, or
        may be for any.
        """
        return ()

    def fixed_for(self, roster: Roster) -> Iterator[tuple[str, str | int]]:
        """Yield (setting, value) for each setting that needs another value than the list's."""
        return iter(())

    def settings_asked(self, tally: Tally) -> tuple[str, ...]:
        """Return the settings in which the player settles a finding of the rule."""
        return (self.setting,) if self.setting else ()

    def doubts(self, role: str, tags: Tags) -> Iterator[Severity | None]:
        """Yield how bad it would be for a unit with these tags to have a role, if the rule
        restricts that role; None: it is allowed.
        """
        return iter(())

    def least_models(self, unit: Unit) -> int:
        """Return the least number of models that make sense of a unit bought singly."""
        return 1

    def blanks(self, unit: Unit, system: Vocabulary) -> Iterator[Blank]:
        """Yield the facts that the rule needs and the unit's card lacks."""
        return iter(())

    def top(self, cap: Cap, place: Place) -> int | None:
        """Return the maximum that an army may hold under a cap; None: this rule sets no bound."""
        return None

    def fitting(self, line: Line, taken: Taken) -> tuple[str, ...]:
        """Return the ids of the unit's pieces of equipment that a taken option can be put on."""
        return ()

    def wanted(self, line: Line, taken: Taken) -> frozenset[str]:
        """Return the tags of options, one of which the unit must take to have a taken option."""
        return frozenset()

    def slots(self, line: Line) -> Iterator[ItemSlot]:
        """Return the groups of options that it limits on the unit of a line."""
        return iter(())

    def of_book(
        self, book: Mapping[str, Any], resolve: Resolve, selector_index: SelectorIndex
    ) -> Iterator[Rule]:
        """Return the rules that a book's own numbers make of this one."""
        return iter(())

    def numbered_in(self, selector_index: SelectorIndex) -> Rule:
        """Return the same rule for tallies by another index. Of rules that books bring."""
        return self

    def drawing_on(self, books: Collection[KnownBook]) -> Rule:
        """Return the same rule for lists that draw on these books."""
        return self

    def must(self, entry: Must, selector_index: SelectorIndex) -> Rule | None:
        """The rule that an army must have something of a book, if this one counts such things."""
        return None


@dataclass(frozen=True, slots=True, eq=False)
class OfTheArmy(Rule):
    """A rule brought by a book: a demand on the whole army that can't be checked."""

    book: str
    restrictions: tuple[Restriction, ...]

    def army_tags(self) -> set[str]:
        return {tag for one in self.restrictions for tag in army_tags(one.condition)}

    def unchecked(self, tally: Tally) -> Iterator[Unchecked]:
        for restriction in self.restrictions:
            if restriction.applies(tally.place):
                cited = str(self.head.citation)
                yield Unchecked((), self.book, self.book, restriction.what, restriction.why, cited)
