"""What a program must know to build a list: games, books, units, packs and what may be taken."""

from typing import Any

import pytest
from django.test import Client

from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from tests.api.calls import DOCUMENT, Caller
from tests.api.record import SPEARS

pytestmark = pytest.mark.django_db

EXAMPLES = [
    example.document.to_dict()
    for examples in shipped_examples().by_system.values()
    for example in examples
]
BOOKS = [(system, book) for system, books in shipped_library().books.items() for book in books]
ELVES = "/systems/t9a-2023/books/highborn-elves/units"


def json_of(caller: Caller, method: str, address: str, body: Any = None) -> Any:
    answer = caller(method, address, body)
    assert answer.status_code == 200, answer.content
    return answer.json()


def nothing(system: str, *books: str) -> dict[str, Any]:
    return {**DOCUMENT, "system": system, "books": [{"id": book} for book in books], "units": []}


def test_systems_books_units_and_packs_are_described(nobody: Caller) -> None:
    systems = json_of(nobody, "get", "/systems/")
    assert [system["id"] for system in systems] == list(shipped_library().systems)
    books = {book["id"]: book for system in systems for book in system["books"]}
    revision = shipped_library().books["sbh"]["profiles"].revision
    assert books["profiles"]["revision"] == revision
    book = json_of(nobody, "get", "/systems/sbh/books/profiles/")
    chief = next(unit for unit in book["units"] if unit["ref"] == "profiles/orc-warchief")
    assert (chief["points"], chief["abilities"]) == (100, ["Leader", "Tough"])
    system = json_of(nobody, "get", "/systems/chainmail-2002/")
    assert system["limit"] in system["sizes"]
    terrain = next(one for one in system["settings"] if one["kind"] == "pieces")
    assert {"id", "name"} == set(terrain["values"][0])
    roles = json_of(nobody, "get", "/systems/t9a-2023/")["roles"]
    assert [role["id"] for role in roles] == ["general"]
    assert nobody("get", "/systems/nowhere/").status_code == 404
    listed = json_of(nobody, "get", "/packs/")
    assert [one["id"] for one in listed] == list(shipped_library().packs)
    pack = json_of(nobody, "get", "/packs/raven-cup/")
    assert (pack["name"], pack["sizes"]) == ("Raven Cup", [300])
    assert pack["file"] == shipped_library().packs["raven-cup"].data
    assert nobody("get", "/packs/nobody/").status_code == 404


@pytest.mark.slow
def test_units_are_found_by_their_facts_and_listed_in_pages(nobody: Caller) -> None:
    everything = len(shipped_library().books["sbh"]["profiles"].units)
    for query in ("q=warchief", "ability=leader&points_from=100", "ability=Tough&points_to=100"):
        found = json_of(nobody, "get", f"/systems/sbh/units/?{query}")
        assert "profiles/orc-warchief" in {unit["ref"] for unit in found["results"]}, query
        assert found["count"] < everything, query
    fearless = json_of(nobody, "get", "/systems/t9a-2023/units/?group=characters&ability=fearless")
    assert fearless["count"] >= 5
    for unit in fearless["results"]:
        rules = [*unit["abilities"], *(rule for one in unit["profiles"] for rule in one["rules"])]
        assert "Fearless" in rules, unit["ref"]
        assert "characters" in unit["categories"]
    first = json_of(nobody, "get", "/systems/t9a-2023/units/?book=highborn-elves&page_size=10")
    assert first["count"] == len(shipped_library().books["t9a-2023"]["highborn-elves"].units)
    second = Client().get(first["next"]).json()
    assert len(first["results"]) == len(second["results"]) == 10
    assert first["results"] != second["results"]


@pytest.mark.parametrize("system", shipped_library().systems)
def test_a_system_lists_the_code_and_place_of_every_finding(system: str, nobody: Caller) -> None:
    answer = json_of(nobody, "get", f"/systems/{system}/")
    bad = [{**one, "limit": 1, "settings": {}} for one in EXAMPLES if one["system"] == system]
    found = [
        finding
        for document in [*bad, nothing(system)]
        for finding in json_of(nobody, "post", "/validate/", document)["findings"]
    ]
    assert found
    assert {one["code"] for one in found} <= set(answer["codes"])
    of_system = {one["rule"] for one in found if one["rule"].startswith("/rules/")}
    assert of_system <= {rule["pointer"] for rule in answer["rules"]}


@pytest.mark.one_in(36)
@pytest.mark.parametrize(("system", "book"), BOOKS, ids=[book for _, book in BOOKS])
def test_the_entry_of_a_choice_costs_its_stated_points(
    system: str, book: str, nobody: Caller
) -> None:
    """For every unit: the entry is read, is the least there is, and is what the unit tells."""
    empty = nothing(system, book)
    choices = json_of(nobody, "post", "/choices/", empty)
    units = shipped_library().books[system][book].units
    assert [one["unit"] for one in choices] == list(units)
    if not units:
        return
    documents = [{**empty, "units": [{"id": "u1", **one["entry"]}]} for one in choices]
    lines = json_of(nobody, "post", "/batch/", {"documents": documents})
    assert [line["spent"] for line in lines] == [one["points"] for one in choices]
    assert {line["problem"] for line in lines} == {""}
    assert not any("unit.too-small" in line["codes"] for line in lines)
    place = choices[0]["unit"].replace("/", "/units/")
    unit = json_of(nobody, "get", f"/systems/{system}/books/{place}/")
    assert unit["entry"] == choices[0]["entry"]


def test_a_unit_lists_its_sizes_and_options_by_their_ids_in_documents(nobody: Caller) -> None:
    unit = json_of(nobody, "get", f"{ELVES}/high-prince/")
    book = shipped_library().books["t9a-2023"]["highborn-elves"]
    known = book.units["highborn-elves/high-prince"].offer.slots
    assert {option["id"] for option in unit["options"]} == set(known)
    assert any(option["options"] for option in unit["options"])
    assert unit["profiles"]
    assert unit["size"] == {"least": 1, "most": 1}
    special = next(one for one in unit["options"] if one["groups"] and one["item"])
    assert special["group"] == special["groups"][-1]["name"]
    assert any(group["allowance"] for one in unit["options"] for group in one["groups"])
    ranks = json_of(nobody, "get", f"{ELVES}/citizen-spears/")
    assert ranks["size"]["least"] < ranks["size"]["most"]
    assert ranks["extra"] > 0
    assert (
        json_of(nobody, "get", "/systems/sbh/books/profiles/units/human-warrior/")["size"] is None
    )
    (unit,) = json_of(nobody, "post", "/offers/", SPEARS)
    assert (unit["unit"], unit["models"]) == ("u7", 20)
    assert unit["least"] <= 20 <= unit["most"]
    assert unit["roles"] == []
    lord = {"id": "u1", "unit": "highborn-elves/high-prince", "models": 1}
    (prince,) = json_of(nobody, "post", "/offers/", {**SPEARS, "units": [lord]})
    assert prince["roles"] == ["general"]


@pytest.mark.one_in(36)
@pytest.mark.parametrize("document", EXAMPLES, ids=[one["name"] for one in EXAMPLES])
def test_an_option_that_is_offered_can_be_taken(document: Any, nobody: Caller) -> None:
    """The first free option of each unit: written by its path it is known, and then taken."""
    for place, unit in enumerate(json_of(nobody, "post", "/offers/", document)):
        free = [one for one in leaves(unit["offers"]) if not one["why"] and not one["number"]]
        for offer in free[:1]:
            entry = document["units"][place]
            assert entry["id"] == unit["unit"]
            taken = {**entry, "options": [*entry.get("options", []), {"id": offer["path"]}]}
            units = [*document["units"][:place], taken, *document["units"][place + 1 :]]
            after = json_of(nobody, "post", "/offers/", {**document, "units": units})[place]
            (now,) = (one for one in leaves(after["offers"]) if one["path"] == offer["path"])
            assert now["number"] == 1


def leaves(offers: list[Any]) -> list[Any]:
    """Return the options of groups within groups, at the top of a unit."""
    found = []
    for one in offers:
        found += leaves(one["inner"]) if one["kind"] == "group" else [one]
    return [one for one in found if "/" not in one["path"]]
