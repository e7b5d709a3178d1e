"""My lists: finding, ordering, ticking, pinning, tagging, archiving, several lists at once."""

import html
import io
import json
import re
import zipfile
from dataclasses import replace
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import HttpResponse
from django.test import Client

from armybuilder.lists.flags import MAX_TAG, MOST_TAGS, read_tags, with_tags
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.services import replace_document
from armybuilder.loading.library import shipped_library
from armybuilder.pages.my_lists.search import PER_PAGE, ListQuery, make_overview, read_wanted
from tests.building.documents import value_of
from tests.conftest import Builder
from tests.markup import flat, lacking, refused
from tests.pages.mine import Mine as Lists
from tests.queries import queries_of

pytestmark = pytest.mark.django_db


class Mine(Lists):
    """What the browser's page of lists shows, and its buttons do."""

    def names(self, **query: str) -> list[str]:
        """The names of the lists that the page shows, in its order."""
        wanted = read_wanted(query)
        rows = make_overview(self.holder, wanted, shipped_library())["rows"]
        return [row.name for row in rows]

    def do(self, act: str, *names: str, **fields: str) -> HttpResponse:
        ids = [self.ids[name] for name in names]
        return self.client.post("/lists/chosen/", {"do": act, "list": ids, **fields})

    def page(self, query: str = "") -> str:
        return html.unescape(self.client.get(f"/lists/{query}").text)

    def undo(self) -> None:
        form = re.search(r'class="lists-done".*?</form>', self.page(), re.DOTALL)
        assert form is not None, "no undo is offered"
        inputs = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form[0])
        fields = {"do": re.findall(r'name="do" value="(\w+)"', form[0])[0]}
        ids = [value for key, value in inputs if key == "list"]
        tags = "".join(value for key, value in inputs if key == "tags")
        self.client.post("/lists/chosen/", {**fields, "list": ids, "tags": tags})


@pytest.fixture
def mine(client: Client, db: None) -> Mine:
    """Three lists of two games, made in this order."""
    mine = Mine(client)
    mine.start("Álfar of the north")
    mine.start("Goblins", system="chainmail-2002", book="practice", limit=100)
    mine.start("Zealots")
    return mine


@pytest.fixture
def legal(mine: Mine) -> str:
    return mine.example()


def test_the_list_that_was_changed_last_comes_first(mine: Mine) -> None:
    assert mine.names() == ["Zealots", "Goblins", "Álfar of the north"]
    mine.client.post(f"/lists/{mine.ids['Goblins']}/rename/", {"name": "Goblin band"})
    assert mine.names()[0] == "Goblin band"


def test_lists_can_be_put_in_another_order(mine: Mine, legal: str) -> None:
    mine.start("Made last")
    orders = {"name": "Goblins", "game": "Goblins", "made": "Made last", "nonsense": "Made last"}
    for sort, first in {**orders, "points": legal}.items():
        assert mine.names(sort=sort)[0] == first, sort


def test_lists_are_found_by_name_game_book_tag_and_notes(mine: Mine) -> None:
    mine.do("tag", "Zealots", tags="Tournament")
    version = Version.objects.get(army_list_id=mine.ids["Goblins"])
    document = replace(version.document, notes="Painted for Sunday")
    replace_document(mine.holder, version.army_list_id, version.pk, document, "Noted.")
    for text, found in (
        ("goblin", ["Goblins"]),
        ("ÁLFAR", ["Álfar of the north"]),
        ("song of blades", ["Zealots", "Álfar of the north"]),
        ("practice", ["Goblins"]),
        ("rulebook zeal", ["Zealots"]),
        ("tournament", ["Zealots"]),
        ("for sunday", ["Goblins"]),
        ("nothing like it", []),
    ):
        assert mine.names(q=text) == found, text


def test_lists_are_filtered_by_game_verdict_and_tag(mine: Mine, legal: str) -> None:
    mine.do("tag", "Goblins", "Zealots", tags="club, Night")
    assert mine.names(game="chainmail-2002") == ["Goblins"]
    assert mine.names(verdict="legal") == [legal]
    assert legal not in mine.names(verdict="not-legal")
    assert mine.names(tag="CLUB") == ["Zealots", "Goblins"]
    assert mine.names(tag="club", game="sbh") == ["Zealots"]
    assert "2 of 4 lists" in mine.page("?tag=club")


@pytest.mark.slow
def test_what_is_looked_for_is_an_address_and_many_lists_come_in_pages(mine: Mine) -> None:
    # What is looked for is an address without what makes no sense.
    wanted = ListQuery("a b", "sbh", "legal", "club night", "name", "archived", 3)
    query = {key: value[0] for key, value in parse_qs(wanted.query).items()}
    assert read_wanted(query) == wanted
    assert ListQuery().query == ""
    # A filter that makes no sense is left out.
    assert len(mine.names(verdict="perhaps", place="elsewhere", page="-1")) == 3
    assert mine.client.get("/lists/?page=99999999999&sort=x&q=" + "x" * 500).status_code == 200
    # The address follows what is typed without what was left empty.
    query = {"q": "gob ", "game": "", "verdict": "", "sort": "changed"}
    answer = mine.client.get("/lists/", query, headers={"HX-Request": "true"})
    assert answer["HX-Replace-Url"] == "/lists/?q=gob"
    assert "HX-Replace-Url" not in mine.client.get("/lists/", query)
    # Many lists come in pages.
    first = Version.objects.get(army_list_id=mine.ids["Goblins"])
    for number in range(PER_PAGE):
        made = ArmyList.objects.create(holder=mine.holder)
        document = {**first.document.to_dict(), "name": f"Again {number}"}
        Version.objects.create(
            army_list=made, number=1, document=value_of(document), act="Started."
        )
    assert len(mine.names()) == PER_PAGE
    assert mine.names(page="2") == mine.names(page="7")
    assert sorted(mine.names(page="2")) == sorted(["Zealots", "Goblins", "Álfar of the north"])
    assert 'rel="next"' in mine.page()
    assert 'rel="next"' not in mine.page("?page=2")


@pytest.mark.one_in(3)
@pytest.mark.parametrize("query", ["", "?q=o&sort=points", "?verdict=legal&tag=x"])
def test_the_page_costs_the_same_queries_however_many_lists(mine: Mine, query: str) -> None:
    counts = []
    for _ in range(2):
        mine.client.get(f"/lists/{query}")
        queries = queries_of(mine.client.get, f"/lists/{query}")
        counts.append(len(queries))
        for number in range(12):
            mine.start(f"One more {number}")
    assert counts[0] == counts[1] <= 7


def test_a_pinned_list_stays_on_top_of_any_order(mine: Mine) -> None:
    mine.do("pin", "Goblins")
    assert "Pinned 1 list." in mine.page()
    assert "Pinned" not in mine.page()  # it is said once
    assert mine.names(sort="changed")[0] == "Goblins"
    assert mine.names(sort="made")[0] == "Goblins"
    mine.do("unpin", "Goblins")
    assert mine.names()[0] == "Zealots"
    # Pins and tags are no change of a list.
    before = mine.list("Goblins").updated
    mine.do("pin", "Goblins")
    mine.do("tag", "Goblins", tags="x")
    mine.do("archive", "Goblins")
    assert mine.list("Goblins").updated == before


def test_an_archived_list_is_out_of_the_way_and_still_opens(mine: Mine) -> None:
    mine.do("archive", "Goblins", "Zealots")
    assert mine.names() == ["Álfar of the north"]
    assert mine.names(place="archived") == ["Zealots", "Goblins"]
    assert mine.client.get(f"/lists/{mine.ids['Goblins']}/").status_code == 200
    assert "Goblins" not in mine.client.get("/").text
    mine.do("unarchive", "Goblins")
    assert mine.names(place="archived") == ["Zealots"]


def test_a_deleted_list_goes_back_to_where_it_was(mine: Mine) -> None:
    mine.do("archive", "Goblins")
    gone = f"/lists/{mine.ids['Zealots']}/"
    assert "Deleted “Zealots”" in mine.client.post(f"{gone}delete/", follow=True).text
    mine.do("delete", "Goblins")
    assert mine.names(place="deleted") == ["Zealots", "Goblins"]
    answer = mine.client.get(gone)
    assert answer.status_code == 404
    assert f'action="{gone}restore/"' in answer.text
    assert "Zealots" not in Client().get(gone).text
    assert "90 days" in mine.page("?place=deleted")
    mine.do("restore", "Goblins", "Zealots")
    assert mine.names(place="archived") == ["Goblins"]
    assert "Zealots" in mine.names()


@pytest.mark.parametrize(
    ("act", "fields", "said"),
    [
        ("pin", {}, "Pinned 2 lists."),
        ("archive", {}, "Archived 2 lists."),
        ("delete", {}, "Deleted 2 lists."),
        ("tag", {"tags": "Club, club night"}, "Tagged 2 lists: Club, club night."),
    ],
)
def test_an_act_on_several_lists_is_said_and_undone_at_once(
    mine: Mine, act: str, fields: dict[str, str], said: str
) -> None:
    def state() -> list[object]:
        return [
            (one.pinned, one.tags, one.archived is None, one.deleted is None)
            for one in ArmyList.objects.order_by("created")
        ]

    before = state()
    mine.do(act, "Goblins", "Zealots", **fields)
    after = state()
    assert after != before
    assert said in mine.page()
    mine.do(act, "Álfar of the north", **fields)
    mine.undo()
    assert state() == after


def test_the_page_comes_back_as_it_was_looked_at(mine: Mine) -> None:
    response = mine.do("pin", "Goblins", next="q=gob&sort=name&evil=1")
    assert response["Location"] == "/lists/?q=gob&sort=name"
    for act in ("copy", "delete"):
        answer = mine.client.post(f"/lists/{mine.ids['Goblins']}/{act}/", {"next": "game=sbh"})
        assert answer["Location"] == "/lists/?game=sbh"


def test_a_stranger_changes_nobodys_lists(mine: Mine) -> None:
    stranger = Mine(Client())
    stranger.start("Theirs")
    for other in (stranger, Mine(Client())):
        other.ids = {**mine.ids}
        for act in ("pin", "archive", "delete", "tag", "print"):
            other.do(act, "Goblins", tags="mine")
    kept = mine.list("Goblins")
    assert (kept.pinned, kept.archived, kept.deleted, kept.tags) == (False, None, None, [])
    named = f"list={mine.ids['Goblins']}"
    assert stranger.client.get(f"/lists/files.zip?{named}").status_code == 404
    beside = f"/lists/side-by-side/?a={mine.ids['Goblins']}"
    assert stranger.client.get(beside).status_code == 404


def test_tags_are_read_as_people_write_them_and_stay_where_there_is_no_room() -> None:
    assert read_tags(" to  paint, Club,club , ,x\x00y") == ["Club", "to paint"]
    assert read_tags("w" * 50) == ["w" * MAX_TAG]
    assert len(read_tags(",".join(map(str, range(100))))) == MOST_TAGS
    # Tags that were there stay where there is no room for more.
    had = [f"a{number:02}" for number in range(MOST_TAGS)]
    assert with_tags(had, ["0"]) == had
    assert with_tags(["b"], ["a", "B"]) == ["a", "b"]


def test_tags_are_set_on_a_list_and_renamed_or_removed_on_all(mine: Mine) -> None:
    address = f"/lists/{mine.ids['Goblins']}/tags/"
    mine.client.post(address, {"tags": "painted, Club"})
    assert mine.list("Goblins").tags == ["Club", "painted"]
    mine.client.post(address, {"tags": ""})
    assert mine.list("Goblins").tags == []
    # A tag is renamed and removed on every list.
    mine.do("tag", "Goblins", "Zealots", tags="clob")
    mine.client.post("/lists/tag/", {"old": "Clob", "tag": "club"})
    assert mine.names(tag="club") == ["Zealots", "Goblins"]
    mine.client.post("/lists/tag/", {"old": "club", "tag": ""})
    assert mine.list("Zealots").tags == mine.list("Goblins").tags == []


def test_ticked_lists_are_compared_and_saved_as_files(mine: Mine) -> None:
    # Two ticked lists are shown against each other.
    for act in ("compare", "side-by-side"):
        assert mine.do(act, "Goblins").status_code == 422
        assert mine.do(act, *mine.ids).status_code == 422
        address = mine.do(act, "Goblins", "Zealots")["Location"]
        pair = {"a": [mine.ids["Goblins"]], "b": [mine.ids["Zealots"]]}
        assert parse_qs(urlsplit(address).query) == pair, act
        page = mine.client.get(address).text
        assert lacking(page, "Goblins", "Zealots") == []
    # Ticked lists are saved as files that open again.
    mine.client.post(f"/lists/{mine.ids['Zealots']}/rename/", {"name": "goblins!"})
    content = mine.client.get(mine.do("save", "Goblins", "Zealots")["Location"]).content
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.namelist() == ["Goblins.json", "goblins-2.json"]
        saved = json.loads(archive.read("Goblins.json"))
    assert saved == Version.objects.get(army_list_id=mine.ids["Goblins"]).document.to_dict()


def test_lists_stand_side_by_side_with_units_and_findings(sbh: Builder) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    other = Mine(sbh.client)
    other.start("Second")
    first = sbh.version.army_list_id
    page = sbh.client.get(f"/lists/side-by-side/?a={first}&b={other.ids['Second']}")
    sides = page.context["sides"]
    assert [side["judged"].document.name for side in sides] == ["Test list", "Second"]
    assert [unit["name"] for unit in sides[0]["units"]] == ["Human Warrior"]
    assert sides[1]["findings"]
    assert sbh.client.get("/lists/side-by-side/").status_code == 200


def test_a_list_whose_game_is_gone_can_be_tidied_away(mine: Mine) -> None:
    mine.lose("Goblins")
    assert "gone-game" in mine.page()
    assert mine.names(verdict="legal") == []
    mine.do("delete", "Goblins")
    assert "Goblins" not in mine.names()
    # Without a tick nothing is done.
    assert "Select at least one list" in refused(mine.do("delete"))
    assert mine.do("explode", "Zealots").status_code == 422
    assert mine.do("tag", "Zealots", tags=" , ").status_code == 422
    assert mine.client.post("/lists/chosen/", {"do": "pin", "list": "x"}).status_code == 404


def test_an_empty_browser_is_shown_where_to_begin(client: Client) -> None:
    assert "Choose a game" in client.get("/lists/").text
    assert client.get("/lists/?place=archived").status_code == 200
    assert "sessionid" not in client.cookies


@pytest.fixture
def rounds(client: Client) -> Mine:
    """Lists of which most have a 2 somewhere, in their game if not in their name."""
    mine = Mine(client)
    mine.start("Round 2")
    for name in ("Round 1", "Round 20", "Second round of 2"):
        mine.start(name, system="chainmail-2002", book="practice", limit=100)
    return mine


def test_words_are_found_where_they_begin_and_numbers_as_a_whole(rounds: Mine) -> None:
    rounds.start("北方精灵")
    for text, found in (
        ("round 2", ["Round 2", "Second round of 2"]),
        ("rou", ["Second round of 2", "Round 20", "Round 1", "Round 2"]),
        ("ound", []),
        ("20", ["Round 20"]),
        ("2002 second", ["Second round of 2"]),
        ("round [", []),
        ("精灵", ["北方精灵"]),  # a script without spaces is searched anywhere
    ):
        assert rounds.names(q=text) == found, text


def test_lists_that_are_called_as_asked_come_first_but_not_in_an_order_of_ones_own(
    rounds: Mine,
) -> None:
    rounds.do("tag", "Round 1", tags="round 2")
    rounds.client.post(f"/lists/{rounds.ids['Round 1']}/rename/", {"name": "A changed last"})
    assert rounds.names(q="round 2") == ["Round 2", "A changed last", "Second round of 2"]
    assert rounds.names(q="round 2", sort="name")[0] == "A changed last"
    rounds.do("pin", "Second round of 2")
    assert rounds.names(q="round 2")[0] == "Second round of 2"


def ticked(mine: Mine, query: str = "") -> list[str]:
    page = flat(mine.page(query))
    return re.findall(r'name="list" value="([0-9a-f-]+)" form="chosen" checked', page)


@pytest.mark.slow
def test_ticks_stay_after_an_act_that_leaves_the_lists_where_they_are(rounds: Mine) -> None:
    both = {rounds.ids["Round 1"], rounds.ids["Round 2"]}
    for act, wanted in (("tag", both), ("untag", both), ("pin", both), ("archive", set())):
        rounds.do(act, "Round 1", "Round 2", tags="club", bar="yes")
        assert set(ticked(rounds)) == wanted, act
        assert ticked(rounds) == []


def test_the_menu_of_one_list_keeps_the_ticks_of_others_and_makes_none(rounds: Mine) -> None:
    kept = rounds.ids["Round 1"]
    rounds.do("pin", "Round 2", ticked=kept)
    assert ticked(rounds) == [kept]
    rounds.do("archive", "Round 1", ticked=kept)
    assert ticked(rounds) == []
    address = f"/lists/{rounds.ids['Round 2']}/rename/"
    rounds.client.post(address, {"name": "Other", "ticked": kept})
    assert rounds.client.get("/lists/?place=archived").context["ticked"] != []


def test_the_focus_goes_back_to_the_part_of_the_bar_that_was_used(
    rounds: Mine, monkeypatch: pytest.MonkeyPatch
) -> None:
    for act, focused in (("tag", "tags"), ("pin", "more")):
        rounds.do(act, "Round 1", tags="club", bar="yes")
        response = rounds.client.get("/lists/")
        assert response.context["done"]["focus"] == focused
        assert response.text.count(" autofocus") == 1
    # To tick all says when it ticks one page of several.
    assert "Select all on this page" not in rounds.page()
    monkeypatch.setattr("armybuilder.pages.my_lists.search.PER_PAGE", 3)
    assert "Select all on this page (3 of 4)" in rounds.page()
