"""Lists of Kings of War (3rd edition, revision 8) and of Mordheim (revision 16) worked out by hand
from the files.

The steps of each stand beside it. Kings of War: prices and maxima are those of "Abyssal Dwarfs
3.cat", that of the force is in "Kings of War 3.gst" ("[3E Primary, 0-1495 Roster pts]": at most
1495 pts). Mordheim: all is in "Sisters of Sigmar.cat", but for experience, which is in "data.cat".
"""

from typing import NamedTuple

import pytest

from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import books_of
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.solving.picks.search import errors_of
from tests.battlescribe.files.random_lists import GAMES, game_in


class Case(NamedTuple):
    """Units with their options, what they cost, and what is wrong with them."""

    units: tuple[tuple[str, ...], ...]
    points: int
    wrong: tuple[str, ...] = ()


class Warband(NamedTuple):
    """Groups and heroes besides the leader, what they cost and rate, and what is wrong."""

    units: tuple[tuple[str, ...], ...]
    crowns: int
    rating: int
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


#: A Sigmarite Matriarch comes with each warband: the roster has a minimum of 1. She costs 70 gc and
#: rates 5, and 20 for the experience of which she has a minimum of 20.
SUPERIOR, AUGUR, SISTERS, NOVICES = "Sister Superior", "Augur", "Sisters", "Novices"
SKILLS = "Skills: 0 in Hero Sisters; the minimum is 2."
PROMOTION = (
    "Hero Sisters: To promote a henchmen to hero, duplicate the group. Set one group to 1 promoted"
    " model and decrease the size of the remaining henchmen group by 1."
)
#: The numbers are gold crowns and the warband's rating.
WARBANDS = {
    "a leader alone": Warband((), 70, 25),
    # 35 each; a rating of 5, and 8 for the experience of which they have a minimum of 8.
    "as many heroes as may be": Warband(((SUPERIOR,),) * 3, 70 + 105, 25 + 39),
    "a hero too many": Warband(
        ((SUPERIOR,),) * 4,
        70 + 140,
        25 + 52,
        ("Sister Superior: 4 in the list; the maximum is 3.",),
    ),
    # 25 and a rating of 5; no experience must be.
    "a hero of another kind": Warband(((AUGUR,),), 95, 30),
    "one of whom there is but one": Warband(
        ((AUGUR,), (AUGUR,)), 120, 35, ("Augur: 2 in the list; the maximum is 1.",)
    ),
    "two leaders": Warband(
        (("Sigmarite Matriarch",),),
        140,
        50,
        ("Sigmarite Matriarch: 2 in the list; the maximum is 1.",),
    ),
    # A group comes with one sister; 25 and a rating of 5 each.
    "a group of five": Warband(((SISTERS, *(SISTERS,) * 4),), 70 + 125, 25 + 25),
    "a group of six": Warband(
        ((SISTERS, *(SISTERS,) * 5),),
        70 + 150,
        25 + 30,
        ("Sisters: 6 in Sisters; the maximum is 5.",),
    ),
    # 3 x 25 and 3 x 5. Experience of henchmen: a rating of 1, 1 more for each of three models, 1
    # less because they are henchmen, which is 3; and 2 gc for each of three models.
    "experience of three": Warband(
        ((SISTERS, SISTERS, SISTERS, "Experience"),), 70 + 75 + 6, 25 + 15 + 3
    ),
    # Of novices there may be 5 in a group and 10 in the warband, at 15 and a rating of 5 each.
    "ten novices": Warband(((NOVICES, *(NOVICES,) * 4),) * 2, 70 + 150, 25 + 50),
    "eleven novices": Warband(
        (*((NOVICES, *(NOVICES,) * 4),) * 2, (NOVICES,)),
        70 + 165,
        25 + 55,
        ("Novices: 11 in Warband; the maximum is 10.",),
    ),
    # 25, a rating of 5. Who is promoted is alone in her group, is called a hero, and has two skills
    # to choose: the group of them, hidden before, has a minimum of 2.
    "a promotion": Warband(((SISTERS, "Promoted"),), 95, 30, (SKILLS,)),
    "a promotion of two": Warband(
        ((SISTERS, SISTERS, "Promoted"),),
        120,
        35,
        ("Sisters: 2 in Hero Sisters; the maximum is 1.", PROMOTION, SKILLS),
    ),
    # 105 for superiors, 2 x 125 for sisters, 3 x 15 for novices; 39 + 2 x 25 + 15.
    "a warband of several kinds": Warband(
        (*((SUPERIOR,),) * 3, *((SISTERS, *(SISTERS,) * 4),) * 2, (NOVICES, NOVICES, NOVICES)),
        70 + 105 + 250 + 45,
        25 + 39 + 50 + 15,
    ),
}


def named(offered: tuple[Definition, ...], name: str) -> str:
    """Return the key of what is offered by a name."""
    return next(one.key for one in offered if one.name.strip() == name)


def assert_worked_out(
    game: str, catalogue: str, force: str, case: Case | Warband, spent: dict[str, int]
) -> None:
    """Build a list of a game of communities' files, and compare what it costs and what is wrong."""
    files = game_in(next(path for path in GAMES if path.stem == game))
    head = next(one for one in files.heads.values() if catalogue in one.get("name"))
    builder = ListBuilder(files, books_of(files))
    for cost in builder.roster.limits:
        builder.set_limit(cost, -1)
    army = builder.start_force(head.id, force)
    for unit, *options in case.units:
        id = builder.add(army, named(builder.at(army).definition.offered, unit))
        for option in options:
            builder.add(id, named(builder.at(id).definition.offered, option))
    evaluation, teller = builder.evaluation, Teller(files, builder.evaluation)
    said = {" ".join(teller.said(breach).split()) for breach in errors_of(evaluation)}
    assert said == set(case.wrong)
    assert {cost: evaluation.spent(cost) for cost in spent} == spent


not_here = pytest.mark.skipif(not GAMES, reason="the communities' files are not here")


@not_here
@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_kings_of_war_comes_to_what_was_worked_out_by_hand(case: Case) -> None:
    force = "402d-7263-42d3-2871"
    assert_worked_out("kingsofwar", "Abyssal Dwarfs", force, case, {"points": case.points})


@not_here
@pytest.mark.parametrize("case", WARBANDS.values(), ids=WARBANDS)
def test_mordheim_comes_to_what_was_worked_out_by_hand(case: Warband) -> None:
    spent = {"points": case.crowns, "wb-rating": case.rating}
    force = "7451d7da-3cc0-0299-775b-2f48162a731d"
    assert_worked_out("mordheim", "Sisters of Sigmar", force, case, spent)
