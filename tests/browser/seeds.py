"""A player's browser filled with lists and books in every state that pages show differently."""

import json
import re
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from allauth.account.forms import default_token_generator
from allauth.account.models import EmailAddress, EmailConfirmationHMAC
from allauth.account.utils import user_pk_to_url_str
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.accounts.tokens import make_token
from armybuilder.battlescribe.rosters import write_ros
from armybuilder.events.deciding import decide
from armybuilder.events.entering import enter, submit
from armybuilder.events.models import Decision, Event
from armybuilder.events.organising import (
    EventDetails,
    create_event,
    invite,
    set_standing,
)
from armybuilder.events.rounds import set_pairings
from armybuilder.events.rules import Audience, EventTimes, Rules, StaffRole, Standing
from armybuilder.games.services import keep as keep_game
from armybuilder.lists.forces import start_forces
from armybuilder.lists.models import Version
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.packs.selectors import version_of
from armybuilder.printing.models import PrintJob
from armybuilder.sharing.models import Frozen, Share
from armybuilder.uploads.models import Upload
from tests.books.shelf import Shelf
from tests.building.documents import army, list_of, skirmish, value_of
from tests.conftest import Builder
from tests.kept_games.files import T9A, catalogue, otters, stored, troubled_otters
from tests.kept_games.files import system as file_system
from tests.kept_games.files import unit as file_unit
from tests.uploads.files import Uploading

#: A name as long as names may be, in one word.
LONG_NAME = "W" * 60 + " and " + "m" * 55

EMAIL = "anne@marsh.example"

#: What an event gives and takes.
LADDER = {"Late list": -3, "Painted": 5}

#: Terrain, units and their numbers that break as many Chainmail rules as go together.
BROKEN = {"bannerlady-oresta": 3, "walking-kiln": 2, "cavern-boltthrower": 9}


class Seeds:
    """The browser, and under `places` the addresses of its lists and books by short names.

    Lists of every game: `legal-…` an example, `empty-…`, and more that are named where they are
    made; books `book`, `army-book`, `shared-book`. The browser `member` is another one, in which
    somebody has signed in.
    """

    def __init__(self) -> None:
        self.client = Client()
        self.places: dict[str, str] = {}
        for system in shipped_library().systems:
            self._lists_of(system)
        self._long_lists()
        self._troubled_lists()
        self._books()
        self._worked_on()
        self._sorted_lists()
        self._prints()
        self._uploads()
        self._shares()
        self._roster()
        self._account()
        self._event()
        self._pack()
        self.places["two-lists"] = f"a={self.id_of('skirmish')}&b={self.id_of('broken')}"

    @classmethod
    def with_an_army(cls) -> "Seeds":
        """A browser with nothing but the army of twenty units."""
        seeds = cls.__new__(cls)
        seeds.client, seeds.places = Client(), {}
        seeds.places["army-20"] = seeds.upload(army(20))
        return seeds

    def browser_for(self, signed_in: bool) -> Client:
        return self.member if signed_in else self.client

    def upload(self, document: dict[str, Any]) -> str:
        """Open a list document; the address of the list."""
        file = SimpleUploadedFile("list.json", json.dumps(document).encode())
        return _made(self.client.post("/lists/open/", {"file": file}))

    def _lists_of(self, system: str) -> None:
        example = shipped_examples().by_system[system][0]
        opened = self.client.post(f"/new/{system}/example/{example.id}/")
        self.places[f"legal-{system}"] = _made(opened)
        nothing = {**example.document.to_dict(), "units": [], "settings": {}, "name": "Nothing yet"}
        self.places[f"empty-{system}"] = self.upload(nothing)

    def _long_lists(self) -> None:
        for count in (20, 50):
            self.places[f"army-{count}"] = self.upload(army(count))
        self.places["cramped-army"] = self.upload({**army(15), "limit": 2000})
        self.places["skirmish"] = self.upload(skirmish("chainmail-2002"))
        unit = {"unit": "practice/bramble-elder", "models": 1}
        boxes = list_of("ddm-2008", ["practice"], [unit], limit=200)
        self.places["many-boxes"] = self.upload(boxes)

    def _troubled_lists(self) -> None:
        document = skirmish("chainmail-2002")
        units = [
            {"id": f"u{number}", "unit": f"practice/{unit}", "models": models, "notes": "Why not?"}
            for number, (unit, models) in enumerate(BROKEN.items(), 1)
        ]
        lost = {"id": "u9", "unit": "practice/nobody-knows", "name": LONG_NAME, "models": 1}
        broken = {**document, "name": LONG_NAME, "limit": 60, "units": [*units, lost]}
        self.places["broken"] = self.upload(broken)
        self.places["deleted"] = self.upload({**document, "name": "Put away"})
        self.client.post(f"{self.places['deleted']}delete/")
        strange = self.upload({**document, "name": "Of a game that is gone"})
        version = Version.objects.get(army_list_id=strange.strip("/").split("/")[-1])
        version.document = replace(version.document, system="gone")
        version.save()

    def _books(self) -> None:
        shelf = Shelf(self.client, name="Marsh and mill")
        shelf.add()
        shelf.add(name=LONG_NAME, abilities="Oar Sweep +2")
        shelf.act("share")
        self.places["book"] = shelf.url
        self.places["shared-book"] = f"/books/shared/{shelf.id}/{shelf.book.share_token}/"
        herons = Shelf(self.client, "t9a-2023", "Herons of the delta")
        king = {"name": "Heron King", "points": "90", "options": "Eel Ring (only on foot), 20"}
        self.client.post(f"{herons.url}units/new/", king)
        self.places["army-book"] = herons.url
        Shelf(self.client, name="Put away").act("delete")
        self._list_of_book(shelf)

    def _list_of_book(self, shelf: Shelf) -> None:
        """A list of the own book, which has changed since the list took it."""
        builder = Builder(self.client, "chainmail-2002", limit=100, books=[shelf.id])
        builder.act("add", ref=f"{shelf.id}/orc-berserker")
        shelf.change("orc-berserker", points="9")
        self.places["changed-book"] = builder.url
        self.places["changes"] = f"{builder.url}changes/?book={shelf.id}"

    def _pack(self) -> None:
        """An own pack in its second version."""
        made = _made(self.client.post("/packs/new/", {"copy": "raven-cup"}))
        pack = OwnPack.objects.get()
        data = {**version_of(pack).data, "name": "Heron Cup"}
        fields = {"seen": "1", "text": json.dumps(data), "name": "Heron Cup", "lists": "1"}
        fields |= {"own_models": "yes", "was": "{}", "go": "save"}
        self.client.post(made, fields)
        self.places["pack"] = f"/packs/own/{pack.pk}/"

    def _worked_on(self) -> None:
        """A list with a history, an own model, and steps that were undone."""
        builder = Builder(self.client, "sbh", limit=300, books=["profiles"], name="Worked on")
        for unit in ("human-leader", "human-warrior", "human-archer", "troll"):
            builder.act("add", ref=f"profiles/{unit}")
        builder.act("more", unit="u2")
        stats = {"stat-quality": "3", "stat-combat": "3"}
        self.client.post(
            f"{builder.url}act/",
            {"act": "own", "name": "Aunt Marge", **stats, "version": builder.version.pk},
        )
        note = {"day": "2026-05-02", "kind": "treasure", "treasure": "5"}
        self.client.post(f"{builder.url}campaign/", note)
        builder.act("undo")
        builder.act("redo")
        builder.act("undo")
        builder.act("redo")
        builder.act("describe", unit="u1", name="Ilona", notes="")
        builder.act("remove", unit="u3")
        builder.act("undo")
        first = builder.version.army_list.versions.get(number=3)
        fields = {"target": first.pk, "label": "Before the club night"}
        self.client.post(f"{builder.url}history/label/", fields)
        self.places["worked-on"] = builder.url
        self.places["worked-on-id"] = self.id_of("worked-on")
        for ref, number in (("profiles/troll", "1"), ("profiles/human-archer", "12")):
            fields = {"ref": ref, "do": "save", "number": number, "painted": "1", "note": "Red box"}
            self.client.post("/collection/sbh/unit/", fields)
        own = next(unit["id"] for unit in builder.document["units"] if "profile" in unit)
        self.places["own-model"] = f"{builder.url}?open={own}&view=unit"
        self.places["own-rules"] = f"{builder.url}own/{own}/rules/"

    def _sorted_lists(self) -> None:
        """Lists that are pinned, tagged, or in the archive."""
        for act, place, tags in (
            ("pin", "legal-sbh", ""),
            ("tag", "legal-sbh", "club night, small"),
            ("tag", "army-20", "club night"),
            ("archive", "empty-ddm-2008", ""),
        ):
            fields = {"do": act, "list": self.id_of(place), "tags": tags}
            assert self.client.post("/lists/chosen/", fields).status_code == 302

    def _shares(self) -> None:
        """Links to lists: always current and frozen, open and full, one to a copy judged before."""
        for name, place, what, view in (
            ("shared-list", "worked-on", "current", "full"),
            ("shared-frozen", "worked-on", "frozen", "full"),
            ("shared-copy", "army-20", "frozen", "open"),
        ):
            fields = {"what": what, "view": view, "name": f"For {name}"}
            made = self.client.post(f"{self.places[place]}share/make/", fields)
            token = Share.objects.get(pk=made["Location"].partition("new=")[2][:36]).token
            self.places[name] = f"/shared/{token}/"
        Frozen.objects.update(engine="0.6.0")

    def _prints(self) -> None:
        """Lists printed together: to be begun, under way, and done with troubles."""
        ticked = [self.id_of(place) for place in ("skirmish", "broken", "empty-sbh")]
        for name in ("planned", "working", "done"):
            address = _made(self.client.post("/lists/chosen/", {"do": "print", "list": ticked}))
            self.places[f"print-{name}"] = address
        assert self.client.post(f"{address}start/", {"kinds": "compact"}).status_code == 302
        jobs = PrintJob.objects.filter(pk=self.id_of("print-working"))
        # Under way for as long as the tests take.
        jobs.update(state="working", done=1, moved=timezone.now() + timedelta(days=1))

    def _uploads(self) -> None:
        """Uploads of a browser: not read, two games with troubles, and one that is under way."""
        uploading = Uploading(self.client)
        shipped = {
            "9.gst": file_system("The 9th Age", T9A),
            "Ore.cat": catalogue("Öre Folk", of=T9A),
        }
        for name, files in (
            ("failed", {"Otters.cat": b"no xml"}),
            ("report", {**troubled_otters(), **shipped}),
            ("working", otters()),
        ):
            assert uploading.zipped(files).status_code == 302
            self.places[f"upload-{name}"] = uploading.url
        jobs = Upload.objects.filter(pk=uploading.upload.pk)
        jobs.update(
            state="working", total=3, done=1, moved=timezone.now() + timedelta(days=1), begun=None
        )

    def _roster(self) -> None:
        """A roster of BattleScribe in which not everything is as in our book."""
        told = write_ros(value_of(army(6)), shipped_library()).decode()
        told = told.replace('value="35.0"', 'value="36.0"')
        strange = f'<selection name="{LONG_NAME}" entryId="x" number="1" type="upgrade"/>'
        told = told.replace("<selections>", f"<selections>{strange}", 2)
        told = re.sub(r'entryId="([^"]+)" number="1"', 'entryId="none" number="1"', told, count=3)
        file = SimpleUploadedFile("list.ros", told.encode())
        assert self.client.post("/lists/open/", {"file": file})["Location"] == "/lists/read/"

    def _account(self) -> None:
        """Somebody with an account, whose e-mail is not confirmed, and who forgot the password."""
        user = User.objects.create_user("anne.marsh", EMAIL, "heron-delta-27")
        address = EmailAddress.objects.create(user=user, email=EMAIL, primary=True)
        for name in ("Club printer", LONG_NAME[:60]):
            make_token(user, name)
        self.member = Client()
        self.member.force_login(user)
        self._games()
        self.places["confirm-email"] = f"/account/email/{EmailConfirmationHMAC(address).key}/"
        secret = f"{user_pk_to_url_str(user)}-{default_token_generator.make_token(user)}"
        opened = self.client.get(f"/account/forgotten/{secret}/")
        self.places["new-password"] = _made(opened)

    def _games(self) -> None:
        """Games of files of the one with an account: kept, and read again with troubles."""
        uploading = Uploading(self.member)
        uploading.zipped(otters())
        (key,) = uploading.keys
        kept = uploading.keep(key)
        self.places["game"] = kept["Location"]
        holder = User.objects.get().holder
        for name, limit in (("files-list", 100), ("files-broken", 5)):
            made = start_forces(holder, key, "river", "raft", name, {"pts": limit})
            force = made.content.to_dict()["forces"][0]["id"]
            self.places[name] = address = f"/lists/{made.army_list_id}/"
            self.places[f"{name}-id"] = str(made.army_list_id)
            for entry in ("otter", "newt"):
                number = Version.objects.latest("pk").pk
                fields = {"act": "add", "ref": f"{force}:{entry}", "version": number}
                self.member.post(f"{address}forces/act/", fields)
        self.places["files-collection"] = f"/collection/{key}/"
        owned = {"ref": "otter", "do": "save", "number": "2", "note": "Blue box"}
        self.member.post(f"/collection/{key}/unit/", owned)
        fewer = {**otters(), "River.cat": catalogue("River", file_unit("otter", "Otter", 12))}
        newer = keep_game(holder, stored(fewer).pk, source="otters-next.zip").game_id
        self.places["newer-set"] = f"{kept['Location']}newer/{newer}/"

    def _event(self) -> None:
        """An event of the one with an account, in which this browser plays: a list was returned,
        and another submitted. And one that is over, whose lists everybody may see.
        """
        now = timezone.now()
        for name, begun in (("event", now), ("event-over", now - timedelta(days=30))):
            days = [begun + timedelta(days=number) for number in (1, 2, 3, 4, 5)]
            rules = Rules(Audience.PUBLIC, shows_all=True, sealed=False, staff_plays=False)
            about = EventDetails(
                LONG_NAME[:60],
                "Soup at noon.",
                "Mill",
                "Europe/Berlin",
                EventTimes(*days),
                rules,
                ladder=LADDER,
            )
            pack = shipped_library().packs["raven-cup"]
            holder = User.objects.get(username="anne.marsh").holder
            made = create_event(holder, "Anne of the Marsh", about, pack, begun)
            set_standing(made.pk, Standing.PUBLISHED, StaffRole.OWNER, begun)
            self.places[name] = f"/events/{made.pk}/"
            self._entries(made, begun)
        Event.objects.update(league=made.pk)

    def _entries(self, event: Event, begun: datetime) -> None:
        mine = self.client.session["holder"]
        lists = [one.document for one in shipped_examples().by_system["sbh"]]
        for number, (holder, name) in enumerate(((mine, LONG_NAME), ("b", "Ben"), ("c", "Cleo"))):
            who = holder, name[:80], "", "Mill", begun, shipped_library()
            entry = enter(event.pk, *who, captain=holder == mine, agrees=True)
            submit(event.pk, entry.number, lists[number % 3], "list", shipped_library(), begun)
        owner = event.staff.get()
        words = ("Only 300 points.", "Ask him.")
        decide(event.pk, 1, 1, Decision.What.RETURNED, owner, begun, *words)
        submit(event.pk, 1, lists[1], "list", shipped_library(), begun)
        helper = invite(event.pk, StaffRole.CHECKER, "Carl", ["Mill"], StaffRole.OWNER, begun)
        self.places["invitation"] = f"/events/{event.pk}/staff/{helper.secret}/"
        secret = event.entries.get(number=2).secret
        set_pairings(event.pk, 1, "1 - 2", StaffRole.OWNER, begun)
        self.places["entry-elsewhere"] = f"/events/{event.pk}/mine/{secret}/"

    def id_of(self, place: str) -> str:
        """The id of a list by its short name."""
        return self.places[place].strip("/").split("/")[-1]


def _made(response: HttpResponse) -> str:
    assert response.status_code == 302, response.content.decode()[-2000:]
    return str(response["Location"])
