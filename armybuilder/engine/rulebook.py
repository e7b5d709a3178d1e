"""Combined answers of a game's rules on a unit, a role, a cap; and how to find rules."""

import importlib
import pkgutil
from collections.abc import Iterator
from functools import cache

from armybuilder.engine import kinds
from armybuilder.engine.catalogue import System
from armybuilder.engine.citations import Severity
from armybuilder.engine.conditions import Place
from armybuilder.engine.fresh import alone
from armybuilder.engine.options import Cap
from armybuilder.engine.report import Report
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Tags
from armybuilder.engine.units import Unit


@cache
def rule_kinds() -> dict[str, type[Rule]]:
    """Every kind of rule by its name in system files, found in the package `kinds`."""
    for module in pkgutil.iter_modules(kinds.__path__):
        importlib.import_module(f"{kinds.__name__}.{module.name}")
    # Subclasses of abc classes with slots appear twice while dataclass rebuilds them.
    return {kind.kind: kind for kind in Rule.__subclasses__() if kind.kind}


def rules_of_all() -> tuple[Rule, ...]:
    """Return the rules that every system has."""
    made = (kind.of_every_system() for kind in rule_kinds().values())
    return tuple(sorted(filter(None, made), key=lambda rule: rule.head.order))


def commanding(system: System) -> frozenset[str]:
    """Return the abilities whose ratings command a list, or make its faction."""
    return frozenset(filter(None, (rule.commands for rule in system.rules)))


def leading_role(unit: Unit, system: System) -> str:
    """Return id of the role that a unit must have with nothing chosen for it; "" for none."""
    if unit.must_lead is None or not unit.must_lead.holds(alone(unit.smallest, unit.tags)):
        return ""
    return next(filter(None, (rule.leading_role for rule in system.rules)), "")


def doubts(role: str, tags: Tags, system: System) -> Iterator[Severity | None]:
    """Return the severity of giving a role to something with these tags, by each rule about it."""
    for rule in system.rules:
        yield from rule.doubts(role, tags)


def may_have(role: str, tags: Tags, system: System) -> bool:
    """Return whether something with these tags can have a role: no rule doubts it."""
    told = list(doubts(role, tags, system))
    return bool(told) and not any(told)


def cap_top(cap: Cap, report: Report, place: Place | None = None) -> int | None:
    """Return the maximum of a capped thing in the army, or in another army that `place` is in;
    None if unlimited."""
    where = place or report.full.place
    tops = (rule.top(cap, where) for rule in report.system.rules)
    return min((top for top in tops if top is not None), default=None)
