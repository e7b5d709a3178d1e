"""Links to lists of a community's files: what their owner makes, and what visitors see."""

import pytest
from django.test import Client

from armybuilder.games.models import Game
from armybuilder.housekeeping.tidying import unnamed_games
from armybuilder.lists.models import ArmyList
from armybuilder.sharing.models import Frozen, Share
from tests.markup import lacking
from tests.pages.forces.armies import Pond, squads
from tests.pdfs import text_of

pytestmark = pytest.mark.django_db

RULE = """<rules><rule id="stout" name="Stout" page="4"><description>Nobody moves this crew from
 its raft at all.</description></rule></rules>"""


@pytest.fixture
def pond(client: Client) -> Pond:
    files = squads()
    squad = b'<selectionEntry id="squad" name="Squad" type="unit">'
    assert squad in files["Pond.cat"]
    files["Pond.cat"] = files["Pond.cat"].replace(squad, squad + RULE.encode())
    pond = Pond(client, files=files)
    unit = pond.add("squad")
    pond.act("describe", unit=unit, name="Reed Guard", notes="Third shelf.")
    pond.act("notes", notes="Bring dice.")
    return pond


def link(pond: Pond, view: str) -> str:
    page = pond.client.post(f"{pond.address}share/make/", {"lasting": "1", "view": view})
    assert page.status_code == 302
    share = Share.objects.filter(army_list_id=pond.id, view=view).get()
    return f"/shared/{share.token}/"


def test_the_owner_makes_links_and_copies_a_text(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}share/").text
    assert not lacking(page, "For friends", "For your opponent", "Squad “Reed Guard”")
    assert link(pond, "full") != link(pond, "open")
    assert not lacking(pond.client.get(f"{pond.address}share/").text, "/shared/")


@pytest.mark.parametrize("view", ["full", "open"])
def test_visitors_see_the_list_without_texts_of_rules(pond: Pond, view: str) -> None:
    assert "Nobody moves this crew" in pond.client.get(f"{pond.address}sheet/").text
    address, visitor = link(pond, view), Client()
    page = visitor.get(address)
    assert page.status_code == 200
    assert not lacking(page.text, "Reed Guard", "35 pts", "Legal", "Stout", "3 Trooper")
    pdf = text_of(visitor.get(f"{address}list.pdf").content)
    text = visitor.get(f"{address}list.txt").text
    for shown in (page.text, pdf, text):
        assert "Reed Guard" in shown
        assert "Nobody moves this crew" not in shown
        assert ("Third shelf" in shown) == (view == "full")
        assert ("Bring dice" in shown) == (view == "full")


def test_a_full_link_lets_visitors_copy_the_list_and_build_it(pond: Pond) -> None:
    address, visitor = link(pond, "full"), Client()
    assert visitor.get(f"{address}list.json").json() == pond.document
    made = visitor.post(f"{address}copy/", follow=True)
    assert "Reed Guard" in made.text
    assert ArmyList.objects.count() == 2
    # An open link has neither.
    opened = link(pond, "open")
    assert visitor.get(f"{opened}list.json").status_code == 404
    assert visitor.post(f"{opened}copy/").status_code == 404


def test_a_frozen_copy_stays_as_it_was_with_its_files_and_its_verdict(pond: Pond) -> None:
    fields = {"what": "frozen", "view": "full", "name": "As sent"}
    pond.client.post(f"{pond.address}share/make/", fields)
    share, was = Share.objects.get(), pond.document
    pond.add("squad")
    assert pond.document != was
    address, visitor = f"/shared/{share.token}/", Client()
    assert visitor.get(f"{address}list.json").json() == was
    page = visitor.get(address).text
    assert not lacking(page, "A frozen copy of", "Reed Guard", "35 pts", "Legal")
    assert "has changed since it was frozen" not in page
    # The game stays as long as the copy names it.
    assert unnamed_games(Game.objects.all()) == []
    copy = share.frozen
    assert copy is not None
    Frozen.objects.filter(pk=copy.pk).update(report=copy.report | {"legal": False})
    assert "has changed since it was frozen" in visitor.get(address).text


def test_a_link_that_is_revoked_shows_nothing(pond: Pond) -> None:
    address = link(pond, "full")
    share = Share.objects.get()
    pond.client.post(f"{pond.address}share/{share.pk}/revoke/")
    assert Client().get(address).status_code == 404


def test_each_visitor_reads_the_verdict_in_their_own_language(pond: Pond) -> None:
    pond.act("cost-limit", cost="pts", limit=25)
    address = link(pond, "full")
    limits = ("en", "the maximum is 25."), ("de", "höchstens 25."), ("en", "the maximum is 25.")
    for language, said in limits:
        assert said in Client().get(address, headers={"accept-language": language}).text
