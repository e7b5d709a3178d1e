"""What a player owns: counted, filled from lists and tables, used for advice, seen by its owner."""

import csv
import io
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.accounts.quotas import NoRoom
from armybuilder.collection import services
from armybuilder.collection.models import OwnedUnit
from armybuilder.collection.services import Owned, add_models, move_units, put_units
from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.markup import flat, lacking
from tests.queries import queries_of
from tests.takeout.everything import bring, brought, saved, unpacked

pytestmark = pytest.mark.django_db

HERE = "/collection/sbh/"


def numbers(client: Client) -> dict[str, int]:
    """What the visitor owns, by unit without its book."""
    rows = OwnedUnit.objects.filter(holder=client.session["holder"])
    return {row.ref.partition("/")[2]: row.number for row in rows}


def count(client: Client, ref: str, do: str = "more", **fields: str) -> Any:
    return client.post(f"{HERE}unit/", {"ref": ref, "do": do, **fields})


def imported(client: Client, table: str, **fields: str) -> Any:
    return client.post(f"{HERE}import/", {"kind": "table", "table": table, "go": "look", **fields})


def test_all_editions_and_custom_books_share_a_collection(client: Client) -> None:
    spears = {"ref": "highborn-elves/citizen-spears", "do": "save", "number": "30"}
    client.post("/collection/t9a-2023/unit/", spears)
    page = client.get("/collection/t9a-2024/")
    assert [row.number for row, _book in page.context["rows"]] == [30]
    assert "Citizen Spears" not in client.get("/collection/essence-of-war/").content.decode()
    shelf = Shelf(client, name="Marsh and mill")
    shelf.add()
    here = "/collection/chainmail-2002/"
    ((row, book),) = client.get(here, {"book": shelf.id}).context["rows"]
    assert (row.name, book) == ("Orc Berserker", "Marsh and mill")
    assert client.post(f"{here}unit/", {"ref": row.ref, "do": "more"}).status_code == 302
    mine = Builder(client, "chainmail-2001-basic", limit=100, books=[shelf.id])
    shown = client.get(mine.url, {"owned": "1", "view": "units"}).context["shelf"]
    assert [entry.unit.name for _, group in shown.groups for entry in group] == ["Orc Berserker"]


def test_models_are_counted_while_browsing_a_book(client: Client) -> None:
    assert "Nothing yet" in client.get(HERE).content.decode()
    browsed = client.get(HERE, {"book": "profiles", "q": "tro"})
    assert [row.name for row, _book in browsed.context["rows"]] == ["Troll"]
    assert count(client, "profiles/troll").status_code == 302
    count(client, "profiles/troll")
    count(client, "profiles/elf-archer", "fewer")
    assert numbers(client) == {"troll": 2}
    saved = count(client, "profiles/troll", "save", number="5", painted="3", note="In the red box")
    assert saved["Location"] == f"{HERE}#u-profiles/troll"
    page = client.get(HERE).content.decode()
    assert "3 painted" in page
    assert "In the red box" in page
    part = client.post(
        f"{HERE}unit/", {"ref": "profiles/troll", "do": "fewer"}, headers={"HX-Request": "true"}
    )
    assert part.content.decode().startswith("<li")
    assert numbers(client) == {"troll": 4}
    assert client.post(f"{HERE}delete/").status_code == 302
    assert numbers(client) == {}


@pytest.mark.parametrize(
    "fields",
    [{"number": "-1"}, {"number": "x"}, {"number": "2", "painted": "3"}, {"number": "9" * 9}],
)
def test_numbers_that_are_none_are_refused(client: Client, fields: dict[str, str]) -> None:
    answer = count(client, "profiles/troll", "save", **fields)
    assert answer.status_code == 422
    assert "Troll: write whole numbers" in answer.content.decode()
    fields = {"ref": "profiles/troll", "do": "save", "note": "box", **fields}
    part = client.post(f"{HERE}unit/", fields, headers={"HX-Request": "true"})
    assert (part.status_code, part.content.decode()[:3]) == (422, "<li")
    assert 'value="box"' in part.content.decode()
    assert not OwnedUnit.objects.exists()
    assert count(client, "profiles/no-such-unit").status_code == 404
    assert client.get("/collection/no-game/").status_code == 404


def test_a_collection_is_its_owners_alone(client: Client) -> None:
    count(client, "profiles/troll")
    stranger = Client()
    assert "Troll" not in stranger.get(HERE).content.decode()
    stranger.post(f"{HERE}delete/")
    count(stranger, "profiles/troll", "save", number="0")
    assert numbers(client) == {"troll": 1}
    mine = Builder(client, "sbh", limit=300, books=["profiles"])
    list_id = mine.url.strip("/").split("/")[-1]
    assert stranger.post(f"{HERE}list/", {"list": list_id, "do": "add"}).status_code == 404
    assert stranger.get(f"{HERE}together/", {"list": list_id}).context["chosen"] == 0


def test_lists_fill_a_collection_and_are_compared_with_it(client: Client) -> None:
    mine = Builder(client, "sbh", limit=300, books=["profiles"], name="First band")
    for _each in range(2):
        mine.act("add", ref="profiles/troll")
    list_id = mine.url.strip("/").split("/")[-1]
    client.post(f"{HERE}list/", {"list": list_id, "do": "raise"})
    client.post(f"{HERE}list/", {"list": list_id, "do": "raise"})
    assert numbers(client) == {"troll": 2}
    client.post(f"{HERE}list/", {"list": list_id, "do": "add"})
    assert numbers(client) == {"troll": 4}
    count(client, "profiles/troll", "save", number="3")
    other = Builder(client, "sbh", limit=300, books=["profiles"], name="Second band")
    other.act("add", ref="profiles/troll")
    assert "Missing from" not in client.get(f"{other.url}outlook/").content.decode()
    ids = [one.url.strip("/").split("/")[-1] for one in (mine, other)]
    asked = client.post("/lists/chosen/", {"do": "together", "list": ids})
    assert "is enough" in client.get(asked["Location"]).content.decode()
    other.act("add", ref="profiles/troll")
    page = client.get(f"{HERE}together/", {"list": ids}).content.decode()
    assert "Troll, 4 needed, 3 owned" in page
    assert "2 × First band, 2 × Second band" in page
    count(client, "profiles/troll", "save", number="1")
    for address in ("/lists/", f"{other.url}outlook/"):
        shown = re.sub(r"\s+", " ", client.get(address).content.decode())
        assert 'Missing from your collection</a>: <span dir="auto">1 × Troll' in shown
    client.post(f"{HERE}delete/")
    assert "Missing from" not in client.get("/lists/").content.decode()


def test_a_table_of_other_columns_is_matched_and_refused_by_row(client: Client) -> None:
    table = (
        "Figure;How many;Finished;Where\nTroll;3;1;box\nTrol;1;;\nElf Archer;many;;\n"
        "Human Warrior;2;3;\nTroll;2;1;\n;4;;"
    )
    looked = imported(client, table)
    assert [column.field for column in looked.context["read"].columns] == [
        "name", "", "painted", "note",
    ]  # fmt: skip
    looked = imported(client, table, **{"column-1": "number"})
    said = {row.number: row.mistake for row in looked.context["wrong"]}
    assert said == {
        3: "There is no unit “Trol” in the books of this game. Did you mean “Troll”?",
        4: "How many: “many” is not a whole number from 0 to 9,999.",
        5: "Painted: 3, but the number is 2.",
        7: "The unit’s name is missing.",
    }
    assert not OwnedUnit.objects.exists()
    imported(client, table, go="save", **{"column-1": "number"})
    assert not OwnedUnit.objects.exists()
    imported(client, table, go="good", **{"column-1": "number"})
    row = OwnedUnit.objects.get()
    assert (row.name, row.number, row.painted, row.note) == ("Troll", 5, 2, "box")
    imported(client, "Name,Number\nTroll,2", go="save", how="add")
    row.refresh_from_db()
    assert (row.number, row.painted) == (7, 2)
    imported(client, "Name,Number\nElf Archer,2", go="save", how="instead")
    assert numbers(client) == {"elf-archer": 2}
    for wrong in ("", "no table", "Name,Number\n" + "Troll,1\n" * 6001):
        assert imported(client, wrong).status_code == 422


def test_units_of_one_name_are_told_apart_by_their_book(client: Client) -> None:
    def shown(table: str) -> list[str]:
        fields = {"kind": "table", "table": table, "go": "look"}
        answer = client.post("/collection/t9a-2023/import/", fields)
        return [row.mistake for row in answer.context["wrong"]]

    books = shipped_library().books["t9a-2023"].values()
    homes: dict[str, list[str]] = {}
    for book in books:
        for name in book.names.values():
            homes.setdefault(name, []).append(book.name)
    name, (first, *_others) = next((n, b) for n, b in homes.items() if len(set(b)) > 1)
    assert "is in several books" in shown(f"Name,Number\n{name},1")[0]
    assert shown(f"Name,Book,Number\n{name},{first},1") == []


def test_a_collection_goes_out_as_csv_and_comes_in_the_same(client: Client) -> None:
    count(client, "profiles/troll", "save", number="5", painted="3", note='=box; two, "red"')
    count(client, "profiles/elf-archer", "save", number="0", note="wanted")
    before = list(OwnedUnit.objects.order_by("ref").values_list("ref", "number", "painted", "note"))
    content = client.get(f"{HERE}collection.csv").content
    cells = list(csv.reader(io.StringIO(content.decode())))
    assert [(row[0], *row[2:]) for row in cells[1:]] == [
        ("Elf Archer", "0", "", "wanted", "profiles/elf-archer"),
        ("Troll", "5", "3", '\'=box; two, "red"', "profiles/troll"),
    ]
    client.post(f"{HERE}delete/")
    file = SimpleUploadedFile("mine.csv", content)
    looked = client.post(f"{HERE}import/", {"kind": "table", "file": file, "go": "look"})
    assert looked.context["wrong"] == []
    imported(client, looked.context["table"], go="good")
    after = list(OwnedUnit.objects.order_by("ref").values_list("ref", "number", "painted", "note"))
    assert after == before


def test_a_list_as_text_fills_a_collection(client: Client) -> None:
    text = "Song of Blades and Heroes\n2 Troll\nElf Archer\n3 Nosuchthing of Nowhere"
    fields = {"kind": "list", "text": text}
    looked = client.post(f"{HERE}import/", {**fields, "go": "look"})
    assert sorted(looked.context["pasted"]) == [("Elf Archer", 1), ("Troll", 2)]
    assert any("Nosuchthing" in line for line in looked.context["lost"])
    assert client.post(f"{HERE}import/", {**fields, "go": "add"}).status_code == 302
    assert numbers(client) == {"troll": 2, "elf-archer": 1}


@pytest.mark.slow
def test_a_collection_of_five_thousand_rows_costs_no_more_queries(client: Client) -> None:
    count(client, "profiles/troll")
    holder = client.session["holder"]
    mine = Builder(client, "sbh", limit=300, books=["profiles"])
    mine.act("add", ref="profiles/troll")
    pages = (HERE, f"{HERE}?page=2", f"{HERE}?book=profiles", "/lists/", f"{mine.url}outlook/")
    pages += (f"{mine.url}?owned=1", f"{HERE}collection.csv")
    few = [len(queries_of(client.get, page)) for page in pages]
    many = [Owned(f"profiles/old-{number}", f"Old {number}", 1) for number in range(5000)]
    put_units(holder, "sbh", many)
    more = [len(queries_of(client.get, page)) for page in pages]
    assert all(number <= before for number, before in zip(more, few, strict=True))
    assert max(more) <= 8
    assert len(client.get(HERE).context["rows"]) == 50
    table = "Name,Number\n" + "Troll,1\n" * 5000
    assert imported(client, table).context["good"] == 1
    content = saved(client)
    assert len(unpacked(content)["collection.json"]) > 400_000
    other = Client()
    queries = queries_of(bring, other, content)
    assert len([sql for sql in queries if "collection_ownedunit" in sql]) < 60
    assert brought(other)["said"][1:] == ["5001 new units of collections."]
    bring(other, content)
    assert OwnedUnit.objects.filter(holder=other.session["holder"]).count() == 5001
    move_units(holder, "another")
    assert OwnedUnit.objects.filter(holder="another").count() == 5001


def test_a_collection_has_its_bounds(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_UNITS", 2)
    put_units("me", "sbh", [Owned("a/a", "A", 1), Owned("a/b", "B", 1)])
    with pytest.raises(NoRoom, match="at most 2 units"):
        put_units("me", "sbh", [Owned("a/c", "C", 1)])
    assert OwnedUnit.objects.count() == 2
    add_models("me", "sbh", {"a/a": 20_000}, {}, add=True)
    assert OwnedUnit.objects.get(ref="a/a").number == 9_999


def test_who_signs_in_keeps_the_rows_of_the_account(client: Client) -> None:
    put_units("old", "sbh", [Owned("a/a", "A", 1), Owned("a/b", "B", 1)])
    put_units("new", "sbh", [Owned("a/a", "A", 7)])
    assert move_units("old", "new") == 1
    rows = OwnedUnit.objects.filter(holder="new").order_by("ref")
    assert list(rows.values_list("ref", "number")) == [("a/a", 7), ("a/b", 1)]


def test_fixes_add_only_what_is_owned_where_that_is_asked(build: Callable[..., Builder]) -> None:
    mine = build("t9a-2023", limit=2000, books=["highborn-elves"])
    mine.act("add", ref="highborn-elves/high-prince")
    address = f"{mine.url}ways/"
    assert "Only what I own" not in mine.client.get(address).text
    owned = {"Citizen Spears": 60, "Sea Guard": 60, "Sword Masters": 60}
    refs = {name: f"highborn-elves/{name.lower().replace(' ', '-')}" for name in owned}
    rows = [Owned(refs[name], name, number) for name, number in owned.items()]
    put_units(mine.client.session["holder"], "The Ninth Age", rows)
    kept = flat(mine.client.get(address, {"owned": "1", "keep": "u1"}).text)
    words = (
        'aria-current="true">Only what I own',
        "?owned=1&amp;keep=u1",
        'name="owned" value="1"',
    )
    assert lacking(kept, *words) == []
    fixes = mine.client.get(address, {"owned": "1"}).context["found"]["ways"]
    assert fixes
    for fix in fixes:
        new = re.findall(r"New: (?:\d+ × )?([\w ]+?) \(", fix["said"])
        assert set(new) <= {*owned, "High Prince"}, fix["said"]


def test_units_and_advice_are_of_what_is_owned_where_that_is_asked(
    client: Client, build: Callable[..., Builder]
) -> None:
    mine = build("sbh", limit=300, books=["profiles"])
    page = mine.client.get(mine.url, {"owned": "1", "view": "units"}).content.decode()
    assert "Nothing in the books matches" in page
    owner = mine.client
    for ref, number in (("profiles/troll", "1"), ("profiles/elf-archer", "4")):
        count(owner, ref, "save", number=number)
    mine.act("add", ref="profiles/troll")
    shown = owner.get(mine.url, {"owned": "1", "view": "units"}).context["shelf"]
    assert [entry.unit.name for _, group in shown.groups for entry in group] == ["Elf Archer"]
    filling = owner.get(f"{mine.url}fill/", {"wish": "owned", "seed": "1"})
    wishes = [key for (key, _name, _chosen), _parts, _open in filling.context["wishes"]]
    assert "owned" in wishes
    for proposal in filling.context["proposals"]:
        assert {unit["name"] for unit in proposal["units"]} <= {"Elf Archer"}
    asked = owner.get(f"{mine.url}questions/", {"ask": "models", "owned": "1"})
    reply = asked.context["reply"]
    assert reply.value <= 5
    assert owner.get(f"{mine.url}outlook/", {"owned": "1"}).status_code == 200
    fields = {"limit": "300", "books": "profiles", "owned": "1"}
    made = owner.post("/new/sbh/random/", fields, follow=True)
    units = made.context["page"].document.units
    assert {unit.ref for unit in units} <= {"profiles/troll", "profiles/elf-archer"}
