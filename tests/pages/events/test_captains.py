"""Captains hand in for their teams; organisers write who plays whom."""

from __future__ import annotations

import pytest
from django.test import Client

from armybuilder.events.leaving import forget_holder
from armybuilder.events.models import Entry, LogLine, Submission
from tests.events.builders import TIMES, legal_list
from tests.pages.events.people import People, marked, text_of
from tests.pages.events.test_whole_event import words

pytestmark = pytest.mark.django_db


def test_a_captain_enters_players_and_submits_for_them() -> None:
    people = People(pack="raven-cup")
    cora = people.player("Cora", team="Mill", captain="on")
    assert "Your team" in words(people.get(cora))
    assert people.post(cora, "team/", name="Mo <b>").status_code == 302
    page = words(people.get(cora, "team/"))
    assert "Mo &lt;b&gt;" in page
    text = text_of(legal_list("Zilpzalpa"))
    assert people.post(cora, "submit/", player="2", text=text).status_code == 302
    found = Submission.objects.get()
    assert found.entry.number == 2
    assert LogLine.objects.get(act="submitted").actor == "captain"
    assert "Goblin" in words(people.get(cora, "entries/2/1/"))
    secret = Entry.objects.get(number=2).secret
    assert secret in words(people.get(cora, "team/"))
    mo = Client()
    assert people.post(mo, f"mine/{secret}/").status_code == 302
    assert "Mo" in words(people.get(mo))
    assert secret not in words(people.get(cora, "team/"))


def test_nobody_else_acts_for_a_team() -> None:
    people = People()
    people.player("Cora", team="Mill", captain="on")
    mo = people.player("Mo", team="mill")
    eve = people.player("Eve", team="Hill", captain="on")
    for who in (mo, eve, Client(), people.owner):
        answer = people.post(who, "submit/", player="1", text="x")
        assert answer.status_code == 404, who
    assert people.get(mo, "team/").status_code == 404
    refused = people.post(Client(), "enter/", name="Dan", team="MILL", captain="on")
    assert refused.status_code == 422
    assert people.post(Client(), "enter/", name="Dan", captain="on").status_code == 422


def brought(people: People, captain: Client, name: str) -> Client:
    """Somebody whom a captain has entered, and who has come to their entry by its address."""
    people.post(captain, "team/", name=name)
    who = Client()
    secret = Entry.objects.get(name=name).secret
    assert people.post(who, f"mine/{secret}/").status_code == 302
    return who


def test_who_was_brought_in_is_captain_when_one_leaves_and_nobody_else() -> None:
    people = People()
    cora = people.player("Cora", team="Mill", captain="on")
    mo = people.player("Mo", team="mill")
    people.post(cora, "team/", name="Nobody yet")
    ned = brought(people, cora, "Ned")
    people.post(cora, "withdraw/")
    assert people.get(cora, "team/").status_code == 404
    assert people.get(mo, "team/").status_code == 404
    assert people.get(ned, "team/").status_code == 200
    assert [one.number for one in Entry.objects.filter(captain=True)] == [4]
    people.post(people.owner, "entries/4/withdraw/")
    assert not Entry.objects.filter(captain=True).exists()


def test_nobody_makes_themselves_captain_of_players_who_were_there_before() -> None:
    people = People(audience="staff")
    anne = people.player("Anne", team="Red")
    people.submit(anne, marked("Zilpzalpa"))
    refused = people.post(Client(), "enter/", name="Eve", team=" red ", captain="on")
    assert refused.status_code == 422
    assert "the organisers can then name you" in " ".join(words(refused).split())
    people.post(anne, "withdraw/")
    assert people.post(Client(), "enter/", name="Eve", team="RED", captain="on").status_code == 422
    people.post(anne, "enter/", name="Anne")
    eve = people.player("Eve", team="red")
    assert people.get(eve, "team/").status_code == 404
    assert people.get(eve, "entries/1/1/").status_code == 404
    assert people.post(eve, "submit/", player="1", text="x").status_code == 404
    assert people.post(eve, "entries/2/captain/").status_code == 404


def test_organisers_name_a_captain_whom_the_players_are_told() -> None:
    people = People()
    anne = people.player("Anne", team="Red")
    cora, alone = people.player("Cora", team="red"), people.player("Dan")
    assert "Name as captain" in words(people.get(people.owner, "entries/2/"))
    assert "Name as captain" not in words(people.get(people.owner, "entries/3/"))
    assert people.post(people.owner, "entries/2/captain/").status_code == 302
    assert people.get(cora, "team/").status_code == 200
    assert "Cora, who sees your list" in " ".join(words(people.get(anne)).split())
    assert "Cora, who sees" not in " ".join(words(people.get(alone)).split())
    assert LogLine.objects.get(act="captain").actor == "owner"
    assert people.post(people.owner, "entries/3/captain/").status_code == 422
    people.post(people.owner, "entries/1/captain/")
    assert people.get(cora, "team/").status_code == 404
    assert people.get(anne, "team/").status_code == 200
    people.post(people.owner, "enter/", name="Olga", team="Red")
    own = people.post(people.owner, "entries/4/captain/")
    assert (own.status_code, "Somebody else" in words(own)) == (422, True)


def league() -> People:
    """An event whose pack takes three lists of each player."""
    return People(pack="three-winters-league")


def test_a_player_hands_in_as_many_lists_as_the_pack_takes() -> None:
    people = league()
    anne, ben = people.player("Anne", email="anne@mill.example"), people.player("Ben")
    assert [one.name for one in Entry.objects.filter(main__number=1)] == ["Anne (2)", "Anne (3)"]
    assert people.submit(anne, marked("Zilpzalp")).status_code == 302
    text = text_of(legal_list("Wendehals"))
    assert people.post(anne, "submit/", player="3", text=text).status_code == 302
    assert people.post(ben, "submit/", player="3", text=text).status_code == 404
    page = words(people.get(anne))
    assert "Anne (3)" in page
    assert "2 entries" in words(people.get(Client()))
    receipt = people.get(anne, "receipts/1.json?player=3").json()
    assert receipt["entry"] == 3
    assert people.get(ben, "entries/3/1/").status_code == 404
    assert people.get(anne, "entries/3/1/").status_code == 200
    people.post(anne, "withdraw/")
    gone = Entry.objects.filter(status=Entry.Status.WITHDRAWN)
    assert [one.number for one in gone] == [1, 2, 3]
    people.post(anne, "enter/", name="Anne")
    assert not gone.all().exists()


def test_further_lists_move_with_their_player_and_count_as_one() -> None:
    people = league()
    people.event.capacity = 1
    people.event.save()
    anne = people.player("Anne")
    assert people.post(Client(), "enter/", name="Ben").status_code == 422
    other = Client()
    secret = Entry.objects.get(number=2).secret
    assert people.post(other, f"mine/{secret}/").status_code == 302
    assert "Anne (2)" in words(people.get(other))
    assert "Anne (2)" not in words(people.get(anne))


def test_a_pack_that_takes_more_lists_than_before_is_told() -> None:
    people = People()
    anne = people.player("Anne")
    assert people.post(anne, "enter/lists/").status_code == 302
    assert Entry.objects.count() == 1
    kept = people.event.packs.latest("pk")
    kept.pk, kept.revision = None, "more"
    kept.data = {**kept.data, "entry": {"lists": 2}}
    kept.save()
    assert "takes 2 lists of each" in " ".join(words(people.get(anne)).split())
    people.post(anne, "enter/lists/")
    assert Entry.objects.filter(main__number=1).count() == 1
    assert "takes 2 lists of each" not in " ".join(words(people.get(anne)).split())


def test_opponents_see_all_lists_of_each_other() -> None:
    people = People(pack="three-winters-league", audience="opponents")
    anne, ben = people.player("Anne"), people.player("Ben")
    text = text_of(legal_list())
    people.post(anne, "submit/", player="2", text=text)
    people.post(people.owner, "pairings/", round="1", pairs="1 - 4")
    assert people.get(ben, "entries/2/1/", TIMES.revealed).status_code == 200
    assert people.get(people.player("Cleo"), "entries/2/1/", TIMES.revealed).status_code == 404


def test_the_next_player_is_captain_when_one_is_forgotten() -> None:
    people = People()
    cora = people.player("Cora", team="Mill", captain="on")
    people.player("Mo", team="mill")
    brought(people, cora, "Ned")
    forget_holder(cora.session["holder"], people.now)
    assert [one.number for one in Entry.objects.filter(captain=True)] == [3]


def test_opponents_read_each_other_s_lists_once_they_are_shown() -> None:
    people = People(audience="opponents")
    anne, ben, cleo = (people.player(one) for one in ("Anne", "Ben", "Cleo"))
    people.submit(ben, marked("Wendehalsi"))
    sent = people.post(people.owner, "pairings/", round="1", pairs="1 - 2\n\n")
    assert sent.status_code == 302
    page = "entries/2/1/"
    assert people.get(anne, page, TIMES.corrected).status_code == 404
    assert people.get(anne, "pairings/", TIMES.corrected).status_code == 404
    shown = TIMES.revealed
    assert "Wendehalsi" in words(people.get(anne, page, shown))
    assert "Ben" in words(people.get(anne, "pairings/", shown))
    assert people.get(cleo, page, shown).status_code == 404
    assert people.get(Client(), "pairings/", shown).status_code == 404
    assert "Round 1 was paired" in words(people.get(people.owner, "log/"))


@pytest.mark.one_in(3)
@pytest.mark.parametrize(
    ("pairs", "told"),
    [
        ("1 2 3", "write two numbers"),
        ("1 - 1", "there twice"),
        ("1 - 2\n2 - 3", "there twice"),
        ("1 - 99999", "no entry 99999"),
        ("1 - 3", "no entry 3"),
        ("Anne - Ben", "write two numbers"),
    ],
)
def test_pairings_that_cannot_be_are_told(pairs: str, told: str) -> None:
    people = People()
    for name in ("Anne", "Ben", "Cleo"):
        last = people.player(name)
    people.post(last, "withdraw/")
    answer = people.post(people.owner, "pairings/", round="7", pairs=pairs)
    assert answer.status_code == 422
    assert told in words(answer)
    assert f"{pairs}</textarea>" in words(answer)
    assert 'value="7"' in words(answer)
    assert not people.event.pairings.exists()
    assert people.post(people.owner, "pairings/", round="0", pairs="1 - 2").status_code == 422
    assert people.post(last, "pairings/", round="1", pairs="1 - 2").status_code == 404
