"""Whatever people call their books, units, options and lists: pages show it as text."""

import re
from dataclasses import replace
from html import escape
from html.parser import HTMLParser

import pytest
from django.template import Context
from django.test import Client
from django.utils.translation import override

from armybuilder import tags
from armybuilder.advice import answers
from armybuilder.advice.answers import MOST_CULPRITS, Culprit, FindingView, Remedy
from armybuilder.engine.citations import RuleHead
from armybuilder.html import EMPTY
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder import army, beside, list_page, options, panes, pieces
from armybuilder.pages.builder import shelf as builder_shelf
from armybuilder.pages.builder.pieces import GaugeView
from armybuilder.pages.builder.shelf import ShelfEntry
from armybuilder.pages.forces import page as forces_page
from armybuilder.pages.forces import units as force_units
from armybuilder.pages.forces import views as force_views
from armybuilder.pages.gallery import views as gallery_views
from armybuilder.pages.templatetags import cards, shelf, shown
from armybuilder.pages.templatetags import events as events_tags
from armybuilder.pages.templatetags import findings as findings_tags
from armybuilder.pages.templatetags.shelf import shelf_entries
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.guards.code import modules

#: Leaves an attribute and a tag, and opens an element, wherever it is not escaped.
NAME = """O'Hara "><blink a='&"""
WRITTEN = escape(NAME)

#: What makes HTML in Python, with a piece of what it draws around a name, on the builder's page or
#: that of the charts. What only hands on is told where it is from.
DRAWN = {
    shelf: '<span class="entry-name"><a [^>]*><strong dir="auto">{}</strong>',
    army: '<span class="unit-what"><strong dir="auto">{}</strong>',
    pieces: '<ul class="made-of"><li><a href="#u1" dir="auto">{}</a>',
    options: '<span class="option-name">{}',
    beside: '<text x="1" y="14">{}</text>',
    builder_shelf: '<option value="[^"]*">{} \\(1\\)</option>',
    answers: '<a href="[^"]*" data-view="unit" hx-get="[^"]*" data-goto="unit-title">{}</a>',
    findings_tags: '<p class="culprits">(?:<span>)?<a [^>]*>{}</a>',
    list_page: '<form method="post" action="[^"]*q=O%27Hara[^"]*">',
}
HANDED_ON = {
    shown: "a template",
    cards: "stat lines of books; tests/pages/builder/test_unit_card.py",
    events_tags: "what `shown` makes",
    panes: "templates and what it is given",
    gallery_views: "an address",
    tags: "addresses and names of icons; tests/test_html.py",
    **dict.fromkeys(
        (force_units, force_views, forces_page),
        "names of files; tests/pages/forces/test_builder.py",
    ),
}


class Reader(HTMLParser):
    """What a page is read as."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.names: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.names |= {name for name, _ in attrs}


def test_every_source_of_html_is_tested() -> None:
    users = {module.name for module in modules() if "from armybuilder.html import" in module.text}
    assert users == {module.__name__ for module in (*DRAWN, *HANDED_ON)}


@pytest.fixture
def pages(client: Client, db: None) -> str:
    """The builder and the charts of a list in which everything is called so."""
    book = Shelf(client, "t9a-2023", NAME)
    fields = {"name": NAME, "points": "90", "keywords": NAME, "options": f"{NAME}, 20"}
    assert client.post(f"{book.url}units/new/", fields).status_code == 302
    unit = book.data["units"][0]["id"]
    army_list = Builder(client, "t9a-2023", limit=4500, books=[book.id], name=NAME)
    army_list.act("add", ref=f"{book.id}/{unit}")
    army_list.act("describe", unit="u1", name=NAME, notes=NAME)
    page = client.get(army_list.url, {"open": "u1", "q": "O'Hara"}).text
    return page + client.get(f"{army_list.url}charts/").text


def test_a_hostile_name_is_text_on_every_page(pages: str) -> None:
    for module, shape in DRAWN.items():
        assert re.search(shape.format(re.escape(WRITTEN)), pages), module
    read = Reader(pages)
    assert "blink" not in read.tags
    assert "a" not in read.names


EVIL = '<b onclick="x">&\''
SAFE = "&lt;b onclick=&quot;x&quot;&gt;&amp;&#x27;"


def an_entry(**fields: object) -> ShelfEntry:
    units = shipped_library().books["sbh"]["profiles"].units
    unit = replace(next(iter(units.values())), name=EVIL)
    told = {"mark": "breaks", "says": (EVIL,), "lacks": EVIL, "unknown": EVIL, "settles": (EVIL,)}
    drawn = {
        "points": "7",
        "start": EVIL,
        "facts": EVIL,
        "held": (EVIL, EVIL),
        "abilities": (EVIL,),
        **told,
        **fields,
    }
    return ShelfEntry(unit=unit, **drawn)  # type: ignore[arg-type]


def a_rule() -> RuleHead:
    rule = next(iter(shipped_library().system("sbh").rules))
    return replace(rule.head, summary=EVIL)


def a_telling(culprits: int) -> FindingView:
    named = tuple(Culprit(f"u{number}", EVIL) for number in range(culprits))
    return FindingView("why", "error", "broken", "", "", a_rule(), "", False, None, named, ())


def test_whatever_an_entry_of_the_shelf_says_is_escaped_and_in_the_reader_s_language() -> None:
    html = shelf_entries([an_entry(found=EVIL)], 'hx-post="/act/"')
    assert EVIL not in html
    assert html.count(SAFE) == 14
    # An entry speaks the readers language.
    with override("de"):
        html = shelf_entries([an_entry()], "")
    assert "Würde" in html
    assert "Would settle" not in html
    # It shows whether it is ticked, and how it would fit.
    for fields, said in (
        ({"ticked": True}, 'value="on" checked'),
        ({"lacks": "Needs 7 points."}, 'class="entry breaks"'),
        ({"mark": "fits", "lacks": ""}, 'class="entry fits"'),
    ):
        assert said in shelf_entries([an_entry(**fields)], "")
        assert said not in shelf_entries([an_entry(mark="over", lacks="")], "")


def test_what_a_gauge_a_select_and_an_answer_say_is_escaped() -> None:
    gauge = GaugeView(EVIL, EVIL, False, 50, EVIL, "", a_rule(), EVIL)  # type: ignore[arg-type]
    assert EVIL not in gauge.html
    assert gauge.html.count(SAFE) == 5
    assert pieces.options([(EVIL, EVIL)], EVIL).count(SAFE) == 2
    assert Remedy("", {"name": EVIL}).inputs == f'<input type="hidden" name="name" value="{SAFE}">'
    # A finding names a dozen units, and counts the others.
    assert a_telling(MOST_CULPRITS).more_culprits == 0
    telling = a_telling(MOST_CULPRITS + 3)
    assert telling.more_culprits == 3
    assert telling.links.count("<a ") == telling.links.count(SAFE) == MOST_CULPRITS
    assert EVIL not in telling.links
    words = {"sentence": EVIL, "by": EVIL, "citation": EVIL, "answers": (Remedy(EVIL, {}),)}
    context = Context({"act_form": EMPTY, "form_keys": EMPTY, "asks": EMPTY})
    drawn = findings_tags.findings(context, [replace(telling, **words)])
    assert EVIL not in drawn
    assert drawn.count(SAFE) == MOST_CULPRITS + 5
    assert "and 3 more" in drawn
