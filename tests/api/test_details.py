"""What a program must know to build a list: games, units and what they may take, told in full."""

from typing import Any

import pytest

from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from tests.api.calls import DOCUMENT, Caller

pytestmark = pytest.mark.django_db

EXAMPLES = [
    example.document.to_dict()
    for examples in shipped_examples().by_system.values()
    for example in examples
]
BOOKS = [(system, book) for system, books in shipped_library().books.items() for book in books]
RANKS = {
    "format": "armylist/1",
    "system": "t9a-2023",
    "books": [{"id": "highborn-elves"}],
    "name": "Spears",
    "limit": 4500,
    "units": [{"id": "u7", "unit": "highborn-elves/citizen-spears", "models": 20}],
}


def told(caller: Caller, method: str, address: str, body: Any = None) -> Any:
    answer = caller(method, address, body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def nothing(system: str, *books: str) -> dict[str, Any]:
    return {**DOCUMENT, "system": system, "books": [{"id": book} for book in books], "units": []}


@pytest.mark.parametrize("system", shipped_library().systems)
def test_a_system_tells_the_code_and_place_of_every_finding(system: str, nobody: Caller) -> None:
    answer = told(nobody, "get", f"/systems/{system}/")
    bad = [{**one, "limit": 1, "settings": {}} for one in EXAMPLES if one["system"] == system]
    found = [
        finding
        for document in [*bad, nothing(system)]
        for finding in told(nobody, "post", "/validate/", document)["findings"]
    ]
    assert found
    assert {one["code"] for one in found} <= set(answer["codes"])
    of_system = {one["rule"] for one in found if one["rule"].startswith("/rules/")}
    assert of_system <= {rule["pointer"] for rule in answer["rules"]}


def test_a_system_tells_its_sizes_settings_and_roles(nobody: Caller) -> None:
    system = told(nobody, "get", "/systems/chainmail-2002/")
    assert system["limit"] in system["sizes"]
    terrain = next(one for one in system["settings"] if one["kind"] == "pieces")
    assert {"id", "name"} == set(terrain["values"][0])
    assert [role["id"] for role in told(nobody, "get", "/systems/t9a-2023/")["roles"]] == [
        "general"
    ]
    assert nobody("get", "/systems/nowhere/").status_code == 404


@pytest.mark.one_in(4)
@pytest.mark.parametrize(("system", "book"), BOOKS, ids=[book for _, book in BOOKS])
def test_what_a_choice_puts_into_a_document_costs_what_it_says(
    system: str, book: str, nobody: Caller
) -> None:
    """For every unit: the entry is read, is the least there is, and is what the unit tells."""
    empty = nothing(system, book)
    choices = told(nobody, "post", "/choices/", empty)
    units = shipped_library().books[system][book].units
    assert [one["unit"] for one in choices] == list(units)
    if not units:
        return
    documents = [{**empty, "units": [{"id": "u1", **one["entry"]}]} for one in choices]
    lines = told(nobody, "post", "/batch/", {"documents": documents})
    assert [line["spent"] for line in lines] == [one["points"] for one in choices]
    assert {line["problem"] for line in lines} == {""}
    assert not any("unit.too-small" in line["codes"] for line in lines)
    unit = told(
        nobody, "get", f"/systems/{system}/books/{choices[0]['unit'].replace('/', '/units/')}/"
    )
    assert unit["entry"] == choices[0]["entry"]


def test_a_unit_tells_its_sizes_and_the_bounds_of_its_options(nobody: Caller) -> None:
    unit = told(nobody, "get", "/systems/t9a-2023/books/highborn-elves/units/high-prince/")
    assert unit["size"] == {"least": 1, "most": 1}
    special = next(one for one in unit["options"] if one["groups"] and one["item"])
    assert special["group"] == special["groups"][-1]["name"]
    assert any(group["allowance"] for one in unit["options"] for group in one["groups"])
    ranks = told(nobody, "get", "/systems/t9a-2023/books/highborn-elves/units/citizen-spears/")
    assert ranks["size"]["least"] < ranks["size"]["most"]
    assert ranks["extra"] > 0
    assert told(nobody, "get", "/systems/sbh/books/profiles/units/human-warrior/")["size"] is None


def test_offers_tell_what_a_unit_may_take_as_it_stands(nobody: Caller) -> None:
    (unit,) = told(nobody, "post", "/offers/", RANKS)
    assert (unit["unit"], unit["models"]) == ("u7", 20)
    assert unit["least"] <= 20 <= unit["most"]
    assert unit["roles"] == []
    lord = {"id": "u1", "unit": "highborn-elves/high-prince", "models": 1}
    (prince,) = told(nobody, "post", "/offers/", {**RANKS, "units": [lord]})
    assert prince["roles"] == ["general"]


@pytest.mark.one_in(3)
@pytest.mark.parametrize("document", EXAMPLES, ids=[one["name"] for one in EXAMPLES])
def test_an_option_that_is_offered_can_be_taken(document: Any, nobody: Caller) -> None:
    """The first free option of each unit: written by its path it is known, and then taken."""
    for place, unit in enumerate(told(nobody, "post", "/offers/", document)):
        free = [one for one in leaves(unit["offers"]) if not one["why"] and not one["number"]]
        for offer in free[:1]:
            entry = document["units"][place]
            assert entry["id"] == unit["unit"]
            taken = {**entry, "options": [*entry.get("options", []), {"id": offer["path"]}]}
            units = [*document["units"][:place], taken, *document["units"][place + 1 :]]
            after = told(nobody, "post", "/offers/", {**document, "units": units})[place]
            (now,) = (one for one in leaves(after["offers"]) if one["path"] == offer["path"])
            assert now["number"] == 1


def leaves(offers: list[Any]) -> list[Any]:
    """The options of groups within groups, at the top of a unit."""
    found = []
    for one in offers:
        found += leaves(one["inner"]) if one["kind"] == "group" else [one]
    return [one for one in found if "/" not in one["path"]]
