"""The pages in each language: what a player reads on them. A language is a folder; the reader
chooses one, which stays; without a choice the browser's is taken.
"""

import html
import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured
from django.test import Client
from django.utils.translation import gettext, ngettext, override

from armybuilder.languages import languages
from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.conftest import Builder
from tests.languages.messages import LANGUAGES, mo_file
from tests.languages.said import SAID
from tests.markup import flat
from tests.pdfs import text_of

pytestmark = pytest.mark.django_db

#: Main pages that every language is looked for on.
LOOKED_AT = tuple(SAID["de"])

#: Words of the interface that no catalogue uses, as they stand on buttons, links and headings.
ENGLISH = {
    *("Undo", "Redo", "Find", "History", "Charts", "Roster sheet", "Legal", "Not legal", "Copy"),
    *("My lists", "Custom books", "Games and books", "Name and notes", "Filter and sort", "Delete"),
    *("Add", "Remove", "Move up", "Move down", "Show all", "Save as a file", "Keys", "Close"),
    *("Error:", "Warning:", "Note:", "On game day", "Special rules", "Notes", "Any", "Verdict"),
}


#: Attributes that hold numbers for the browser, not for people.
ATTRIBUTE = re.compile(r'\s([\w:-]+)="([^"]*)"')
PEOPLE_READ = {"aria-label", "title", "alt", "placeholder", "content", "value", "data-word"}


def commas(page: str) -> list[tuple[str, str]]:
    """Return the attributes for the browser in which a number has a comma."""
    return [
        (name, value)
        for name, value in ATTRIBUTE.findall(page)
        if name not in PEOPLE_READ and re.search(r"\d,\d", value)
    ]


def texts(page: str) -> list[str]:
    """What a page says, as its elements and the words read out for them divide it."""
    bare = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.S)
    parts = [*re.findall(r"[^<>]+(?=<)", bare)]
    parts += re.findall(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"', bare)
    return [" ".join(html.unescape(part).split()) for part in parts]


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_main_pages_are_translated(language: str) -> None:
    seeds = Seeds()
    spoken = {"accept-language": language}
    # What was done so far is told, in English, on the first page that is opened.
    seeds.client.get("/", headers=spoken)
    with override(language):
        # Some words are the same in both.
        other = {word for word in ENGLISH if gettext(word) != word}
    missing, english = {}, {}
    for name in LOOKED_AT:
        shown = next(page for page in PAGES if page.name == name)
        response = seeds.client.get(shown.at(seeds), headers=spoken)
        assert response.status_code == shown.status, name
        page = response.content.decode()
        page_texts = texts(page)
        assert f'<html lang="{language}"' in page, name
        wanted = SAID.get(language, {}).get(name, [])
        if lacking := [words for words in wanted if not any(words in text for text in page_texts)]:
            missing[name] = lacking
        if left := other & set(page_texts):
            english[name] = left
    assert (missing, english) == ({}, {})
    for name in ("charts", "charts-army", "builder-army", "sheet-ddm", "my-lists"):
        address = next(shown for shown in PAGES if shown.name == name).at(seeds)
        plain, translated = (
            seeds.client.get(address, headers={"accept-language": code}).content.decode()
            for code in ("en", language)
        )
        assert commas(translated) == commas(plain), name


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_sheets_and_refusals_are_translated(chainmail: Builder, language: str) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    spoken = {"accept-language": language}
    printed = text_of(chainmail.client.get(f"{chainmail.url}sheet.pdf", headers=spoken).content)
    plain = chainmail.client.get(f"{chainmail.url}sheet.txt", headers=spoken).content.decode()
    with override(language):
        day = gettext("On game day")
        model = ngettext("{number} model", "{number} models", 1).format(number=1)
    assert day in " ".join(printed.split())
    assert "Checked" not in printed
    assert model in plain
    chainmail.client.post("/language/", {"language": language})
    answer = chainmail.act("limit", limit="many")
    sentences = " ".join(texts(answer.content.decode()))
    with override(language):
        assert gettext("Nothing was changed.") in sentences


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_chooser_below_each_page_switches_the_language_and_keeps_it(
    client: Client, language: str
) -> None:
    page = flat(client.get("/library/").content.decode())
    chooser = page.partition('class="languages"')[2].partition("</form>")[0]
    offered = re.findall(r'<button name="language" value="(\w+)"[^>]*>(\w+)</button>', chooser)
    assert offered == settings.LANGUAGES
    back = re.search(r'name="next" value="([^"]*)"', chooser)
    assert back
    answer = client.post("/language/", {"language": language, "next": back[1]}, follow=True)
    assert answer.redirect_chain == [("/library/", 302)]
    with override(language):
        mine = gettext("My lists")
    for address in ("/library/", "/", "/books/"):
        assert mine in texts(client.get(address).content.decode())
    chosen = flat(client.get("/").content.decode()).partition('class="languages"')[2]
    assert re.search(rf'value="{language}"[^>]* aria-current="true"', chosen)
    client.post("/language/", {"language": "en", "next": "/"})
    assert "My lists" in texts(client.get("/").content.decode())


def language(client: Client, **headers: str) -> str:
    page = client.get("/", headers=headers).content.decode()
    return page.partition('<html lang="')[2].partition('"')[0]


def test_every_language_on_offer_has_its_translations() -> None:
    codes = {name.lower().replace("_", "-") for name in LANGUAGES}
    assert {code for code, _ in settings.LANGUAGES} == {"en", *codes}
    assert all(mo_file(code).exists() for code in LANGUAGES)


def folder_of(tmp_path: Path, *names: str) -> Path:
    for name in names:
        (tmp_path / name / "LC_MESSAGES").mkdir(parents=True)
        (tmp_path / name / "LC_MESSAGES" / "django.mo").touch()
    return tmp_path


def test_a_folder_with_a_translation_is_a_language_or_refused(tmp_path: Path) -> None:
    folder = folder_of(tmp_path, "pt_BR", "fr")
    (folder / "README.md").touch()
    (folder / "de").mkdir()
    assert languages(folder, "en") == [
        ("en", "English"),
        ("fr", "Français"),
        ("pt-br", "Português Brasileiro"),
    ]
    with pytest.raises(ImproperlyConfigured, match="“xx”"):
        languages(folder_of(tmp_path, "xx"), "en")


def test_the_browsers_language_is_the_default(client: Client) -> None:
    assert language(client) == "en"
    assert language(client, accept_language="de-AT,de;q=0.9") == "de"
    assert language(client, accept_language="tlh") == "en"
    client.post("/language/", {"language": "en"})
    assert language(client, accept_language="de") == "en"
    for next_page in ("https://evil.example/", "//evil.example/"):
        answer = client.post("/language/", {"language": "de", "next": next_page})
        assert "evil" not in answer["Location"], next_page
