"""Sentences in other languages: findings, remedies, choices, numbers and what was typed."""

import datetime
import json
import re
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from allauth.account import forms
from babel.messages import Catalog
from django.contrib.auth.password_validation import NumericPasswordValidator
from django.core.exceptions import ValidationError
from django.test import Client
from django.utils.translation import gettext, override

from armybuilder.accounts.adapter import OURS
from armybuilder.converting.dnd import convert
from armybuilder.converting.fields import CHOICE_FIELDS, FIELDS, read_choices, read_scores
from armybuilder.converting.price import HUMAN_GLAIVER, suggest
from armybuilder.converting.scores import SIZES, TYPES, BadScores
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import option_cost, side_marks, size_range, size_words
from armybuilder.engine.sentences import sentence
from armybuilder.languages import Typed, in_every_language, typed, typed_pattern
from armybuilder.loading.documents import read_document
from armybuilder.loading.library import CATALOGUE_DIR, book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.templatetags.events import at_place
from armybuilder.pages.templatetags.shown import moment
from tests.books.shelf import Shelf
from tests.building.tiny import book_data, judge, take
from tests.engine import test_sentences
from tests.golden.adapter import oz_catalogue
from tests.languages.hiding import HIDDEN, hide_messages, names_in, strings, unhidden
from tests.languages.messages import (
    LANGUAGES,
    Key,
    Message,
    Unreadable,
    as_po,
    brought_up_to_date,
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
    for language, there, here in (
        ("en", "Fri 27 Nov 2026, 20:05 (Berlin time)", "27 Nov 2026, 19:05 UTC"),
        ("de", "Fr, 27. Nov. 2026, 20:05 (Ortszeit Berlin)", "27. Nov. 2026, 19:05 UTC"),
        ("fr", "ven. 27 nov. 2026, 20:05 (heure locale, Berlin)", "27 nov. 2026, 19:05 UTC"),
    ):
        with override(language):
            assert at_place(EVENING, SimpleNamespace(zone="Europe/Berlin")) == there  # type: ignore[arg-type]
            assert at_place(EVENING, SimpleNamespace(zone="UTC")).endswith("19:05 (UTC)")  # type: ignore[arg-type]
            assert moment(EVENING) == here
    texts = (
        text
        for message in read(po_file("fr"), "fr")
        if message.id
        for text in ([message.string] if isinstance(message.string, str) else message.string)
    )
    assert [text for text in texts if re.search(r"\S [:;?!»](?!\S*=)|« ", text)] == []


@pytest.mark.django_db
def test_hints_of_a_card_and_texts_of_a_pack_are_in_the_reader_s_language(client: Client) -> None:
    shelf = Shelf(client, "sbh", "Mine")
    german = {"accept-language": "de"}
    card = client.get(f"{shelf.url}units/new/", headers=german).content.decode()
    assert "Was jeder Aktivierungswürfel erreichen muss" in card
    pack = client.get("/packs/lantern-cup/", headers=german).content.decode()
    assert "<h2>Bemalung</h2>" in pack
    assert "mit drei Farben bemalt" in pack


FREE = Typed("typed", "free|gratis")
UP_TO = Typed("typed", "up to|at most|max.|max")


@pytest.mark.slow
def test_words_of_every_language_are_known_however_they_are_typed() -> None:
    with override("de"):
        assert {"free", "gratis", "frei", "gratuit"} <= typed(FREE)
    pattern = re.compile(typed_pattern(UP_TO), re.I)
    for words in ("up  to", "Jusqu'à", "jusqu’à", "bis\u00a0zu", "MAX."):
        assert pattern.fullmatch(words), words
    match = pattern.match("max. 3")
    assert match
    assert match[0] == "max."
    for language in LANGUAGES:
        entries = [one for one in read(po_file(language), language) if one.context == "typed"]
        assert entries
        for entry in entries:
            assert all(word.strip() for word in entry.string.split("|")), (language, entry.id)


def test_what_is_typed_is_the_same_while_messages_are_looked_up_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_every_language.cache_clear()
    hide_messages(monkeypatch)
    assert in_every_language("My lists")[0] == "My lists"


def python(source: str) -> set[Key]:
    return {key for _, key in of_python(source)}


def test_python_texts_are_found_inside_each_other_in_choices_and_in_marked_tables() -> None:
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
    source = """
say("on {what}" if on else "off {what}", what=what)
TABLE = marked({"key": "one", ("a", "b"): ("two", "three"), "bare": "{summary}"})
"""
    texts = ("on {what}", "off {what}", "one", "two", "three")
    assert python(source) == {Key(text) for text in texts}


def test_texts_of_templates_are_found_in_tags_blocks_and_filters() -> None:
    source = """{% load i18n %}<p title="{% translate "A (b)" %}">{{ x|default:_("None") }}</p>
      {% blocktranslate trimmed with name=page.name %}
        See {{ name }}
        first.
      {% endblocktranslate %}
      {% blocktranslate count n=3 %}one{% plural %}{{ n }} units{% endblocktranslate %}"""
    assert {key for _, key in of_template(source)} == {
        Key("A (b)"),
        Key("None"),
        Key("See %(name)s first."),
        Key("one", "%(n)s units"),
    }
    assert python('say(TABLE["key"], name="x")\nsaid("no")\nngettext("one", many, 2)') == set()
    source = 'say("{a}: {b}")\nLater("{name:small}")\nsay("“{text}”")'
    assert python(source) == {Key("{name:small}"), Key("“{text}”")}
    with pytest.raises(Unreadable):
        python('_(f"{number} units")')


def test_translations_stay_when_messages_come_and_go(tmp_path: Path) -> None:
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
    source = """{% translate "Some words" %}{% comment %}for us{% endcomment %}{# note #}
      <a href="/here/">{% blocktranslate %}More words{% endblocktranslate %}</a> × 5 –
      <script>let words</script><b title="{% translate "Name" %}">{{ name }}</b>"""
    assert untranslated(source) == []


SYSTEMS = sorted(path.parent.name for path in CATALOGUE_DIR.glob("*/system.json"))
#: Names in the books that the tests make up.
MADE_UP = {
    *("wolf rat saint fiend hero ann idol bird rune axe core aves soldier golden other", "model"),
    *("hunter icon gilding chief tyrant characters", "nerve book"),
}


@pytest.fixture
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_messages(monkeypatch)


in_no_english = pytest.mark.usefixtures("hidden")


@pytest.fixture(scope="module")
def catalogue_names() -> set[str]:
    systems = names_in(*(f"{system}/system" for system in SYSTEMS))
    books = names_in("chainmail-2002/practice", "chainmail-2002/known-cards")
    return systems | books | MADE_UP | set(names_of(oz_catalogue()))


def names_of(catalogue: Catalogue) -> Iterator[str]:
    for unit in catalogue.units.values():
        yield unit.name
        for slots in unit.offer.slots.values():
            yield from (group.name for slot in slots for group in slot.groups)
        yield from (option.name for option in unit.offer.options())


@in_no_english
def test_findings_say_nothing_in_english_but_names(catalogue_names: set[str]) -> None:
    makers = ("chainmail", "songs", "creatures", "starter", "ninth_age")
    for finding in chain.from_iterable(getattr(test_sentences, maker)() for maker in makers):
        assert unhidden(sentence(finding), catalogue_names) == set(), finding.code
        if not finding.head.pointer:
            assert unhidden(f"{finding.head.summary} {finding.citation}", set()) == set()


def shown(report: Report) -> str:
    facts = " ".join(f"{name} {fact.text} {fact.note}" for name, fact in report.facts)
    gauges = " ".join(f"{gauge.name} {gauge.lineup}" for gauge in report.gauges)
    return f"{facts} {gauges}"


@in_no_english
def test_numbers_facts_and_costs_say_nothing_in_english_but_names(
    catalogue_names: set[str],
) -> None:
    books = shipped_library().catalogue("chainmail-2002", ["practice", "known-cards"])
    mine = (
        take("practice/embalmer-voskeh"),
        take("practice/bonegnaw-raider", 2, "reserve"),
        take("known-cards/human-warrior"),
    )
    report = judge(books, *mine)
    assert unhidden(shown(report), catalogue_names) == set()
    marks = [mark for numbers in report.lines.values() for mark in side_marks(numbers)]
    assert marks
    assert unhidden(" ".join(marks), set()) == set()
    sizes = [(1, 1), (5, 5), (20, 50), (5, None)]
    descriptions = [words(low, high) for low, high in sizes for words in (size_words, size_range)]
    elves = shipped_library().catalogue("t9a-2023", ["highborn-elves"])
    descriptions += [
        option_cost(option) for unit in elves.units.values() for option in unit.offer.options()
    ]
    assert unhidden(" ".join(descriptions), set()) == set()


BROKEN_LISTS: list[Any] = [
    b"no json",
    b'{"a": 1, "a": 2}',
    b"[]",
    {"format": "armylist/1"},
    {"format": 3, "units": "none", "limit": "big"},
]


@in_no_english
def test_the_mistakes_of_a_book_and_of_a_list_are_reported_in_no_english() -> None:
    system = shipped_library().system("chainmail-2002")
    units = [
        {"id": "a", "name": "A", "points": 1, "attributes": {"faction": "none", "mood": "bad"}},
        {"id": "a", "name": "B", "stats": {"speed": 3, "luck": 1}, "abilities": ["flight"]},
        {"id": "c", "name": "C", "points": 2, "abilities": ["commander", "untrained-troop 2"]},
    ]
    book = book_data(*units, system=system.id)
    problems = book_problems(book, system, "book")
    assert len(problems) > 5
    names = set(strings(book)) | names_in("chainmail-2002/system") | {"commander id points"}
    for problem in problems:
        assert unhidden(f"{problem.message} {problem.advice}", names) == set()
    keys = {"expecting value json utf none big armylist format system books limit units name"}
    for broken in BROKEN_LISTS:
        with pytest.raises(Refusal) as refused:
            read_document(broken if isinstance(broken, bytes) else json.dumps(broken).encode())
        sentences = [refused.value.sentence]
        sentences += [f"{one.message} {one.advice}" for one in refused.value.problems]
        assert unhidden(" ".join(sentences), keys) == set(), broken
        assert all(HIDDEN in words for words in sentences), broken


CREATURE = {
    "name": "Ogre", "type": "giant", "alignment": "evil", "hit_dice": "4d8+8", "hit_points": "26",
    "speed": "30", "fly": "60", "armor_class": "16", "melee_attack": "8", "melee_damage": "2d8+7",
    "melee_number": "2", "second_attack": "3", "second_damage": "1d6", "ranged_attack": "1",
    "ranged_damage": "1d8+5", "ranged_kind": "thrown", "one_shot": "yes", "fortitude": "6",
    "reflex": "0", "will": "1", "intelligence": "6", "charisma": "-2", "size": "large",
    "turning_level": "3", "base_attack": "3", "feats": "Power Attack\nDodge\nCleave\nBrew Potion",
    "abilities": "sneak-attack 1", "dwarf": "yes", "commoner": "yes", "burrow": "10",
}  # fmt: skip
#: Names of the game's abilities and of feats, which stand in results.
OF_THE_GAME = {
    *("difficult wild independent untrained scary extra melee ranged attack", "blunt large")
}


@in_no_english
def test_the_steps_and_fields_of_a_conversion_are_reported_in_no_english() -> None:
    made = convert(read_scores(CREATURE), read_choices({"power_attack": "yes"}))
    names = {*CREATURE.values(), *OF_THE_GAME, *strings(made.unit)}
    suggestion = suggest(made.unit)
    assert unhidden(suggestion.sentence, {str(HUMAN_GLAIVER["name"])}) == set()
    for step in (*made.steps, *suggestion.steps):
        text = " ".join([step.what, step.given, step.how, step.result, step.choice])
        assert unhidden(text, names | {"human glaiver"}) == set(), step
    for field in (*FIELDS, *CHOICE_FIELDS):
        choices = [str(name) for _, name in field.choices if field.name not in ("type", "size")]
        text = " ".join([str(field.label), str(field.help), str(field.section), *choices])
        assert unhidden(text, set()) == set(), field.name
    with pytest.raises(BadScores) as bad:
        read_scores({field.name: "?" for field in FIELDS})
    text = " ".join(bad.value.errors.values())
    assert unhidden(text, {*SIZES, *TYPES, "sneak attack immune fire"}) == set()
