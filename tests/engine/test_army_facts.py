"""Facts of an army of units: the game's name by size, who has what, and its wizards."""

from typing import Any

import pytest

from tests.building.regiments import army, field, group, option, unit
from tests.building.tiny import Data, judge
from tests.engine.tables import judged

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
    unit("sage", 20, group("rank", option("wizard-adept", 5), option("wizard-master", 9)), PATHS),
    unit("witch", 9, PATHS, keywords=["Hedge Wizard"]),
    unit("imp", 9, PATHS, option("wizard-adept"), keywords=["Wild Magic"]),
    unit("sisters", 9, option("elder", 4), keywords=["Coven (Hex, Boon)"], size=[3, 9]),
)


def facts(text: str = "") -> dict[str, Any]:
    report = judged(army(*UNITS, facts=FACTS), text)
    return {fact.id: fact for _, fact in report.facts}


#: Lists with a fact, its text and its note; None where it is not told.
TOLD: list[tuple[str, str, str | None, str]] = [
    # the name of the first size that a game does not exceed
    *((f"| limit={limit}", "size", name, "") for limit, name in [
        (1, "Small"), (50, "Small"), (51, "Middling"), (199, "Middling"), (200, "Large")]),
    # who has what is named, and counted where that is asked
    ("spears, mob +drum, spears, mob", "scoring", "3: 2 × Spears, Mob", ""),
    ("spears, sage general", "general", "Sage", "Worth more."),
    # nobody is nothing, but a count of none is told
    ("", "general", None, ""), ("", "scoring", None, ""), ("", "wizards", None, ""),
    ("mob", "scoring", "none", "Too few."), ("mob", "general", None, ""),
    # units whose rules the book does not say are named; they may be enough
    ("spears, spears, shade, shade", "scoring", "2: 2 × Spears", "Unknown for 2 × Shade."),
    ("shade, shade", "scoring", "none known", "Unknown for 2 × Shade."),
    ("spears, shade", "scoring", "1: Spears", "Unknown for Shade."),
    # a count below what is enough has a note of its own
    ("spears", "scoring", "1: Spears", "Too few."),
    ("spears, spears", "scoring", "2: 2 × Spears", ""),
    ("mob, mob, shade", "scoring", "none known", "Unknown for Shade. Too few."),
    # a wizard is told with its path and its spells
    ("sage +wizard-adept +fire", "wizards", "Sage (Fire, 2 spells)", "Two."),
    ("sage +wizard-master +ice", "wizards", "Sage (Ice, 4 spells)", ""),
    ("sage +wizard-adept", "wizards", "Sage (2 spells)", "Two."),
    ("sage +wizard-adept +fire +ice", "wizards", "Sage (Fire or Ice, 2 spells)", "Two."),
    ("sage +fire", "wizards", None, ""),
    # one by keyword is one, too, and all are told in order
    ("witch +ice, mob, sage +wizard-master", "wizards",
     "Witch (Ice, 1 spell), Sage (4 spells)", "One."),
    # one that chooses no path is told with the rule by which it does not
    ("imp +wizard-adept +fire", "wizards", "Imp (Wild Magic, 2 spells)", "None."),
    ("imp", "wizards", None, ""),
    # a unit whose champion is a wizard is one only with its champion
    ("sisters 3", "wizards", None, ""),
    ("sisters 3 +elder, sage +wizard-adept +ice", "wizards",
     "Sisters (Elder, Coven, 3 spells), Sage (Ice, 2 spells)", "Two. Three."),
]  # fmt: skip


@pytest.mark.parametrize(("text", "fact_id", "told", "note"), TOLD)
def test_facts_of_an_army_have_their_values(
    text: str, fact_id: str, told: str | None, note: str
) -> None:
    fact = facts(text).get(fact_id)
    assert (fact and fact.text, fact.note if fact else "") == (told, note)


def test_facts_name_units_and_have_the_number_as_far_as_it_is_known() -> None:
    entries = field("spears"), field("mob", "drum", name="Bo"), field("spears"), field("mob")
    ((_, _), (_, scoring)) = judge(army(*UNITS, facts=FACTS[:2]), *entries).facts
    assert (scoring.text, scoring.value) == ("3: 2 × Spears, Bo", 3)
    assert scoring.units == ("u1", "u2", "u3")
    assert facts("spears, sage general")["general"].units == ("u2",)
    assert facts("witch, mob, sage +wizard-master")["wizards"].units == ("u1", "u3")
    assert facts("mob")["scoring"].value == 0
    assert facts("spears, spears, shade")["scoring"].value is None
    assert facts("shade")["scoring"].value is None


WAY = {"name": "Scout", "if": {"taken": "way"}}
APART_UNITS = (
    unit("rangers", 5, keywords=["Scout", "Skirmisher"]),
    unit("moles", 5, keywords=["Deep Ambush (Open Ground)"]),
    unit("goats", 5, option("way", name="Ambush and Scout"),
         option("trick", name="Trick (not on Ambush)")),
    unit("cats", 5, option("way", name='Ambush (6")'), keywords=[WAY]),
    unit("shade", 5, sparse=True),
)  # fmt: skip


@pytest.mark.parametrize(("text", "told", "note", "units"), [
    ("rangers, rangers", "Scout: 2 × Rangers", "First. By name.", ("u1", "u2")),
    ("moles", "Ambush: Moles (Deep Ambush, Open Ground)", "Late. By name.", ("u1",)),
    ("goats +way", "Scout: Goats; Ambush: Goats", "First. Late. By name.", ("u1",)),
    ("cats +way", 'Scout: Cats; Ambush: Cats (6")', "First. Late. By name.", ("u1",)),
    ("goats +trick, cats", None, None, None),
    ("shade", "none known", "Unknown for Shade. By name.", ()),
    ("shade, rangers", "Scout: Rangers", "Unknown for Shade. First. By name.", ("u2",)),
    # one that has two of the rules is named once among the units
    ("goats +way, rangers", "Scout: Goats, Rangers; Ambush: Goats", "First. Late. By name.",
     ("u1", "u2")),
    ("", None, None, None),
])  # fmt: skip
def test_facts_name_the_units_of_each_special_rule(
    text: str, told: str | None, note: str | None, units: tuple[str, ...] | None
) -> None:
    report = judged(army(*APART_UNITS, facts=[APART]), text)
    fact = next((fact for _, fact in report.facts), None)
    assert (fact and fact.text, fact and fact.note, fact and fact.units) == (told, note, units)
