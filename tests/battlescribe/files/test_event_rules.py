"""What an event asks of a list of files is judged, stated, repaired and filled as all else is."""

from random import Random
from typing import Any

import pytest

from armybuilder.battlescribe.files.books import ListDefinition
from armybuilder.battlescribe.files.building import ListBuilder
from armybuilder.battlescribe.files.documents import books_of
from armybuilder.battlescribe.files.event_rules import event_rules_of
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.telling import Teller
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import PickList
from armybuilder.loading.file_packs import FilePack, build_file_pack
from armybuilder.loading.problems import Problem
from armybuilder.solving.cpsat import CpSat
from armybuilder.solving.picks.verbs import Outcome, fill, repair
from tests.battlescribe.files.test_statement import disagreements
from tests.kept_games.files import game_set
from tests.pages.forces.armies import squads

PTS = {"id": "pts", "name": "pts"}
SQUAD, BOAT = {"id": "squad", "name": "Squad"}, {"id": "boat", "name": "Boat"}
FLAG, CORE = {"id": "flag", "name": "Flag"}, {"id": "core", "name": "Core"}
LAKE = {"id": "lake", "name": "Lake"}


def pack_of(*rules: dict[str, Any]) -> dict[str, Any]:
    """A pack with these rules, which say what they ask."""
    said = [{"id": f"r{n}", "summary": f"Rule {n}.", "cite": f"{n}"} | one
            for n, one in enumerate(rules)]  # fmt: skip
    game = {"key": "0" * 40, "name": "Game of Squads", "system": "sys-otters"}
    sources = {"pack": {"title": "Pond Cup", "short": "Pond Cup"}}
    about = {"id": "pond-cup", "name": "Pond Cup", "about": "A day at the pond."}
    return {"format": "pack/2", **about, "game": game, "sources": sources, "rules": said}


def built(*rules: dict[str, Any]) -> FilePack:
    pack, problems = build_file_pack(pack_of(*rules), "pack")
    assert not problems
    assert pack is not None
    return pack


def a_list(pack: FilePack | None, *units: str, limit: int = -1) -> PickList:
    """A list of these units, at the event of a pack; "lake:…": of a force of its own."""
    found = game_set(squads())
    game = GameFiles(found.members(), found.system.id)
    builder = ListBuilder(game, books_of(game))
    force = builder.start_force("pond", "raft")
    for unit in units:
        if unit.startswith("lake:"):
            builder.add(builder.start_force("lake", "raft"), unit.removeprefix("lake:"))
        else:
            builder.add(force, unit)
    limits = {"pts": limit, **(pack.limits if pack else {})}
    rules = event_rules_of(pack) if pack else ()
    forces = builder.roster.forces
    return PickList(ListDefinition(game, rules, forces), forces, limits)


def said(roster: PickList) -> list[str]:
    definition = roster.definition
    assert isinstance(definition, ListDefinition)
    evaluation = Evaluation(roster)
    found = Teller(definition.game, evaluation).findings
    return [f"{one.sentence} {one.citation}".strip() for one in found]


AT_MOST = {"kind": "count", "of": [SQUAD, BOAT], "max": 2}
CASES: list[tuple[dict[str, Any], tuple[str, ...], str]] = [
    (AT_MOST, ("squad", "boat"), ""),
    (AT_MOST, ("squad", "boat", "boat"), "Rule 0. 3; the maximum is 2. (Pond Cup 0)"),
    ({"kind": "count", "of": [FLAG], "max": 0}, ("squad",), ""),
    (
        {"kind": "count", "of": [SQUAD, BOAT], "min": 2},
        ("squad",),
        "Rule 0. 1; the minimum is 2. (Pond Cup 0)",
    ),
    ({"kind": "count", "of": [CORE], "max": 1}, ("squad", "boat"), "Rule 0. 2; the maximum is 1."),
    (
        {"kind": "limit", "cost": PTS, "min": 60, "max": 100},
        ("boat",),
        "Rule 0. 30 pts; the minimum is 60. (Pond Cup 0)",
    ),
    (
        {"kind": "limit", "cost": PTS, "max": 50},
        ("boat", "boat"),
        "The list costs 60 pts; the maximum is 50.",
    ),
    (
        {"kind": "spent", "cost": PTS, "of": [BOAT, SQUAD], "max": 60},
        ("boat", "squad"),
        "Rule 0. 65 pts; the maximum is 60. (Pond Cup 0)",
    ),
    ({"kind": "catalogues", "not": [LAKE]}, ("boat",), ""),
    (
        {"kind": "catalogues", "not": [LAKE]},
        ("boat", "lake:raft"),
        "Rule 0. 1; the maximum is 0.",
    ),
    ({"kind": "each", "max": 1}, ("squad", "boat", "lake:raft"), ""),
    (
        {"kind": "each", "max": 1},
        ("squad", "lake:raft", "lake:raft"),
        "Raft: Rule 0. 2; the maximum is 1. (Pond Cup 0)",
    ),
    ({"kind": "each", "of": [BOAT], "max": 1}, ("squad", "squad", "boat"), ""),
    (
        {"kind": "each", "of": [BOAT], "max": 1},
        ("boat", "boat"),
        "Boat: Rule 0. 2; the maximum is 1.",
    ),
    ({"kind": "only", "of": [BOAT]}, ("boat", "boat"), ""),
    ({"kind": "only", "of": [BOAT]}, ("boat", "squad"), "Squad: Rule 0. 1; the maximum is 0."),
    ({"kind": "forces", "max": 1}, ("boat", "lake:raft"), "Rule 0. 2; the maximum is 1."),
    ({"kind": "catalogues", "of": [LAKE]}, ("boat",), "Rule 0. 1; the maximum is 0."),
    ({"kind": "forces", "of": [{"id": "raft", "name": "Raft"}]}, ("boat", "lake:raft"), ""),
    (
        {"kind": "forces", "of": [{"id": "fort", "name": "Fort"}]},
        ("boat",),
        "Rule 0. 1; the maximum is 0.",
    ),
]


@pytest.mark.parametrize(("rule", "units", "wrong"), CASES)
def test_a_list_is_judged_by_each_kind_of_rule(
    rule: dict[str, Any], units: tuple[str, ...], wrong: str
) -> None:
    without = said(a_list(None, *units))
    found = [one for one in said(a_list(built(rule), *units)) if one not in without]
    assert (wrong in found[0] and len(set(found)) == 1) if wrong else not found


def test_a_percentage_is_of_the_limit() -> None:
    share = {"kind": "spent", "cost": PTS, "of": [BOAT], "max": 25, "per_cent": True}
    pack = built(share, {"kind": "limit", "cost": PTS, "max": 200})
    assert not said(a_list(pack, "boat"))
    assert said(a_list(pack, "boat", "boat")) == ["Rule 0. 60 pts; the maximum is 50. (Pond Cup 0)"]


def test_a_new_force_brings_the_rules_about_its_units() -> None:
    pack = built({"kind": "only", "of": [BOAT]})
    before = a_list(pack, "boat")
    assert isinstance(before.definition, ListDefinition)
    game = before.definition.game
    builder = ListBuilder(game, books_of(game), before)
    builder.add(builder.start_force("lake", "raft"), "raft")
    assert [one for one in said(builder.roster) if "Raft" in one] != []


def test_checker_and_solver_agree_on_event_rules() -> None:
    rules = [rule for rule, _units, _wrong in CASES]
    limits = [rule for rule in rules if rule["kind"] == "limit"]
    pack = built(limits[0], *(rule for rule in rules if rule not in limits))
    random = Random(5)  # noqa: S311  # no secret
    for units in (("squad", "boat"), ("boat", "lake:raft"), ("squad",) * 3):
        assert not any(disagreements(a_list(pack, *units), random, 12))


def test_a_repair_keeps_to_the_event() -> None:
    pack = built(AT_MOST, {"kind": "limit", "cost": PTS, "max": 70, "min": 50})
    evaluation = Evaluation(a_list(pack, "squad", "boat", "boat"))
    found = repair(evaluation, CpSat())
    assert found.outcome is Outcome.FOUND
    assert found.roster is not None
    after = Evaluation(found.roster)
    assert not after.breaches
    assert 50 <= after.spent("pts") <= 70


def test_a_filling_keeps_to_the_event() -> None:
    pack = built(
        {"kind": "count", "of": [SQUAD], "max": 0},
        {"kind": "count", "of": [BOAT], "max": 3},
        {"kind": "limit", "cost": PTS, "max": 500},
    )
    found = fill(Evaluation(a_list(pack, "boat")), "pts", CpSat())
    assert found.outcome is Outcome.FOUND
    assert found.roster is not None
    after = Evaluation(found.roster)
    kinds = [branch.root.definition.name for branch in after.all_branches()]
    assert not after.breaches
    assert "Squad" not in kinds
    assert kinds.count("Boat") <= 3


def problems(*rules: dict[str, Any]) -> list[Problem]:
    return build_file_pack(pack_of(*rules), "pack")[1]


def test_every_mistake_of_a_pack_is_reported_with_its_place() -> None:
    found = problems(
        {"kind": "count", "of": [SQUAD], "min": 3, "max": 2},
        {"id": "r0", "kind": "by-hand"},
        {"kind": "spent", "cost": PTS, "of": [SQUAD, BOAT], "max": 2, "per_cent": True},
        {"kind": "limit", "cost": PTS, "max": 10},
        {"kind": "limit", "cost": PTS, "max": 20},
    )
    assert [one.pointer for one in found] == [
        "/rules/0/min", "/rules/1/id", "/rules/2/of", "/rules/4/cost",
    ]  # fmt: skip
    assert [one.pointer for one in problems({"kind": "count", "max": 2})] == ["/rules/0"]
    assert [one.pointer for one in problems({"kind": "dance"})] == ["/rules/0/kind"]
