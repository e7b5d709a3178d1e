"""Special rules of a book that files spell in several ways, or call like an option."""

from typing import Any

from bookimport.spelling import spell_once, tie_to_options


def unit(*rules: str, keywords: tuple[Any, ...] = (), options: tuple[Any, ...] = ()) -> Any:
    return {
        "id": "fox", "name": "Fox", "keywords": list(keywords), "options": list(options),
        "profiles": [{"name": "Fox", "stats": {}, "rules": list(rules)}],
    }  # fmt: skip


def test_a_rule_has_the_spelling_that_the_book_has_most_often() -> None:
    book = {
        "options": [{"id": "bow", "name": "Bow", "keywords": ["Fox's Fur", "Bow [2] (3+)"]}],
        "units": [
            unit("Fox’s Fur", "Breath (Str 4, AP1)", "Cold-Blooded"),
            unit("Breath (Str 4, AP 1)", "Breath (Str 4, AP 2)", keywords=("Cold Blooded",)),
            unit(keywords=("Fox's Fur", "Fox’s Fur", "Breath (str 4, AP 1)", "Cold Blooded")),
            unit("Breath (Str 4, AP 1)"),
        ],
    }
    spell_once(book)
    first, second, third, _ = book["units"]
    assert book["options"][0]["keywords"] == ["Fox's Fur", "Bow (2) (3+)"]
    assert first["profiles"][0]["rules"] == ["Fox's Fur", "Breath (Str 4, AP 1)", "Cold Blooded"]
    # Other numbers are another rule.
    assert second["profiles"][0]["rules"] == ["Breath (Str 4, AP 1)", "Breath (Str 4, AP 2)"]
    assert third["keywords"] == ["Fox's Fur", "Breath (Str 4, AP 1)", "Cold Blooded"]


def test_a_rule_called_like_an_option_is_there_with_that_alone() -> None:
    shared = {"id": "leaper", "name": "Leaper"}
    options = (
        {"group": "kind", "name": "Kind", "options": [{"use": "leaper"}]},
        {"id": "claws", "name": "Claws"},
        {"id": "coat", "name": "Heavy Armour"},
        {"id": "tail", "name": "Tail", "number": [1, 1]},
    )
    fox = unit("Claws", "Heavy Armour", "Tail", keywords=("Leaper", "Tail"), options=options)
    tie_to_options({"options": [shared], "units": [fox]})
    # What is always there stays, and a suit is told by what is worn in its place.
    assert fox["keywords"] == [{"name": "Leaper", "if": {"taken": "leaper"}}, "Tail"]
    assert fox["profiles"][0]["rules"] == ["Heavy Armour", "Tail"]
