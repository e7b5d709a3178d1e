"""Long lists and long shelves in the builder: a stretch at a time, and all of it in the end."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.army import start_of
from armybuilder.pages.builder.pieces import WHOLE
from tests.building.documents import army, repeated, skirmish
from tests.conftest import Builder

#: Bytes of the first page of a list of any length.
FIRST_PAGE = 120_000
HTMX = {"HX-Request": "true"}
LINE = re.compile(r'<li id="(\w+)" class="line')
FURTHER = re.compile(r'<li class="more-units" id="(\w+)"><a class="alone" href="([^"]*)"')


Start = Callable[[dict[str, Any]], Builder]


@pytest.fixture
def start(client: Client, db: None) -> Start:

    def begin(document: dict[str, Any]) -> Builder:
        books = [document["books"][0]["id"]]
        builder = Builder(client, document["system"], limit=document["limit"], books=books)
        builder.store(**document)
        return builder

    return begin


def fetched(builder: Builder, address: str) -> str:
    return builder.client.get(address.replace("&amp;", "&"), headers=HTMX).text


def all_lines(builder: Builder, page: str) -> list[str]:
    """The lines of a page, when every way to more of them has been followed."""
    ids: list[str] = []
    for part in re.split(r"(?=<ol class=\"lines\">)", page)[1:]:
        ids += LINE.findall(part)
        while found := re.search(r'hx-get="([^"]*part=lines)"', part):
            part = fetched(builder, found[1])
            assert LINE.findall(part)
            ids += LINE.findall(part)
    return ids


@pytest.mark.parametrize("units", [1, WHOLE])
@pytest.mark.parametrize("document", [skirmish("sbh"), army()], ids=["sbh", "t9a"])
def test_a_short_list_comes_whole(start: Start, document: dict[str, Any], units: int) -> None:
    page = start(repeated(document, units)).page
    assert len(LINE.findall(page)) == units
    assert "more-units" not in page
    assert 'id="shelf"' in page


@pytest.mark.one_in(3)
@pytest.mark.parametrize("units", [WHOLE + 1, 500])
@pytest.mark.parametrize("system", ["sbh", "chainmail-2002", "ddm-2008"])
def test_a_long_list_comes_in_stretches_and_wholly(start: Start, system: str, units: int) -> None:
    builder = start(repeated(skirmish(system), units))
    page = builder.page
    assert len(page) < FIRST_PAGE
    assert LINE.findall(page) == [f"u{number}" for number in range(1, 31)]
    assert all_lines(builder, page) == [f"u{number}" for number in range(1, units + 1)]


@pytest.mark.slow
def test_a_long_army_has_all_its_headings_wholly_its_units_and_the_open_one(start: Start) -> None:
    builder = start(army(200))
    short, page = start(army(50)).page, builder.page
    heading = re.compile(r"<h3>([^<]*)</h3>\s*<details class=\"menu made\"")
    assert heading.findall(page) == heading.findall(short)
    assert len(page) < 1.1 * FIRST_PAGE
    found = all_lines(builder, page)
    assert sorted(found) == sorted(unit["id"] for unit in army(200)["units"])
    # The open unit is in what is shown first.
    for part in ({}, {"part": "list"}):
        page = builder.client.get(builder.url, {"open": "u170", **part}).text
        assert "u170" in LINE.findall(page)
        assert 'data-unit="u170"' in page
    # Where a stretch starts.
    order = [f"u{number}" for number in range(100)]
    assert start_of(order, 10, 0, ("", "")) == 0
    assert start_of(order, 10, 35, ("", "u36")) == 35
    assert start_of(order, 10, 35, ("u7", "u36")) == 0
    assert start_of(order, 10, 35, ("gone", "u99")) == 90
    assert start_of(order[:WHOLE], 10, 35, ("u59", "")) == 0


@pytest.mark.slow
def test_without_script_links_lead_on_and_back_and_to_the_shelf(start: Start) -> None:
    builder = start(repeated(skirmish("sbh"), 100))
    [(first, address)] = FURTHER.findall(builder.page)
    assert first == "u31"
    assert address.endswith("from=30#u31")
    page = builder.client.get(address.partition("#")[0]).text
    assert LINE.findall(page) == [f"u{number}" for number in range(31, 61)]
    (back, address), (further, _) = FURTHER.findall(page)
    assert (back, further) == ("u1", "u61")
    page = builder.client.get(address.partition("#")[0]).text
    assert LINE.findall(page)[0] == "u1"
    # The shelf follows the page of a long list.
    page = builder.page
    assert 'id="shelf"' not in page
    address = re.search(r'id="book-follows" href="([^"#]*)"\s+hx-get="([^"]*)"', page)
    assert address
    assert "human-warrior" in fetched(builder, address[2])
    assert "human-warrior" in builder.client.get(address[1].replace("&amp;", "&")).text
    # A unit that was changed is in what is shown.
    for htmx in (True, False):
        response = builder.act("more", htmx=htmx, unit="u70")
        if not htmx:
            assert response["Location"].endswith("?from=60#u70")
            response = builder.client.get(response["Location"])
        lines = LINE.findall(response.text)
        assert lines == [f"u{number}" for number in range(61, 91)]
    answer = builder.act("remove", htmx=True, unit="u40", **{"now-at": "30"}).text
    assert "u40" not in LINE.findall(answer)
    assert {"u39", "u41"} <= set(LINE.findall(answer))


@pytest.mark.slow
def test_only_the_ends_of_the_whole_list_cannot_be_moved_further(start: Start) -> None:
    builder = start(repeated(skirmish("sbh"), 70))
    for unit, way in (("u1", "up"), ("u70", "down")):
        page = fetched(builder, f"{builder.url}?open={unit}&part=list")
        assert re.findall(r'id="(up|down)-u\d+"[^>]*aria-disabled="true"', page) == [way]
    page = fetched(builder, f"{builder.url}?open=u31&part=list")
    assert not re.findall(r'id="(?:up|down)-u\d+"[^>]*aria-disabled="true"', page)
    # An address without sense shows the beginning.
    for asked in ("-1", "x", "70", "9" * 30, ""):
        page = builder.client.get(builder.url, {"from": asked}).text
        assert LINE.findall(page)[0] == "u1"


@pytest.mark.slow
def test_a_conflict_and_a_refusal_are_no_longer_than_the_page(start: Start) -> None:
    builder = start(repeated(skirmish("sbh"), 500))
    first = builder.version.pk
    builder.act("describe", unit="u5", name="One")
    conflict = builder.act("describe", unit="u5", name="Two", version=first)
    assert conflict.status_code == 409
    refused = builder.act("more", unit="nobody")
    assert refused.status_code == 422
    for response in (conflict, refused):
        assert len(response.content) < 2 * FIRST_PAGE


@pytest.mark.slow
def test_many_findings_are_shown_by_the_first_of_each_kind(start: Start) -> None:
    units = [{"unit": "highborn-elves/no-such", "models": 1}]
    for number, told in ((10, 10), (60, 50), (200, 3)):
        builder = start(repeated({**army(), "units": units}, number))
        page = builder.page
        codes = [
            finding.code
            for finding in judge(builder.version.document, shipped_library()).report.findings
        ]
        most = 50 if number <= WHOLE else 3
        assert page.count('<li class="finding error') <= most * len(set(codes))
        assert codes.count("unit.unknown") == number
        assert page.count("no-such") >= told


@pytest.mark.slow
def test_a_long_shelf_comes_in_parts_and_search_is_over_all_of_it(start: Start) -> None:
    every = sorted(shipped_library().books["t9a-2023"])
    builder = start({**army(), "books": [{"id": book} for book in every]})
    page = builder.page
    assert page.count('class="entry ') == 60
    address = re.search(r'hx-get="([^"]*shelf=120[^"]*)"', page)
    assert address
    assert fetched(builder, address[1]).count('class="entry ') == 120
    total = len(shipped_library().catalogue("t9a-2023", every).units)
    assert f"Show {total - 60} more units" in page
    last = shipped_library().books["t9a-2023"][every[-1]]
    name = list(last.units.values())[-1].name
    assert name in fetched(builder, f"{builder.url}?q={quote(name)}")
    safe = fetched(builder, f"{builder.url}?safe=1")
    assert 0 < safe.count('class="entry ') <= 60
