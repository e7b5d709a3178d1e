"""The pages in German: what a player reads on them, and that the choice of language stays."""

import html
import re

import pytest
from django.test import Client

from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.conftest import Builder
from tests.markup import flat
from tests.pdfs import text_of

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: By the name of a page, what it must say.
SAYS = {
    "home": ["Meine Listen", "Spiele und Bücher", "Beispiel öffnen:", "Weiter mit"],
    "new-chainmail": ["Neue Schar: Chainmail 2002", "Punktwert (Punkte)", "Loslegen"],
    "builder-not-legal": [
        "Nicht regelkonform: 2 Fehler",
        "Die Liste kostet 240 Punkte: 180 über den vereinbarten 60.",
        "2 × Walking Kiln entfernen (54 Punkte)",
        "Speichern",
        "Rückgängig",
        "Drucken",
        # Names of a game keep their capitals where English writes them small.
        "Hinzufügen zu „Terrain“",
        "alle",
    ],
    "builder-army-not-legal": ["Höchstens 800: 2000 Punkte, davon 40 %.", "1 zu viel"],
    "builder-filtered": ["Filtern und sortieren", "zu teuer"],
    "history": ["Entfallen: Human Archer (44 Punkte)", "Human Warrior: 1 mehr (+30 Punkte)"],
    "charts": ["Punkte nach Fraktion", "Anteil", "Kommando: gegeben und nötig"],
    "my-lists": [" Listen", "Alle ankreuzen", "Schlagwort", "Speichern", "Löschen"],
    "lists-side-by-side": ["Links", "Rechts"],
    "keys": ["Entf", "Strg", "Von der Liste nehmen"],
    "my-books": ["Meine Bücher", "Buchdatei öffnen"],
    "own-book": ["Karte hinzufügen", "Teilen", "Speichern", "Name und Beschreibung"],
    "new-card": ["Neue Karte", "Fähigkeiten", "Speichern und weiter", "In deinem Buch"],
    "convert-worked-out": ["Trefferwürfel", "Rettungswürfe", "Meist 1."],
    "sheet-chainmail": ["Regelkonform: 68 von 70 Punkten.", "geprüft am", "Das Spielfeld"],
    "sheet-army": ["Nicht regelkonform: 20 Fehler.", "Volle Liste"],
    "refused": ["Nichts wurde geändert.", "Zu meinen Listen"],
    "not-found": ["Zu meinen Listen"],
}  # fmt: skip

#: Words of the interface that no catalogue uses, as they stand on buttons, links and headings.
ENGLISH = {
    *("Undo", "Redo", "Find", "History", "Charts", "Roster sheet", "Legal", "Not legal", "Copy"),
    *("My lists", "My books", "Games and books", "Name and notes", "Name, size, books", "Delete"),
    *("Add", "Remove", "Move up", "Move down", "Show all", "Save as a file", "Keys", "Close"),
    *("Error:", "Warning:", "Note:", "On game day", "Special rules", "Notes", "Any", "Verdict"),
}


def texts(page: str) -> list[str]:
    """What a page says, as its elements and the words read out for them divide it."""
    bare = re.sub(r"<(script|style|svg)\b.*?</\1>", "", page, flags=re.S)
    said = [*re.findall(r"[^<>]+(?=<)", bare)]
    said += re.findall(r'\b(?:aria-label|title|placeholder|alt)="([^"]*)"', bare)
    return [" ".join(html.unescape(one).split()) for one in said]


def test_the_main_pages_speak_german_and_no_english() -> None:
    seeds = Seeds()
    german = {"accept-language": "de"}
    # What was done so far is told, in English, on the first page that is opened.
    seeds.client.get("/", headers=german)
    missing, english = {}, {}
    for name, wanted in SAYS.items():
        shown = next(page for page in PAGES if page.name == name)
        response = seeds.client.get(shown.at(seeds), headers=german)
        assert response.status_code == shown.status, name
        page = response.content.decode()
        said = texts(page)
        assert '<html lang="de"' in page, name
        if lacking := [words for words in wanted if not any(words in one for one in said)]:
            missing[name] = lacking
        if left := ENGLISH & set(said):
            english[name] = left
    assert (missing, english) == ({}, {})


def test_a_printed_sheet_speaks_german(chainmail: Builder) -> None:
    chainmail.act("add", ref="practice/bannerlady-oresta")
    german = {"accept-language": "de"}
    pdf = chainmail.client.get(f"{chainmail.url}sheet.pdf", headers=german).content
    printed = text_of(pdf)
    assert "Nicht regelkonform: 1 Fehler" in printed
    assert "Am Spieltag" in printed
    assert re.search(r"Geprüft am \d+\. \w+ 20\d\d", printed)
    assert "Checked" not in printed
    text = chainmail.client.get(f"{chainmail.url}sheet.txt", headers=german).content.decode()
    assert "Punktwert: 38 von 100, 1 Modell" in text


def test_what_is_refused_is_told_in_german(chainmail: Builder) -> None:
    chainmail.client.post("/language/", {"language": "de"})
    answer = chainmail.act("limit", limit="many")
    said = " ".join(texts(answer.content.decode()))
    assert "Die Größe muss eine ganze Zahl sein. Nichts wurde geändert." in said


def test_the_chooser_below_each_page_switches_the_language_and_keeps_it(client: Client) -> None:
    page = flat(client.get("/library/").content.decode())
    chooser = page.partition('class="languages"')[2].partition("</form>")[0]
    assert re.findall(r'<button name="language" value="(\w+)"[^>]*>(\w+)</button>', chooser) == [
        ("en", "English"),
        ("de", "Deutsch"),
    ]
    back = re.search(r'name="next" value="([^"]*)"', chooser)
    assert back
    answer = client.post("/language/", {"language": "de", "next": back[1]}, follow=True)
    assert answer.redirect_chain == [("/library/", 302)]
    for address in ("/library/", "/", "/books/"):
        assert "Meine Listen" in texts(client.get(address).content.decode())
    chosen = flat(client.get("/").content.decode()).partition('class="languages"')[2]
    assert re.search(r'value="de"[^>]* aria-current="true"', chosen)
    client.post("/language/", {"language": "en", "next": "/"})
    assert "My lists" in texts(client.get("/").content.decode())
