"""Sharing: an address that opens a book for everyone who has it, until its holder ends that."""

import json
import re

import pytest
from django.test import Client

from armybuilder.books.models import OwnBook
from tests.books.shelf import Shelf

pytestmark = pytest.mark.django_db


def shared_url(shelf: Shelf) -> str:
    found = re.search(r'value="http://testserver(/books/shared/[^"]+)"', shelf.page)
    assert found, "the page does not say the address"
    return found[1]


def share(shelf: Shelf) -> str:
    assert shelf.act("share").status_code == 302
    return shared_url(shelf)


def test_a_book_is_shared_only_when_its_holder_says_so_under_a_long_token(shelf: Shelf) -> None:
    token = shelf.book.share_token or "0" * 40
    assert token not in shelf.page
    assert Client().get(f"/books/shared/{shelf.id}/{token}/").status_code == 404
    token = share(shelf).strip("/").split("/")[-1]
    assert re.fullmatch(r"[0-9a-f]{40}", token)
    assert shelf.id.removeprefix("own-") not in token
    assert "how others see your book" in shelf.client.get(share(shelf)).content.decode()
    saved = Client().get(f"{share(shelf)}book.json")
    assert json.loads(saved.content) == shelf.data
    assert "no-store" in saved["Cache-Control"]
    assert (saved["X-Robots-Tag"], saved["Referrer-Policy"]) == ("noindex", "same-origin")
    assert saved["Content-Disposition"] == 'attachment; filename="Mine.json"'


def test_whoever_has_the_address_sees_the_book_and_cannot_change_it(shelf: Shelf) -> None:
    stranger = Client()
    response = stranger.get(share(shelf))
    page = response.content.decode()
    assert "Orc Berserker" in page
    assert "Rage +2" in page
    assert "remove:" not in page
    assert shelf.url not in page
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Robots-Tag"] == "noindex"
    assert "sessionid" not in stranger.cookies


def test_a_wrong_token_opens_nothing(shelf: Shelf) -> None:
    address = share(shelf)
    other = Shelf(shelf.client, name="Other")
    share(other)
    token = address.strip("/").split("/")[-1]
    swapped = token[:-1] + ("0" if token[-1] != "0" else "1")
    for wrong in (
        address.replace(token, swapped),
        address.replace(token, token[:-1]),
        address.replace(shelf.id, other.id),
    ):
        for method, path in (("get", ""), ("post", "copy/"), ("get", "book.json")):
            assert getattr(Client(), method)(wrong + path).status_code == 404, wrong + path


def test_ending_the_share_closes_the_address_for_good(shelf: Shelf) -> None:
    old = share(shelf)
    shelf.act("unshare")
    assert Client().get(old).status_code == 404
    new = share(shelf)
    assert new != old
    assert Client().get(old).status_code == 404
    assert Client().post(f"{old}copy/").status_code == 404
    assert Client().get(f"{old}book.json").status_code == 404
    assert Client().get(new).status_code == 200


def test_a_deleted_book_is_not_shared(shelf: Shelf) -> None:
    address = share(shelf)
    shelf.act("delete")
    assert Client().get(address).status_code == 404
    shelf.client.post(f"{shelf.url}restore/")
    assert Client().get(address).status_code == 200


def test_a_copy_is_the_strangers_own_and_apart(shelf: Shelf) -> None:
    stranger = Client()
    response = stranger.post(f"{share(shelf)}copy/")
    assert response.status_code == 302
    copy = OwnBook.objects.exclude(pk=shelf.id).get()
    assert response["Location"] == f"/books/{copy.pk}/"
    assert copy.data["units"] == shelf.data["units"]
    assert copy.data["id"] == copy.pk
    assert not copy.shared
    assert copy.holder != shelf.book.holder
    shelf.act(f"remove:orc-berserker:{shelf.mark('orc-berserker')}")
    copy.refresh_from_db()
    assert copy.unit_count == 1
    assert response["Location"] in stranger.get("/books/").content.decode()
