"""Edits of a player's book: what each does, what it refuses, and what comes along."""

import copy
import json
from typing import Any

import pytest

from armybuilder.authoring import checking, edits
from armybuilder.authoring.cards import CardForm, ReadCard
from armybuilder.engine.catalogue import System
from armybuilder.loading.books import build_book
from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal

LIBRARY = shipped_library()
OWN = "own-0123456789abcdef"
OTHER = "own-fedcba9876543210"
CHAINMAIL = LIBRARY.systems["chainmail-2002"]
SBH = LIBRARY.systems["sbh"]
T9A = LIBRARY.systems["t9a-2023"]

Book = dict[str, Any]


def card(book: Book, system: System = CHAINMAIL, **values: str) -> ReadCard:
    return CardForm(system, book).read({"name": "Ann", **values})


def mine(*names: str, system: System = CHAINMAIL) -> Book:
    """A book with a plain unit of each name."""
    book = edits.new_book(system, OWN, "Mine")
    for name in names:
        book, _ = edits.put_card(book, system, card(book, system, name=name))
    return book


def ids(book: Book) -> list[str]:
    return [unit["id"] for unit in book["units"]]


def refused(edit: Any, *arguments: Any, **named: Any) -> Refusal:
    with pytest.raises(Refusal) as caught:
        edit(*arguments, **named)
    return caught.value


def test_a_new_book_of_every_game_is_in_order_an_army_book_with_categories() -> None:
    for system in LIBRARY.systems.values():
        book = edits.new_book(system, OWN, "  My   book ")
        assert (book["name"], book["kind"], book["units"]) == ("My book", "own", [])
        assert book_problems(book, system, "book") == []
    book = edits.new_book(T9A, OWN, "Mine")
    assert [entry["id"] for entry in book["categories"]][:3] == ["characters", "core", "special"]
    book = edits.rename(mine(), CHAINMAIL, "Yours", "")
    assert (book["name"], book["about"]) == ("Yours", "Cards for Chainmail 2002.")
    assert refused(edits.rename, book, CHAINMAIL, " ", "").sentence == "The name is empty."
    assert refused(edits.rename, book, CHAINMAIL, "x" * 121, "").sentence == (
        "The name: 121 characters; the maximum is 120."
    )
    shipped = LIBRARY.shipped_data("sbh", "profiles")
    assert f"From the book “{shipped['name']}”." in edits.as_own(shipped, OWN)["source"]["note"]
    own = edits.as_own(mine("Ann"), OTHER)
    assert own["source"] == mine()["source"]
    assert own["name"] == "Mine"


def test_an_edit_leaves_the_old_book_alone_and_ids_stay_when_names_change() -> None:
    book = mine("Ann", "Bob")
    before = copy.deepcopy(book)
    edits.put_card(book, CHAINMAIL, card(book, abilities="Rage"))
    edits.remove_unit(book, CHAINMAIL, "ann")
    edits.move_unit(book, CHAINMAIL, "ann", 1)
    assert book == before
    book = mine("Große Ratte", "große ratte!", "鬼", "42", "x" * 120)
    assert ids(book) == ["grosse-ratte", "grosse-ratte-2", "unit-1", "unit-2", "x" * 70]
    read = CardForm(CHAINMAIL, book).read({"name": "Ratz"}, book["units"][0])
    book, unit_id = edits.put_card(book, CHAINMAIL, read, "grosse-ratte")
    assert unit_id == "grosse-ratte"
    assert book["units"][0]["name"] == "Ratz"
    assert ids(book)[0] == "grosse-ratte"
    book = mine()
    refusal = refused(edits.put_card, book, CHAINMAIL, card(book, points="many", owned="few"))
    assert refusal.sentence.startswith("Points: “many” is not a number.")


def test_abilities_of_the_book_come_and_go_with_their_cards_which_share_them() -> None:
    book = mine()
    book, unit_id = edits.put_card(book, CHAINMAIL, card(book, abilities="Rage +1, Howl"))
    assert [ability["id"] for ability in book["abilities"]] == ["rage", "howl"]
    book = edits.own_ability(book, CHAINMAIL, {"id": "rage", "summary": "Angry."})
    book = edits.remove_unit(book, CHAINMAIL, unit_id)
    assert [ability["id"] for ability in book["abilities"]] == ["rage"]
    book = mine()
    written = ["Rage", "Rage 2", "Rage -1"]
    reads = [card(book, name=f"U{n}", abilities=text) for n, text in enumerate(written)]
    book = edits.put_cards(book, CHAINMAIL, reads)
    assert book["abilities"] == [
        {"id": "rage", "name": "Rage", "rating": "plus", "rating_optional": True}
    ]
    labels = [use.label for unit in units_of(book) for use in unit.abilities]
    assert labels == ["Rage", "Rage +2", "Rage -1"]


def units_of(book: Book, system: System = CHAINMAIL) -> list[Any]:
    built, problems = build_book(book, system.apart(), "book")
    assert built is not None, problems
    return list(built.units.values())


def test_many_cards_are_taken_all_or_none_and_replacing_ones_keep_their_ids() -> None:
    book = mine()
    reads = [card(book, name="Bob"), card(book, points="many")]
    assert refused(edits.put_cards, book, CHAINMAIL, reads).sentence.startswith("Points:")
    assert ids(edits.put_cards(book, CHAINMAIL, reads[:1])) == ["bob"]
    book = mine("Ann", "Bob")
    reads = [card(book, name="BOB", points="7"), card(book, name="Cy")]
    replaced = edits.put_cards(book, CHAINMAIL, reads, replace=True)
    assert [(u["id"], u["name"], u["points"]) for u in replaced["units"]] == [
        ("ann", "Ann", None),
        ("bob", "BOB", 7),
        ("cy", "Cy", None),
    ]
    assert ids(edits.put_cards(book, CHAINMAIL, reads)) == ["ann", "bob", "bob-2", "cy"]
    book = mine("A1", "B2", "C3")
    assert ids(edits.move_unit(book, CHAINMAIL, "c3", -1)) == ["a1", "c3", "b2"]
    assert ids(edits.move_unit(book, CHAINMAIL, "a1", 9)) == ["b2", "c3", "a1"]
    before = mine("A1", "B2")
    book, unit_id = edits.copy_unit(before, CHAINMAIL, before, "a1")
    assert (ids(book), unit_id) == (["a1", "a1-2", "b2"], "a1-2")


def test_a_unit_may_be_written_as_json_and_is_refused_with_every_problem() -> None:
    raw = json.dumps({"name": "Anna", "points": 3, "lifts": []})
    book = edits.put_json(mine("Ann"), CHAINMAIL, raw, "ann")
    assert book["units"] == [{"id": "ann", "name": "Anna", "points": 3, "lifts": []}]
    raw = '{"name": "Ann", "points": 1, "abilities": ["flee", "commander"]}'
    refusal = refused(edits.put_json, mine("Bob", "Ann"), CHAINMAIL, raw, "ann")
    assert [problem.pointer for problem in refusal.problems] == [
        "/units/1/abilities/0",
        "/units/1/abilities/1",
    ]
    assert "/units" not in refusal.sentence
    assert refusal.sentence.startswith("“Ann”: Chainmail 2002 has no ability “flee”")
    for raw, sentence in (
        ("[1]", "Write one unit as a JSON object."),
        ('{"id": "bob"}', "The id of a unit cannot be changed: “ann”."),
        ('{"name": "Ann", "points": "3"}', '“Ann”: "3" is not a whole number or null.'),
        ('{"name": "Ann"}', "“Ann”: “points” is missing."),
        ('{"name": "Ann", "points": 1, "x": 1, "group": ""}', "“Ann”: “x” is not known here (and"),
        ("{", "The text is not JSON"),
        ('{"name": "\\ud800"}', "The text contains half a character"),
        ("[" * 30 + "]" * 30, "The text is nested 30 levels deep; maximum 24."),
    ):
        assert refused(edits.put_json, mine("Ann"), CHAINMAIL, raw, "ann").sentence.startswith(
            sentence
        ), raw
    for edit in (
        lambda book: edits.remove_unit(book, CHAINMAIL, "zoe"),
        lambda book: edits.copy_unit(book, CHAINMAIL, book, "zoe"),
        lambda book: edits.move_unit(book, CHAINMAIL, "zoe", 1),
        lambda book: edits.put_json(book, CHAINMAIL, "{}", "zoe"),
        lambda book: edits.put_card(book, CHAINMAIL, card(book), "zoe"),
    ):
        assert refused(edit, mine("Ann")).sentence == "That unit is no longer in the book.", edit


def test_a_book_has_a_maximum_of_units(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "MAX_UNITS", 2)
    book = mine("A1", "B2")
    sentence = "The book would have 3 units; maximum 2."
    assert refused(edits.put_card, book, CHAINMAIL, card(book)).sentence == sentence
    assert refused(edits.put_cards, book, CHAINMAIL, [card(book)]).sentence == sentence
    assert refused(edits.copy_unit, book, CHAINMAIL, book, "a1").sentence == sentence


@pytest.mark.slow
def test_a_book_has_a_maximum_of_bytes_and_abilities() -> None:
    book = mine()
    noted = [card(book, name=f"U{n}", note="ü" * 600) for n in range(900)]
    assert refused(edits.put_cards, book, CHAINMAIL, noted).sentence == (
        "The book would have 1108 KB; maximum 1024 KB."
    )
    able = [card(book, name=f"U{n}", abilities=f"Skill of {n} sorts") for n in range(501)]
    assert refused(edits.put_cards, book, CHAINMAIL, able).sentence == (
        "The book would have 501 abilities of its own; maximum 500."
    )


def test_an_uploaded_book_is_read_with_its_game_or_refused_with_a_hundred_mistakes() -> None:
    book = mine("Ann")
    read, system = edits.read_book(b"\xef\xbb\xbf" + json.dumps(book).encode(), LIBRARY)
    assert (read, system) == (book, CHAINMAIL)
    units = [{"id": f"u{n}", "name": "U", "wrong": n} for n in range(300)]
    book = {**mine(), "units": units}
    refusal = refused(edits.read_book, json.dumps(book).encode(), LIBRARY, "mine.json")
    assert len(refusal.problems) == 100
    assert refusal.problems[0].file == "mine.json"
    for raw, sentence in (
        (b"", "The file is not JSON"),
        (b"PK\x03\x04\xff", "The file is not UTF-8 text"),
        (b"[]", "The file contains no book."),
        (b'{"a": 1}', "The file contains no book."),
        (b'{"format": "armylist/1", "units": []}', "The file is an army list, not a book."),
        (b'{"format": "book/1", "units": []}', "The file does not say which game"),
        (b'{"system": "chess", "units": []}', "There is no game system “chess” here."),
        (b'{"system": "sbh", "units": []}', "The file has one error; nothing was imported."),
        (b" " * (1024 * 1024 + 1), "The file has 1025 KB; at most 1024 KB can be read."),
        (
            b'{"system": "sbh", "units": [' + b"{}," * 1000 + b"{}]}",
            "The book would have 1,001 units; maximum 1,000.",
        ),
    ):
        assert refused(edits.read_book, raw, LIBRARY).sentence.startswith(sentence), raw


@pytest.mark.one_in(9)
@pytest.mark.parametrize("system_id", sorted(LIBRARY.systems))
def test_every_shipped_book_can_become_a_players_own(system_id: str) -> None:
    system = LIBRARY.systems[system_id]
    for book_id in LIBRARY.books[system_id]:
        shipped = LIBRARY.shipped_data(system_id, book_id)
        own = edits.as_own({**shipped, "system": system_id}, OWN, "Mine")
        assert (own["id"], own["kind"], own["name"]) == (OWN, "own", "Mine")
        assert own["units"] == shipped["units"]
        assert book_problems(own, system, "book") == []


def with_rage() -> Book:
    book = mine()
    return edits.put_card(book, CHAINMAIL, card(book, abilities="Rage +1, Howl"))[0]


def test_an_own_ability_can_be_described_and_priced_without_mistakes() -> None:
    change = {"id": "rage", "name": "Wrath", "summary": " Angry. ", "points": "3"}
    book = edits.own_ability(with_rage(), CHAINMAIL, change)
    assert book["abilities"][0] == {
        "id": "rage",
        "name": "Wrath",
        "rating": "plus",
        "summary": "Angry.",
        "points": 3,
    }
    book = edits.own_ability(book, CHAINMAIL, {"id": "rage", "summary": ""})
    assert "summary" not in book["abilities"][0]
    for change, sentence in (
        ({"id": "fury"}, "That ability is no longer in the book."),
        ({"id": "rage", "name": ""}, "The name is empty."),
        ({"id": "rage", "name": "Cleave"}, "There is another ability called Cleave."),
        ({"id": "rage", "name": "howl"}, "There is another ability called howl."),
        ({"id": "rage", "rating": "much"}, "Choose how the number is written."),
        (
            {"id": "rage", "rating": "none"},
            "Cards in the book have a number after Rage; change them first.",
        ),
        ({"id": "rage", "points": "1,5"}, "Rage: “1,5” is not a whole number. Write 1 or 2."),
    ):
        assert refused(edits.own_ability, with_rage(), CHAINMAIL, change).sentence == sentence, (
            change
        )


def test_a_copied_unit_brings_its_abilities_under_other_ids_where_needed_within_a_game() -> None:
    book, unit_id = edits.copy_unit(mine("Ann"), CHAINMAIL, with_rage(), "ann")
    assert unit_id == "ann-2"
    assert book["units"][1]["abilities"] == ["rage 1", "howl"]
    assert [ability["name"] for ability in book["abilities"]] == ["Rage", "Howl"]
    again, _ = edits.copy_unit(book, CHAINMAIL, with_rage(), "ann")
    assert again["abilities"] == book["abilities"]
    book = edits.own_ability(with_rage(), CHAINMAIL, {"id": "rage", "name": "Wrath"})
    book, _ = edits.copy_unit(book, CHAINMAIL, with_rage(), "ann")
    labels = [[use.label for use in unit.abilities] for unit in units_of(book)]
    assert labels == [["Wrath +1", "Howl"], ["Rage +1", "Howl"]]
    source = LIBRARY.shipped_data("sbh", "profiles")
    sentence = refused(edits.copy_unit, mine(), CHAINMAIL, source, "human-warrior").sentence
    assert sentence == "That book is for a different game."


def army(**shield: Any) -> Book:
    """An army book with a shared group inside a shared option, and a unit that uses it."""
    items = {"group": "items", "name": "Items", "options": [{"use": "shield"}]}
    node = {"id": "shield", "name": "Shield", "points": 5, "cap": 2, **shield}
    unit = {
        "id": "guard",
        "name": "Guard",
        "points": 50,
        "categories": ["core", "walls"],
        "options": [{"use": "items"}, {"id": "horn", "name": "Horn", "not_with": ["shield"]}],
        "needs": {"not": {"taken": "guard", "in": "army", "at_least": 3}},
    }
    book = edits.new_book(T9A, OTHER, "Walls")
    book["categories"].append({"id": "walls", "name": "Walls", "max": "20%"})
    return {
        **book,
        "options": [items, node],
        "units": [unit],
        "gaps": [{"where": "guard", "what": "No stats."}],
    }


def test_a_copied_unit_brings_shared_options_and_categories_or_uses_those_there() -> None:
    source = army()
    assert book_problems(source, T9A, "book") == []
    book, unit_id = edits.copy_unit(mine(system=T9A), T9A, source, "guard")
    assert unit_id == "guard"
    assert sorted(node.get("id", node.get("group")) for node in book["options"]) == [
        "items",
        "shield",
    ]
    assert book["categories"][-1] == {"id": "walls", "name": "Walls", "max": "20%"}
    assert book["units"] == source["units"]
    assert book["gaps"] == [{"where": "guard", "what": "No stats."}]
    source = army()
    book, _ = edits.copy_unit(mine(system=T9A), T9A, source, "guard")
    again, unit_id = edits.copy_unit(book, T9A, source, "guard")
    assert again["options"] == book["options"]
    assert again["units"][1]["needs"]["not"]["taken"] == unit_id == "guard-2"
    book, _ = edits.copy_unit(mine(system=T9A), T9A, army(), "guard")
    book, _ = edits.copy_unit(book, T9A, army(points=9), "guard")
    unit = book["units"][1]
    assert unit["options"][0] == {"use": "items-2"}
    assert unit["options"][1]["not_with"] == ["shield-2"]
    shared = {node.get("id", node.get("group")): node for node in book["options"]}
    assert shared["shield-2"]["points"] == 9
    assert shared["items-2"]["options"] == [{"use": "shield-2"}]
    third, _ = edits.copy_unit(book, T9A, army(points=9), "guard")
    assert third["options"] == book["options"]
    source = army()
    source["units"].append({"id": "king", "name": "The King", "points": 9})
    source["units"][0]["needs"] = {"taken": "king", "in": "army"}
    refusal = refused(edits.copy_unit, mine(system=T9A), T9A, source, "guard")
    assert refusal.sentence == (
        "Guard refers to “The King”, which your book does not have: copy that too, or the "
        "whole book."
    )
    book, _ = edits.copy_unit(mine(system=T9A), T9A, source, "king")
    assert ids(edits.copy_unit(book, T9A, source, "guard")[0]) == ["king", "guard"]
    source = army()
    source["units"].append({"id": "king", "name": "King", "points": 9})
    source["units"][0]["needs"] = {"taken": "king", "in": "army"}
    source["units"][1]["needs"] = {"taken": "guard", "in": "army"}
    book = mine("King", system=T9A)
    refused(edits.copy_unit, mine(system=T9A), T9A, source, "guard")
    book = edits.copy_units(book, T9A, source, ["guard", "king"])
    assert ids(book) == ["king", "guard", "king-2"]
    assert book["units"][1]["needs"] == {"taken": "king-2", "in": "army"}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("book_id", sorted(LIBRARY.books["t9a-2023"]))
def test_all_units_of_an_army_book_are_copied_as_they_are(book_id: str) -> None:
    source = LIBRARY.shipped_data("t9a-2023", book_id)
    empty = mine(system=T9A)
    if "organisations" in source:
        organised = {**empty, "organisations": source["organisations"]}
        assert refused(edits.copy_units, empty, T9A, source, ids(source)).sentence
        empty = organised
    assert edits.copy_units(empty, T9A, source, ids(source))["units"] == source["units"]


@pytest.mark.slow
def test_every_shipped_unit_is_copied_whole_or_refused_with_what_is_missing() -> None:
    for book_id in ("dread-elves", "makhar", "ogre-khans"):
        source = LIBRARY.shipped_data("t9a-2023", book_id)
        copied = mine(system=T9A)
        for unit in source["units"]:
            try:
                copied, _ = edits.copy_unit(copied, T9A, source, unit["id"])
            except Refusal as refusal:
                said = refusal.sentence
            else:
                said = "refers to"
                assert copied["units"][-1]["options" if "options" in unit else "name"]
            assert "refers to" in said
        assert len(copied["units"]) > len(source["units"]) / 2
