"""The pages of a list to be taken away: as files, the full and the open list, and as text."""

import html
import re
from collections.abc import Callable
from urllib.parse import unquote

import pytest

from armybuilder.sheets.texts.forms import FORMS, USUAL, forms_of
from tests.conftest import Builder
from tests.markup import flat, lacking

pytestmark = pytest.mark.django_db


def test_every_format_is_there_and_opens_and_says_which_data_a_roster_needs(elves: Builder) -> None:
    page = elves.client.get(f"{elves.url}export/").text
    hrefs = re.findall(rf'href="({elves.url}[^"]+)"', page)
    found = [href.replace("&amp;", "&") for href in hrefs]
    wanted = ("list.csv", "list.ros", "list.rosz", "list.json", "sheet.pdf", "print/", "share/")
    assert {f"{elves.url}{one}" for one in wanted} <= set(found)
    assert {f"{elves.url}text/?form={form}" for form in FORMS} <= set(found)
    for address in found:
        assert elves.client.get(address).status_code == 200, address
    # The page says which data a roster needs and promises no other program.
    page = " ".join(elves.client.get(f"{elves.url}export/").text.split())
    assert "A file for BattleScribe with this data: Highborn Elves 2023 Beta 2." in page
    assert "New Recruit can open it only for games with the same data" in page
    assert "Rule texts are missing" in page


def test_the_export_page_offers_every_format(chainmail: Builder) -> None:
    # A game of no other program offers no roster.
    page = chainmail.client.get(f"{chainmail.url}export/").text
    assert "list.ros" not in page
    assert "list.csv" in page


def test_the_page_links_both_kinds_and_keeps_the_one_chosen(elves):
    page = elves.client.get(f"{elves.url}sheet/?kind=open").text
    assert lacking(page, "Open list (Rulebook 8.E.a)", f'{elves.url}sheet.pdf?kind=open"') == []
    assert lacking(page, f"{elves.url}text/", f'href="{elves.url}sheet/"') == []
    full = elves.client.get(f"{elves.url}sheet/").text
    assert "Open list (Rulebook 8.E.a)" not in full
    assert f'{elves.url}sheet.pdf"' in full


def test_files_of_both_kinds_have_names_of_their_own_and_another_is_not_found(elves):
    for query, name in (("", "Test-list"), ("?kind=open", "Test-list-open-list")):
        for ending in ("pdf", "txt"):
            response = elves.client.get(f"{elves.url}sheet.{ending}{query}")
            assert response["Content-Disposition"] == f'inline; filename="{name}.{ending}"'
    assert elves.client.get(f"{elves.url}sheet/?kind=secret").status_code == 404


@pytest.mark.slow
def test_a_skirmish_list_is_the_same_under_every_kind(sbh):
    full = sbh.client.get(f"{sbh.url}sheet.txt").content
    assert sbh.client.get(f"{sbh.url}sheet.txt?kind=open").content == full
    assert "Open list" not in sbh.client.get(f"{sbh.url}sheet/").text


def text_on(page: str) -> str:
    found = re.search(r"<textarea[^>]*>(.*?)</textarea>", page, re.DOTALL)
    assert found
    return html.unescape(found[1])


def page_of(builder: Builder, query: str = "") -> str:
    return builder.client.get(f"{builder.url}text/{query}").text


def file_of(builder: Builder, query: str = "") -> str:
    return builder.client.get(f"{builder.url}sheet.txt{query}").text


@pytest.fixture
def warband(chainmail: Builder) -> Builder:
    chainmail.act("add", ref="practice/sunhill-chaplain")
    return chainmail


def test_a_form_reads_the_same_on_the_page_and_in_the_file(warband: Builder) -> None:
    for form in forms_of(False):
        query = f"?form={form}"
        assert text_on(page_of(warband, query)) == file_of(warband, query), form
        assert "Sunhill Chaplain" in file_of(warband, query), form


def test_a_warband_has_its_text_formats(warband: Builder) -> None:
    # The page begins with the usual form and the file with the full one.
    assert text_on(page_of(warband)) == file_of(warband, f"?form={USUAL}")
    assert file_of(warband) == file_of(warband, "?form=full")
    assert file_of(warband) != text_on(page_of(warband))
    # Every form is offered and the chosen one marked.
    page = page_of(warband, "?form=bbcode")
    for form in FORMS:
        assert (f'href="?form={form}"' in page) is not FORMS[form].armies
    assert re.findall(r'href="\?form=(\w+)" aria-current="page"', flat(page)) == ["bbcode"]

    # A file goes by the lists name and its form.
    def name(query: str) -> str:
        answer = warband.client.get(f"{warband.url}sheet.txt{query}")
        return unquote(answer["Content-Disposition"])

    assert 'filename="Test-list.txt"' in name("")
    assert 'filename="Test-list-Markdown.md"' in name("?form=markdown")
    # The page says how long the text is.
    page = page_of(warband)
    assert f"{len(text_on(page))} characters" in page


def test_a_long_text_for_a_chat_is_several_messages(warband: Builder) -> None:
    assert "Message 1 of" not in page_of(warband, "?form=discord")
    warband.act("notes", notes="\n".join(f"{number} of them march" for number in range(110)))
    page = page_of(warband, "?form=discord")
    messages = [html.unescape(text) for text in re.findall(r"<textarea[^>]*>([^<]*)<", page)]
    assert len(messages) > 1
    assert max(map(len, messages)) <= 2000
    assert "".join(messages) == file_of(warband, "?form=discord")
    assert f"Message {len(messages)} of {len(messages)}" in flat(page)
    assert page.count(' role="status" class="copied"') == 1
    assert {f'data-copies="text-{number + 2}"' in page for number in range(len(messages) - 1)} == {
        True
    }
    assert "Message 1 of" not in page_of(warband, "?form=markdown")


@pytest.mark.slow
def test_an_army_has_its_text_formats(build: Callable[..., Builder]) -> None:
    # An army can be read as an open list in each form.
    army = build("t9a-2023", limit=2000, books=["highborn-elves"])
    page = page_of(army, "?form=lines&kind=open")
    assert "without special items" in text_on(page)
    assert 'href="?form=compact&kind=open"' in html.unescape(page)
    assert 'href="?form=secret"' in page
    assert "without special items" not in text_on(page_of(army, "?form=lines"))
    # An armys secret list needs no asking for the open one.
    assert "Game of 2000 points" in text_on(page_of(army, "?form=secret"))
    # Include is chosen with ticks, and kept in the file.
    assert army.act("add", ref="highborn-elves/high-prince").status_code == 302
    assert army.act("add", ref="highborn-elves/citizen-spears").status_code == 302
    ticks = re.compile(r'name="parts" value="(\w+)"\s+checked')
    usual = page_of(army, "?form=markdown")
    assert usual.count('name="parts"') == 5
    assert ticks.findall(usual) == ["stats", "rules", "notes"]
    bare = html.unescape(page_of(army, "?form=markdown&parts=&parts=rules&parts=pages"))
    assert ticks.findall(bare) == ["rules", "pages"]
    assert lacking(bare, "(Rulebook 21.A.", "?form=markdown&parts=pages,rules") == []
    file = army.client.get(f"{army.url}sheet.txt?form=markdown&parts=pages,rules")
    assert b"(Rulebook 21.A." in b"".join(file)
    assert ticks.findall(page_of(army, "?form=lines")) == ["notes"]
    assert 'name="parts"' not in page_of(army, "?form=full")


def test_what_is_not_offered_is_not_found_and_text_stays_text(warband: Builder) -> None:
    for query in ("?form=novel", "?form=", "?form=compact&kind=half", "?form=compact&parts=poetry"):
        for place in ("text/", "sheet.txt"):
            assert warband.client.get(f"{warband.url}{place}{query}").status_code == 404
    # What is typed cannot leave the text.
    warband.act("rename", name="</textarea><script>alert(1)</script>")
    page = page_of(warband)
    assert "<script>alert" not in page
    assert text_on(page).startswith("</textarea><script>alert(1)</script>\n")
