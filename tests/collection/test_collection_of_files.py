"""What a player owns of a game from files: counted, filled, compared with lists, used in advice."""

import re
from html import unescape

import pytest
from django.test import Client
from django.urls import reverse

from armybuilder.collection.models import OwnedUnit
from armybuilder.collection.selectors import game_of_files
from armybuilder.collection.services import Owned, put_units
from armybuilder.games.services import keep
from tests.kept_games.files import catalogue, stored
from tests.pages.forces.armies import HOLDER, Pond, entry, squads
from tests.queries import queries_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def pond(client: Client) -> Pond:
    return Pond(client)


def here(pond: Pond, page: str = "") -> str:
    return f"/collection/{pond.game.pk}/{page}"


def owns(pond: Pond, **models: int) -> None:
    for ref, number in models.items():
        fields = {"ref": ref, "do": "save", "number": number}
        assert pond.client.post(here(pond, "unit/"), fields).status_code == 302


def numbers() -> dict[str, int]:
    return dict(OwnedUnit.objects.values_list("name", "number"))


def test_units_of_files_are_counted_by_catalogue_and_from_a_table(pond: Pond) -> None:
    assert "Game of Squads" in pond.client.get("/collection/").text
    browsed = pond.client.get(here(pond), {"book": "pond"}).context["rows"]
    assert [(row.name, book) for row, book in browsed] == [
        ("Squad", "Pond"), ("Boat", "Pond"), ("Ghost", "Pond"),
    ]  # fmt: skip
    owns(pond, squad=7)
    table = {"kind": "table", "table": "Unit,Book,Number\nRaft,Lake,2\nSquid,,1", "go": "good"}
    looked = pond.client.post(here(pond, "import/"), {**table, "go": "look"})
    assert [row.mistake for row in looked.context["wrong"]] == [
        "There is no unit “Squid” in the books of this game. Did you mean “Squad”?"
    ]
    pond.client.post(here(pond, "import/"), table)
    assert numbers() == {"Squad": 7, "Raft": 2}
    assert "Squad,Pond,7" in pond.client.get(here(pond, "collection.csv")).text
    stranger = Client()
    assert stranger.get(here(pond)).status_code == 404


def test_a_newer_set_of_the_files_has_the_same_collection(pond: Pond) -> None:
    owns(pond, squad=7)
    newer = stored({**squads(), "Lake.cat": catalogue("Lake", revision=2)})
    keep(HOLDER, newer.pk)
    assert newer.pk != pond.game.pk
    page = pond.client.get(f"/collection/{newer.pk}/")
    assert [(row.name, row.number) for row, _book in page.context["rows"]] == [("Squad", 7)]
    assert pond.client.get("/collection/").text.count("Game of Squads") == 1


def test_lists_and_texts_of_files_fill_a_collection_and_are_compared_with_it(pond: Pond) -> None:
    pond.add("squad")
    pond.add("boat")
    assert pond.client.get(here(pond)).context["lists"] == [(pond.id, "Ponds")]
    pond.client.post(here(pond, "list/"), {"list": pond.id, "do": "raise"})
    assert numbers() == {"Squad": 3, "Boat": 1}
    text = {"kind": "list", "text": "Pond\n\nSquad [35 pts]\n\u2022 4x Trooper\nBoat [30 pts]\n"}
    looked = pond.client.post(here(pond, "import/"), {**text, "go": "look"})
    assert dict(looked.context["pasted"]) == {"Squad": 4, "Boat": 1}
    pond.client.post(here(pond, "import/"), {**text, "go": "add"})
    assert numbers() == {"Squad": 7, "Boat": 2}
    owns(pond, squad=2)
    shown = " ".join(pond.client.get(f"{pond.address}?view=errors").text.split())
    assert 'Missing from your collection</a>: <span dir="auto">1 × Squad</span>' in shown
    ids = [pond.id, Pond(pond.client, "Others").id]
    asked = pond.client.post("/lists/chosen/", {"do": "together", "list": ids})
    page = pond.client.get(asked["Location"])
    assert "Squad, 3 needed, 2 owned" in page.text
    assert page.context["chosen"] == 2
    other = pond.client.get("/collection/sbh/together/", {"list": pond.id})
    assert "another game" in other.text


def test_units_and_advice_of_files_are_of_what_is_owned_where_that_is_asked(pond: Pond) -> None:
    def shelf() -> list[str]:
        page = pond.client.get(pond.address, {"owned": "1", "view": "units"})
        entries = "".join(group.entries for group in page.context["shelf"].groups)
        return re.findall(r'<strong dir="auto">(\w+)', entries)

    page = pond.client.get(pond.address, {"owned": "1", "view": "units"}).text
    assert "Your collection for this game is empty." in page
    owns(pond, squad=5, boat=1)
    assert shelf() == ["Boat", "Squad"]
    pond.add("squad")
    assert shelf() == ["Boat"]
    assert "1 left in my collection" in pond.client.get(f"{pond.address}?owned=1&view=units").text
    pond.act("cost-limit", cost="pts", limit=90)
    filling = reverse("force-filling", args=[pond.id])
    every = pond.client.get(filling).context["proposals"]
    assert any("Squad" in line for way in every for line in way["lines"])
    owned = pond.client.get(filling, {"owned": "1"})
    ways = owned.context["proposals"]
    assert "Add Boat to Raft." in ways[0]["lines"]
    assert not any("Squad" in line for way in ways for line in way["lines"])
    assert owned.context["others"].endswith("owned=1")
    assert pond.client.get(reverse("force-why", args=[pond.id]), {"owned": "1"}).status_code == 200


def test_limits_reasons_and_fixes_of_files_are_of_what_is_owned(pond: Pond) -> None:
    def page(name: str, **asked: str) -> str:
        return unescape(pond.client.get(reverse(f"force-{name}", args=[pond.id]), asked).text)

    owns(pond, squad=4)
    squad = pond.add("squad")
    pond.act("cost-limit", cost="pts", limit=150)
    assert "Explore limits" in pond.client.get(pond.address).text
    every = page("questions", ask="models")
    assert "At least" in every
    assert "Add Squad to Raft" in every
    assert "Your list already does this." in page("questions", ask="models", owned="1")
    assert "At most 35 pts." in page("questions", ask="cheapest", owned="1")
    boat = {"on": pond.force, "entry": "boat"}
    assert "1 × Boat" not in page("why", **boat)
    assert f"owned=1&on={pond.force}&entry=boat" in page("why", **boat)
    assert "1 × Boat" in page("why", **boat, owned="1")
    pond.act("count:trooper=1", unit=squad)
    assert "Trooper: 3 instead of 1." in page("repair", owned="1")
    owns(pond, squad=1)
    assert "Trooper: 3 instead of 1." in page("repair")
    assert "Trooper: 3 instead of 1." not in page("repair", owned="1")


@pytest.mark.slow
def test_five_thousand_rows_of_files_cost_no_more_queries(pond: Pond) -> None:
    owns(pond, squad=2)
    pond.add("squad")
    pages = (here(pond), here(pond, "?page=2"), here(pond, "?book=pond"), pond.address)
    pages += (f"{pond.address}?owned=1", here(pond, f"together/?list={pond.id}"))
    few = [len(queries_of(pond.client.get, page)) for page in pages]
    game = game_of_files(pond.game.system_id)
    put_units(HOLDER, game, [Owned(f"old-{n}", f"Old {n}", 1) for n in range(5000)])
    more = [len(queries_of(pond.client.get, page)) for page in pages]
    assert all(number <= before for number, before in zip(more, few, strict=True))
    assert "1 × Squad" in pond.client.get(f"{pond.address}?view=errors").text


def test_models_of_upgrades_are_kept_apart_by_them(client: Client) -> None:
    warrior = (
        '<entryLinks><entryLink id="{}" targetId="warrior" type="selectionEntry"/></entryLinks>'
    )
    people = [
        entry(id, name, "upgrade", 0, warrior.format(f"{id}-link"))
        for id, name in (("orc", "Orc Warrior"), ("elf", "Elves"))
    ]
    shared = (
        '<sharedSelectionEntries><selectionEntry id="warrior" name="Warrior" type="model"/>'
        "</sharedSelectionEntries></catalogue>"
    )
    lake = catalogue("Lake", *people).replace(b"</catalogue>", shared.encode())
    game = stored({**squads(), "Lake.cat": lake})
    assert game.report["collected"]["lake"] == {
        "orc/warrior": "Orc Warrior",
        "elf/warrior": "Elves: Warrior",
    }
