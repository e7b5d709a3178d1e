"""Traits: what a model is by its statistics, special rules and options, and what stays open."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.offers import flat, offers
from tests.building.regiments import army, field, group, judge, option, unit
from tests.engine.tables import judged

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
    option("rumour", 1, **MOUNT, profiles=[{**TALL[0], "from": "another edition"}]),
    choose=[0, 1],
)


def asked(condition: dict[str, Any], options: str = "", **hero: Any) -> Report:
    """What is told of a hero with a cloak that needs the condition, and these options."""
    nodes = [
        option("cloak", 1, needs=condition),
        option("adept", 1),
        group("paths", option("fire", 0), choose=[0, 1]),
        MOUNTS,
    ]
    return judged(army(unit("hero", 9, *nodes, **hero), traits=TRAITS), f"hero +cloak {options}")


IS_TALL, IS_WIZARD, ON_FOOT = {"is": "tall"}, {"is": "wizard"}, {"is": "on-foot"}
CASTS_MOUNTED = {"keywords": [{"name": "Sorcery", "if": {"taken": "horse"}}]}
GROWS = {
    "profiles": [{**SMALL[0], "when": [{"if": {"taken": "adept"}, "set": {"height": "Tall"}}]}]
}
CLOAKED, ADEPT = {"taken": "cloak"}, {"taken": "adept"}
#: A condition, a hero and options, and what becomes of the cloak.
ANSWERS: list[tuple[dict[str, Any], dict[str, Any], str, str]] = [
    # a statistic is the model's own or that of what it rides
    (IS_TALL, {"profiles": TALL}, "", "kept"), (IS_TALL, {"profiles": SMALL}, "", "refused"),
    (IS_TALL, {}, "", "not checked"), (IS_TALL, {"profiles": SMALL}, "+giraffe", "kept"),
    (IS_TALL, {"profiles": TALL}, "+horse", "refused"), (IS_TALL, {}, "+giraffe", "kept"),
    (IS_TALL, {"profiles": TALL}, "+shadow", "not checked"),
    # one that moves is asked as it stands
    (IS_TALL, GROWS, "", "refused"), (IS_TALL, GROWS, "+adept", "kept"),
    # a special rule is the unit's or that of an option
    (IS_WIZARD, {}, "", "refused"), (IS_WIZARD, {"keywords": ["Sorcery"]}, "", "kept"),
    (IS_WIZARD, {}, "+adept", "kept"), (IS_WIZARD, {}, "+fire", "kept"),
    (IS_WIZARD, {"sparse": True}, "", "not checked"),
    (IS_WIZARD, {"sparse": True}, "+fire", "kept"),
    (IS_WIZARD, {"sparse": True, "without": ["sorcery"]}, "", "refused"),
    (IS_WIZARD, CASTS_MOUNTED, "", "refused"), (IS_WIZARD, CASTS_MOUNTED, "+horse", "kept"),
    # a mount brings its rules, even where it has no stat line
    (ON_FOOT, {}, "", "kept"), (ON_FOOT, {}, "+shadow", "refused"),
    (IS_WIZARD, {}, "+giraffe", "refused"), (IS_WIZARD, {}, "+shadow", "not checked"),
    (IS_TALL, {}, "+rumour", "kept"), (IS_WIZARD, {}, "+rumour", "not checked"),
    (ON_FOOT, {"sparse": True}, "", "not checked"),
    (ON_FOOT, {"sparse": True, "without": ["ridden"]}, "", "kept"),
    # what is open stays open only where nothing else decides
    ({"all": [IS_TALL, ON_FOOT]}, {"profiles": TALL}, "", "kept"),
    ({"all": [IS_TALL, ADEPT]}, {}, "", "refused"),
    ({"all": [IS_TALL, CLOAKED]}, {}, "", "not checked"),
    ({"any": [IS_TALL, CLOAKED]}, {}, "", "kept"),
    ({"any": [IS_TALL, ADEPT]}, {}, "", "not checked"),
]  # fmt: skip


def answer(report: Report) -> str:
    """What became of the cloak."""
    if not report.legal:
        return "refused"
    return "kept" if report.complete else "not checked"


@pytest.mark.parametrize(("condition", "hero", "options", "expected"), ANSWERS)
def test_a_trait_is_present_absent_or_unknown(
    condition: dict[str, Any], hero: dict[str, Any], options: str, expected: str
) -> None:
    assert answer(asked(condition, options, **hero)) == expected
    if condition == IS_TALL:
        turned = {"kept": "refused", "refused": "kept"}.get(expected, expected)
        assert answer(asked({"not": condition}, options, **hero)) == turned


def test_what_the_book_cannot_say_is_reported_and_refuses_nothing() -> None:
    # What the book cannot say is told where it applies.
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
    # A unit that may not be had for all we know is not refused.
    made = army(unit("hero", 9, needs={"is": "tall"}), traits=TRAITS)
    report = judge(made, field("hero"))
    assert (report.legal, report.complete) == (True, False)
    short = army(unit("hero", 9, needs={"is": "tall"}, profiles=SMALL), traits=TRAITS)
    assert not judge(short, field("hero")).legal


@pytest.mark.parametrize("place", ["option", "group", "unit", "book"])
def test_an_open_question_can_depend_on_the_army(place: str) -> None:
    """Nothing else of the book asks how often it is there."""
    counted = {"taken": "ring", "in": "army", "at_least": 2}
    told = {"unchecked": [{"what": "never two", "why": "source", "if": counted}]}
    at = {name: told if name == place else {} for name in ("option", "group", "unit", "book")}
    ring = group("jewels", option("ring", 1, **at["option"]), **at["group"])
    made = army(unit("hero", 9, ring, **at["unit"]), **at["book"])
    assert judge(made, field("hero", "ring"), field("hero")).complete
    assert not judge(made, field("hero", "ring"), field("hero", "ring")).complete


def test_the_words_name_who_is_meant_in_findings_and_offers() -> None:
    # The words name who is meant.
    (finding,) = asked({"is": "tall"}, profiles=SMALL).findings
    assert finding.values["why"] == "only for tall models"
    (finding,) = asked({"not": {"is": "on-foot"}}).findings
    assert finding.values["why"] == "not for models on foot"
    (question,) = asked({"is": "tall"}).unchecked
    assert (question.unit, question.name) == ("Hero", "Cloak")
    assert question.sentence == "Hero: Cloak, only for tall models."
    assert "stat line" in question.reason
    assert question.citation == "The Tiny Horde"
    # What stays open is offered with a word.
    for hero, why, unchecked in [
        ({"profiles": SMALL}, "only for tall models", ""),
        ({"profiles": TALL}, "", ""),
        ({}, "", "only for tall models"),
    ]:
        report = asked({"is": "tall"}, **hero)
        (line,) = report.full.lines
        (cloak,) = [offer for offer in flat(offers(line, report)) if offer.path == "cloak"]
        assert (cloak.why, cloak.unchecked) == (why, unchecked), hero
