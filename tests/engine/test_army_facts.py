"""Facts of an army of units: the game's name by size, who has what, and its wizards."""

from typing import Any

import pytest

from tests.engine.army import army, field, group, option, unit
from tests.engine.build import Data, judge

FACTS: list[Data] = [
    {
        "id": "size", "kind": "size-name", "name": "Game", "cite": "8.C",
        "sizes": [[50, "Small"], [199, "Middling"]], "beyond": "Large",
    },
    {
        "id": "scoring", "kind": "who", "name": "Scoring", "cite": "21",
        "of": {"keyword": "scoring"}, "counted": True,
    },
    {
        "id": "general", "kind": "who", "name": "General", "cite": "8.B", "note": "Worth more.",
        "of": {"role": "general"},
    },
    {
        "id": "wizards", "kind": "casters", "name": "Wizards", "cite": "9.G",
        "spells": {"wizard-master": 4, "wizard-adept": 2, "hedge-wizard": 1}, "paths": ["path"],
    },
]  # fmt: skip
PATHS = group("path", option("fire"), option("ice"))
UNITS = (
    unit("spears", 10, keywords=["Scoring"]),
    unit("shade", 5, sparse=True),
    unit("mob", 5, option("drum", 1, keywords=["Scoring"])),
    unit(
        "sage",
        20,
        group("rank", option("wizard-adept", 5), option("wizard-master", 9)),
        PATHS,
    ),
    unit("witch", 9, PATHS, keywords=["Hedge Wizard"]),
)


def facts(*entries: Data, limit: int = 100) -> dict[str, Any]:
    report = judge(army(*UNITS, facts=FACTS), *entries, limit=limit)
    return {fact.id: fact for _, fact in report.facts}


@pytest.mark.parametrize(
    ("limit", "name"),
    [(1, "Small"), (50, "Small"), (51, "Middling"), (199, "Middling"), (200, "Large")],
)
def test_a_game_has_the_name_of_the_first_size_it_does_not_exceed(limit: int, name: str) -> None:
    assert facts(limit=limit)["size"].text == name


def test_who_names_the_units_and_counts_them_where_asked() -> None:
    found = facts(field("spears"), field("mob", "drum", name="Bo"), field("spears"), field("mob"))[
        "scoring"
    ]
    assert (found.text, found.value) == ("3: 2 × Spears, Bo", 3)
    assert found.units == ("u1", "u2", "u3")
    found = facts(field("spears"), field("sage", roles=["general"]))["general"]
    assert (found.text, found.units, found.note) == ("Sage", ("u2",), "Worth more.")


def test_who_says_nothing_where_there_is_nobody_but_a_count_of_none_is_told() -> None:
    assert facts().keys() == {"size"}
    found = facts(field("mob"))
    assert found.keys() == {"size", "scoring"}
    assert (found["scoring"].text, found["scoring"].value) == ("none", 0)


def test_a_count_names_the_units_whose_rules_the_book_does_not_say() -> None:
    found = facts(field("spears"), field("shade"), field("shade"))["scoring"]
    assert (found.text, found.note) == ("1: Spears", "Not told of 2 × Shade.")


@pytest.mark.parametrize(
    ("options", "text"),
    [
        (["wizard-adept", "fire"], "Sage (Fire, 2 spells)"),
        (["wizard-master", "ice"], "Sage (Ice, 4 spells)"),
        (["wizard-adept"], "Sage (2 spells)"),
        (["wizard-adept", "fire", "ice"], "Sage (Fire or Ice, 2 spells)"),
        (["fire"], None),
    ],
)
def test_a_wizard_is_told_with_its_path_and_its_spells(
    options: list[str], text: str | None
) -> None:
    found = facts(field("sage", *options)).get("wizards")
    assert (found.text if found else None) == text


def test_a_wizard_by_keyword_is_one_too_and_all_are_told_in_order() -> None:
    found = facts(field("witch", "ice", name="Nan"), field("mob"), field("sage", "wizard-master"))
    assert found["wizards"].text == "Nan (Ice, 1 spell), Sage (4 spells)"
    assert found["wizards"].units == ("u1", "u3")
