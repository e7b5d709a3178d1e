"""Lists of Kings of War (3rd edition, revision 8) worked out by hand from the files.

The steps of each stand beside it: prices and maxima are those of "Abyssal Dwarfs 3.cat", that of
the force is in "Kings of War 3.gst" ("[3E Primary, 0-1495 Roster pts]": at most 1495 pts).
"""

from typing import NamedTuple

import pytest

from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import books_of
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.conditions import Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.solving.picks.search import errors_of
from tests.battlescribe.files.random_lists import GAMES, game_in

POINTS = "points"


class Case(NamedTuple):
    """Units with their options, what they cost, and what is wrong with them."""

    units: tuple[tuple[str, ...], ...]
    points: int
    wrong: tuple[str, ...] = ()


FORCE = "[3E Primary, 0-1495 Roster pts]"
TROOP = "Blacksouls (10) Troop"
HORDE, BERSERKERS = "Blacksouls (40) Horde", "Abyssal Berserkers (20) Regiment"
MASTIFF, SLASHING = "Throwing Mastiff", "05 - Blade of Slashing"
CASES = {
    # The entry costs 190.
    "a unit": Case(((HORDE,),), 190),
    # 190, nothing for the weapons, 15.
    "options with and without a price": Case(((HORDE, "2H Weapons", MASTIFF),), 205),
    # 190 and 2 x 15; the mastiff has a maximum of 1 on its parent.
    "an option too often": Case(
        ((HORDE, MASTIFF, MASTIFF),),
        220,
        ("Throwing Mastiff: 2 in Blacksouls (40) Horde; the maximum is 1.",),
    ),
    # 190 and 5 for the artefact. Its group is hidden in allied forces alone, and this is none.
    "an artefact": Case(((HORDE, SLASHING),), 195),
    # 7 x 190 are 1330, and 165 are 1495: no more than the force allows.
    "all that the force allows": Case((*((HORDE,),) * 7, (BERSERKERS,)), 1495),
    # 15 more.
    "more than the force allows": Case(
        (*((HORDE,),) * 6, (HORDE, MASTIFF), (BERSERKERS,)),
        1510,
        (f"{FORCE}: 1510 pts in the list; the maximum is 1495.",),
    ),
    # 75. "@Troop" has a maximum of 0 in the force, and nothing here raises it.
    "a troop alone": Case(((TROOP,),), 75, (f"@Troop: 1 in {FORCE}; the maximum is 0.",)),
    # 165 and 2 x 75; a regiment of infantry raises the maximum of troops by 2.
    "troops that a regiment unlocks": Case(((BERSERKERS,), (TROOP,), (TROOP,)), 315),
    # 75 more.
    "a troop too many": Case(
        ((BERSERKERS,), (TROOP,), (TROOP,), (TROOP,)),
        390,
        (f"@Troop: 3 in {FORCE}; the maximum is 2.",),
    ),
    # 190 and 4 x 75; a horde of infantry raises it by 4.
    "troops that a horde unlocks": Case(((HORDE,), *((TROOP,),) * 4), 490),
    # 155 and 5; the slaves are in "@Troop", whatever their number, and unlock nothing.
    "a horde that is irregular": Case(
        (("Slave Orcs* (40) Horde", SLASHING),),
        160,
        (f"@Troop: 1 in {FORCE}; the maximum is 0.",),
    ),
    # 190, 165, 155 and 2 x 75; of troops there may be 4 + 2, and are 3.
    "a warband of several kinds": Case(
        ((HORDE,), (BERSERKERS,), ("Slave Orcs* (40) Horde",), (TROOP,), (TROOP,)), 660
    ),
}


def named(offered: tuple[Definition, ...], name: str) -> str:
    """Return the key of what is offered by a name."""
    return next(one.key for one in offered if one.name.strip() == name)


@pytest.mark.skipif(not GAMES, reason="the communities' files are not here")
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_the_program_comes_to_what_was_worked_out_by_hand(case: Case) -> None:
    game = game_in(next(path for path in GAMES if path.stem == "kingsofwar"))
    head = next(one for one in game.heads.values() if "Abyssal Dwarfs" in one.get("name"))
    builder = ListBuilder(game, books_of(game))
    force = builder.start_force(head.id, "402d-7263-42d3-2871")
    for unit, *options in case.units:
        id = builder.add(force, named(builder.at(force).definition.offered, unit))
        for option in options:
            builder.add(id, named(builder.at(id).definition.offered, option))
    evaluation, teller = builder.evaluation, Teller(game, builder.evaluation)
    spent: Number = evaluation.spent(POINTS)
    said = {" ".join(teller.said(breach).split()) for breach in errors_of(evaluation)}
    assert (spent, said) == (case.points, set(case.wrong))
