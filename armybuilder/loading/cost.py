"""How much work a list causes: what is on it times what there is to choose from.

Its verdict, the offers of its books and its sheets take time in proportion.
"""

from collections.abc import Iterable

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.roster import Roster
from armybuilder.engine.wording import marked, say
from armybuilder.loading.armylist import ArmyList, ListOption
from armybuilder.loading.deadline import heavy_ahead
from armybuilder.loading.problems import Refusal

#: Largest cost of a list. An army of 15 units with 90 options costs 2,300; what a warband of 15
#: models costs with a thousand models to choose from is 15,000.
MAX_COST = 100_000
#: Lists that cost more take over 0.3 s to offer from.
HEAVY_COST = 20_000
#: What it costs to see what adding a unit does, whatever is on the list.
TRIAL_COST = 24


def cost_of(document: ArmyList, catalogue: Catalogue) -> int:
    """Return units and options on the list times units in its books."""
    picks = sum([1 + _count(unit.options) for unit in document.units])
    return picks * len(catalogue.units)


def check_cost(document: ArmyList, catalogue: Catalogue) -> None:
    """Raise Refusal for more work than one list may cause, Elsewhere for another process's work."""
    cost = cost_of(document, catalogue)
    if cost > HEAVY_COST:
        heavy_ahead()
    if cost > MAX_COST:
        units = len(catalogue.units)
        message = marked(
            "That is more than one list can hold: {picks} units and options, with {units} "
            "to choose from. Use fewer units, or fewer books."
        )
        raise Refusal(say(message, picks=cost // units, units=units))


def check_trials(roster: Roster, units: int) -> None:
    """Raise Elsewhere where trying to add each of so many units is another process's work."""
    picks = sum([1 + _taken(pick.picks) for pick in roster.picks])
    if (TRIAL_COST + picks) * units > HEAVY_COST:
        heavy_ahead()


def _taken(picks: Iterable[OptionPick]) -> int:
    return sum([1 + _taken(pick.picks) for pick in picks])


def _count(options: Iterable[ListOption]) -> int:
    return sum([1 + _count(option.options) if option.options else 1 for option in options])
