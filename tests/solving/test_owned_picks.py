"""Advice on lists of files from a collection, beside all lists that there may be."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import product
from random import Random
from typing import Final

import pytest

from armybuilder.battlescribe.files.barring import Barring
from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.owned import beyond, models_in
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.picks import search
from armybuilder.solving.picks.search import errors_of
from armybuilder.solving.picks.verbs import (
    LARGEST,
    Outcome,
    cheapest,
    explain,
    extreme,
    fill,
    look_ahead,
    repair,
)
from tests.effort import scaled
from tests.solving.test_picks import ONE_EACH, skirmish

#: One of each unit, for 150 points at least; a scout is a model outside of units.
SCOUT: Final = """
        - id: scout
          name: Scout
          type: model
          costs: [{typeId: pts, value: 15}]
          constraints: [{id: scouts, type: max, value: 1, field: selections, scope: force}]
"""
SMALL: Final = ONE_EACH.replace("value: 300", "value: 150").rstrip() + SCOUT
UNITS: Final = ("officer", "tank", "scout")
MEN: Final = 4
#: Long enough that no answer depends on the machine.
LONG: Final = 60.0


def list_with(editor: RosterEditor, units: Mapping[str, bool], men: int) -> PickList:
    """The list with these units, and a squad of so many men, of which those there keep theirs."""
    (force,) = editor.roster.forces
    offered = {one.key: one for one in force.definition.offered}
    there = {pick.definition.key: pick for pick in force.below}
    picks = [there.get(key, Pick(key, offered[key], 1)) for key, taken in units.items() if taken]
    if men:
        squad = there.get("squad", Pick("squad", offered["squad"], 1))
        (man,) = squad.definition.offered
        old = squad.below[0] if squad.below else Pick("man", man, men)
        picks.append(replace(squad, below=(replace(old, number=men),)))
    return replace(editor.roster, forces=(replace(force, below=tuple(picks)),))


def lists_beyond(
    editor: RosterEditor, owned: Mapping[str, int], keeping: bool = True
) -> Iterator[PickList]:
    """All legal lists that the list can become by adding what is owned, `keeping` all there is."""
    had = models_in(editor.roster.forces)
    keys = {pick.definition.key for pick in editor.roster.forces[0].below}
    for *taken, men in product(*[(False, True)] * len(UNITS), range(MEN + 1)):
        units = dict(zip(UNITS, taken, strict=True))
        now = models_in(list_with(editor, units, men).forces)
        if keeping and (had - now or ("squad" in keys and not men)):
            continue
        if all(number <= max(owned.get(unit, 0), had[unit]) for unit, number in now.items()):
            made = list_with(editor, units, men)
            if not errors_of(Evaluation(made)):
                yield made


def cases(number: int) -> Iterator[tuple[RosterEditor, dict[str, int]]]:
    for seed in range(number):
        chance = Random(seed)  # noqa: S311 tries, not secrets
        editor = skirmish(SMALL, **{unit: chance.randint(0, 1) for unit in UNITS})
        squad = chance.randint(0, 2)
        if squad:
            (force,) = editor.roster.forces
            offered = {one.key: one for one in force.definition.offered}
            editor.select(force.id, offered["squad"])
        editor.set_limit("pts", chance.choice((150, 170, 200, 230)))
        yield (
            editor,
            {
                unit: chance.randint(0, MEN if unit == "squad" else 1)
                for unit in (*UNITS, "squad")
                if chance.random() < 0.8
            },
        )


@pytest.mark.long
def test_advice_from_a_collection_is_that_of_all_lists_there_may_be(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(search, "LONGEST", LONG)
    seen = set()
    for editor, owned in cases(scaled(20, 200, 2000)):
        there = [*lists_beyond(editor, owned)]
        had = models_in(editor.roster.forces)
        most = {unit: max(owned.get(unit, 0), had[unit]) for unit in (*UNITS, "squad")}
        ahead = look_ahead(editor.evaluation, CpSat(), LONG, owned)
        assert (ahead.outcome is Outcome.FOUND) is bool(there)
        filled = fill(editor.evaluation, "pts", CpSat(), seconds=LONG, owned=owned)
        mended = repair(editor.evaluation, CpSat(), LONG, owned=owned)
        assert (mended.outcome is Outcome.FOUND) is any(lists_beyond(editor, owned, keeping=False))
        # Questions leave the units there are as they are, but for what makes the list legal.
        same = [one for one in there if had["squad"] in (0, models_in(one.forces)["squad"])]
        extremes = []
        for goal, best in ((LARGEST, max), (cheapest("pts"), min)):
            found = extreme(editor.evaluation, goal, CpSat(), LONG, owned)
            assert (found.outcome is Outcome.FOUND) is bool(there)
            if found.roster is not None:
                values = [goal.counted(Evaluation(one)) for one in there]
                value = goal.counted(Evaluation(found.roster))
                assert value == best(values) or (
                    goal is LARGEST and not found.best and value < best(values)
                )
                if goal is LARGEST and not errors_of(editor.evaluation):
                    assert value == max(goal.counted(Evaluation(one)) for one in same)
            extremes.append(found)
        for found in (ahead, filled, mended, *extremes):
            if found.roster is not None:
                assert not errors_of(Evaluation(found.roster))
                assert not beyond(found.roster, most)
        if filled.outcome is Outcome.FOUND and not errors_of(editor.evaluation):
            assert filled.roster is not None
            spent = Evaluation(filled.roster).spent("pts")
            assert spent == max(Evaluation(one).spent("pts") for one in same)
        seen |= {ahead.outcome, filled.outcome}
        if not there:
            assert explain(editor.evaluation, CpSat(), LONG, owned) is not None
    assert seen >= {Outcome.FOUND, Outcome.NONE}


def test_what_is_missing_of_a_collection_blocks_a_legal_list_and_is_told() -> None:
    editor = skirmish(SMALL, tank=1)
    assert look_ahead(editor.evaluation, CpSat(), owned={"officer": 1}).outcome is Outcome.FOUND
    clash = explain(editor.evaluation, CpSat(), owned={"squad": 4})
    assert clash is not None
    barring = Barring(Teller(editor.game, editor.evaluation))
    told = [barring.demand(one) for one in clash.demands]
    assert "Your collection has no more models of Officer." in told
    assert beyond(editor.roster, {}) == ["1 × Tank"]
