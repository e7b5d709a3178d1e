"""Options as a document can write them: what is taken on them is at most three deep."""

from django.utils.translation import gettext as _

from armybuilder.engine.picks import OptionPick
from armybuilder.loading.armylist import ListOption
from armybuilder.loading.limits import DEEPEST
from armybuilder.loading.problems import Refusal


def writable(options: tuple[ListOption, ...], level: int = 1) -> tuple[ListOption, ...]:
    """Return the options. Raises Refusal: one three deep says more than its id."""
    for option in options:
        if level < DEEPEST:
            writable(option.options, level + 1)
        elif option != ListOption(option.id):
            raise Refusal(_("An option three levels deep can be taken once, with nothing on it."))
    return options


def chosen_options(picks: tuple[OptionPick, ...]) -> tuple[ListOption, ...]:
    """What a document writes down of picks: those that are chosen, not those that are given."""
    return tuple(
        ListOption(pick.id, pick.number, options=chosen_options(pick.picks))
        for pick in picks
        if not pick.given
    )
