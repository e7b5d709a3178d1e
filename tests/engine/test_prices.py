"""Prices: of models, of roles, of options and by the formula of Song of Blades and Heroes."""

import pytest

from armybuilder.engine.prices import Formula, Price
from armybuilder.loading.library import shipped_library
from tests.building.tiny import game, judge, only, rule, take, titled, unit
from tests.engine.tables import judged, verdict


@pytest.mark.parametrize(("quality", "combat", "specials", "points"), [
    (5, 2, 0, 10), (4, 3, 0, 23), (3, 3, 7, 44), (2, 2, 15, 63), (4, 3, -5, 15), (5, 1, -5, 1),
    (5, 1, -2, 3), (3, 0, 0, 1), (6, 0, 0, 1), (2, 6, 45, 188), (7, 6, 0, 1),
])  # fmt: skip
def test_the_shipped_formula_gives_the_points_of_the_cost_chart(
    quality: int, combat: int, specials: int, points: int
) -> None:
    formula = shipped_library().system("sbh").formula
    assert formula is not None
    assert formula.points({"quality": quality, "combat": combat}, specials) == points


def test_prices_follow_formula_roles_and_sizes() -> None:
    # A formula weighs several statistics and never goes below its minimum.
    formula = Formula({"might": 2, "wit": 3}, "slowness", 10, 4, 5)
    assert formula.points({"might": 3, "wit": 4, "slowness": 3}, 1) == 34  # 19 * 7 / 4 = 33.25
    assert formula.points({"might": 0, "wit": 0, "slowness": 3}, -9) == 5
    # Rounding is per model before the number of models.
    catalogue = shipped_library().catalogue("sbh", [])
    profile = {"name": "Ann", "stats": {"quality": 4, "combat": 3}, "abilities": []}
    report = judge(catalogue, {"profile": profile, "models": 2})
    assert report.spent == 46, "twice 22.5 rounded up to 23"
    # A price of a first size grows with each more.
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


HORSE = titled(
    "horse", points=5, points_per_model=1,
    options=[titled("barding", points=3), titled("spikes", points_per_model=4)],
)  # fmt: skip
ARMED = unit(
    "hero", 20, options=[titled("banner", points=10), titled("shields", points_per_model=2), HORSE]
)


@pytest.mark.parametrize(("text", "points"), [
    ("hero", 20), ("hero +banner", 30), ("hero 3 +banner", 90), ("hero 3 +shields", 66),
    ("hero 3 +horse", 78), ("hero +horse(barding)", 29),
    ("hero 3 +horse(barding+spikes)", 60 + 18 + 9 + 12),
    ("hero 2 +banner +shields +horse(barding)", 40 + 20 + 4 + 18),
])  # fmt: skip
def test_options_and_their_options_are_paid_on_each_model(text: str, points: int) -> None:
    report = judged(game(units=[ARMED]), text)
    assert (report.findings, report.spent) == ((), points)


@pytest.mark.parametrize(("text", "name", "points"), [
    ("hero +wings", "wings", 0), ("hero +barding", "barding", 0),
    # what is known of the tree still counts
    ("hero +horse(banner)", "banner", 6), ("hero +horse(barding+bells)", "bells", 9),
    # what hangs on an unknown option hangs with it
    ("hero +wings(banner)", "wings", 0),
])  # fmt: skip
def test_an_option_the_unit_has_not_is_a_finding_and_costs_nothing(
    text: str, name: str, points: int
) -> None:
    report = judged(game(units=[ARMED]), text)
    assert (verdict(report), only(report).values["name"]) == ("option.unknown u1", name)
    assert report.spent == 20 + points


def test_a_rule_can_count_options_and_names_who_took_them() -> None:
    catalogue = game(rule("limit", count="picks", of={"option": "barding"}, max=1), units=[ARMED])
    assert judged(catalogue, "hero +horse(barding), hero").legal
    told = verdict(judged(catalogue, "hero +horse(barding), hero, hero +horse(barding)"))
    assert told == "2/1 u1 u3"


@pytest.mark.parametrize("count", ["points", "models", "picks"])
def test_options_are_not_counted_as_units_that_lack_something(count: str) -> None:
    limit = rule("limit", count=count, of={"not": {"ability": "big"}}, max=0)
    catalogue = game(limit, units=[ARMED])
    plain = only(judged(catalogue, "hero 2"))
    report = judged(catalogue, "hero 2 +banner +shields")
    more = report.spent - 40 if count == "points" else 0
    assert only(report).measured == (plain.measured or 0) + more


def test_a_house_book_changes_prices_of_own_models_and_books_alike() -> None:
    abilities = [{"ability": "gargantuan"}]
    profile = {"name": "Hill", "stats": {"quality": 3, "combat": 3}, "abilities": abilities}
    plain, house = (
        shipped_library().catalogue("sbh", ["profiles", *more])
        for more in ([], ["gargantuan-nine"])
    )
    own = {"profile": profile, "models": 1}
    assert (judge(plain, own).spent, judge(house, own).spent) == (36, 48)
    for ref, before in plain.units.items():
        has = any(use.ability.id == "gargantuan" for use in before.abilities)
        assert (house.units[ref].price != before.price) is has
