"""BattleScribe files as players upload them, and a browser that does."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.uploads.models import Upload
from tests.building.battlescribe import (
    SYSTEM_ID,
    catalogue,
    entry,
    models,
    price,
    rule_link,
    system,
    unit,
)
from tests.building.zips import packed

#: A game that is not here.
OWN_NAME = "War of the Otters"
#: The Ninth Age 2023 as its files call it.
T9A_GAME = "aa64-1e8e-66fc-9abf"


def spears(name: str = "Spears") -> str:
    """A unit with an option."""
    return unit(name, models(10, 30, 5), entry("Banner", price(20)))


def a_book(*units: str, name: str = "Öre Folk 2023 Beta 2", id_: str = "", of: str = "") -> bytes:
    """A catalogue of these units, of a game."""
    text = catalogue(*(units or (spears(),)), name=name, of=of or T9A_GAME)
    return text.replace('id="bbbb-0000-0000-0001"', f'id="{id_ or "bbbb-0000-0000-0001"}"').encode()


def a_game(id_: str = T9A_GAME, name: str = "The 9th Age", revision: int = 55) -> bytes:
    """A game system."""
    text = system().replace(SYSTEM_ID, id_).replace('name="Game"', f'name="{name}"')
    return text.replace('revision="1"', f'revision="{revision}"', 1).encode()


def both() -> dict[str, bytes]:
    """A book with its game."""
    return {"ore.cat": a_book(), "t9a.gst": a_game()}


def own_files(*units: str) -> dict[str, bytes]:
    """A game that is not here, with a book."""
    return {
        "otters.cat": a_book(*(units or (spears(),)), of=SYSTEM_ID, name="River Folk"),
        "war.gst": a_game(SYSTEM_ID, OWN_NAME, 3),
    }


def mixed_files() -> dict[str, bytes]:
    """Books of a known game and of one's own, with something of every kind to be told."""
    odd = unit(
        "Riders",
        models(5, 10, 20),
        entry("Horses", entry("Barding (Heroes only)"), price(30)),
        rule_link("Unheard of"),
    )
    more = {
        "ore.cat": a_book(spears(), odd),
        "t9a.gst": a_game(name="The 9th Age 2031", revision=99),
        "wood.cat": a_book(name="Wood Folk", id_="bbbb-0000-0000-0002"),
        "broken.cat": b"<catalogue>",
        "README.md": b"# Books",
    }
    own = own_files()
    own["otters.cat"] = own["otters.cat"].replace(b"bbbb-0000-0000-0001", b"bbbb-0000-0000-0003")
    return own | more


def text_of(page: str) -> str:
    """What a page says, in one line."""
    return " ".join(unescape(re.sub(r"<[^<>]*>", " ", page)).split())


class Uploading:
    """A browser that uploads: its latest upload, and what its pages say."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.url = ""

    def send(self, files: Mapping[str, bytes], **fields: str) -> Any:
        """Press Upload: the answer."""
        chosen = [SimpleUploadedFile(name, content) for name, content in files.items()]
        answer = self.client.post("/books/upload/", {"file": chosen, **fields})
        self.url = answer["Location"] if answer.status_code == 302 else ""
        return answer

    def zipped(self, files: Mapping[str, bytes], **fields: str) -> Any:
        """The same, in a zip."""
        return self.send({"all.zip": packed(files)}, **fields)

    @property
    def page(self) -> str:
        answer = self.client.get(self.url)
        assert answer.status_code == 200
        return str(answer.text)

    @property
    def upload(self) -> Upload:
        return Upload.objects.get(pk=self.url.strip("/").split("/")[-1])

    @property
    def book_ids(self) -> list[str]:
        return [one["id"] for one in (self.upload.found or {})["books"]]

    def keep(self, *book_ids: str) -> Any:
        """Press Keep with these books ticked, or all."""
        return self.client.post(f"{self.url}keep/", {"book": book_ids or self.book_ids})
