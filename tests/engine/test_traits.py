"""Traits: what a model is by its statistics, special rules and options, and what stays open."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.offers import flat, offers
from tests.building.regiments import army, field, group, judge, option, unit

TRAITS = [
    {"id": "tall", "name": "tall models", "if": {"stat": "height", "value": "Tall"}, "cite": "1"},
    {"id": "on-foot", "name": "models on foot", "if": {"not": {"keyword": "ridden"}}, "cite": "2"},
    {
        "id": "wizard",
        "name": "Wizards",
        "if": {"any": [{"keyword": "sorcery"}, {"option": "adept"}, {"group": "paths"}]},
        "cite": "3",
    },
]
TALL = [{"name": "Part", "stats": {"height": "Tall"}}]
SMALL = [{"name": "Part", "stats": {"height": "small"}}]
MOUNT: dict[str, Any] = {"mount": True, "keywords": ["Ridden"]}
MOUNTS = group(
    "mounts",
    option("horse", 1, **MOUNT, profiles=SMALL),
    option("giraffe", 1, **MOUNT, profiles=TALL),
    option("shadow", 1, **MOUNT),
    choose=[0, 1],
)


def asked(condition: dict[str, Any], *options: Any, **hero: Any) -> Report:
    """What is told of a hero with a cloak that needs the condition, and these options."""
    nodes = [
        option("cloak", 1, needs=condition),
        option("adept", 1),
        group("paths", option("fire", 0), choose=[0, 1]),
        MOUNTS,
    ]
    made = army(unit("hero", 9, *nodes, **hero), traits=TRAITS)
    return judge(made, field("hero", "cloak", *options))


def answer(report: Report) -> str:
    """What became of the cloak."""
    if not report.legal:
        return "refused"
    return "kept" if report.complete else "not checked"


def test_a_statistic_is_the_models_own_or_that_of_what_it_rides() -> None:
    for hero, options, expected in [
        ({"profiles": TALL}, [], "kept"),
        ({"profiles": SMALL}, [], "refused"),
        ({}, [], "not checked"),
        ({"profiles": SMALL}, ["giraffe"], "kept"),
        ({"profiles": TALL}, ["horse"], "refused"),
        ({"profiles": TALL}, ["shadow"], "not checked"),
        ({}, ["giraffe"], "kept"),
    ]:
        assert answer(asked({"is": "tall"}, *options, **hero)) == expected, (hero, options)
        turned = {"kept": "refused", "refused": "kept"}.get(expected, expected)
        assert answer(asked({"not": {"is": "tall"}}, *options, **hero)) == turned, (hero, options)


def test_a_special_rule_is_the_units_or_that_of_an_option() -> None:
    cases: list[tuple[dict[str, Any], list[str], str]] = [
        ({}, [], "refused"),
        ({"keywords": ["Sorcery"]}, [], "kept"),
        ({}, ["adept"], "kept"),
        ({}, ["fire"], "kept"),
        ({"sparse": True}, [], "not checked"),
        ({"sparse": True}, ["fire"], "kept"),
        ({"sparse": True, "without": ["sorcery"]}, [], "refused"),
        ({"keywords": [{"name": "Sorcery", "if": {"taken": "horse"}}]}, [], "refused"),
        ({"keywords": [{"name": "Sorcery", "if": {"taken": "horse"}}]}, ["horse"], "kept"),
    ]
    for hero, options, expected in cases:
        assert answer(asked({"is": "wizard"}, *options, **hero)) == expected, (hero, options)


def test_a_mount_brings_its_rules_even_where_it_has_no_stat_line() -> None:
    assert answer(asked({"is": "on-foot"})) == "kept"
    assert answer(asked({"is": "on-foot"}, "shadow")) == "refused"
    assert answer(asked({"is": "on-foot"}, sparse=True)) == "not checked"
    assert answer(asked({"is": "on-foot"}, sparse=True, without=["ridden"])) == "kept"


def test_a_statistic_that_moves_is_asked_as_it_stands() -> None:
    moving = [{**SMALL[0], "when": [{"if": {"taken": "adept"}, "set": {"height": "Tall"}}]}]
    assert answer(asked({"is": "tall"}, profiles=moving)) == "refused"
    assert answer(asked({"is": "tall"}, "adept", profiles=moving)) == "kept"


def test_what_is_open_stays_open_only_where_nothing_else_decides() -> None:
    for condition, hero, expected in [
        ({"all": [{"is": "tall"}, {"is": "on-foot"}]}, {"profiles": TALL}, "kept"),
        ({"all": [{"is": "tall"}, {"taken": "adept"}]}, {}, "refused"),
        ({"all": [{"is": "tall"}, {"taken": "cloak"}]}, {}, "not checked"),
        ({"any": [{"is": "tall"}, {"taken": "cloak"}]}, {}, "kept"),
        ({"any": [{"is": "tall"}, {"taken": "adept"}]}, {}, "not checked"),
    ]:
        assert answer(asked(condition, **hero)) == expected, condition


def test_the_words_name_who_is_meant() -> None:
    (finding,) = asked({"is": "tall"}, profiles=SMALL).findings
    assert finding.values["why"] == "only for tall models"
    (finding,) = asked({"not": {"is": "on-foot"}}).findings
    assert finding.values["why"] == "not for models on foot"
    (question,) = asked({"is": "tall"}).unchecked
    assert (question.unit, question.name) == ("Hero", "Cloak")
    assert question.sentence == "Hero: Cloak, only for tall models."
    assert "stat line" in question.reason
    assert question.citation == "The Tiny Horde"


def test_what_the_book_cannot_say_is_told_where_it_applies() -> None:
    words = [{"what": "only for twins", "why": "sentence"}]
    sometimes = [{"what": "one for each heir", "why": "condition", "if": {"taken": "ring"}}]
    nodes = [
        option("ring", 1, unchecked=words),
        group("gems", option("ruby", 1), unchecked=[{"what": "never two", "why": "condition"}]),
    ]
    made = army(unit("hero", 9, *nodes, unchecked=sometimes))
    assert judge(made, field("hero")).complete
    told = [one.sentence for one in judge(made, field("hero", "ring", "ruby")).unchecked]
    assert told == [
        "Hero, one for each heir.",
        "Hero: Ring, only for twins.",
        "Hero: Ruby, never two.",
    ]


def test_a_unit_that_may_not_be_had_for_all_we_know_is_not_refused() -> None:
    made = army(unit("hero", 9, needs={"is": "tall"}), traits=TRAITS)
    report = judge(made, field("hero"))
    assert (report.legal, report.complete) == (True, False)
    short = army(unit("hero", 9, needs={"is": "tall"}, profiles=SMALL), traits=TRAITS)
    assert not judge(short, field("hero")).legal


@pytest.mark.parametrize("place", ["option", "group", "unit", "book"])
def test_what_stays_open_only_beside_another_counts_the_army(place: str) -> None:
    """Nothing else of the book asks how often it is there."""
    counted = {"taken": "ring", "in": "army", "at_least": 2}
    told = {"unchecked": [{"what": "never two", "why": "source", "if": counted}]}
    at = {name: told if name == place else {} for name in ("option", "group", "unit", "book")}
    ring = group("jewels", option("ring", 1, **at["option"]), **at["group"])
    made = army(unit("hero", 9, ring, **at["unit"]), **at["book"])
    assert judge(made, field("hero", "ring"), field("hero")).complete
    assert not judge(made, field("hero", "ring"), field("hero", "ring")).complete


def test_what_stays_open_is_offered_with_a_word() -> None:
    for hero, why, unchecked in [
        ({"profiles": SMALL}, "only for tall models", ""),
        ({"profiles": TALL}, "", ""),
        ({}, "", "only for tall models"),
    ]:
        report = asked({"is": "tall"}, **hero)
        (line,) = report.full.lines
        (cloak,) = [offer for offer in flat(offers(line, report)) if offer.path == "cloak"]
        assert (cloak.why, cloak.unchecked) == (why, unchecked), hero
