"""A whole event: made, entered, lists submitted, returned, mended, accepted, and shown."""

import json
from dataclasses import replace
from datetime import timedelta

import pytest
from django.core import mail
from django.test import Client

from armybuilder.accounts.models import User
from armybuilder.certificates.making import check
from armybuilder.events.models import Entry, Event, Staff, Submission
from armybuilder.events.rules import StaffRole
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from tests.events.builders import TIMES, helper, legal_list
from tests.markup import lacking
from tests.pages.events.people import PASSWORD, People, folded, held, marked, raven_cup, text_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

FORM = {
    "name": "Raven Cup",
    "organiser": "Olga",
    "pack": "raven-cup",
    "zone": "Europe/Berlin",
    "frozen": "2036-10-20T20:00",
    "due": "2036-10-24T20:00",
    "corrected": "2036-10-26T20:00",
    "revealed": "2036-10-27T20:00",
    "over": "2036-10-29T20:00",
    "grace": "0",
    "capacity": "0",
    "audience": "entrants",
}


def test_an_event_begins_as_a_draft_that_others_do_not_find() -> None:
    people = People()
    assert "sign-in" in Client().get("/events/new/")["Location"]
    made = people.owner.post("/events/new/", FORM)
    assert made.status_code == 302, made.text
    place = made["Location"]
    assert Client().get(place).status_code == 404
    page = people.owner.get(place).text
    assert lacking(page, "Draft", "Fri 24 Oct 2036, 20:00 (Berlin time)") == []
    people.owner.post(f"{place}standing/", {"standing": "published"})
    shown = Client().get(place).text
    assert "Register" in shown
    assert "olga" not in shown
    # What is wrong with an event is told, and a deadline that clocks show twice.
    for field, value, said in (
        ("zone", "CET+1", "no time zone"),
        ("due", "soon", "not a date and time"),
        ("due", "2036-03-30T02:30", "go forward that night"),
        ("revealed", "2036-10-01T20:00", "must not come before"),
        ("name", "", "required"),
        ("pack", "nobody", "not one of the available choices"),
        ("grace", "-1", "greater than or equal to 0"),
    ):
        response = people.owner.post("/events/new/", {**FORM, field: value})
        assert response.status_code == 422, field
        assert said in response.text
    assert Event.objects.count() == 2
    times = dict.fromkeys(("due", "corrected", "revealed"), "2036-10-26T02:30")
    made = people.owner.post("/events/new/", {**FORM, **times}, follow=True)
    assert "occurs twice" in made.text


@pytest.mark.django_db(transaction=True)
def test_a_player_enters_submits_mends_and_is_accepted() -> None:
    people = People()
    anne = people.player("Anne", email="anne@mill.example")
    wrong = replace(legal_list(), limit=200)
    assert people.submit(anne, wrong).status_code == 302
    mine = people.get(anne).text
    assert "not legal at this event" in mine
    desk = people.get(people.owner, "desk/?show=look").text
    assert "not legal at this event" in desk
    opened = people.get(people.owner, "entries/1/1/").text
    assert "200" in opened
    later = TIMES.due + timedelta(hours=1)
    sent = people.post(
        people.owner, "entries/1/decide/", later, what="returned", seen="1", to_player="Too many."
    )
    assert sent.status_code == 302
    assert "Too many." in people.get(anne).text
    assert people.submit(anne, now=later).status_code == 302
    assert "Changed since list 1" in people.get(people.owner, "entries/1/2/").text
    people.post(people.owner, "desk/clean/", later, clean="1.2")
    assert "Accepted" in people.get(anne).text
    subjects = [one.subject.removeprefix("Raven Cup: ") for one in mail.outbox]
    received = "list received"
    assert subjects == ["registered", received, "list returned", received, "list accepted"]
    secret = people.event.entries.get().secret
    assert f"http://testserver{people.url}mine/{secret}/" in mail.outbox[0].body
    assert not any("Too many" in one.body for one in mail.outbox)


def test_a_submission_copies_the_players_list() -> None:
    people, anne = People.and_anne()
    made = anne.post("/new/sbh/example/gruks-green-flood/")
    list_id = made["Location"].strip("/").split("/")[-1]
    assert "gruk" in people.get(anne, "submit/").text.lower()
    assert people.post(anne, "submit/", list=list_id).status_code == 302
    kept = Submission.objects.get()
    anne.post(f"/lists/{list_id}/rename/", {"name": "Another name"})
    assert kept.document.name != "Another name"
    other = Client()
    people.post(other, "enter/", name="Ben")
    assert people.post(other, "submit/", list=list_id).status_code == 404


def test_a_receipt_proves_what_was_submitted() -> None:
    people, anne = People.and_her_list()
    kept = Submission.objects.get()
    receipt = json.loads(people.get(anne, "receipts/1.json").content)
    assert receipt["commitment"] == kept.commitment
    assert receipt["document"] == kept.document.to_dict()
    assert check(receipt["certificate"]).claims.pack[0] == "raven-cup"
    assert people.get(Client(), "commitments.json").status_code == 404
    told = people.get(Client(), "commitments.json", TIMES.corrected)
    assert kept.commitment in told.text
    # The secret address brings an entry back in another browser.
    entry = people.event.entries.get()
    phone = Client()
    assert "Continue in this browser" in people.get(phone, f"mine/{entry.secret}/").text
    assert people.post(phone, f"mine/{entry.secret}/").status_code == 302
    assert people.get(phone, "receipts/1.json").json()["commitment"] == kept.commitment
    assert people.post(Client(), "mine/wrong/").status_code == 404


def test_lists_of_another_game_no_file_and_a_late_list_are_refused_with_a_sentence() -> None:
    people, anne = People.and_anne()
    other = replace(legal_list(), system="ddm-2008")
    for response, said in (
        (people.submit(anne, other), "for a different game"),
        (people.submit(anne, replace(legal_list(), units=())), "empty"),
        (people.post(anne, "submit/"), "Choose a list first"),
        (people.submit(anne, now=TIMES.due + timedelta(seconds=1)), "The deadline has passed"),
    ):
        assert response.status_code == 422
        assert said in response.text
    assert not Submission.objects.exists()
    # A text is submitted if every line is clear, else not guessed and not lost.
    text = text_of(legal_list())
    sent = people.post(anne, "submit/", text=text)
    assert sent.status_code == 302, sent.text
    found = Submission.objects.get()
    assert found.source == "text"
    assert [one.ref for one in found.document.units] == [one.ref for one in legal_list().units]
    text += "\n3 Clockwork Herons <b>\n"
    sent = people.post(anne, "submit/", text=text)
    assert sent.status_code == 422
    assert "Unclear: 3 Clockwork Herons &lt;b&gt;" in sent.text
    assert sent.text.count("Clockwork Herons") == 2  # said, and still in the field
    assert Submission.objects.get() == found
    assert "No unit was found" in people.post(anne, "submit/", text="Hello").text


def test_a_helper_comes_by_invitation_and_may_do_what_the_role_says() -> None:
    people, _anne = People.and_her_list()
    people.post(people.owner, "staff/", name="Carl", role="checker", conflicts="Mill, Hill")
    invited = Staff.objects.get(name="Carl")
    assert invited.secret in people.get(people.owner, "staff/").text
    assert people.get(Client(), f"staff/{invited.secret}/").status_code == 302
    User.objects.create_user("carl", password=PASSWORD)
    carl = Client()
    carl.login(username="carl", password=PASSWORD)
    assert "Checker" in people.get(carl, f"staff/{invited.secret}/").text
    assert people.post(carl, f"staff/{invited.secret}/").status_code == 302
    assert people.get(carl, "desk/").status_code == 200
    assert people.get(carl, "edit/").status_code == 404
    assert people.post(carl, "standing/", standing="cancelled").status_code == 404
    people.post(carl, "entries/1/decide/", what="accepted", seen="1")
    assert people.event.entries.get().status == "accepted"


def test_a_checker_who_plays_decides_about_lists_of_others_alone() -> None:
    people = People(ladder={"Late list": -3})
    helper(people.event, StaffRole.CHECKER, "Cleo", "Mill")
    cleo = held("holder-Cleo")
    people.post(cleo, "enter/", name="Cleo")
    people.submit(cleo)
    people.submit(people.player("Mo", team="mill"))
    people.submit(people.player("Anne"))
    people.post(cleo, "desk/clean/", clean=["1.1", "2.1", "3.1"])
    accepted = Entry.objects.filter(status=Entry.Status.ACCEPTED)
    assert [one.number for one in accepted] == [3]
    decided = ("decide/", {"what": "accepted", "seen": "1"})
    points = ("points/", {"reason": "Late list"})
    for number, acts in (
        (1, {"your own list": decided, "give yourself points": points}),
        (2, {"lists of this team": decided, "for this team": points}),
    ):
        for said, (page, fields) in acts.items():
            answer = people.post(cleo, f"entries/{number}/{page}", **fields)
            assert (answer.status_code, said in answer.text) == (422, True)


@pytest.mark.slow
def test_the_preview_of_another_pack_comes_true() -> None:
    people = People()
    for name, limit in (("Anne", 300), ("Ben", 300), ("Cleo", 400)):
        people.submit(people.player(name), replace(legal_list(), limit=limit))
    pack = json.loads(json.dumps(shipped_library().packs["raven-cup"].data))
    sizes = next(one for one in pack["rules"] if one["kind"] == "game-size")
    sizes["sizes"] = [400]
    text = json.dumps(pack)
    tried = people.post(people.owner, "pack/", text=text, go="try").text
    assert "2 legal lists would become illegal" in tried
    assert lacking(tried, "1 would become legal", "2 lists would be legal") == []
    used = people.post(people.owner, "pack/", text=text, go="use")
    assert used.status_code == 302
    legal = Submission.objects.order_by("pk").values_list("legal", flat=True)
    assert list(legal) == [False, False, True]
    people.submit(people.player("Dora"))
    assert not Submission.objects.latest("pk").legal
    assert "3 lists were rechecked" in people.get(people.owner, "log/").text
    revision = people.event.packs.latest("pk").revision
    assert revision in people.get(Client(), "rules/").text


def test_a_pack_that_leaves_no_list_or_is_none_is_reported_before_it_counts() -> None:
    people = People()
    text = raven_cup(summary="Many.", min=500)
    tried = people.post(people.owner, "pack/", text=text, go="try").text
    assert "no legal list is possible with" in tried
    assert lacking(tried, "Song of Blades and Heroes (300)", "rules conflict:") == []
    # So many models are too many for the pack, and for the points alone: either is a reason.
    others = ("Pack 3", "Public pages, warband size")
    assert any(f"<cite>{other}</cite>" in tried for other in others)
    assert "Many. <cite>Pack 9</cite>" in tried
    # A pack that is none is told by place.
    for text, said in (("{", "JSON"), ('{"format": "pack/1"}', "required"), ("[]", "")):
        response = people.post(people.owner, "pack/", text=text, go="use")
        assert response.status_code == 422
        assert said in response.text
    assert people.event.packs.count() == 1


def test_at_the_time_that_was_told_everybody_entered_sees_the_open_lists() -> None:
    people = People()
    anne, ben = people.player("Anne"), people.player("Ben")
    people.submit(anne, marked("Zilpzalp"))
    before = TIMES.revealed - timedelta(seconds=1)
    assert "Zilpzalp" not in people.get(ben, "lists/", before).text
    assert people.get(ben, "entries/1/1/", before).status_code == 404
    assert people.get(ben, "entries/1/1/", TIMES.revealed).status_code == 200
    page = people.get(ben, "entries/1/1/", TIMES.revealed).text
    assert "Zilpzalp unit" in page
    assert "Zilpzalp notes" not in page
    assert people.get(Client(), "entries/1/1/", TIMES.revealed).status_code == 404
    for form in ("csv", "json", "players"):
        text = people.get(ben, f"lists/{form}/", TIMES.revealed).text
        assert "Zilpzalp" in text
        assert "Zilpzalp notes" not in text
    assert people.get(ben, "lists/booklet.pdf", TIMES.revealed).content[:5] == b"%PDF-"


def test_a_name_with_markup_and_a_formula_stay_texts() -> None:
    people = People()
    name = "=1+1<script>alert(1)</script>"
    people.submit(people.player(name))
    page = people.get(people.owner, "desk/").text
    assert "<script>alert" not in page
    table = people.get(people.owner, "lists/csv/", TIMES.revealed).text
    assert "'=1+1<script>" in table
    assert people.get(people.owner, "lists/zip/", TIMES.revealed).status_code == 200


@pytest.mark.slow
@pytest.mark.one_in(6)
@pytest.mark.parametrize("page", ["", "desk/", "lists/", "log/", "entries/1/1/", "rules/"])
def test_pages_ask_as_many_queries_however_many_have_entered(
    page: str, django_assert_max_num_queries: object
) -> None:
    people, _anne = People.and_her_list()
    people.get(people.owner, page)
    with django_assert_max_num_queries(12) as few:  # type: ignore[operator]  # pytest-django's
        assert people.get(people.owner, page, TIMES.revealed).status_code == 200
    first = len(few)
    for number in range(8):
        people.submit(people.player(f"Player {number}"))
    with django_assert_max_num_queries(first):  # type: ignore[operator]  # the same
        assert people.get(people.owner, page, TIMES.revealed).status_code == 200


@pytest.mark.slow
def test_a_list_is_returned_with_ways_that_make_it_legal() -> None:
    people, anne = People.and_anne()
    first, *others = legal_list().units
    people.submit(anne, replace(legal_list(), units=(replace(first, models=30), *others)))
    page = people.get(people.owner, "entries/1/1/")
    assert "Suggested fixes" in page.text
    found = people.get(people.owner, "entries/1/1/?ways").context["found"]
    assert found["ways"]
    told = found["ways"][0]["said"]
    later = TIMES.due + timedelta(hours=1)
    fields = {"what": "returned", "seen": "1", "to_player": "See below.", "way": told}
    people.post(people.owner, "entries/1/decide/", later, **fields)
    mine = people.get(anne)
    assert told in mine.context["submissions"][0].decisions.get().to_player
    assert "ways" not in people.get(anne, "entries/1/1/?ways").context


def test_what_an_event_scores_of_a_list_stands_beside_its_verdicts() -> None:
    people, anne = People.and_her_list(
        shipped_examples().by_system["t9a-2023"][0].document, pack="lantern-cup"
    )
    page = people.get(anne, "entries/1/1/")
    (scored,) = page.context["scored"]
    assert f"{scored.score.name}: <strong>{scored.points}</strong>" in page.text


@pytest.mark.slow
def test_a_draft_says_what_of_its_pack_cannot_be_checked_for_which_books() -> None:
    people = People(pack="lantern-cup")
    Event.objects.filter(pk=people.event.pk).update(standing="draft")
    draft = folded(people.get(people.owner))
    assert lacking(draft, "At most three war machines", "Dread Fleet (3 units)", "Pack 2.2") == []
    tried = folded(people.post(people.owner, "pack/", chosen="lantern-cup", go="try"))
    assert "Dread Fleet (3 units)" in tried
    Event.objects.filter(pk=people.event.pk).update(standing="published")
    assert "Dread Fleet" not in folded(people.get(people.owner))
