"""A player with something of everything, and zips with one long history."""

import io
import json
import zipfile
from collections.abc import Callable
from datetime import date
from typing import Any
from uuid import uuid4

from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse
from django.test import Client

from armybuilder.books.models import Kept, OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.collection.services import Owned, put_units
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.services import build_for
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.packs.selectors import version_of
from armybuilder.packs.services import create_pack
from armybuilder.playing.keeping import entry_data
from armybuilder.playing.models import CampaignEntry, Match
from armybuilder.printing.models import PrintSetup
from armybuilder.takeout import FORMAT, MANIFEST
from tests.books.shelf import Shelf
from tests.building.documents import army
from tests.building.zips import packed
from tests.conftest import Builder

Files = dict[str, bytes]

BOOK_COLUMNS = (
    *("data", "revision", "before", "act", "before_act", "created", "updated", "deleted"),
    *("name", "unit_count", "system"),
)


class Rich:
    """A browser with a worked-on list of an own book in two revisions, others that are tagged,
    pinned, in the archive and deleted, two books, and print set-ups.
    """

    def __init__(self) -> None:
        self.client = Client()
        self.shelf = Shelf(self.client, name="Marsh and mill")
        self.shelf.add()
        self.worked_on = self._worked_on()
        for act, tags in (("pin", ""), ("tag", "club night, small"), ("archive", "")):
            one = Builder(self.client, "sbh", limit=300, books=["profiles"], name=f"To {act}")
            one.act("add", ref="profiles/troll")
            fields = {"do": act, "list": list_id(one), "tags": tags}
            self.client.post("/lists/chosen/", fields)
        build_for(self.holder, one.version.army_list_id, shipped_library().packs["raven-cup"])
        gone = Builder(self.client, "sbh", limit=300, books=["profiles"], name="Deleted")
        self.client.post(f"{gone.url}delete/")
        Shelf(self.client, "t9a-2023", "Put away").act("delete")
        for name, usual in (("For the club", True), ("At home", False)):
            PrintSetup.objects.create(
                holder=self.holder, name=name, fields={"paper": "A5"}, usual=usual
            )
        Match.objects.create(
            holder=self.holder,
            army_list=self.worked_on.version.army_list,
            day=date(2026, 5, 1),
            result="won",
            opponent="Béla",
            points=12,
            sides=[
                {"name": "Mine", "about": "", "hash": "a1", "books": [], "lines": ["Troll · 9"]}
            ],
        )
        put_units(self.holder, "sbh", [Owned("profiles/troll", "Troll", 3, 1, "in the red box")])
        CampaignEntry.objects.create(
            army_list=self.worked_on.version.army_list,
            day=date(2026, 5, 2),
            kind=CampaignEntry.Kind.ADVANCE,
            model="Troll",
            text="Learned to swim",
            price_before=90,
            price_after=93,
            points=93,
        )
        create_pack(self.holder, shipped_library().packs["raven-cup"], "Raven Cup 1234")

    def _worked_on(self) -> Builder:
        builder = Builder(
            self.client, "chainmail-2002", limit=100, books=[self.shelf.id, "practice"]
        )
        builder.act("add", ref=f"{self.shelf.id}/orc-berserker")
        self.shelf.change("orc-berserker", points="9")
        builder.act("update-book", book=self.shelf.id)
        builder.act("add", ref="practice/dune-jackal")
        builder.act("undo")
        first = builder.version.army_list.versions.get(number=2)
        fields = {"target": first.pk, "label": "Before the club night"}
        self.client.post(f"{builder.url}history/label/", fields)
        return builder

    @property
    def holder(self) -> str:
        return str(self.client.session["holder"])


def list_id(builder: Builder) -> str:
    return builder.url.strip("/").split("/")[-1]


def saved(client: Client) -> bytes:
    """The zip of all data."""
    answer = client.get("/account/data/everything.zip")
    assert answer.status_code == 200
    return b"".join(answer.streaming_content)  # type: ignore[attr-defined]


def unpacked(content: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        assert archive.testzip() is None
        return {name: archive.read(name) for name in archive.namelist()}


def bring(client: Client, content: bytes) -> HttpResponse:
    return client.post("/account/data/open/", {"file": SimpleUploadedFile("all.zip", content)})


def brought(client: Client) -> dict[str, Any]:
    """What the page says of it."""
    found: dict[str, Any] = client.get("/account/data/").context["brought"]
    return found


def everything(client: Client) -> dict[str, Any]:
    """All that a browser has, but for ids and times that nobody sees."""
    holder = client.session["holder"]
    lists = ArmyList.objects.filter(holder=holder).order_by("created")
    return {
        "lists": [_list(one) for one in lists],
        "books": [
            (*(getattr(book, column) for column in BOOK_COLUMNS),)
            for book in OwnBook.objects.filter(holder=holder).order_by("created")
        ],
        "setups": list(
            PrintSetup.objects.filter(holder=holder).values_list("name", "fields", "usual")
        ),
        "matches": list(
            Match.objects.filter(holder=holder).values_list(
                *("day", "opponent", "opponent_book", "result", "points", "notes", "sides")
            )
        ),
        "owned": list(OwnedUnit.objects.filter(holder=holder).values_list("game", *Owned._fields)),
        "packs": [
            (pack.name, pack.system, pack.origin, version_of(pack).data)
            for pack in OwnPack.objects.filter(holder=holder).order_by("created")
        ],
    }


def _list(one: ArmyList) -> tuple[Any, ...]:
    versions = Version.objects.filter(army_list=one).order_by("number")
    facts = (one.number, one.latest, one.created, one.updated, one.archived, one.deleted)
    rows = [
        (row.number, row.act, row.label, row.created, row.document.to_dict()) for row in versions
    ]
    campaign = [entry_data(entry) for entry in one.campaign.order_by("pk")]
    return (*facts, one.pinned, one.tags, rows, one.pack_id, campaign)


def change_json(files: Files, name: str, change: Callable[[Any], None]) -> None:
    """Change what is in a file of JSON."""
    data = json.loads(files[name])
    change(data)
    files[name] = json.dumps(data).encode()


def contents() -> set[tuple[str, str]]:
    return set(Kept.objects.values_list("book_id", "revision"))


# Zips with one long history, as somebody brings them in.


def history_zip(
    versions: int, document: dict[str, Any] | None = None, broken: bool = False
) -> bytes:
    """A zip of all data with one list of so many versions, each with another name; the last of
    them, where it is `broken`, without its act.
    """
    document = document or army()
    when = "2026-01-01T10:00:00+00:00"
    first = {"id": str(uuid4()), "current": versions, "created": when, "updated": when}
    lines: list[dict[str, Any]] = [first]
    for number in range(1, versions + 1):
        named = {**document, "name": f"Name {number}"}
        lines.append({"number": number, "act": "Act.", "created": when, "document": named})
    if broken:
        lines[-1]["act"] = 7
    text = b"\n".join(json.dumps(line).encode() for line in lines)
    manifest = json.dumps({"format": FORMAT}).encode()
    return packed({MANIFEST: manifest, f"lists/{first['id']}.jsonl": text})
