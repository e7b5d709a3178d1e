"""A browser that uploads the files of games."""

import re
from collections.abc import Mapping
from html import unescape
from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.uploads.models import Upload
from tests.building.zips import packed


def text_of(page: str) -> str:
    """What a page says, in one line."""
    return " ".join(unescape(re.sub(r"<[^<>]*>", " ", page)).split())


class Uploading:
    """A browser that uploads: its latest upload, and what its pages say."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.url = ""

    def send(self, files: Mapping[str, bytes]) -> Any:
        """Press Upload: the answer."""
        chosen = [SimpleUploadedFile(name, content) for name, content in files.items()]
        answer = self.client.post("/books/upload/", {"file": chosen})
        self.url = answer["Location"] if answer.status_code == 302 else ""
        return answer

    def zipped(self, files: Mapping[str, bytes]) -> Any:
        """The same, in a zip."""
        return self.send({"all.zip": packed(files)})

    @property
    def page(self) -> str:
        answer = self.client.get(self.url)
        assert answer.status_code == 200
        return str(answer.text)

    @property
    def upload(self) -> Upload:
        return Upload.objects.get(pk=self.url.strip("/").split("/")[-1])

    @property
    def keys(self) -> list[str]:
        """Of the games that were found."""
        return [game["key"] for game in (self.upload.report or {})["whole"]]

    def keep(self, *keys: str) -> Any:
        """Press Save with these games ticked."""
        return self.client.post(f"{self.url}keep/", {"game": keys})
