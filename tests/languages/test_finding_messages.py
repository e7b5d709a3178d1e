"""The tool behind `make messages` finds what is said, and keeps what is translated."""

from pathlib import Path

import pytest
from babel.messages import Catalog

from tests.languages.messages import (
    Key,
    Message,
    Unreadable,
    as_po,
    brought_up_to_date,
    of_python,
    of_template,
    read,
)
from tests.languages.untranslated import untranslated


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
