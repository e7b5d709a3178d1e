"""Rules about a unit by itself: stat, requires, ability-limit, target, complete."""

from typing import Any

import pytest

from armybuilder.engine import Finding
from armybuilder.loading.library import shipped_library
from tests.building.tiny import codes, game, judge, only, rule, take, unit
from tests.engine.tables import claim, claims, hold, judged, said


def nerve(value: int, *abilities: str) -> Any:
    return unit("soldier", 5, *abilities, stats={"nerve": value})


SLAYERS = [
    unit("hunter", 5, "slayer: Orcs"),
    unit("ranger", 5, "slayer: Orcs", "slayer: Elves"),
]
BOW = {"needs": {"tag": "shooter"}, "needs_name": "a bow"}
REQUIRES = rule("requires", of={"ability": ["aim", "sharp-eye"]}, **BOW)
BETWEEN = rule("stat", stat="nerve", min=2, max=6)
CLAIMS = {
    **{
        f"a nerve of {value} lies between two and six, or does not": claim(
            BETWEEN, units=[nerve(value)], lists={"soldier": told})
        for value, told in [(1, "1/2 u1"), (2, ""), (6, ""), (7, "7/6 u1")]
    },
    "a statistic is asked only of the units meant": claim(
        rule("stat", of={"ability": "big"}, stat="nerve", min=4),
        units=[unit("giant", 5, "big", stats={"nerve": 3}), nerve(3)],
        lists={"soldier, giant": "3/4 u2"}),
    **{
        f"a {stat} that a card does not say is not judged, beside {stats}": claim(
            rule("stat", stat=stat, min=9), units=[unit("soldier", stats=stats)],
            lists={"soldier": ""})
        for stat in ("nerve", "speed") for stats in ({}, {"speed": "6"})
    },
    "two statistics out of bounds are two findings": claim(
        rule("stat", id="a", stat="nerve", min=2), rule("stat", id="b", stat="nerve", min=3),
        units=[nerve(1)], lists={"soldier": "1/2 u1; 1/3 u1"}),
    "what an ability requires may come from any other ability": claim(
        REQUIRES, units=[unit("archer", 5, "aim", "bow"), unit("soldier", 5)],
        lists={"archer, soldier": ""}),
    "an ability limit counts several abilities together": claim(
        rule("ability-limit", abilities=["big", "huge"], max=1),
        units=[unit("giant", 5, "big"), unit("titan", 5, "huge", "big", "aim")],
        lists={"giant, titan": "2/1 u2"}),
    "an ability limit counts one ability taken twice": claim(
        rule("ability-limit", abilities=["slayer"], max=1), units=SLAYERS,
        lists={"hunter, ranger": "2/1 u2"}),
}  # fmt: skip


@claims(CLAIMS)
def test_a_unit_is_as_the_rules_want_it(made: Any, lists: Any) -> None:
    hold(made, lists)


def test_a_missing_requirement_names_the_abilities_that_ask_for_it() -> None:
    catalogue = game(REQUIRES, units=[unit("soldier", 5, "big", "aim", "sharp-eye")])
    finding = only(judge(catalogue, take("soldier", name="Ann")))
    assert finding.values == {"unit": "Ann", "names": ["Aim", "Sharp Eye"], "needs": "a bow"}
    assert finding.units == ("u1",)


def test_an_ability_limit_names_the_abilities() -> None:
    titans = [unit("titan", 5, "huge", "big", "aim")]
    sizes = game(rule("ability-limit", abilities=["big", "huge"], max=1), units=titans)
    assert only(judged(sizes, "titan")).values["names"] == ["Huge", "Big"]
    slayers = game(rule("ability-limit", abilities=["slayer"], max=1), units=SLAYERS)
    names = only(judged(slayers, "ranger")).values["names"]
    assert names == ["Slayer (Orcs)", "Slayer (Elves)"]


def test_an_ability_against_something_must_name_it() -> None:
    catalogue = game(rule("target", ability="slayer"), own_models=True)

    def own_models(*uses: dict[str, Any]) -> Any:
        profile = {"name": "Me", "stats": {"nerve": 1, "speed": 1}, "abilities": list(uses)}
        return judge(catalogue, take("soldier"), {"profile": profile, "models": 1})

    assert own_models({"ability": "slayer", "target": "Orcs"}, {"ability": "aim"}).legal
    finding = only(own_models({"ability": "slayer", "target": "Orcs"}, {"ability": "slayer"}))
    assert finding.units == ("u2",)
    assert finding.values == {"unit": "Me", "names": ["Slayer"], "target": "enemy"}


@pytest.mark.parametrize(
    ("target", "wrong"),
    [
        ("Orcs", False),
        ("slayers", True),
        ("All Slayers of men", True),
        ("non-slayers", False),
        ("everybody who is not a slayer", False),
        ("slayersmen", False),
    ],
)
def test_an_ability_may_not_work_against_what_is_barred(target: str, wrong: bool) -> None:
    barred = rule("target", ability="slayer", barred=["Slayers", "slayer"])
    hunter = unit("hunter", 5, {"ability": "slayer", "target": target})
    report = judged(game(barred, units=[hunter, unit("soldier")]), "soldier, hunter")
    told = [(found.units, found.values["names"]) for found in report.findings]
    assert told == ([(("u2",), [f"Slayer ({target})"])] if wrong else [])


@pytest.mark.parametrize(
    ("best", "bounds"),
    [({}, "from 2 to 6"), ("min", "from 2 (best) to 6"), ("max", "from 2 to 6 (best)")],
)
def test_the_statistic_is_named_with_its_bounds_and_its_better_end(best: Any, bounds: str) -> None:
    catalogue = game({**BETWEEN, **({"best": best} if best else {})}, units=[nerve(1)])
    values = only(judged(catalogue, "soldier")).values
    assert (values["stat"], str(values["bounds"])) == ("nerve", bounds)


def sbh_report(*profiles: dict[str, Any]) -> Any:
    units = [{"profile": profile, "models": 1} for profile in profiles]
    return judge(shipped_library().catalogue("sbh", []), *units, limit=300)


def own(*abilities: Any, name: str = "Ann") -> dict[str, Any]:
    uses = [use if isinstance(use, dict) else {"ability": use} for use in abilities]
    return {"name": name, "stats": {"quality": 3, "combat": 3}, "abilities": uses}


def test_lethal_without_a_target_is_an_error_and_with_one_it_is_not() -> None:
    finding = only(sbh_report(own("lethal")))
    assert (finding.code, finding.units) == ("specials.lethal", ("u1",))
    assert finding.values["target"] == "kind of enemy"
    assert sbh_report(own({"ability": "lethal", "target": "Orcs"})).findings == ()


@pytest.mark.parametrize("target", ["Lethal models", "lethal", "models with Lethal"])
def test_nobody_is_lethal_against_lethal_models(target: str) -> None:
    report = sbh_report(own({"ability": "lethal", "target": target}))
    assert (only(report).code, only(report).head.id) == ("specials.lethal", "lethal-itself")
    assert said(report) == (
        f"Ann: no model may be Lethal against Lethal models (Lethal ({target}))."
    )


@pytest.mark.parametrize(
    ("profiles", "rules"),
    [
        # a weapon of a supplement is enough to aim and not for a legendary shot
        ([own("unerring-aim", "ranged-weapon")], []),
        ([own("unerring-aim", "shooter-long")], []),
        ([own("legendary-shot", "shooter-long")], []),
        ([own("legendary-shot", "ranged-weapon")], ["legendary-shot"]),
        ([own("legendary-shot", "unerring-aim")], ["aim", "legendary-shot"]),
        # twice without targets breaks both rules once each
        ([own("lethal", "lethal")], ["lethal-once", "lethal-target"]),
        # written twice excludes nothing
        ([own("big", "big")], []),
        ([own("heavy-armor", "heavy-armor")], []),
        ([own("long-move", "long-move")], []),
        # two bases of a swarm on two lines are enough
        ([own("swarm", name="Rats")], ["swarms"]),
        ([own("swarm", name="Rats"), own("swarm", name="rats")], []),
        ([own("swarm", name="Rats"), own("swarm", name="Bats")], ["swarms", "swarms"]),
        # of one name but other rules they are no swarm together
        ([own("swarm", name="Rats"), own("swarm", "fearless", name="Rats")], ["swarms", "swarms"]),
    ],
)
def test_special_rules_of_song_of_blades_ask_for_and_exclude_others(
    profiles: list[Any], rules: list[str]
) -> None:
    report = sbh_report(*profiles, own(name="Bob"), own(name="Cid"))
    assert sorted(finding.head.id for finding in report.findings) == rules


COMPLETE = rule("complete", "unit.incomplete", attributes=["side"], ratings=["chief"])


def missing(finding: Finding) -> list[str]:
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
        findings = judged(game(COMPLETE, units=[blank]), "a").findings
        told = [(missing(one), one.measured, one.allowed, one.units) for one in findings]
        assert told == ([(names, len(names), 0, ("u1",))] if names else []), blank


def test_a_second_rule_of_cards_may_ask_for_less_and_more_mildly() -> None:
    rating = rule("complete", "tiny.rating", id="rating", ratings=["chief"], severity="note")
    strict = rule("complete", "unit.incomplete", attributes=["side"])
    catalogue = game(strict, {**rating, "points": False}, units=[unit("a", None, "chief ?")])
    assert [(found.code, missing(found)) for found in judged(catalogue, "a").findings] == [
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
    assert missing(only(report)) == ["side"]


def test_without_a_rule_that_asks_nothing_is_blank() -> None:
    catalogue = game(rule("limit", count="models", max=9), units=[unit("a", None, "chief ?")])
    assert codes(judged(catalogue, "a")) == []
