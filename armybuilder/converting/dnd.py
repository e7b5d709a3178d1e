"""From D&D 3.x scores to a Chainmail card, by chapter 6 of the 2001 rulebook."""

from armybuilder.converting.attacks import fighting
from armybuilder.converting.body import body
from armybuilder.converting.card import Conversion, ConvertedCard
from armybuilder.converting.scores import ConversionChoices, Scores
from armybuilder.converting.specials import specials

DEFAULT = ConversionChoices()


def convert(scores: Scores, choices: ConversionChoices = DEFAULT) -> Conversion:
    """Make a unit of a book, without id and points, of scores that `read_scores` has checked."""
    card = ConvertedCard()
    body(card, scores, choices)
    fighting(card, scores, choices)
    specials(card, scores, choices)
    return card.done(scores, choices)
