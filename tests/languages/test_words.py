"""Sentences in other languages: findings, remedies, choices, numbers and what was typed."""

import datetime
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from allauth.account import forms
from babel.messages import Catalog
from django.contrib.auth.password_validation import NumericPasswordValidator
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.translation import gettext, override

from armybuilder.accounts.adapter import OURS
from armybuilder.languages import Typed, in_every_language, typed, typed_pattern
from armybuilder.pages.templatetags.events import at_place
from armybuilder.pages.templatetags.shown import moment
from tests.books.shelf import Shelf
from tests.browser.pages import PAGES
from tests.browser.seeds import Seeds
from tests.languages.hiding import hide_messages
from tests.languages.messages import (
    LANGUAGES,
    Key,
    Message,
    Unreadable,
    as_po,
    brought_up_to_date,
    messages,
    of_python,
    of_template,
    po_file,
    read,
)
from tests.languages.untranslated import untranslated

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


#: Attributes that hold numbers for the browser, not for people.
ATTRIBUTE = re.compile(r'\s([\w:-]+)="([^"]*)"')
PEOPLE_READ = {"aria-label", "title", "alt", "placeholder", "content", "value", "data-word"}


def numbers_of(page: str) -> list[tuple[str, str]]:
    return [
        (name, value)
        for name, value in ATTRIBUTE.findall(page)
        if name not in PEOPLE_READ and re.search(r"\d", value)
    ]


@pytest.mark.one_in(2)
@pytest.mark.django_db
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_the_browser_reads_is_the_same_in_every_language(language: str) -> None:
    seeds = Seeds()
    spoken = {"accept-language": language}
    for place in ("charts", "charts-army", "builder-army", "sheet-ddm", "my-lists"):
        address = next(shown for shown in PAGES if shown.name == place).at(seeds)
        english = seeds.client.get(address, headers={"accept-language": "en"}).content.decode()
        other = seeds.client.get(address, headers=spoken).content.decode()
        assert f'<html lang="{language}"' in other
        assert commas(other) == commas(english), place


def commas(page: str) -> list[tuple[str, str]]:
    return [(name, value) for name, value in numbers_of(page) if re.search(r"\d,\d", value)]


FREE = Typed("typed", "free|gratis")
UP_TO = Typed("typed", "up to|at most|max.|max")


def test_words_of_every_language_are_known_whichever_is_spoken() -> None:
    with override("de"):
        assert {"free", "gratis", "frei", "gratuit"} <= typed(FREE)


def test_what_is_typed_is_the_same_while_messages_are_looked_up_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_every_language.cache_clear()
    hide_messages(monkeypatch)
    assert in_every_language("My lists")[0] == "My lists"


def test_a_pattern_takes_any_spaces_and_apostrophes_and_the_longest_first() -> None:
    pattern = re.compile(typed_pattern(UP_TO), re.I)
    for said in ("up  to", "Jusqu'à", "jusqu’à", "bis\u00a0zu", "MAX."):
        assert pattern.fullmatch(said), said
    found = pattern.match("max. 3")
    assert found
    assert found[0] == "max."


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_typed_is_empty_in_any_language(language: str) -> None:
    said = {entry.id: entry.string for entry in read(po_file(language), language)}
    for message in messages():
        if message.key.context == "typed":
            assert all(word.strip() for word in said[message.key.text].split("|"))


def python(source: str) -> set[Key]:
    return {key for _, key in of_python(source)}


def template(source: str) -> set[Key]:
    return {key for _, key in of_template(source)}


def test_python_texts_are_found_inside_each_other_and_over_several_lines() -> None:
    source = """
say("Add {what}.", what=_("a "
    "unit"))
ngettext("one", "{number}", number)
pgettext("of a page", "first")
complaint(("units", 1), "It is wrong.", "Mend {what}.", what=what)
"""
    assert python(source) == {
        Key("Add {what}."),
        Key("a unit"),
        Key("one", "{number}"),
        Key("first", context="of a page"),
        Key("It is wrong."),
        Key("Mend {what}."),
    }


def test_both_texts_of_a_choice_and_all_values_of_a_marked_table_are_found() -> None:
    source = """
say("on {what}" if on else "off {what}", what=what)
TABLE = marked({"key": "one", ("a", "b"): ("two", "three"), "bare": "{summary}"})
"""
    texts = ("on {what}", "off {what}", "one", "two", "three")
    assert python(source) == {Key(text) for text in texts}


def test_texts_of_tables_and_of_other_functions_are_left_alone() -> None:
    assert python('say(TABLE["key"], name="x")\nsaid("no")\nngettext("one", many, 2)') == set()


def test_a_text_of_values_alone_is_a_message_where_grammar_or_marks_differ() -> None:
    source = 'say("{a}: {b}")\nLater("{name:small}")\nsay("“{text}”")'
    assert python(source) == {Key("{name:small}"), Key("“{text}”")}


def test_an_f_string_is_refused_for_nobody_could_look_it_up() -> None:
    with pytest.raises(Unreadable):
        python('_(f"{number} units")')


def test_texts_of_templates_are_found_in_tags_blocks_and_filters() -> None:
    source = """{% load i18n %}<p title="{% translate "A (b)" %}">{{ x|default:_("None") }}</p>
      {% blocktranslate trimmed with name=page.name %}
        See {{ name }}
        first.
      {% endblocktranslate %}
      {% blocktranslate count n=3 %}one{% plural %}{{ n }} units{% endblocktranslate %}"""
    assert template(source) == {
        Key("A (b)"),
        Key("None"),
        Key("See %(name)s first."),
        Key("one", "%(n)s units"),
    }


def test_translations_stay_when_messages_come_and_go() -> None:
    old = Catalog("de")
    old.add("stays", "bleibt")
    old.add("goes", "geht")
    old.add(("one", "many"), ("eins", "viele"))
    found = [Message("a.py", 1, Key(*key)) for key in (("stays",), ("comes",), ("one", "many"))]
    made = brought_up_to_date(found, "de", [old])
    assert {entry.id: entry.string for entry in made if entry.id} == {
        "stays": "bleibt",
        "comes": None,
        ("one", "many"): ("eins", "viele"),
    }


def test_written_translations_are_read_back_the_same(tmp_path: Path) -> None:
    found = [Message("a.py", 1, Key("“{name}” stays")), Message("b.py", 7, Key("one", "many"))]
    first = as_po(brought_up_to_date(found, "de", []))
    file = tmp_path / "django.po"
    file.write_bytes(first)
    assert as_po(brought_up_to_date(found, "de", [read(file, "de")])) == first
    assert b"Date" not in first


def test_plain_words_of_a_page_are_found_wherever_people_read_them() -> None:
    source = """<p class="some name" title="Help me">{% if x %}two{% endif %} &amp; 3</p>
      <input type="submit" value="Send"><input type="hidden" value="kept">
      {% include "row.html" with label="Size here" class="a b" %}{{ n }} model{{ n|pluralize }}"""
    assert untranslated(source) == ["Help me", "two", "Send", "model", "Size here", "n|pluralize"]


def test_what_is_looked_up_is_not_taken_for_plain_words() -> None:
    source = """{% translate "Some words" %}{% comment %}for us{% endcomment %}{# note #}
      <a href="/here/">{% blocktranslate %}More words{% endblocktranslate %}</a> × 5 –
      <script>let words</script><b title="{% translate "Name" %}">{{ name }}</b>"""
    assert untranslated(source) == []
