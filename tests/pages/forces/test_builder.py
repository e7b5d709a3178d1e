"""Lists of a community's files in the builder: what its buttons do, by forms alone."""

from collections import Counter
from html import escape

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse

from armybuilder.pages.urls import LIST
from tests.kept_games.files import catalogue, unit
from tests.markup import lacking
from tests.pages.forces.armies import HOLDER, Pond, bound, entry, squads

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.fixture
def pond(client: Client) -> Pond:
    return Pond(client)


def weapons(pond: Pond) -> Counter[str]:
    """How many troopers have which weapon."""
    troopers = (one for one in pond.squad if one["entry"] == "trooper")
    return Counter(weapon["name"] for one in troopers for weapon in one.get("picks", ()))


def test_a_unit_comes_with_what_it_must_have_and_opens(pond: Pond) -> None:
    squad = pond.add("squad")
    assert weapons(pond) == {"Dart": 3}
    page = pond.client.get(f"{pond.address}?open={squad}").text
    assert not lacking(page, "Squad", ">35<", "Trooper", "Meltagun", "Flag", "Legal")


def test_a_unit_can_give_an_option_to_some_of_its_models(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("count:trooper=10", unit=squad)
    assert weapons(pond) == {"Dart": 10}
    first = pond.squad[0]["id"]
    pond.act("take:melta", unit=first, of=4)
    assert weapons(pond) == {"Dart": 6, "Meltagun": 4}
    page = pond.client.get(f"{pond.address}?open={squad}").text
    assert "4 × Trooper (Meltagun), 6 × Trooper (Dart)" in page
    # What is equal again is one stack again.
    pond.act("take:dart", unit=first)
    assert weapons(pond) == {"Dart": 10}
    assert "10 × Trooper (Dart)" in pond.client.get(pond.address).text


def test_of_a_choice_of_one_another_takes_the_place(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("take:melta", unit=pond.squad[0]["id"], of=1)
    assert weapons(pond) == {"Dart": 2, "Meltagun": 1}
    assert pond.row.points == 45
    pond.act("take:flag", unit=squad)
    pond.act("leave:flag", unit=squad)
    assert pond.row.points == 45


def test_exceeding_a_limit_is_reported_with_the_names_of_the_file(pond: Pond) -> None:
    squad = pond.add("squad")
    pond.act("count:trooper=12", unit=squad)
    page = pond.client.get(f"{pond.address}?view=errors").text
    assert not lacking(page, "12 in Squad; the maximum is 10", "source: Pond, revision 1")
    assert (pond.row.outcome, pond.row.points) == ("illegal", 80)


def test_hidden_entries_are_shown_with_the_reason(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}?view=units").text
    assert not lacking(page, "1 hidden by the files", "Ghost", "Ghost can’t be taken here.")


def test_a_unit_is_looked_at_before_it_is_added(pond: Pond) -> None:
    squad = f"{pond.force}:squad"
    before = pond.document
    page = pond.client.get(pond.address, {"preview": squad, "view": "unit"}).text
    assert 'id="add-previewed"' in page
    assert "3 × Trooper (Dart)" in page  # what comes along
    assert ">35</span>" in page
    assert f"preview={squad}" in page  # its name on the shelf leads there
    assert pond.document == before
    hidden = pond.client.get(pond.address, {"preview": f"{pond.force}:ghost"}).text
    assert "Ghost can’t be taken here." in hidden
    assert f"forces/why/?on={pond.force}&amp;entry=ghost" in hidden
    assert 'id="add-previewed"' not in pond.client.get(pond.address, {"preview": "nix:nix"}).text


def test_the_palette_offers_what_can_be_done(pond: Pond) -> None:
    squad = pond.add("squad")
    answer = pond.client.get(reverse("list-commands", args=[pond.id])).json()["commands"]
    acts = {command["words"]: command.get("act") for command in answer}
    assert acts["Add Boat"] == {"act": "add", "ref": f"{pond.force}:boat"}
    assert acts["Copy Squad"] == {"act": "duplicate", "unit": squad}
    assert "Add Ghost" not in acts
    assert {"Undo", "Export", "Rename the list", "My lists"} <= acts.keys()
    pond.act(act="add", ref=f"{pond.force}:boat")
    assert [one["name"] for one in pond.document["forces"][0]["picks"]] == ["Squad", "Boat"]


def test_settings_stand_in_the_game_pane_and_not_among_units(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}?view=units").text
    assert page.count("Battle Size") == 1
    setting = pond.add("size")
    pond.act("take:small", unit=setting)
    page = pond.client.get(f"{pond.address}?view=game").text
    assert "Small" in page
    assert 'id="open-' not in page


def test_forces_are_added_named_moved_and_removed(pond: Pond) -> None:
    pond.act("add-force", catalogue="lake", force="raft")
    second = pond.document["forces"][1]["id"]
    pond.act("describe", unit=second, name="Second wave", notes="Late")
    pond.act("up", unit=second)
    names = [force.get("custom_name") for force in pond.document["forces"]]
    assert names == ["Second wave", None]
    assert not lacking(pond.client.get(pond.address).text, "Second wave", "Lake", "Late")
    pond.act("remove", unit=second)
    assert len(pond.document["forces"]) == 1


def test_units_are_copied_moved_described_and_removed(pond: Pond) -> None:
    boat, squad = pond.add("boat"), pond.add("squad")
    pond.act("up", unit=squad)
    pond.act("duplicate", unit=boat)
    pond.act("describe", unit=boat, name="Old Faithful", notes="Leaks")
    pond.act("move", unit=boat, before=squad)
    names = [one.get("custom_name", one["name"]) for one in pond.document["forces"][0]["picks"]]
    assert names == ["Old Faithful", "Squad", "Boat"]
    pond.act("remove", unit=boat)
    assert pond.row.points == 65
    pond.act("undo")
    assert pond.row.points == 95
    pond.act("redo")
    assert pond.row.points == 65


def test_a_limit_is_reported_when_it_is_exceeded(pond: Pond) -> None:
    pond.act("cost-limit", cost="pts", limit=25)
    pond.add("boat")
    page = pond.client.get(pond.address).text
    assert not lacking(page, "30 / 25", "The list costs 30 pts; the maximum is 25.")


def test_what_cannot_be_done_is_refused_in_a_sentence(pond: Pond) -> None:
    for act, fields in (
        ("add", {"ref": f"{pond.force}:nothing"}),
        ("add", {"ref": "gone:boat"}),
        ("take:flag", {"unit": "gone"}),
        ("remove", {"unit": "gone"}),
        ("cost-limit", {"cost": "pts", "limit": "many"}),
        ("cost-limit", {"cost": "gold", "limit": "5"}),
        ("add-force", {"catalogue": "sea", "force": ""}),
        ("rename", {"name": " "}),
        ("dance", {}),
        ("option:charm", {"unit": pond.force}),
    ):
        page = pond.act(act, 422, **fields).text
        assert "Nothing was changed." in page, act
    assert pond.row.latest == 1


def test_two_windows_add_and_one_asks_before_it_overwrites(pond: Pond) -> None:
    boat = pond.add("boat")
    old = pond.row.versions.get(number=2).pk
    pond.act("describe", unit=boat, name="One", notes="")
    pond.act("add", ref=f"{pond.force}:boat", version=old)
    assert len(pond.document["forces"][0]["picks"]) == 2
    answer = pond.act("describe", 409, unit=boat, name="Two", notes="", version=old)
    assert "Make my change now" in answer.text


NAME = """O'Hara "><blink a='&"""


def test_a_hostile_name_is_text(client: Client) -> None:
    name = escape(NAME)
    files = squads()
    files["Pond.cat"] = files["Pond.cat"].replace(b"Squad", name.encode())
    files["Pond.cat"] = files["Pond.cat"].replace(b"Trooper", name.encode())
    files["Pond.cat"] = files["Pond.cat"].replace(b"Meltagun", name.encode())
    pond = Pond(client, NAME, files)
    squad = pond.add("squad")
    pond.act("describe", unit=pond.force, name=NAME, notes=NAME)
    pond.act("describe", unit=squad, name="", notes=NAME)
    pond.act("count:trooper=12", unit=squad)
    for address in (f"?open={squad}", "?view=errors", "?view=game&catalogue=pond"):
        page = pond.client.get(pond.address + address).text
        assert "<blink" not in page
        assert page.count(name) > 5
    assert "<blink" not in pond.client.get("/lists/").text


def test_another_browser_sees_nothing(pond: Pond) -> None:
    stranger = Client()
    assert stranger.get(pond.address).status_code == 404
    fields = {"act": "add", "ref": f"{pond.force}:boat", "version": 1}
    assert stranger.post(f"{pond.address}forces/act/", fields).status_code == 404


def test_every_address_of_a_list_answers(pond: Pond) -> None:
    pond.add("squad")
    for one in LIST:
        try:
            address = reverse(str(one.name), args=[pond.id])
        except NoReverseMatch:
            continue
        for answer in (pond.client.get(address), pond.client.post(address, {"version": 1})):
            assert answer.status_code < 500, address
            if pond.row.deleted:
                pond.client.post(reverse("restore-list", args=[pond.id]))


def test_my_lists_show_it_with_game_points_and_verdict(pond: Pond) -> None:
    pond.add("squad")
    page = pond.client.get("/lists/").text
    assert not lacking(page, "Ponds", "Game of Squads", "35", "Legal")
    assert "Ponds" in pond.client.get("/lists/?q=squads").text
    assert "Ponds" in pond.client.get("/lists/?sort=points&verdict=legal").text
    copy = pond.client.post(reverse("copy-list", args=[pond.id]), {"open": "1"})
    assert "Ponds (copy)" in pond.client.get(copy["Location"]).text


def test_history_leads_back(pond: Pond) -> None:
    pond.add("squad")
    pond.add("boat")
    page = pond.client.get(reverse("history", args=[pond.id])).text
    assert not lacking(page, "Added Squad.", "Added Boat.", "Started the list.")
    target = pond.row.versions.get(number=2).pk
    seen = pond.row.versions.get(number=3).pk
    fields = {"target": target, "version": seen}
    assert pond.client.post(reverse("go-back", args=[pond.id]), fields).status_code == 302
    assert len(pond.document["forces"][0]["picks"]) == 1


def test_a_list_whose_files_are_gone_says_so(pond: Pond) -> None:
    from armybuilder.games.opening import forget_opened

    pond.game.delete()
    forget_opened()
    answer = pond.client.get(pond.address)
    assert answer.status_code == 422
    assert "Add them again" in answer.text
    assert pond.client.get("/lists/").status_code == 200
    assert HOLDER


def test_a_list_begins_at_its_game_with_a_catalogue_and_limits(pond: Pond) -> None:
    address = reverse("new-forces", args=[pond.game.pk])
    assert not lacking(pond.client.get(address).text, "Pond", "Lake")
    page = pond.client.get(f"{address}?catalogue=lake").text
    assert not lacking(page, "Raft", "Limit of pts", "Start list")
    fields = {"catalogue": "lake", "force": "raft", "name": "Mine", "limit-pts": "500"}
    page = pond.client.post(address, fields, follow=True).text
    assert not lacking(page, "Mine", "0 / 500")
    for wrong in ({"limit-pts": "many"}, {"catalogue": "sea"}, {"force": "gone"}):
        answer = pond.client.post(address, {**fields, **wrong})
        assert answer.status_code == 422, wrong
    assert Client().get(address).status_code == 404


def test_the_first_page_offers_games_from_files_to_who_brought_them(pond: Pond) -> None:
    brought = pond.client.get("/").text
    assert not lacking(brought, reverse("new-forces", args=[pond.game.pk]), reverse("upload-books"))
    assert pond.game.pk not in Client().get("/").text


def test_a_limit_of_nothing_in_the_files_is_no_limit(client: Client) -> None:
    free = squads()
    free["Squads.gst"] = free["Squads.gst"].replace(
        b'name="pts" defaultCostLimit="-1"', b'name="pts" defaultCostLimit="0"'
    )
    assert b'defaultCostLimit="0"' in free["Squads.gst"]
    pond = Pond(client, files=free)
    pond.add("boat")
    assert pond.document["limits"]["pts"] == -1


def test_automatic_limits_bring_and_remove_what_they_ask_for(client: Client) -> None:
    # "Deck" has two automatic oars while the sail is not taken, else a mast and a cloth.
    def automatic(id: str, base: int, value: int) -> str:
        condition = (
            '<conditions><condition type="atLeast" value="1" field="selections" scope="parent"'
            ' childId="sail" shared="true"/></conditions>'
        )
        bounds = "".join(
            bound(kind, base, f"{id}-{kind}").replace("/>", ' automatic="true"/>')
            for kind in ("min", "max")
        )
        changes = "".join(
            f'<modifier type="set" field="{id}-{kind}" value="{value}">{condition}</modifier>'
            for kind in ("min", "max")
        )
        return f"<constraints>{bounds}</constraints><modifiers>{changes}</modifiers>"

    parts = entry("sail", "Sail") + entry("oar", "Oar", "upgrade", 1, automatic("oar", 2, 0))
    parts += entry("mast", "Mast", "upgrade", 4, automatic("mast", 0, 1))
    deck = unit("deck", "Deck", 10, f"<selectionEntries>{parts}</selectionEntries>")
    pond = Pond(client, files={**squads(), "Pond.cat": catalogue("Pond", deck)})
    id = pond.add("deck")
    assert [(one["name"], one.get("number", 1)) for one in pond.squad] == [("Oar", 2)]
    pond.act("take:sail", unit=id)
    assert [one["name"] for one in pond.squad] == ["Sail", "Mast"]
    assert pond.row.points == 14
    page = pond.client.get(pond.address).text
    assert not lacking(page, "Legal", "The files also remove Oar.", "The files also add Mast.")
    pond.act("leave:sail", unit=id)
    assert [(one["name"], one.get("number", 1)) for one in pond.squad] == [("Oar", 2)]
