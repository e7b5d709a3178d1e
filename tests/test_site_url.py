"""With SITE_URL every address that is given away begins with it, whatever the request says."""

import re
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from tests.accounts.people import ann, confirmed, sign_up, signed_in
from tests.api.calls import DOCUMENT, Caller
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.sharing.links import make_link

pytestmark = pytest.mark.django_db

SITE = "https://lists.example"


@pytest.fixture
def site(settings: Any) -> None:
    """The site has an address."""
    settings.SITE_URL = SITE


@pytest.fixture
def elsewhere(site: None) -> Client:
    """A browser that says another port, as anybody can."""
    return Client(headers={"host": "localhost:6666"})


def links_in(text: str) -> set[str]:
    return set(re.findall(r"https?://[\w.:-]+", text))


def test_emails_use_the_site_url(elsewhere: Client) -> None:
    sign_up(elsewhere, email="ann@marsh.example")
    for address in ("ann@marsh.example", "nobody@marsh.example"):
        elsewhere.post("/account/forgotten/", {"email": address})
    bodies = [sent.body for sent in mail.outbox]
    assert len(bodies) == 3
    assert links_in("".join(bodies)) == {SITE}


def test_links_and_codes_use_the_site_url(elsewhere: Client) -> None:
    builder = Builder(elsewhere, "sbh", limit=300, books=["profiles"])
    link = make_link(builder, what="frozen", view="open")
    page = elsewhere.get(f"{builder.url}share/").content.decode()
    assert f"{SITE}/shared/{link.token}/" in page
    assert "localhost:6666" not in page
    shared = elsewhere.get(f"/shared/{link.token}/list.pdf")
    assert shared.status_code == 200
    shelf = Shelf(elsewhere)
    shelf.act("share")
    assert f"{SITE}/books/shared/" in shelf.page


def test_api_addresses_use_the_site_url(site: None) -> None:
    user = ann()
    caller = Caller(user)
    for number in range(2):
        caller.store(name=f"List {number}")
    pages = caller("get", "/lists/?page_size=1", host="localhost:6666").json()
    assert pages["next"].startswith(f"{SITE}/api/v1/lists/?cursor")
    list_id = pages["results"][0]["id"]
    frozen = caller("post", f"/lists/{list_id}/frozen/", {"view": "open"}, host="localhost:6666")
    assert frozen.json()["link"].startswith(f"{SITE}/shared/")
    assert caller("post", "/lists/", DOCUMENT)["Location"].startswith("/api/v1/lists/")


def test_signing_in_and_confirming_work_with_the_site_url(site: None) -> None:
    ann()
    assert confirmed(signed_in()).get("/account/").status_code == 200


def test_without_the_site_url_the_request_decides(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    assert links_in(mail.outbox[0].body) == {"http://testserver"}
