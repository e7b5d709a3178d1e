"""How a verdict looks: its colour, and its sign, since a colour alone tells nobody enough."""

from typing import Protocol

from django import template

from armybuilder.engine.verdict import Outcome

register = template.Library()

_STATES = {Outcome.LEGAL: "ok", Outcome.UNCHECKED: "warning", Outcome.ILLEGAL: "error"}
_SIGNS = {Outcome.LEGAL: "fits", Outcome.UNCHECKED: "unchecked", Outcome.ILLEGAL: "error"}


class VerdictBadge(Protocol):
    """What has an outcome; None where it could not be judged."""

    outcome: Outcome | None


@register.filter
def state(judged: VerdictBadge | Outcome) -> str:
    """The class by which a style sheet knows the outcome."""
    return _STATES.get(_outcome(judged), "error")


@register.filter
def sign(judged: VerdictBadge | Outcome) -> str:
    """The name of the outcome's icon."""
    return _SIGNS.get(_outcome(judged), "error")


def _outcome(judged: VerdictBadge | Outcome) -> Outcome:
    outcome = judged if isinstance(judged, Outcome) else judged.outcome
    return Outcome.ILLEGAL if outcome is None else outcome
