"""Facts of an army of units: the game's name by size, who has what, and its wizards."""

from typing import Any

import pytest

from armybuilder.engine.facts import Fact
from tests.building.regiments import army, field, group, option, unit
from tests.building.tiny import Data, judge

FACTS: list[Data] = [
    {
        "id": "size", "kind": "size-name", "name": "Game", "cite": "8.C",
        "sizes": [[50, "Small"], [199, "Middling"]], "beyond": "Large",
    },
    {
        "id": "scoring", "kind": "who", "name": "Scoring", "cite": "21",
        "of": {"keyword": "scoring"}, "counted": True, "few": {"below": 2, "note": "Too few."},
    },
    {
        "id": "general", "kind": "who", "name": "General", "cite": "8.B", "note": "Worth more.",
        "of": {"role": "general"},
    },
    {
        "id": "wizards", "kind": "casters", "name": "Wizards", "cite": "9.G",
        "spells": {"wizard-master": 4, "wizard-adept": 2, "hedge-wizard": 1}, "paths": ["path"],
        "pathless": ["wild-magic"],
        "champions": {"option": "elder", "spells": {"coven": 3}, "health": 1},
        "notes": {
            "wizard-adept": "Two.", "hedge-wizard": "One.", "wild-magic": "None.", "coven": "Three."
        },
    },
]  # fmt: skip
APART: Data = {
    "id": "apart", "kind": "bearers", "name": "Apart", "cite": "9.H", "note": "By name.",
    "rules": [
        {"name": "Scout", "note": "First."},
        {"name": "Ambush", "also": ["Deep Ambush"], "note": "Late."},
    ],
}  # fmt: skip
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
    unit("imp", 9, PATHS, option("wizard-adept"), keywords=["Wild Magic"]),
    unit("sisters", 9, option("elder", 4), keywords=["Coven (Hex, Boon)"], size=[3, 9]),
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
    found = facts(field("spears"), field("spears"), field("shade"), field("shade"))["scoring"]
    assert (found.text, found.note) == ("2: 2 × Spears", "Not known for 2 × Shade.")
    assert found.value is None
    found = facts(field("shade"), field("shade"))["scoring"]
    assert (found.text, found.value) == ("none known", None)


def test_a_count_below_what_is_enough_has_a_note_of_its_own() -> None:
    for units, note in [
        (["mob"], "Too few."),
        (["spears"], "Too few."),
        (["spears", "spears"], ""),
        (["spears", "shade"], "Not known for Shade."),  # it may be enough
        (["mob", "mob", "shade"], "Not known for Shade. Too few."),
    ]:
        assert facts(*map(field, units))["scoring"].note == note, units


def test_a_wizard_is_told_with_its_path_and_its_spells() -> None:
    for options, text in [
        (["wizard-adept", "fire"], "Sage (Fire, 2 spells)"),
        (["wizard-master", "ice"], "Sage (Ice, 4 spells)"),
        (["wizard-adept"], "Sage (2 spells)"),
        (["wizard-adept", "fire", "ice"], "Sage (Fire or Ice, 2 spells)"),
        (["fire"], None),
    ]:
        found = facts(field("sage", *options)).get("wizards")
        assert (found.text if found else None) == text, options


def test_a_wizard_by_keyword_is_one_too_and_all_are_told_in_order() -> None:
    found = facts(field("witch", "ice", name="Nan"), field("mob"), field("sage", "wizard-master"))
    assert found["wizards"].text == "Nan (Ice, 1 spell), Sage (4 spells)"
    assert found["wizards"].units == ("u1", "u3")


def test_a_wizard_that_chooses_no_path_is_told_with_the_rule_by_which_it_does_not() -> None:
    found = facts(field("imp", "wizard-adept", "fire"))["wizards"]
    assert (found.text, found.note) == ("Imp (Wild Magic, 2 spells)", "None.")
    assert "wizards" not in facts(field("imp"))


def test_a_unit_whose_champion_is_a_wizard_is_one_only_with_its_champion() -> None:
    assert "wizards" not in facts(field("sisters", models=3))
    found = facts(field("sisters", "elder", models=3), field("sage", "wizard-adept", "ice"))
    assert found["wizards"].text == "Sisters (Elder, Coven, 3 spells), Sage (Ice, 2 spells)"
    assert found["wizards"].note == "Two. Three."


def apart(*entries: Data) -> Fact | None:
    units = (
        unit("rangers", 5, keywords=["Scout", "Skirmisher"]),
        unit("moles", 5, keywords=["Deep Ambush (Open Ground)"]),
        unit(
            "goats", 5, option("way", name="Ambush and Scout"),
            option("trick", name="Trick (not on Ambush)"),
        ),
        unit(
            "cats", 5, option("way", name='Ambush (6")'),
            keywords=[{"name": "Scout", "if": {"taken": "way"}}],
        ),
        unit("shade", 5, sparse=True),
    )  # fmt: skip
    report = judge(army(*units, facts=[APART]), *entries)
    return next((fact for _, fact in report.facts), None)


def test_who_has_a_special_rule_is_told_rule_by_rule() -> None:
    for entries, text, note in [
        ([field("rangers"), field("rangers")], "Scout: 2 × Rangers", "First. By name."),
        ([field("moles")], "Ambush: Moles (Deep Ambush, Open Ground)", "Late. By name."),
        ([field("goats", "way")], "Scout: Goats; Ambush: Goats", "First. Late. By name."),
        ([field("cats", "way")], 'Scout: Cats; Ambush: Cats (6")', "First. Late. By name."),
        ([field("goats", "trick"), field("cats")], None, None),
        ([field("shade")], "none known", "Not known for Shade. By name."),
        (
            [field("shade"), field("rangers")], "Scout: Rangers",
            "Not known for Shade. First. By name.",
        ),
        ([], None, None),
    ]:  # fmt: skip
        found = apart(*entries)
        assert (found and found.text, found and found.note) == (text, note), entries


def test_a_unit_that_has_two_of_the_rules_is_named_once_among_the_units() -> None:
    found = apart(field("goats", "way"), field("rangers"))
    assert found is not None
    assert found.units == ("u1", "u2")
