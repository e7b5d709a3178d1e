"""An event in real browsers: a judge with a phone and no network, and the times of the place."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from armybuilder.certificates.making import certify
from armybuilder.events.models import Submission
from armybuilder.events.organising import invite
from armybuilder.events.rules import StaffRole
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.drawing.qr import drawing_of
from tests.browser.conftest import PHONE, Open
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
    open_page: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, settings: Any
) -> None:
    settings.CERTIFICATE_KEYS = tmp_path / "keys.json"
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


def test_the_own_time_stands_beside_that_of_the_place_where_it_is_another(open_page: Open) -> None:
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
