"""What is not understood costs what it is part of and is told; files that are refused."""

import re
from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from bookimport import make_book, read_sources
from small_files import (
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


ONCE = limit("max", 1)
#: Horns, and what is told not to be checked of each.
UNCHECKED = {
    **{entry("Horn", limit("max", 3)).replace(old, new): "how many may be taken: the file has"
       for old, new in [
           ('type="max"', 'type="exactly"'),
           ('scope="parent"', 'scope="self"'),
           ('percentValue="false"', 'percentValue="true"'),
           ('includeChildForces="false"', 'includeChildForces="maybe"'),
           ('field="selections"', 'field="forces"'),
           ('value="3"', 'value="1.5"')]},
    # a limit of a kind that no book has
    entry("Horn", ONCE, limit("min", 5, "roster", "points")): "how many must be taken",
    # what depends on a strange condition
    **{entry("Horn", ONCE, change("set", "hidden", "true", condition)): "whether it may be taken"
       for condition in [
           when("model", "equalTo", 1, scope="self"),
           when("unit", "atLeast", 1),
           when("any", "atLeast", 1, scope="roster"),
           when(CORE, "instanceOf", 1, scope="parent"),
           when("model", "instanceOf", 1),
           when("model", "atLeast", 1, field="forces"),
           when("model").replace('shared="true"', 'shared="false"')]},
    entry("Horn", ONCE, change("increment", "points", 1, repeat("unit"))): "its price",
    entry("Horn", limit("max", 1, "roster", id_=LIMIT),
          change("set", LIMIT, 2, when("model", "atLeast", 5))):
        "how many an army may have: it asks about a unit",
    entry("Horn", ONCE, change("add", "error", "Not both", when("model", "atLeast", 5))):
        "what the file calls an error there",
}  # fmt: skip


@pytest.mark.parametrize(("horn", "words"), UNCHECKED.items())
def test_what_is_not_understood_of_an_option_is_told_not_to_be_checked(
    horn: str, words: str, tmp_path: Path
) -> None:
    (told, *_) = node(spears(tmp_path, horn), "horn")["unchecked"]
    assert words in told["what"]


@pytest.mark.parametrize(("old", "new"), [
    ('hidden="false"', 'hidden="maybe"'), ('type="upgrade"', 'type="mount"'),
    ("<constraints>", "<magic/><constraints>"), ('name="Horn"', 'name="Horn" flavour="sweet"'),
])  # fmt: skip
def test_an_option_that_is_not_understood_is_left_out_and_told(
    old: str, new: str, tmp_path: Path
) -> None:
    music = group("Music", entry("Horn", ONCE).replace(old, new))
    found = book(tmp_path, unit("Spears", DRUM, music))
    assert not node(found["units"][0], "horn")
    assert found["gaps"][0]["where"] == "spears/horn"
    assert "Horn is left out (Spears › Music › Horn: " in found["gaps"][0]["what"]


@pytest.mark.parametrize(("left_out", "told"), [
    # it needs what is left out
    (unit("Spears", strange(entry("Horn", limit("min", 1), ONCE))), "Spears is left out"),
    (unit("Spears", models(1, 2, 3), models(1, 2, 3)), "more than one kind of model in a unit"),
    (entry("Ghosts", type_="unit", hidden="true"), "a unit that is always hidden"),
])  # fmt: skip
def test_a_unit_that_is_not_understood_is_left_out(
    left_out: str, told: str, tmp_path: Path
) -> None:
    found = book(tmp_path, left_out)
    assert [one["id"] for one in found["units"]] == [f"guard-{number}" for number in range(4)]
    assert told in found["gaps"][0]["what"]


def test_what_is_not_understood_costs_its_option_or_its_unit(tmp_path: Path) -> None:
    # A change by no number costs its option.
    horn = entry("Horn", limit("max", 1, id_=LIMIT), change("set", LIMIT, "lots"))
    assert not node(spears(tmp_path, horn), "horn")
    # A unit that can no longer choose what it must is left out.
    horn = strange(entry("Horn", limit("max", 1)))
    music = group("Music", limit("min", 1), limit("max", 1), horn)
    either = group("Music", limit("min", 1), limit("max", 1), horn, entry("Fife", limit("max", 1)))
    found = book(tmp_path, unit("Spears", music), unit("Bows", either))
    ids = [one["id"] for one in found["units"]]
    assert ids == ["bows", *(f"guard-{number}" for number in range(4))]
    assert node(found["units"][0], "music")["choose"] == [1, 1]
    # A unit among options costs the option.
    found = book(tmp_path, unit("Spears", DRUM, group("Mount", unit("Bear"), entry("Elk"))))
    assert node(found["units"][0], "elk")
    assert not node(found["units"][0], "bear")
    assert "a unit among the options is not understood" in found["gaps"][0]["what"]
    # A shared option is left out wherever it is used.
    horn = strange(entry("Horn", limit("max", 1), id_="abab-0000-0000-0009"))
    one = unit("Spears", DRUM, link("abab-0000-0000-0009", "Horn"))
    other = unit("Bows", DRUM, link("abab-0000-0000-0009", "Horn"))
    found = book(tmp_path, one, other, shared=(horn,))
    assert not any(node(each, "horn") for each in found["units"])
    assert len(found["units"]) == 6


def test_caps_and_changes_have_their_conditions_and_keywords_are_cut(tmp_path: Path) -> None:
    # A cap lifted under a condition is no cap there.
    king = "abab-0000-0000-0002"
    lifted = change("set", LIMIT, -1, when(king, "atLeast", 1, "roster"))
    horn = entry("Horn", limit("max", 2, "roster", id_=LIMIT), lifted)
    found = book(tmp_path, unit("Spears", horn), unit("King", id_=king))
    assert node(found["units"][0], "horn")["when"] == [
        {"if": {"taken": "king", "in": "army"}, "set": {"cap": 999}}
    ]
    # A keyword too long for a book is cut.
    found = spears(tmp_path, rule_link("Long " * 30))
    assert len(found["keywords"][0]) <= 80
    assert found["keywords"][0].endswith("…")
    # Changes in a group have the conditions of the group.
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
    # What means nothing to a list is passed over.
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
    # What is counted in the force is counted in the army.
    horn = entry("Horn", limit("max", 2, "force"))
    assert node(spears(tmp_path, horn), "horn")["cap"] == 2


def test_what_only_programs_go_by_costs_no_book(tmp_path: Path) -> None:
    cost = change("set", "hidden", "true", when("any", "atLeast", 1, "self"))
    game = system()
    game = game.replace("<gameSystem ", '<gameSystem library="false" ')
    game = game.replace(
        'hidden="false"/></costTypes>',
        f'hidden="false"><modifiers>{cost}</modifiers></costType></costTypes>',
    )
    text = catalogue(unit("Spears")).replace("<catalogue ", '<catalogue hidden="false" ')
    assert imported(tmp_path, text, game).book["units"][0]["name"] == "Spears"


def test_an_army_is_not_asked_how_much_of_a_group_it_has_and_it_is_told(tmp_path: Path) -> None:
    told = {"what": "how many may be taken: the file has “max selections in roster”",
            "why": "condition"}  # fmt: skip
    large = when("model", "atLeast", 900, "roster", "limit")
    moved = change("increment", LIMIT, 1, large)
    lance = DRUM.replace("Drum", "Lance")
    arms = group("Arms", limit("max", 2, "roster", id_=LIMIT), lance, moved)
    assert node(spears(tmp_path, arms), "arms")["unchecked"] == [told]


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
        "book.cat: Spears: more than one kind of model in a unit is not understood."
        " So it is with 1 of 1 units; the book is not made."
    )


@pytest.mark.parametrize(("old", "new"), [
    ('scope="parent"', 'scope="self"'), ('percentValue="false"', 'percentValue="true"'),
    ('field="selections"', 'field="forces"'),
])  # fmt: skip
def test_a_share_that_is_not_understood_is_no_limit_and_told(
    old: str, new: str, tmp_path: Path
) -> None:
    strange = limit("max", 3).replace(old, new)
    plain = force("Folk", categorised(CORE, "false", strange, limit("min", 2)))
    book = imported(tmp_path, catalogue(unit("Spears"), forces=(plain,))).book
    assert book["categories"] == [{"id": "core", "name": "Core", "min_units": 2}]
    (told,) = book["unchecked"]
    assert told["what"].startswith("the share of Core: the file has ")


@pytest.mark.parametrize(("moves", "more"), [
    # Judged as written, in groups too.
    (change("increment", LIMIT, 1, repeat("model", 750, "roster", field="limit", up="true")),
     {"max_units": 1, "when": [{"for_each": {"limit": 750, "round": "up"},
                                "add": {"max_units": 1}}]}),
    (change("set", LIMIT, 4), {"max_units": 4}),
    (change("increment", LIMIT, 2), {"max_units": 3}),
    # What cannot be said leaves no limit.
    (change("increment", LIMIT, 1, when("model", "greaterThan", 1, "self")), {}),
    (change("set", LIMIT, "1.5"), {}),
    (change("append", LIMIT, 2), {}),
])  # fmt: skip
@pytest.mark.parametrize("home", ["link", "group", "category"])
def test_the_limit_of_a_category_moves_as_written_or_is_none(
    moves: str, more: dict[str, Any], home: str, tmp_path: Path
) -> None:
    once = limit("max", 1, "roster", id_=LIMIT)
    game = system()
    inside = f"<modifiers>{moves}</modifiers>"
    if home == "group":
        inside = (
            f'<modifierGroups><modifierGroup type="and">{inside}</modifierGroup></modifierGroups>'
        )
    link = categorised(CORE, "false", *(() if home == "category" else (once,)))
    if home == "category":
        limits = f"<constraints>{once}</constraints><description>Words.</description>{inside}"
        old = f'<categoryEntry id="{CORE}" name="Core" hidden="false"/>'
        assert old in game
        game = game.replace(old, f"{old[:-2]}>{limits}</categoryEntry>")
    else:
        link = link.replace("</categoryLink>", f"{inside}</categoryLink>")
    book = imported(tmp_path, catalogue(unit("Spears"), forces=(force("Folk", link),)), game).book
    assert book["categories"] == [{"id": "core", "name": "Core", **more}]
    assert bool(book.get("unchecked")) == (not more)
    assert book_problems(book, shipped_library().system("t9a-2023"), "book.json") == []


def test_what_is_strange_in_a_category_costs_its_limits_and_not_the_game(tmp_path: Path) -> None:
    odd = categorised(CORE, "false", limit("max", 2, "roster")).replace(
        "</categoryLink>", "<links/></categoryLink>"
    )
    book = imported(tmp_path, catalogue(unit("Spears"), forces=(force("Folk", odd),))).book
    assert book["categories"] == [{"id": "core", "name": "Core"}]
    assert [one["what"] for one in book["unchecked"]] == [
        "the share of Core: the file has <links> in <categoryLink>"
    ]


FOLK = force("Folk", categorised(CORE))


@pytest.mark.parametrize(("old", "new", "told"), [
    ("</forceEntry>", f"<forceEntries>{force('Wing', id_=FORCE)}</forceEntries></forceEntry>",
     "book.cat: Folk: forces within a force are not understood yet."),
    ("<categoryLinks>", f"<constraints>{limit('min', 2)}</constraints><categoryLinks>",
     "a limit of forces is not understood yet"),
])  # fmt: skip
def test_a_force_that_is_not_understood_is_refused(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    assert told in refusal(tmp_path, unit("Spears"), forces=(FOLK.replace(old, new),))


ONE, TWO = "abab-0000-0000-0002", "abab-0000-0000-0003"
CIRCLE = (
    entry("One", ONCE, link(TWO, "Two"), id_=ONE),
    entry("Two", ONCE, link(ONE, "One"), id_=TWO),
)
WITHOUT_FORCE = re.sub(
    "<forceEntries>.*</forceEntries>", "", catalogue(unit("Spears", category=BEASTS)), flags=re.S
)


@pytest.mark.parametrize(("text", "told"), [
    (catalogue(), "book.cat: the catalogue has no units."),
    *((catalogue(unit("Spears")).replace('Version="2.03"', f'Version="{version}"'),
       f"book.cat: it is of BattleScribe {version}, too old")
      for version in ("2.01", "2.00", "1.15")),
    (catalogue(unit("Spears", link(ONE, "One")), shared=CIRCLE), "lead in a circle"),
    (catalogue(unit("Spears"), of="abab-0000-0000-0004"), "belongs to another game system"),
    (WITHOUT_FORCE, "has no force"),
])  # fmt: skip
def test_a_book_that_cannot_be_read_is_refused(text: str, told: str, tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=told):
        imported(tmp_path, text)


def test_a_game_with_two_kinds_of_cost_is_refused_where_both_are_paid(tmp_path: Path) -> None:
    gold = "abab-0000-0000-0005"
    both = system().replace(
        "</costTypes>", f'<costType id="{gold}" name="gold" hidden="false"/></costTypes>'
    )
    imported(tmp_path, catalogue(unit("Spears", price(2))), both)
    paid = price(2).replace("</costs>", f'<cost name="gold" typeId="{gold}" value="1.0"/></costs>')
    assert refusal(tmp_path, unit("Spears", paid), game=both) == (
        "game.gst: units have 2 kinds of cost (pts, gold), which is not understood yet."
    )


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


WIDE = taken(HORN).replace('includeChildForces="false"', 'includeChildForces="true"')
NO_DRUM_OR_NO_FLAG = {"any": [{"not": {"taken": "drum"}}, {"not": {"taken": "flag"}}]}


@pytest.mark.parametrize(("condition", "asked"), [
    # a group of conditions may hold groups, and these may, too
    (any_of(taken(HORN), any_of(taken(DRUMS), taken(FLAG), op="and")),
     {"not_with": ["horn"], "needs": NO_DRUM_OR_NO_FLAG}),
    (any_of(taken(HORN), any_of(taken(DRUMS), any_of(taken(FLAG)))),
     {"not_with": ["horn", "drum", "flag"]}),
    # not equal is the opposite of equal
    (when(HORN, "notEqualTo", 1), {"needs": {"taken": "horn"}}),
    (when(HORN, "notEqualTo", 0), {"not_with": ["horn"]}),
    # forces within the force change nothing, as there are none
    (WIDE, {"not_with": ["horn"]}), (taken(HORN), {"not_with": ["horn"]}),
])  # fmt: skip
def test_conditions_are_understood_however_they_are_put(
    condition: str, asked: dict[str, Any], tmp_path: Path
) -> None:
    assert needs(tmp_path, condition) == asked
