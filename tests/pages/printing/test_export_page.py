"""The pages of a list to be taken away, and the full and the open list by their addresses."""

import re
from collections.abc import Callable

import pytest

from armybuilder.sheets.texts.forms import FORMS
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


def links(page: str, url: str) -> list[str]:
    return [href.replace("&amp;", "&") for href in re.findall(rf'href="({url}[^"]+)"', page)]


@pytest.fixture
def army(build: Callable[..., Builder]) -> Builder:
    return build("t9a-2023", limit=4500, books=["highborn-elves"])


def test_every_format_is_there_and_opens_and_says_which_data_a_roster_needs(army: Builder) -> None:
    page = army.client.get(f"{army.url}export/").content.decode()
    found = links(page, army.url)
    wanted = ("list.csv", "list.ros", "list.rosz", "list.json", "sheet.pdf", "print/", "share/")
    assert {f"{army.url}{one}" for one in wanted} <= set(found)
    assert {f"{army.url}text/?form={form}" for form in FORMS} <= set(found)
    for address in found:
        assert army.client.get(address).status_code == 200, address
    # The page says which data a roster needs and promises no other program.
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


def test_the_page_links_both_kinds_and_keeps_the_one_chosen(army):
    page = army.client.get(f"{army.url}sheet/?kind=open").content.decode()
    assert "Open list (Rulebook 8.E.a)" in page
    assert f'{army.url}sheet.pdf?kind=open"' in page
    assert f"{army.url}text/" in page
    assert f'href="{army.url}sheet/"' in page
    full = army.client.get(f"{army.url}sheet/").content.decode()
    assert "Open list (Rulebook 8.E.a)" not in full
    assert f'{army.url}sheet.pdf"' in full


def test_files_of_both_kinds_have_names_of_their_own_and_another_is_not_found(army):
    for query, name in (("", "Test-list"), ("?kind=open", "Test-list-open-list")):
        for ending in ("pdf", "txt"):
            response = army.client.get(f"{army.url}sheet.{ending}{query}")
            assert response["Content-Disposition"] == f'inline; filename="{name}.{ending}"'
    assert army.client.get(f"{army.url}sheet/?kind=secret").status_code == 404


@pytest.mark.slow
def test_a_skirmish_list_is_the_same_under_every_kind(sbh):
    full = sbh.client.get(f"{sbh.url}sheet.txt").content
    assert sbh.client.get(f"{sbh.url}sheet.txt?kind=open").content == full
    assert "Open list" not in sbh.client.get(f"{sbh.url}sheet/").content.decode()
