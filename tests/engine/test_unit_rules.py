"""Rules about a unit by itself: stat, requires, ability-limit, target, complete."""

from typing import Any

import pytest

from armybuilder.engine import Finding, validate
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.building.tiny import codes, document, game, judge, only, rule, take, unit


@pytest.mark.parametrize(("nerve", "allowed"), [(1, 2), (2, None), (6, None), (7, 6)])
def test_a_statistic_lies_between_its_bounds(nerve: int, allowed: int | None) -> None:
    units = [unit("soldier", stats={"nerve": nerve})]
    catalogue = game(rule("stat", stat="nerve", min=2, max=6), units=units)
    report = judge(catalogue, take("soldier"))
    if allowed is None:
        assert report.findings == ()
    else:
        finding = only(report)
        assert (finding.measured, finding.allowed, finding.units) == (nerve, allowed, ("u1",))
        assert finding.values["stat"] == "nerve"
        assert str(finding.values["bounds"]) == "from 2 to 6"


def test_a_statistic_is_asked_only_of_the_units_meant() -> None:
    units = [unit("giant", 5, "big", stats={"nerve": 3}), unit("soldier", stats={"nerve": 3})]
    catalogue = game(rule("stat", of={"ability": "big"}, stat="nerve", min=4), units=units)
    report = judge(catalogue, take("soldier"), take("giant"))
    assert only(report).units == ("u2",)


@pytest.mark.parametrize("stats", [{}, {"speed": "6"}])
def test_a_statistic_that_a_card_does_not_say_is_not_judged(stats: dict[str, Any]) -> None:
    units = [unit("soldier", stats=stats)]
    for stat in ("nerve", "speed"):
        catalogue = game(rule("stat", stat=stat, min=9), units=units)
        assert judge(catalogue, take("soldier")).findings == ()


def test_two_statistics_out_of_bounds_are_two_findings() -> None:
    catalogue = game(
        rule("stat", id="a", stat="nerve", min=2), rule("stat", id="b", stat="nerve", min=3),
        units=[unit("soldier", stats={"nerve": 1})],
    )  # fmt: skip
    report = judge(catalogue, take("soldier"))
    assert [(finding.head.id, finding.allowed) for finding in report.findings] == [
        ("a", 2),
        ("b", 3),
    ]


REQUIRES = rule(
    "requires", of={"ability": ["aim", "sharp-eye"]}, needs={"tag": "shooter"}, needs_name="a bow"
)


def test_what_an_ability_requires_may_come_from_any_other_ability() -> None:
    units = [unit("archer", 5, "aim", "bow"), unit("soldier", 5)]
    catalogue = game(REQUIRES, units=units)
    assert judge(catalogue, take("archer"), take("soldier")).findings == ()


def test_a_missing_requirement_names_the_abilities_that_ask_for_it() -> None:
    catalogue = game(REQUIRES, units=[unit("soldier", 5, "big", "aim", "sharp-eye")])
    finding = only(judge(catalogue, take("soldier", name="Ann")))
    assert finding.values == {"unit": "Ann", "names": ["Aim", "Sharp Eye"], "needs": "a bow"}
    assert finding.units == ("u1",)


def test_an_ability_limit_counts_several_abilities_together() -> None:
    limit = rule("ability-limit", abilities=["big", "huge"], max=1)
    units = [unit("giant", 5, "big"), unit("titan", 5, "huge", "big", "aim")]
    catalogue = game(limit, units=units)
    finding = only(judge(catalogue, take("giant"), take("titan")))
    assert (finding.measured, finding.allowed, finding.units) == (2, 1, ("u2",))
    assert finding.values["names"] == ["Huge", "Big"]


def test_an_ability_limit_counts_one_ability_taken_twice() -> None:
    limit = rule("ability-limit", abilities=["slayer"], max=1)
    units = [unit("hunter", 5, "slayer: Orcs"), unit("ranger", 5, "slayer: Orcs", "slayer: Elves")]
    catalogue = game(limit, units=units)
    finding = only(judge(catalogue, take("hunter"), take("ranger")))
    assert finding.units == ("u2",)
    assert finding.values["names"] == ["Slayer (Orcs)", "Slayer (Elves)"]


def test_an_ability_against_something_must_name_it() -> None:
    catalogue = game(rule("target", ability="slayer"), own_models=True)

    def own_models(*uses: dict[str, Any]) -> Any:
        profile = {"name": "Me", "stats": {"nerve": 1, "speed": 1}, "abilities": list(uses)}
        return judge(catalogue, take("soldier"), {"profile": profile, "models": 1})

    assert own_models({"ability": "slayer", "target": "Orcs"}, {"ability": "aim"}).legal
    finding = only(own_models({"ability": "slayer", "target": "Orcs"}, {"ability": "slayer"}))
    assert finding.units == ("u2",)
    assert finding.values == {"unit": "Me", "names": ["Slayer"], "target": "enemy"}


def test_an_ability_may_not_work_against_what_is_barred() -> None:
    for target, wrong in [
        ("Orcs", False),
        ("slayers", True),
        ("All Slayers of men", True),
        ("non-slayers", False),
        ("everybody who is not a slayer", False),
        ("slayersmen", False),
    ]:
        barred = rule("target", ability="slayer", barred=["Slayers", "slayer"])
        hunter = unit("hunter", 5, {"ability": "slayer", "target": target})
        report = judge(
            game(barred, units=[hunter, unit("soldier")]), take("soldier"), take("hunter")
        )
        assert [(found.units, found.values["names"]) for found in report.findings] == (
            [(("u2",), [f"Slayer ({target})"])] if wrong else []
        ), target


def test_the_better_end_of_a_statistic_is_named() -> None:
    for best, said in (("min", "from 2 (best) to 6"), ("max", "from 2 to 6 (best)")):
        units = [unit("soldier", stats={"nerve": 1})]
        catalogue = game(rule("stat", stat="nerve", min=2, max=6, best=best), units=units)
        assert str(only(judge(catalogue, take("soldier"))).values["bounds"]) == said, best


def sbh_report(*profiles: dict[str, Any]) -> Any:
    catalogue = shipped_library().catalogue("sbh", [])
    units = [{"profile": profile, "models": 1} for profile in profiles]
    data = document(*units, limit=300, system="sbh", books=[])
    return validate(make_roster(value_of(data), catalogue), catalogue)


def own(*abilities: Any, quality: int = 3, combat: int = 3, name: str = "Ann") -> dict[str, Any]:
    uses = [use if isinstance(use, dict) else {"ability": use} for use in abilities]
    return {"name": name, "stats": {"quality": quality, "combat": combat}, "abilities": uses}


def test_lethal_without_a_target_is_an_error_and_with_one_it_is_not() -> None:
    finding = only(sbh_report(own("lethal")))
    assert (finding.code, finding.units) == ("specials.lethal", ("u1",))
    assert finding.values["target"] == "kind of enemy"
    assert sbh_report(own({"ability": "lethal", "target": "Orcs"})).findings == ()


@pytest.mark.parametrize("target", ["Lethal models", "lethal", "models with Lethal"])
def test_nobody_is_lethal_against_lethal_models(target: str) -> None:
    finding = only(sbh_report(own({"ability": "lethal", "target": target})))
    assert (finding.code, finding.head.id) == ("specials.lethal", "lethal-itself")
    assert sentence(finding) == (
        f"Ann: no model may be Lethal against Lethal models (Lethal ({target}))."
    )


def test_a_weapon_of_a_supplement_is_enough_to_aim_and_not_for_a_legendary_shot() -> None:
    for specials, rules in [
        (["unerring-aim", "ranged-weapon"], []),
        (["unerring-aim", "shooter-long"], []),
        (["legendary-shot", "shooter-long"], []),
        (["legendary-shot", "ranged-weapon"], ["legendary-shot"]),
        (["legendary-shot", "unerring-aim"], ["aim", "legendary-shot"]),
    ]:
        report = sbh_report(own(*specials), own(name="Bob"), own(name="Cid"))
        assert [finding.head.id for finding in report.findings] == rules, specials


def test_lethal_twice_without_targets_breaks_both_its_rules_once_each() -> None:
    report = sbh_report(own("lethal", "lethal"))
    assert sorted(finding.head.id for finding in report.findings) == [
        "lethal-once",
        "lethal-target",
    ]


def test_two_bases_of_a_swarm_on_two_lines_are_enough() -> None:
    rats = own("swarm", name="Rats")
    others = [own(name="Ann"), own(name="Bob")]
    assert codes(sbh_report(rats, *others)) == ["swarm.too-few"]
    assert codes(sbh_report(rats, own("swarm", name="rats"), *others)) == []
    report = sbh_report(rats, own("swarm", name="Bats"), *others)
    assert codes(report) == ["swarm.too-few", "swarm.too-few"]


def test_two_own_models_of_one_name_but_other_rules_are_no_swarm_together() -> None:
    others = [own(name="Ann"), own(name="Bob")]
    report = sbh_report(own("swarm", name="Rats"), own("swarm", "fearless", name="Rats"), *others)
    assert codes(report) == ["swarm.too-few", "swarm.too-few"]


@pytest.mark.parametrize("special", ["big", "heavy-armor", "long-move"])
def test_one_special_rule_written_twice_excludes_nothing(special: str) -> None:
    assert codes(sbh_report(own(special, special))) == []


COMPLETE = rule("complete", "unit.incomplete", attributes=["side"], ratings=["chief"])


def said(finding: Finding) -> list[str]:
    """The names of what is missing, as they are said."""
    names = finding.values["names"]
    assert isinstance(names, list)
    return [str(name) for name in names]


def test_a_card_must_say_what_the_verdict_needs() -> None:
    for blank, names in [
        (unit("a", None, side="good"), ["points"]),
        (unit("a", 0, side="good"), []),
        (unit("a", 5), ["side"]),
        (unit("a", 5, "chief ?", side="good"), ["Chief rating"]),
        (unit("a", 5, "chief 2", "scout ?", side="good"), []),
        (unit("a", None, "chief ?"), ["points", "side", "Chief rating"]),
    ]:
        report = judge(game(COMPLETE, units=[blank]), take("a"))
        assert [said(finding) for finding in report.findings] == ([names] if names else []), blank
        for finding in report.findings:
            assert (finding.measured, finding.allowed, finding.units) == (len(names), 0, ("u1",)), (
                blank
            )


def test_a_second_rule_of_cards_may_ask_for_less_and_more_mildly() -> None:
    rating = rule("complete", "tiny.rating", id="rating", ratings=["chief"], severity="note")
    strict = rule("complete", "unit.incomplete", attributes=["side"])
    catalogue = game(strict, {**rating, "points": False}, units=[unit("a", None, "chief ?")])
    report = judge(catalogue, take("a"))
    assert [(found.code, said(found)) for found in report.findings] == [
        ("unit.incomplete", ["points", "side"]),
        ("tiny.rating", ["Chief rating"]),
    ]
    blanks = [blank.field for blank in catalogue.units["book/a"].blanks]
    assert blanks == ["points", "attributes.side", "ratings.chief"]


def test_the_players_card_fills_blanks_and_nothing_else() -> None:
    catalogue = game(COMPLETE, units=[unit("a", None, "chief ?", side="good"), unit("b", 5)])
    card = {"points": 9, "attributes": {"side": "evil"}, "ratings": {"chief": 3}}
    report = judge(catalogue, take("a", 2, card=card))
    assert (report.findings, report.spent) == ((), 18)
    filled = report.full.lines[0].unit
    assert (filled.attributes["side"], filled.ratings["chief"]) == (("good",), 3)
    report = judge(catalogue, take("b", 1, card=card))
    assert (report.findings, report.spent) == ((), 5), "its points were known"


def test_a_card_with_a_value_that_nobody_knows_leaves_the_blank_open() -> None:
    catalogue = game(COMPLETE, units=[unit("a", 5)])
    report = judge(catalogue, take("a", card={"attributes": {"side": "purple", "colour": "red"}}))
    assert [str(name) for name in only(report).values["names"]] == ["side"]


def test_without_a_rule_that_asks_nothing_is_blank() -> None:
    catalogue = game(rule("limit", count="models", max=9), units=[unit("a", None, "chief ?")])
    assert judge(catalogue, take("a")).findings == ()
