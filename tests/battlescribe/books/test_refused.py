"""Files that are refused or read with care: broken ones, strange letters, conditions."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.battlescribe.books import make_book, read_sources
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from tests.building.battlescribe import (
    BEASTS,
    CORE,
    FORCE,
    any_of,
    catalogue,
    categorised,
    change,
    entry,
    force,
    group_of,
    imported,
    limit,
    link,
    models,
    node,
    price,
    system,
    unit,
    when,
)
from tests.building.zips import packed


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


HEBREW, ARABIC = "שומרי החומה", "حرس البوابة"
#: It turns what stands behind it round, wherever it is shown.
OVERRIDE = "\u202e"


def book_of(folder: Path) -> dict[str, object]:
    """The book of the files in a folder, which has no problem."""
    made = make_book(read_sources(folder), 0, "t9a-2023")
    assert book_problems(made.book, shipped_library().system("t9a-2023"), "book.json") == []
    return dict(made.book)


def names(book: dict[str, object]) -> list[str]:
    units = book["units"]
    assert isinstance(units, list)
    return [units[0]["name"], units[0]["options"][0]["name"]]


def test_names_from_right_to_left_stay_and_what_turns_text_round_does_not(tmp_path: Path) -> None:
    guard = unit(
        f"{HEBREW}{OVERRIDE}",
        models(10, 20, 5),
        entry(f"{OVERRIDE}{ARABIC}", limit("max", 1), price(5)),
    )
    (tmp_path / "game.gst").write_text(system(), encoding="utf-8")
    (tmp_path / "book.cat").write_text(catalogue(guard, name=f"{ARABIC} 2023"), encoding="utf-8")
    book = book_of(tmp_path)
    assert names(book) == [HEBREW, ARABIC]
    assert book["name"] == ARABIC


@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
def test_windows_line_ends_and_its_first_mark_change_nothing(tmp_path: Path, mark: bytes) -> None:
    spears = unit("Spears", models(10, 20, 5), entry("Horn", limit("max", 1), price(5)))
    files = {"game.gst": system(), "book.cat": catalogue(spears)}
    books = []
    for folder, end in (("unix", "\n"), ("windows", "\r\n")):
        (tmp_path / folder).mkdir()
        for name, text in files.items():
            raw = text.replace("><", f">{end}<").encode()
            raw = mark + raw if end == "\r\n" else raw
            (tmp_path / folder / name).write_bytes(raw)
        books.append(book_of(tmp_path / folder))
    assert books[0] == books[1]


def test_utf_16_is_read_as_its_first_line_says(tmp_path: Path) -> None:
    head = '<?xml version="1.0" encoding="UTF-16"?>\r\n'
    spears = unit("Spears", models(10, 20, 5), entry("Horn", limit("max", 1), price(5)))
    (tmp_path / "game.gst").write_bytes((head + system()).encode("utf-16"))
    raw = packed({"book.cat": (head + catalogue(spears)).encode("utf-16")})
    (tmp_path / "book.catz").write_bytes(raw)
    assert names(book_of(tmp_path)) == ["Spears", "Horn"]


HORN, DRUM, FLAG = (f"acac-0000-0000-000{number}" for number in (1, 2, 3))


def needs(folder: Path, *conditions: str) -> Any:
    """What an option needs that is hidden while these conditions hold."""
    hidden = change("set", "hidden", "true", *conditions)
    others = [
        entry(name, limit("max", 1), id_=id_)
        for name, id_ in (("Horn", HORN), ("Drum", DRUM), ("Flag", FLAG))
    ]
    spears = unit("Spears", *others, entry("Lute", limit("max", 1), hidden))
    lute = node(imported(folder, catalogue(spears)).book["units"][0], "lute")
    return {key: value for key, value in lute.items() if key not in ("id", "name")}


def taken(id_: str) -> str:
    return when(id_, "atLeast", 1)


def test_a_group_of_conditions_may_hold_groups(tmp_path: Path) -> None:
    both = any_of(taken(DRUM), taken(FLAG), op="and")
    either = any_of(taken(HORN)).replace("</conditionGroup>", f"{_groups(both)}</conditionGroup>")
    assert needs(tmp_path, either) == {
        "not_with": ["horn"],
        "needs": {"any": [{"not": {"taken": "drum"}}, {"not": {"taken": "flag"}}]},
    }


def test_groups_may_be_nested_deeper(tmp_path: Path) -> None:
    inner = any_of(taken(FLAG))
    middle = any_of(taken(DRUM)).replace("</conditionGroup>", f"{_groups(inner)}</conditionGroup>")
    outer = any_of(taken(HORN)).replace("</conditionGroup>", f"{_groups(middle)}</conditionGroup>")
    assert needs(tmp_path, outer) == {"not_with": ["horn", "drum", "flag"]}


def test_not_equal_is_the_opposite_of_equal(tmp_path: Path) -> None:
    assert needs(tmp_path, when(HORN, "notEqualTo", 1)) == {"needs": {"taken": "horn"}}
    assert needs(tmp_path, when(HORN, "notEqualTo", 0)) == {"not_with": ["horn"]}


def test_forces_within_the_force_change_nothing_as_there_are_none(tmp_path: Path) -> None:
    wide = taken(HORN).replace('includeChildForces="false"', 'includeChildForces="true"')
    assert needs(tmp_path, wide) == needs(tmp_path, taken(HORN)) == {"not_with": ["horn"]}


def _groups(inner: str) -> str:
    return group_of("conditionGroups", [inner])
