"""Kinds that speak of an army: category, units, eligible, one-book; and the points that count."""

from typing import Any

import pytest

from armybuilder.engine import Report, choices
from armybuilder.engine.terms import Gauge
from tests.building.regiments import army, group, of_code, option, unit
from tests.building.tiny import (
    Data,
    book_data,
    catalogue,
    document,
    only,
    roster,
    rule,
    system_data,
    titled,
)
from tests.engine.tables import judged, listed, said, verdict

CATEGORIES = rule("category", "category.over", under="category.under", cite="8.B")
SHARES: list[Data] = [
    {"id": "lords", "name": "Lords", "max": "40%"},
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special"},
    {"id": "terror", "name": "Terror", "max": "20%", "max_units": 2},
]
UNITS = (
    unit("lord", 250, option("dragon", 500, categories=["terror"]), option("sword", 30),
         categories=["lords"]),
    unit("spears", 100, option("bows", 50), categories=["core"], size=[10, 30], points_per_model=5),
    unit("wolves", 80, categories=["special", "terror"]),
    unit("imps", 10, categories=["terror"]),
)  # fmt: skip


def shares(text: str, units: Any = UNITS, **book: Any) -> Report:
    made = army(*units, rules=[CATEGORIES], **{"categories": SHARES, **book})
    return judged(made, text if "|" in text else f"{text} | limit=1000")


def used(report: Report) -> dict[str, int]:
    """Points that count in each category, as the page draws them."""
    return {gauge.name: gauge.used for gauge in report.gauges if gauge.head.id.count("points")}


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("spears 40", ""),
        ("spears 39 | limit=980", ""),
        ("spears 39 | limit=981", "category.under 245/246 u1"),
        ("lord, spears 40, lord +sword", "category.over 530/400 u1 u3"),
        ("spears 40, imps, imps", ""),
        ("spears 40, lord +dragon, imps, wolves | limit=9000",
         "category.under 250/2250 u1; category.over 3/2 u2 u3 u4"),
    ],
)  # fmt: skip
def test_a_category_keeps_to_its_share_of_the_game_size_and_to_its_number(
    text: str, told: str
) -> None:
    assert sorted(verdict(shares(text)).split("; ")) == sorted(told.split("; "))


@pytest.mark.parametrize("limit", [1001, 1999, 333])
def test_shares_are_rounded_so_that_nothing_slips_through(limit: int) -> None:
    gauges = {gauge.name: gauge for gauge in shares(f"| limit={limit}").gauges}
    top, low = gauges["Lords"].maximum, gauges["Core"].minimum
    assert top is not None
    assert low is not None
    assert top * 100 <= 40 * limit < (top + 1) * 100
    assert (low - 1) * 100 < 25 * limit <= low * 100


IN_AND_OUT = [
    {"if": {"taken": "bows"}, "add_category": "special"},
    {"if": {"taken": "traitors"}, "remove_category": "core"},
]
GRIFFON = option("griffon", 100, option("barding", 20), categories=["terror"])
DRAGON = option("dragon", 500, option("saddle", 100, categories=["terror"]), categories=["terror"])
RIDERS = (
    unit("rider", 50, GRIFFON, categories=["lords"]),
    unit("king", 50, option("throne", 30, categories=["lords"]), categories=["lords"]),
    unit("slayer", 10, DRAGON, categories=["core"]),
    unit("bows", 100, option("bows", 50), option("traitors", 1), categories=["core"],
         when=IN_AND_OUT),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "points", "spent"),
    [
        # a unit in several categories counts whole in each, and once in the army
        ("wolves", (0, 0, 80, 80), 80),
        # 8.B.b.7: a character of 250 on a dragon of 500 is 750 Characters and 500 of the dragon's
        ("lord +dragon +sword", (780, 0, 0, 500), 780),
        # what is taken on a mount counts with it
        ("rider +griffon(barding)", (170, 0, 0, 120), 170),
        # a mount of the category of its rider counts once, and so does an option inside another
        ("king +throne", (80, 0, 0, 0), 80),
        ("slayer +dragon(saddle)", (0, 610, 0, 600), 610),
        # an option may bring the whole unit into a category or out of one
        ("bows +bows", (0, 150, 150, 0), 150),
        ("bows +traitors", (0, 0, 0, 0), 101),
    ],
)
def test_points_count_in_the_categories_of_what_costs_them(
    text: str, points: tuple[int, ...], spent: int
) -> None:
    report = shares(text, units=[*UNITS, *RIDERS])
    names = ("Lords", "Core", "Special", "Terror")
    assert (used(report), report.spent) == (dict(zip(names, points, strict=True)), spent)


def test_findings_of_categories_name_them_and_their_places() -> None:
    # A category is named with its place.
    short = only(shares("spears 39 | limit=981"))
    assert (short.values["what"], short.citation) == ("Core", "Tiny 8.B and The Tiny Horde")
    assert said(shares("lord, spears 40, lord +sword")) == (
        "Lords: 530 points, 130 over the limit of 400."
    )
    three = shares("spears 40, lord +dragon, imps, wolves | limit=9000")
    assert "Terror: 3 taken, maximum 2." in said(three)
    # One unit may be too much of two categories.
    over = of_code(shares("lord +dragon +sword"), "category.over")
    assert [(found.values["what"], found.units) for found in over] == [
        ("Lords", ("u1",)), ("Terror", ("u1",)),
    ]  # fmt: skip
    # A category with two bounds names itself in both findings.
    both = [{"id": "core", "name": "Core", "min": "20%", "max": "30%", "min_units": 2}]
    units = [unit("spears", 100, categories=["core"]), unit("rest", 10)]
    assert said(shares("spears", categories=both, units=units)) == (
        "Core: 100 points, spend at least 200 (100 to go). Core: 1 taken, minimum 2."
    )
    four = shares("spears, spears, spears, spears", categories=both, units=units)
    assert said(four) == "Core: 400 points, 100 over the limit of 300."
    # A category bounded under a condition is free without it.
    limited = {"if": {"organisation": "horde"}, "set": {"max": 10}}
    ways = [{"id": "host", "name": "Host"}, {"id": "horde", "name": "Horde"}]
    categories = [{"id": "core", "name": "Core", "when": [limited]}]
    mob = [unit("mob", 300, categories=["core"])]
    free = shares("mob", units=mob, categories=categories, organisations=ways)
    assert of_code(free, "category.over") == []
    assert [gauge.maximum for gauge in free.gauges if gauge.name == "Core"] == [None]
    # A category without bounds is drawn and never broken.
    report = shares("wolves, spears 40")
    special: Gauge = next(gauge for gauge in report.gauges if gauge.name == "Special")
    assert (special.used, special.minimum, special.maximum, special.ok) == (80, None, None, True)


IN_A_RAID = {"organisation": "raid"}
ORGANISED: list[Data] = [
    {"id": "core", "name": "Core", "min": "25%", "when": [
        {"if": IN_A_RAID, "set": {"min": 10}},
        {"if": {"taken": "chief", "in": "army"}, "add": {"min": -5}}]},
    {"id": "guns", "name": "Guns", "max": "15%", "when": [{"if": IN_A_RAID, "set": {"max": 0}}]},
]  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # an organisation moves the shares, and the first is the default
        ("spears, cannon | limit=1000", "category.under 100/250 u1"),
        ("spears, cannon | limit=1000 organisation=host", "category.under 100/250 u1"),
        ("spears, cannon | limit=1000 organisation=raid", "category.over 50/0 u2"),
        # a share may move with what is in the army
        ("spears, chief | limit=1000", "category.under 100/200 u1"),
        # an organisation that the book does not have is told, and the default counts
        ("spears | limit=1000 organisation=siege", "setting.unknown; category.under 100/250 u1"),
    ],
)
def test_shares_move_with_the_organisation_and_the_army(text: str, told: str) -> None:
    made = army(
        unit("spears", 100, categories=["core"]),
        unit("cannon", 50, categories=["guns"]),
        unit("chief", 10),
        rules=[CATEGORIES],
        categories=ORGANISED,
        organisations=[{"id": "host", "name": "Great Host"}, {"id": "raid", "name": "Raid"}],
    )
    assert verdict(judged(made, text)) == told


NUMBER = rule(
    "units", "units.too-few", cite="8.B.c.3", of={"not": {"category": "lords"}},
    as_one={"keyword": "war-machine"}, disputed={"keyword": "war-platform"},
    unclear={"gap": "rules"}, gauge="Units", size_cite="8.C",
    min={"number": 3, "when": [{"if": {"limit": {"at_most": 50}}, "set": {"number": 2}}]},
)  # fmt: skip
COUNTED = army(
    unit("lord", 9, categories=["lords"], keywords=["Scoring"]),
    unit("spears", 9, keywords=["Scoring"], size=[1, 9]),
    unit("catapult", 9, keywords=["War Machine"]),
    unit("ballista", 9, keywords=["War Machine"]),
    unit("altar", 9, keywords=["War Platform"]),
    unit("engine", 9, sparse=True),
    unit("chariot", 9, sparse=True),
    unit("riders", 9, size=[1, 5], sparse=True),
    rules=[NUMBER],
    categories=[{"id": "lords", "name": "Lords"}],
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # characters do not count, and war machines count once
        ("spears, spears, spears", ""),
        ("spears, spears", "units.too-few 2/3 u1 u2"),
        ("spears, spears, lord, lord", "units.too-few 2/3 u1 u2"),
        ("spears, spears, catapult", ""),
        ("spears, catapult, ballista, catapult", "units.too-few 2/3 u1 u2 u3 u4"),
        ("catapult", "units.too-few 1/3 u1"),
        ("", "units.too-few 0/3"),
        # fewer do in a small game
        ("spears, spears | limit=50", ""),
        ("spears | limit=50", "units.too-few 1/2 u1"),
        # a disputed unit that would decide it is named in a warning
        ("spears, altar, spears", "warning units.too-few 2/3 u2"),
        ("spears, altar", "units.too-few 1/3 u1"),
        ("spears, spears, spears, altar", ""),
    ],
)
def test_an_army_needs_a_number_of_units(text: str, told: str) -> None:
    assert verdict(judged(COUNTED, text)) == told


@pytest.mark.parametrize(("limit", "cited"), [(50, "Tiny 8.B.c.3, 8.C"), (51, "Tiny 8.B.c.3")])
def test_a_number_of_units_of_a_small_game_cites_where_that_stands(limit: int, cited: str) -> None:
    assert only(judged(COUNTED, f"spears | limit={limit}")).citation == cited


@pytest.mark.parametrize(
    ("text", "unclear"),
    [
        ("spears, engine, chariot", [("u2", "u3")]),
        ("spears, engine, catapult", [("u2",)]),
        ("spears, spears, engine", []),
        ("spears, spears, engine, chariot", []),
        ("spears, riders, riders", []),
    ],
)
def test_single_models_that_might_be_war_machines_are_not_checked_where_they_decide(
    text: str, unclear: list[tuple[str, ...]]
) -> None:
    report = judged(COUNTED, text)
    assert (report.findings, report.complete) == ((), not unclear)
    assert [one.units for one in report.unchecked] == unclear


def test_disputed_units_are_named_and_the_gauge_shows_each_that_counts() -> None:
    # A disputed unit is named.
    report = judged(COUNTED, "spears, altar, spears")
    assert "Altar" in said(report)
    assert report.legal
    # The gauge of units shows each unit that counts.
    gauge = judged(COUNTED, "spears, lord, catapult, ballista, altar").gauges[0]
    assert (gauge.name, gauge.used, gauge.minimum, gauge.maximum) == ("Units", 2, 3, None)
    assert [part.label for part in gauge.parts] == ["Spears", "Catapult", "Ballista"]


GENERAL = rule(
    "eligible", "general.not-eligible", cite="8.B.c.4", role="general",
    needs={"all": [{"can": "lead"}, {"not": {"keyword": "not-a-leader"}}]},
)  # fmt: skip


BANNER = option("banner", 5, keywords=["Not a Leader"])
LEADERS = army(
    unit("king", 20, BANNER, can_lead=True),
    unit("prince", 10, BANNER, option("crown", 5), can_lead={"taken": "crown"}),
    unit("spears", 5, can_lead=False),
    rules=[GENERAL],
)


@pytest.mark.parametrize(
    ("entry", "name"),
    [
        ("king general", ""),
        ("king general +banner", "King"),
        ("prince general", "Prince"),
        ("prince general +crown", ""),
        ("prince general +crown +banner", "Prince"),
        ("spears general", "Spears"),
        # who has no role is not asked
        ("spears", ""),
        ("prince +banner", ""),
    ],
)
def test_a_general_is_a_character_able_to_lead(entry: str, name: str) -> None:
    report = judged(LEADERS, f"king, {entry}")
    assert verdict(report) == ("general.not-eligible u2" if name else "")
    told = f"{name} may not be the General: its entry does not let it lead."
    assert said(report) == (told if name else "")


MUST_LEAD = rule("must-lead", "general.required", role="general", cite="8.B.c.4")
COURT = (
    unit("tyrant", 30, must_lead=True),
    unit("duke", 20, option("crown", 5, must_lead=True), {"use": "sceptre"}),
    unit("warlock", 20, option("mask", 5, must_lead={"taken": "horns"}), option("horns", 5),
         must_lead={"taken": "horns", "at_least": 2}),
    unit("page", 5, must_lead=False),
)  # fmt: skip


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("tyrant general, duke", ""),
        ("tyrant, duke general", "Tyrant must be the General."),
        ("tyrant, duke", "Tyrant must be the General."),
        ("tyrant general, tyrant", "Tyrant must be the General."),
        ("duke general +crown, page", ""),
        ("duke +crown", "Duke must be the General (because of Crown)."),
        ("duke +sceptre", ""),
        ("duke +crown +sceptre(orb)", "Duke must be the General (because of Crown and Orb)."),
        ("warlock +mask", ""),
        ("warlock +mask +horns", "Warlock must be the General (because of Mask)."),
        ("warlock +horns", ""),
        (
            "tyrant, duke +crown",
            "Tyrant must be the General. Duke must be the General (because of Crown).",
        ),
    ],
)
def test_who_must_be_the_general_is_the_general(text: str, told: str) -> None:
    shared = [option("sceptre", 5, option("orb", 1, must_lead=True))]
    report = judged(army(*COURT, rules=[MUST_LEAD], shared=shared), text)
    assert said(report) == told
    assert {(one.code, one.citation) for one in report.findings} <= {
        ("general.required", "Tiny 8.B.c.4, The Tiny Horde")
    }


def test_a_duty_to_lead_can_depend_on_options_and_army() -> None:
    # A use of a shared option may be for the general alone.
    duke = unit("duke", 20, {"use": "crown", "must_lead": True})
    page = unit("page", 5, {"use": "crown"})
    made = army(duke, page, rules=[MUST_LEAD], shared=[option("crown", 5)])
    assert verdict(judged(made, "page +crown, duke +crown")) == "general.required u2"
    # What must lead may ask about the army.
    king = unit("king", 20, must_lead={"taken": "queen", "in": "army"})
    made = army(king, unit("queen", 20), rules=[MUST_LEAD])
    assert judged(made, "king").legal
    assert verdict(judged(made, "queen, king")) == "general.required u2"
    listing = roster(document(*listed("king")), made)
    (queen,) = choices(listing, made, [made.units["book/queen"]])
    assert [(found.code, found.units) for found in queen.breaks] == [("general.required", ("u1",))]


@pytest.mark.parametrize(("name", "names"), [("Woods", "Imps and Woods"), ("Imps", "Imps")])
def test_an_army_of_two_books_breaks_the_rule_of_one_book(name: str, names: str) -> None:
    system = system_data(rule("one-book", "book.too-many", cite="8.A"), sized=True)
    first = book_data(unit("imp", 5), name="Imps")
    made = catalogue(system, first, book_data(unit("elf", 5), id="woods", name=name))
    assert judged(made, "imp, imp").legal
    report = judged(made, "imp, woods/elf")
    assert verdict(report) == "book.too-many 2/1 u1 u2"
    assert said(report) == f"The army uses 2 Army Books ({names}); only one is allowed."


ROLE = titled("general", act="Make General", end="Dismiss", summary="Leads.", cite="5", alone=True)
LIMITS = (
    rule("limit", "general.missing", id="a", count="picks", of={"role": "general"}, min=1),
    rule("limit", "general.too-many", id="b", count="picks", of={"role": "general"}, max=1),
    rule("limit", "points.under", id="c", count="points", min={"limit_less": 40}),
)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        # a role for one is missing with none and too many with two
        ("king", "general.missing 0/1"),
        ("king, king general", ""),
        ("king general, king, king general", "general.too-many 2/1 u1 u3"),
        # a bound may be so much less than the game size
        ("king general | limit=100", ""),
        ("king general | limit=101", "points.under 60/61 u1"),
        ("king general | limit=30", ""),
    ],
)
def test_an_army_has_a_general_and_spends_its_points(text: str, told: str) -> None:
    made = army(unit("king", 60), rules=LIMITS, roles=[ROLE])
    assert made.system.roles["general"].alone
    assert verdict(judged(made, text)) == told


def test_units_and_options_count_in_their_categories() -> None:
    # Groups of a unit are no groups of the book: `group` is a heading in a book of single models;
    # categories are headings of an army.
    made = army(
        unit("spears", 5, group("arms", option("bow")), categories=["core"]),
        unit("odd", 5),
        rules=[CATEGORIES],
        categories=[{"id": "core", "name": "Core Units"}],
    )
    assert [one.group for one in made.units.values()] == ["Core Units", ""]
    # An option inside another of the same category is one part of its gauge.
    report = shares("slayer +dragon(saddle) | limit=5000", units=RIDERS)
    gauge = next(gauge for gauge in report.gauges if gauge.name == "Terror")
    assert [part.amount for part in gauge.parts] == [600]
    # A choice for the army is no unit of its category.
    of = {"all": [{"category": "core"}, {"not": {"choice": "army"}}]}
    core = rule("limit", "core.missing", count="units", min=1, of=of)
    oath = unit("oath", 0, categories=["core"], army_choice=True)
    made = army(oath, unit("mob", 5, categories=["core"]), rules=[core], categories=SHARES)
    assert of_code(judged(made, "oath"), "core.missing")
    assert not of_code(judged(made, "oath, mob"), "core.missing")
