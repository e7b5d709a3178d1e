"""People of an event: added and ticked by the desk, waiting for a place, taken out by captains."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.utils import timezone

from armybuilder.events.calendars import calendar_of
from armybuilder.events.models import Event
from armybuilder.events.people import NewPlayer, read_players
from armybuilder.loading.problems import Refusal
from armybuilder.pages.events.organise import ChangeForm
from tests.events.builders import NOW, TIMES
from tests.markup import lacking
from tests.pages.events.people import People, folded


def test_players_are_read_one_a_line_or_as_a_table() -> None:
    nina = NewPlayer("Nina", "Mill", "nina@mill.example", "Ogre Khans")
    assert read_players("Nina, Mill, nina@mill.example, Ogre Khans\n\nBen\n") == [
        nina,
        NewPlayer("Ben"),
    ]
    head = "\ufeffArmy;Name;Mail;Club\nOgre Khans;Nina;nina@mill.example;Mill"
    assert read_players(head) == [nina]
    assert read_players('"Nina, Queen"\tMill') == [NewPlayer("Nina, Queen", "Mill")]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "at least one player"),
        ("name,team", "at least one player"),
        (", Mill", "the name is missing"),
        ("Nina, Mill, nina", "“nina” is not an email address"),
        ("a,b,c@d.example,e,f", "use at most 4 columns"),
        ("x\n" * 201, "at most 200"),
        ('"' + "x" * 140_000, "a quotation mark is missing"),
    ],
)
def test_lines_that_cannot_be_read_are_reported(text: str, said: str) -> None:
    with pytest.raises(Refusal, match=said):
        read_players(text)


@pytest.mark.slow
@pytest.mark.django_db
def test_the_desk_adds_players_also_on_the_day_and_nobody_twice() -> None:
    people, _anne = People.and_anne()
    about: dict[str, Any] = {"go": "add", "players": "Nina, Mill, , Ogre Khans\nBen"}
    assert people.post(people.owner, "players/", TIMES.revealed, **about).status_code == 302
    page = folded(people.get(people.owner, "players/"))
    assert lacking(page, "Nina", "Ogre Khans", "Ben") == []
    again = people.post(people.owner, "players/", go="add", players="Otto\nNINA")
    assert "NINA is registered already, as player 2." in folded(again)
    assert people.post(people.owner, "players/", go="add").status_code == 422
    assert people.event.entries.count() == 3, "all of them or none"
    file = SimpleUploadedFile("players.csv", "Name\nZoë".encode())
    people.post(people.owner, "players/", go="add", file=file)
    assert people.event.entries.filter(name="Zoë").exists()
    assert people.get(Client(), "players/").status_code == 404


@pytest.mark.django_db
def test_ticks_change_what_the_form_changes_alone() -> None:
    people, _anne = People.and_anne()
    people.post(people.owner, "players/", row="1", **{"paid-1": "on"})
    people.post(people.owner, "players/", row="1", **{"checked_in-1": "on"})
    entry = people.event.entries.get()
    assert (entry.paid, entry.checked_in, entry.painted) == (True, True, False)
    people.post(people.owner, "players/", row="1", **{"was-paid-1": "1"})
    entry.refresh_from_db()
    assert (entry.paid, entry.checked_in) == (False, True)


@pytest.mark.django_db
def test_who_waits_moves_up_when_a_place_becomes_free(
    mailoutbox: list[Any], django_capture_on_commit_callbacks: Any
) -> None:
    people, anne = People.and_anne(capacity=1)
    ben, cleo = people.player("Ben", email="ben@mill.example"), people.player("Cleo")
    assert "You are number 1 on the waiting list" in folded(people.get(ben))
    assert "You are number 2 on the waiting list" in folded(people.get(cleo))
    people.post(cleo, "enter/", name="Cleo")
    assert people.event.waiting.count() == 2, "once"
    with django_capture_on_commit_callbacks(execute=True):
        people.post(anne, "withdraw/")
    assert "Your entry" not in folded(people.get(cleo))
    assert people.event.entries.get(number=2).name == "Ben"
    assert [one.subject for one in mailoutbox] == ["Raven Cup: you have a place"]
    people.post(cleo, "waiting/leave/")
    assert people.event.waiting.count() == 0


@pytest.mark.slow
@pytest.mark.django_db
def test_a_team_takes_no_more_than_the_pack_allows_and_a_captain_takes_players_out() -> None:
    people = People(pack="four-banners")
    captain = people.player("Anne", team="Mill", captain="on")
    for name in ("Ben", "Cleo", "Dora"):
        assert people.post(captain, "team/", name=name).status_code == 302
    refused = people.post(captain, "team/", name="Emil")
    assert refused.context["own"].name == "Anne", "the team's page, not another one"
    assert lacking(folded(refused), "“Mill” has 4 players already", 'value="Emil"') == []
    people.post(captain, "team/", out="2")
    assert people.event.entries.get(number=2).status == "withdrawn"
    assert people.post(captain, "team/", name="Emil").status_code == 302
    other = people.player("Otto")
    assert people.post(other, "team/", out="3").status_code == 404


@pytest.mark.django_db
def test_an_invitation_has_link_code_and_calendar() -> None:
    people, anne = People.and_anne()
    page = folded(people.get(people.owner, "invite/"))
    assert lacking(page, people.url, "code.svg", "List deadline:") == []
    assert people.get(anne, "invite/").status_code == 404
    assert people.get(Client(), "code.svg").content.startswith(b"<svg")
    text = people.get(Client(), "calendar.ics").content.decode()
    assert "DTSTART:20260603T120000Z\r\n" in text
    event = people.refreshed()
    event.place = "The mill, by the weir; " + "ä" * 60
    lines = calendar_of(event, "https://a.example/", NOW).split("\r\n")
    assert all(len(line.encode()) <= 75 for line in lines)
    assert "LOCATION:The mill\\, by the weir\\; " in "".join(lines)


@pytest.mark.django_db
def test_listed_events_are_found_by_everybody_until_they_are_over() -> None:
    people = People(listed=True)
    assert "Raven Cup" not in Client().get("/events/").text, "over by the clock of today"
    later = {"over_at": timezone.now() + timedelta(days=1)}
    Event.objects.filter(pk=people.event.pk).update(**later)
    assert "Raven Cup" in Client().get("/events/").text
    Event.objects.filter(pk=people.event.pk).update(listed=False)
    assert "Raven Cup" not in Client().get("/events/").text
    Event.objects.filter(pk=people.event.pk).update(listed=True, standing="cancelled")
    assert "Raven Cup" not in Client().get("/events/").text


@pytest.mark.slow
@pytest.mark.django_db
def test_an_event_says_when_play_begins() -> None:
    people, anne = People.and_anne()
    form = ChangeForm(None, people.event)
    values = {name: form[name].value() for name in form.fields}
    fields = {name: "" if value is None else value for name, value in values.items()}
    fields |= {"starts": "2026-06-09T10:00", "listed": "on"}
    fields = {key: value for key, value in fields.items() if value is not False}
    assert people.post(people.owner, "edit/", **fields).status_code == 302
    assert "Tue 9 Jun 2026, 10:00 (Berlin time)" in folded(people.get(anne))
    event = people.refreshed()
    assert event.listed
    assert "starts_at" in event.log.get(act="changed").data["what"]
