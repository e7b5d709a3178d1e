"""The state of an event follows from its times, also in the nights when clocks change."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from armybuilder.events.rules import EventState, EventTimes, Standing, read_local, state_at, turn_at
from armybuilder.loading.problems import Refusal
from tests.events.builders import DAY, NOW, TIMES

SECOND = timedelta(seconds=1)
PUBLISHED = Standing.PUBLISHED


def test_each_time_begins_the_next_state_but_drafts_and_cancelled_events_stay_so() -> None:
    for moment, state in (
        (NOW, EventState.OPEN),
        (TIMES.due, EventState.OPEN),
        (TIMES.due + SECOND, EventState.CORRECTING),
        (TIMES.corrected - SECOND, EventState.CORRECTING),
        (TIMES.corrected, EventState.LOCKED),
        (TIMES.revealed - SECOND, EventState.LOCKED),
        (TIMES.revealed, EventState.REVEALED),
        (TIMES.over, EventState.OVER),
    ):
        assert state_at(TIMES, PUBLISHED, moment) is state, moment
    for moment in (NOW, TIMES.revealed, TIMES.over + DAY):
        assert state_at(TIMES, Standing.DRAFT, moment) is EventState.DRAFT
        assert state_at(TIMES, Standing.CANCELLED, moment) is EventState.CANCELLED


def test_a_second_late_is_late_and_grace_is_not() -> None:
    assert turn_at(TIMES, PUBLISHED, TIMES.due).allowed
    late = turn_at(TIMES, PUBLISHED, TIMES.due + SECOND)
    assert not late.allowed
    assert "deadline has passed" in late.reason
    merciful = replace(TIMES, grace=timedelta(minutes=5))
    assert turn_at(merciful, PUBLISHED, TIMES.due + timedelta(minutes=5)).allowed
    assert not turn_at(merciful, PUBLISHED, TIMES.due + timedelta(minutes=5, seconds=1)).allowed


def test_after_the_deadline_lists_are_corrections_late_or_refused() -> None:
    after = TIMES.due + DAY
    until = TIMES.corrected
    assert turn_at(TIMES, PUBLISHED, after, returned=True) == (True, False, "", until)
    assert turn_at(TIMES, PUBLISHED, after, late_allowed=True) == (True, True, "", until)
    # What is accepted is locked by then, unless its player was given more time.
    locked = turn_at(TIMES, PUBLISHED, after, accepted=True, late_allowed=True)
    assert (locked.allowed, "locked" in locked.reason) == (False, True)
    more = turn_at(TIMES, PUBLISHED, after, accepted=True, extended=after + SECOND)
    assert more == (True, False, "", after + SECOND)
    assert turn_at(TIMES, PUBLISHED, NOW, accepted=True).until == TIMES.due
    assert not turn_at(TIMES, PUBLISHED, TIMES.corrected, returned=True, late_allowed=True).allowed
    extended = TIMES.corrected + timedelta(hours=1)
    assert turn_at(TIMES, PUBLISHED, extended, extended=extended).allowed
    assert not turn_at(TIMES, PUBLISHED, extended + SECOND, extended=extended).allowed
    # Nobody is sent to organisers who can give no more time.
    for accepted in (True, False):
        over = turn_at(TIMES, PUBLISHED, TIMES.revealed, accepted=accepted, extended=TIMES.over)
        assert (over.allowed, "Lists are published" in over.reason) == (False, True)
    sooner = replace(TIMES, corrected=NOW, due=NOW, frozen=NOW, revealed=extended - SECOND)
    assert not turn_at(sooner, PUBLISHED, extended, extended=extended).allowed


def test_times_out_of_order_are_named() -> None:
    with pytest.raises(
        Refusal, match="“Lists published” must not come before “Correction deadline"
    ):
        EventTimes(NOW, NOW, NOW + DAY, NOW, NOW + DAY)


#: Places whose clocks change on other nights, by other steps, in both halves of the world: a local
#: time that is there once before and after, one that is skipped, one that is there twice.
NIGHTS = [
    ("Europe/Berlin", "2026-03-29T01:59", "2026-03-29T02:30", "2026-10-25T02:30", 1),
    ("America/New_York", "2026-03-08T01:59", "2026-03-08T02:30", "2026-11-01T01:30", 1),
    ("Australia/Lord_Howe", "2026-10-04T01:59", "2026-10-04T02:15", "2026-04-05T01:45", 0.5),
]


@pytest.mark.parametrize(("zone", "before", "skipped", "twice", "hours"), NIGHTS)
def test_a_deadline_in_the_night_when_clocks_change(
    zone: str, before: str, skipped: str, twice: str, hours: float
) -> None:
    assert not read_local(before, zone).twice
    with pytest.raises(Refusal, match="go forward that night"):
        read_local(skipped, zone)
    found = read_local(twice, zone)
    assert found.twice
    # The first of the two: a list that comes at the second is late by as much as clocks go back.
    again = found.moment + timedelta(hours=hours)
    place = found.moment.astimezone(ZoneInfo(zone)), again.astimezone(ZoneInfo(zone))
    assert place[0].replace(tzinfo=None, fold=0) == place[1].replace(tzinfo=None, fold=0)
    times = EventTimes(found.moment, found.moment, again + DAY, again + DAY, again + DAY)
    assert turn_at(times, PUBLISHED, found.moment).allowed
    assert not turn_at(times, PUBLISHED, found.moment + SECOND).allowed
    assert not turn_at(times, PUBLISHED, again).allowed
    # The day before a change is not of 24 hours.
    night = datetime.fromisoformat(skipped)
    noon_before = read_local(f"{night - DAY:%Y-%m-%d}T12:00", zone).moment
    noon_after = read_local(f"{night:%Y-%m-%d}T12:00", zone).moment
    assert noon_after - noon_before == DAY - timedelta(hours=hours)


def test_time_zones_have_iana_names_and_invalid_times_are_reported() -> None:
    assert read_local("2026-04-03T20:00", "Europe/Berlin").moment == datetime(
        2026, 4, 3, 18, tzinfo=UTC
    )
    for wrong in ("CET+1", "", "Berlin", "../etc"):
        with pytest.raises(Refusal, match="no time zone"):
            read_local("2026-04-03T20:00", wrong)
    wrong_times = ("", "soon", "2026-13-01T10:00", "2026-04-03T20:00Z", "0001-01-01T00:00")
    for text in (*wrong_times, "9" * 99):
        with pytest.raises(Refusal, match="not a date and time"):
            read_local(text, "Europe/Berlin")
