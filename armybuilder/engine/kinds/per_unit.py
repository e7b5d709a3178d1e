"""Kind "per-unit": what one unit has taken of certain options lies below a bound.

The Ninth Age: one weapon enchantment, two artefacts, one Dominant item to a model.
"""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.about import About, AboutUnit
from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.lines import Line
from armybuilder.engine.loadout import Taken
from armybuilder.engine.options import Option
from armybuilder.engine.rules import Finding, ItemSlot, Rule
from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import Selector
from armybuilder.engine.space.expressions import Expression
from armybuilder.engine.space.space import Space
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import PICKS, Part, Term, just, options_of


@dataclass(frozen=True, slots=True, eq=False)
class PerUnit(Rule):
    """`what` names in words what is counted, `item` is the kind of special item, if it is one. A
    unit's own entry may allow more of these. Conditions in `maximum` are asked of the unit.
    """

    kind: ClassVar[str] = "per-unit"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "what", "names"])
    selector: Selector
    number: int
    maximum: Amount
    smallest: int
    what: str
    item: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], selector_index: SelectorIndex) -> Self:
        selector = Selector.read(data["of"])
        bound = data["max"]
        if isinstance(bound, int):
            bound = {"number": bound, "when": ()}
        maximum = read_amount(bound["number"], bound["when"], "number")
        number, item = selector_index.add(selector), data["of"].get("item", "")
        return cls(head, selector, number, maximum, maximum.smallest, data["what"], item)

    @property
    def carried(self) -> frozenset[str]:
        """Slots, where it is about special items."""
        return frozenset({"slots"} if self.item else ())

    def most(self, line: Line) -> int:
        """Return how many of these the unit of a line may have, as it stands."""
        place = line.place._replace(tags=line.tags)
        return line.unit.item_limits.get(self.item, self.maximum.number(place))

    def terms(self, tally: Tally) -> Iterator[Term]:
        """Return what each unit has taken of them."""
        for line, items in by_unit(tally, self.number):
            yield self._term(line, items)

    def _term(self, line: Line, items: list[Taken]) -> Term:
        return items_term(self, line, items, self.most(line), AboutUnit(line.pick.id))

    @property
    def items(self) -> Selector:
        return self.selector

    def slots(self, line: Line) -> Iterator[ItemSlot]:
        # A selector that means the unit itself counts units, not options.
        options = bool(self.selector.clauses) and not self.selector.matches(line.tags)
        if options and self.most(line) == 1:
            yield ItemSlot(lambda option: self.selector.matches(option.tags))

    def most_of(self, options: Collection[Option], line: Line) -> int | None:
        all_count = all(self.selector.matches(option.tags) for option in options)
        return self.most(line) if all_count else None

    def judge(self, tally: Tally) -> Iterator[Finding]:
        for line, items in by_unit(tally, self.number):
            if sum(taken.number for taken in items) > self.smallest or line.unit.item_limits:
                term = self._term(line, items)
                if term.is_over:
                    yield self.told(term, tally)

    def constrain(self, space: Space) -> None:
        for candidate in space.candidates:
            number = space.option_number(candidate, self.number)
            if number.is_constant:
                continue
            known = candidate.unit.item_limits.get(self.item)
            where = candidate.where.with_tags(candidate.tag)
            most = self.maximum.number_in(where) if known is None else Expression(known)
            owner = space.owner(self.head, AboutUnit(candidate.key))
            space.constraints.require(number - most, None, 0, (candidate.present,), owner)

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (part,) = term.parts
        return {"unit": part.label, "what": self.what, "names": names_in(part)}


def by_unit(tally: Tally, number: int) -> Iterable[tuple[Line, list[Taken]]]:
    """Return the options that the selector of this number matches, unit by unit."""
    found: dict[str, tuple[Line, list[Taken]]] = {}
    for line, taken in tally.options_by[number]:
        had = found.get(line.pick.id)
        if had is None:
            found[line.pick.id] = (line, [taken])
        else:
            had[1].append(taken)
    return found.values()


def names_in(part: Part) -> list[str]:
    """Names of the options that count, each as often as it is taken."""
    return [taken.option.name for taken, _ in part.options for _ in range(taken.number)]


def items_term(rule: Rule, line: Line, items: list[Taken], most: int, about: About) -> Term:
    """Return how many of some items a unit has."""
    part = options_of(line, ((taken, taken.number) for taken in items))
    return Term(rule.head, PICKS, part.amount, None, most, just(part), about)
