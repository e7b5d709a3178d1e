"""A certificate made on a page, and checked in a real Chromium without a connection."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armybuilder.certificates.making import CertifiedVerdict, check, key_ring, sign
from armybuilder.engine.verdict import Counts
from armybuilder.pages.certificates.views import spelled_units
from tests.browser.conftest import PHONE, Open
from tests.browser.test_journeys import add, start
from tests.building.documents import army, value_of
from tests.certificates.test_signing import certificate

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture(autouse=True)
def ring(tmp_path: Path, settings: Any) -> None:
    """Keys of the test's own."""
    settings.CERTIFICATE_KEYS = tmp_path / "keys.json"


def make(page: Page) -> str:
    """Return the address of a certificate of a warband of one."""
    start(page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    page.locator("#to-export, a[href$='export/']").first.evaluate("link => link.click()")
    page.get_by_role("link", name="Certificate", exact=True).click()
    expect(page.get_by_role("img", name="QR code with the certificate")).to_be_visible()
    return page.get_by_role("link", name="Open the certificate").get_attribute("href") or ""


@pytest.mark.slow
def test_it_is_checked_without_a_connection(open_page: Open) -> None:
    page = open_page(size=PHONE)
    address = make(page)
    place, _, word = address.partition("#")
    page.goto(place)
    page.context.set_offline(True)
    page.get_by_label("Paste a certificate").fill(address)
    page.get_by_role("button", name="Check").click()
    expect(page.locator("#verify-true")).to_be_visible()
    expect(page.locator("#verified-units")).to_have_text("1× Human Warrior")
    expect(page.locator("[data-fact=game]")).to_contain_text("Song of Blades and Heroes")
    expect(page.locator("[data-fact=points]")).to_have_text("30 / 300")
    header, payload, signature = word.split(".")
    for changed, sentence in (
        (f"{header}.{payload[:40]}{'A' if payload[40] != 'A' else 'B'}{payload[41:]}.{signature}",
         "the signature does not fit"),
        (f"{header}.{payload}.{'A' * len(signature)}", "the signature does not fit"),
        (f"eyJhbGciOiJub25lIn0.{payload}.", "not accepted"),
        (f"eyJhbGciOiJFZDI1NTE5Iiwia2lkIjoieCJ9.{payload}.{signature}", "not known here"),
        ("nothing", "no certificate"),
    ):  # fmt: skip
        page.get_by_label("Paste a certificate").fill(changed)
        page.get_by_role("button", name="Check").click()
        expect(page.locator("#verify-refused")).to_contain_text(sentence)
        expect(page.locator("#verified")).to_be_hidden()


@pytest.mark.slow
def test_the_browser_words_a_verdict_as_the_server_does(open_page: Open) -> None:
    claims = check(certificate()).claims
    page = open_page(at="/verify/")
    for counts, tells_all in (
        (Counts(0, 0, 0, 0), True),
        (Counts(0, 0, 0, 1), True),
        (Counts(0, 0, 0, 2), True),
        (Counts(0, 0, 0, 0), False),
        (Counts(1, 0, 0, 0), True),
        (Counts(2, 3, 0, 0), True),
        (Counts(0, 4, 0, 1), True),
    ):
        game = CertifiedVerdict(counts, tells_all)
        word = sign(replace(claims, game=game), key_ring().signing(claims.issued))
        page.get_by_label("Paste a certificate").fill(word)
        page.get_by_role("button", name="Check").click()
        sign_and_words = re.compile(rf"^\S {re.escape(game.words)} Song of Blades and Heroes$")
        expect(page.locator("[data-fact=game]")).to_have_text(sign_and_words)


@pytest.mark.slow
def test_what_stands_behind_the_address_is_checked_at_once(open_page: Open) -> None:
    page = open_page()
    address = make(page)
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    page.goto(address)
    expect(page.locator("#verify-true")).to_be_visible()
    word = address.partition("#")[2]
    assert not any(word in one.partition("#")[0] for one in sent)  # it stays in the browser
    assert not any(one.startswith("POST") for one in sent)


@pytest.mark.slow
def test_a_browser_without_these_signatures_asks_the_server(open_page: Open) -> None:
    page = open_page()
    address = make(page)
    page.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    with page.expect_request(lambda request: request.method == "POST"):
        page.goto(address)
    expect(page.locator("#verify-true")).to_be_visible()
    expect(page.locator("#verified-units")).to_have_text("1× Human Warrior")


@pytest.mark.slow
def test_the_script_tells_units_as_the_server_does(open_page: Open) -> None:
    page = open_page()
    place = make(page).partition("#")[0]
    options: list[Any] = ["shield", {"id": "banner", "number": 2, "options": ["rune-of-war"]}]
    document = {
        **army(1),
        "units": [
            {"id": "u1", "unit": "own-1/lord-of-the-dead", "models": 2, "name": "Gruk $& <b>"},
            {"id": "u2", "unit": "asklanders/jotunn", "models": 1, "options": options},
        ],
    }
    page.goto(f"{place}#{certificate(document)}")
    expect(page.locator("#verified-units li")).to_have_text(spelled_units(value_of(document)))
