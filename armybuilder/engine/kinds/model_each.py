"""Kind "model-each": a unit has a model for each of certain options that it has taken.

The Ninth Age, Rulebook 8.D.a.3 (10): Champion, Musician and Standard Bearer are upgrades of one
model each, and of another model each.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

from armybuilder.engine.amounts import ZERO
from armybuilder.engine.bounds import Bound, ForHaving
from armybuilder.engine.ends import Edge, End
from armybuilder.engine.fields import counted
from armybuilder.engine.kinds.per_unit import names_in
from armybuilder.engine.queries import Query
from armybuilder.engine.rules import Rule
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import MODELS, Part, Term, options_of, part_of
from armybuilder.engine.view import Items, N, Subject, View


class _Models(Query):
    """The models of a unit; one if models are bought singly."""

    field = MODELS

    def measure(self, view: View[N], subject: Subject) -> N:
        ((member, _),) = subject.members
        models: N = member.place.models
        return models

    def parts(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        ((line, _),) = subject.members
        yield part_of(line, line.place.models, each=1)

    def against(self, tally: Tally, subject: Subject) -> Iterator[Part]:
        ((line, _),) = subject.members
        yield options_of(line, subject.items)


class _Asked(End):
    """A model for each item of a unit, where its smallest size does not ask for as many."""

    own: ClassVar[bool] = True

    def edge(self, view: View[N], subject: Subject) -> Edge[N]:
        ((member, _),) = subject.members
        items = view.algebra.sum(number for _, number in subject.items)
        smallest = member.unit.size[0] if member.unit.size else ZERO
        over = items - smallest.number(member.place)
        return Edge(items, 1, view.algebra.at_least(over, 1))

    def passes(self, member: Any, items: Items) -> bool:
        return bool(member.place.models >= sum([number for _, number in items]))


@dataclass(frozen=True, slots=True, eq=False)
class ModelEach(Rule):
    """Rule of one item a model.

    If the unit's smallest size requires as many models, that is reported.
    """

    kind: ClassVar[str] = "model-each"
    by_unit: ClassVar[bool] = True
    says: ClassVar[frozenset[str]] = frozenset(["unit", "names"])
    number: int = counted("of")

    def make_bounds(self) -> Iterator[Bound]:
        yield Bound(self.head, _Models(), low=_Asked(), each=ForHaving(self.number, True))

    def values(self, term: Term, tally: Tally) -> Mapping[str, object]:
        (asked,) = term.against
        return {"unit": asked.label, "names": names_in(asked)}
