"""All addresses of an event, as everybody opens them at every time: no list is told too soon.

What the lists say stands nowhere else, so wherever one of their words is found, a list was told.
"""

import zipfile
from dataclasses import dataclass
from io import BytesIO
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern

from armybuilder.events import deciding, entering
from armybuilder.events.judging import commitment_of
from armybuilder.events.models import Decision, Entry, Event, Staff
from armybuilder.events.rounds import set_pairings
from armybuilder.events.rules import Audience, EventState, Sight, StaffRole
from armybuilder.events.selectors import sight_of
from armybuilder.loading.problems import Refusal
from armybuilder.pages.urls import EVENT
from tests.building.documents import value_of
from tests.effort import scaled
from tests.events.builders import NOW, TIMES, entered, helper, owner_of, person, submitted
from tests.pages.events.people import People, held, marked
from tests.pdfs import text_of

pytestmark = pytest.mark.django_db

#: A moment in each state of a published event.
MOMENTS = {
    EventState.OPEN: NOW,
    EventState.CORRECTING: TIMES.corrected - (TIMES.corrected - TIMES.due) / 2,
    EventState.LOCKED: TIMES.revealed - (TIMES.revealed - TIMES.corrected) / 2,
    EventState.REVEALED: TIMES.revealed,
}
#: What was written about the first list of entry 1: to its player, and for the staff.
TO_PLAYER, FOR_STAFF = "Rohrdommel", "Nachtigall"
#: The forms of the file of lists.
FORMS = ("csv", "json", "zip", "players")
#: The word in each list, by the number of its entry; the second number is a former list.
WORDS = {(1, 1): "Zilpzalpa", (1, 2): "Zilpzalpo", (2, 1): "Wendehalsi", (3, 1): "Pirolina"}
ALL_WORDS = {*WORDS.values(), TO_PLAYER, FOR_STAFF}
#: Each walker opens one address of so many, each another one, and others in each case.
STRIDE = scaled(9, 6, 3)
#: Addresses that have told somebody that nothing can be read there: they tell nobody more.
SILENT: set[str] = set()


@dataclass
class Walker:
    """Somebody who opens everything: the browser, and who that is."""

    name: str
    browser: Client
    holder: str


def walker(name: str) -> Walker:
    """A browser that holds under the name that builders give."""
    return Walker(name, held(f"holder-{name}"), f"holder-{name}")


def everybody(people: People) -> list[Walker]:
    """One of each role, three with lists, of whom one has submitted twice and one is withdrawn; an
    organiser who plays, who has entered without a list; a captain, and nobody.
    """
    event = people.event
    for role in (StaffRole.ORGANISER, StaffRole.CHECKER, StaffRole.JUDGE):
        helper(event, role, str(role))
    helper(event, StaffRole.CHECKER, "friend", "Mill")
    entries = [entered(event, name, team) for name, team in (("Anne", "Mill"), ("Ben", ""))]
    entries.append(entered(event, "Cleo"))
    entered(event, "player")  # before they can read lists as staff
    helper(event, StaffRole.ORGANISER, "player")
    for (number, _which), word in WORDS.items():
        submitted(event, entries[number - 1], marked(word))
    Decision.objects.create(
        submission=entries[0].submissions.get(number=1), what=Decision.What.RETURNED, by="Carl",
        to_player=f"{TO_PLAYER}!", for_staff=f"{FOR_STAFF}!",
    )  # fmt: skip
    entering.withdraw(event.pk, entries[2].number, "player", NOW)
    captain = entered(event, "Dora", "MILL")
    people.post(people.owner, f"entries/{captain.number}/captain/", reason="She is.")
    set_pairings(event.pk, 1, "1 - 2", StaffRole.OWNER, NOW)
    Event.objects.update(league=event.pk)
    owner = Walker("owner", people.owner, owner_of(event).holder)
    names = ("organiser", "checker", "judge", "friend", "player", "Anne", "Ben", "Cleo", "Dora")
    return [owner, *map(walker, names), Walker("nobody", Client(), "")]


def pages() -> list[str]:
    """Every address of an event, with every entry, submission and form of file."""
    found = []
    for pattern in EVENT:
        assert isinstance(pattern, URLPattern)
        route = str(pattern.pattern).replace("<slug:secret>", "x" * 43)
        for number, which in WORDS:
            page = route.replace("<int:number>", str(number)).replace("<int:which>", str(which))
            found += [page.replace("<slug:form>", form) for form in FORMS]
    return list(dict.fromkeys(found))


def told_by(answer: Any) -> str:
    """All words of an answer, also of a PDF or in a zip."""
    content = answer.content
    if answer["Content-Type"] == "application/pdf":
        return text_of(content)
    if answer["Content-Type"] == "application/zip":
        with zipfile.ZipFile(BytesIO(content)) as archive:
            return " ".join(archive.read(name).decode() for name in archive.namelist())
    return str(content.decode())


@pytest.mark.long
@pytest.mark.one_in(22)
@pytest.mark.parametrize(
    "state", [EventState.OPEN, EventState.CORRECTING, EventState.LOCKED, EventState.REVEALED]
)
@pytest.mark.parametrize("sealed", [False, True], ids=["usual", "sealed"])
@pytest.mark.parametrize("audience", [one.value for one in Audience])
def test_no_page_shows_a_list_to_anybody_who_may_not_see_it(
    audience: str, sealed: bool, state: EventState
) -> None:
    people = People(audience=audience, sealed=sealed)
    moment = MOMENTS[state]
    assert people.event.state(moment) is state
    wrong, seen = [], 0
    case = [*MOMENTS].index(state) + sum(audience.encode())
    for place, walker in enumerate(everybody(people), case):
        may = words_for(people, walker, moment)
        for page in pages()[place % STRIDE :: STRIDE]:
            if page in SILENT:
                continue
            answer = people.get(walker.browser, page, moment)
            assert answer.status_code in (200, 302, 404, 405, 422), (walker.name, page)
            if answer.status_code == 405:
                SILENT.add(page)
            words = told_by(answer)
            shown = {word for word in ALL_WORDS if word in words}
            seen += bool(shown)
            wrong += [(walker.name, page, word) for word in shown - may]
    assert wrong == []
    assert seen > 5 // STRIDE


def words_for(people: People, walker: Walker, moment: Any) -> set[str]:
    """The words of those lists that somebody may see, and of decisions about them."""
    event = people.refreshed()
    who = person(event, walker.holder)
    found = set()
    for (number, which), word in WORDS.items():
        entry = Entry.objects.get(event=event, number=number)
        submission = entry.submissions.get(number=which)
        sight, is_own = sight_of(who, event, entry, submission, moment), entry.pk in who.own
        if sight >= Sight.OPEN:
            found.add(word)
        if (number, which) == (1, 1) and sight is Sight.FULL and (is_own or who.role):
            found |= {TO_PLAYER} if is_own else {TO_PLAYER, FOR_STAFF}
    return found


def test_no_email_or_webhook_shows_a_hidden_list(mailoutbox: list[Any]) -> None:
    people = People(sealed=True)
    anne = people.player("Anne", email="anne@mill.example")
    people.submit(anne, marked("Zilpzalpa"))
    people.post(people.owner, "entries/1/decide/", what="unsealed", seen="1", to_player="Asked.")
    tried = people.post(people.owner, "pack/", chosen="three-winters-league", go="try")
    assert "Zilpzalpa" not in told_by(tried)
    for one in mailoutbox:
        assert "Zilpzalpa" not in f"{one.subject} {one.body}"


@pytest.mark.slow
def test_no_answer_to_a_post_shows_a_hidden_list() -> None:
    people, _anne = People.and_her_list(marked("Zilpzalpa"))
    other = people.player("Ben")
    for page in pages():
        answer = people.post(other, page, what="accepted", seen="1", clean="1.1", go="try")
        assert answer.status_code in (200, 302, 404, 405, 422), page
        assert "Zilpzalpa" not in told_by(answer), page
    assert not Decision.objects.exists()
    assert Staff.objects.filter(event=people.event).count() == 1
    # Deciding is over with the event.
    by = owner_of(people.event)
    with pytest.raises(Refusal, match="reviewed"):
        deciding.decide(people.event.pk, 1, 1, Decision.What.ACCEPTED, by, TIMES.over)


def test_the_commitments_are_those_of_the_lists_that_are_shown_later() -> None:
    people, _anne = People.and_her_list(audience="public", shows_all=True)
    sheet = people.get(Client(), "commitments.json", TIMES.corrected).json()
    shown = people.get(Client(), "lists/json/", TIMES.revealed).json()
    (entry,) = shown["entries"]
    again = commitment_of(value_of(entry["document"]), entry["salt"])
    assert again == entry["commitment"] == sheet["commitments"][0]["commitment"]
