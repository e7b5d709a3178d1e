"""A unit whose models count in a category beside those of the unit (The Ninth Age, 8.B.b.7)."""

import json
from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.loading.books import build_book
from armybuilder.loading.library import CATALOGUE_DIR, make_catalogue, shipped_library
from armybuilder.loading.schemas import schema_problems
from tests.building.regiments import army, field, group, option, taken, unit
from tests.building.tiny import Data, judge, only, rule, take

RULES = [
    rule("category", "category.over", under="category.under", cite="8.B"),
    rule("limit", "tiny.core", id="core", count="units", of={"category": "core"}, min=1, cite="9"),
]
CATEGORIES = [
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special", "max": "60%", "max_units": 1},
]
GUARDS = unit(
    "guards",
    100,
    option("mentor", 30, number=[0, 3]),
    option("sage", 15, categories=["core"]),
    group("band", option("chief", 10), {"use": "flag"}, categories=["core"]),
    {"use": "spear", "points_per_model": 2, "categories": ["core"]},
    {"use": "paint", "categories": ["core"]},
    size=[10, 25],
    points_per_model=8,
    categories=["special"],
    models_in=["core"],
)
SHARED = (
    option("spear"),
    option("flag", 10, option("ribbon", 25)),
    group("paint", option("red", 3), group("dark", option("black", 4))),
)


def court(*entries: Data, limit: int = 1000, **more: Any) -> Report:
    made = army(
        {**GUARDS, **more},
        unit("militia", 50, {"use": "spear"}, categories=["core"]),
        rules=RULES,
        shared=SHARED,
        categories=CATEGORIES,
    )
    return judge(made, *entries, limit=limit)


def used(report: Report) -> dict[str, int]:
    return {gauge.name: gauge.used for gauge in report.gauges if gauge.head.id.count("points")}


@pytest.mark.parametrize(
    ("options", "models", "core", "whole"),
    [
        ([], 10, 100, 100),
        ([], 12, 116, 116),
        ([taken("mentor", number=2)], 10, 100, 160),
        (["sage"], 10, 115, 115),
        (["chief"], 10, 110, 110),
        ([taken("flag", "ribbon")], 10, 135, 135),
        (["spear"], 12, 140, 140),
        (["red", "black", "mentor"], 10, 107, 137),
    ],
)
def test_its_models_and_what_is_marked_so_count_there_too(
    options: list[Any], models: int, core: int, whole: int
) -> None:
    report = court(field("guards", *options, models=models), field("militia"))
    assert used(report) == {"Core": core + 50, "Special": whole}
    assert report.spent == whole + 50


def test_the_parts_of_a_sum_show_what_each_unit_adds() -> None:
    report = court(field("guards", "mentor", "chief", models=11), field("militia", "spear"))
    gauges = [gauge for gauge in report.gauges if gauge.head.id.count("points")]
    parts = {gauge.name: [part.amount for part in gauge.parts] for gauge in gauges}
    assert parts == {"Core": [118, 50], "Special": [148]}
    assert report.spent == 198
    short = only(report)
    assert (short.measured, short.allowed, short.units) == (168, 250, ("u1", "u2"))


def test_it_is_no_unit_of_the_category_of_its_models() -> None:
    report = court(field("guards", models=25), limit=100)
    assert [finding.code for finding in report.findings] == ["category.over", "tiny.core"]
    counted = [gauge for gauge in report.gauges if gauge.head.id == "category-special-picks-max"]
    assert [gauge.used for gauge in counted] == [1]


def test_a_unit_that_is_of_the_category_itself_counts_there_once() -> None:
    report = court(field("guards", "mentor", "spear", models=10), categories=["core"])
    assert used(report)["Core"] == report.spent == 150


def test_a_category_may_be_reached_with_such_models() -> None:
    assert court(field("guards", models=25), field("militia"), limit=1000).legal
    short = only(court(field("guards", "mentor", models=22), field("militia"), limit=1000))
    assert (short.code, short.measured, short.allowed) == ("category.under", 246, 250)


#: What the book of the Saurian Ancients has to say of the unit, as its file has it.
TEGUS: Data = {
    "models_in": ["core"],
    "in core": ["enclave-wizard-50-50", "banner-enchantment", "command-group", "spear"],
}


def saurians() -> Any:
    """The shipped book with the unit's split price, whether or not it has it by itself."""
    file = CATALOGUE_DIR / "t9a-2023" / "saurian-ancients.json"
    book = json.loads(file.read_text(encoding="utf-8"))
    tegus = next(one for one in book["units"] if one["id"] == "tegu-warriors-with-caiman-mentors")
    tegus["models_in"] = TEGUS["models_in"]
    for node in tegus["options"]:
        if {node.get(key) for key in ("id", "group", "use")} & set(TEGUS["in core"]):
            node["categories"] = ["core"]
    assert schema_problems("book", book, "book") == []
    system = shipped_library().system("t9a-2023").apart()
    built, problems = build_book(book, system, "book")
    assert built is not None, problems
    return make_catalogue(system, [built])


def test_tegu_warriors_with_mentors_count_in_core_without_their_mentors() -> None:
    options: list[Data] = [
        {"id": "caiman-mentors-caiman-elders", "number": 2},
        *({"id": one} for one in ("champion", "standard-bearer", "flaming-standard", "spear")),
        {"id": "enclave-wizard-50-50"},
    ]
    unit_id = "saurian-ancients/tegu-warriors-with-caiman-mentors"
    report = judge(saurians(), take(unit_id, 25, options=options), limit=4500)
    models, command, wizard, spears, mentors = 210 + 10 * 14, 10 + 10, 35, 2 * 25, 2 * 95
    (banner,) = [each.points for each in report.full.lines[0].loadout.taken if each.option.item]
    assert banner > 0
    shown = {gauge.name: gauge.used for gauge in report.gauges}
    assert shown["Core"] == models + command + wizard + spears + banner
    assert shown["Special"] == report.spent == shown["Core"] + mentors
