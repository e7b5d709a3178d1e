"""One page from which a list can be taken in every format."""

import re
from collections.abc import Callable

import pytest

from armybuilder.sheets.texts.forms import FORMS
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


def links(page: str, url: str) -> list[str]:
    return [href.replace("&amp;", "&") for href in re.findall(rf'href="({url}[^"]+)"', page)]


def test_every_format_is_there_and_opens(build: Callable[..., Builder]) -> None:
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    page = army.client.get(f"{army.url}export/").content.decode()
    found = links(page, army.url)
    wanted = ("list.csv", "list.ros", "list.rosz", "list.json", "sheet.pdf", "print/", "share/")
    assert {f"{army.url}{one}" for one in wanted} <= set(found)
    assert {f"{army.url}text/?form={form}" for form in FORMS} <= set(found)
    for address in found:
        assert army.client.get(address).status_code == 200, address


def test_the_page_says_which_data_a_roster_needs_and_promises_no_other_program(
    build: Callable[..., Builder],
) -> None:
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    page = " ".join(army.client.get(f"{army.url}export/").content.decode().split())
    assert (
        "A file for BattleScribe with this data: Highborn Elves 2023 Beta 2, revision 70." in page
    )
    assert "New Recruit opens it only where it uses the same data" in page
    assert "no texts of rules" in page


def test_what_the_page_of_exports_offers(chainmail: Builder) -> None:
    # A game of no other program offers no roster.
    page = chainmail.client.get(f"{chainmail.url}export/").content.decode()
    assert "list.ros" not in page
    assert "list.csv" in page
    # Only its holder exports a list.
    chainmail.client.cookies.clear()
    assert chainmail.client.get(f"{chainmail.url}export/").status_code == 404
