"""Who may see what of a list, as a table and as laws that hold for everybody at any time."""

from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from armybuilder.events.rules import (
    Audience,
    EventState,
    Person,
    Rules,
    Seen,
    Sight,
    StaffRole,
    may_see,
)

OPEN = Rules(Audience.PUBLIC, shows_all=False, sealed=False, staff_plays=False)
LIST = Seen(entry=1, team="Mill")
SECOND = frozenset({2})
NOBODY = Person()
OTHER = Person(own=SECOND)
CHECKER = Person(StaffRole.CHECKER)
FRIEND = Person(StaffRole.CHECKER, conflicts=frozenset({"mill"}))

BEFORE = (
    EventState.DRAFT,
    EventState.OPEN,
    EventState.CORRECTING,
    EventState.LOCKED,
    EventState.CANCELLED,
)
AFTER = (EventState.REVEALED, EventState.OVER)


def test_each_role_sees_a_list_when_it_should() -> None:
    for who, *sights in (
        (Person(own=frozenset({1})), Sight.FULL, Sight.FULL, Sight.FULL),
        (OTHER, Sight.NOTHING, Sight.NOTHING, Sight.OPEN),
        (NOBODY, Sight.NOTHING, Sight.NOTHING, Sight.OPEN),
        (Person(StaffRole.OWNER), Sight.FULL, Sight.FULL, Sight.FULL),
        (Person(StaffRole.ORGANISER), Sight.FULL, Sight.FULL, Sight.FULL),
        (CHECKER, Sight.FULL, Sight.FULL, Sight.FULL),
        (FRIEND, Sight.VERDICT, Sight.VERDICT, Sight.FULL),
        (Person(StaffRole.JUDGE), Sight.VERDICT, Sight.FULL, Sight.FULL),
        (Person(StaffRole.ORGANISER, own=SECOND), Sight.VERDICT, Sight.VERDICT, Sight.FULL),
    ):
        states = (EventState.OPEN, EventState.LOCKED, EventState.REVEALED)
        assert [may_see(who, LIST, OPEN, state) for state in states] == sights, who


def test_a_sealed_event_shows_staff_the_verdict_until_its_seal_is_broken() -> None:
    sealed = Rules(Audience.PUBLIC, shows_all=True, sealed=True, staff_plays=True)
    for role in StaffRole:
        assert may_see(Person(role), LIST, sealed, EventState.LOCKED) is Sight.VERDICT
    broken = Seen(entry=1, unsealed=True)
    assert may_see(CHECKER, broken, sealed, EventState.OPEN) is Sight.FULL
    assert may_see(OTHER, broken, sealed, EventState.OPEN) is Sight.NOTHING


def test_lists_are_published_only_to_their_audience() -> None:
    for_entrants = Rules(Audience.ENTRANTS, shows_all=True, sealed=False, staff_plays=False)
    for_staff = Rules(Audience.STAFF, shows_all=True, sealed=False, staff_plays=False)
    assert may_see(OTHER, LIST, for_entrants, EventState.OVER) is Sight.FULL
    assert may_see(NOBODY, LIST, for_entrants, EventState.OVER) is Sight.NOTHING
    assert may_see(OTHER, LIST, for_staff, EventState.OVER) is Sight.NOTHING
    assert may_see(CHECKER, LIST, for_staff, EventState.OVER) is Sight.FULL


def test_replaced_and_withdrawn_lists_are_hidden_from_others() -> None:
    former, gone = Seen(entry=1, counts=False), Seen(entry=1, plays=False)
    assert may_see(OTHER, former, OPEN, EventState.REVEALED) is Sight.NOTHING
    for who in (OTHER, NOBODY, Person(StaffRole.OWNER)):
        assert may_see(who, gone, OPEN, EventState.REVEALED) is Sight.NOTHING
    assert may_see(Person(own=frozenset({1})), gone, OPEN, EventState.REVEALED) is Sight.FULL


def test_opponents_see_each_other_once_they_are_paired() -> None:
    rules = Rules(Audience.OPPONENTS, shows_all=False, sealed=False, staff_plays=False)
    met = Person(own=SECOND, met=frozenset({1}))
    assert may_see(met, LIST, rules, EventState.REVEALED) is Sight.OPEN
    assert may_see(met, LIST, rules, EventState.LOCKED) is Sight.NOTHING
    for who in (OTHER, NOBODY, Person(own=SECOND, plays=False, met=frozenset({1}))):
        assert may_see(who, LIST, rules, EventState.REVEALED) is Sight.NOTHING


def test_a_captain_sees_the_lists_of_the_team_at_any_time_and_no_others() -> None:
    for state in (*BEFORE, *AFTER):
        assert may_see(Person(own=SECOND, leads="mill"), LIST, OPEN, state) is Sight.FULL
    hidden = Rules(Audience.STAFF, shows_all=False, sealed=True, staff_plays=False)
    for who in (Person(own=SECOND, leads="hill"), Person(own=SECOND, leads="mill", plays=False)):
        assert may_see(who, LIST, hidden, EventState.OPEN) is Sight.NOTHING
    nobody_s = Seen(entry=1, team="")
    assert may_see(Person(own=SECOND, leads=""), nobody_s, hidden, EventState.OPEN) is Sight.NOTHING


PEOPLE = st.builds(
    Person,
    st.sampled_from([None, *StaffRole]),
    st.frozensets(st.sampled_from([1, 2])),
    st.frozensets(st.sampled_from(["mill", "hill"])),
    st.booleans(),
    st.sampled_from(["", "hill"]),
    st.frozensets(st.sampled_from([1, 2])),
)
LISTS = st.builds(
    Seen, st.just(1), st.sampled_from(["", "Mill"]), st.booleans(), st.booleans(), st.booleans()
)
RULES = st.builds(Rules, st.sampled_from(Audience), st.booleans(), st.booleans(), st.booleans())


@given(PEOPLE, LISTS, RULES, st.sampled_from(BEFORE))
def test_only_staff_see_lists_before_they_are_published(
    who: Person, seen: Seen, rules: Rules, state: EventState
) -> None:
    sight = may_see(who, seen, rules, state)
    if seen.entry not in who.own and who.role is None:
        assert sight is Sight.NOTHING
    if seen.entry not in who.own and rules.sealed and not seen.unsealed:
        assert sight <= Sight.VERDICT


@given(PEOPLE, LISTS, RULES)
def test_nobody_sees_less_later(who: Person, seen: Seen, rules: Rules) -> None:
    order = [EventState.OPEN, EventState.CORRECTING, EventState.LOCKED]
    sights = [may_see(who, seen, rules, state) for state in order]
    assert sights == sorted(sights)


def test_the_table_of_states_is_whole() -> None:
    assert {*BEFORE, *AFTER} == set(EventState)
    for role, state in product([None, *StaffRole], EventState):
        assert may_see(Person(role), LIST, OPEN, state) in Sight
