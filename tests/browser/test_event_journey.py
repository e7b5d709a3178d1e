"""An event in real browsers: a judge with a phone and no network, and the times of the place."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from armybuilder.certificates.making import certify
from armybuilder.events.models import Submission
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.drawing.qr import drawing_of
from tests.browser.conftest import PHONE
from tests.events.builders import open_event

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

DAYS = {"Rules are final": 1, "Lists are due": 2, "Corrections are due": 3}
DAYS |= {"Lists are shown": 4, "The event ends": 6}


class Clock:
    """What time it is at the event."""

    def __init__(self) -> None:
        self.later = timedelta()

    def now(self) -> datetime:
        """The time of the server, or so much later."""
        return timezone.now() + self.later


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[Clock]:
    made = Clock()
    monkeypatch.setattr("armybuilder.pages.events.visits.arrival", made.now)
    return made


def sign_up(page: Page) -> None:
    """Sign up; the form for a new event."""
    page.goto("/account/sign-up/?next=/events/new/")
    page.get_by_label("Username").fill("olga")
    for field in page.locator("input[type=password]").all():
        field.fill("heron-delta-27")
    page.keyboard.press("Enter")
    page.wait_for_url("**/events/new/")


def make_event(page: Page) -> str:
    """Sign up, make an event and publish it; its address."""
    sign_up(page)
    page.get_by_label("Event pack").select_option("raven-cup")
    page.get_by_label("Name", exact=True).fill("Raven Cup of the mill")
    page.get_by_label("Your name").fill("Olga")
    page.get_by_label("Time zone").fill("UTC")
    for label, days in DAYS.items():
        when = timezone.now() + timedelta(days=days)
        page.get_by_label(label, exact=True).fill(f"{when:%Y-%m-%dT%H:%M}")
    page.get_by_role("button", name="Create draft").click()
    expect(page.get_by_text("Draft", exact=True)).to_be_visible()
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Open", exact=True)).to_be_visible()
    return page.url


def enter(page: Page, event: str, name: str, example: str) -> None:
    """Enter the event, and submit a list that is an example."""
    page.goto(event)
    page.get_by_label("Your name").fill(name)
    page.get_by_role("button", name="Enter the event").click()
    expect(page.get_by_text("You have entered.")).to_be_visible()
    page.goto("/new/sbh/")
    page.locator(f"button[formaction*={example}]").click()
    page.wait_for_url("**/lists/**")
    submit(page, event)


def submit(page: Page, event: str) -> None:
    """Submit the list that was changed last."""
    page.goto(event)
    page.locator(".event-mine a.primary").click()
    page.get_by_role("button", name="Submit", exact=True).click()
    expect(page.get_by_text("Submitted as number")).to_be_visible()


def papers() -> Iterator[tuple[str, str]]:
    """What may stand on a paper at a table, and what a judge is told about it."""
    found = Submission.objects.get()
    counts = "The list that counts: entry 1, list 1. Nobody has accepted it yet."
    word = certify(found.document, shipped_library(), "https://army.example")
    head, claims, signature = word.split(".")
    yield found.list_hash[:10], counts
    yield f"https://army.example/verify/#{word}", counts
    yield f"{head}.{claims}.{signature[::-1]}", "not to be believed"
    stranger = b64encode(b'{"alg":"Ed25519","kid":"stranger"}').decode().rstrip("=")
    yield f"{stranger}.{claims}.{signature}", "a key that this page does not know"
    yield "0123456789", "No list of this event"
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
    expect(phone.locator(said)).to_contain_text("The list that counts")
    expect(camera).to_be_hidden()
    phone.evaluate(CAMERA, picture_of("https://army.example/"))
    phone.evaluate("() => { QrDecode = { decodeQR: () => '' }; }")
    button.click()
    expect(camera).to_be_visible()
    button.click()
    expect(camera).to_be_hidden()
    phone.evaluate(NO_CAMERA)
    button.click()
    expect(phone.locator(said)).to_contain_text("does not let this page use the camera")


@pytest.mark.slow
def test_a_judge_with_a_phone_and_no_network(
    open_page: Callable[..., Page], clock: Clock, tmp_path: Path, settings: Any
) -> None:
    settings.CERTIFICATE_KEYS = tmp_path / "keys.json"
    desk, anne, phone = open_page(), open_page(), open_page(size=PHONE)
    event = make_event(desk)
    desk.goto(f"{event}edit/")
    desk.get_by_label("Penalties and bonuses").fill("Late list: -3")
    desk.get_by_role("button", name="Save").click()
    enter(anne, event, "Anne", "gruks-green-flood")
    desk.goto(f"{event}staff/")
    desk.get_by_label("Name", exact=True).fill("Jo")
    desk.get_by_label("Role").select_option("judge")
    desk.get_by_role("button", name="Create invitation").click()
    invitation = desk.locator("code.event-mark").inner_text()
    phone.goto("/account/sign-up/?next=/events/")
    phone.get_by_label("Username").fill("jo")
    for field in phone.locator("input[type=password]").all():
        field.fill("heron-delta-27")
    phone.keyboard.press("Enter")
    expect(phone.get_by_role("heading", name="Events")).to_be_visible()
    phone.goto(invitation)
    phone.get_by_role("button", name="Join the staff").click()
    clock.later = timedelta(days=3, hours=1)
    found = list(papers())
    phone.goto(f"{event}judge/")
    phone.context.set_offline(True)
    for text, said in found:
        phone.get_by_label("Is the paper the list?").fill(text)
        phone.get_by_role("button", name="Compare").click()
        expect(phone.locator("#judge-paper-said")).to_contain_text(said)
    phone.evaluate(TWIN)
    phone.get_by_label("Is the paper the list?").fill(found[0][0])
    phone.get_by_role("button", name="Compare").click()
    told = phone.locator("#judge-paper-said")
    expect(told).to_contain_text("2 entries have this very list.")
    expect(told).to_contain_text(found[0][1])
    expect(told).to_contain_text("The list that counts: entry 4, list 2. Accepted.")
    scan_paper(phone)
    phone.get_by_label("Name, number or team").fill("anne")
    phone.locator(".judge-lists summary").first.click()
    phone.locator(".judge-units input").first.check()
    phone.get_by_role("button", name="Draw one in ten").click()
    expect(phone.locator("#judge-said")).to_contain_text("Anne")
    phone.get_by_text("Penalty or bonus").click()
    phone.get_by_role("button", name="Late list -3").click()
    expect(phone.locator("#judge-said")).to_contain_text("No connection")
    phone.context.set_offline(False)
    expect(phone.locator("#judge-said")).to_contain_text("Sent.")
    phone.reload()
    phone.locator(".judge-lists summary").first.click()
    expect(phone.locator(".judge-units input").first).to_be_checked()
    expect(phone.get_by_text("-3 points beside the games")).to_be_visible()
    anne.goto(event)
    expect(anne.locator(".event-mine")).to_contain_text("Late list -3")


def test_the_own_time_stands_beside_that_of_the_place_where_it_is_another(
    open_page: Callable[..., Page],
) -> None:
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
