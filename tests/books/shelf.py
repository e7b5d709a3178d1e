"""A browser with books of its own, for tests: what its forms post, and what is stored then."""

from typing import Any

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.authoring.checking import about_of, find_unit, mark_of
from armybuilder.books.models import OwnBook

ORC = {
    "name": "Orc Berserker",
    "points": "7",
    "attr-faction": "naresh",
    "attr-alignment": "evil",
    "attr-type": "humanoid",
    "stat-armor": "14",
    "abilities": "Rage +2, Commander 3",
    "set": "Set 1",
    "group": "Soldiers",
}


class Shelf:
    """One book in one browser."""

    def __init__(self, client: Client, system: str = "chainmail-2002", name: str = "Mine") -> None:
        self.client = client
        response = client.post(f"/books/new/{system}/", {"name": name})
        assert response.status_code == 302, response.content.decode()
        self.url = str(response["Location"])
        self.id = self.url.strip("/").split("/")[-1]

    @property
    def book(self) -> OwnBook:
        return OwnBook.objects.get(pk=self.id)

    @property
    def data(self) -> dict[str, Any]:
        data: dict[str, Any] = self.book.data
        return data

    @property
    def names(self) -> list[str]:
        return [unit["name"] for unit in self.data["units"]]

    @property
    def page(self) -> str:
        return self.text()

    def text(self, path: str = "", **query: str) -> str:
        response = self.client.get(f"{self.url}{path}", query)
        assert response.status_code == 200, response.status_code
        return str(response.content.decode())

    def add(self, **changes: str) -> Any:
        """Fill in a new card as `ORC` has it, but for the changes, and press Enter."""
        fields = {**ORC, **{key.replace("_", "-"): text for key, text in changes.items()}}
        return self.client.post(f"{self.url}units/new/", fields)

    def mark(self, unit: str) -> str:
        return mark_of(find_unit(self.data, unit))

    def change(self, unit: str, mark: str | None = None, **changes: str) -> Any:
        """Change a card; `mark` is what the page carried, unless given that of now."""
        fields = {**ORC, **changes, "mark": self.mark(unit) if mark is None else mark}
        return self.client.post(f"{self.url}units/{unit}/", fields)

    def act(self, act: str, htmx: bool = False, **fields: str) -> Any:
        headers = {"HX-Request": "true"} if htmx else {}
        fields = {"revision": self.book.revision, "act": act, **fields}
        return self.client.post(f"{self.url}act/", fields, headers=headers)

    def rename(self, name: str, about: str = "", mark: str = "") -> Any:
        mark = mark or mark_of(about_of(self.data))
        return self.act("rename", name=name, about=about, mark=mark)

    def paste(self, table: str, go: str = "look", **fields: str) -> Any:
        revision = {"revision": self.book.revision}
        return self.client.post(f"{self.url}paste/", {"table": table, "go": go} | revision | fields)

    def fill(self, number: int) -> None:
        book = self.book
        unit = self.data["units"][0]
        book.data["units"] = [
            {**unit, "id": f"unit-{at}", "name": f"Unit {at}"} for at in range(number)
        ]
        book.unit_count = number
        book.save()


def upload(client: Client, content: bytes, name: str = "book.json") -> Any:
    return client.post("/books/import/", {"file": SimpleUploadedFile(name, content)})
