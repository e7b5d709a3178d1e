"""Constructs that none of our sources uses are refused, with file, place and construct."""

from pathlib import Path

import pytest

from armybuilder.loading.problems import Refusal
from tests.building.battlescribe import (
    BEASTS,
    CORE,
    catalogue,
    change,
    entry,
    group,
    imported,
    limit,
    link,
    models,
    price,
    repeat,
    system,
    unit,
    when,
)

LIMIT = "abab-0000-0000-0001"


def refusal(folder: Path, *parts: str, **more: str) -> str:
    with pytest.raises(Refusal) as caught:
        imported(folder, catalogue(unit("Spears", *parts), **more))
    return caught.value.sentence


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('type="max"', 'type="exactly"'),
        ('scope="parent"', 'scope="force"'),
        ('percentValue="false"', 'percentValue="true"'),
        ('includeChildForces="false"', 'includeChildForces="maybe"'),
        ('hidden="false"', 'hidden="maybe"'),
        ('import="true"', 'import="false"'),
        ('type="upgrade"', 'type="mount"'),
        ('field="selections"', 'field="forces"'),
        ("<constraints>", "<magic/><constraints>"),
        ('name="Horn"', 'name="Horn" flavour="sweet"'),
    ],
)
def test_an_unknown_word_names_its_place(tmp_path: Path, old: str, new: str) -> None:
    text = catalogue(unit("Spears", entry("Horn", limit("max", 1))))
    with pytest.raises(Refusal) as caught:
        imported(tmp_path, text.replace(old, new))
    assert caught.value.sentence.startswith("book.cat: ")
    assert "is not understood" in caught.value.sentence


def test_the_place_is_told_as_a_path(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1)).replace('type="max"', 'type="most"')
    assert refusal(tmp_path, group("Music", horn)) == (
        "book.cat: Spears › Music › Horn: type=“most” of <constraint> is not understood."
    )


@pytest.mark.parametrize(
    "condition",
    [
        when("model", "equalTo", 1, scope="self"),
        when("unit", "atLeast", 1),
        when("any", "atLeast", 1, scope="roster"),
        when(CORE, "instanceOf", 1, scope="parent"),
        when("model", "instanceOf", 1),
        when("model", "atLeast", 1, field="forces"),
    ],
)
def test_other_conditions_are_refused(tmp_path: Path, condition: str) -> None:
    horn = entry("Horn", limit("max", 1), change("set", "hidden", "true", condition))
    assert "is not understood" in refusal(tmp_path, horn)


@pytest.mark.parametrize("value", ["many", "1.5", "", "NaN", "Infinity", "1e99"])
def test_numbers_must_be_whole(tmp_path: Path, value: str) -> None:
    assert "not a whole number" in refusal(tmp_path, entry("Horn", limit("max", 1), price(value)))
    assert "not a whole number" in refusal(tmp_path, entry("Horn", limit("max", value)))


def test_a_change_by_no_number_is_refused(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1, id_=LIMIT), change("set", LIMIT, "lots"))
    assert "change “set lots” of a number" in refusal(tmp_path, horn)


def test_a_limit_of_an_unknown_kind_is_refused(tmp_path: Path) -> None:
    horn = entry("Horn", limit("min", 5, "roster", "points"))
    assert "is not understood there" in refusal(tmp_path, horn)


def test_two_models_in_a_unit_are_refused(tmp_path: Path) -> None:
    assert "more than one model" in refusal(tmp_path, models(1, 2, 3), models(1, 2, 3))


def test_a_unit_among_options_is_refused(tmp_path: Path) -> None:
    assert "a unit among the options" in refusal(tmp_path, group("Mount", unit("Bear")))


def test_links_in_a_circle_are_refused(tmp_path: Path) -> None:
    one, two = "abab-0000-0000-0002", "abab-0000-0000-0003"
    shared = (
        entry("One", limit("max", 1), link(two, "Two"), id_=one),
        entry("Two", limit("max", 1), link(one, "One"), id_=two),
    )
    with pytest.raises(Refusal, match="lead in a circle"):
        imported(tmp_path, catalogue(unit("Spears", link(one, "One")), shared=shared))


def test_a_book_of_another_game_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match="belongs to another game system"):
        imported(tmp_path, catalogue(unit("Spears"), of="abab-0000-0000-0004"))


def test_a_game_with_two_kinds_of_cost_is_refused(tmp_path: Path) -> None:
    twice = '<costType id="abab-0000-0000-0005" name="gold" hidden="false"/></costTypes>'
    with pytest.raises(Refusal, match="2 kinds of cost"):
        imported(tmp_path, catalogue(unit("Spears")), system().replace("</costTypes>", twice))


def test_a_repeat_of_something_unknown_is_refused(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1), change("increment", "points", 1, repeat("unit")))
    assert "is not understood" in refusal(tmp_path, horn)


def test_a_book_without_a_force_is_refused(tmp_path: Path) -> None:
    text = catalogue(unit("Spears", category=BEASTS))
    start, end = text.index("<forceEntries>"), text.index("</forceEntries>")
    with pytest.raises(Refusal, match="has no force"):
        imported(tmp_path, text[:start] + text[end + len("</forceEntries>") :])
