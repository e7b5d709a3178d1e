"""Players and captains: what they read of their entries and do, and who plays whom."""

from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from armybuilder.events.leaving import forget_holder
from armybuilder.events.models import Entry, LogLine, Submission
from tests.events.builders import TIMES, legal_list
from tests.markup import found_in, lacking
from tests.pages.events.people import People, folded, marked, raven_cup, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def accept(people: People, number: int = 1, seen: int = 1, **more: str) -> None:
    fields = {"what": "accepted", "seen": str(seen), **more}
    people.post(people.owner, f"entries/{number}/decide/", **fields)


def test_who_withdraws_is_asked_and_comes_back_with_the_list() -> None:
    people, anne = People.and_her_list()
    accept(people)
    assert "Yes, withdraw" in folded(people.get(anne))
    people.post(anne, "withdraw/")
    page = folded(people.get(anne))
    assert "You have withdrawn. Nobody sees your lists." in page
    assert found_in(page, ">current<", "Accepted") == []
    assert "Register again first" in folded(people.get(anne, "submit/"))
    assert people.get(anne, "submit/").context["turn"].allowed is False
    people.post(anne, "enter/", name="Anne")
    page = folded(people.get(anne))
    assert lacking(page, "your list is current again.", ">current<") == []
    closed = folded(people.get(people.player("Ben"), now=TIMES.corrected))
    assert "Register again" not in closed
    # Organisers take an entry out and back in.
    assert "Yes, withdraw" in folded(people.get(people.owner, "entries/1/"))
    people.post(people.owner, "entries/1/withdraw/")
    assert "Only the organisers can readmit you" in folded(people.get(anne, now=TIMES.corrected))
    assert "Readmit this player" in folded(people.get(people.owner, "entries/1/"))
    people.post(people.owner, "entries/1/withdraw/", TIMES.corrected, back="1")
    assert Entry.objects.get(number=1).status == Entry.Status.ENTERED
    assert people.post(anne, "entries/1/withdraw/", back="1").status_code == 404
    assert people.post(people.owner, "entries/1/withdraw/", TIMES.over, back="1").status_code == 422


def test_players_read_why_a_list_is_not_legal_or_not_yet_accepted() -> None:
    # Why a list is not legal stands on the page and before it is submitted.
    people, anne = People.and_anne()
    wrong = replace(legal_list(), limit=200)
    text = text_of(wrong)
    tried = people.post(anne, "submit/", text=text, go="check")
    assert "The list is for 200 points. Needed: 300." in folded(tried)
    assert "Nothing has been submitted yet." in folded(tried)
    assert not Submission.objects.exists()
    people.submit(anne, wrong)
    assert "The list is for 200 points. Needed: 300." in folded(people.get(anne))
    # After the rules have changed a player reads that and why.
    people, anne = People.and_her_list()
    accept(people)
    text = raven_cup(summary="Two.", max=2)
    people.post(people.owner, "pack/", text=text, go="use", reason="Small tables")
    page = folded(people.get(anne))
    assert lacking(page, "The event pack changed on", "Small tables") == []
    assert lacking(page, "Waiting for review.", "Two. This list: ") == []
    assert "Previously accepted ·" in page
    accept(people, sure="1")
    page = folded(people.get(anne))
    assert "The event pack changed" not in page
    # A returned list says until when it is to be mended.
    people, anne = People.and_her_list(late_allowed=True)
    accept(people, what="returned", to_player="Two heroes.")
    after = TIMES.due + timedelta(hours=1)
    page = folded(people.get(anne, now=after))
    assert "Your list was returned. Submit a corrected one by Fri 5 Jun 2026, 14:00" in page
    assert "will be marked" not in page
    people.submit(anne, now=after)
    page = folded(people.get(anne, now=after))
    assert "The deadline has passed. A new list will be marked as late." in page
    assert "Submit a corrected one by" not in page


@pytest.mark.slow
def test_submitted_lists_are_in_the_readers_language_and_name_their_player() -> None:
    # Verdict at the event is told in the readers language.
    people, anne = People.and_anne()
    anne.cookies["django_language"] = "de"
    people.submit(anne, replace(legal_list(), limit=200))
    assert Submission.objects.get().event_report["language"] == "de"
    assert "Die Liste ist für 200 Punkte." in folded(people.get(anne))
    assert "The list is for 200 points." in folded(people.get(people.owner, "entries/1/1/"))
    # The page of a list names its player unless names are hidden.
    people, _anne = People.and_her_list()
    assert "<title>Player 1, list 1: Anne" in folded(people.get(people.owner, "entries/1/1/"))
    hidden = people.get(people.owner, "desk/?blind=1")
    assert "entries/1/1/?blind=1" in folded(hidden)
    assert "Anne" not in folded(people.get(people.owner, "entries/1/1/?blind=1")).split("sheet")[0]


@pytest.mark.slow
def test_events_are_cancelled_or_made_with_a_hint() -> None:
    # Cancelling asks first and until when lists are hidden is said.
    people = People()
    said = "Until lists are published, only the staff who check them see yours."
    assert said in folded(people.get(Client()))
    page = folded(people.get(people.owner))
    ask = page.index("event-ask")
    assert page.index("Cancel the event?") > ask
    assert page.index('value="cancelled"') > page.index("Cancel the event?")
    people.post(people.owner, "standing/", standing="cancelled")
    assert "Resume the event" in folded(people.get(people.owner))
    # An event in the past is made with a hint.
    people, now = People(), timezone.now().replace(second=0, microsecond=0)
    fields = {"name": "Cup", "organiser": "Olga", "zone": "UTC", "pack": "raven-cup"}
    fields |= {"grace": "0", "capacity": "0", "audience": "entrants"}
    for days, said in (
        (-20, "all times of this event are in the past"),
        (-4, "deadline is in the past"),
    ):
        for after, name in enumerate(("frozen", "due", "corrected", "revealed", "over"), 1):
            fields[name] = f"{now + timedelta(days=days + after):%Y-%m-%dT%H:%M}"
        made = people.owner.post("/events/new/", fields, follow=True)
        assert said in " ".join(str(one) for one in made.context["messages"])


def test_a_captain_enters_players_and_submits_for_them() -> None:
    people = People(pack="raven-cup")
    cora = people.player("Cora", team="Mill", captain="on")
    assert "Your team" in folded(people.get(cora))
    assert people.post(cora, "team/", name="Mo <b>").status_code == 302
    page = folded(people.get(cora, "team/"))
    assert "Mo &lt;b&gt;" in page
    text = text_of(legal_list("Zilpzalpa"))
    assert people.post(cora, "submit/", player="2", text=text).status_code == 302
    found = Submission.objects.get()
    assert found.entry.number == 2
    assert LogLine.objects.get(act="submitted").actor == "captain"
    assert "Goblin" in folded(people.get(cora, "entries/2/1/"))
    secret = Entry.objects.get(number=2).secret
    assert secret in folded(people.get(cora, "team/"))
    mo = Client()
    assert people.post(mo, f"mine/{secret}/").status_code == 302
    assert "Mo" in folded(people.get(mo))
    assert secret not in folded(people.get(cora, "team/"))


def test_nobody_else_acts_for_a_team() -> None:
    people = People()
    people.player("Cora", team="Mill", captain="on")
    mo = people.player("Mo", team="mill")
    eve = people.player("Eve", team="Hill", captain="on")
    for who in (mo, eve, Client()):
        answer = people.post(who, "submit/", player="1", text="x")
        assert answer.status_code == 404, who
    # An organiser may; this text has no list.
    assert people.post(people.owner, "submit/", player="1", text="x").status_code == 422
    assert people.get(mo, "team/").status_code == 404
    refused = people.post(Client(), "enter/", name="Dan", team="MILL", captain="on")
    assert refused.status_code == 422
    assert people.post(Client(), "enter/", name="Dan", captain="on").status_code == 422
    # Nobody makes themselves captain of players who were there before.
    people = People(audience="staff")
    anne = people.player("Anne", team="Red")
    people.submit(anne, marked("Zilpzalpa"))
    refused = people.post(Client(), "enter/", name="Eve", team=" red ", captain="on")
    assert refused.status_code == 422
    assert "the organisers can then make you captain" in folded(refused)
    people.post(anne, "withdraw/")
    assert people.post(Client(), "enter/", name="Eve", team="RED", captain="on").status_code == 422
    people.post(anne, "enter/", name="Anne")
    eve = people.player("Eve", team="red")
    assert people.get(eve, "team/").status_code == 404
    assert people.get(eve, "entries/1/1/").status_code == 404
    assert people.post(eve, "submit/", player="1", text="x").status_code == 404
    assert people.post(eve, "entries/2/captain/").status_code == 404


@pytest.mark.slow
@pytest.mark.one_in(2)
@pytest.mark.parametrize("leaves", ["withdraws", "is forgotten"])
def test_who_was_brought_in_is_captain_when_one_leaves_and_nobody_else(leaves: str) -> None:
    people = People()
    cora = people.player("Cora", team="Mill", captain="on")
    mo = people.player("Mo", team="mill")
    people.post(cora, "team/", name="Nobody yet")
    people.post(cora, "team/", name="Ned")
    ned, secret = Client(), Entry.objects.get(name="Ned").secret
    assert people.post(ned, f"mine/{secret}/").status_code == 302
    people.submit(mo)
    if leaves == "withdraws":
        people.post(cora, "withdraw/")
    else:
        forget_holder(cora.session["holder"], people.now)
    assert people.get(cora, "team/").status_code == 404
    assert people.get(mo, "team/").status_code == 404
    assert people.get(ned, "team/").status_code == 200
    told = lacking(folded(people.get(mo)), "Visible to more people", "Ned is captain now.")
    assert told == [], "who agreed that Cora sees it"
    assert [one.number for one in Entry.objects.filter(captain=True)] == [4]
    people.post(people.owner, "entries/4/withdraw/")
    assert not Entry.objects.filter(captain=True).exists()


@pytest.mark.slow
def test_organisers_name_a_captain_whom_the_players_are_told() -> None:
    people = People()
    anne = people.player("Anne", team="Red")
    cora, alone = people.player("Cora", team="red"), people.player("Dan")
    assert "Make captain" in folded(people.get(people.owner, "entries/2/"))
    assert "Make captain" not in folded(people.get(people.owner, "entries/3/"))
    assert people.post(people.owner, "entries/2/captain/").status_code == 302
    assert people.get(cora, "team/").status_code == 200
    assert "Cora, who can see your list" in folded(people.get(anne))
    assert "Cora, who sees" not in folded(people.get(alone))
    assert LogLine.objects.get(act="captain").actor == "owner"
    assert people.post(people.owner, "entries/3/captain/").status_code == 422
    people.post(people.owner, "entries/1/captain/")
    assert people.get(cora, "team/").status_code == 404
    assert people.get(anne, "team/").status_code == 200
    people.post(people.owner, "enter/", name="Olga", team="Red", agrees="on")
    own = people.post(people.owner, "entries/4/captain/")
    assert (own.status_code, "can’t make yourself captain" in folded(own)) == (422, True)


def league() -> People:
    return People(pack="three-winters-league")


@pytest.mark.slow
def test_a_player_submits_as_many_lists_as_the_pack_allows() -> None:
    people = league()
    anne, ben = people.player("Anne", email="anne@mill.example"), people.player("Ben")
    assert [one.name for one in Entry.objects.filter(main__number=1)] == ["Anne (2)", "Anne (3)"]
    assert people.submit(anne, marked("Zilpzalp")).status_code == 302
    text = text_of(legal_list("Wendehals"))
    assert people.post(anne, "submit/", player="3", text=text).status_code == 302
    assert people.post(ben, "submit/", player="3", text=text).status_code == 404
    page = folded(people.get(anne))
    assert "Anne (3)" in page
    assert "2 players" in folded(people.get(Client()))
    receipt = people.get(anne, "receipts/1.json?player=3").json()
    assert receipt["entry"] == 3
    assert people.get(ben, "entries/3/1/").status_code == 404
    assert people.get(anne, "entries/3/1/").status_code == 200
    people.post(anne, "withdraw/")
    gone = Entry.objects.filter(status=Entry.Status.WITHDRAWN)
    assert [one.number for one in gone] == [1, 2, 3]
    people.post(anne, "enter/", name="Anne")
    assert not gone.all().exists()
    # Further lists come back with their player.
    people.post(anne, "withdraw/")
    people.post(people.owner, "entries/3/withdraw/", back="1")
    assert set(Entry.objects.values_list("status", flat=True)) == {"entered"}


def test_further_lists_move_with_their_player_and_count_as_one() -> None:
    people = league()
    people.event.capacity = 1
    people.event.save()
    anne = people.player("Anne")
    assert people.post(Client(), "enter/", name="Ben").status_code == 302
    assert not Entry.objects.filter(name="Ben").exists(), "Ben waits"
    other = Client()
    secret = Entry.objects.get(number=2).secret
    assert people.post(other, f"mine/{secret}/").status_code == 302
    assert "Anne (2)" in folded(people.get(other))
    assert "Anne (2)" not in folded(people.get(anne))


def test_a_pack_that_takes_more_lists_than_before_is_reported() -> None:
    people, anne = People.and_anne()
    assert people.post(anne, "enter/lists/").status_code == 302
    assert Entry.objects.count() == 1
    kept = people.event.packs.latest("pk")
    kept.pk, kept.revision = None, "more"
    kept.data = {**kept.data, "entry": {"lists": 2}}
    kept.save()
    assert "submits 2 lists" in folded(people.get(anne))
    people.post(anne, "enter/lists/")
    assert Entry.objects.filter(main__number=1).count() == 1
    assert "submits 2 lists" not in folded(people.get(anne))


def test_opponents_read_each_others_lists_once_published() -> None:
    people = People(audience="opponents")
    anne, ben, cleo = (people.player(one) for one in ("Anne", "Ben", "Cleo"))
    people.submit(ben, marked("Wendehalsi"))
    sent = people.post(people.owner, "pairings/", round="1", pairs="1 - 2\n\n")
    assert sent.status_code == 302
    page = "entries/2/1/"
    assert people.get(anne, page, TIMES.corrected).status_code == 404
    assert "Wendehalsi" not in folded(people.get(anne, "pairings/", TIMES.corrected))
    shown = TIMES.revealed
    assert "Wendehalsi" in folded(people.get(anne, page, shown))
    assert "Ben" in folded(people.get(anne, "pairings/", shown))
    assert people.get(cleo, page, shown).status_code == 404
    assert people.get(Client(), "pairings/", shown).status_code == 404
    assert "Round 1 was paired" in folded(people.get(people.owner, "log/"))
    # They see all lists of each other.
    people = People(pack="three-winters-league", audience="opponents")
    anne, ben = people.player("Anne"), people.player("Ben")
    text = text_of(legal_list())
    people.post(anne, "submit/", player="2", text=text)
    people.post(people.owner, "pairings/", round="1", pairs="1 - 4")
    assert people.get(ben, "entries/2/1/", TIMES.revealed).status_code == 200
    assert people.get(people.player("Cleo"), "entries/2/1/", TIMES.revealed).status_code == 404


@pytest.mark.slow
def test_impossible_pairings_are_refused() -> None:
    people = People()
    for name in ("Anne", "Ben", "Cleo"):
        last = people.player(name)
    people.post(last, "withdraw/")
    for pairs, told in (
        ("1 2 3", "write two player numbers"),
        ("1 - 1", "appears twice"),
        ("1 - 2\n2 - 3", "appears twice"),
        ("1 - 99999", "Player 99999 doesn’t exist"),
        ("1 - 3", "Player 3 doesn’t exist"),
        ("Anne - Ben", "write two player numbers"),
    ):
        answer = people.post(people.owner, "pairings/", round="7", pairs=pairs)
        assert answer.status_code == 422, pairs
        assert told in folded(answer)
        assert lacking(folded(answer), f"{' '.join(pairs.split())}</textarea>", 'value="7"') == []
    assert not people.event.pairings.exists()
    assert people.post(people.owner, "pairings/", round="0", pairs="1 - 2").status_code == 422
    assert people.post(last, "pairings/", round="1", pairs="1 - 2").status_code == 404
