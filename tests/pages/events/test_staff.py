"""The staff: desk, judge's page, teams, and the webhook of organisers."""

import gzip
import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.core import mail
from django.test import Client
from django_tasks_db.models import DBTaskResult

from armybuilder.accounts.models import User
from armybuilder.events import notifications, reminding
from armybuilder.events.models import Entry, Event, LedgerLine, Submission, Webhook
from armybuilder.events.rules import StaffRole
from armybuilder.loading.documents import hash_of
from armybuilder.loading.examples import shipped_examples
from armybuilder.pages.events import desk
from armybuilder.pages.events.organise import ChangeForm
from tests.building.documents import army, value_of
from tests.events.builders import (
    NOW,
    TIMES,
    entered,
    helper,
    legal_list,
    open_event,
    owner_of,
    submitted,
)
from tests.markup import lacking
from tests.pages.events.people import People, folded, held, marked, raven_cup, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


@pytest.mark.django_db(transaction=True)
def test_a_sealed_event_is_opened_for_a_reason_that_its_player_reads() -> None:
    people = People(sealed=True)
    anne = people.player("Anne", email="anne@mill.example")
    people.submit(anne)
    form = ChangeForm(None, people.refreshed())
    said = {name: form[name].value() for name in form.fields if name != "sealed"}
    said = {k: str(v) for k, v in said.items() if v is not False and v is not None}
    said["name"] = "Another cup"
    refused = people.post(people.owner, "edit/", **said)
    assert refused.status_code == 422
    assert lacking(refused.text, "to more people", "Another cup") == []
    assert people.refreshed().sealed
    assert "can’t see this list yet" in people.get(people.owner, "entries/1/1/").text
    opened = people.post(people.owner, "edit/", **said, reason="Asked by all.")
    assert opened.status_code == 302
    mine = people.get(anne).text
    assert lacking(mine, "Seal broken", "Asked by all.") == []
    assert mail.outbox[-1].subject == "Another cup: seal broken"
    assert "can’t see this list yet" not in people.get(people.owner, "entries/1/1/").text


@pytest.mark.django_db(transaction=True)
def test_the_owner_alone_deletes_an_event_and_players_get_a_mail() -> None:
    people = People()
    anne = people.player("Anne", email="anne@mill.example")
    helper(people.event, StaffRole.ORGANISER, "olaf")
    yes, no = "Yes, delete the event", "Delete the event once it has ended"
    assert yes in people.get(people.owner).text, "nobody has submitted"
    people.submit(anne)
    assert lacking(people.get(people.owner).text, no) == []
    assert people.post(people.owner, "delete/").status_code == 422
    people.now = TIMES.over
    assert yes in people.get(people.owner).text
    for other in (held("holder-olaf"), anne, Client()):
        shown = people.get(other).text
        assert lacking(shown, "then its organiser can delete it") == []
        assert yes not in shown
        assert people.post(other, "delete/").status_code == 404
    gone = people.post(people.owner, "delete/")
    assert gone["Location"] == "/events/"
    assert "“Raven Cup” is deleted." in people.owner.get("/events/").text
    assert people.get(anne).status_code == 404
    (sent,) = (one for one in mail.outbox if "deleted" in one.subject)
    assert (sent.subject, sent.to) == ("Raven Cup: deleted", ["anne@mill.example"])


@pytest.mark.slow
def test_an_accepted_list_that_a_new_pack_makes_worse_is_named_and_checked_again() -> None:
    people = People()
    wrong = replace(legal_list(), limit=400)
    for name in ("Anne", "Elif"):
        people.submit(people.player(name), wrong)
    people.submit(people.player("Fritz"), replace(legal_list(), limit=400, units=wrong.units[:2]))
    for number in (1, 2, 3):
        entry = people.event.entries.get(number=number)
        Entry.objects.filter(pk=entry.pk).update(status=Entry.Status.ACCEPTED)
    text = raven_cup(max=5)
    tried = people.post(people.owner, "pack/", text=text, go="try").text
    assert "0 legal lists would become illegal" in tried
    assert lacking(tried, "2 accepted lists have to be checked again", "1 Anne") == []
    assert "3 Fritz" not in tried
    people.post(people.owner, "pack/", text=text, go="use")
    statuses = people.event.entries.order_by("number").values_list("status", flat=True)
    assert list(statuses) == ["entered", "entered", "accepted"]
    # The same rules once more make nothing worse, in any language.
    Entry.objects.update(status=Entry.Status.ACCEPTED)
    people.owner.defaults["HTTP_ACCEPT_LANGUAGE"] = "de"
    again = people.post(people.owner, "pack/", text=text, go="try")
    assert "würde" in again.text
    assert (again.context["worse"], again.context["again"]) == ([], 0)  # type: ignore[attr-defined]


@pytest.mark.slow
def test_a_list_that_is_not_legal_is_accepted_after_a_question_alone_without_its_errors() -> None:
    people, _anne = People.and_her_list(replace(legal_list(), limit=400))
    page = people.get(people.owner, "entries/1/1/").text
    first, nevertheless = page.split("Accept anyway", 1)
    assert 'value="accepted"' not in first
    assert "Needed: 300" in first.split("<textarea")[1]
    assert "Needed: 300" not in nevertheless.split("<textarea")[1].split("</textarea>")[0]
    asked = people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    assert asked.status_code == 422
    assert people.event.entries.get().status == "entered"
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1", sure="1")
    assert people.event.entries.get().status == "accepted"
    # A legal one takes one press.
    people.submit(people.player("Ben"))
    page = people.get(people.owner, "entries/2/1/").text
    assert 'value="accepted"' in page
    assert "Accept anyway" not in page


@pytest.mark.django_db(transaction=True)
def test_trying_packs_reveals_no_hidden_list() -> None:
    people = People(sealed=True)
    people.submit(people.player("Zilpa", email="z@mill.example"))
    pages = [
        folded(people.post(people.owner, "pack/", text=raven_cup(max=number), go="try"))
        for number in (1, 5, 99)
    ]
    for page in pages:
        assert lacking(page, "because some lists are hidden from you") == []
        assert "would become illegal" not in page
    # Whatever the list is, the same is told.
    other = People(sealed=True)
    other.submit(other.player("Anne"), replace(legal_list(), units=legal_list().units[:1]))
    same = folded(other.post(other.owner, "pack/", text=raven_cup(max=5), go="try"))
    tried = re.compile(r"<section.*?<form")
    assert tried.findall(same) == tried.findall(pages[1])
    # To put one into effect takes a reason, and everybody is told.
    refused = people.post(people.owner, "pack/", text=raven_cup(max=99), go="use")
    assert (refused.status_code, "Give a reason" in folded(refused)) == (422, True)
    mail.outbox.clear()
    used = people.post(people.owner, "pack/", text=raven_cup(max=99), go="use", reason="More room.")
    assert (used.status_code, len(mail.outbox)) == (302, 1)
    assert "More room." in people.get(people.owner, "rules/").text


def test_a_list_is_shown_to_more_people_for_a_reason_and_by_nobody_who_plays() -> None:
    people = People()
    anne = people.player("Anne", team="Red")
    people.submit(anne)
    people.player("Cora", team="Red")
    otto = held("holder-Otto")
    people.post(otto, "enter/", name="Otto", team="Red", agrees="on")
    helper(people.event, StaffRole.ORGANISER, "Otto")
    ways = {
        "entries/2/captain/": {},
        "edit/": {**details_of(people), "shows_all": "on"},
    }
    for page, fields in ways.items():
        refused = folded(people.post(people.owner, page, **fields))
        assert "Give a reason" in refused, page
        refused = folded(people.post(otto, page, **fields, reason="I want to."))
        assert "Somebody" in refused or "another member of staff" in refused, page
    for number, (page, fields) in enumerate(ways.items(), 1):
        done = people.post(people.owner, page, **fields, reason=f"Reason {number}.")
        assert done.status_code == 302, page
        mine = folded(people.get(anne))
        assert lacking(mine, "Visible to more people", f"Reason {number}.") == [], page
    assert people.refreshed().shows_all


def details_of(people: People) -> dict[str, str]:
    """The fields of the event's form as they are now."""
    form = ChangeForm(None, people.refreshed())
    values = {name: form[name].value() for name in form.fields}
    return {k: str(v) for k, v in values.items() if v is not False and v is not None}


def test_words_of_decisions_are_for_those_who_may_read_the_list() -> None:
    people, anne = People.and_her_list()
    words = {"to_player": "Drop the troll.", "for_staff": "He does that each year."}
    people.post(people.owner, "entries/1/decide/", what="returned", seen="1", **words)
    helper(people.event, StaffRole.JUDGE, "Jo")
    helper(people.event, StaffRole.CHECKER, "Carl", "Red")
    Entry.objects.update(team="Red")
    for holder in ("Jo", "Carl"):
        for page in ("entries/1/", "entries/1/1/"):
            told = people.get(held(f"holder-{holder}"), page).text
            assert "Returned" in told
            assert lacking(told, *words.values()) == list(words.values()), (holder, page)
    for page in ("entries/1/", "entries/1/1/"):
        assert lacking(people.get(people.owner, page).text, *words.values()) == [], page
    own = people.get(anne, "entries/1/1/").text
    assert lacking(own, *words.values()) == ["He does that each year."]
    # Nor does a helper read of the own list what is for the staff.
    Entry.objects.update(holder=owner_of(people.event).holder)
    own = people.get(people.owner, "entries/1/1/").text
    assert lacking(own, *words.values()) == ["He does that each year."]


def test_organisers_who_play_do_nothing_for_their_own_entry() -> None:
    people = People()
    people.post(people.owner, "enter/", name="Olga")
    more = {"until": "2026-06-05T12:00", "reason": "Ill"}
    for page, fields, said in (
        ("extend", more, "can’t give yourself more time"),
        ("withdraw", {}, "on the event’s page"),
    ):
        own = people.post(people.owner, f"entries/1/{page}/", **fields)
        assert (own.status_code, said in folded(own)) == (422, True), page
    # Nor do they overrule what their opponent says of their game.
    ben = people.player("Ben")
    people.post(people.owner, "pairings/", round="1", pairs="1 - 2")
    game, ten = "pairings/1/tables/1/", {"first": "10", "second": "9"}
    people.post(ben, game, first="9", second="10")
    row = {"go": "results", "round": "1", "first-1": "10", "second-1": "9"}
    for page, fields in ((game, {**ten, "go": "settle"}), ("pairings/", row)):
        own = people.post(people.owner, page, **fields)
        assert (own.status_code, "reported another result" in folded(own)) == (422, True), page
    other = held(helper(people.event, StaffRole.ORGANISER, "Otto").holder)
    assert people.post(other, game, **ten, go="settle").status_code == 302


@pytest.mark.parametrize("withdrawn", [True, False])
def test_staff_read_no_lists_before_they_register(withdrawn: bool) -> None:
    people = People()
    if withdrawn:
        people.post(people.owner, "enter/", name="Olga")
    people.submit(people.player("Anne"), marked("Rabe"))
    if withdrawn:
        assert "Rabe" not in people.get(people.owner, "entries/2/1/").text
        people.post(people.owner, "withdraw/")
    refused = people.post(people.owner, "enter/", name="Olga")
    assert (refused.status_code, "submitted lists as staff" in folded(refused)) == (422, True)
    # Nor by another way: as somebody whom they add, and then are.
    people.post(people.owner, "players/", go="add", players="Otto")
    secret = Entry.objects.get(name="Otto").secret
    came = people.post(people.owner, f"mine/{secret}/").status_code
    assert came == (404 if withdrawn else 422), "who is another already, or reads lists"
    judge = held(helper(people.event, StaffRole.JUDGE, "Jo").holder)
    assert people.post(judge, "enter/", name="Jo").status_code == 302, "who reads none yet"
    people.post(people.owner, "edit/", **details_of(people), staff_plays="on", reason="We are few.")
    assert people.post(people.owner, "enter/", name="Olga").status_code == 302


@pytest.mark.slow
def test_registering_for_a_team_asks_to_let_the_captain_read() -> None:
    people = People()
    people.player("Anne", team="Team Germany", captain="on")
    heinz = held("holder-Heinz")
    for team in ("team germany", "Team  G\u0435rmany", "\uff34eam German\u200by"):
        asked = people.post(heinz, "enter/", name="Heinz", team=team)
        assert asked.status_code == 422, team
        assert 'name="name" value="Heinz"' in asked.text, "what was typed stays"
        assert (
            lacking(
                folded(asked),
                "Anne is the captain of “Team Germany”",
                "Confirm that this is your team",
            )
            == []
        )
    taken = people.post(heinz, "enter/", name="Heinz", team="Team Germany B", captain="on")
    assert taken.status_code == 302
    kurt = held("holder-Kurt")
    assert people.post(kurt, "enter/", name="Kurt", team="Team Germany", agrees="on")
    assert "Anne, who can see your list" in folded(people.get(kurt))


LADDER = {"Late list": -3}


def test_a_judge_reads_locked_lists_and_decides_nothing() -> None:
    people, _anne = People.and_her_list(marked("Zilpzalp"), ladder=LADDER)
    helper(people.event, StaffRole.JUDGE, "Jo")
    jo = held("holder-Jo")
    assert "Zilpzalp" not in people.get(jo, "judge/").text
    assert "Zilpzalp unit" in people.get(jo, "judge/", TIMES.corrected).text
    assert people.get(jo, "desk/").status_code == 200
    for page, fields in (
        ("entries/1/decide/", {"what": "accepted", "seen": "1"}),
        ("desk/clean/", {"clean": "1.1"}),
    ):
        assert people.post(jo, page, **fields).status_code == 404, "a judge decides nothing"
    assert people.get(Client(), "judge/", TIMES.corrected).status_code == 404
    # The judge s page alone may use the camera.
    policies = [
        people.get(people.owner, page)["Permissions-Policy"] for page in ("judge/", "desk/")
    ]
    assert ["camera=(self)" in one for one in policies] == [True, False]
    assert ["camera=()" in one for one in policies] == [False, True]
    assert all("microphone=()" in one for one in policies)


@pytest.mark.slow
def test_hashes_are_shown_only_to_who_may_see_the_lists() -> None:
    people, anne = People.and_anne(sealed=True)
    lists = [marked("Zilpzalp"), marked("Wendehals")]
    for one in lists:
        people.submit(anne, one)
    kept = [one.list_hash for one in Submission.objects.order_by("number")]
    papers = [hash_of(one) for one in lists]  # of the player's own sheets, whose books say less
    assert len({*kept, *papers}) == 4
    for moment in (TIMES.due, TIMES.corrected):
        page = people.get(people.owner, "judge/", moment).text
        assert not any(one in page for one in (*kept, *papers))
    shown = people.get(people.owner, "judge/", TIMES.revealed)
    assert json.loads(shown.context["hashes"]) == [
        [kept[1], 1, 2, "entered"],
        [papers[1], 1, 2, "entered"],
        [kept[0], 1, 1, "former"],
        [papers[0], 1, 1, "former"],
    ]


def test_points_are_given_and_taken_back_and_their_player_reads_them() -> None:
    people, anne = People.and_her_list(ladder=LADDER)
    key = str(uuid4())
    for _time in range(2):
        people.post(people.owner, "entries/1/points/", reason="Late list", key=key)
    assert LedgerLine.objects.count() == 1
    assert "Late list -3" in " ".join(people.get(anne).text.split())
    assert people.post(anne, "entries/1/points/", reason="Late list").status_code == 404
    people.post(people.owner, "entries/1/points/", back="1", key=key)
    assert LedgerLine.objects.get().undone
    answer = people.post(people.owner, "entries/1/points/", reason="Other")
    assert answer.status_code == 422


@pytest.mark.slow
def test_a_large_event_has_several_pages_and_papers_are_compared_with_all(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk, "EACH_TO_JUDGE", 2)
    people = People()
    for name in ("Anne", "Ben", "Cleo"):
        people.submit(people.player(name), marked(name))
    people.player("Dora")
    first = people.get(people.owner, "judge/", TIMES.corrected)
    second = people.get(people.owner, "judge/?page=2", TIMES.corrected)
    pages = [page.text for page in (first, second)]
    assert ["Cleo unit" in page for page in pages] == [False, True]
    assert ["Anne unit" in page for page in pages] == [True, False]
    assert ["Dora" in page for page in pages] == [False, True]
    entries = {entry for _hash, entry, _number, _is in json.loads(first.context["hashes"])}
    assert entries == {1, 2, 3}
    assert first.context["hashes"] == second.context["hashes"]


def test_helpers_who_play_are_not_offered_to_decide_about_their_own_list() -> None:
    people = People(ladder=LADDER, staff_plays=True)
    people.post(people.owner, "enter/", name="Olga")
    people.submit(people.owner)
    people.submit(people.player("Anne"))
    for page in ("entries/{}/1/", "judge/"):
        own, other = (people.get(people.owner, page.format(number)).text for number in (1, 2))
        assert own.count("entries/1/decide/") == own.count("entries/1/points/") == 0
        assert "entries/2/decide/" in other or "entries/2/points/" in other


@pytest.mark.slow
def test_the_judges_page_of_64_armies_stays_small() -> None:
    people = People()
    event = people.event = open_event("lantern-cup")
    helper(event, StaffRole.JUDGE, "Jo")
    made = value_of(army(15))
    for number in range(64):
        entry = entered(event, f"Player {number} of somewhere")
        submitted(event, entry, replace(made, name=f"Army {number}"))
    page = people.get(held("holder-Jo"), "judge/", TIMES.corrected).content
    assert page.count(b"judge-units") == 64
    assert len(gzip.compress(page)) < 150 * 1024


def page_of(people: People) -> str:
    return folded(people.get(people.owner, "teams/"))


def banners(**said: Any) -> People:
    """An event for teams of four, with four lists of one team, two of them from one book."""
    people = People()
    holder = owner_of(people.event).holder
    people.event = open_event("four-banners", **said)
    staff = owner_of(people.event)
    staff.holder = holder
    staff.save()
    lists = [one.document for one in shipped_examples().by_system["t9a-2023"]]
    for number, document in enumerate([*lists, lists[0]]):
        team = "Mill" if number % 2 else "mill"
        entry = entered(people.event, f"Player {number}", team)
        submitted(people.event, entry, replace(document, name=f"Army {number}"))
    return people


@pytest.mark.slow
def test_lists_of_one_team_are_judged_together() -> None:
    people = banners()
    page = page_of(people)
    assert page.count("as a team") == 1
    assert lacking(page, "not legal as a team", "(Pack 5.1)") == []
    people.event.entries.filter(number=4).update(team="Hill")
    page = page_of(people)
    assert "(Pack 5.1)" not in page
    assert lacking(page, "1 list is missing", "3 lists are missing") == []
    # A sealed event tells no sentence, and a pack for single players has no teams.
    page = page_of(banners(sealed=True))
    assert "not legal as a team" in page
    assert "(Pack 5.1)" not in page
    assert "pack has no team rules" in page_of(People())
    # The desk accepts single lists, and says so.
    assert "rules for teams, too" in folded(people.get(people.owner, "desk/"))
    assert "rules for teams, too" not in folded(People().get(people.owner, "desk/"))


def test_players_of_a_team_have_one_role_each() -> None:
    people = banners()
    captain = held("holder-Player 0")
    people.event.entries.filter(number=1).update(captain=True)
    assert "No role in the team: Player 0, Player 1, Player 2, Player 3 (Four Banners)" in page_of(
        people
    )
    for number, role in ((1, "captain"), (2, "attacker"), (3, "defender"), (4, "defender")):
        assert people.post(captain, f"entries/{number}/role/", role=role).status_code == 302
    page = page_of(people)
    assert "No role in the team" not in page
    assert lacking(page, "role “Defender”: Player 2, Player 3 (Four Banners)", "Attacker") == []
    # Their own role, none of others; and only one that the pack has, until lists are published.
    mate = held("holder-Player 3")
    assert people.post(mate, "entries/2/role/", role="").status_code == 404
    assert people.post(mate, "entries/4/role/", role="king").status_code == 422
    assert people.post(mate, "entries/4/role/", role="wild-card").status_code == 302
    assert "several" not in page_of(people).lower()
    late = people.post(mate, "entries/4/role/", now=TIMES.revealed, role="")
    assert "roles can’t change" in folded(late)
    assert people.event.entries.get(number=4).role == "wild-card"


URL = "https://armies.example/hook"


@pytest.mark.slow
def test_an_organiser_alone_gives_an_address_and_takes_it_away() -> None:
    people = People()
    assert "whsec_" not in people.get(people.owner, "webhook/").text
    assert people.post(people.owner, "webhook/", url=URL).status_code == 302
    page = people.get(people.owner, "webhook/").text
    assert lacking(page, URL, "whsec_") == []
    secret = Webhook.objects.get().secret
    people.post(people.owner, "webhook/", url=f"{URL}/2")
    assert Webhook.objects.get().secret == secret
    people.post(people.owner, "webhook/", go="try")
    people.post(people.owner, "webhook/", go="remove")
    assert not Webhook.objects.exists()
    # An address that is none is told.
    for url in ("", "http://armies.example/", "javascript:alert(1)", "x" * 600):
        answer = people.post(people.owner, "webhook/", url=url)
        assert answer.status_code == 422, url
        assert "https://" in answer.text
    assert not Webhook.objects.exists()
    # It is there for nobody else.
    people.post(people.owner, "webhook/", url=URL)
    helper(people.event, StaffRole.CHECKER, "Carl")
    for who in (Client(), people.player("Anne"), held("holder-Carl")):
        assert people.get(who, "webhook/").status_code == 404
        assert people.post(who, "webhook/", url="https://other.example/").status_code == 404
    assert Webhook.objects.get().url == URL


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_players_hear_of_a_deadline_that_comes_sooner_and_the_organiser_is_asked_first() -> None:
    people = People()
    anne = people.player("Anne", email="anne@mill.example")
    people.player("Ben", email="ben@mill.example")
    people.submit(anne)
    mail.outbox.clear()
    form = ChangeForm(None, people.refreshed())
    fields = {name: form[name].value() for name in form.fields}
    fields = {k: str(v) for k, v in fields.items() if v is not False and v is not None}
    fields["due"] = "2026-06-03T10:00"
    asked = people.post(people.owner, "edit/", **fields)
    assert (asked.status_code, people.refreshed().due_at) == (422, TIMES.due)
    sooner = "List deadline comes sooner: Wed 3 Jun 2026, 10:00 (Berlin time) instead of"
    assert lacking(folded(asked), sooner, "1 of 2 players have no list yet") == []
    assert people.post(people.owner, "edit/", **fields, sure="1").status_code == 302
    said = "List deadline: Wed 3 Jun 2026, 10:00 (Berlin time). Before: Wed 3 Jun 2026, 14:00"
    assert [one.to for one in mail.outbox] == [["anne@mill.example"], ["ben@mill.example"]]
    assert all(said in one.body for one in mail.outbox)
    later = people.now + timedelta(hours=1)
    assert said in folded(people.get(anne, now=later))
    assert said in folded(people.get(people.owner, "log/"))
    # Once nobody is harmed, nobody is asked.
    fields["due"] = "2026-06-03T12:00"
    assert people.post(people.owner, "edit/", **fields).status_code == 302


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_players_hear_of_more_time_penalties_cancelling_and_their_withdrawal() -> None:
    people = People(ladder={"Late list": -3})
    anne = people.player("Anne", email="anne@mill.example")
    mail.outbox.clear()
    past = {"until": "2026-05-31T12:00", "reason": "Ill."}
    refused = people.post(people.owner, "entries/1/extend/", **past)
    assert lacking(folded(refused), "This time is in the past.", "2026-05-31T12:00", "Ill.") == []
    about = details_of(people)
    acts: list[tuple[str, dict[str, str], str]] = [
        (
            "entries/1/extend/",
            {"until": "2026-06-06T12:00", "reason": "Ill."},
            "You have more time for your list: until Sat 6 Jun 2026, 12:00 (Berlin time).",
        ),
        (
            "entries/1/points/",
            {"reason": "Late list", "key": str(uuid4())},
            "You were given -3 points: Late list.",
        ),
        ("edit/", {**about, "grace": "30"}, "list deadline: 30 min. Before: 0 min."),
        ("edit/", {**about, "grace": "30", "late_allowed": "on"}, "Late lists are accepted now"),
        ("standing/", {"standing": "cancelled"}, "The event is cancelled."),
        ("standing/", {"standing": "published"}, "The event takes place."),
        ("entries/1/withdraw/", {}, "You were withdrawn from the event."),
    ]
    people.now += timedelta(hours=1)
    for page, fields, said in acts:
        assert people.post(people.owner, page, **fields).status_code == 302, page
        assert said in mail.outbox[-1].body
        assert said in folded(people.get(anne)), page
    assert len(mail.outbox) == len(acts)
    assert "until Sat 6 Jun 2026, 12:00 (Berlin time)" in folded(people.get(people.owner, "log/"))
    # Who withdraws knows it.
    people.post(people.owner, "entries/1/withdraw/", back="1")
    people.post(anne, "withdraw/")
    assert len(mail.outbox) == len(acts) + 1


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_reminders_the_digest_and_that_lists_are_published_are_sent_once() -> None:
    people = People()
    User.objects.filter(username="olga").update(email="olga@mill.example")
    people.submit(people.player("Anne", email="anne@mill.example"))
    ben = "ben@mill.example"
    people.player("Ben", email=ben)
    Entry.objects.update(entered=NOW - timedelta(days=9))
    mail.outbox.clear()

    def sent(moment: datetime) -> list[tuple[str, str]]:
        mail.outbox.clear()
        reminding.send_due(moment)
        return sorted((one.to[0], one.subject) for one in mail.outbox)

    missing, shown = "Raven Cup: your list is missing", "Raven Cup: news"
    assert sent(NOW) == [(ben, missing)], "two days before: the week is over"
    assert sent(NOW) == []
    people.now += timedelta(hours=1)
    people.player("Cem")
    assert sent(TIMES.due - timedelta(hours=2)) == [
        ("olga@mill.example", "Raven Cup: what happened")
    ]
    assert "Registered: 1\nLists submitted: 0\n" in mail.outbox[0].body
    assert sent(TIMES.revealed) == [("anne@mill.example", shown), (ben, shown)]
    assert sent(TIMES.revealed) == []
    assert not people.event.log.filter(act="reminded").exclude(data__days=2).exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_player_whom_mails_do_not_reach_is_marked_until_one_arrives(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    people = People()

    def refuse(*_mail: Any, **_more: Any) -> None:
        raise OSError

    with monkeypatch.context() as context:
        context.setattr(notifications, "send_mail", refuse)
        anne = people.player("Anne", email="anne@mill.example")
    assert "Emails haven’t reached this player" in folded(people.get(people.owner, "entries/1/"))
    assert "Emails don’t arrive" in folded(people.get(people.owner, "players/"))
    people.submit(anne)
    assert "Emails haven’t" not in folded(people.get(people.owner, "entries/1/"))


@pytest.mark.django_db(transaction=True)
def test_no_queue_holds_private_links_and_tasks_go_soon_after_they_are_done(settings: Any) -> None:
    settings.TASKS = {"default": {"BACKEND": "django_tasks_db.DatabaseBackend", "QUEUES": []}}
    people = People()
    people.player("Anne", email="anne@mill.example")
    entry = Entry.objects.get()

    def work() -> None:
        for one in DBTaskResult.objects.ready():
            one.task.call(*one.args_kwargs["args"], **one.args_kwargs["kwargs"])
            DBTaskResult.objects.filter(pk=one.pk).update(status="SUCCESSFUL", finished_at=NOW)

    work()  # which says to whom, then mails them
    kept = str(list(DBTaskResult.objects.values_list("args_kwargs", flat=True)))
    assert (entry.secret in kept, entry.email in kept, mail.outbox) == (False, False, [])
    work()
    assert f"/mine/{entry.secret}/" in mail.outbox[0].body
    notifications.forget_sent(NOW + notifications.DONE_FOR)
    assert DBTaskResult.objects.count() == 2
    notifications.forget_sent(NOW + notifications.DONE_FOR + timedelta(seconds=1))
    assert not DBTaskResult.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_a_former_list_is_current_again_for_a_reason_and_checked_anew() -> None:
    people = People()
    anne = people.player("Anne", email="anne@mill.example")
    people.submit(anne, marked("Zilpzalp"))
    people.post(people.owner, "entries/1/decide/", what="accepted", seen="1")
    people.submit(anne, legal_list())
    assert "Make current again" in people.get(people.owner, "entries/1/1/").text
    assert "Make current again" not in people.get(people.owner, "entries/1/2/").text
    assert people.post(people.owner, "entries/1/1/again/", reason=" ").status_code == 422
    assert people.post(anne, "entries/1/1/again/", reason="Mine.").status_code == 404
    people.now += timedelta(hours=1)
    assert people.post(people.owner, "entries/1/1/again/", reason="A slip.").status_code == 302
    entry = people.event.entries.get()
    assert (entry.submission.number, entry.status) == (1, "entered")
    assert people.post(people.owner, "entries/1/1/again/", reason="A slip.").status_code == 422
    assert mail.outbox[-1].body.startswith("Your list 1 is current again.")
    log = folded(people.get(people.owner, "log/"))
    assert "List 1 of player 1 is current again. Reason: A slip." in log
    assert "Your list 1 is current again." in folded(people.get(anne))


def test_organisers_submit_for_a_player_but_not_for_a_team_in_their_conflicts() -> None:
    people = People()
    people.player("Anne", team="Mill")
    assert "Submit for this player" in folded(people.get(people.owner, "entries/1/"))
    text = text_of(legal_list())
    page = folded(people.get(people.owner, "submit/?player=1"))
    assert "Submit a list: Anne" in re.sub("<[^>]*>", "", page)
    sent = people.post(people.owner, "submit/", player="1", text=text)
    assert sent["Location"] == f"{people.url}entries/1/"
    assert people.event.log.get(act="submitted").actor == "owner"
    helper(people.event, StaffRole.ORGANISER, "friend", "Mill")
    helper(people.event, StaffRole.CHECKER, "Carl")
    refused = people.post(held("holder-friend"), "submit/", player="1", text=text)
    assert "can’t submit for a player of this team" in folded(refused)
    assert people.post(held("holder-Carl"), "submit/", player="1", text=text).status_code == 404


def test_a_new_event_is_like_an_earlier_one_with_its_times_later() -> None:
    people = People(capacity=12, ladder={"Late list": -3})
    new = f"/events/new/?like={people.event.pk}"
    form = people.owner.get(new).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    fields = {k: str(v) for k, v in fields.items() if v is not False and v is not None}
    assert (fields["pack"], fields["capacity"]) == ("like", "12")
    assert fields["due"] == "2027-06-02T14:00", "52 weeks, so that it is a Wednesday again"
    made = people.owner.post(new, {**fields, "organiser": "Olga"})
    assert made.status_code == 302
    event = Event.objects.get(pk=made["Location"].split("/")[-2])
    was = people.event.packs.get()
    assert (event.packs.get().revision, event.ladder) == (was.revision, {"Late list": -3})
    User.objects.create_user("other", password="x")  # noqa: S106
    other = Client()
    other.login(username="other", password="x")  # noqa: S106
    assert other.get(new).status_code == 404


def test_the_desk_is_sorted_and_filtered_by_army_book_where_all_lists_may_be_read() -> None:
    people = People(pack="lantern-cup")
    examples = {one.id: one.document for one in shipped_examples().by_system["t9a-2023"]}
    names = ("throne-under-the-mountain", "the-long-table", "throne-under-the-mountain")
    for number, name in enumerate(names):
        people.submit(people.player(f"Player {number}", team="Mill" * number), examples[name])
    books = people.get(people.owner, "desk/").context["books"]
    assert sorted((name, number) for _key, name, number in books)[0] == ("Dwarven Holds", 2)
    for asked, players in (
        ("?book=dwarven-holds", [1, 3]),
        ("?book=no-such", [1, 2, 3]),
        ("?by_book=on", [1, 3, 2]),
    ):
        page = people.get(people.owner, f"desk/{asked}")
        assert [row["entry"].number for row in page.context["rows"]] == players
        assert "Dwarven Holds" in page.text
    # A helper who may not read all lists finds none by its book.
    helper(people.event, StaffRole.CHECKER, "friend", "Mill")
    page = people.get(held("holder-friend"), "desk/?book=dwarven-holds")
    shown = {row["entry"].number: row["books"] for row in page.context["rows"]}
    assert (page.context["books"], shown) == ([], {1: "Dwarven Holds", 2: "", 3: "Dwarven Holds"})
