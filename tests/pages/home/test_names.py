"""What lists are called that nobody has named."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.battlescribe.rosters import write_ros
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import free_name
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.loading.limits import MAX_NAME

pytestmark = pytest.mark.django_db

ELVES = {"limit": 4500, "books": ["highborn-elves"]}


def latest_name() -> str:
    return Version.objects.latest("pk").document.name


@pytest.mark.parametrize("how", ["", "random/"])
def test_a_new_list_is_called_after_its_book_and_size(how: str) -> None:
    for system, fields, name in (
        ("t9a-2023", ELVES, "Highborn Elves 4500"),
        ("sbh", {"limit": 300, "books": ["profiles"]}, "Warband 300"),
        ("chainmail-2002", {"limit": 100, "books": ["practice"]}, "Warband 100"),
    ):
        Client().post(f"/new/{system}/{how}", {**fields, "name": ""})
        assert latest_name() == name


def test_a_name_is_numbered_where_the_holder_has_it_already(client: Client) -> None:
    for _ in range(3):
        client.post("/new/t9a-2023/", ELVES)
    names = set(ArmyList.objects.values_list("name", flat=True))
    assert names == {"Highborn Elves 4500", "Highborn Elves 4500 (2)", "Highborn Elves 4500 (3)"}
    Client().post("/new/t9a-2023/", ELVES)
    assert latest_name() == "Highborn Elves 4500"
    # A deleted list takes no name.
    gone = ArmyList.objects.get(name="Highborn Elves 4500 (2)").pk
    client.post(f"/lists/{gone}/delete/")
    client.post("/new/t9a-2023/", ELVES)
    assert latest_name() == "Highborn Elves 4500 (2)"
    # An example opened twice is numbered.
    for name in ("Gruk’s Green Flood", "Gruk’s Green Flood (2)"):
        client.post("/new/sbh/example/gruks-green-flood/")
        assert latest_name() == name
    # A name that was written stays as it is.
    for _ in range(2):
        client.post("/new/t9a-2023/", {**ELVES, "name": "My elves"})
        assert latest_name() == "My elves"


def test_the_name_of_a_list_follows_its_size_until_somebody_names_it(client: Client) -> None:
    for _ in range(2):
        client.post("/new/t9a-2023/", ELVES)
    army = f"/lists/{Version.objects.latest('pk').army_list_id}/"

    def act(act: str, **fields: object) -> str:
        seen = {"version": Version.objects.latest("pk").pk, "act": act}
        headers = {"HX-Request": "true"}
        answer = client.post(f"{army}act/", {**seen, **fields}, headers=headers)
        assert latest_name() in answer.content.decode()
        return latest_name()

    assert act("limit", limit=1500) == "Highborn Elves 1500 (2)"
    assert act("rename", name="Elves of 1500") == "Elves of 1500"
    assert act("limit", limit=4500) == "Elves of 1500"


def test_the_name_of_a_warband_follows_its_size_whatever_its_faction_is_by_then(
    client: Client,
) -> None:
    client.post("/new/chainmail-2002/", {"limit": 100, "books": ["practice"]})
    for act in ({"act": "setting", "setting": "faction", "value": "thalos"}, {"limit": 140}):
        version = Version.objects.latest("pk")
        fields = {"version": version.pk, "act": "limit", **act}
        assert client.post(f"/lists/{version.army_list_id}/act/", fields).status_code == 302
    assert latest_name() == "Warband 140"


def test_a_text_without_a_name_is_called_after_its_book_and_size(client: Client) -> None:
    fields = {"text": "25 Citizen Spears\n", "system": "t9a-2023", "book": "highborn-elves"}
    for name in ("Highborn Elves 4500", "Highborn Elves 4500 (2)"):
        client.post("/lists/paste/", {**fields, "shown_system": "t9a-2023", "go": "make"})
        assert latest_name() == name


def test_a_roster_without_a_name_is_called_after_its_book_and_size(client: Client) -> None:
    example = shipped_examples().find("t9a-2023", "the-princes-dragon")
    assert example is not None
    raw = write_ros(example.document, shipped_library()).replace(
        "The Prince’s Dragon".encode(), b""
    )
    for name in ("Highborn Elves 4500", "Highborn Elves 4500 (2)"):
        client.post("/lists/open/", {"file": SimpleUploadedFile("army.ros", raw)})
        assert latest_name() == name


def test_a_numbered_name_is_no_longer_than_names_may_be(client: Client) -> None:
    for length in (MAX_NAME, MAX_NAME - 1, MAX_NAME - 4):
        client.post("/new/sbh/", {"limit": 300, "books": ["profiles"], "name": "x" * length})
        name = free_name(ArmyList.objects.latest("created").holder, "x" * length)
        assert name != "x" * length
        assert len(name) <= MAX_NAME
