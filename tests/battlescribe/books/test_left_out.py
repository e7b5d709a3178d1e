"""What is not understood costs what it is part of, and is told: a limit or change is not checked,
an option or a unit is left out. The rest of the book stays.
"""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import book_problems, shipped_library
from tests.building.battlescribe import (
    CORE,
    any_of,
    catalogue,
    change,
    entry,
    group,
    group_of,
    imported,
    limit,
    link,
    models,
    node,
    price,
    repeat,
    rule_link,
    unit,
    when,
)

LIMIT = "abab-0000-0000-0001"
DRUM = entry("Drum", limit("max", 1))


def book(folder: Path, *units: str, **more: Any) -> dict[str, Any]:
    """Return the book of these units beside some that are plain; it passes all checks."""
    plain = [unit(f"Guard {number}") for number in range(4)]
    found = imported(folder, catalogue(*units, *plain, **more)).book
    assert book_problems(found, shipped_library().system("t9a-2023"), "book.json") == []
    return found


def spears(folder: Path, *parts: str, **more: Any) -> dict[str, Any]:
    """Return the unit that has these parts beside a drum, which stays."""
    found = book(folder, unit("Spears", DRUM, *parts), **more)["units"][0]
    assert node(found, "drum")
    return dict(found)


def strange(text: str) -> str:
    """Return an option with an element that nobody knows."""
    return text.replace("<constraints>", "<x/><constraints>")


def told(found: dict[str, Any]) -> str:
    return " ".join(one["what"] for one in found.get("unchecked", ()))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="max"', 'type="exactly"'),
        ('scope="parent"', 'scope="self"'),
        ('percentValue="false"', 'percentValue="true"'),
        ('includeChildForces="false"', 'includeChildForces="maybe"'),
        ('field="selections"', 'field="forces"'),
        ('value="3"', 'value="1.5"'),
    ],
)
def test_a_limit_that_is_not_understood_is_not_checked(tmp_path: Path, old: str, new: str) -> None:
    horn = entry("Horn", limit("max", 3)).replace(old, new)
    assert "how many may be taken: the file has" in told(node(spears(tmp_path, horn), "horn"))


def test_a_limit_of_a_kind_that_no_book_has_is_not_checked(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1), limit("min", 5, "roster", "points"))
    assert "how many must be taken" in told(node(spears(tmp_path, horn), "horn"))


def test_an_option_that_is_not_understood_is_left_out_and_told(tmp_path: Path) -> None:
    cases: list[tuple[str, str]] = [
        ('hidden="false"', 'hidden="maybe"'),
        ('type="upgrade"', 'type="mount"'),
        ("<constraints>", "<magic/><constraints>"),
        ('name="Horn"', 'name="Horn" flavour="sweet"'),
    ]
    for old, new in cases:
        horn = entry("Horn", limit("max", 1)).replace(old, new)
        found = book(tmp_path, unit("Spears", DRUM, group("Music", horn)))
        assert not node(found["units"][0], "horn"), old
        assert found["gaps"][0]["where"] == "spears/horn", old
        assert "Horn is left out (Spears › Music › Horn: " in found["gaps"][0]["what"], old


def test_a_unit_that_needs_what_is_left_out_is_left_out_with_it(tmp_path: Path) -> None:
    horn = entry("Horn", limit("min", 1), limit("max", 1)).replace(
        "<constraints>", "<x/><constraints>"
    )
    found = book(tmp_path, unit("Spears", horn))
    assert [one["id"] for one in found["units"]] == [f"guard-{number}" for number in range(4)]
    assert "Spears is left out" in found["gaps"][0]["what"]


def test_a_unit_that_can_no_longer_choose_what_it_must_is_left_out(tmp_path: Path) -> None:
    horn = strange(entry("Horn", limit("max", 1)))
    music = group("Music", limit("min", 1), limit("max", 1), horn)
    either = group("Music", limit("min", 1), limit("max", 1), horn, entry("Fife", limit("max", 1)))
    found = book(tmp_path, unit("Spears", music), unit("Bows", either))
    ids = [one["id"] for one in found["units"]]
    assert ids == ["bows", *(f"guard-{number}" for number in range(4))]
    assert node(found["units"][0], "music")["choose"] == [1, 1]


def test_what_depends_on_a_strange_condition_is_not_checked(tmp_path: Path) -> None:
    cases: list[str] = [
        when("model", "equalTo", 1, scope="self"),
        when("unit", "atLeast", 1),
        when("any", "atLeast", 1, scope="roster"),
        when(CORE, "instanceOf", 1, scope="parent"),
        when("model", "instanceOf", 1),
        when("model", "atLeast", 1, field="forces"),
        when("model").replace('shared="true"', 'shared="false"'),
    ]
    for condition in cases:
        horn = entry("Horn", limit("max", 1), change("set", "hidden", "true", condition))
        assert "whether it may be taken" in told(node(spears(tmp_path, horn), "horn")), condition


def test_a_price_by_a_strange_count_is_not_checked(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1), change("increment", "points", 1, repeat("unit")))
    assert "its price" in told(node(spears(tmp_path, horn), "horn"))


def test_a_change_by_no_number_costs_its_option(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1, id_=LIMIT), change("set", LIMIT, "lots"))
    assert not node(spears(tmp_path, horn), "horn")


def test_a_unit_among_options_costs_the_option(tmp_path: Path) -> None:
    found = book(tmp_path, unit("Spears", DRUM, group("Mount", unit("Bear"), entry("Elk"))))
    assert node(found["units"][0], "elk")
    assert not node(found["units"][0], "bear")
    assert "a unit among the options is not understood" in found["gaps"][0]["what"]


def test_a_unit_of_two_kinds_of_models_is_left_out(tmp_path: Path) -> None:
    found = book(tmp_path, unit("Spears", models(1, 2, 3), models(1, 2, 3)))
    assert "more than one kind of model in a unit" in found["gaps"][0]["what"]
    assert len(found["units"]) == 4


def test_a_shared_option_is_left_out_wherever_it_is_used(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1), id_="abab-0000-0000-0009").replace(
        "<constraints>", "<x/><constraints>"
    )
    one = unit("Spears", DRUM, link("abab-0000-0000-0009", "Horn"))
    other = unit("Bows", DRUM, link("abab-0000-0000-0009", "Horn"))
    found = book(tmp_path, one, other, shared=(horn,))
    assert not any(node(each, "horn") for each in found["units"])
    assert len(found["units"]) == 6


def test_a_unit_that_is_always_hidden_is_left_out(tmp_path: Path) -> None:
    hidden = entry("Ghosts", type_="unit", hidden="true")
    found = book(tmp_path, hidden)
    assert "a unit that is always hidden" in found["gaps"][0]["what"]


def test_a_cap_that_asks_about_a_unit_is_not_checked(tmp_path: Path) -> None:
    moved = change("set", LIMIT, 2, when("model", "atLeast", 5))
    horn = entry("Horn", limit("max", 1, "roster", id_=LIMIT), moved)
    found = spears(tmp_path, horn)
    assert "how many an army may have: it asks about a unit" in told(node(found, "horn"))


def test_a_cap_lifted_under_a_condition_is_no_cap_there(tmp_path: Path) -> None:
    king = "abab-0000-0000-0002"
    lifted = change("set", LIMIT, -1, when(king, "atLeast", 1, "roster"))
    horn = entry("Horn", limit("max", 2, "roster", id_=LIMIT), lifted)
    found = book(tmp_path, unit("Spears", horn), unit("King", id_=king))
    assert node(found["units"][0], "horn")["when"] == [
        {"if": {"taken": "king", "in": "army"}, "set": {"cap": 999}}
    ]


def test_a_keyword_too_long_for_a_book_is_cut(tmp_path: Path) -> None:
    found = spears(tmp_path, rule_link("Long " * 30))
    assert len(found["keywords"][0]) <= 80
    assert found["keywords"][0].endswith("…")


def test_changes_in_a_group_have_the_conditions_of_the_group(tmp_path: Path) -> None:
    inner = change("increment", "points", 3)
    asked = group_of("conditions", [when("model", "atLeast", 5)])
    around = f"<modifierGroup>{group_of('modifiers', [inner])}{asked}</modifierGroup>"
    horn = entry("Horn", limit("max", 1), price(2)).replace(
        "<constraints>", f"<modifierGroups>{around}</modifierGroups><constraints>"
    )
    assert node(spears(tmp_path, horn), "horn")["when"] == [
        {"if": {"models": {"at_least": 5}}, "add": {"points": 3}}
    ]


def test_what_means_nothing_to_a_list_is_passed_over(tmp_path: Path) -> None:
    more = 'name="Horn" page="7" publicationId="x" sortIndex="2" collapsible="true"'
    limited = limit("max", 1).replace("<constraint ", '<constraint comment="c" ')
    horn = entry(
        "Horn", limited, change("increment", "points", 1, any_of(when("model", "atLeast", 5)))
    )
    horn = horn.replace('name="Horn"', more).replace("<conditionGroup ", '<conditionGroup id="y" ')
    horn = horn.replace("<constraints>", "<comment>a note</comment><constraints>")
    found = spears(tmp_path, horn)
    assert "unchecked" not in node(found, "horn")
    assert node(found, "horn")["when"]


def test_what_is_counted_in_the_force_is_counted_in_the_army(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 2, "force"))
    assert node(spears(tmp_path, horn), "horn")["cap"] == 2


def test_an_error_that_the_file_words_itself_is_not_checked(tmp_path: Path) -> None:
    warned = change("add", "error", "Not both of them", when("model", "atLeast", 5))
    found = spears(tmp_path, entry("Horn", limit("max", 1), warned))
    assert told(node(found, "horn")) == "what the file calls an error there"
