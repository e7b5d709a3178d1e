"""The rule base class, and how kinds of rules are found.

A kind is one module in `kinds/` with one subclass of `Rule`. Adding a kind: its file, its
parameters in `catalogs/schema/system.schema.json`, its line in `catalogs/README.md`, its
sentence in `sentences.py`, a case that shows it. A guard test asks for all of them.
"""

from __future__ import annotations

import importlib
import pkgutil
from abc import ABC
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple, Self

from armybuilder.engine.about import WHOLE_LIST, About
from armybuilder.engine.findings import Finding, Gauge, RuleHead

if TYPE_CHECKING:
    from armybuilder.engine.catalogue import Unit
    from armybuilder.engine.standing import Standing
    from armybuilder.engine.tallies import Tallies
    from armybuilder.engine.unchecked import Unchecked

NO_VALUES: Mapping[str, object] = {}


class Fault(NamedTuple):
    """What a rule says about a unit by itself, whatever list it stands in."""

    rule: Rule
    measured: int | None = None
    allowed: int | None = None
    values: Mapping[str, object] = {}


@dataclass(frozen=True, slots=True, eq=False)
class Rule(ABC):
    """One requirement of a game system. Kinds override what they need. `can_be_lifted`: a unit on
    the list may lift it from some units, see `Standing.spares`.
    """

    kind: ClassVar[str] = ""
    can_be_lifted: ClassVar[bool] = False
    head: RuleHead

    @classmethod
    def read(cls, head: RuleHead, data: Mapping[str, Any], tallies: Tallies) -> Self:
        """Build from the rule's JSON object, which has passed the schema."""
        raise NotImplementedError(cls)

    def finding(
        self,
        units: tuple[str, ...] = (),
        measured: int | None = None,
        allowed: int | None = None,
        values: Mapping[str, object] = NO_VALUES,
        about: About = WHOLE_LIST,
    ) -> Finding:
        """What the rule says, told under its own head."""
        return Finding(self, self.head, units, measured, allowed, values, about)

    def judge(self, standing: Standing) -> Iterator[Finding]:
        """Findings about the roster as a whole, in one line-up."""
        return iter(())

    def unchecked(self, standing: Standing) -> Iterator[Unchecked]:
        """What the rule cannot judge because a book does not say what it rests on."""
        return iter(())

    def faults(self, unit: Unit) -> Iterator[Fault]:
        """Findings about a unit by itself; asked once, when the unit is made."""
        return iter(())

    def gauge(self, standing: Standing) -> Gauge | None:
        """The number the rule bounds, if a page should draw it."""
        return None


@cache
def rule_kinds() -> dict[str, type[Rule]]:
    """Every kind of rule by its name in system files, found in the package `kinds`."""
    from armybuilder.engine import kinds

    for module in pkgutil.iter_modules(kinds.__path__):
        importlib.import_module(f"{kinds.__name__}.{module.name}")
    # Subclasses of abc classes with slots appear twice while dataclass rebuilds them.
    return {kind.kind: kind for kind in Rule.__subclasses__() if kind.kind}
