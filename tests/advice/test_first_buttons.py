"""The first button of a finding is the best of all that are there, on broken and on half lists."""

from itertools import groupby

import pytest

from armybuilder.acts.base import ListAct, decode
from armybuilder.advice.answers import Remedy, own_unit
from armybuilder.engine import Finding
from armybuilder.loading.armylist import ArmyList, changed
from armybuilder.loading.documents import Judged, judge_by
from tests.advice.test_promises import GAMES, catalogue_of, faults, is_error, judged, offered
from tests.building.random_lists import filled
from tests.effort import THOROUGH

pytestmark = pytest.mark.long

#: Lists of each game, every second one broken and the others half of a legal one.
LISTS = 50 if THOROUGH else 5


def half(game: str, seed: int) -> Judged:
    catalogue = catalogue_of(game, seed)
    whole = filled(catalogue, GAMES[game][1], seed)
    return judge_by(changed(whole, units=whole.units[seed % 2 :: 2]), catalogue)


def after(remedy: Remedy, first: Judged) -> Judged:
    act = decode(remedy.fields)
    assert isinstance(act, ListAct)
    return judge_by(act.perform(first.document, first.catalogue).army_list, first.catalogue)


def newest(before: ArmyList, made: ArmyList) -> int:
    """The number of the newest unit that is no longer as it was."""
    left = {unit.id: unit for unit in made.units}
    return max((int(one.id[1:]) for one in before.units if left.get(one.id) != one), default=0)


def settles(finding: Finding, before: Judged, made: Judged) -> bool:
    """Whether a finding is gone, and nothing else is wrong."""
    had, has = faults(before.report), faults(made.report)
    new = [one for fault, one in has.items() if fault not in had and is_error(one)]
    return (finding.code, *finding.key) not in has and not new


def rank(before: Judged, made: Judged) -> tuple[int, int, int]:
    """How good a button is: errors settled, then what was added last, then few points changed."""
    errors = {key for key, one in faults(before.report).items() if is_error(one)}
    gone = len(errors - faults(made.report).keys())
    points = abs(made.report.spent - before.report.spent)
    return gone, newest(before.document, made.document), -points


@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", GAMES)
def test_the_first_button_settles_most_then_what_was_added_last(game: str) -> None:
    compared = 0
    for seed in range(LISTS):
        first = judged(game, seed) if seed % 2 else half(game, seed)
        buttons = [(one, button, after(button, first)) for one, button in offered(first)]
        for _finding, group in groupby(buttons, key=lambda one: id(one[0])):
            (finding, best, made), *others = group
            if not settles(finding, first, made):
                continue
            # What is found for another unit does not name it.
            about = ("", own_unit(finding))
            elsewhere = [one for one in buttons if own_unit(one[0]) in about]
            for _other, button, other in (*others, *elsewhere):
                if settles(finding, first, other):
                    compared += 1
                    told = (seed, finding.code, best.label, button.label)
                    assert rank(first, made) >= rank(first, other), told
    assert compared
