"""From D&D 3.x scores to a Chainmail card, by chapter 6 of the 2001 rulebook.

`read_scores` reads a form, `convert` makes the card with a step for every number of it.
"""

from armybuilder.converting.attacks import fighting
from armybuilder.converting.body import body
from armybuilder.converting.card import Conversion, ConvertedCard, WorkStep
from armybuilder.converting.fields import (
    CHOICE_FIELDS,
    FIELDS,
    Field,
    read_choices,
    read_scores,
)
from armybuilder.converting.scores import BadScores, Blows, ConversionChoices, Scores
from armybuilder.converting.specials import specials

__all__ = [
    "CHOICE_FIELDS",
    "FIELDS",
    "BadScores",
    "Blows",
    "Conversion",
    "ConversionChoices",
    "Field",
    "Scores",
    "WorkStep",
    "convert",
    "read_choices",
    "read_scores",
]

DEFAULT = ConversionChoices()


def convert(scores: Scores, choices: ConversionChoices = DEFAULT) -> Conversion:
    """The card: a unit of a book without id and points, and how each of its numbers came about.

    The scores must be in the ranges that `read_scores` asks for.
    """
    card = ConvertedCard()
    body(card, scores, choices)
    fighting(card, scores, choices)
    specials(card, scores, choices)
    return card.done(scores, choices)
