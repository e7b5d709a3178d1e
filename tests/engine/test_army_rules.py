"""Kinds that speak of an army: category, units, eligible, one-book; and the points that count."""

from typing import Any

import pytest

from armybuilder.engine import Report, Severity, choices
from armybuilder.engine.sentences import sentence
from armybuilder.engine.terms import Gauge
from tests.building.regiments import army, field, group, of_code, option, taken, unit
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    codes,
    document,
    judge,
    only,
    roster,
    rule,
    system_data,
)

CATEGORIES = rule("category", "category.over", under="category.under", cite="8.B")
SHARES: list[Data] = [
    {"id": "lords", "name": "Lords", "max": "40%"},
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special"},
    {"id": "terror", "name": "Terror", "max": "20%", "max_units": 2},
]
UNITS = (
    unit(
        "lord",
        250,
        option("dragon", 500, categories=["terror"]),
        option("sword", 30),
        categories=["lords"],
    ),
    unit("spears", 100, option("bows", 50), categories=["core"], size=[10, 30], points_per_model=5),
    unit("wolves", 80, categories=["special", "terror"]),
    unit("imps", 10, categories=["terror"]),
)


def shares(*entries: Data, limit: int = 1000, units: Any = UNITS, **book: Any) -> Report:
    made = army(*units, rules=[CATEGORIES], categories=book.pop("categories", SHARES), **book)
    return judge(made, *entries, limit=limit)


def used(report: Report) -> dict[str, int]:
    """Points that count in each category, as the page draws them."""
    return {gauge.name: gauge.used for gauge in report.gauges if gauge.head.id.count("points")}


def test_a_category_keeps_to_its_share_of_the_game_size_not_of_the_points_spent() -> None:
    assert shares(field("spears", models=40), limit=1000).legal
    spears = field("spears", models=39)
    assert shares(spears, limit=980).legal
    finding = only(shares(spears, limit=981))
    assert (finding.code, finding.measured, finding.allowed) == ("category.under", 245, 246)
    assert (finding.units, finding.values["what"]) == (("u1",), "Core")
    assert finding.citation == "Tiny 8.B and The Tiny Horde"


def test_too_much_of_a_category_names_every_unit_in_it() -> None:
    entries = [field("lord"), field("spears", models=40), field("lord", "sword")]
    finding = only(shares(*entries, limit=1000))
    assert (finding.code, finding.measured, finding.allowed) == ("category.over", 530, 400)
    assert finding.units == ("u1", "u3")
    assert sentence(finding) == "Lords: 530 points, 130 over the limit of 400."


@pytest.mark.parametrize("limit", [1001, 1999, 333])
def test_shares_are_rounded_so_that_nothing_slips_through(limit: int) -> None:
    gauges = {gauge.name: gauge for gauge in shares(limit=limit).gauges}
    top, low = gauges["Lords"].maximum, gauges["Core"].minimum
    assert top is not None
    assert low is not None
    assert top * 100 <= 40 * limit < (top + 1) * 100
    assert (low - 1) * 100 < 25 * limit <= low * 100


def test_a_unit_in_several_categories_counts_whole_in_each_and_once_in_the_army() -> None:
    report = shares(field("wolves"))
    assert used(report) == {"Lords": 0, "Core": 0, "Special": 80, "Terror": 80}
    assert report.spent == 80


def test_a_mount_with_a_category_counts_there_with_its_own_price() -> None:
    """8.B.b.7: a character of 250 on a dragon of 500 is 750 Characters and 500 of the dragon's."""
    report = shares(field("lord", "dragon", "sword"), limit=1000)
    assert used(report) == {"Lords": 780, "Core": 0, "Special": 0, "Terror": 500}
    assert report.spent == 780
    over = of_code(report, "category.over")
    assert [(found.values["what"], found.units) for found in over] == [
        ("Lords", ("u1",)),
        ("Terror", ("u1",)),
    ]


def test_what_is_taken_on_a_mount_counts_with_it() -> None:
    barded = option("griffon", 100, option("barding", 20), categories=["terror"])
    units = [unit("lord", 50, barded, categories=["lords"])]
    assert used(shares(field("lord", taken("griffon", "barding")), units=units))["Terror"] == 120


def test_a_mount_of_the_category_of_its_rider_counts_once() -> None:
    units = [unit("lord", 50, option("throne", 30, categories=["lords"]), categories=["lords"])]
    assert used(shares(field("lord", "throne"), units=units))["Lords"] == 80


def test_an_option_may_bring_the_whole_unit_into_a_category_or_out_of_one() -> None:
    when = [
        {"if": {"taken": "bows"}, "add_category": "special"},
        {"if": {"taken": "traitors"}, "remove_category": "core"},
    ]
    spears = unit(
        "spears", 100, option("bows", 50), option("traitors", 1), categories=["core"], when=when
    )
    assert used(shares(field("spears", "bows"), units=[spears])) == {
        "Lords": 0, "Core": 150, "Special": 150, "Terror": 0,
    }  # fmt: skip
    assert used(shares(field("spears", "traitors"), units=[spears]))["Core"] == 0


def test_a_category_may_bound_units_and_mounts_in_number() -> None:
    assert shares(field("spears", models=40), field("imps"), field("imps")).legal
    three = [field("spears", models=40), field("lord", "dragon"), field("imps"), field("wolves")]
    findings = of_code(shares(*three, limit=9000, units=UNITS), "category.over")
    assert [(found.measured, found.allowed) for found in findings] == [(3, 2)]
    assert findings[0].units == ("u2", "u3", "u4")
    assert sentence(findings[0]) == "Terror: 3 taken, maximum 2."


def test_a_category_with_two_bounds_names_itself_in_both_findings() -> None:
    both = [{"id": "core", "name": "Core", "min": "20%", "max": "30%", "min_units": 2}]
    units = [unit("spears", 100, categories=["core"]), unit("rest", 10)]
    report = shares(field("spears"), categories=both, units=units, limit=1000)
    assert [sentence(found) for found in report.findings] == [
        "Core: 100 points, spend at least 200 (100 to go).",
        "Core: 1 taken, minimum 2.",
    ]
    report = shares(*[field("spears")] * 4, categories=both, units=units, limit=1000)
    assert sentence(only(report)) == "Core: 400 points, 100 over the limit of 300."


def test_a_category_bounded_under_a_condition_is_free_without_it() -> None:
    limited = {"if": {"organisation": "horde"}, "set": {"max": 10}}
    ways = [{"id": "host", "name": "Host"}, {"id": "horde", "name": "Horde"}]
    categories = [{"id": "core", "name": "Core", "when": [limited]}]
    units = (unit("mob", 300, categories=["core"]),)
    free = shares(field("mob"), units=units, categories=categories, organisations=ways)
    assert of_code(free, "category.over") == []
    assert [gauge.maximum for gauge in free.gauges if gauge.name == "Core"] == [None]


def test_a_category_without_bounds_is_drawn_and_never_broken() -> None:
    report = shares(field("wolves"), field("spears", models=40))
    special: Gauge = next(gauge for gauge in report.gauges if gauge.name == "Special")
    assert (special.used, special.minimum, special.maximum, special.ok) == (80, None, None, True)


ORGANISED: list[Data] = [
    {
        "id": "core",
        "name": "Core",
        "min": "25%",
        "when": [
            {"if": {"organisation": "raid"}, "set": {"min": 10}},
            {"if": {"taken": "chief", "in": "army"}, "add": {"min": -5}},
        ],
    },
    {
        "id": "guns",
        "name": "Guns",
        "max": "15%",
        "when": [{"if": {"organisation": "raid"}, "set": {"max": 0}}],
    },
]


def organised(*entries: Data, **settings: Any) -> list[tuple[str, int | None]]:
    made = army(
        unit("spears", 100, categories=["core"]),
        unit("cannon", 50, categories=["guns"]),
        unit("chief", 10),
        rules=[CATEGORIES],
        categories=ORGANISED,
        organisations=[{"id": "host", "name": "Great Host"}, {"id": "raid", "name": "Raid"}],
    )
    report = judge(made, *entries, limit=1000, **settings)
    return [(found.code, found.allowed) for found in report.findings]


def test_an_organisation_moves_the_shares_and_the_first_is_the_default() -> None:
    entries = [field("spears"), field("cannon")]
    assert organised(*entries) == [("category.under", 250)]
    assert organised(*entries, organisation="host") == [("category.under", 250)]
    assert organised(*entries, organisation="raid") == [("category.over", 0)]


def test_a_share_may_move_with_what_is_in_the_army() -> None:
    assert organised(field("spears"), field("chief")) == [("category.under", 200)]


def test_an_organisation_that_the_book_does_not_have_is_told_and_the_default_counts() -> None:
    assert organised(field("spears"), organisation="siege") == [
        ("setting.unknown", None),
        ("category.under", 250),
    ]


NUMBER = rule(
    "units",
    "units.too-few",
    cite="8.B.c.3",
    of={"not": {"category": "lords"}},
    as_one={"keyword": "war-machine"},
    disputed={"keyword": "war-platform"},
    unclear={"gap": "rules"},
    min={"number": 3, "when": [{"if": {"limit": {"at_most": 50}}, "set": {"number": 2}}]},
    gauge="Units",
    size_cite="8.C",
)


@pytest.mark.parametrize(("limit", "cited"), [(50, "Tiny 8.B.c.3, 8.C"), (51, "Tiny 8.B.c.3")])
def test_a_number_of_units_of_a_small_game_cites_where_that_stands(limit: int, cited: str) -> None:
    (finding,) = number_of_units("spears", limit=limit).findings
    assert finding.citation == cited


def number_of_units(*entries: str, limit: int = 100) -> Report:
    made = army(
        unit("lord", 9, categories=["lords"], keywords=["Scoring"]),
        unit("spears", 9, keywords=["Scoring"], size=[1, 9]),
        unit("catapult", 9, keywords=["War Machine"]),
        unit("ballista", 9, keywords=["War Machine"]),
        unit("altar", 9, keywords=["War Platform"]),
        rules=[NUMBER],
        categories=[{"id": "lords", "name": "Lords"}],
    )
    return judge(made, *[field(entry) for entry in entries], limit=limit)


def test_characters_do_not_count_and_war_machines_count_once() -> None:
    for entries, measured in [
        (["spears", "spears", "spears"], None),
        (["spears", "spears"], 2),
        (["spears", "spears", "lord", "lord"], 2),
        (["spears", "spears", "catapult"], None),
        (["spears", "catapult", "ballista", "catapult"], 2),
        (["catapult"], 1),
        ([], 0),
    ]:
        report = number_of_units(*entries)
        if measured is None:
            assert report.findings == (), entries
            continue
        finding = only(report)
        counted = [f"u{at}" for at, entry in enumerate(entries, 1) if entry != "lord"]
        assert (finding.code, finding.severity) == ("units.too-few", Severity.ERROR), entries
        assert (finding.measured, finding.allowed) == (measured, 3), entries
        assert finding.units == tuple(counted), entries


def test_fewer_units_do_in_a_small_game() -> None:
    assert number_of_units("spears", "spears", limit=50).legal
    assert only(number_of_units("spears", limit=50)).allowed == 2


def test_where_a_disputed_unit_would_decide_it_is_a_warning_that_names_it() -> None:
    report = number_of_units("spears", "altar", "spears")
    finding = only(report)
    assert (finding.severity, finding.units, report.legal) == (Severity.WARNING, ("u2",), True)
    assert (finding.measured, finding.allowed) == (2, 3)
    assert "Altar" in sentence(finding)
    finding = only(number_of_units("spears", "altar"))
    assert finding.severity is Severity.ERROR, "counting it would not be enough"
    assert number_of_units("spears", "spears", "spears", "altar").findings == ()


def sparse_army(*entries: str) -> Report:
    made = army(
        unit("spears", 9, size=[1, 9]),
        unit("engine", 9, sparse=True),
        unit("chariot", 9, sparse=True),
        unit("riders", 9, size=[1, 5], sparse=True),
        unit("catapult", 9, keywords=["War Machine"]),
        rules=[NUMBER],
        categories=[{"id": "lords", "name": "Lords"}],
    )
    return judge(made, *[field(entry) for entry in entries])


def test_single_models_that_might_be_war_machines_are_not_checked_where_they_decide() -> None:
    for entries, unclear in [
        (["spears", "engine", "chariot"], ["u2", "u3"]),
        (["spears", "engine", "catapult"], ["u2"]),
        (["spears", "spears", "engine"], None),
        (["spears", "spears", "engine", "chariot"], None),
        (["spears", "riders", "riders"], None),
    ]:
        report = sparse_army(*entries)
        assert report.legal, entries
        assert report.findings == (), entries
        assert [list(one.units) for one in report.unchecked] == ([unclear] if unclear else []), (
            entries
        )
        assert report.complete is (unclear is None), entries


def test_the_gauge_of_units_shows_each_unit_that_counts() -> None:
    report = number_of_units("spears", "lord", "catapult", "ballista", "altar")
    gauge = report.gauges[0]
    assert (gauge.name, gauge.used, gauge.minimum, gauge.maximum) == ("Units", 2, 3, None)
    assert [part.label for part in gauge.parts] == ["Spears", "Catapult", "Ballista"]


GENERAL = rule(
    "eligible",
    "general.not-eligible",
    cite="8.B.c.4",
    role="general",
    needs={"all": [{"can": "lead"}, {"not": {"keyword": "not-a-leader"}}]},
)


def test_a_general_is_a_character_able_to_lead() -> None:
    for entry, eligible in [
        (field("king"), True),
        (field("king", "banner"), False),
        (field("prince"), False),
        (field("prince", "crown"), True),
        (field("prince", "crown", "banner"), False),
        (field("spears"), False),
    ]:
        banner = option("banner", 5, keywords=["Not a Leader"])
        made = army(
            unit("king", 20, banner, can_lead=True),
            unit("prince", 10, banner, option("crown", 5), can_lead={"taken": "crown"}),
            unit("spears", 5, can_lead=False),
            rules=[GENERAL],
        )
        report = judge(made, field("king"), {**entry, "roles": ["general"], "name": "Bo"})
        if eligible:
            assert report.findings == (), entry
        else:
            finding = only(report)
            assert (finding.code, finding.units) == ("general.not-eligible", ("u2",)), entry
            assert (
                sentence(finding) == "Bo may not be the General: its entry does not let it lead."
            ), entry
        assert judge(made, entry).legal, "who has no role is not asked"


MUST_LEAD = rule("must-lead", "general.required", role="general", cite="8.B.c.4")
COURT = (
    unit("tyrant", 30, must_lead=True),
    unit("duke", 20, option("crown", 5, must_lead=True), {"use": "sceptre"}),
    unit(
        "warlock",
        20,
        option("mask", 5, must_lead={"taken": "horns"}),
        option("horns", 5),
        must_lead={"taken": "horns", "at_least": 2},
    ),
    unit("page", 5, must_lead=False),
)


def ruled(*entries: Data) -> Report:
    shared = [option("sceptre", 5, option("orb", 1, must_lead=True))]
    return judge(army(*COURT, rules=[MUST_LEAD], shared=shared), *entries)


LEADS: Data = {"roles": ["general"]}


def test_who_must_be_the_general_is_the_general() -> None:
    for entries, told in [
        ([field("tyrant", **LEADS), field("duke")], []),
        ([field("tyrant"), field("duke", **LEADS)], ["Tyrant must be the General."]),
        ([field("tyrant"), field("duke")], ["Tyrant must be the General."]),
        ([field("tyrant", **LEADS), field("tyrant")], ["Tyrant must be the General."]),
        ([field("duke", "crown", **LEADS), field("page")], []),
        ([field("duke", "crown")], ["Duke must be the General (because of Crown)."]),
        ([field("duke", "sceptre")], []),
        (
            [field("duke", "crown", taken("sceptre", "orb"))],
            ["Duke must be the General (because of Crown and Orb)."],
        ),
        ([field("warlock", "mask")], []),
        ([field("warlock", "mask", "horns")], ["Warlock must be the General (because of Mask)."]),
        ([field("warlock", "horns")], []),
        (
            [field("tyrant"), field("duke", "crown")],
            ["Tyrant must be the General.", "Duke must be the General (because of Crown)."],
        ),
    ]:
        report = ruled(*entries)
        assert [sentence(found) for found in report.findings] == told, entries
        for finding in report.findings:
            assert (finding.code, finding.citation) == (
                "general.required",
                "Tiny 8.B.c.4, The Tiny Horde",
            ), entries


def test_a_use_of_a_shared_option_may_be_for_the_general_alone() -> None:
    made = army(
        unit("duke", 20, {"use": "crown", "must_lead": True}),
        unit("page", 5, {"use": "crown"}),
        rules=[MUST_LEAD],
        shared=[option("crown", 5)],
    )
    report = judge(made, field("page", "crown"), field("duke", "crown"))
    assert only(report).units == ("u2",)


def test_what_must_lead_may_ask_about_the_army() -> None:
    king = unit("king", 20, must_lead={"taken": "queen", "in": "army"})
    made = army(king, unit("queen", 20), rules=[MUST_LEAD])
    assert judge(made, field("king")).legal
    assert only(judge(made, field("queen"), field("king"))).units == ("u2",)
    listed = roster(document(field("king")), made)
    (queen,) = choices(listed, made, [made.units["book/queen"]])
    assert [(found.code, found.units) for found in queen.breaks] == [("general.required", ("u1",))]


def test_an_army_of_two_books_breaks_the_rule_of_one_book() -> None:
    system = system_data(rule("one-book", "book.too-many", cite="8.A"), sized=True)
    first = book_data(unit("imp", 5), name="Imps")
    second = book_data(unit("elf", 5), id="woods", name="Woods")
    made = catalogue(system, first, second)
    assert judge(made, field("imp"), field("imp")).legal
    finding = only(judge(made, field("imp"), {"unit": "woods/elf", "models": 1}))
    assert (finding.measured, finding.allowed, finding.units) == (2, 1, ("u1", "u2"))
    assert sentence(finding) == "The army uses 2 Army Books (Imps and Woods); only one is allowed."


def test_two_books_of_one_name_are_two_books() -> None:
    system = system_data(rule("one-book", "book.too-many"), sized=True)
    made = catalogue(system, book_data(unit("imp", 5)), book_data(unit("elf", 5), id="woods"))
    assert codes(judge(made, field("imp"), {"unit": "woods/elf", "models": 1})) == ["book.too-many"]


ROLE: Data = {
    "id": "general", "name": "General", "act": "Make General", "end": "Dismiss",
    "summary": "Leads.", "cite": "5", "alone": True,
}  # fmt: skip
LIMITS = (
    rule("limit", "general.missing", id="a", count="picks", of={"role": "general"}, min=1),
    rule("limit", "general.too-many", id="b", count="picks", of={"role": "general"}, max=1),
    rule("limit", "points.under", id="c", count="points", min={"limit_less": 40}),
)


def test_a_role_for_one_is_missing_with_none_and_too_many_with_two() -> None:
    made = army(unit("king", 60), rules=LIMITS, roles=[ROLE])
    assert made.system.roles["general"].alone
    king, general = field("king"), field("king", roles=["general"])
    assert codes(judge(made, king)) == ["general.missing"]
    assert judge(made, king, general).legal
    finding = only(judge(made, general, king, general))
    assert (finding.code, finding.measured, finding.units) == ("general.too-many", 2, ("u1", "u3"))


@pytest.mark.parametrize(("limit", "allowed"), [(100, None), (101, 61), (30, None)])
def test_a_bound_may_be_so_much_less_than_the_game_size(limit: int, allowed: int | None) -> None:
    made = army(unit("king", 60), rules=LIMITS, roles=[ROLE])
    report = judge(made, field("king", roles=["general"]), limit=limit)
    assert [found.allowed for found in report.findings] == ([allowed] if allowed else [])


def test_groups_of_a_unit_are_no_groups_of_the_book() -> None:
    """`group` is a heading in a book of single models; categories are headings of an army."""
    made = army(
        unit("spears", 5, group("arms", option("bow")), categories=["core"]),
        unit("odd", 5),
        rules=[CATEGORIES],
        categories=[{"id": "core", "name": "Core Units"}],
    )
    assert [one.group for one in made.units.values()] == ["Core Units", ""]


def test_an_option_inside_another_of_the_same_category_counts_once() -> None:
    saddle = option("saddle", 100, categories=["terror"])
    dragon = option("dragon", 500, saddle, categories=["terror"])
    rider = unit("rider", 10, dragon, categories=["core"])
    report = shares(field("rider", taken("dragon", "saddle")), units=(rider,), limit=5000)
    assert used(report)["Terror"] == 600
    gauge = next(gauge for gauge in report.gauges if gauge.name == "Terror")
    assert [part.amount for part in gauge.parts] == [600]


def test_a_choice_for_the_army_is_no_unit_of_its_category() -> None:
    oath = unit("oath", 0, categories=["core"], army_choice=True)
    core = rule(
        "limit", "core.missing", count="units", min=1,
        of={"all": [{"category": "core"}, {"not": {"choice": "army"}}]},
    )  # fmt: skip
    catalogue = army(oath, unit("mob", 5, categories=["core"]), rules=[core], categories=SHARES)
    assert of_code(judge(catalogue, field("oath")), "core.missing")
    assert not of_code(judge(catalogue, field("oath"), field("mob")), "core.missing")
