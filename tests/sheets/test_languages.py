"""Printouts in the reader's language: nothing of ours is left in English, and bytes stay equal."""

import io
from dataclasses import replace
from typing import Any

import pytest
from django.conf import settings
from django.utils.translation import override
from pypdf import PdfReader

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import blank_faces, faces_of_list
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.printing.printouts import draw_pdf
from armybuilder.sheets.texts.lines import draw_text
from tests.building.documents import value_of
from tests.building.towers import BOOK, army_sheet_of, illegal_army, legal_army
from tests.languages.hiding import HIDDEN, hide_messages, names_in, strings, unhidden
from tests.pdfs import text_of
from tests.sheets.papers import DAY, illegal_list, legal_list, own_model, sbh_list

pytestmark = pytest.mark.long


def sheet(listed: dict[str, Any]) -> Sheet:
    """The sheet as it is made now, in the language and with the messages of now."""
    return sheet_of(value_of(listed), shipped_library(), DAY)


CODES = [code for code, _name in settings.LANGUAGES]

NAMES = {
    "chainmail-2002": names_in("chainmail-2002/system", "chainmail-2002/practice"),
    "sbh": names_in("sbh/system", "sbh/profiles"),
    "t9a-2023": {*names_in("t9a-2023/system"), *strings(BOOK)},
}
LISTS = {"legal": legal_list(), "not legal": illegal_list(), "own": sbh_list(own_model("Grim"))}
ARMIES = {"legal": legal_army(), "not legal": illegal_army()}


def drawn(shown: Sheet) -> dict[str, str]:
    shown = replace(shown, hash="")  # it holds letters and no words
    return {"text": draw_text(shown), "pdf": text_of(draw_pdf(shown))}


def left_over(text: str, document: dict[str, Any]) -> set[str]:
    return unhidden(text, NAMES[document["system"]] | set(strings(document)))


@pytest.mark.parametrize("listed", LISTS.values(), ids=LISTS)
def test_every_text_of_sheets_and_cards_is_translatable(
    listed: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    library = shipped_library()
    hide_messages(monkeypatch)
    faces = faces_of_list(value_of(listed), library)
    faces += blank_faces(library.system(listed["system"]), 1)
    for way, text in {**drawn(sheet(listed)), "cards": text_of(draw_cards(faces))}.items():
        assert HIDDEN in text, way
        assert left_over(text, listed) == set(), way


@pytest.mark.parametrize("kind", ["full", "open"])
@pytest.mark.parametrize("listed", ARMIES.values(), ids=ARMIES)
def test_every_text_of_an_army_sheet_is_translatable(
    listed: dict[str, Any], kind: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    shipped_library()
    hide_messages(monkeypatch)
    for way, text in drawn(army_sheet_of(listed, kind)).items():
        assert HIDDEN in text, way
        assert left_over(text, listed) == set(), way


@pytest.mark.one_in(3)
@pytest.mark.parametrize("language", CODES)
def test_a_list_gives_the_same_bytes_in_its_language(language: str) -> None:
    def cards() -> bytes:
        return draw_cards(faces_of_list(value_of(legal_list()), shipped_library()))

    with override(language):
        for draw in (lambda: draw_pdf(sheet(legal_list())), cards):
            content = draw()
            assert draw() == content
            assert PdfReader(io.BytesIO(content)).root_object["/Lang"] == language


def test_a_sheet_made_in_one_language_does_not_keep_it_for_the_next_reader() -> None:
    english = draw_text(sheet(legal_list()))
    with override("de"):
        assert "Oktober 2026" in draw_text(sheet(legal_list()))
    assert draw_text(sheet(legal_list())) == english
