"""Kinds of rules that events need beside those of games: weighted, each-unit, some-of, fixed,
game-size, books; and copies that count units.
"""

from typing import Any

import pytest

from armybuilder.engine.about import AboutBook
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.states import State
from armybuilder.engine.weights import fraction
from tests.building.event_lists import event_game
from tests.building.regiments import army, option, unit
from tests.building.tiny import Data, game, only, rule
from tests.engine.tables import judged, said, verdict
from tests.solving.agreement import verdicts_of_roster


def agrees(catalogue: Catalogue, text: str) -> bool:
    """Whether constraints say of a list what its report says."""
    report = judged(catalogue, text)
    both = verdicts_of_roster(report.full.roster, catalogue)
    return both.judged == both.constrained


MACHINES = game(rule("weighted", max=2, counts=[
    {"of": {"ability": "bow"}, "count": "models", "each": "1/2"},
    {"of": {"ability": "big"}, "count": "models"},
]))  # fmt: skip


@pytest.mark.parametrize(("text", "told"), [
    ("archer 4", ""), ("archer 2, giant", ""), ("giant 2", ""),
    ("archer 5", "The tiny rule. This list: 2 1/2; at most 2."),
    ("archer 3, giant", "The tiny rule. This list: 2 1/2; at most 2."),
    ("giant 3", "The tiny rule. This list: 3; at most 2."),
])  # fmt: skip
def test_each_thing_counts_for_its_weight(text: str, told: str) -> None:
    assert said(judged(MACHINES, text)) == told
    assert agrees(MACHINES, text)


def test_what_is_weighed_has_a_lower_bound_and_counts_for_all_it_is() -> None:
    # What is weighed has a lower bound too.
    needy = game(rule("weighted", counts=[{"of": {"ability": "bow"}, "each": 3}], min=3))
    report = judged(needy, "soldier")
    assert (verdict(report), only(report).state) == ("0/3", State.MISSING)
    assert verdict(judged(needy, "archer")) == ""
    assert agrees(needy, "soldier")
    # One unit counts for all that it is.
    both = [{"of": {"ability": "big"}}, {"of": {"ability": "huge"}, "each": 2}]
    catalogue = game(rule("weighted", counts=both, max=2))
    assert verdict(judged(catalogue, "titan")) == "3/2 u1"
    assert agrees(catalogue, "titan")


def rows(**more: str) -> dict[str, Any]:
    """A stat line with these statistics; `of` another edition."""
    of = {"from": more.pop("of")} if "of" in more else {}
    return {"profiles": [{"name": "Part", "stats": more, **of}]}


HORSES = [option("pony", mount=True, **rows(height="Low")),
          option("giraffe", mount=True, **rows(height="Tall")),
          option("shadow", mount=True)]  # fmt: skip
#: Units by what is known of them.
OPEN = {
    "known": rows(height="Tall"), "low": rows(height="Low"), "half": rows(points="3"),
    "unknown": {},
    "size": {"sparse": True, **rows(height="Low", of="2021")}, "sparse": {"sparse": True},
    "whole": {"sparse": True, **rows(height="Low", points="3", of="2021")},
    "choice": {"army_choice": True},
}  # fmt: skip
TALL, WINGED = {"of": {"height": "tall"}}, {"of": {"keyword": "fly"}}


def maybe(text: str, *rules: Data) -> list[str]:
    """The units that may count, where the verdict hangs on them."""
    catalogue = army(
        *(unit(id_, 1, *HORSES, **more) for id_, more in OPEN.items()),
        rules=rules,
        traits=[{"id": "tall", "name": "tall models", "cite": "1",
                 "if": {"stat": "height", "value": "Tall"}}],
    )  # fmt: skip
    unchecked = judged(catalogue, text).unchecked
    assert {one.restriction for one in unchecked} <= {"may count towards: The tiny rule."}
    return [one.name.lower() for one in unchecked]


@pytest.mark.parametrize(("text", "of", "is_open"), [
    ("known", TALL, False), ("unknown", TALL, True), ("half", TALL, True), ("choice", TALL, False),
    ("size", TALL, False), ("sparse", TALL, True), ("whole", TALL, False),
    # of what another edition says no more than its size, other rules may count
    ("size", WINGED, True), ("sparse", WINGED, True), ("whole", WINGED, False),
    ("half", WINGED, False), ("unknown", WINGED, False),
    # a mount's size is its rider's
    ("half +pony", TALL, False), ("half +giraffe", TALL, True), ("half +shadow", TALL, True),
    ("known +shadow", TALL, False), ("unknown +pony", TALL, False),
    ("sparse +pony", WINGED, True),
    # what is certain of one clause decides
    ("unknown", {"of": {"height": "tall", "unit": "book/low"}}, False),
    ("unknown", {"of": {"height": "tall", "unit": "book/unknown"}}, True),
    ("unknown", {"of": {"not": {"height": "tall"}}}, True),
    ("known", {"of": {"not": {"height": "tall"}}}, False),
    ("unknown", {"of": {"not": {"height": "tall", "unit": "book/low"}}}, False),
])  # fmt: skip
def test_units_that_might_count_are_not_checked(text: str, of: Data, is_open: bool) -> None:
    unit_id = text.partition(" ")[0]
    assert maybe(text, rule("weighted", max=0, counts=[of])) == [unit_id] * is_open


@pytest.mark.parametrize(("text", "bounds", "number"), [
    # too few may count for that, or so many count that one more is nothing
    ("unknown, unknown", {"max": 2}, 0), ("unknown, unknown, unknown", {"max": 2}, 3),
    ("known, known, known, unknown", {"max": 2}, 0), ("known, unknown", {"min": 1}, 0),
    ("low, unknown", {"min": 1}, 1), ("low, unknown", {"min": 2}, 0),
    ("known, unknown", {"min": 1, "max": 1}, 1), ("unknown", {"max": 1, "each": "3/2"}, 1),
])  # fmt: skip
def test_units_that_might_count_are_named_only_if_they_decide(
    text: str, bounds: Data, number: int
) -> None:
    counted = {**TALL, **{key: bounds.pop(key) for key in ("each",) if key in bounds}}
    assert maybe(text, rule("weighted", counts=[counted], **bounds)) == ["unknown"] * number


@pytest.mark.parametrize(
    ("parts", "whole", "text"),
    [(0, 2, "0"), (1, 2, "1/2"), (5, 2, "2 1/2"), (6, 2, "3"), (2, 6, "1/3"), (10, 6, "1 2/3")],
)
def test_parts_are_written_as_fractions(parts: int, whole: int, text: str) -> None:
    assert fraction(parts, whole) == text


RESTRICTIONS = game(rule("some-of", least=2, among=[
    {"name": "no archers", "counts": [{"of": {"ability": "bow"}}], "max": 0},
    {"name": "no giants", "counts": [{"of": {"ability": "big"}}], "max": 0},
    {"name": "one soldier", "counts": [{"of": {"unit": "book/soldier"}}], "min": 1},
]))  # fmt: skip


@pytest.mark.parametrize(("text", "kept", "broken"), [
    ("soldier", 3, ""), ("soldier, archer", 2, ""), ("knight", 2, ""),
    ("knight, archer", 1, "no archers and one soldier"),
    ("soldier, archer, giant", 1, "no archers and no giants"),
    ("archer, giant", 0, "no archers, no giants and one soldier"),
])  # fmt: skip
def test_some_of_several_restrictions_must_be_kept(text: str, kept: int, broken: str) -> None:
    report = judged(RESTRICTIONS, text)
    told = f"The tiny rule. Passed: {kept} of 3; at least 2 needed. Failed: {broken}."
    assert said(report) == (told if broken else "")
    assert all(finding.state is State.BROKEN for finding in report.findings)
    assert agrees(RESTRICTIONS, text)


@pytest.mark.parametrize(("text", "names"), [
    ("sparse", []), ("known", []), ("known, sparse", ["sparse"]), ("known, unknown", []),
    ("low, half", []), ("low, half, half", []), ("known, known, half, sparse", ["sparse"]),
])  # fmt: skip
def test_open_restrictions_are_reported_if_they_decide(text: str, names: list[str]) -> None:
    among = [{"name": "one tall", "counts": [TALL], "max": 1},
             {"name": "no wings", "counts": [WINGED], "max": 0}]  # fmt: skip
    assert maybe(text, rule("some-of", least=1, among=among)) == names


@pytest.mark.parametrize(("setting", "values", "chosen", "told"), [
    ("ground", ["cave"], "", "Ground: Open. Needed: Cave. The tiny rule."),
    ("ground", ["cave"], "ground=cave", ""),
    ("players", [2, 4], "", ""),
    ("players", [2, 4], "players=3", "Players: 3. Needed: 2 or 4. The tiny rule."),
    ("faction", ["red"], "",
     "Faction on a tie: nothing chosen. Needed: Red. The tiny rule."),
    ("faction", ["red"], "faction=red", ""),
    ("bonus", [0, 3], "bonus=2", "Bonus: 2. Needed: 0 or 3. The tiny rule."),
    ("bonus", [0, 3], "bonus=3", ""),
])  # fmt: skip
def test_a_setting_is_fixed(setting: str, values: list[Any], chosen: str, told: str) -> None:
    catalogue, text = game(rule("fixed", setting=setting, values=values)), f"soldier | {chosen}"
    assert said(judged(catalogue, text)) == told
    assert agrees(catalogue, text)


def test_a_fixed_setting_has_values_that_mend_it() -> None:
    finding = only(judged(game(rule("fixed", setting="ground", values=["cave"])), "soldier"))
    assert list(finding.rule.values_for(finding, ())) == [("ground", "cave")]


@pytest.mark.parametrize(("limit", "told"), [
    (100, "The list is for 100 points. Needed: 50 or 75. The tiny rule."), (75, ""), (50, ""),
])  # fmt: skip
def test_a_list_is_for_the_right_size_of_game(limit: int, told: str) -> None:
    sizes = game(rule("game-size", sizes=[50, 75]))
    assert said(judged(sizes, f"soldier | limit={limit}")) == told
    assert agrees(sizes, f"soldier | limit={limit}")


@pytest.mark.parametrize(("parameters", "is_refused"), [
    ({"allow": ["book"]}, False), ({"allow": ["other"]}, True), ({"deny": ["book"]}, True),
    ({"kinds": ["invented"]}, False), ({"kinds": ["official", "own"]}, True),
    ({"revisions": {"other": "0" * 64}}, False), ({"revisions": {"book": "0" * 64}}, True),
])  # fmt: skip
def test_books_are_refused(parameters: dict[str, Any], is_refused: bool) -> None:
    catalogue = event_game(rule("books", **parameters))
    report = judged(catalogue, "soldier, knight")
    assert said(report) == ("Tiny book: not allowed. The tiny rule." if is_refused else "")
    for finding in report.findings:
        assert (finding.units, finding.about) == (("u1", "u2"), AboutBook("book"))
        going = finding.rule.removals(report.full)
        assert [[line.pick.id for line in lines] for lines in going or ()] == [["u1", "u2"]]
    assert agrees(catalogue, "soldier, knight")


def test_one_unit_is_not_too_large_too_dear_or_there_too_often() -> None:
    # One unit may not be too large or too dear.
    crowd = game(rule("each-unit", count="models", of={"not": {"ability": "bow"}}, max=3))
    report = judged(crowd, "soldier 4, archer 9, knight 3")
    assert (verdict(report), said(report)) == ("4/3 u1", "Soldier: 4, at most 3. The tiny rule.")
    assert agrees(crowd, "soldier 4, archer 9")
    dear = game(rule("each-unit", count="points", min=6, max=20))
    found = judged(dear, "soldier, titan, knight 2").findings
    assert [finding.units for finding in found] == [("u1",), ("u2",)]
    assert agrees(dear, "soldier, titan, knight 2")
    # The same unit is on the list only so often.
    most = rule("copies", of={"not": {"unit": "book/scout"}}, count="units", max=2)
    twice = army(unit("guard"), unit("scout"), rules=[most])
    assert verdict(judged(twice, "guard 2, guard")) == ""
    assert verdict(judged(twice, "guard 2, guard, guard")) == "3/2 u1 u2 u3"
    assert verdict(judged(twice, "scout, scout, scout")) == ""
    assert agrees(twice, "guard 2, guard, guard")
