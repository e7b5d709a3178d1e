"""The day of an event in browsers: rounds, results from phones and from the desk, standings."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from armybuilder.events.models import Event, Staff
from armybuilder.loading.library import shipped_library
from armybuilder.packs.selectors import pack_of
from tests.events.builders import NOW, TIMES
from tests.markup import lacking
from tests.pages.events.people import People, folded
from tests.queries import queries_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]


def paired(*pairs: str, **said: Any) -> tuple[People, Client, Client]:
    """An event where Anne, Ben and Cleo have entered, and a round is written."""
    people = People(**said)
    anne, ben = people.player("Anne"), people.player("Ben")
    people.player("Cleo")
    people.post(people.owner, "pairings/", round="1", pairs="\n".join(pairs or ("1 - 2", "3")))
    return people, anne, ben


@pytest.mark.slow
def test_a_player_reads_table_and_opponent_on_the_page_of_the_event() -> None:
    people, anne, _ben = paired()
    page = folded(people.get(anne))
    assert lacking(page, "Your game in round 1", "Table 1", "Ben", "Report the result") == []
    bye = people.get(people.player("Dora"))
    assert "Your game" not in bye.text
    stranger = folded(people.get(Client()))
    assert "Song of Blades and Heroes" in stranger
    assert "Your game" not in stranger
    assert "Song of Blades and Heroes" in page


def test_both_players_report_and_the_desk_decides_what_they_contradict() -> None:
    people, anne, ben = paired()
    page = "pairings/1/tables/1/"
    assert people.post(anne, page, first="13", second="x").status_code == 422
    people.post(anne, page, first="13", second="7")
    assert "once your opponent reports the same" in folded(people.get(anne, page))
    people.post(ben, page, first="7", second="13")
    assert "contradict each other" in folded(people.get(anne, page))
    desk = folded(people.get(people.owner, "pairings/"))
    assert lacking(desk, "Reported: 13–7", "Reported: 7–13") == []
    people.post(people.owner, page, first="13", second="7", go="settle")
    assert "This result is final." in folded(people.get(ben, page))
    assert people.post(anne, page, first="20", second="0").status_code == 422
    people.post(people.owner, page, go="remove")
    assert people.event.pairings.get(table=1).first_score is None


def test_the_desk_enters_the_results_of_a_round_at_once() -> None:
    people, anne, _ben = paired("1 - 2", "3")
    fields = {"go": "results", "round": "1", "first-1": "12", "second-1": "8"}
    assert people.post(people.owner, "pairings/", **fields).status_code == 302
    standings = folded(people.get(anne, "standings/"))
    assert "You are in place 1, with 3 points." in standings
    wrong = people.post(people.owner, "pairings/", **{**fields, "second-1": ""})
    assert wrong.status_code == 422
    assert "Table 1: Write two whole numbers" in folded(wrong)


def test_who_may_not_follow_finds_no_rounds() -> None:
    people, anne, _ben = paired()
    pages = ("pairings/", "standings/", "standings.csv", "pairings/1/tables/1/")
    assert [people.get(Client(), page).status_code for page in pages] == [404] * 4
    assert [people.get(anne, page).status_code for page in pages] == [200] * 4
    assert people.get(anne, "format/").status_code == 404
    # The log says who played whom, too.
    assert people.get(Client(), "log/", TIMES.revealed).status_code == 404
    assert "Round 1 was paired" in folded(people.get(anne, "log/", TIMES.revealed))
    other = people.player("Dora")
    assert people.post(other, "pairings/1/tables/1/", first="9", second="1").status_code == 404
    for go in ("draw", "write", "show", "plan", "results"):
        assert people.post(anne, "pairings/", go=go, round="1", pairs="1 - 2").status_code == 404


def test_a_drawn_round_is_shown_to_players_by_a_press() -> None:
    people, anne, _ben = paired("1 - 2", "3")
    people.post(people.owner, "pairings/1/tables/1/", first="1", second="0", go="settle")
    people.post(people.owner, "pairings/", go="draw", how="swiss")
    assert "Players don’t see this round yet" in folded(people.get(people.owner, "pairings/"))
    assert "Round 2" not in folded(people.get(anne, "pairings/"))
    game = "pairings/2/tables/1/"
    assert people.get(anne, game).status_code == 404
    people.post(people.owner, "pairings/", go="show", round="2")
    assert people.get(anne, game).status_code == 200


def test_a_round_has_a_time_and_a_scenario() -> None:
    people, anne, _ben = paired()
    plan = {"go": "plan", "round": "2", "starts": "2026-06-09T10:00", "scenario": "The ford"}
    people.post(people.owner, "pairings/", **plan)
    page = folded(people.get(anne, "pairings/?round=2"))
    assert lacking(page, "9 Jun 2026, 10:00 (Berlin time)", "The ford", "Nobody is paired") == []
    refused = people.post(people.owner, "pairings/", **{**plan, "starts": "2027-03-28T02:30"})
    assert "does not exist" in folded(refused)


@pytest.mark.slow
def test_army_books_are_shown_to_those_who_may_see_the_lists() -> None:
    document = shipped_list()
    people, anne, ben = paired(pack="lantern-cup")
    people.submit(anne, document)
    (book,) = document.books
    name = shipped_library().books["t9a-2023"][book.id].name
    assert name not in folded(people.get(ben))
    assert name not in folded(people.get(ben, "pairings/", TIMES.corrected))
    for page in ("", "pairings/", "pairings/1/tables/1/"):
        assert name in folded(people.get(ben, page, TIMES.revealed)), page


def shipped_list() -> Any:
    from armybuilder.loading.examples import shipped_examples

    return shipped_examples().by_system["t9a-2023"][0].document


@pytest.mark.slow
def test_the_format_says_what_counts() -> None:
    people, anne, ben = paired()
    fields = {"clubs_apart": "1", "win": "3", "draw": "1", "loss": "0", "bye": "10"}
    fields |= {"scoring": "points", "total": "20", "first_break": "scored"}
    assert people.post(people.owner, "format/", **fields, second_break="x").status_code == 422
    assert people.post(people.owner, "format/", **fields).status_code == 302
    refused = people.post(anne, "pairings/1/tables/1/", first="13", second="8")
    assert "They must add up to 20." in folded(refused)
    for who in (anne, ben):
        people.post(who, "pairings/1/tables/1/", first="13", second="7")
    page = folded(people.get(anne, "standings/"))
    assert "place 1, with 13 points" in page
    assert "Score</th>" in page


def test_the_file_of_standings_has_penalties_and_bonuses_without_signs() -> None:
    people, anne, _ben = paired(ladder={"Late list": -3, "Painted": 2})
    people.post(people.owner, "entries/1/points/", reason="Late list")
    people.post(people.owner, "entries/1/points/", reason="Painted")
    rows = people.get(anne, "standings.csv").content.decode("utf-8-sig").splitlines()
    assert rows[0].startswith("place,number,name,team,points")
    assert rows[-1] == "3,1,Anne,,-1,0,0,0,0,0,0,0,3,2,no"


@pytest.mark.slow
def test_a_page_of_a_large_round_has_fifty_tables_and_asks_no_more() -> None:
    people, _anne, _ben = paired()
    few = len(queries_of(people.get, people.owner, "pairings/"))
    event = people.event
    for number in range(4, 120):
        event.entries.create(number=number, name=f"Player {number}")
    pairs = "\n".join(f"{a} - {a + 1}" for a in range(1, 119, 2))
    people.post(people.owner, "pairings/", round="1", pairs=pairs)
    assert len(queries_of(people.get, people.owner, "pairings/")) <= few
    page = people.get(people.owner, "pairings/")
    assert len(page.context["tables"]) == 50
    assert "Page 1 of 2" in folded(page)
    assert people.get(people.owner, "pairings/?page=2", NOW).context["tables"][0].table == 51


def next_round(people: People, **changed: str) -> Any:
    """Create the next round of the league as the form proposes it, but for what is changed."""
    new = f"/events/new/?like={people.event.pk}&league=1"
    form = people.owner.get(new).context["form"]
    fields = {name: form[name].value() for name in form.fields}
    fields = {k: str(v) for k, v in fields.items() if v is not False and v is not None}
    made = people.owner.post(new, {**fields, "organiser": "Olga", **changed})
    assert made.status_code == 302, made.text
    return Event.objects.get(pk=made["Location"].split("/")[-2])


def test_a_league_grows_by_rounds_with_the_same_players_and_one_table() -> None:
    people, anne, ben = paired("1 - 2", "3", audience="public", shows_all=True)
    for who in (anne, ben):
        people.submit(who)
        people.post(who, "pairings/1/tables/1/", first="12", second="5")
    first, second = people.refreshed(), next_round(people, points="350")
    assert second.name == "Raven Cup 2"
    weeks = (second.due_at - first.due_at + timedelta(hours=2)) // timedelta(weeks=1)
    assert weeks % 4 == 0 < weeks
    assert pack_of(second.packs.get()).sizes == (350,)
    assert Event.objects.get(pk=first.pk).league == second.league is not None
    people.event = second
    # Nobody is registered for a draft, nor finds it.
    assert people.post(people.owner, "players/", go="round-before").status_code == 422
    people.post(people.owner, "standing/", standing="published")
    people.player("Dora")
    people.post(people.owner, "players/", go="round-before")
    assert [entry.name for entry in second.entries.order_by("number")] == [
        *("Dora", "Anne", "Ben", "Cleo"),
    ]
    people.post(people.owner, "players/", go="round-before")
    assert second.entries.count() == 4
    assert people.get(anne).context["own"].name == "Anne", "the same browser"
    people.post(people.owner, "pairings/", round="1", pairs="3 - 2")
    people.post(people.owner, "pairings/1/tables/1/", first="9", second="1", go="settle")
    third = next_round(people)
    assert pack_of(third.packs.get()).sizes == (400,), "as much more as the last round"
    shown = people.get(Client(), "league/", first.revealed_at)
    assert [(row.name, row.place, row.points) for row, _cells in shown.context["rows"]] == [
        *(("Anne", 1, 3), ("Ben", 1, 3), ("Cleo", 3, 3), ("Dora", 4, 0)),
    ]
    assert "list: " in folded(shown)
    people.event = first
    hidden = folded(people.get(people.owner, "league/"))
    assert "list: " in hidden, "the staff may read lists"
    assert people.get(Client(), "league/").context["rows"][0][1][0].entry is None


def test_players_are_registered_again_by_an_organiser_of_their_round_alone() -> None:
    people, _anne, _ben = paired()
    second = next_round(people)
    Staff.objects.filter(event=people.event).update(holder="somebody else")
    people.event = second
    people.post(people.owner, "standing/", standing="published")
    assert "Register the same players" not in folded(people.get(people.owner, "players/"))
    assert people.post(people.owner, "players/", go="round-before").status_code == 422
    assert second.entries.count() == 0


def test_a_team_with_another_captain_gets_no_players_of_the_round_before() -> None:
    people = People()
    people.player("Anne", team="Mill", captain="on")
    people.player("Ben", team="Mill")
    people.player("Cleo", team="Hill", captain="on")
    people.event = second = next_round(people)
    people.post(people.owner, "standing/", standing="published")
    people.player("Dora", team="MILL", captain="on")
    people.post(people.owner, "players/", go="round-before")
    about = second.entries.order_by("number").values_list("name", "team", "captain")
    assert [*about] == [
        ("Dora", "MILL", True),
        ("Anne", "", False),
        ("Ben", "", False),
        ("Cleo", "Hill", True),
    ]


def test_rounds_a_second_apart_years_ago_propose_a_deadline_that_is_ahead() -> None:
    people, _anne, _ben = paired()
    second = next_round(people)
    due = people.refreshed().due_at + timedelta(seconds=1)
    Event.objects.filter(pk=second.pk).update(frozen_at=due, due_at=due, corrected_at=due)
    people.event = second
    assert next_round(people).due_at > timezone.now() - timedelta(minutes=5)
