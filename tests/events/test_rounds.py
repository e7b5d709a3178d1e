"""Rounds of events: drawn, written, shown, with results, and how all stand then."""

from datetime import timedelta
from random import Random
from typing import Any

import pytest

from armybuilder.events import entering, rounds
from armybuilder.events.models import Entry, Event, Pairing, TournamentFormat
from armybuilder.events.rounds import Score
from armybuilder.events.rules import StaffRole
from armybuilder.loading.problems import Refusal
from tests.events.builders import NOW, TIMES, entered, helper, open_event
from tests.queries import queries_of

pytestmark = pytest.mark.django_db
BY = StaffRole.OWNER.value


def field(*names: str, **teams: str) -> Event:
    event = open_event()
    for name in names:
        entered(event, name, teams.get(name, ""))
    return event


def draw(event: Event, **said: Any) -> list[tuple[int, int | None]]:
    """The next round as it is drawn, shown at once."""
    number = rounds.draw(event.pk, BY, NOW, chance=Random(1), **said)  # noqa: S311
    rounds.show_round(event.pk, number, BY, NOW)
    return seats(event, number)


def seats(event: Event, number: int) -> list[tuple[int, int | None]]:
    rows = event.pairings.filter(round=number).order_by("table")
    return [(one.first.number, one.second.number if one.second else None) for one in rows]


def decide(event: Event, number: int, *scores: tuple[int, int]) -> None:
    for table, score in enumerate(scores, 1):
        rounds.settle(event.pk, number, table, Score(*score), BY, NOW)


def table(event: Event) -> list[tuple[int, int, int]]:
    """Place, number and points of all."""
    places = rounds.standings_of(event)
    return [(one.standing.place, one.entry.number, one.standing.points) for one in places]


def test_a_tournament_from_the_first_draw_to_the_standings() -> None:
    event = field("Anne", "Ben", "Cleo", "Dora")
    first = draw(event)
    assert sorted(one for pair in first for one in pair if one) == [1, 2, 3, 4]
    with pytest.raises(Refusal, match=r"no result yet for table 1, 2\."):
        rounds.draw(event.pk, BY, NOW)
    decide(event, 1, (10, 2), (1, 7))
    winners = {first[0][0], first[1][1]}
    assert {number for _place, number, points in table(event) if points == 3} == winners
    second = draw(event)
    assert set(second[0]) == winners, "who has won meets who has won, at the first table"
    decide(event, 2, (4, 4), (5, 0))
    assert [points for _place, _number, points in table(event)] == [4, 4, 3, 0]
    third = draw(event)
    met = [frozenset(pair) for pair in (*first, *second, *third)]
    assert len(set(met)) == 6


def test_nobody_but_organisers_sees_a_drawn_round_until_it_is_shown() -> None:
    event = field("Anne", "Ben")
    number = rounds.draw(event.pk, BY, NOW)
    anne = event.entries.get(number=1)
    assert rounds.own_game(event, anne) is None
    assert rounds.rounds_of(event, shown_only=True) == []
    again = rounds.draw(event.pk, BY, NOW)
    assert again == number == 1, "drawn again while hidden"
    rounds.show_round(event.pk, 1, BY, NOW)
    assert rounds.own_game(event, anne) == event.pairings.get()
    assert event.log.filter(act="paired").count() == 1


def test_who_withdraws_is_drawn_no_more_and_the_games_stay() -> None:
    event = field("Anne", "Ben", "Cleo")
    draw(event)
    decide(event, 1, (3, 1))
    gone = event.pairings.get(round=1, table=1).first.number
    entering.withdraw(event.pk, gone, "player", NOW)
    second = draw(event)
    assert gone not in {one for pair in second for one in pair}
    places = {one.entry.number: one for one in rounds.standings_of(event)}
    assert places[gone].gone
    assert places[gone].standing.points == 3
    # A latecomer is drawn from then on, with what the others have.
    decide(event, 2, *[(1, 1)] * sum(second is not None for _first, second in second))
    late = entered(event, "Late")
    assert late.number in {one for pair in draw(event) for one in pair}


def test_a_player_who_withdraws_before_the_round_is_shown_is_told() -> None:
    event = field("Anne", "Ben")
    number = rounds.draw(event.pk, BY, NOW)
    entering.withdraw(event.pk, 1, "player", NOW)
    with pytest.raises(Refusal, match="table 1 has withdrawn"):
        rounds.show_round(event.pk, number, BY, NOW)
    # In a game that is shown the desk decides.
    entering.take_back(event.pk, 1, BY, NOW, _library())
    rounds.show_round(event.pk, number, BY, NOW)
    entering.withdraw(event.pk, 1, "player", NOW)
    decide(event, 1, (0, 10))
    assert table(event)[0][1:] == (event.pairings.get().second.number, 3)


def _library() -> Any:
    from armybuilder.loading.library import shipped_library

    return shipped_library()


def test_a_round_is_not_paired_again_after_results() -> None:
    event = field("Anne", "Ben", "Cleo", "Dora")
    rounds.set_pairings(event.pk, 1, "1 - 2\n3 - 4", BY, NOW)
    decide(event, 1, (3, 0))
    with pytest.raises(Refusal, match="Table 1 has a result already"):
        rounds.set_pairings(event.pk, 1, "1 - 3\n2 - 4", BY, NOW)
    rounds.set_pairings(event.pk, 1, "4 - 3\n1 - 2", BY, NOW)
    assert seats(event, 1) == [(4, 3), (1, 2)]
    assert event.pairings.get(table=2).first_score == 3


def test_byes_are_written_as_a_number_alone() -> None:
    event = field("Anne", "Ben", "Cleo")
    rounds.set_pairings(event.pk, 1, "3 vs 1\n2", BY, NOW)
    assert seats(event, 1) == [(3, 1), (2, None)]
    assert rounds.pairings_text(event.pairings.order_by("table")) == "3 - 1\n2"
    assert (1, 2, 3) in table(event)
    with pytest.raises(Refusal, match="A bye has no result"):
        rounds.settle(event.pk, 1, 2, Score(1, 0), BY, NOW)


def test_a_result_stands_once_both_report_the_same() -> None:
    event = field("Anne", "Ben", "Cleo")
    rounds.set_pairings(event.pk, 1, "1 - 2", BY, NOW)
    anne, ben, cleo = event.entries.order_by("number")
    about = (event.pk, 1, 1)
    assert rounds.report(*about, anne, Score(13, 7), NOW).first_score is None
    rounds.report(*about, ben, Score(12, 8), NOW)
    assert event.pairings.get().first_score is None, "they contradict each other"
    rounds.report(*about, anne, Score(12, 8), NOW)
    game = event.pairings.get()
    assert (game.first_score, game.second_score) == (12, 8)
    assert event.log.filter(act="result", actor="player").count() == 1
    with pytest.raises(Refusal, match="Ask the desk"):
        rounds.report(*about, anne, Score(20, 0), NOW)
    with pytest.raises(Exception, match="not at this table"):
        rounds.report(*about, cleo, Score(20, 0), NOW)
    decide(event, 1, (0, 20))
    assert event.pairings.get().second_score == 20


def test_points_must_add_up_where_the_format_says_so() -> None:
    event = field("Anne", "Ben")
    chosen = TournamentFormat(scoring="points", total=20, bye=10)
    rounds.set_format(event.pk, chosen, BY, NOW)
    scoring = rounds.scoring_of(rounds.format_of(event))
    assert rounds.read_score("13", " 7", scoring) == (13, 7)
    with pytest.raises(Refusal, match="add up to 21"):
        rounds.read_score("13", "8", scoring)
    for first, second in (("", "7"), ("-1", "21"), ("1.5", "2"), ("x", "y"), ("9" * 6, "0")):
        with pytest.raises(Refusal, match="two whole numbers"):
            rounds.read_score(first, second, scoring)


def test_teams_play_teams_and_their_players_in_the_order_of_their_numbers() -> None:
    names = [f"{team}{number}" for number in (1, 2) for team in ("Mill", "Hill", "Weir", "Ford")]
    event = field(*names, **{name: name[:4] for name in names})
    rounds.set_format(event.pk, TournamentFormat(by_teams=True), BY, NOW)
    first = draw(event)
    teams = {entry.number: entry.team for entry in event.entries.all()}
    pairs = [frozenset((teams[a], teams[b or 0])) for a, b in first]
    assert len(set(pairs)) == 2
    assert all(len(pair) == 2 for pair in pairs)
    decide(event, 1, *[(3, 0)] * 4)
    second = [frozenset((teams[a], teams[b or 0])) for a, b in draw(event)]
    assert not set(second) & set(pairs)
    standings = rounds.team_standings(rounds.standings_of(event))
    assert [(one.place, one.points) for one in standings] == [(1, 6), (1, 6), (3, 0), (3, 0)]


def test_only_who_is_checked_in_is_drawn_where_that_is_asked() -> None:
    event = field("Anne", "Ben", "Cleo")
    with pytest.raises(Refusal, match="two players"):
        draw(event, present_only=True)
    Entry.objects.filter(event=event, number__in=(1, 3)).update(checked_in=True)
    assert {*draw(event, present_only=True)[0]} == {1, 3}


def test_nothing_is_played_before_the_event_is_published_or_after_its_end() -> None:
    event = field("Anne", "Ben")
    with pytest.raises(Refusal, match="No games are played"):
        rounds.draw(event.pk, BY, TIMES.over + timedelta(1))
    with pytest.raises(Refusal, match="1 to 30"):
        rounds.plan_round(event.pk, 31, None, "Ford", BY, NOW)


def test_a_game_of_a_round_that_is_hidden_tells_opponents_nothing() -> None:
    event = open_event(audience="opponents")
    for name in ("Anne", "Ben"):
        entered(event, name)
    rounds.draw(event.pk, BY, NOW)
    from tests.events.builders import person

    assert person(event, "holder-Anne").met == frozenset()
    rounds.show_round(event.pk, 1, BY, NOW)
    assert person(event, "holder-Anne").met == {event.entries.get(number=2).pk}


def test_standings_ask_as_much_of_few_as_of_many() -> None:
    event = field("Anne", "Ben")
    draw(event)
    decide(event, 1, (1, 0))
    few = len(queries_of(rounds.standings_of, event))
    for number in range(8):
        entered(event, f"Player {number}")
    draw(event)
    assert len(queries_of(rounds.standings_of, event)) == few <= 4
    assert helper(event, StaffRole.JUDGE, "Judy")
    assert Pairing.objects.filter(event=event).count() == 6
