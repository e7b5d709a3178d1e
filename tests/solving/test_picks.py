"""Lists of picks are repaired, filled, looked ahead and explained as they are judged.

`LISTS=300 pytest tests/solving/test_picks.py` tries so many lists of each game.
"""

from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
import yaml

from armybuilder.battlescribe.files.edits import RosterEditor
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.picks.edits import edits_between
from armybuilder.solving.picks.search import errors_of
from armybuilder.solving.picks.verbs import Found, Outcome, explain, fill, look_ahead, repair
from tests.battlescribe.files.random_lists import game_in, random_list
from tests.battlescribe.files.specs import game_of
from tests.battlescribe.files.test_statement import FEW, LISTS, TRIED, not_here

pytestmark = pytest.mark.long

#: A squad of up to four, of whom each has one gun; no two tanks; an officer leads.
GAME: Final = """
id: skirmish
setup:
  gameSystem:
    costTypes: [{id: pts, name: pts}]
    forceEntries: [{id: force, name: Army}]
  catalogues:
    - id: book
      selectionEntries:
        - id: officer
          name: Officer
          type: unit
          costs: [{typeId: pts, value: 50}]
          constraints: [{id: led, type: min, value: 1, field: selections, scope: force}]
        - id: tank
          name: Tank
          type: unit
          costs: [{typeId: pts, value: 100}]
          constraints: [{id: one-tank, type: max, value: 1, field: selections, scope: roster}]
        - id: squad
          name: Squad
          type: unit
          selectionEntries:
            - id: man
              name: Man
              type: model
              costs: [{typeId: pts, value: 10}]
              constraints:
                - {id: few, type: min, value: 1, field: selections, scope: parent}
                - {id: many, type: max, value: 4, field: selections, scope: parent}
"""


#: The same, where a force costs 300 points at least; and where an army has one of each unit.
DEAR: Final = "{id: dear, type: min, value: 300, field: pts, scope: self}"
MANY: Final = GAME.replace("name: Army}", f"name: Army, constraints: [{DEAR}]}}")
ONE_EACH: Final = (
    MANY.replace("scope: force}", "scope: force}, *one")
    .replace(
        "          type: unit\n          selection",
        "          type: unit\n          constraints: [*one]\n          selection",
    )
    .replace("*one", "{id: one, type: max, value: 1, field: selections, scope: force}")
)


def skirmish(text: str = GAME, **units: int) -> RosterEditor:
    """Return a list of a game with these numbers of units, and nothing that comes along."""
    editor = RosterEditor(game_of(yaml.load(text, yaml.CBaseLoader)))  # noqa: S506 texts only
    force = editor.book("book").force("force")
    assert force is not None
    army = editor.add_force(force)
    for pick in editor.pick(army).below:
        editor.remove(pick.id)
    offered = {one.key: one for one in force.offered}
    for key, number in units.items():
        for _ in range(number):
            editor.select(army, offered[key])
    return editor


def names(roster: PickList | None) -> list[str]:
    assert roster is not None
    return sorted(pick.definition.name for force in roster.forces for pick in force.below)


def applied(editor: RosterEditor, found: Found) -> PickList:
    """Return the list after the edits that were told."""

    def added(pick: Pick) -> Any:
        return lambda on: (Pick(on.id, on.definition, on.number, (*on.below, pick), on.said),)

    for edit in found.edits:
        if edit.act == "remove":
            editor.remove(edit.pick)
        elif edit.act == "number":
            number = edit.number
            editor.change(
                edit.pick, lambda on, n=number: (Pick(on.id, on.definition, n, on.below, on.said),)
            )
        else:
            assert edit.taken is not None
            editor.change(edit.pick, added(edit.taken))
    return editor.roster


def shape(roster: PickList) -> list[Any]:
    def of(picks: tuple[Pick, ...]) -> list[Any]:
        return [(pick.id, pick.definition.key, pick.number, of(pick.below)) for pick in picks]

    return of(roster.forces)


def test_a_repair_removes_excess_and_adds_what_is_missing() -> None:
    editor = skirmish(tank=3, squad=1)
    found = repair(editor.evaluation, CpSat())
    assert found.outcome is Outcome.FOUND
    assert names(found.roster) == ["Officer", "Squad", "Tank"]
    assert [edit.words for edit in found.edits] == [
        "Remove Tank.",
        "Remove Tank.",
        "Add Officer to Army.",
    ]


def test_a_legal_list_is_left_alone() -> None:
    editor = skirmish(officer=1)
    assert repair(editor.evaluation, CpSat()) == (Outcome.FOUND, editor.roster, (), True)


def test_conflicting_picks_are_reported() -> None:
    editor = skirmish(tank=2, officer=1)
    assert look_ahead(editor.evaluation, CpSat()).outcome is not Outcome.FOUND
    clash = explain(editor.evaluation, CpSat())
    assert clash is not None
    assert [one.bound.id for one in clash.demands if one.bound] == ["one-tank"]
    assert [pick.definition.name for pick in clash.picks] == ["Tank", "Tank"]
    assert clash.minimal


@pytest.mark.parametrize(("text", "outcome"), [(MANY, Outcome.NONE_SEEN), (ONE_EACH, Outcome.NONE)])
def test_no_answer_is_given_only_after_trying_all_copies(text: str, outcome: Outcome) -> None:
    editor = skirmish(text, officer=1, tank=1)
    assert [one.bound.id for one in errors_of(editor.evaluation) if one.bound] == ["dear"]
    assert look_ahead(editor.evaluation, CpSat()).outcome is outcome
    assert repair(editor.evaluation, CpSat()).outcome is outcome


def test_a_list_with_something_missing_can_become_legal() -> None:
    found = look_ahead(skirmish(tank=1).evaluation, CpSat())
    assert names(found.roster) == ["Officer", "Tank"]
    assert explain(skirmish(tank=1).evaluation, CpSat()) is None


def test_a_list_is_filled_up_to_its_limit() -> None:
    editor = skirmish(officer=1)
    editor.set_limit("pts", 160)
    found = fill(editor.evaluation, "pts", CpSat())
    assert found.roster is not None
    assert Evaluation(found.roster).spent("pts") == 160
    assert {edit.act for edit in found.edits} == {"add"}


def lists(path: Path) -> Iterator[RosterEditor]:
    for number in range(LISTS):
        editor = random_list(game_in(path), Random(number), 4)  # noqa: S311
        if editor is not None:
            for cost, limit in editor.roster.limits.items():
                editor.set_limit(cost, limit or -1)
            yield editor


@pytest.mark.slow
@not_here
@pytest.mark.parametrize("path", TRIED, ids=lambda path: path.stem)
def test_repaired_lists_of_real_games_are_legal(path: Path) -> None:
    for editor in lists(path):
        found = repair(editor.evaluation, CpSat(), 2)
        if found.roster is None:
            assert found.outcome is not Outcome.FOUND
            continue
        assert not errors_of(Evaluation(found.roster))
        assert shape(applied(editor, found)) == shape(found.roster)


@pytest.mark.one_in(2)
@not_here
@pytest.mark.parametrize("path", FEW, ids=lambda path: path.stem)
def test_lists_that_are_looked_ahead_of_or_filled_keep_all_that_is_there(path: Path) -> None:
    for editor in lists(path):
        ahead = look_ahead(editor.evaluation, CpSat(), 1)
        if ahead.roster is None:
            continue
        assert {edit.act for edit in edits_between(editor.roster, ahead.roster)} <= {
            "add",
            "number",
        }
        cost, spent = max(
            (Evaluation(ahead.roster).spent(cost), cost) for cost in editor.roster.limits
        )[::-1]
        legal = RosterEditor(editor.game, ahead.roster)
        legal.set_limit(cost, spent + 300)
        filled = fill(legal.evaluation, cost, CpSat(), seconds=1)
        if filled.roster is not None:
            assert spent <= Evaluation(filled.roster).spent(cost) <= spent + 300
            assert {edit.act for edit in filled.edits} <= {"add"}
