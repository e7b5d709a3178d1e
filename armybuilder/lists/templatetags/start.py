"""What templates ask for to start well: a game's examples, and what a random list is known by."""

from django import template

from armybuilder.lists.starting import FILLED
from armybuilder.loading.examples import Example, shipped_examples

register = template.Library()


@register.simple_tag
def examples_of(system_id: str) -> tuple[Example, ...]:
    """The example lists of a game system, the smallest first."""
    return shipped_examples().by_system.get(system_id, ())


@register.filter
def filled_at_random(act: str) -> bool:
    """Whether a version's act is that which filled the list at random."""
    return act == FILLED[:200]
