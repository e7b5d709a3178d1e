"""Prices: of models, of roles, of options and by the formula of Song of Blades and Heroes."""

from typing import Any

import pytest

from armybuilder.engine.prices import Formula, Price
from armybuilder.loading.library import shipped_library
from tests.building.tiny import codes, game, judge, only, rule, take, unit


def test_the_shipped_formula_gives_the_points_of_the_cost_chart() -> None:
    for quality, combat, specials, points in [
        (5, 2, 0, 10),
        (4, 3, 0, 23),
        (3, 3, 7, 44),
        (2, 2, 15, 63),
        (4, 3, -5, 15),
        (5, 1, -5, 1),
        (5, 1, -2, 3),
        (3, 0, 0, 1),
        (6, 0, 0, 1),
        (2, 6, 45, 188),
        (7, 6, 0, 1),
    ]:
        formula = shipped_library().system("sbh").formula
        assert formula is not None, (quality, combat, specials)
        assert formula.points({"quality": quality, "combat": combat}, specials) == points, (
            quality,
            combat,
            specials,
        )


def test_a_formula_weighs_several_statistics_and_never_goes_below_its_minimum() -> None:
    formula = Formula({"might": 2, "wit": 3}, "slowness", 10, 4, 5)
    assert formula.points({"might": 3, "wit": 4, "slowness": 3}, 1) == 34  # 19 * 7 / 4 = 33.25
    assert formula.points({"might": 0, "wit": 0, "slowness": 3}, -9) == 5


def test_rounding_is_per_model_before_the_number_of_models() -> None:
    catalogue = shipped_library().catalogue("sbh", [])
    profile = {"name": "Ann", "stats": {"quality": 4, "combat": 3}, "abilities": []}
    report = judge(catalogue, {"profile": profile, "models": 2})
    assert report.spent == 46, "twice 22.5 rounded up to 23"


def test_a_price_of_a_first_size_grows_with_each_more() -> None:
    price = Price(100, 10, 7)
    assert [price.of(models) for models in (1, 10, 11, 25)] == [100, 100, 107, 205]
    assert [Price.each(8).of(models) for models in (1, 2, 5)] == [8, 16, 40]
    assert (Price.each(None).of(3), Price.each(0).of(3)) == (0, 0)


@pytest.mark.parametrize(("points", "paid"), [(4, 2), (5, 3), (1, 1), (0, 0)])
def test_a_role_pays_its_share_rounded_up(points: int, paid: int) -> None:
    catalogue = game(units=[unit("soldier", points)])
    report = judge(catalogue, take("soldier", 1, "reserve"))
    assert (report.lines["u1"].points, report.lines["u1"].each) == (paid, points)
    assert judge(catalogue, take("soldier", 1, "general")).spent == points


ARMED = unit(
    "hero",
    20,
    options=[
        {"id": "banner", "name": "Banner", "points": 10},
        {"id": "shields", "name": "Shields", "points_per_model": 2},
        {
            "id": "horse",
            "name": "Horse",
            "points": 5,
            "points_per_model": 1,
            "options": [
                {"id": "barding", "name": "Barding", "points": 3},
                {"id": "spikes", "name": "Spikes", "points_per_model": 4},
            ],
        },
    ],
)


def picked(option: str, *inner: Any) -> dict[str, Any]:
    return {"id": option, **({"options": list(inner)} if inner else {})}


def test_options_and_their_options_are_paid() -> None:
    for models, options, points in [
        (1, [], 20),
        (1, [picked("banner")], 30),
        (3, [picked("banner")], 70),
        (3, [picked("shields")], 66),
        (3, [picked("horse")], 68),
        (1, [picked("horse", picked("barding"))], 29),
        (3, [picked("horse", picked("barding"), picked("spikes"))], 60 + 8 + 3 + 12),
        (
            2,
            [picked("banner"), picked("shields"), picked("horse", picked("barding"))],
            40 + 10 + 4 + 10,
        ),
    ]:
        report = judge(game(units=[ARMED]), take("hero", models, options=options))
        assert (report.findings, report.spent) == ((), points), (models, options)


def test_an_option_the_unit_has_not_is_a_finding_and_costs_nothing() -> None:
    for options, name in [
        ([picked("wings")], "wings"),
        ([picked("barding")], "barding"),
        ([picked("horse", picked("banner"))], "banner"),
        ([picked("horse", picked("barding"), picked("bells"))], "bells"),
    ]:
        plain = judge(game(units=[ARMED]), take("hero"))
        report = judge(game(units=[ARMED]), take("hero", options=options))
        finding = only(report)
        assert (finding.code, finding.units, finding.values["name"]) == (
            "option.unknown",
            ("u1",),
            name,
        ), options
        assert report.spent - plain.spent in (0, 6, 9), "what is known of the tree still counts"


def test_what_hangs_on_an_unknown_option_hangs_with_it() -> None:
    report = judge(game(units=[ARMED]), take("hero", options=[picked("wings", picked("banner"))]))
    assert (codes(report), report.spent) == (["option.unknown"], 20)


def test_a_rule_can_count_options_and_names_who_took_them() -> None:
    limit = rule("limit", count="picks", of={"option": "barding"}, max=1)
    catalogue = game(limit, units=[ARMED])
    rider = take("hero", options=[picked("horse", picked("barding"))])
    assert judge(catalogue, rider, take("hero")).legal
    finding = only(judge(catalogue, rider, take("hero"), rider))
    assert (finding.measured, finding.allowed, finding.units) == (2, 1, ("u1", "u3"))


@pytest.mark.parametrize("count", ["points", "models", "picks"])
def test_options_are_not_counted_as_units_that_lack_something(count: str) -> None:
    limit = rule("limit", count=count, of={"not": {"ability": "big"}}, max=0)
    catalogue = game(limit, units=[ARMED])
    plain = only(judge(catalogue, take("hero", 2)))
    report = judge(catalogue, take("hero", 2, options=[picked("banner"), picked("shields")]))
    more = report.spent - 40 if count == "points" else 0
    assert only(report).measured == (plain.measured or 0) + more


def test_a_house_book_changes_prices_of_own_models_and_books_alike() -> None:
    library = shipped_library()
    profile = {
        "name": "Hill",
        "stats": {"quality": 3, "combat": 3},
        "abilities": [{"ability": "gargantuan"}],
    }
    plain = judge(library.catalogue("sbh", ["profiles"]), {"profile": profile, "models": 1})
    house = judge(
        library.catalogue("sbh", ["profiles", "gargantuan-nine"]), {"profile": profile, "models": 1}
    )
    assert (plain.spent, house.spent) == (36, 48)
    cheap, dear = (
        library.catalogue("sbh", books).units
        for books in (["profiles"], ["profiles", "gargantuan-nine"])
    )
    for ref, before in cheap.items():
        has = any(use.ability.id == "gargantuan" for use in before.abilities)
        assert (dear[ref].price != before.price) is has
