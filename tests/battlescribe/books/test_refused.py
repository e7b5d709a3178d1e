"""What is not understood costs what it is part of and is told; files that are refused."""

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
    system,
    unit,
    when,
)
from tests.building.zips import packed

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


def test_a_limit_that_is_not_understood_is_not_checked(tmp_path: Path) -> None:
    for old, new in [
        ('type="max"', 'type="exactly"'),
        ('scope="parent"', 'scope="self"'),
        ('percentValue="false"', 'percentValue="true"'),
        ('includeChildForces="false"', 'includeChildForces="maybe"'),
        ('field="selections"', 'field="forces"'),
        ('value="3"', 'value="1.5"'),
    ]:
        horn = entry("Horn", limit("max", 3)).replace(old, new)
        assert "how many may be taken: the file has" in told(
            node(spears(tmp_path, horn), "horn")
        ), old


def test_a_limit_of_a_kind_that_no_book_has_is_not_checked(tmp_path: Path) -> None:
    horn = entry("Horn", limit("max", 1), limit("min", 5, "roster", "points"))
    assert "how many must be taken" in told(node(spears(tmp_path, horn), "horn"))


def test_an_option_that_is_not_understood_is_left_out_and_told(tmp_path: Path) -> None:
    for old, new in [
        ('hidden="false"', 'hidden="maybe"'),
        ('type="upgrade"', 'type="mount"'),
        ("<constraints>", "<magic/><constraints>"),
        ('name="Horn"', 'name="Horn" flavour="sweet"'),
    ]:
        horn = entry("Horn", limit("max", 1)).replace(old, new)
        found = book(tmp_path, unit("Spears", DRUM, group("Music", horn)))
        assert not node(found["units"][0], "horn"), old
        assert found["gaps"][0]["where"] == "spears/horn", old
        assert "Horn is left out (Spears › Music › Horn: " in found["gaps"][0]["what"], old


def test_a_unit_that_needs_what_is_left_out_is_left_out_with_it(tmp_path: Path) -> None:
    horn = strange(entry("Horn", limit("min", 1), limit("max", 1)))
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
    for condition in [
        when("model", "equalTo", 1, scope="self"),
        when("unit", "atLeast", 1),
        when("any", "atLeast", 1, scope="roster"),
        when(CORE, "instanceOf", 1, scope="parent"),
        when("model", "instanceOf", 1),
        when("model", "atLeast", 1, field="forces"),
        when("model").replace('shared="true"', 'shared="false"'),
    ]:
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
    horn = strange(entry("Horn", limit("max", 1), id_="abab-0000-0000-0009"))
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


HORN, DRUMS, FLAG = (f"acac-0000-0000-000{number}" for number in (1, 2, 3))


def needs(folder: Path, *conditions: str) -> Any:
    """What an option needs that is hidden while these conditions hold."""
    hidden = change("set", "hidden", "true", *conditions)
    others = [
        entry(name, limit("max", 1), id_=id_)
        for name, id_ in (("Horn", HORN), ("Drum", DRUMS), ("Flag", FLAG))
    ]
    spears = unit("Spears", *others, entry("Lute", limit("max", 1), hidden))
    lute = node(imported(folder, catalogue(spears)).book["units"][0], "lute")
    return {key: value for key, value in lute.items() if key not in ("id", "name")}


def taken(id_: str) -> str:
    return when(id_, "atLeast", 1)


def test_a_group_of_conditions_may_hold_groups(tmp_path: Path) -> None:
    both = any_of(taken(DRUMS), taken(FLAG), op="and")
    assert needs(tmp_path, any_of(taken(HORN), both)) == {
        "not_with": ["horn"],
        "needs": {"any": [{"not": {"taken": "drum"}}, {"not": {"taken": "flag"}}]},
    }


def test_groups_may_be_nested_deeper(tmp_path: Path) -> None:
    nested = any_of(taken(HORN), any_of(taken(DRUMS), any_of(taken(FLAG))))
    assert needs(tmp_path, nested) == {"not_with": ["horn", "drum", "flag"]}


def test_not_equal_is_the_opposite_of_equal(tmp_path: Path) -> None:
    assert needs(tmp_path, when(HORN, "notEqualTo", 1)) == {"needs": {"taken": "horn"}}
    assert needs(tmp_path, when(HORN, "notEqualTo", 0)) == {"not_with": ["horn"]}


def test_forces_within_the_force_change_nothing_as_there_are_none(tmp_path: Path) -> None:
    wide = taken(HORN).replace('includeChildForces="false"', 'includeChildForces="true"')
    assert needs(tmp_path, wide) == needs(tmp_path, taken(HORN)) == {"not_with": ["horn"]}
