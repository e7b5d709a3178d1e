"""What one unit means for the whole army: caps, split prices, banners, what it asks."""

from itertools import permutations
from typing import Any

import pytest

from armybuilder.engine import Choice, Report, choices
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.holding import Held
from tests.building.regiments import CAPS, ENTRY, army, group, of_code, option, unit
from tests.building.tiny import Data, document, only, roster, rule
from tests.engine.tables import army_claim, claims, hold, judged, listed, said, verdict
from tests.solving.agreement import verdicts_of_roster

#: Cheaper knights with their queen; a flag only beside another; drums per drummer of the army.
UNITS = (
    unit("queen", 50, option("crown", 10)),
    unit(
        "knights", 30,
        option("flag", 5, needs={"taken": "queen/crown", "in": "army"}),
        option("drum", 1,
               when=[{"for_each": {"taken": "pipe", "in": "army"}, "add": {"points": 2}}]),
        when=[{"if": {"taken": "queen", "in": "army"}, "add": {"points": -8}}],
    ),
    unit("mob", 20, option("pipe", 1, number=[0, 3])),
    unit("lone", 5, keywords=[{"name": "Scout", "if": {"taken": "mob", "in": "army"}}]),
)  # fmt: skip
SCOUTS = rule("limit", "tiny.scouts", id="scouts", count="picks", of={"keyword": "scout"}, max=0)


GAME = army(*UNITS, rules=[*ENTRY, SCOUTS])
TWIN = {"if": {"taken": "twin", "in": "army", "at_least": 2}, "set": {"points": 7}}
IMP = [
    {"if": {"limit": {"at_least": 200}}, "set": {"points": 12}},
    {"if": {"organisation": "raid"}, "add": {"points": 1}},
]
SIDES = [{"id": "host", "name": "Host"}, {"id": "raid", "name": "Raid"}]


@pytest.mark.parametrize(
    ("made", "text", "points"),
    [
        # the price of one unit moves when another is taken
        (GAME, "knights", [30]),
        (GAME, "knights, queen, knights", [22, 50, 22]),
        # the price of an option counts what the army has of another
        (GAME, "knights +drum", [31]),
        (GAME, "knights +drum, mob +pipe*3, mob +pipe", [30 + 1 + 4 * 2, 23, 21]),
        # the game size and the organisation move prices too
        (army(unit("imp", 10, when=IMP), organisations=SIDES), "imp", [10]),
        (army(unit("imp", 10, when=IMP), organisations=SIDES), "imp | limit=200", [12]),
        (army(unit("imp", 10, when=IMP), organisations=SIDES), "imp | organisation=raid", [11]),
        # two of a kind: each asks for the army, in which it stands itself
        (army(unit("twin", 10, when=[TWIN])), "twin", [10]),
        (army(unit("twin", 10, when=[TWIN])), "twin, twin", [7, 7]),
    ],
)
def test_prices_move_with_the_army(made: Catalogue, text: str, points: list[int]) -> None:
    assert [line.points for line in judged(made, text).lines.values()] == points


WOLVES = unit("wolves", 20, size=[5, 10], points_per_model=3, cap=3)
BOMBS = unit("smiths", 10, option("bomb", 4, number=[0, 9], cap=3))
#: The most wolves by the game size: half, rounded up, and twice as many.
PACKS = {50: 2, 51: 3, 199: 3, 200: 6}
WITH_LORD = {"if": {"taken": "wolf-lord", "in": "army"}, "set": {"cap": 3}}


def packs(number: int, more: str = "") -> str:
    return ", ".join(["wolves 5"] * number) + more


def over(number: int, cap: int) -> str:
    """What is found of so many units over their cap."""
    return " ".join([f"cap {number}/{cap}", *(f"u{one}" for one in range(1, number + 1))])


CLAIMS = {
    "an option may need an option of a certain other unit": army_claim(*UNITS, lists={
        "knights +flag, queen +crown": "", "knights +flag, queen": "unavailable u1",
        "knights +flag": "unavailable u1"}),
    "a keyword may depend on the army": army_claim(*UNITS, rules=[SCOUTS], lists={
        "lone": "", "lone, mob": "scouts 1/0 u1"}),
    "an option needing itself in the army is judged for each unit": army_claim(
        unit("pair", 5, option("rope", 1, needs={"taken": "rope", "in": "army", "at_least": 2})),
        lists={"pair +rope": "unavailable u1", "pair +rope, pair +rope": ""}),
    "a cap scales with the game size": army_claim(WOLVES, rules=CAPS, lists={
        **{packs(cap, f" | limit={limit}"): "" for limit, cap in PACKS.items()},
        **{packs(cap + 1, f" | limit={limit}"): over(cap + 1, cap)
           for limit, cap in PACKS.items()}}),
    "without a scale a cap is the same in every game": army_claim(
        WOLVES, rules=[rule("cap", "tiny.cap")], lists={
            packs(4, f" | limit={limit}"): over(4, 3) for limit in (10, 100, 9000)}),
    "models and points have caps of their own": army_claim(
        unit("wolves", 20, size=[5, 10], points_per_model=3, cap_models=12),
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap_points=20)), rules=CAPS, lists={
            "wolves 6, wolves 6": "", "wolves 6, wolves 7": "cap 13/12 u1 u2",
            "smiths +bomb*2, smiths +bomb*3": "",
            "smiths +bomb*2, smiths +bomb*3, smiths +bomb*2": "cap 28/20 u1 u2 u3"}),
    "an option is counted over the whole army, as often as it is taken": army_claim(
        BOMBS, unit("imps", 5, option("bomb", 2)), rules=CAPS, lists={
            # another unit's own bomb
            "smiths +bomb*2, smiths +bomb, imps +bomb": "",
            "imps, smiths +bomb*2, smiths +bomb, smiths +bomb": "cap 4/3 u2 u3 u4"}),
    "a shared option has one cap over all units that use it": army_claim(
        unit("a", 10, {"use": "relic"}), unit("b", 10, {"use": "relic", "points": 2}),
        rules=CAPS, shared=[option("relic", 5, one_of_a_kind=True)], lists={
            "a +relic, b": "", "a +relic, b +relic": "lone 2/1 u1 u2"}),
    "a cap moves with what is in the army": army_claim(
        {**WOLVES, "cap": 1, "when": [WITH_LORD]}, unit("wolf-lord", 30), rules=CAPS, lists={
            packs(1): "", packs(2): over(2, 1), packs(3, ", wolf-lord"): "",
            packs(4, ", wolf-lord"): over(4, 3)}),
    "one of a kind and a cap are different rules": army_claim(
        unit("king", 10, one_of_a_kind=True, cap=1), rules=CAPS, lists={
            # the cap of one has doubled
            "king, king | limit=300": "lone 2/1 u1 u2",
            "king, king": "cap 2/1 u1 u2; lone 2/1 u1 u2"}),
}  # fmt: skip


@claims(CLAIMS)
def test_conditions_can_ask_about_the_army(made: Any, lists: Any) -> None:
    hold(made, lists)


def offered(catalogue: Catalogue, text: str = "", limit: int = 150) -> dict[str, Choice]:
    made = roster(document(*listed(text), limit=limit), catalogue)
    return {choice.unit.ref.split("/")[1]: choice for choice in choices(made, catalogue)}


@pytest.mark.parametrize(("limit", "broken"), [(71, ["points.over"]), (72, [])])
def test_choices_count_the_discount_that_a_unit_brings(limit: int, broken: list[str]) -> None:
    made = army(*UNITS, rules=[rule("limit", "points.over", count="points", max="limit")])
    choice = offered(made, "knights", limit=limit)["queen"]
    assert [found.code for found in choice.breaks] == broken
    assert judged(made, "knights, queen").spent == 72


def test_choices_see_the_army_as_it_then_is() -> None:
    # Choices see what a unit would do to the others.
    crowned = unit("queen", 50, group("regalia", option("crown", 10), choose=[1, 1]))
    crowned["options"][0]["default"] = "crown"
    made = army(crowned, *UNITS[1:], rules=[*ENTRY, SCOUTS])
    choice = offered(made, "knights +flag")["queen"]
    assert [found.code for found in choice.settles] == ["tiny.unavailable"]
    assert choice.points == 60
    assert [found.code for found in offered(GAME, "lone")["mob"].breaks] == ["tiny.scouts"]
    # Choices price a unit as the army then is.
    assert offered(GAME, "queen")["knights"].points == 22
    assert offered(GAME)["knights"].points == 30
    assert offered(army(unit("twin", 10, when=[TWIN])), "twin")["twin"].points == 7
    # Choices keep to caps that move with the army.
    more = {"if": {"taken": "alpha", "in": "army"}, "set": {"cap": 2}}
    wolf = unit("wolf", 5, cap=1, when=[more])
    made = army(wolf, unit("alpha", 9, one_of_a_kind=True), rules=CAPS)
    assert [found.code for found in offered(made, "wolf")["wolf"].breaks] == ["tiny.cap"]
    assert [found.code for found in offered(made, "wolf, wolf")["alpha"].settles] == ["tiny.cap"]
    assert offered(made, "wolf, alpha")["wolf"].breaks == ()
    # Choices start a unit with what it must have.
    arms = group("arms", option("club", 2), option("axe", 3), choose=[1, 1])
    ready = unit("ready", 5, {**arms, "default": "axe"}, size=[3, 9], points_per_model=1)
    found = offered(army(ready, unit("bare", 5, arms)))
    assert (found["ready"].points, found["ready"].breaks) == (8, ())
    assert [breach.code for breach in found["bare"].breaks] == ["tiny.group-under"]


def test_what_is_capped_or_asked_for_is_named_and_counted() -> None:
    # A finding of a cap names what it counts.
    finding = only(judged(army(WOLVES, rules=CAPS), packs(4)))
    assert (finding.values["name"], finding.citation) == ("Wolves", "Tiny 9, The Tiny Horde")
    capped = army(
        unit("wolves", 20, size=[5, 10], cap_models=12),
        unit("smiths", 10, option("bomb", 4, number=[0, 9], cap_points=20)),
        rules=CAPS,
    )
    assert only(judged(capped, "wolves 6, wolves 7")).values["what"] == "models"
    assert only(judged(capped, "smiths +bomb*7")).values["what"] == "points"
    # A unit that holds a capped option twice has its models once.
    crossed = [option(name, 0, {"use": "pike"}) for name in ("front", "back")]
    pike = option("pike", 1, cap_models=10)
    catalogue = army(unit("phalanx", 10, *crossed, size=[5, 20]), rules=CAPS, shared=[pike])
    report = judged(catalogue, "phalanx 8 +front(pike) +back(pike)")
    held: Held[int] = report.full.held["option:pike"]
    counted = {what: held.counted(what, report.full) for what in ("times", "models", "points")}
    assert counted == {"times": 2, "models": 8, "points": 2}
    assert report.legal
    # What a book asks for must be in the army so often.
    king = {"if": {"limit": {"at_least": 200}}, "set": {"army_min": 2}}
    clerks = unit("clerks", 5, option("scribe", 2, army_min=2))
    catalogue = army(unit("king", 20, army_min=1, when=[king]), clerks, rules=CAPS)
    for text, told in [
        ("king, clerks +scribe, clerks +scribe", []),
        ("clerks +scribe", [(0, 1), (1, 2)]),
        ("king, clerks +scribe, clerks +scribe | limit=200", [(1, 2)]),
    ]:
        found = of_code(judged(catalogue, text), "cap.under")
        assert [(one.measured, one.allowed) for one in found] == told, text
        assert all(one.citation == "The Tiny Horde" for one in found), text


BATTERY = option("battery", 5, cap=1)
BATTERIES = army(
    unit("crew", 10, {"use": "battery"}),
    unit("better-crew", 20, {"use": "battery", "name": "Battery (4+)", "cap": 2}),
    rules=[rule("cap", "cap.over", id="caps", cite="9")],
    shared=[BATTERY],
)


@pytest.mark.parametrize(
    ("units", "told"),
    [
        (("crew", "better-crew"), "Battery and Battery (4+): 2 taken, maximum 1."),
        (("better-crew", "better-crew"), ""),
        (("better-crew",) * 3, "Battery (4+): 3 taken, maximum 2."),
        (("better-crew", "crew", "better-crew"), "Battery and Battery (4+): 3 taken, maximum 1."),
    ],
)
def test_what_shares_a_cap_is_named_and_bounded_alike_in_any_order(
    units: tuple[str, ...], told: str
) -> None:
    for order in permutations(units):
        report = judged(BATTERIES, ", ".join(f"{one} +battery" for one in order))
        assert said(report) == told
        both = verdicts_of_roster(report.full.roster, BATTERIES)
        assert both.judged == both.constrained


SAID = [
    {"share": "1/2", "at_most": 50, "name": "halved in a raid"},
    {"share": "2/1", "at_least": 200, "name": "doubled in a siege"},
]
TOLD = rule("cap", "cap.over", id="caps", cite="9", scale=SAID, size_cite="9.C")


BY_ITSELF = {"if": {"limit": {"at_most": 50}}, "set": {"cap": 1}}


@pytest.mark.parametrize(
    ("limit", "number", "told", "cited", "more"),
    [
        (50, 3, "maximum 2 (0–3, halved in a raid).", "9, 9.C", {}),
        (100, 4, "maximum 3.", "9", {}),
        (200, 7, "maximum 6 (0–3, doubled in a siege).", "9, 9.C", {}),
        # one that follows the game size by itself is told without that
        (50, 2, "maximum 1.", "9", {"when": [BY_ITSELF]}),
    ],
)
def test_a_cap_that_the_game_size_changes_says_what_it_was_and_cites_why(
    limit: int, number: int, told: str, cited: str, more: Data
) -> None:
    report = judged(army({**WOLVES, **more}, rules=[TOLD]), packs(number, f" | limit={limit}"))
    assert said(report) == f"Wolves: {number} taken, {told}"
    assert only(report).citation == f"Tiny {cited}, The Tiny Horde"


RULES = [
    rule("category", "category.over", under="category.under", cite="8.B"),
    rule("limit", "tiny.core", id="core", count="units", of={"category": "core"}, min=1, cite="9"),
]
CATEGORIES = [
    {"id": "core", "name": "Core", "min": "25%"},
    {"id": "special", "name": "Special", "max": "60%", "max_units": 1},
]
GUARDS = unit(
    "guards", 100,
    option("mentor", 30, number=[0, 3]),
    option("sage", 15, categories=["core"]),
    group("band", option("chief", 10), {"use": "flag"}, categories=["core"]),
    {"use": "spear", "points_per_model": 2, "categories": ["core"]},
    {"use": "paint", "categories": ["core"]},
    size=[10, 25], points_per_model=8, categories=["special"], models_in=["core"],
)  # fmt: skip
SHARED = (
    option("spear"),
    option("flag", 10, option("ribbon", 25)),
    group("paint", option("red", 3), group("dark", option("black", 4))),
)


def court(text: str, **more: Any) -> Report:
    militia = unit("militia", 50, {"use": "spear"}, categories=["core"])
    made = army({**GUARDS, **more}, militia, rules=RULES, shared=SHARED, categories=CATEGORIES)
    return judged(made, text if "|" in text else f"{text} | limit=1000")


def used(report: Report) -> dict[str, int]:
    return {gauge.name: gauge.used for gauge in report.gauges if gauge.head.id.count("points")}


@pytest.mark.parametrize(
    ("guards", "core", "whole"),
    [
        ("guards 10", 100, 100),
        ("guards 12", 116, 116),
        ("guards 10 +mentor*2", 100, 160),
        ("guards 10 +sage", 115, 115),
        ("guards 10 +chief", 110, 110),
        ("guards 10 +flag(ribbon)", 135, 135),
        ("guards 12 +spear", 140, 140),
        ("guards 10 +red +black +mentor", 107, 137),
    ],
)
def test_marked_models_count_in_another_category_too(guards: str, core: int, whole: int) -> None:
    report = court(f"{guards}, militia")
    assert used(report) == {"Core": core + 50, "Special": whole}
    assert report.spent == whole + 50


def test_models_count_in_the_category_that_they_are_of() -> None:
    # The parts of a sum show what each unit adds.
    report = court("guards 11 +mentor +chief, militia +spear")
    gauges = [gauge for gauge in report.gauges if gauge.head.id.count("points")]
    parts = {gauge.name: [part.amount for part in gauge.parts] for gauge in gauges}
    assert parts == {"Core": [118, 50], "Special": [148]}
    assert (report.spent, verdict(report)) == (198, "category.under 168/250 u1 u2")
    # It is no unit of the category of its models.
    report = court("guards 25 | limit=100")
    assert [finding.code for finding in report.findings] == ["category.over", "tiny.core"]
    counted = [gauge for gauge in report.gauges if gauge.head.id == "category-special-picks-max"]
    assert [gauge.used for gauge in counted] == [1]
    # A unit that is of the category itself counts there once.
    report = court("guards 10 +mentor +spear", categories=["core"])
    assert used(report)["Core"] == report.spent == 150
    # A category may be reached with such models.
    assert court("guards 25, militia").legal
    assert verdict(court("guards 22 +mentor, militia")) == "category.under 246/250 u1 u2"


@pytest.mark.parametrize(("guards", "counted"), [(19, None), (20, 31), (25, 36)])
def test_a_category_may_bound_models_those_of_other_units_in_it_among_them(
    guards: int, counted: int | None
) -> None:
    most = [{"id": "core", "name": "Core", "max_models": 30}, CATEGORIES[1]]
    militia = unit("militia", 50, categories=["core"])
    made = army(GUARDS, militia, rules=RULES, shared=SHARED, categories=most)
    report = judged(made, f"guards {guards}, militia, guards 10 | limit=2000")
    over = [one.measured for one in report.findings if one.head.id == "category-core-models-max"]
    assert over == ([counted] if counted else [])
    # Its constraints say the same.
    both = verdicts_of_roster(report.full.roster, made)
    assert both.judged == both.constrained
