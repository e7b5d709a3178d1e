"""Suggestions to spend what is left, on broken and on half lists: few units change, nothing goes,
nothing breaks, and no unit gets a weapon or armour by the way.
"""

from collections.abc import Iterable, Iterator

import pytest

from armybuilder.engine import Severity
from armybuilder.engine.meaning import NameKind
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.picks import OptionPick
from armybuilder.engine.states import State
from armybuilder.loading.armylist import ArmyList, changed
from armybuilder.loading.documents import Judged, judge_by
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.fill import filling
from tests.advice.test_first_buttons import LISTS, half
from tests.advice.test_promises import GAMES, catalogue_of, judged
from tests.building.random_lists import catalogue_of as books_of
from tests.building.random_lists import filled
from tests.solving.half_lists import has_grown

pytestmark = pytest.mark.long

SOLVER = CpSat()


def broken_rules(made: Judged) -> set[tuple[object, ...]]:
    errors = made.report.of(Severity.ERROR)
    return {(one.code, *one.key) for one in errors if one.state is State.BROKEN}


def changes(before: ArmyList, after: ArmyList) -> int:
    had = {unit.id: unit for unit in before.units}
    return sum(had.get(unit.id) != unit for unit in after.units)


def gear_of(made: Judged) -> set[tuple[str, ...]]:
    """The weapons and pieces of armour that are chosen, where the unit need not choose any."""
    meanings, found = Meanings(made.catalogue), set[tuple[str, ...]]()

    def note(picks: Iterable[OptionPick], *above: str) -> Iterator[tuple[str, ...]]:
        for pick in picks:
            path, option = (*above, pick.id), pick.option
            kinds = {one.kind for one in meanings.explained(option.name)}
            must = option.least.largest > 0 or any(
                group.least.largest > 0 for slot in pick.slots for group in slot.groups
            )
            if kinds & {NameKind.WEAPON, NameKind.ARMOUR} and not must and not pick.given:
                yield path
            yield from note(pick.picks, *path)

    for pick in made.roster.picks:
        found.update(note(pick.picks, pick.id))
    return found


@pytest.mark.one_in(6)
@pytest.mark.parametrize("game", GAMES)
def test_a_suggestion_changes_three_units_and_breaks_nothing(game: str) -> None:
    made_any = 0
    for seed in range(LISTS):
        first = judged(game, seed) if seed % 2 else half(game, seed)
        catalogue = catalogue_of(game, seed)
        found = filling(first.document, catalogue, SOLVER, seed, few=True).filled
        if found is None or found.unfinished:
            continue
        made = judge_by(found.army_list, catalogue)
        assert changes(first.document, made.document) <= 3, seed
        assert has_grown(first.document, made.document, catalogue), seed
        assert broken_rules(made) <= broken_rules(first), seed
        assert made.report.legal is not found.partly
        assert gear_of(made) <= gear_of(first), seed
        made_any += found.army_list != first.document
    assert made_any


@pytest.mark.slow
@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", ["sbh", "ddm-2008", "highborn-elves"])
def test_remaining_points_are_spent_in_large_steps(game: str) -> None:
    catalogue = books_of(game)
    for seed in range(3):
        whole = filled(catalogue, catalogue.system.default_size, seed)
        rest = judge_by(changed(whole, units=whole.units[:-1]), catalogue)
        left = rest.report.limit - rest.report.spent
        found = filling(rest.document, catalogue, SOLVER, seed, seconds=1.0, few=True).filled
        assert found is not None
        assert found.left <= left // 5
