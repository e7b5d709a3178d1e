"""A whole event in Chromium, from the organiser's account to the standings.

With `-s` it says of everybody how often they pressed and wrote, and what they were told.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path
from unittest.mock import patch

import pytest
from django.core import mail
from django.utils import timezone
from playwright.sync_api import Locator, Page, expect

from armybuilder.accounts.models import User
from armybuilder.events.models import Pairing
from armybuilder.games.services import keep
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.examples import shipped_examples
from tests.browser.conftest import PHONE, Open
from tests.browser.survey import axe_findings
from tests.building.documents import value_of
from tests.effort import scaled
from tests.events.builders import legal_list
from tests.golden import check
from tests.kept_games.files import stored
from tests.pages.events.people import CLOCK, text_of
from tests.pages.forces.armies import squads

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAY = timedelta(days=1)
PASSWORD = "heron-delta-27"  # noqa: S105  # of nobody
#: Days from now until each time of the event.
TIMES = {"Rules lock": 1, "List deadline": 3, "Correction deadline": 5, "Lists published": 6}
TIMES |= {"Play begins": 7, "Event ends": 8}
#: Players besides those whose way is told, whom the organiser adds.
ADDED = ("Hal", "Ida", "Jon", "Kim", "Uli")[: scaled(0, 0, 5)]
ROUNDS = scaled(2, 2, 3)
ARMIES = Path(check.__file__).parent / "armies"
ROLES = ("captain", "attacker", "defender", "wild-card")


class Clock:
    """The time of the event's pages, by days from the start."""

    def __init__(self) -> None:
        self.start = timezone.now()
        self.days = 0.0

    def now(self) -> datetime:
        return self.start + self.days * DAY


@pytest.fixture
def clock() -> Iterator[Clock]:
    found = Clock()
    with patch(CLOCK, side_effect=found.now):
        yield found


class Somebody:
    """A person at the event: counts what they press and write, and keeps what they are told."""

    def __init__(self, name: str, page: Page) -> None:
        self.name, self.page = name, page
        self.presses = self.fields = 0
        page.context.set_default_timeout(9000)
        self.told: list[str] = []

    def press(self, name: str, role: str = "button", place: Locator | None = None) -> None:
        found = (place or self.page).get_by_role(role, name=name, exact=True)  # type: ignore[arg-type]
        found.filter(visible=True).first.click()
        self.presses += 1

    def send(self, name: str) -> None:
        """Press a button and wait for the page that answers."""
        with self.page.expect_navigation():
            self.press(name)

    def follow(self, name: str, place: Locator | None = None) -> None:
        self.press(name, "link", place)

    def open(self, name: str) -> None:
        """Open what is folded."""
        self.page.locator("summary:visible", has_text=name).first.click()
        self.presses += 1

    def write(self, **said: str) -> None:
        for label, words in said.items():
            self.fill(label.replace("_", " "), words)

    def fill(self, label: str, words: str) -> None:
        self.page.get_by_label(label, exact=False).first.fill(words)
        self.fields += 1

    def hears(self, *words: str) -> None:
        """Expect words on the page; they are what this person is told."""
        for said in words:
            expect(self.page.locator("body")).to_contain_text(said)
            self.told.append(said)

    def sign_up(self, name: str) -> None:
        self.follow("Create one")
        expect(self.page.get_by_role("heading", name="Create account")).to_be_visible()
        self.page.get_by_label("Username").fill(name)
        for field in self.page.locator("input[type=password]").all():
            field.fill(PASSWORD)
        self.fields += 3
        self.send("Create account")

    def tell(self) -> None:
        mails = [one.subject for one in mail.outbox if f"{self.name.lower()}@" in one.to[0]]
        said = "; ".join([*self.told, *(f"mail “{subject}”" for subject in mails)])
        print(f"{self.name}: {self.presses} clicks, {self.fields} fields; {said}")


def organise(open_page: Open, clock: Clock, pack: str) -> tuple[Somebody, str]:
    """The organiser opens an account, writes an event and publishes it; return its address, too."""
    olga = Somebody("Olga", open_page(at="/events/"))
    olga.follow("New event")
    olga.sign_up("olga")
    olga.page.get_by_label("Event pack").select_option(pack)
    return olga, announce(olga, clock)


def announce(olga: Somebody, clock: Clock) -> str:
    """The organiser fills in the form of an event and publishes it; return its address."""
    page = olga.page
    olga.write(Name="Bergfest", Your_name="Olga", Penalties_and_bonuses="Late list: -3\nPainted: 2")
    olga.write(Time_zone="UTC")
    for label, days in TIMES.items():
        olga.fill(label, f"{clock.start + days * DAY:%Y-%m-%dT%H:%M}")
    page.get_by_label("Accept late lists").check()
    olga.send("Create draft")
    olga.hears("Draft", "Only staff see a draft.")
    olga.send("Publish")
    address = page.url
    olga.follow("Invite")
    expect(page.get_by_label("A message to send")).to_have_value(re.compile(address))
    page.goto(address)
    return address


def helper(olga: Somebody, address: str, name: str, role: str, page: Page) -> Somebody:
    """Somebody whom the organiser invites, and who joins with a new account."""
    olga.page.goto(f"{address}staff/")
    olga.fill("Name", name)
    olga.page.get_by_label("Role").select_option(role)
    olga.send("Create invitation")
    invited = olga.page.locator(".row", has_text=name).locator("code").inner_text()
    found = Somebody(name, page)
    page.goto(invited)
    found.sign_up(name.lower())
    found.hears(f"{name}, you are invited to help")
    found.send("Join the staff")
    expect(page.get_by_role("link", name="List checks")).to_be_visible()
    return found


def register(player: Somebody, address: str, **said: str) -> None:
    player.page.goto(address)
    player.write(Your_name=player.name, **said)
    player.send("Register")
    player.hears("Your registration", "You can submit and replace your list until")


def build(anne: Somebody) -> None:
    """Build a list for the event by chance, and submit it from the builder."""
    anne.follow("Build a list for it")
    anne.hears("the builder uses its rules")
    anne.send("Random warband")
    expect(anne.page.locator("#chip")).to_contain_text("Legal")
    anne.page.locator("#list .phone-only a", has_text="due in").click()
    anne.presses += 1
    anne.send("Submit")
    anne.hears("List 1", "legal at this event")


def paste(player: Somebody, text: str) -> None:
    player.follow("Submit a list")
    player.fill("The list as text", text)
    player.send("Submit the text")


def broken() -> ArmyList:
    """A list that the event does not take as it is: two more models of its first unit."""
    found = legal_list()
    first, *others = found.units
    return replace(found, units=(replace(first, models=first.models + 3), *others))


def move_deadline(olga: Somebody, address: str, clock: Clock) -> None:
    """The organiser moves the deadline to an earlier time, and is asked first."""
    olga.page.goto(f"{address}edit/")
    olga.fill("List deadline", f"{clock.start + 2.5 * DAY:%Y-%m-%dT%H:%M}")
    olga.send("Save")
    olga.hears("List deadline comes sooner", "of 3 players have no list yet")
    olga.page.get_by_label("Yes, move the deadline").check()
    olga.send("Save")


def add_players(olga: Somebody, address: str, *names: str) -> None:
    olga.page.goto(f"{address}players/")
    olga.fill("One player per line", "\n".join(f"{name}, , {name}@inn.example" for name in names))
    olga.send("Add players")
    for name in names:
        expect(olga.page.get_by_role("link", name=name)).to_be_visible()


def open_list(carl: Somebody, address: str, name: str) -> None:
    carl.page.goto(f"{address}desk/")
    carl.page.get_by_role("row").filter(has_text=name).get_by_role("link").last.click()
    carl.presses += 1


def return_list(carl: Somebody, address: str) -> None:
    """The checker returns a list with a fix that is suggested."""
    open_list(carl, address, "Cleo")
    carl.hears("not legal at this event", "At most 100 points of Personalities.")
    carl.follow("Suggested fixes")
    carl.page.get_by_role("group", name="Also tell the player").locator("input").first.check()
    carl.send("Return")
    carl.hears("Returned")


def correct(cleo: Somebody, address: str) -> None:
    """Their list opens in the builder, is made legal, and submitted again."""
    cleo.page.goto(address)
    cleo.hears("Your list was returned. Submit a corrected one by")
    cleo.send("Correct this list 1")
    expect(cleo.page.locator("#chip")).to_be_visible()
    cleo.press("Reduce Gruk to 1 (180 points less)")
    expect(cleo.page.locator("#chip")).to_contain_text("Legal")
    cleo.page.locator(".bar-road").click()
    cleo.presses += 1
    cleo.send("Submit")
    cleo.hears("List 2", "legal at this event")


def check_at_the_table(judy: Somebody, address: str) -> None:
    """The judge's phone without a network: find, tick, draw, compare, and give a penalty."""
    phone = judy.page
    phone.goto(f"{address}judge/")
    hash_ = phone.locator(".judge-lists li", has_text="Finn").locator("code").first.text_content()
    phone.context.set_offline(True)
    judy.fill("Check a printed list", hash_ or "")
    judy.press("Compare")
    judy.hears(f"Current list: player {6 + len(ADDED)}, list 1.")
    judy.fill("Name, number or team", "finn")
    phone.locator(".judge-lists > li:visible summary").first.click()
    phone.locator(".judge-units input:visible").first.check()
    judy.presses += 2
    judy.open("Penalty or bonus")
    judy.press("Late list -3")
    judy.hears("No connection. Saved here and sent later.")
    phone.context.set_offline(False)
    judy.hears("Sent.")


def draw(olga: Somebody, address: str, number: int) -> None:
    """The organiser draws a round, looks at it, and shows it to players."""
    olga.page.goto(f"{address}pairings/")
    olga.send("Draw")
    olga.hears(f"Round {number}", "Players don’t see this round yet")
    olga.send("Show to players")
    expect(olga.page.locator(".event-score").first).to_be_visible()


def report(player: Somebody, address: str, own: int, other: int) -> None:
    """A player reports the result of their own game, from the event's page."""
    player.page.goto(address)
    player.hears("Your game in round", "Table")
    player.follow("Report the result")
    first = player.page.locator("label[for=first]").inner_text() == player.name
    player.page.locator("#first").fill(str(own if first else other))
    player.page.locator("#second").fill(str(other if first else own))
    player.fields += 2
    player.send("Report")


def play(olga: Somebody, players: dict[str, Somebody], address: str, number: int) -> None:
    """Play a round: players report, in the first one two of them different results. The desk enters
    what is missing.
    """
    draw(olga, address, number)
    games = Pairing.objects.filter(event__name="Bergfest", round=number, second__isnull=False)
    sides = [(players.get(game.first.name), players.get(game.second.name)) for game in games]
    met = [(one, other) for one, other in sides if one and other]
    for place, (one, other) in enumerate(met):
        report(one, address, 12, 8)
        one.hears("It becomes final once your opponent reports the same.")
        if place or number > 1:
            report(other, address, 8, 12)
            other.hears("This result is final.")
        else:
            report(other, address, 20, 0)
            other.hears("The reports contradict each other.")
    enter_results(olga, address, number)


def enter_results(olga: Somebody, address: str, number: int) -> None:
    """The desk enters all results of a round that are not there yet."""
    olga.page.goto(f"{address}pairings/?round={number}")
    scores = olga.page.locator(".event-score input")
    for place in range(scores.count()):
        if not scores.nth(place).input_value():
            scores.nth(place).fill(str(13 - 6 * (place % 2)))
            olga.fields += 1
    olga.send("Save results")
    olga.hears("Saved")


def players_of(open_page: Open, address: str) -> tuple[Somebody, Somebody, Somebody]:
    """Three who register and submit: by the builder, by a text with a mistake, a broken list."""
    anne = Somebody("Anne", open_page(size=PHONE, at=""))
    register(anne, address, Email_for_receipts="anne@mill.example")
    build(anne)
    ben = Somebody("Ben", open_page(size=PHONE, at=""))
    register(ben, address)
    paste(ben, text_of(legal_list("Ben")) + "\n2 Clockwork Herons\n")
    ben.hears("Unclear: 2 Clockwork Herons")
    ben.fill("The list as text", text_of(legal_list("Ben")))
    ben.send("Submit the text")
    ben.hears("List 1", "legal at this event")
    cleo = Somebody("Cleo", open_page(at="/account/sign-in/"))
    cleo.sign_up("cleo")
    register(cleo, address, Email_for_receipts="cleo@hill.example")
    paste(cleo, text_of(broken()))
    cleo.hears("not legal at this event")
    return anne, ben, cleo


def come_late(finn: Somebody, address: str) -> None:
    finn.page.goto(address)
    finn.write(Your_name="Finn")
    finn.send("Register")
    finn.hears("The deadline has passed. Your list will be marked as late.")
    paste(finn, text_of(legal_list("Finn")))
    finn.hears("late", "legal at this event")


@pytest.mark.slow
def test_an_event_goes_from_its_organisers_account_to_the_standings(
    open_page: Open, clock: Clock
) -> None:
    olga, address = organise(open_page, clock, "raven-cup")
    carl = helper(olga, address, "Carl", "checker", open_page(at=""))
    judy = helper(olga, address, "Judy", "judge", open_page(size=PHONE, at=""))
    anne, ben, cleo = players_of(open_page, address)
    move_deadline(olga, address, clock)
    anne.page.goto(address)
    anne.hears("List deadline", "Before:")
    # Others are added by the organiser, who submits for one of them.
    add_players(olga, address, "Dora", "Emil", *ADDED)
    olga.follow("4 Dora")
    olga.follow("Submit for this player")
    olga.fill("The list as text", text_of(legal_list("Dora")))
    olga.send("Submit the text")
    clock.days = 2.6
    finn = Somebody("Finn", open_page(size=PHONE, at=""))
    come_late(finn, address)
    carl.page.goto(f"{address}desk/")
    carl.send("Accept 3 lists without issues")
    open_list(carl, address, "Finn")
    carl.send("Accept")
    return_list(carl, address)
    correct(cleo, address)
    carl.page.goto(f"{address}desk/")
    carl.send("Accept 1 list without issues")
    # Nobody submits any more once lists are published; who comes now plays all the same.
    clock.days = 6.5
    check_at_the_table(judy, address)
    ben.page.goto(address)
    ben.follow("Lists")
    ben.hears("Anne", "Cleo")
    add_players(olga, address, "Gus")
    players = {one.name: one for one in (anne, ben, cleo, finn)}
    for number in range(1, ROUNDS + 1):
        play(olga, players, address, number)
    anne.page.goto(address)
    anne.follow("Standings")
    anne.hears("You are in place")
    expect(anne.page.locator("tbody tr")).to_have_count(7 + len(ADDED))
    games = Pairing.objects.filter(event__name="Bergfest")
    pairs = {frozenset((game.first_id, game.second_id)) for game in games}
    assert len(pairs) == len(games) == (8 + len(ADDED)) // 2 * ROUNDS
    for one in (olga, carl, judy, *players.values()):
        one.tell()


def write_rule(olga: Somebody, kind: str, said: str, **fields: str) -> None:
    """The organiser writes a rule of a pack in a sentence."""
    olga.page.get_by_label("New rule").select_option(kind)
    olga.send("Write it")
    for label, value in fields.items():
        field = olga.page.locator("#sentence").get_by_label(label.replace("_", " ")).first
        if field.evaluate("field => field.tagName") == "SELECT":
            field.select_option(value)
        else:
            field.fill(value)
        olga.fields += 1
    olga.send("Add the rule")
    olga.hears(said)


def build_of_files(player: Somebody, address: str, *units: str) -> None:
    """A player registers, and builds a list of files for the event."""
    register(player, address)
    player.follow("Build a list for it")
    player.follow("Pond")
    player.send("Start list")
    for unit in units:
        player.page.get_by_role("button", name=unit).first.click()
        player.presses += 1


@pytest.mark.slow
def test_an_event_of_files_goes_from_its_pack_in_sentences_to_the_standings(
    open_page: Open, clock: Clock
) -> None:
    olga = Somebody("Olga", open_page(at="/events/"))
    olga.follow("New event")
    olga.sign_up("olga")
    game = stored(squads())
    keep(User.objects.get(username="olga").holder, game.pk)
    olga.page.goto(f"/games/{game.pk}/pack/")
    olga.write(Name="Lake Cup")
    olga.send("Create pack")
    write_rule(olga, "Limit of a cost", "Lists of at most 100 pts.", Cost="pts", At_most="100")
    write_rule(
        olga, "Maximum of each unit", "Each at most 2 times in a list: all units.", At_most="2"
    )
    barred = {"Units,_options_or_categories": "Flag"}
    write_rule(olga, "Not allowed", "Not allowed: Flag.", **barred)
    write_rule(olga, "A rule that people check", "Paint all.", Rule="Paint all.")
    assert list(axe_findings(olga.page)) == []
    olga.send("Save")
    olga.follow("New event with it")
    address = announce(olga, clock)
    players = {}
    for name in ("Anne", "Ben"):
        players[name] = one = Somebody(name, open_page(at=""))
        build_of_files(one, address, "Boat", "Boat")
        one.hears("Boat: Each at most 2 times in a list: all units.", "1 restriction not checked")
        one.page.locator(".bar-road").click()
        one.send("Submit")
        one.hears("List 1", "legal at this event, 1 restriction not checked", "Paint all.")
        open_list(olga, address, name)
        olga.page.locator("input[name=checked]").first.check()
        olga.send("Accept")
    clock.days = 6.5
    play(olga, players, address, 1)
    players["Anne"].page.goto(address)
    players["Anne"].follow("Standings")
    players["Anne"].hears("You are in place")
    for one in (olga, *players.values()):
        one.tell()


def lead(captain: Somebody, address: str, team: str, *mates: str) -> None:
    """A captain registers a team."""
    captain.page.goto(address)
    captain.write(Your_name=captain.name, Team_or_club=team)
    captain.page.get_by_label("I am the captain of the team").check()
    captain.presses += 1
    captain.send("Register")
    captain.follow("Your team")
    for mate in mates:
        captain.fill("Another player of the team", mate)
        captain.send("Register this player")
        expect(captain.page.locator(".row-name", has_text=mate)).to_be_visible()


def hand_in(captain: Somebody, address: str, name: str, document: ArmyList) -> None:
    captain.page.goto(f"{address}team/")
    captain.follow(f"Submit a list : {name}")
    captain.fill("The list as text", text_of(replace(document, name=f"Army of {name}")))
    captain.send("Submit the text")
    captain.hears("List 1")


def fourth() -> ArmyList:
    """An army of another book than those of the examples."""
    return value_of(check.read(ARMIES / "undying-dynasties-legal.json")["document"])


@pytest.mark.slow
def test_an_event_of_teams_goes_from_its_captains_to_the_standings(
    open_page: Open, clock: Clock
) -> None:
    olga, address = organise(open_page, clock, "four-banners")
    olga.page.goto(f"{address}format/")
    olga.page.get_by_label("Teams play teams").check()
    olga.send("Save")
    armies = [one.document for one in shipped_examples().by_system["t9a-2023"]]
    teams = {"Mill": ("Cora", "Mo", "Ned", "Pia"), "Hill": ("Hugo", "Ina", "Jan", "Kai")}
    captains = []
    for team, (name, *mates) in teams.items():
        captain = Somebody(name, open_page(size=PHONE, at=""))
        lead(captain, address, team, *mates)
        for mate, army in zip((name, *mates), (*armies, armies[0]), strict=True):
            hand_in(captain, address, mate, army)
        captains.append(captain)
    cora = captains[0]
    cora.page.goto(f"{address}team/")
    once = "A team can use each army book only once."
    cora.hears("not legal as a team", f"{once} Ogre Khans: on lists 1 and 4.")
    cora.fill("Another player of the team", "Quin")
    cora.send("Register this player")
    cora.hears("“Mill” has 4 players already, as many as the event pack allows.")
    # A player of the team comes in a browser of their own.
    mo = Somebody("Mo", open_page(size=PHONE, at=""))
    mo.page.goto(
        cora.page.locator(".row", has_text="Link for this player")
        .locator("code")
        .first.text_content()
        or ""
    )
    mo.send("Continue here")
    mo.hears("Your team’s captain is Cora, who can see your list and submit for you.")
    carl = helper(olga, address, "Carl", "checker", open_page(at=""))
    carl.page.goto(f"{address}teams/")
    carl.hears(once, "No role in the team: Hugo, Ina, Jan, Kai")
    for captain, (name, *mates) in zip(captains, teams.values(), strict=True):
        hand_in(captain, address, mates[-1], fourth())
        captain.page.goto(f"{address}team/")
        for mate, role in zip((name, *mates), ROLES, strict=True):
            captain.page.get_by_label(f"Role in the team: {mate}").select_option(role)
            captain.send(f"Save : {mate}")
        captain.hears("legal as a team")
        expect(captain.page.locator("main")).not_to_contain_text("not legal as a team")
    clock.days = 3.1
    carl.page.goto(f"{address}desk/")
    carl.hears("The event pack has rules for teams, too.")
    carl.send("Accept 8 lists without issues")
    clock.days = 6.5
    mo.page.goto(address)
    mo.follow("Lists")
    mo.hears("Hugo", "Highborn Elves")
    draw(olga, address, 1)
    enter_results(olga, address, 1)
    for captain in captains:
        captain.page.goto(address)
        captain.hears("Your game in round 1")
        captain.follow("Standings")
        captain.hears("You are in place", "Teams")
    for one in (olga, carl, mo, *captains):
        one.tell()
