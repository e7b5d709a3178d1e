"""HTML made in Python: what goes in comes out as text, whatever it holds."""

import pytest
from django.template import Context, Template, TemplateSyntaxError

from armybuilder.html import EMPTY, Html, attributes, element, escape, fill, icon, join

HOSTILE = """<script>'&"{0}</script>"""
HARMLESS = "&lt;script&gt;&#x27;&amp;&quot;{0}&lt;/script&gt;"


def test_every_way_in_escapes() -> None:
    assert escape(HOSTILE) == HARMLESS
    assert fill("<b>{} {name}</b>", HOSTILE, name=HOSTILE) == f"<b>{HARMLESS} {HARMLESS}</b>"
    assert join([HOSTILE, Html("<i>")], HOSTILE) == f"{HARMLESS}{HARMLESS}<i>"
    assert attributes(title=HOSTILE) == f'title="{HARMLESS}"'
    assert element("b", HOSTILE, id=HOSTILE) == f'<b id="{HARMLESS}">{HARMLESS}</b>'
    assert icon(HOSTILE).endswith(f'<use href="#i-{HARMLESS}"/></svg>')


def test_what_is_html_already_stays_as_it_is_and_everything_made_is() -> None:
    inner = element("b", "A & B")
    assert inner == "<b>A &amp; B</b>"
    assert escape(inner) is inner
    assert element("p", inner, EMPTY) == fill("<p>{}</p>", inner) == f"<p>{inner}</p>"
    made = (escape(1), fill("{}", 1), join([1]), attributes(a=1), element("b", 1), icon("plus"))
    assert {type(one) for one in made} == {Html}
    assert made[0] + "<" == "1<"
    assert not isinstance(made[0] + "<", Html)  # nothing becomes HTML by standing beside it


def test_attributes_are_written_as_html_has_them() -> None:
    assert attributes(class_="a", hx_post="/act/", data_goto="u1") == (
        'class="a" hx-post="/act/" data-goto="u1"'
    )
    assert element("option", "x", value="", selected=True) == '<option value="" selected>x</option>'
    assert element("option", "x", selected=False, title=None) == "<option>x</option>"


PLUS = '<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><use href="#i-plus"/></svg>'


def drawn(text: str, **values: object) -> str:
    return Template(text).render(Context(values))


def test_templates_and_python_draw_the_same_icon_of_a_name_that_is_escaped() -> None:
    assert icon("plus") == drawn('{% icon "plus" %}') == drawn("{% icon name %}", name="plus")
    assert icon("plus") == PLUS
    assert drawn("{% icon ok|yesno:'plus,minus' kind %}", ok=True, kind="bad") == icon(
        "plus", "bad"
    )
    assert 'class="icon bad"' in icon("plus", "bad")
    assert HARMLESS in drawn("{% icon name %}", name=HOSTILE)
    for text in ("{% icon %}", '{% icon "a" "b" "c" %}'):  # an icon has a name
        with pytest.raises(TemplateSyntaxError):
            Template(text)
