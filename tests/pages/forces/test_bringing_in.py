"""Lists of games that are kept by their files, out of rosters, files and pasted texts."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.games.services import keep
from armybuilder.lists.models import ArmyList
from armybuilder.loading.forcelist import ForceList
from tests.kept_games.files import catalogue, stored, unit
from tests.markup import lacking
from tests.pages.forces.armies import HOLDER, Pond, squads

pytestmark = pytest.mark.django_db


@pytest.fixture
def pond(client: Client) -> Pond:
    pond = Pond(client)
    squad = pond.add("squad")
    pond.act("describe", unit=squad, name="Reed Guard", notes="Third shelf.")
    return pond


def upload(client: Client, name: str, content: bytes, follow: bool = True):
    file = SimpleUploadedFile(name, content)
    return client.post("/lists/open/", {"file": file}, follow=follow)


def latest() -> ForceList:
    row = ArmyList.objects.order_by("-created", "-pk").first()
    return row.versions.get(number=row.number).content


@pytest.mark.one_in(3)
@pytest.mark.parametrize("ending", ["ros", "rosz", "json"])
def test_a_file_that_was_saved_here_is_the_same_list_again(pond: Pond, ending: str) -> None:
    saved = pond.client.get(f"{pond.address}list.{ending}").content
    before = ArmyList.objects.count()
    answer = upload(pond.client, f"list.{ending}", saved)
    assert answer.status_code == 200
    assert "Reed Guard" in answer.text
    assert ArmyList.objects.count() == before + 1
    assert latest() == ForceList.from_dict(pond.document)


def test_of_several_sets_of_a_game_the_one_of_the_roster_is_taken(pond: Pond) -> None:
    saved = pond.client.get(f"{pond.address}list.ros").content
    files = squads()
    files["Pond.cat"] = catalogue("Pond", unit("boat", "Boat", 31)).replace(
        b'revision="1"', b'revision="2"'
    )
    newer = stored(files)
    keep(HOLDER, newer.pk)
    upload(pond.client, "list.ros", saved)
    assert latest().game.key == pond.game.pk
    # Where only another revision is kept, the list opens in it, and what differs is told.
    other = Client()
    session = other.session
    session["holder"] = "e" * 32
    session.save()
    keep("e" * 32, newer.pk)
    answer = upload(other, "list.ros", saved)
    assert latest().game.key == newer.pk
    assert not lacking(answer.text, "revision 1 of Pond; your files have revision 2")
    assert not lacking(answer.text, "Not in your files: Squad")


def test_a_list_of_a_game_that_is_not_kept_is_refused_by_its_name(pond: Pond) -> None:
    for ending in ("ros", "json"):
        saved = pond.client.get(f"{pond.address}list.{ending}").content
        answer = upload(Client(), f"list.{ending}", saved)
        assert answer.status_code == 422
        assert "Game of Squads" in answer.text


def test_a_roster_of_new_recruit_in_json_opens(pond: Pond) -> None:
    roster = {
        "roster": {
            "name": "Patrol",
            "gameSystemId": pond.game.system_id,
            "gameSystemName": "Game of Squads",
            "forces": [
                {
                    "id": "f1",
                    "entryId": "raft",
                    "catalogueId": "pond",
                    "catalogueName": "Pond",
                    "selections": [{"id": "s1", "entryId": "boat", "name": "Boat", "number": 1}],
                }
            ],
        }
    }
    upload(pond.client, "patrol.json", json.dumps(roster).encode())
    assert [pick.name for pick in latest().all_picks()] == ["Boat"]


def test_a_text_of_a_kept_game_is_looked_at_and_becomes_a_list(pond: Pond) -> None:
    text = pond.client.get(f"{pond.address}sheet.txt?form=compact").text
    look = pond.client.post("/lists/paste/", {"text": text})
    assert not lacking(look.text, "Create list", "Reed Guard", "35 pts", "Legal")
    made = pond.client.post("/lists/paste/", {"text": text, "go": "make"}, follow=True)
    assert "Reed Guard" in made.text
    (force,) = latest().forces
    assert [(pick.name, pick.notes) for pick in force.picks] == [("Squad", "Third shelf.")]
    # A text that names its book alone, and what is not understood.
    look = pond.client.post("/lists/paste/", {"text": "Pond\nSquad, Trumpet\nBoat\n"})
    assert not lacking(look.text, "Not understood: Squad: Trumpet", "Boat")
    # A game can be chosen where the text names none.
    chosen = f"files:{pond.game.pk}"
    assert chosen in pond.client.get("/lists/import/").text
    look = pond.client.post("/lists/paste/", {"text": "Raft\nBoat\n", "system": chosen})
    assert look.status_code in (200, 422)
    assert (
        pond.client.post(
            "/lists/paste/", {"text": "Pond\nBoat", "system": "files:other"}
        ).status_code
        == 422
    )


@pytest.mark.slow
def test_texts_of_our_own_books_are_read_as_before(pond: Pond) -> None:
    answer = pond.client.post(
        "/lists/paste/", {"text": "Highborn Elves\n470 - 30 Citizen Spears\n"}
    )
    assert "Citizen Spears" in answer.text
    assert "Game of Squads" not in answer.text
