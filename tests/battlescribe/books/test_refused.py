"""What a book is refused for: what concerns all of it, or most of its units."""

from pathlib import Path

import pytest

from armybuilder.loading.problems import Refusal
from tests.building.battlescribe import (
    BEASTS,
    CORE,
    FORCE,
    catalogue,
    categorised,
    entry,
    force,
    imported,
    limit,
    link,
    models,
    price,
    system,
    unit,
)


def refusal(folder: Path, *units: str, game: str = "", **more: str) -> str:
    with pytest.raises(Refusal) as caught:
        imported(folder, catalogue(*units, **more), game)
    return caught.value.sentence


@pytest.mark.parametrize("value", ["many", "1.5", "", "NaN", "Infinity", "1e99"])
def test_prices_must_be_whole(tmp_path: Path, value: str) -> None:
    horn = entry("Horn", limit("max", 1), price(value))
    assert "not a whole number" in refusal(tmp_path, unit("Spears", horn))


def test_units_of_two_kinds_of_models_are_refused_where_they_are_many(tmp_path: Path) -> None:
    mixed = unit("Spears", models(1, 2, 3), models(1, 2, 3))
    assert refusal(tmp_path, mixed) == (
        "book.cat: Spears: more than one kind of model in a unit (step 3 of"
        " docs/games-from-files.md) is not understood."
        " So it is with 1 of 1 units; the book is not made."
    )


@pytest.mark.parametrize("strange", ['scope="self"', 'percentValue="true"', 'field="forces"'])
def test_a_share_that_is_not_understood_is_refused(tmp_path: Path, strange: str) -> None:
    key = strange.partition("=")[0]
    share = limit("max", 3).replace(
        {"scope": 'scope="parent"', "percentValue": 'percentValue="false"',
         "field": 'field="selections"'}[key], strange,
    )  # fmt: skip
    plain = force("Folk", categorised(CORE, "false", share))
    said = refusal(tmp_path, unit("Spears"), forces=(plain,))
    assert said.startswith("book.cat: the share of Core: ")


def test_a_force_that_is_not_understood_is_refused(tmp_path: Path) -> None:
    inner = f"<forceEntries>{force('Wing', id_=FORCE)}</forceEntries></forceEntry>"
    nested = force("Folk", categorised(CORE)).replace("</forceEntry>", inner)
    assert refusal(tmp_path, unit("Spears"), forces=(nested,)) == (
        "book.cat: Folk: forces within a force are not understood yet (step 6 of"
        " docs/games-from-files.md)."
    )
    twice = force("Folk", categorised(CORE)).replace(
        "<categoryLinks>", f"<constraints>{limit('min', 2)}</constraints><categoryLinks>"
    )
    assert "a limit of forces is not understood yet" in refusal(
        tmp_path, unit("Spears"), forces=(twice,)
    )


def test_a_catalogue_without_units_is_refused(tmp_path: Path) -> None:
    assert refusal(tmp_path) == "book.cat: the catalogue has no units."


@pytest.mark.parametrize("version", ["2.01", "2.00", "1.15"])
def test_files_of_older_versions_are_refused(tmp_path: Path, version: str) -> None:
    text = catalogue(unit("Spears")).replace('Version="2.03"', f'Version="{version}"')
    with pytest.raises(Refusal, match=f"book.cat: it is of BattleScribe {version}, too old"):
        imported(tmp_path, text)


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


def test_a_game_with_two_kinds_of_cost_is_refused_where_both_are_paid(tmp_path: Path) -> None:
    gold = "abab-0000-0000-0005"
    both = system().replace(
        "</costTypes>", f'<costType id="{gold}" name="gold" hidden="false"/></costTypes>'
    )
    imported(tmp_path, catalogue(unit("Spears", price(2))), both)
    paid = price(2).replace("</costs>", f'<cost name="gold" typeId="{gold}" value="1.0"/></costs>')
    assert refusal(tmp_path, unit("Spears", paid), game=both) == (
        "game.gst: units have 2 kinds of cost (pts, gold), which is not understood yet (step 4 of"
        " docs/games-from-files.md)."
    )


def test_a_book_without_a_force_is_refused(tmp_path: Path) -> None:
    text = catalogue(unit("Spears", category=BEASTS))
    start, end = text.index("<forceEntries>"), text.index("</forceEntries>")
    with pytest.raises(Refusal, match="has no force"):
        imported(tmp_path, text[:start] + text[end + len("</forceEntries>") :])
