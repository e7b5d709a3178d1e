"""What the rules of a game say together: of a unit, a role, a cap. The rules of every game."""

from collections.abc import Iterator

from armybuilder.engine.catalogue import System, Unit
from armybuilder.engine.findings import Severity
from armybuilder.engine.fresh import alone
from armybuilder.engine.kinds.owned import owned_rule
from armybuilder.engine.kinds.suggested import suggested_rule
from armybuilder.engine.kinds.unknown import unknown_rule
from armybuilder.engine.options import Cap
from armybuilder.engine.rules import Rule
from armybuilder.engine.selectors import Tags
from armybuilder.engine.tally import Tally


def rules_of_all() -> tuple[Rule, ...]:
    """The rules that every system has."""
    return (unknown_rule(), owned_rule(), suggested_rule())


def commanding(system: System) -> frozenset[str]:
    """The abilities whose ratings command a list, or make its faction."""
    return frozenset(filter(None, (rule.commands for rule in system.rules)))


def leading_role(unit: Unit, system: System) -> str:
    """Id of the role that a unit must have with nothing chosen for it; "" for none."""
    if unit.must_lead is None or not unit.must_lead.holds(alone(unit.smallest, unit.tags)):
        return ""
    return next(filter(None, (rule.leading_role for rule in system.rules)), "")


def doubts(role: str, tags: Tags, system: System) -> Iterator[Severity | None]:
    """How bad it would be if what has these tags had a role, by each rule that says who may."""
    for rule in system.rules:
        if rule.admits_to == role:
            yield rule.doubt(role, tags)


def may_have(role: str, tags: Tags, system: System) -> bool:
    """Whether the rules say that what has these tags may have a role: none of them doubts it."""
    told = list(doubts(role, tags, system))
    return bool(told) and not any(told)


def cap_top(cap: Cap, tally: Tally) -> int | None:
    """How many of what has a cap the army may hold; None where there is no bound."""
    tops = (rule.top(cap, tally) for rule in tally.system.rules)
    return min((top for top in tops if top is not None), default=None)
