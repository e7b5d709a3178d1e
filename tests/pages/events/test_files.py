"""An event of a game from files: entered, submitted, judged, shown and certified."""

import json
import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.certificates.making import check
from armybuilder.events.leaving import delete_event
from armybuilder.events.models import BookCheck, Decision, Entry, Submission
from armybuilder.events.organising import create_event
from armybuilder.events.rules import StaffRole
from armybuilder.events.unchecked import open_rules
from armybuilder.games.models import Game
from armybuilder.games.services import forget, keep, lend, may_see, remove, unheld
from armybuilder.lists.models import Version
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.problems import Refusal
from armybuilder.packs.selectors import read_pack
from tests.battlescribe.files.test_event_rules import BOAT, PTS, pack_of
from tests.events.builders import ABOUT, NOW, OWNER, TIMES, helper, owner_of
from tests.kept_games.files import catalogue, stored, unit
from tests.markup import found_in, lacking
from tests.pages.events.people import People, folded, held
from tests.pages.forces.armies import squads

pytestmark = [pytest.mark.django_db, pytest.mark.long]
ONE_BOAT = {"kind": "count", "of": [BOAT], "max": 1, "summary": "One boat in a list."}
RULES = (
    {"kind": "limit", "cost": PTS, "max": 100},
    ONE_BOAT,
    {"kind": "by-hand", "summary": "Every model is painted."},
)
TWO_BOATS = "One boat in a list. 2; the maximum is 1."


def pond_pack(game: Game, *rules: dict[str, Any]) -> FilePack:
    data = pack_of(*(rules or RULES))
    pack = read_pack({**data, "game": {**data["game"], "key": game.pk}})
    assert isinstance(pack, FilePack)
    return pack


class Regatta(People):
    """The event of a game that its owner has brought."""

    def __init__(self, *rules: dict[str, Any], **said: Any) -> None:
        self.game = stored(squads())
        keep(OWNER, self.game.pk)
        super().__init__(pack=pond_pack(self.game, *rules), **said)

    def build(self, who: Client, *units: str, name: str = "Ponds") -> str:
        """A list of these units that somebody builds for the event; return its id."""
        new = f"/games/{self.game.pk}/new/?event={self.event.pk}"
        fields = {"catalogue": "pond", "force": "raft", "name": name, "event": self.event.pk}
        answer = who.post(new, fields)
        assert answer.status_code == 302, answer.text[-3000:]
        list_id = answer["location"].split("/")[2]
        for key in units:
            version = current(list_id)
            force = version.content.to_dict()["forces"][0]["id"]
            ref = f"{force}:{key}"
            act = {"act": f"add:{ref}", "ref": ref, "version": version.pk}
            assert who.post(f"/lists/{list_id}/forces/act/", act).status_code == 302
        return list_id

    def submit_list(self, who: Client, list_id: str, **more: str) -> Any:
        return self.post(who, "submit/", **{"list": list_id, **more})


def current(list_id: str) -> Version:
    return Version.objects.filter(army_list=list_id).order_by("-number")[0]


def with_a_list(*units: str, **said: Any) -> tuple[Regatta, Client, str]:
    """An event, with somebody who has submitted a list."""
    event = Regatta(**said)
    anne = event.player("Anne")
    list_id = event.build(anne, *units)
    assert event.submit_list(anne, list_id).status_code == 302
    return event, anne, list_id


@pytest.mark.slow
def test_the_files_are_lent_to_who_enters() -> None:
    event = Regatta()
    stranger = Client()
    page = folded(event.get(stranger))
    assert lacking(page, "Game of Squads", "revision 3", "Register to build lists") == []
    assert stranger.get(f"/games/{event.game.pk}/new/").status_code == 404
    anne = event.player("Anne")
    assert "Build a list for it" in folded(event.get(anne))
    new = folded(anne.get(f"/games/{event.game.pk}/new/?event={event.event.pk}&catalogue=pond"))
    assert lacking(new, "For the event", "Pond Cup", 'value="100"') == []
    # To whom a game is lent, it makes no event: that is for who brought it.
    lend("somebody", event.game.pk)
    with pytest.raises(Refusal, match=r"Add the files of Game of Squads first\."):
        create_event("somebody", "Sue", ABOUT, pond_pack(event.game), NOW)


@pytest.mark.slow
def test_the_builder_checks_a_list_by_the_event() -> None:
    event = Regatta()
    anne = event.player("Anne")
    list_id = event.build(anne, "boat", "boat")
    page = folded(anne.get(f"/lists/{list_id}/?view=errors"))
    assert lacking(page, TWO_BOATS, "Pond Cup 1", "Every model is painted.") == []
    both = folded(anne.get(f"/lists/{list_id}/event/"))
    assert lacking(both, "By the game", "Pond Cup", TWO_BOATS, "Every model is painted.") == []
    found = folded(anne.get(f"/lists/{list_id}/forces/repair/"))
    assert "Remove Boat." in found
    # By the game alone it is legal.
    assert anne.post(f"/lists/{list_id}/event/build/", {"pack": ""}).status_code == 302
    assert TWO_BOATS not in folded(anne.get(f"/lists/{list_id}/?view=errors"))


def test_a_list_is_checked_and_submitted_with_its_verdict() -> None:
    event = Regatta()
    anne = event.player("Anne")
    list_id = event.build(anne, "boat", "boat")
    assert "Ponds" in folded(event.get(anne, "submit/"))
    tried = folded(event.submit_list(anne, list_id, go="check"))
    assert lacking(tried, TWO_BOATS, "Nothing has been submitted yet.") == []
    event.submit_list(anne, list_id)
    kept = Submission.objects.get()
    assert kept.content == current(list_id).content
    assert (kept.legal, kept.needs) == (False, ["errors", "unchecked"])
    assert (kept.game_report["legal"], kept.event_report["refusals"]) == (True, 1)
    own = folded(event.get(anne))
    assert lacking(own, TWO_BOATS, "Pond Cup 1") == []


def test_a_list_of_files_is_accepted_and_returned_at_the_desk() -> None:
    event, anne, _list = with_a_list("squad", "boat", "boat")
    desk = folded(event.get(event.owner, "desk/"))
    assert "not legal at this event" in desk
    page = folded(event.get(event.owner, "entries/1/1/"))
    assert lacking(page, TWO_BOATS, "3 Trooper", "Squad", "35 pts") == []
    ways = folded(event.get(event.owner, "entries/1/1/?ways"))
    assert "Remove Boat." in ways
    judge = folded(event.get(event.owner, "judge/"))
    assert lacking(judge, "Boat [30 pts]", "Squad") == []
    fields = {"what": "returned", "seen": "1", "to_player": "One boat, please."}
    event.post(event.owner, "entries/1/decide/", **fields)
    assert "One boat, please." in folded(event.get(anne))
    shorter = event.build(anne, "squad", "boat", name="Shorter")
    event.submit_list(anne, shorter)
    second = folded(event.get(event.owner, "entries/1/2/"))
    assert lacking(second, "Changed since list 1", "Removed: Boat (30 points)") == []
    event.post(event.owner, "entries/1/decide/", what="accepted", seen="2")
    assert "Accepted" in folded(event.get(anne))


@pytest.mark.slow
def test_the_receipt_has_a_certificate_that_checks() -> None:
    event, anne, list_id = with_a_list("squad", "boat")
    receipt = json.loads(event.get(anne, "receipts/1.json").content)
    document = current(list_id).content
    assert receipt["document"] == document.to_dict()
    claims = check(receipt["certificate"]).claims
    assert claims.army_list == document
    assert (claims.points, claims.pack and claims.pack[0]) == ((65, 100), "pond-cup")
    assert claims.event is not None
    assert (claims.game.words, claims.event.words) == (
        "Legal", "Legal, 1 restriction not checked",
    )  # fmt: skip
    page = folded(Client().post("/verify/", {"certificate": receipt["certificate"]}))
    said = f"Game of Squads (files {event.game.pk[:12]})"
    assert lacking(page, said, "Pond 1", "1× Boat", "(3× Trooper [Dart])", "65 / 100") == []


@pytest.mark.slow
def test_a_certificate_calls_things_as_the_files_do() -> None:
    event = Regatta()
    anne = event.player("Anne")
    document = current(event.build(anne, "boat")).content.to_dict()
    document["forces"][0]["picks"][0]["name"] = "Zeppelin"
    file = SimpleUploadedFile("list.json", json.dumps(document).encode())
    assert event.post(anne, "submit/", file=file).status_code == 302
    word = json.loads(event.get(anne, "receipts/1.json").content)["certificate"]
    page = folded(Client().post("/verify/", {"certificate": word}))
    assert "1× Boat" in page
    assert "Zeppelin" not in page


def test_a_text_is_submitted_where_all_of_it_is_clear() -> None:
    event = Regatta()
    anne = event.player("Anne")
    text = "Ponds\n\n++ Raft (Pond) ++\n\n+ Core +\n\nBoat [30 pts]\n"
    assert event.post(anne, "submit/", text=text).status_code == 302
    assert Submission.objects.get().event_report["spent"] == 30
    strange = event.post(anne, "submit/", text=f"{text}Dragon [40 pts]\n")
    assert strange.status_code == 422
    assert "Unclear:" in folded(strange)


def test_lists_are_seen_by_whom_the_event_shows_them() -> None:
    event, anne, _list = with_a_list("boat", sealed=True)
    ben = event.player("Ben")
    # Sealed: the staff see the verdict alone, others nothing.
    staff = folded(event.get(event.owner, "entries/1/1/"))
    assert "You can’t see this list yet." in staff
    assert "30 pts" not in staff
    assert event.get(ben, "entries/1/1/").status_code == 404
    assert "30 pts" in folded(event.get(anne, "entries/1/1/"))
    after = TIMES.revealed + timedelta(hours=1)
    shown = folded(event.get(ben, "entries/1/1/", after))
    assert lacking(shown, "Boat", "30 pts") == []
    assert event.get(ben, "entries/1/1/play/").status_code == 404
    play = event.get(ben, "entries/1/1/play/", after)
    assert lacking(folded(play), "Boat", "Ponds") == []
    assert "entries/1/1/play/" in shown
    assert "Anne" in folded(event.get(ben, "lists/", after))
    for form in ("json", "csv", "zip", "players"):
        assert event.get(ben, f"lists/{form}/", after).status_code == 200
    data = event.get(ben, "lists/json/", after).json()
    (entry,) = data["entries"]
    assert (entry["points"], entry["limit"], entry["books"]) == (30, 100, ["Pond, revision 1"])
    booklet = event.get(ben, "lists/booklet.pdf", after)
    assert booklet.content[:5] == b"%PDF-"


@pytest.mark.slow
def test_what_rules_say_stays_with_who_brought_the_files() -> None:
    telling = (
        '<rules><rule id="r" name="Creaky"><description>It sinks on a one.</description></rule>'
        "</rules>"
    )
    files = {**squads(), "Pond.cat": catalogue("Pond", unit("boat", "Boat", 30, telling))}
    game = stored(files)
    keep(OWNER, game.pk)
    people = People(pack=pond_pack(game))
    anne = people.player("Anne")
    new = f"/games/{game.pk}/new/"
    answer = anne.post(new, {"catalogue": "pond", "force": "raft"})
    list_id = answer["location"].split("/")[2]
    version = current(list_id)
    ref = f"{version.content.to_dict()['forces'][0]['id']}:boat"
    act = {"act": f"add:{ref}", "ref": ref, "version": version.pk}
    anne.post(f"/lists/{list_id}/forces/act/", act)
    people.post(anne, "submit/", list=list_id)
    for who in (anne, people.owner):
        page = folded(people.get(who, "entries/1/1/"))
        assert "Creaky" in page
        assert "It sinks" not in page


@pytest.mark.slow
def test_a_newer_revision_changes_nothing_that_was_submitted() -> None:
    event, anne, list_id = with_a_list("boat")
    newer = {**squads(), "Pond.cat": catalogue("Pond", unit("boat", "Boat", 90), revision=2)}
    later = stored(newer)
    keep(current(list_id).army_list.holder, later.pk)
    document = current(list_id).content.to_dict()
    document["game"]["key"] = later.pk
    file = SimpleUploadedFile("list.json", json.dumps(document).encode())
    refused = event.post(anne, "submit/", file=file)
    assert refused.status_code == 422
    assert "other files of Game of Squads" in folded(refused)
    assert lacking(folded(event.get(anne, "entries/1/1/")), "30 pts", "Pond") == []
    # The owner may delete the game: the event goes on by its files.
    holder = owner_of(event.event).holder
    forget(OWNER, event.game.pk)
    for mine in (OWNER, holder):
        assert not may_see(mine, event.game.pk)
    assert event.game not in unheld(NOW + timedelta(days=365))
    assert remove([event.game]) == 0
    assert "30 pts" in folded(event.get(anne, "entries/1/1/"))


def test_an_event_that_is_deleted_lets_go_of_its_game() -> None:
    event = Regatta()
    forget(OWNER, event.game.pk)
    delete_event(event.event.pk, owner_of(event.event), NOW)
    assert remove([event.game]) == 1


@pytest.mark.slow
def test_another_pack_judges_all_lists_again() -> None:
    event, anne, _list = with_a_list("boat", "boat")
    lax = pond_pack(event.game, {"kind": "count", "of": [BOAT], "max": 2})
    text = json.dumps(lax.data)
    tried = folded(event.post(event.owner, "pack/", text=text, go="try"))
    assert "1 would become legal" in tried
    event.post(event.owner, "pack/", text=text, go="use")
    kept = Submission.objects.get()
    assert (kept.legal, kept.needs) == (True, [])
    assert found_in(folded(event.get(anne)), TWO_BOATS) == []
    other = pond_pack(stored(), {"kind": "forces", "max": 1})
    answer = event.post(event.owner, "pack/", text=json.dumps(other.data), go="use")
    assert answer.status_code == 422
    assert "This pack is for another game." in folded(answer)


def test_rules_are_read_on_their_page() -> None:
    event = Regatta()
    page = folded(event.get(Client(), "rules/"))
    assert lacking(page, "One boat in a list.", "Boat", "We can’t check this rule.") == []
    assert re.search(r"Pond Cup\s*2", page)


#: Sentences by what is sent, with the kind of rule and the text that they make.
FILE_SENTENCES: list[tuple[str, dict[str, Any], tuple[str, str]]] = [
    ("catalogues", {"of": ["lake"]}, ("catalogues", "Only these catalogues: Lake.")),
    ("cost", {"cost": "pts", "most": 60}, ("limit", "Lists of at most 60 pts.")),
    ("none", {"names": "Raft"}, ("count", "Not allowed: Raft.")),
    ("count", {"least": 1, "most": 3, "names": "Raft; Core"},
     ("count", "1 to 3 in a list: Raft or Core.")),
    ("spent", {"cost": "pts", "per_cent": True, "most": 25, "names": "Raft"},
     ("spent", "At most 25% of the limit of pts for: Raft.")),
    ("each", {"most": 2}, ("each", "Each at most 2 times in a list: all units.")),
    ("only", {"names": "Raft"}, ("only", "Only these units: Raft.")),
    ("forces", {"barred": ["raft"], "most": 2},
     ("forces", "Not these forces: Raft. At most 2 forces.")),
    ("by-hand", {"summary": "Paint all."}, ("by-hand", "Paint all.")),
]  # fmt: skip


def test_an_organiser_makes_a_pack_and_an_event_of_files_by_forms(client: Client) -> None:
    event = Regatta()
    game = event.game
    owner, holder = event.owner, owner_of(event.event).holder
    keep(holder, game.pk)
    assert "New event pack" in folded(owner.get(f"/games/{game.pk}/pack/"))
    made = owner.post(f"/games/{game.pk}/pack/", {"name": "Lake Cup"})
    address = made["location"]
    key = address.split("/")[3]
    asked: dict[str, Any] = {"name": "Lake Cup", "lists": "1", "seen": "1", "was": "{}"}
    asked["text"] = owner.get(address).context["text"]

    def put(asks: str, status: int = 200, at: str = "", **fields: Any) -> str:
        sent = {f"s-{name}": value for name, value in fields.items()}
        page = owner.post(address, {**asked, "go": "keep", "asks": asks, "key": at, **sent})
        assert page.status_code == status, folded(page)
        asked["text"] = page.context["text"]
        return folded(page)

    begun = folded(owner.post(address, {**asked, "go": "begin", "begin": "catalogues"}))
    assert lacking(begun, "Only these", "Not these", "Pond", "Lake") == []
    assert "no unit, option or category “Dragon”" in put("none", 422, names="Dragon")
    assert "This field is required." in put("none", 422)
    assert "Choose what the rule is about." in put("only", 422, names=";")
    assert "Write a maximum or a minimum." in put("count", 422, names="Raft")
    assert "Choose what the rule is about." in put("forces", 422)
    assert "Choose a kind of rule." in put("dance", 422)
    for asks, fields, _rule in FILE_SENTENCES:
        put(asks, **fields)
    rules = json.loads(asked["text"])["rules"]
    assert [(one["kind"], one["summary"]) for one in rules] == [one[2] for one in FILE_SENTENCES]
    # Each opens as it was written, and says the same again.
    for at, (asks, fields, _rule) in enumerate(FILE_SENTENCES):
        form = owner.post(address, {**asked, "go": f"open:{at}"}).context["sentence"]
        sent = {name: form[name].value() for name in form.fields if form[name].value()}
        assert (form.asks, sent) == (asks, {"place": str(at + 1), **{
            name: int(one) if str(one).isdecimal() else one for name, one in fields.items()
        }})  # fmt: skip
        put(asks, at=str(at), **sent)
    assert json.loads(asked["text"])["rules"] == rules
    assert owner.post(address, {**asked, "go": "remove:9"}).status_code == 422
    fewer = owner.post(address, {**asked, "go": "remove:8"}).context["text"]
    assert json.loads(fewer)["rules"] == rules[:8]
    saved = owner.post(address, {**asked, "go": "save", "about": "By the lake."})
    page = folded(owner.get(saved["location"]))
    assert lacking(page, "By the lake.", *(rule["summary"] for rule in rules)) == []
    broken = owner.post(address, {**asked, "text": '{"format": "pack/2"}'})
    assert broken.status_code == 422
    assert key in str(owner.get("/events/new/").content)
    # For others there is neither the form nor the text.
    lend("somebody", game.pk)
    assert client.get(f"/games/{game.pk}/pack/").status_code == 404
    assert client.get(f"/packs/own/{key}/edit/").status_code == 404


@pytest.mark.slow
def test_what_is_not_checked_is_named_wherever_a_list_is_checked_and_ticks_are_kept() -> None:
    painted, by_hand = "Every model is painted.", {"kind": "by-hand"}
    event = Regatta({**by_hand, "summary": painted}, {**by_hand, "summary": "No red sails."})
    people = [event.player(name, team=team) for name, team in (("Anne", "Mill"), ("Ben", ""))]
    for one in people:
        list_id = event.build(one, "boat")
        tried = folded(event.submit_list(one, list_id, go="check"))
        assert lacking(tried, "Not checked", painted, "Pond Cup 1", 'href="#i-unchecked"') == []
        event.submit_list(one, list_id)
        # Amber, never a green tick.
        own = folded(event.get(one))
        assert lacking(own, painted, "legal at this event, 2 restrictions not checked") == []
        assert "event-verdict ok" not in own
    assert painted in json.dumps(event.get(people[0], "receipts/1.json").json()["unchecked"])
    for page in ("entries/1/1/", "judge/"):
        shown = folded(event.get(event.owner, page))
        assert lacking(shown, painted, "No red sails.") == [], page
        assert "event-verdict ok" not in shown
    helper(event.event, StaffRole.CHECKER, "friend", "Mill")
    friend = held("holder-friend")
    (first, second) = open_rules(Submission.objects.first().event_report)
    accept = {"what": "accepted", "seen": "1"}
    event.post(event.owner, "entries/2/decide/", **accept, checked=first.marks, for_book="1")
    decision = Decision.objects.get()
    assert (decision.checked, BookCheck.objects.count()) == ([[first.said, first.citation]], 1)
    assert "Checked by a person:" in folded(event.get(event.owner, "entries/2/1/"))
    listed = folded(event.get(event.owner, "desk/"))
    assert "Accept 1 list" not in listed, "one of two rules is open still"
    Entry.objects.filter(number=2).update(status="entered")
    event.post(event.owner, "entries/2/decide/", **accept, checked=second.marks, for_book="1")
    page = folded(event.get(event.owner, "entries/1/1/"))
    assert lacking(page, "Checked for this book by Olga.", "checked>") == []
    assert "Accept 1 list" in folded(event.get(event.owner, "desk/"))
    # Whoever may not read the list does not learn by it of which book it is.
    hidden = folded(event.get(friend, "desk/"))
    assert "Accept 1 list" not in hidden
    assert "has restrictions that are not checked" in hidden
    event.post(friend, "desk/clean/", clean="1.1")
    assert Entry.objects.get(number=1).status == "entered"
    event.post(event.owner, "desk/clean/", clean="1.1")
    assert Entry.objects.get(number=1).status == "accepted"
