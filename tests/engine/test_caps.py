"""Kind "cap", and what a book says must be in the army."""

from typing import Any

import pytest

from armybuilder.engine.sentences import sentence
from armybuilder.engine.tally import Held
from tests.building.regiments import CAPS, army, field, of_code, option, taken, unit
from tests.building.tiny import codes, judge, only, rule

WOLVES = unit("wolves", 20, size=[5, 10], points_per_model=3, cap=3)


@pytest.mark.parametrize(("limit", "top"), [(50, 2), (51, 3), (199, 3), (200, 6)])
def test_a_cap_scales_with_the_game_size(limit: int, top: int) -> None:
    packs = [field("wolves", models=5)] * (top + 1)
    assert judge(army(WOLVES, rules=CAPS), *packs[:-1], limit=limit).legal
    finding = only(judge(army(WOLVES, rules=CAPS), *packs, limit=limit))
    assert (finding.code, finding.measured, finding.allowed) == ("tiny.cap", top + 1, top)
    assert finding.units == tuple(f"u{number}" for number in range(1, top + 2))
    assert (finding.values["name"], finding.citation) == ("Wolves", "Tiny 9, The Tiny Horde")


def test_without_a_scale_a_cap_is_the_same_in_every_game() -> None:
    catalogue = army(WOLVES, rules=[rule("cap", "tiny.cap")])
    for limit in (10, 100, 9000):
        assert only(judge(catalogue, *[field("wolves", models=5)] * 4, limit=limit)).allowed == 3


def test_models_and_points_have_caps_of_their_own() -> None:
    catalogue = army(
        unit("wolves", 20, size=[5, 10], points_per_model=3, cap_models=12),
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap_points=20)),
        rules=CAPS,
    )
    assert judge(catalogue, field("wolves", models=6), field("wolves", models=6)).legal
    finding = only(judge(catalogue, field("wolves", models=6), field("wolves", models=7)))
    assert (finding.measured, finding.allowed, finding.values["what"]) == (13, 12, "models")
    bombs = [field("smiths", taken("bomb", number=number)) for number in (2, 3, 2)]
    assert judge(catalogue, *bombs[:2]).legal
    finding = only(judge(catalogue, *bombs))
    assert (finding.measured, finding.allowed, finding.values["what"]) == (28, 20, "points")


def test_an_option_is_counted_over_the_whole_army_as_often_as_it_is_taken() -> None:
    catalogue = army(
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap=3)),
        unit("imps", 5, option("bomb", 2)),
        rules=CAPS,
    )
    entries = [field("smiths", taken("bomb", number=2)), field("smiths", "bomb")]
    assert judge(catalogue, *entries, field("imps", "bomb")).legal, "another unit's own bomb"
    finding = only(judge(catalogue, field("imps"), *entries, field("smiths", "bomb")))
    assert (finding.measured, finding.allowed, finding.units) == (4, 3, ("u2", "u3", "u4"))


def test_a_shared_option_has_one_cap_over_all_units_that_use_it() -> None:
    catalogue = army(
        unit("a", 10, {"use": "relic"}),
        unit("b", 10, {"use": "relic", "points": 2}),
        rules=CAPS,
        shared=[option("relic", 5, one_of_a_kind=True)],
    )
    assert judge(catalogue, field("a", "relic"), field("b")).legal
    finding = only(judge(catalogue, field("a", "relic"), field("b", "relic")))
    assert (finding.code, finding.measured, finding.allowed) == ("tiny.lone", 2, 1)
    assert finding.units == ("u1", "u2")


def test_a_unit_that_holds_a_capped_option_twice_has_its_models_once() -> None:
    crossed = [
        option("front", 0, {"use": "pike"}),
        option("back", 0, {"use": "pike"}),
    ]
    catalogue = army(
        unit("phalanx", 10, *crossed, size=[5, 20]),
        rules=CAPS,
        shared=[option("pike", 1, cap_models=10)],
    )
    entry = field("phalanx", taken("front", "pike"), taken("back", "pike"), models=8)
    report = judge(catalogue, entry)
    held: Held = report.full.held["option:pike"]
    assert (held.number, held.models, held.points) == (2, 8, 2)
    assert report.legal


@pytest.mark.parametrize(("lord", "top"), [(False, 1), (True, 3)])
def test_a_cap_moves_with_what_is_in_the_army(lord: bool, top: int) -> None:
    more = {"if": {"taken": "wolf-lord", "in": "army"}, "set": {"cap": 3}}
    catalogue = army({**WOLVES, "cap": 1, "when": [more]}, unit("wolf-lord", 30), rules=CAPS)
    entries = [field("wolf-lord")] * lord + [field("wolves", models=5)] * top
    assert judge(catalogue, *entries).legal
    assert only(judge(catalogue, *entries, field("wolves", models=5))).allowed == top


def test_one_of_a_kind_and_a_cap_are_different_rules() -> None:
    catalogue = army(unit("king", 10, one_of_a_kind=True, cap=1), rules=CAPS)
    report = judge(catalogue, field("king"), field("king"), limit=300)
    assert codes(report) == ["tiny.lone"], "the cap of one has doubled"
    assert codes(judge(catalogue, field("king"), field("king"))) == ["tiny.cap", "tiny.lone"]


def musts(*entries: Any, limit: int = 100) -> list[tuple[int | None, int | None, str]]:
    scribe = option("scribe", 2, army_min=2)
    king = {"if": {"limit": {"at_least": 200}}, "set": {"army_min": 2}}
    catalogue = army(
        unit("king", 20, army_min=1, when=[king]), unit("clerks", 5, scribe), rules=CAPS
    )
    report = judge(catalogue, *entries, limit=limit)
    return [
        (found.measured, found.allowed, found.citation) for found in of_code(report, "cap.under")
    ]


def test_what_a_book_asks_for_must_be_in_the_army_so_often() -> None:
    clerks = field("clerks", "scribe")
    assert musts(field("king"), clerks, clerks) == []
    assert musts(clerks) == [(0, 1, "The Tiny Horde"), (1, 2, "The Tiny Horde")]
    assert musts(field("king"), clerks, clerks, limit=200) == [(1, 2, "The Tiny Horde")]


SAID = [
    {"share": "1/2", "at_most": 50, "name": "halved in a raid"},
    {"share": "2/1", "at_least": 200, "name": "doubled in a siege"},
]
TOLD = rule("cap", "cap.over", id="caps", cite="9", scale=SAID, size_cite="9.C")


@pytest.mark.parametrize(
    ("limit", "packs", "said", "cited"),
    [
        (50, 3, "maximum 2 (0–3, halved in a raid).", "Tiny 9, 9.C, The Tiny Horde"),
        (100, 4, "maximum 3.", "Tiny 9, The Tiny Horde"),
        (200, 7, "maximum 6 (0–3, doubled in a siege).", "Tiny 9, 9.C, The Tiny Horde"),
    ],
)
def test_a_cap_that_the_game_size_changes_says_what_it_was_and_cites_why(
    limit: int, packs: int, said: str, cited: str
) -> None:
    catalogue = army(WOLVES, rules=[TOLD])
    finding = only(judge(catalogue, *[field("wolves", models=5)] * packs, limit=limit))
    assert sentence(finding) == f"Wolves: {packs} taken, {said}"
    assert finding.citation == cited


def test_a_cap_that_follows_the_game_size_by_itself_is_told_without_that() -> None:
    change = {"if": {"limit": {"at_most": 50}}, "set": {"cap": 1}}
    catalogue = army({**WOLVES, "when": [change]}, rules=[TOLD])
    finding = only(judge(catalogue, *[field("wolves", models=5)] * 2, limit=50))
    assert sentence(finding) == "Wolves: 2 taken, maximum 1."
    assert finding.citation == "Tiny 9, The Tiny Horde"
