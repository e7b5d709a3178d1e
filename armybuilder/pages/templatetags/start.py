"""What templates ask for to start well: a game's examples, and what a random list is known by."""

from django import template

from armybuilder.editing import stored_words
from armybuilder.engine.catalogue import System
from armybuilder.engine.nouns import counted
from armybuilder.loading.examples import Example, shipped_examples

register = template.Library()


@register.simple_tag
def examples_of(system_id: str) -> tuple[Example, ...]:
    """The example lists of a game system, the smallest first."""
    return shipped_examples().by_system.get(system_id, ())


@register.filter
def counted_in(number: int, system: System) -> str:
    """So many units of a book, as the game calls them: "12 units", "34 creatures"."""
    return counted(number, "unit" if system.sized else system.model_word)


register.filter(stored_words.filled_at_random)
