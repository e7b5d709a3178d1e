"""Stat lines of other editions: what a book lacks is given, what it has stays."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from bookimport.other_editions import OWN_EDITION, OtherEditions

LINE = {"name": "Reed Guard", "stats": {"adv": '4"', "height": "Standard", "type": "Infantry"}}
FACT = {"from": "Marsh Folk 2022", "profiles": [LINE], "keywords": ["Scoring"]}
GAP = {"where": "reed-guard", "what": "No stat line in the source."}


def book(**more: Any) -> dict[str, Any]:
    unit = {"id": "reed-guard", "name": "Reed Guard", "points": 100, "sparse": True, **more}
    return {"id": "marsh-folk", "units": [{**unit, "options": [{"id": "spear", "name": "Spear"}]}],
            "options": [{"id": "heron", "name": "Heron", "mount": True, "keywords": ["Harnessed"]}],
            "gaps": [GAP, {"where": "heron", "what": "Something else."}]}  # fmt: skip


def completed(fact: dict[str, Any], **more: Any) -> dict[str, Any]:
    made = book(**more)
    OtherEditions({"marsh-folk": {"reed-guard": fact}}).complete(made)
    return made


def test_a_unit_without_a_stat_line_is_given_one_with_its_rules_and_where_it_is_from() -> None:
    made = completed(FACT, without=["harnessed"], keywords=["Valiant"])
    (unit,) = made["units"]
    assert unit["profiles"] == [{**LINE, "from": "Marsh Folk 2022"}]
    assert unit["keywords"] == ["Valiant", "Scoring"]
    assert "sparse" not in unit
    assert unit["without"] == ["harnessed"]
    assert list(unit).index("profiles") < list(unit).index("options")
    assert [gap["where"] for gap in made["gaps"]] == ["heron"]


def test_a_stat_line_that_the_book_has_stays_as_it_is() -> None:
    own = [{"name": "Reed Guard", "stats": {"adv": '5"'}}]
    made = completed(FACT, profiles=deepcopy(own))
    assert made["units"][0]["profiles"] == own
    assert made["units"][0]["sparse"]


def test_single_values_fill_what_the_stat_line_lacks_and_nothing_else() -> None:
    values = {"from": "2021", "values": {"adv": '9"', "hp": "1"}}
    (unit,) = completed(values, profiles=[{"name": "Guard", "stats": {"adv": '5"'}}])["units"]
    assert unit["profiles"] == [
        {"name": "Guard", "stats": {"adv": '5"', "hp": "1"}, "filled": "hp: 2021"}
    ]
    (bare,) = completed(values)["units"]
    assert "profiles" not in bare


@pytest.mark.parametrize(("rules", "leads"), [([], True), (["Not a Leader"], False)])
def test_who_may_lead_is_no_longer_open_once_the_rules_are_known(
    rules: list[str], leads: bool
) -> None:
    asked = {"what": "may lead", "why": "stat-line", "if": {"role": "general"}}
    other = {"what": "needs a bridge", "why": "sentence"}
    fact = {**FACT, "keywords": rules}
    (unit,) = completed(fact, can_lead=True, unchecked=[asked, other])["units"]
    assert unit["unchecked"] == [other]
    assert unit.get("can_lead", False) is leads


def test_rules_of_an_unsure_edition_leave_open_what_it_does_not_exclude() -> None:
    asked = {"what": "may lead", "why": "stat-line", "if": {"role": "general"}}
    fact = {**FACT, "without": ["ambush"], "unsure": True}
    (unit,) = completed(fact, without=["harnessed"], unchecked=[asked])["units"]
    assert unit["sparse"]
    assert unit["without"] == ["harnessed", "ambush"]
    assert unit["unchecked"] == [asked]
    (sure,) = completed({**FACT, "without": ["ambush"]}, unchecked=[asked])["units"]
    assert not sure.keys() & {"sparse", "unchecked"}
    assert sure["without"] == ["ambush"]


def test_a_size_says_what_a_model_is_and_leaves_its_rules_and_the_rest_open() -> None:
    size = {"from": "Marsh Folk 2025", "size": {"height": "Standard"}}
    made = completed(size)
    (unit,) = made["units"]
    assert unit["profiles"] == [
        {"name": "Reed Guard", "stats": {"height": "Standard"}, "from": "Marsh Folk 2025"}
    ]
    assert unit["sparse"]
    assert GAP in made["gaps"]


def test_a_mount_is_given_one_and_an_option_that_is_none_is_not() -> None:
    made = book()
    OtherEditions(mounts={"marsh-folk": {"heron": FACT, "spear": FACT}}).complete(made)
    assert made["options"][0]["keywords"] == ["Harnessed", "Scoring"]
    assert made["options"][0]["profiles"][0]["from"] == "Marsh Folk 2022"
    assert "profiles" not in made["units"][0]["options"][0]


def test_what_is_no_mount_is_none_and_is_told() -> None:
    made = book()
    why = {"from": "Marsh Folk 2021", "mount": False, "what": "A rite, which nobody rides."}
    OtherEditions(mounts={"marsh-folk": {"heron": why}}).complete(made)
    assert made["options"] == [{"id": "heron", "name": "Heron"}]
    assert made["gaps"][-1] == {"where": "heron", "what": "A rite, which nobody rides."}


def test_books_of_other_names_and_games_without_facts_are_left_alone(tmp_path: Path) -> None:
    made = book()
    OtherEditions({"hill-folk": {"reed-guard": FACT}}).complete(made)
    OWN_EDITION.complete(made)
    OtherEditions.read(tmp_path).complete(made)
    assert made == book()


def test_a_game_may_have_what_another_year_has(tmp_path: Path) -> None:
    one = {"editions": {"m": {"name": "Marsh Folk 2022", "source": "a"}}, "mounts": {},
           "units": {"marsh-folk": {"reed-guard": {**FACT, "from": "m"}}}}  # fmt: skip
    two = {
        "like": "one",
        "editions": {},
        "mounts": {},
        "units": {"marsh-folk": {"reed-guard": "="}},
    }
    for game, data in (("one", one), ("two", two)):
        (tmp_path / game / "facts").mkdir(parents=True)
        (tmp_path / game / "facts" / "stat_lines.json").write_text(json.dumps(data), "utf-8")
    assert OtherEditions.read(tmp_path / "two").units == {"marsh-folk": {"reed-guard": FACT}}
