"""Rules of packs never judge what a book doesn't say: sets of cards, heights, special rules."""

from dataclasses import replace
from itertools import combinations_with_replacement
from typing import Any

import pytest

from armybuilder.editing.unit_edits import new_document
from armybuilder.engine.citations import Origin
from armybuilder.loading.armylist import ListUnit
from armybuilder.loading.documents import judge_at, judge_by
from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import at_event, build_pack
from tests.building.documents import value_of
from tests.building.tiny import book_data, catalogue, document, system_data, take, unit
from tests.loading.test_packs import event_rule, pack_data
from tests.solving.agreement import verdicts_of_roster

#: Units by the set that their book names; of `open` it may be any.
SETS = {"first": "Set 1", "second": "Set 2", "open": ""}
GAME = catalogue(
    system_data(),
    book_data(*(unit(id, 5, **({"set": name} if name else {})) for id, name in SETS.items())),
)
SECOND = {"set": "set-2"}
RULES: dict[str, dict[str, Any]] = {
    "none": {"kind": "limit", "count": "models", "of": SECOND, "max": 0},
    "one or two": {"kind": "limit", "count": "models", "of": SECOND, "min": 1, "max": 2},
    "only": {"kind": "limit", "count": "picks", "of": {"not": SECOND}, "max": 0},
    "sum": {"kind": "weighted", "counts": [{"of": SECOND, "each": 2}, {"of": {}}], "max": 4},
    "some": {"kind": "some-of", "least": 1, "among": [
        {"name": "a", "counts": [{"of": SECOND}], "max": 0},
        {"name": "b", "counts": [{"of": {"set": "set-1"}}], "min": 1}]},
    "copies": {"kind": "copies", "of": SECOND, "max": 1},
    "each": {"kind": "each-unit", "count": "models", "of": {"not": SECOND}, "max": 1},
    "any": {"kind": "limit", "count": "models", "of": {"any": [SECOND, {"unit": "book/first"}]},
            "max": 2},
}  # fmt: skip


def told(name: str, units: tuple[str, ...], sets: dict[str, str]) -> tuple[bool, bool]:
    """Whether a list breaks a rule, and whether some of it isn't checked, with these sets."""
    books = [unit(id, 5, **({"set": one} if one else {})) for id, one in sets.items()]
    game = catalogue(system_data(), book_data(*books))
    data = event_rule(**RULES[name])
    pack, problems = build_pack(pack_data(data), {"tiny": game.system}, "cup.json")
    assert pack is not None, problems
    taken = [take(f"book/{id}", models=units.count(id)) for id in dict.fromkeys(units)]
    report = judge_at(value_of(document(*taken)), game, pack).report.event
    errors = [one for one in report.findings if one.origin is Origin.EVENT]
    both = verdicts_of_roster(report.full.roster, at_event(game, pack))
    assert both.judged == both.constrained
    assert all(one.unit.lower() == "open" for one in report.unchecked)
    return bool(errors), bool(report.unchecked)


@pytest.mark.parametrize("name", RULES)
def test_an_answer_is_given_only_where_every_set_gives_it(name: str) -> None:
    seen = set()
    for units in combinations_with_replacement(SETS, 3):
        broken, is_open = told(name, units, SETS)
        seen.add((broken, is_open))
        answers = {told(name, units, SETS | {"open": one})[0] for one in ("Set 1", "Set 2", "X")}
        assert answers == {True} or not broken
        assert answers == {broken} or is_open
        assert "open" in units or not is_open
    assert seen >= {(True, False), (False, True)}


def test_scores_teams_and_other_kinds_of_rules_name_no_sets() -> None:
    own = {"classes": [{"id": "old", "name": "Old", "of": [SECOND]}]}
    counts = [{"of": {"class": "old"}}]
    score = {"id": "s", "name": "S", "cite": "1", "points": 1, "counts": counts}
    total = {"id": "t", "kind": "sum", "summary": "T", "cite": "1", "max": 1}
    team = {"lists": 2, "rules": [{**total, "counts": [{"of": SECOND}]}]}
    pair = event_rule("clash", between=[SECOND, {"unit": "book/first"}])
    for data in (pack_data(**own, scores=[score]), pack_data(team=team), pack_data(pair)):
        assert len(build_pack(data, {"tiny": GAME.system}, "cup.json")[1]) == 1


@pytest.mark.parametrize("asked", [{"height": "gigantic"}, {"keyword": "towering-presence"}])
def test_a_unit_of_unknown_height_or_rules_is_not_judged_by_them(asked: dict[str, str]) -> None:
    library = shipped_library()
    game = library.catalogue("t9a-3rd", [next(iter(library.books["t9a-3rd"]))])
    ref = next(ref for ref, one in game.units.items() if one.sparse and one.counts)
    pack, problems = build_pack(
        pack_data(event_rule("limit", count="picks", of=asked, max=0), system="t9a-3rd"),
        library.systems,
        "cup.json",
    )
    assert pack is not None, problems
    army = replace(new_document(game, "Cup", 1000), units=(ListUnit("u1", 1, ref),))
    game_alone, event = (judge_by(army, one).report for one in (game, at_event(game, pack)))
    told = [one for one in event.unchecked if one not in game_alone.unchecked]
    assert [(one.units, one.why) for one in told] == [(("u1",), "stat-line")]
