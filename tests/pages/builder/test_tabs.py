"""Lists that were opened stand as tabs above the one that is shown."""

from collections.abc import Callable

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armybuilder.loading.examples import shipped_examples
from armybuilder.pages.builder.views import MOST_TABS, Tab
from tests.conftest import Builder

pytestmark = pytest.mark.django_db

Build = Callable[..., Builder]


def start(build: Build, name: str) -> Builder:
    builder = build("sbh", limit=300, books=["profiles"])
    builder.act("rename", name=name)
    return builder


def tabs(builder: Builder) -> list[str]:
    """The names in the tabs of a list's page; the one of the list itself in brackets."""
    shown = builder.client.get(builder.url).context["tabs"]
    return [f"[{tab.name}]" if tab.current else tab.name for tab in shown]


def test_one_list_alone_has_no_tabs(build: Build) -> None:
    assert tabs(start(build, "A")) == []


def test_opened_lists_keep_the_order_in_which_they_were_opened(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    start(build, "Never opened")
    tabs(first)
    assert tabs(second) == ["A", "[B]"]
    assert tabs(first) == ["[A]", "B"]


def test_of_more_lists_than_there_are_tabs_the_first_loses_its_own(build: Build) -> None:
    opened = [start(build, f"List {number}") for number in range(MOST_TABS + 1)]
    for builder in opened:
        shown = tabs(builder)
    assert len(shown) == MOST_TABS
    assert shown[0] == "List 1"
    assert shown[-1] == f"[List {MOST_TABS}]"


def test_tabs_tell_which_of_the_other_lists_are_legal(build: Build) -> None:
    empty = start(build, "Empty")
    example = shipped_examples().by_system["sbh"][0]
    legal = empty.client.post(f"/new/sbh/example/{example.id}/")["Location"]
    empty.client.get(legal)

    def told(url: str) -> list[str]:
        return [tab.report.verdict if tab.report else "" for tab in tabs_of(url)]

    def tabs_of(url: str) -> list[Tab]:
        tabs: list[Tab] = empty.client.get(url).context["tabs"]
        return tabs

    assert told(empty.url) == ["Legal", ""]
    assert told(legal) == ["", "1 to do"]


def test_closing_another_tab_stays_and_closing_its_own_goes_to_the_next(build: Build) -> None:
    first, second, third = (start(build, name) for name in "ABC")
    for builder in (first, second, third):
        tabs(builder)
    client = first.client
    here = {"here": first.url.strip("/").split("/")[-1]}
    assert client.post(f"{second.url}close/", here)["Location"] == first.url
    assert tabs(first) == ["[A]", "C"]
    assert client.post(f"{first.url}close/", here)["Location"] == third.url
    assert client.post(f"{third.url}close/", {"here": "nonsense"})["Location"] == "/lists/"
    assert tabs(third) == []


def test_a_deleted_list_has_no_tab(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    tabs(first)
    tabs(second)
    second.client.post(f"{second.url}delete/")
    assert tabs(first) == []


def test_a_list_whose_game_is_gone_does_not_break_the_others(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    tabs(first)
    version = first.version
    version.document = {**version.document.to_dict(), "system": "gone"}
    version.save()
    assert tabs(second) == ["A", "[B]"]


def test_tabs_cost_one_query_and_a_page_at_most_eight(build: Build) -> None:
    lists = [start(build, f"List {number}") for number in range(MOST_TABS)]
    counts = []
    for builder in (lists[0], *lists):
        tabs(builder)
        with CaptureQueriesContext(connection) as queries:
            builder.client.get(builder.url)
        counts.append(len(queries))
    assert counts[-1] == counts[2] <= 8
    assert counts[-1] == counts[0] + 1


def test_a_click_asks_nothing_of_the_tabs(build: Build) -> None:
    first, second = start(build, "A"), start(build, "B")
    tabs(first)
    tabs(second)
    answer = second.act("add", htmx=True, ref="profiles/human-warrior").content.decode()
    assert '<div id="open-lists" data-same></div>' in answer


def test_other_open_lists_stand_in_the_menu_and_can_be_closed_there(build: Build) -> None:
    other = start(build, "The long defence of the northern marches, first draft")
    tabs(other)
    page = other.client.get(start(build, "Here").url).content.decode()
    assert '<span dir="auto">The long defence of the northern marches, first draft</span>' in page
    assert f'action="{other.url}close/"' in page
