"""Kind "per-unit": what one unit has taken of certain options lies below a bound.

The Ninth Age: one weapon enchantment, two artefacts, one Dominant item to a model.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from armybuilder.engine.amounts import Amount, read_amount
from armybuilder.engine.findings import Finding, RuleHead
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Selector
from armybuilder.engine.standing import Line, Standing
from armybuilder.engine.tallies import Tallies


@dataclass(frozen=True, slots=True, eq=False)
class PerUnit(Rule):
    """`what` names in words what is counted, `item` is the kind of special item, if it is one. A
    unit's own entry may allow more of these. Conditions in `maximum` are asked of the unit.
    """

    kind: ClassVar[str] = "per-unit"
    selector: Selector
    number: int
    maximum: Amount
    what: str
    item: str

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        selector = Selector.read(data["of"])
        bound = data["max"]
        if isinstance(bound, int):
            bound = {"number": bound, "when": ()}
        maximum = read_amount(bound["number"], bound["when"], "number")
        return cls(
            head, selector, tallies.add(selector), maximum, data["what"], data["of"].get("item", "")
        )

    def most(self, line: Line) -> int:
        """How many of these the unit of a line may have, as it stands."""
        place = line.place._replace(tags=line.tags)
        return line.unit.item_limits.get(self.item, self.maximum.number(place))

    def judge(self, standing: Standing) -> Iterator[Finding]:
        found: dict[str, tuple[Line, list[str]]] = {}
        for line, taken in standing.options_by[self.number]:
            _, names = found.setdefault(line.pick.id, (line, []))
            names += [taken.slot.option.name] * taken.number
        for subject, (line, names) in found.items():
            allowed = self.most(line)
            if len(names) > allowed:
                values = {"unit": line.name, "what": self.what, "names": names}
                yield Finding(self.head, (subject,), len(names), allowed, values, subject)
