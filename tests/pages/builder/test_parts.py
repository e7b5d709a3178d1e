"""Of the bar and the shelf what has changed is sent; a new error is announced until it is gone."""

import gc
import re
from weakref import ref

import pytest
from django.http import HttpResponse
from django.test import RequestFactory

from armybuilder.advice.finding_details import FindingPresenter
from armybuilder.pages.answers import render_for_htmx
from tests.conftest import Builder
from tests.markup import flat, found_in, lacking

MENU = '<details id="lists" data-same></details>'
WAYS = '<span id="bar-ways" data-same></span>'


def bar_parts_in(page: str) -> str:
    found = re.findall(r'<\w+ [^>]*\bid="(lists|bar-ways)"[^>]* data-part="(\w+)"', page)
    assert len(found) == 2
    return ",".join(f"{name}:{mark}" for name, mark in found)


def posted(builder: Builder, known: str, **fields: str) -> str:
    headers = {"HX-Request": "true", "X-Parts": known}
    posted = {"version": builder.version.pk, **fields}
    answer: HttpResponse = builder.client.post(f"{builder.url}act/", posted, headers=headers)
    assert answer.status_code == 200
    return answer.text


def test_of_the_bar_only_what_has_changed_is_sent(sbh: Builder) -> None:
    known = bar_parts_in(sbh.page)
    answer = posted(sbh, known, act="add", ref="profiles/human-warrior")
    assert lacking(answer, MENU, WAYS, 'id="undo"') == []
    without = posted(sbh, "", act="add", ref="profiles/human-warrior")
    assert bar_parts_in(without) == known
    assert "My lists" in without
    assert "My lists" not in answer
    # A new name and another language are sent.
    known = bar_parts_in(sbh.page)
    answer = posted(sbh, known, act="rename", name="Gate Watch")
    assert MENU not in answer
    assert lacking(answer, '<h1 dir="auto">Gate Watch</h1>', WAYS) == []
    known = bar_parts_in(sbh.page)
    sbh.client.cookies["django_language"] = "de"
    answer = posted(sbh, known, act="add", ref="profiles/human-warrior")
    assert found_in(answer, MENU, WAYS) == []


def shelf(builder: Builder, known: str = "", **query: str) -> str:
    """What a search answers to a browser that has the parts `known`."""
    headers = {"HX-Request": "true", "X-Parts": known}
    return builder.client.get(builder.url, {"view": "units", **query}, headers=headers).text


def test_of_the_shelf_only_what_has_changed_is_sent(elves: Builder) -> None:
    first = shelf(elves)
    assert first.count('class="entry ') == 22
    parts = re.findall(r'<\w+ id="((?:entries|facets)[^"]*)"[^>]* data-part="(\w+)"', first)
    known = ",".join(f"{name}:{mark}" for name, mark in parts)
    again = shelf(elves, known)
    assert found_in(again, 'class="entry ', "<select") == []
    assert again.count("data-same") == known.count(":")
    assert len(again) < len(first) / 4
    # A group that has changed is sent and so are filters.
    for _ in range(2):
        elves.act("add", ref="highborn-elves/sky-sloop")
    after = shelf(elves, known)
    assert 'id="add-highborn-elves/sky-sloop"' in after
    assert 'id="add-highborn-elves/citizen-spears"' not in after
    found = shelf(elves, known, q="sloop")
    assert 0 < found.count('class="entry ') < 22
    assert re.search('<div id="facets"[^>]* hx-swap-oob="morph"', found)


def test_undo_draws_units_anew_only_where_books_change(elves: Builder, chainmail: Builder) -> None:
    elves.act("add", ref="highborn-elves/mage")
    assert "list-changed" in elves.act("undo", htmx=True)["HX-Trigger-After-Swap"]
    # Undo draws the units anew where the books change.
    books = re.findall(r'name="book"\s+value="([^"]+)"', chainmail.page)
    other = next(book for book in books if book != "practice")
    assert (
        "book-changed" in chainmail.act("add-book", htmx=True, book=other)["HX-Trigger-After-Swap"]
    )
    assert "book-changed" in chainmail.act("undo", htmx=True)["HX-Trigger-After-Swap"]


def add(builder: Builder, unit: str, **fields: str) -> str:
    answer = builder.act("add", htmx=True, ref=f"highborn-elves/{unit}", **fields)
    return flat(answer.text)


def news(page: str) -> str:
    begun = page.index('id="news"')
    return page[begun : page.index("</section>", begun)]


def said(page: str) -> str:
    return page.split('hx-swap-oob="innerHTML:#said">')[1].split("</div>")[0]


def test_a_new_error_is_announced_with_what_helps_and_read_out_once(elves: Builder) -> None:
    for unit in ("high-prince", "sky-sloop", "sky-sloop"):
        page = add(elves, unit)
        assert "news-line" not in page  # what is only to do is not announced
    page = add(elves, "sky-sloop")
    told = news(page)
    sentence = "Sky Sloop: 3 taken, maximum 2."
    assert sentence in told
    assert lacking(told, "Remove", "view=errors") == []
    assert sentence in said(page)
    shown = told.split('name="now-news" value="')[1].split('"')[0]
    page = add(elves, "mage", **{"now-news": shown})
    assert sentence in news(page)
    assert sentence not in said(page)
    closed = add(elves, "citizen-spears")
    assert "news-line" not in closed
    answer = elves.act("remove", htmx=True, unit="u4", **{"now-news": shown})
    assert "news-line" not in answer.text  # it goes with the error


@pytest.mark.slow
def test_what_is_announced_is_the_first_of_the_errors_for_as_long(elves: Builder) -> None:
    for unit in ["giant-eagles"] * 3:
        add(elves, unit)
    for _ in range(3):
        page = add(elves, "sky-sloop")
    shown = news(page).split('name="now-news" value="')[1].split('"')[0]

    def errors(page: str) -> str:
        return page[page.index('id="findings"') :]

    assert errors(page).index("Sky Sloop:") < errors(page).index("Giant Eagles:")
    page = add(elves, "citizen-spears", **{"now-news": shown})
    assert "Sky Sloop: 3 taken" in news(page)
    assert errors(page).index("Sky Sloop:") < errors(page).index("Giant Eagles:")
    fields = {"view": "errors", "now-news": shown}
    stale = {"HX-Request": "true", "HX-Target": "shelf", "X-Stale": "verdict"}
    later = flat(elves.client.get(elves.url, fields, headers=stale).text)
    assert errors(later).index("Sky Sloop:") < errors(later).index("Giant Eagles:")
    assert errors(elves.page).index("Sky Sloop:") > errors(elves.page).index("Giant Eagles:")


def test_two_errors_are_settled_by_one_button(elves: Builder) -> None:
    for unit in (*["giant-eagles"] * 3, *["sky-sloop"] * 3):
        page = add(elves, unit)
    fields = dict(re.findall(r'name="(act|proposal)" value="([^"]*)"', news(page)))
    assert "Fix all: Remove" in news(page)
    assert {"giant-eagles", "sky-sloop"} <= {one["unit"][15:] for one in elves.document["units"]}
    answer = elves.act(fields.pop("act"), htmx=True, **fields)
    assert answer.status_code == 200
    assert "news-line" not in answer.text
    assert "finding error broken" not in elves.page
    assert len(elves.document["units"]) == 4


@pytest.mark.slow
def test_without_script_it_is_on_the_page_after_the_act(elves: Builder) -> None:
    for _ in range(3):
        answer = elves.act("add", ref="highborn-elves/sky-sloop")
    page = elves.client.get(answer["Location"].partition("#")[0]).text
    assert "3 taken, maximum 2" in news(flat(page))
    assert "news-line" not in elves.page


@pytest.mark.slow
def test_remedies_of_errors_that_nobody_sees_are_not_tried(
    elves: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(2):
        add(elves, "sky-sloop")
    monkeypatch.delattr(FindingPresenter, "tellings")
    fields = {"act": "add", "ref": "highborn-elves/sky-sloop", "version": str(elves.version.pk)}
    seen = {"HX-Request": "true", "X-Shown": "list,book,unit"}
    answer = elves.client.post(f"{elves.url}act/", fields, headers=seen)
    told = news(flat(answer.text))
    assert "3 taken, maximum 2." in told
    assert told.count('id="news-answer"') == 1


def test_what_a_page_is_made_of_is_let_go_once_it_is_drawn(rf: RequestFactory) -> None:
    page = type("Page", (), {"left_words": "7 left"})()
    gone = ref(page)
    gc.disable()
    try:
        drawn = render_for_htmx(rf.get("/"), "builder/_points.html", {"page": page})
        del page
        assert gone() is None
    finally:
        gc.enable()
    assert b"7 left" in drawn.content
