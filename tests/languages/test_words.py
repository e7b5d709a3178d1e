"""What packages and the data say in other languages, and dates."""

import datetime
import re
from types import SimpleNamespace

import pytest
from allauth.account import forms
from django.contrib.auth.password_validation import NumericPasswordValidator
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.translation import gettext, override

from armybuilder.accounts.adapter import OURS
from armybuilder.pages.templatetags.events import at_place
from armybuilder.pages.templatetags.shown import moment
from tests.books.shelf import Shelf
from tests.languages.messages import po_file, read

EVENING = datetime.datetime(2026, 11, 27, 19, 5, tzinfo=datetime.UTC)


def test_sentences_of_packages_are_ours_where_we_have_them() -> None:
    same, numeric = OURS
    with override("de"):
        assert "dasselbe" in gettext(same)
        with pytest.raises(ValidationError, match="besteht nur aus Ziffern"):
            NumericPasswordValidator().validate("12345678")
    # They say just this, or it would be of no use.
    with open(forms.__file__, encoding="utf-8") as file:
        assert same in file.read()
    with pytest.raises(ValidationError, match=numeric):
        NumericPasswordValidator().validate("12345678")


@pytest.mark.parametrize(
    ("language", "there", "here"),
    [
        ("en", "Fri 27 Nov 2026, 20:05 (Berlin time)", "27 Nov 2026, 19:05 UTC"),
        ("de", "Fr, 27. Nov. 2026, 20:05 (Ortszeit Berlin)", "27. Nov. 2026, 19:05 UTC"),
        ("fr", "ven. 27 nov. 2026, 20:05 (heure locale, Berlin)", "27 nov. 2026, 19:05 UTC"),
    ],
)
def test_times_are_written_as_the_language_writes_them(
    language: str, there: str, here: str
) -> None:
    with override(language):
        assert at_place(EVENING, SimpleNamespace(zone="Europe/Berlin")) == there  # type: ignore[arg-type]
        assert at_place(EVENING, SimpleNamespace(zone="UTC")).endswith("19:05 (UTC)")  # type: ignore[arg-type]
        assert moment(EVENING) == here


def test_french_signs_stand_behind_a_space_that_does_not_break() -> None:
    texts = (
        text
        for message in read(po_file("fr"), "fr")
        if message.id
        for text in _texts(message.string)
    )
    assert [text for text in texts if re.search(r"\S [:;?!»](?!\S*=)|« ", text)] == []


def _texts(translated: str | tuple[str, ...]) -> tuple[str, ...]:
    return (translated,) if isinstance(translated, str) else translated


@pytest.mark.django_db
def test_hints_of_a_card_and_texts_of_a_pack_are_in_the_reader_s_language(client: Client) -> None:
    shelf = Shelf(client, "sbh", "Mine")
    german = {"accept-language": "de"}
    card = client.get(f"{shelf.url}units/new/", headers=german).content.decode()
    assert "Was jeder Aktivierungswürfel erreichen muss" in card
    pack = client.get("/packs/lantern-cup/", headers=german).content.decode()
    assert "<h2>Bemalung</h2>" in pack
    assert "mit drei Farben bemalt" in pack
