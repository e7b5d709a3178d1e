"""An event in real browsers: a judge with a phone and no network, and the times of the place."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armybuilder.certificates.making import CertifiedVerdict, certify, check, sign
from armybuilder.certificates.models import signing_key
from armybuilder.engine.verdict import Counts
from armybuilder.events.models import Submission
from armybuilder.events.organising import invite
from armybuilder.events.rules import StaffRole
from armybuilder.loading.library import shipped_library
from armybuilder.pages.certificates.views import spelled_units
from armybuilder.sheets.drawing.qr import drawing_of
from tests.browser.conftest import PHONE, Open
from tests.browser.test_journeys import add, start
from tests.building.documents import army, value_of
from tests.certificates.test_signing import certificate
from tests.events.builders import DAY, NOW, open_event, with_a_list

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def sign_up(page: Page) -> None:
    """Sign up; the form for a new event."""
    page.goto("/account/sign-up/?next=/events/new/")
    page.get_by_label("Username").fill("olga")
    for field in page.locator("input[type=password]").all():
        field.fill("heron-delta-27")
    page.keyboard.press("Enter")
    expect(page.get_by_label("Time zone")).to_be_visible()


def papers() -> Iterator[tuple[str, str]]:
    """What may stand on a paper at a table, and what a judge is told about it."""
    found = Submission.objects.get()
    counts = "Current list: player 1, list 1. Not accepted yet."
    word = certify(found.document, shipped_library(), "https://army.example")
    head, claims, signature = word.split(".")
    yield found.list_hash[:10], counts
    yield f"https://army.example/verify/#{word}", counts
    yield f"{head}.{claims}.{signature[::-1]}", "Don’t trust this certificate"
    stranger = b64encode(b'{"alg":"Ed25519","kid":"stranger"}').decode().rstrip("=")
    yield f"{stranger}.{claims}.{signature}", "a key this page doesn’t know"
    yield "0123456789", "No list at this event matches"
    yield found.list_hash[:7], "at least the first eight letters"


#: Another entry has the same list as the first, as its second; its first was the same.
TWIN = """() => {
  const paper = document.getElementById("judge-paper").dataset;
  const all = JSON.parse(paper.hashes);
  const hash = all[0][0];
  paper.hashes = JSON.stringify([[hash, 4, 2, "accepted"], ...all, [hash, 4, 1, "former"]]);
}"""
#: A camera that sees the picture of a code, as a page might hold it.
CAMERA = """async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [1280, 720];
  const context = canvas.getContext("2d");
  const draw = () => {
    context.fillStyle = "#c8c0b0";
    context.fillRect(0, 0, 1280, 720);
    context.setTransform(Math.cos(0.06), Math.sin(0.06), -Math.sin(0.06), Math.cos(0.06), 60, -20);
    context.drawImage(image, 310, 30, 640, 640);
    context.resetTransform();
  };
  setInterval(draw, 50);
  navigator.mediaDevices.getUserMedia = async () => canvas.captureStream(20);
}"""
NO_CAMERA = """() => {
  const refuse = () => Promise.reject(new DOMException("", "NotAllowedError"));
  navigator.mediaDevices.getUserMedia = refuse;
}"""


def picture_of(text: str) -> str:
    """The address of the picture of a code."""
    drawn = b64encode(drawing_of(text, dense=True).encode()).decode()
    return f"data:image/svg+xml;base64,{drawn}"


def scan_paper(phone: Page) -> None:
    """The code of the certificate on the paper, through the camera."""
    button, said = phone.get_by_role("button", name="Scan the code"), "#judge-paper-said"
    camera = phone.locator("#judge-camera")
    found = Submission.objects.get()
    word = certify(found.document, shipped_library(), "https://army.example")
    phone.evaluate(CAMERA, picture_of(f"https://army.example/verify/#{word}"))
    button.click()
    expect(phone.locator(said)).to_contain_text("Current list")
    expect(camera).to_be_hidden()
    phone.evaluate(CAMERA, picture_of("https://army.example/"))
    phone.evaluate("() => { QrDecode = { decodeQR: () => '' }; }")
    button.click()
    expect(camera).to_be_visible()
    button.click()
    expect(camera).to_be_hidden()
    phone.evaluate(NO_CAMERA)
    button.click()
    expect(phone.locator(said)).to_contain_text("doesn’t let this page use the camera")


@pytest.mark.slow
def test_a_judges_phone_works_without_a_network(
    open_page: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armybuilder.pages.events.visits.arrival", lambda: NOW + 5 * DAY)
    event, _entry = with_a_list(ladder={"Late list": -3})
    judge = invite(event.pk, StaffRole.JUDGE, "Jo", [], StaffRole.OWNER, NOW)
    phone = open_page(size=PHONE)
    sign_up(phone)
    phone.goto(f"/events/{event.pk}/staff/{judge.secret}/")
    phone.get_by_role("button", name="Join the staff").click()
    found = list(papers())
    phone.goto(f"/events/{event.pk}/judge/")
    phone.context.set_offline(True)
    for text, said in found:
        phone.get_by_label("Check a printed list").fill(text)
        phone.get_by_role("button", name="Compare").click()
        expect(phone.locator("#judge-paper-said")).to_contain_text(said)
    phone.evaluate(TWIN)
    phone.get_by_label("Check a printed list").fill(found[0][0])
    phone.get_by_role("button", name="Compare").click()
    told = phone.locator("#judge-paper-said")
    expect(told).to_contain_text("2 players have exactly this list.")
    expect(told).to_contain_text(found[0][1])
    expect(told).to_contain_text("Current list: player 4, list 2. Accepted.")
    scan_paper(phone)
    phone.get_by_label("Name, number or team").fill("anne")
    phone.locator(".judge-lists summary").first.click()
    phone.locator(".judge-units input").first.check()
    phone.get_by_role("button", name="Pick 10% at random").click()
    expect(phone.locator("#judge-said")).to_contain_text("Anne")
    phone.get_by_text("Penalty or bonus").click()
    phone.get_by_role("button", name="Late list -3").click()
    expect(phone.locator("#judge-said")).to_contain_text("No connection")
    phone.context.set_offline(False)
    expect(phone.locator("#judge-said")).to_contain_text("Sent.")
    phone.reload()
    phone.locator(".judge-lists summary").first.click()
    expect(phone.locator(".judge-units input").first).to_be_checked()
    expect(phone.get_by_text("-3 penalty or bonus points")).to_be_visible()


@pytest.mark.slow
def test_the_readers_own_time_is_shown_besides_the_events(open_page: Open) -> None:
    event, page = open_event(), open_page(at="")
    clocks = page.context.new_cdp_session(page)
    clocks.send("Emulation.setTimezoneOverride", {"timezoneId": "America/Denver"})
    page.goto(f"/events/{event.pk}/")
    frozen = page.locator(".event-times div").first
    expect(frozen).to_contain_text("Tue 2 Jun 2026, 14:00 (Berlin time)")
    expect(frozen.locator("time")).to_have_text(re.compile(r"6:00.AM MDT$"))
    sign_up(page)
    expect(page.get_by_label("Time zone")).to_have_value("America/Denver")
    clocks.send("Emulation.setTimezoneOverride", {"timezoneId": "Europe/Berlin"})
    page.goto(f"/events/{event.pk}/")
    expect(frozen.locator("time")).to_have_count(0)
    clocks.detach()


# Certificates made on a page, and checked in a real Chromium without a connection.


def make(page: Page) -> str:
    """Return the address of a certificate of a warband of one."""
    start(page, "Song of Blades and Heroes", 300)
    add(page, "Human Warrior")
    page.locator("#to-export, a[href$='export/']").first.evaluate("link => link.click()")
    page.get_by_role("link", name="Certificate", exact=True).click()
    expect(page.get_by_role("img", name="QR code with the certificate")).to_be_visible()
    return page.get_by_role("link", name="Open the certificate").get_attribute("href") or ""


@pytest.mark.slow
def test_a_certificate_is_checked_offline_or_by_the_server(
    open_page: Open,
) -> None:
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
         "Invalid signature"),
        (f"{header}.{payload}.{'A' * len(signature)}", "Invalid signature"),
        (f"eyJhbGciOiJub25lIn0.{payload}.", "not accepted"),
        (f"eyJhbGciOiJFZDI1NTE5Iiwia2lkIjoieCJ9.{payload}.{signature}", "a key we don’t know"),
        ("nothing", "not a complete certificate"),
    ):  # fmt: skip
        page.get_by_label("Paste a certificate").fill(changed)
        page.get_by_role("button", name="Check").click()
        expect(page.locator("#verify-refused")).to_contain_text(sentence)
        expect(page.locator("#verified")).to_be_hidden()
    # What stands behind the address is checked at once, and stays in the browser.
    sent: list[str] = []
    page.on("request", lambda request: sent.append(request.url + (request.post_data or "")))
    page.context.set_offline(False)
    page.goto("/library/")  # not the page that is there
    page.goto(address)
    expect(page.locator("#verify-true")).to_be_visible()
    assert not any(word in one.partition("#")[0] for one in sent)
    assert not any(one.startswith("POST") for one in sent)
    # A browser without these signatures asks the server.
    page.add_init_script(
        "crypto.subtle.importKey = () => Promise.reject(new DOMException('', 'NotSupportedError'))"
    )
    page.goto("/library/")
    with page.expect_request(lambda request: request.method == "POST"):
        page.goto(address)
    expect(page.locator("#verify-true")).to_be_visible()
    expect(page.locator("#verified-units")).to_have_text("1× Human Warrior")


@pytest.mark.slow
def test_the_browser_tells_verdict_and_units_as_the_server_does(open_page: Open) -> None:
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
        word = sign(replace(claims, game=game), signing_key(claims.issued))
        page.get_by_label("Paste a certificate").fill(word)
        page.get_by_role("button", name="Check").click()
        sign_and_words = re.compile(rf"^\S {re.escape(game.words)} Song of Blades and Heroes$")
        expect(page.locator("[data-fact=game]")).to_have_text(sign_and_words)
    # It tells units so too.
    options: list[Any] = ["shield", {"id": "banner", "number": 2, "options": ["rune-of-war"]}]
    document = {
        **army(1),
        "units": [
            {"id": "u1", "unit": "own-1/lord-of-the-dead", "models": 2, "name": "Gruk $& <b>"},
            {"id": "u2", "unit": "asklanders/jotunn", "models": 1, "options": options},
        ],
    }
    page.goto("/library/")
    page.goto(f"/verify/#{certificate(document)}")
    expect(page.locator("#verified-units li")).to_have_text(spelled_units(value_of(document)))
