"""The figures the project promises, measured by `make bench`; each fails above its target.

Targets stand in the README. A median is compared, but for the click, whose 95th percentile is
held against a bare Django view that does the same reading, saving and rendering in this run.
"""

import datetime
import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from io import BytesIO
from statistics import median
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.db.models import TextField
from django.db.models.functions import Cast
from django.http import HttpRequest, HttpResponse
from django.template import Template, engines
from django.test import Client
from django.test.utils import _TestState
from django.urls import path
from pypdf import PdfReader
from pytest_benchmark.fixture import BenchmarkFixture

from armybuilder.authoring import edits, tables
from armybuilder.authoring.cards import CardForm
from armybuilder.engine import choices, validate
from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.offers import offers
from armybuilder.engine.roster import Roster
from armybuilder.lists import compaction, services
from armybuilder.lists.compaction import text_of
from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import CATALOGUE_DIR, load_library, shipped_library
from armybuilder.sheets.cards.cards_pdf import draw_cards
from armybuilder.sheets.content.cards import faces_of_units
from armybuilder.sheets.content.make import Material, sheet_of
from armybuilder.sheets.content.setup import KINDS, Setup
from armybuilder.sheets.printing.printouts import draw_pdf, print_list
from armybuilder.takeout.reading import bring_in
from armybuilder.urls import urlpatterns as site_urls
from tests.benchmarks.percentiles import p95
from tests.building.documents import SKIRMISH, army, repeated, skirmish, value_of
from tests.conftest import Builder
from tests.takeout.everything import history_zip


def resolved_army(units: int = 15) -> tuple[Roster, Catalogue]:
    document = army(units)
    catalogue = shipped_library().catalogue("t9a-2023", ["highborn-elves"])
    roster = make_roster(value_of(document), catalogue)
    assert all(pick.unit for pick in roster.picks)
    assert not roster.strays
    return roster, catalogue


def resolved(system: str) -> tuple[Roster, Catalogue]:
    document = skirmish(system)
    books = [book["id"] for book in document["books"]]
    catalogue = shipped_library().catalogue(system, books)
    roster = make_roster(value_of(document), catalogue)
    assert all(pick.unit for pick in roster.picks)
    return roster, catalogue


def held(benchmark: BenchmarkFixture, milliseconds: float) -> None:
    median = benchmark.stats.stats.median * 1000
    benchmark.extra_info["target_ms"] = milliseconds
    assert median <= milliseconds, f"{median:.3f} ms, target {milliseconds} ms"


def validate_whole(roster: Roster, catalogue: Catalogue) -> None:
    report = validate(roster, catalogue)
    assert all((report.gauges, report.facts, report.lines))


@pytest.mark.parametrize("system", SKIRMISH)
@pytest.mark.parametrize(
    ("work", "target"), [(validate, 0.1), (validate_whole, 0.5), (choices, 20)]
)
def test_15_models(
    benchmark: BenchmarkFixture, system: str, work: Callable[..., Any], target: float
) -> None:
    benchmark(work, *resolved(system))
    held(benchmark, target)


def test_validate_an_army_after_one_change(benchmark: BenchmarkFixture) -> None:
    """One model more in the last of 15 units; all else is one object in both rosters."""
    roster, catalogue = resolved_army()
    before, last = validate(roster, catalogue), roster.picks[-1]
    changed = (*roster.picks[:-1], replace(last, models=last.models + 1))
    benchmark(validate, replace(roster, picks=changed), catalogue, before)
    held(benchmark, 0.15)


@pytest.mark.parametrize("units", [15, 30, 50])
def test_validate_an_army(benchmark: BenchmarkFixture, units: int) -> None:
    """0.75 ms for 15 units with about 100 options, and no more than that for each further unit."""
    roster, catalogue = resolved_army(units)
    options = sum(len(line.loadout.taken) for line in validate(roster, catalogue).full.lines)
    benchmark.extra_info["options"] = options
    assert options > 6 * units
    benchmark(validate, roster, catalogue)
    held(benchmark, units / 20)


def test_choices_of_an_army_book(benchmark: BenchmarkFixture) -> None:
    roster, catalogue = resolved_army()
    assert len(benchmark(choices, roster, catalogue)) == len(catalogue.units) > 20
    held(benchmark, 8)


def test_offers_of_a_character(benchmark: BenchmarkFixture) -> None:
    """The tree of options that the builder shows for one open unit."""
    roster, catalogue = resolved_army()
    report = validate(roster, catalogue)
    benchmark(lambda: offers(report.full.lines[0], report))
    held(benchmark, 5)


def test_sheet_and_pdf_of_an_army(benchmark: BenchmarkFixture) -> None:
    day = datetime.date(2026, 11, 20)
    benchmark(lambda: draw_pdf(sheet_of(value_of(army()), shipped_library(), day)))
    held(benchmark, 400)


def printed(document: dict[str, Any], *kinds: str) -> bytes:
    """The file of a list's sheets of these kinds, from the document on."""
    made = Material(value_of(document), shipped_library(), datetime.date(2026, 11, 20))
    return print_list(made, Setup(kinds=kinds))


@pytest.mark.parametrize("system", [*SKIRMISH, "t9a-2023"])
def test_compact_sheet(benchmark: BenchmarkFixture, system: str) -> None:
    document, most = (army(), 2) if system == "t9a-2023" else (skirmish(system), 1)
    assert len(PdfReader(BytesIO(printed(document, "compact"))).pages) <= most
    benchmark(printed, document, "compact")
    held(benchmark, 60)


def test_full_sheet_and_cards_of_an_army(benchmark: BenchmarkFixture) -> None:
    benchmark(printed, army(), "full", "cards")
    held(benchmark, 150)


def test_size_of_a_printout_of_ten_pages() -> None:
    """Four kinds of sheet of 20 units in one file."""
    kinds = ("full", "compact", "cards", "judge")
    pdf = printed(army(20), *kinds)
    pages = len(PdfReader(BytesIO(pdf)).pages)
    kilobytes = len(pdf) / 1000
    print(f"\nPDF of {pages} pages: {kilobytes:.0f} KB (target 400)")
    assert pages >= 10
    assert kilobytes <= 400


def test_nine_cards_on_a_page(benchmark: BenchmarkFixture) -> None:
    system = shipped_library().system("ddm-2008")
    # One goes on on a second card.
    units = list(shipped_library().books[system.id]["practice"].units.values())[:8]
    catalogue = shipped_library().catalogue(system.id, ["practice"])
    faces = faces_of_units(units, catalogue)
    assert len(PdfReader(BytesIO(draw_cards(faces))).pages) == 1
    benchmark(lambda: draw_cards(faces_of_units(units, catalogue)))
    held(benchmark, 100)


def table_of(cards: int) -> str:
    """So many cards as a spreadsheet saves them."""
    heading = "Name,Cost,Faction,Alignment,Health,Abilities\n"
    rows = (f'Card {n},{n % 40},Thalos,good,3,"Commander 2, Cleave"\n' for n in range(cards))
    return heading + "".join(rows)


def looked_at(table: str, book: dict[str, Any]) -> tables.Preview:
    system = shipped_library().system(book["system"])
    grid = tables.read_grid(table)
    columns = tables.match_columns(grid, CardForm(system, book).fields)
    return tables.preview(grid, columns, system, book)


def empty_book() -> dict[str, Any]:
    system = shipped_library().system("chainmail-2002")
    return edits.new_book(system, "own-0123456789abcdef", "Bench")


def test_preview_of_a_table_of_a_thousand_cards(benchmark: BenchmarkFixture) -> None:
    """A pasted table of the largest size, read and checked cell by cell."""
    table, book = table_of(1000), empty_book()
    assert benchmark.pedantic(looked_at, (table, book), rounds=5).ready
    held(benchmark, 1000)


@pytest.mark.parametrize("cards", [30, 300])
def test_one_more_card_in_an_own_book(benchmark: BenchmarkFixture, cards: int) -> None:
    """A card typed in: read, put into its book, and the whole book checked."""
    system = shipped_library().system("chainmail-2002")
    rows = looked_at(table_of(cards), empty_book()).rows
    book = edits.put_cards(empty_book(), system, [row.read for row in rows])
    fields = {"name": "New", "points": "5", "attr-faction": "thalos", "abilities": "Commander 1"}
    benchmark(lambda: edits.put_card(book, system, CardForm(system, book).read(fields)))
    held(benchmark, 200)


def test_pdf_of_three_pages(benchmark: BenchmarkFixture) -> None:
    document = skirmish("chainmail-2002")
    twice = enumerate(document["units"] * 2)
    document["units"] = [{**unit, "id": f"u{number}"} for number, unit in twice]
    sheet = sheet_of(value_of(document), shipped_library(), datetime.date(2026, 11, 20))
    pdf = draw_pdf(sheet)
    assert len(PdfReader(BytesIO(pdf)).pages) == 3
    benchmark(draw_pdf, sheet)
    held(benchmark, 60)


def test_load_all_catalogues(benchmark: BenchmarkFixture) -> None:
    benchmark.pedantic(load_library, (CATALOGUE_DIR,), rounds=5)
    held(benchmark, 2000)


def test_an_army_book_made_when_it_is_first_asked_for(benchmark: BenchmarkFixture) -> None:
    def anew() -> tuple[tuple[Book], dict[str, Any]]:
        return (load_library(CATALOGUE_DIR).books["t9a-2023"]["highborn-elves"],), {}

    units = benchmark.pedantic(lambda book: book.units, setup=anew, rounds=5)
    assert len(units) > 20
    held(benchmark, 50)


def test_start_of_the_app_with_its_memory(benchmark: BenchmarkFixture) -> None:
    """A fresh process, as gunicorn starts it, up to the first page: seconds, and peak memory of
    that process. It may keep what it compiles, as a server does. (`getrusage` would tell the peak
    of the process before it.)
    """
    script = (
        "import pathlib, re; import armybuilder.wsgi;"
        "from django.test import Client; from django.conf import settings;"
        "settings.ALLOWED_HOSTS.append('testserver');"
        "assert Client().get('/library/').status_code == 200;"
        "status = pathlib.Path('/proc/self/status').read_text();"
        "print(int(re.search(r'VmHWM:\\s+(\\d+)', status)[1]) // 1024)"
    )
    world = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

    def start() -> int:
        command = [sys.executable, "-c", script]
        return int(subprocess.run(command, capture_output=True, check=True, env=world).stdout)

    megabytes = benchmark.pedantic(start, rounds=5, warmup_rounds=1)
    benchmark.extra_info["megabytes"] = megabytes
    print(f"\npeak memory of a worker after its first page: {megabytes} MB (target 160)")
    assert megabytes <= 160
    held(benchmark, 1700)


FLOOR_PAGE = (
    "<!doctype html><h1>{{ document.name }}</h1>"
    "{% for unit in document.units %}<p>{{ unit.unit }} {{ unit.models }}</p>{% endfor %}"
)


def floor(request: HttpRequest, list_id: str) -> HttpResponse:
    """The least a Django view must do for a click: read, save, version and render a document."""
    versions = Version.objects.select_related("army_list").defer("document")
    as_text = versions.annotate(text=Cast("document", TextField()))
    version = as_text.get(army_list_id=list_id, number=1)
    with transaction.atomic():
        document = json.loads(version.text)
        ArmyList.objects.filter(pk=list_id).update(number=1)
        Version.objects.create(
            army_list=version.army_list,
            number=time.monotonic_ns() % 2**31,
            document=document,
            act="x",
        )
    page = engines["django"].from_string(FLOOR_PAGE)
    return HttpResponse(page.render({"document": document}, request))


#: A part of a page, as the browser tells what it has.
PART = re.compile(r'<\w+ [^>]*\bid="([\w-]+)"[^>]*\bdata-part="([0-9a-f]+)"')
urlpatterns = [*site_urls, path("floor/<uuid:list_id>/", floor)]


def deeper(frames: int, act: Callable[[], Any]) -> Any:
    """Do the act so many calls further down the stack."""
    return act() if frames == 0 else deeper(frames - 1, act)


def clock_in_turn(*acts: Callable[[], Any], rounds: int = 300) -> list[list[float]]:
    """Seconds each act takes, done in turn, so that a busy moment of the machine hits all alike.

    The interpreter's stack grows in pieces, and a loop that happens to call across the edge of one
    takes up to twice as long. Where that edge lies depends on who calls, so the acts are done at
    many depths.
    """
    times: list[list[float]] = [[] for _ in acts]
    for round_number in range(-20, rounds):
        for act, taken in zip(acts, times, strict=True):
            begun = time.perf_counter()
            deeper(round_number % 40, act)
            if round_number >= 0:
                taken.append(time.perf_counter() - begun)
    return times


@pytest.fixture
def plain_templates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Templates as they are served: test runs otherwise copy every template's whole context."""
    monkeypatch.setattr(Template, "_render", _TestState.saved_data.template_render)


@pytest.mark.usefixtures("plain_templates")
@pytest.mark.urls("tests.benchmarks.test_figures")
@pytest.mark.parametrize("system", [*SKIRMISH, "t9a-2023"])
def test_a_click_beside_the_django_floor(
    client: Client, transactional_db: None, system: str
) -> None:
    """One click of a list of 15 models or units as Chromium sends it on a desk: with the panes that
    are seen, and the parts that the page has; an army's with that unit open. Floor with a 6 KB
    document.
    """
    document = army() if system == "t9a-2023" else skirmish(system)
    books = [book["id"] for book in document["books"]]
    builder = Builder(client, system, limit=document["limit"], books=books)
    version = builder.version
    version.document = document
    version.save()
    small = {**skirmish("sbh"), "notes": "x"}
    padding = {"id": "x", "unit": "x" * 60, "models": 1, "notes": "y" * 60}
    small["units"] = [*small["units"], *[padding] * 30]
    bare = ArmyList.objects.create(holder="")
    Version.objects.create(army_list=bare, number=1, document=value_of(small), act="x")
    assert 5500 < len(json.dumps(small)) < 7000
    steps = iter(range(10**9))
    is_army = system == "t9a-2023"
    unit, opened, side = ("u7", "?open=u7", "unit") if is_army else ("u2", "", "verdict")
    acts = ("more", "fewer")

    def send(act: str, parts: str) -> str:
        response = client.post(
            f"{builder.url}act/{opened}",
            {"act": act, "unit": unit, "version": 0},
            headers={"HX-Request": "true", "X-Shown": f"list,{side},book", "X-Parts": parts},
        )
        assert response.status_code == 200
        return response.content.decode()

    parts = dict(PART.findall(client.get(builder.url + opened).content.decode()))
    known = []
    for act in acts:
        known.append(",".join(map(":".join, parts.items())))
        parts |= PART.findall(send(act, known[-1]))

    def click() -> None:
        turn = next(steps) % 2
        assert ('class="unit-acts"' in send(acts[turn], known[turn])) is bool(opened)

    floor_times, click_times = clock_in_turn(lambda: client.get(f"/floor/{bare.pk}/"), click)
    floor_p95, click_p95 = p95(floor_times) * 1000, p95(click_times) * 1000
    print(
        f"\nclick, {system}: median {median(click_times) * 1000:.2f} ms, p95 {click_p95:.2f} ms;"
        f" floor: median {median(floor_times) * 1000:.2f} ms, p95 {floor_p95:.2f} ms;"
        f" {click_p95 / floor_p95:.1f} times the floor (target 4)"
    )
    assert click_p95 <= 4 * floor_p95


# What the longest lists cost, in seconds of the processor; each fails above its target.

__all__ = ["plain_templates"]

DAY = datetime.date(2026, 11, 22)
#: Seconds in which any sheet of any list that is allowed is printed.
PRINTED = 3.0
#: The dearest lists that are allowed.
LONGEST: Mapping[str, dict[str, Any]] = {
    **{system: repeated(skirmish(system), 500) for system in SKIRMISH},
    "t9a-2023": army(215),
    "t9a-2023, plain": repeated(
        {**army(), "units": [{**unit, "options": []} for unit in army()["units"]]}, 500
    ),
}
#: Seconds in which the first page of such a list is there.
FIRST_PAGE = 0.3
#: Times as long that ten times the units may take, where nothing but their number grows.
LINEAR = 15


def print_kind(document: Mapping[str, Any], kind: str) -> None:
    print_list(Material(value_of(document), shipped_library(), DAY), Setup(kinds=(kind,)))


def best_of(rounds: int, work: Callable[[], None]) -> float:
    """The least seconds of the processor that the work took."""
    times = []
    for _round in range(rounds):
        begun = time.process_time()
        work()
        times.append(time.process_time() - begun)
    return min(times)


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("name", LONGEST)
def test_a_sheet_of_one_of_the_longest_lists(name: str, kind: str) -> None:
    seconds = best_of(1, lambda: print_kind(LONGEST[name], kind))
    print(f"\n{kind} of {name}: {seconds:.2f} s (target {PRINTED})")
    assert seconds <= PRINTED, f"{seconds:.2f} s, target {PRINTED} s"


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != "blank"])
@pytest.mark.parametrize("system", [*SKIRMISH, "t9a-2023"])
def test_a_sheet_takes_time_in_proportion_to_its_list(system: str, kind: str) -> None:
    document = army() if system == "t9a-2023" else skirmish(system)
    sizes = (20, 50, 100, 200) if system == "t9a-2023" else (50, 100, 200, 400, 500)
    lists = {size: repeated(document, size) for size in sizes}
    for each in lists.values():
        print_kind(each, kind)  # what is remembered of words is there then
    times = {
        size: best_of(3, lambda each=each: print_kind(each, kind)) for size, each in lists.items()
    }
    told = ", ".join(f"{size} units {seconds:.2f} s" for size, seconds in times.items())
    print(f"\n{kind} of {system}: {told}")
    assert times[sizes[-1]] <= LINEAR * times[sizes[0]]


@pytest.mark.django_db
@pytest.mark.usefixtures("plain_templates")
@pytest.mark.parametrize("name", LONGEST)
def test_the_first_page_of_one_of_the_longest_lists(client: Client, name: str) -> None:
    document = LONGEST[name]
    books = [book["id"] for book in document["books"]]
    builder = Builder(client, document["system"], limit=document["limit"], books=books)
    version = builder.version
    version.document = value_of(document)
    version.save()
    page = builder.page
    seconds = best_of(3, lambda: client.get(builder.url))
    print(f"\nfirst page of {name}: {seconds:.2f} s (target {FIRST_PAGE}), {len(page) // 1000} KB")
    assert seconds <= FIRST_PAGE


# What grows: many lists, long histories, and large zips that come in beside clicks.
#
# Targets stand in the README; each figure fails above its own.

SYSTEMS = {"sbh": skirmish("sbh"), "t9a-2023": army()}


@pytest.fixture
def bundling(monkeypatch: pytest.MonkeyPatch) -> None:
    """The release before is gone."""
    monkeypatch.setattr(compaction, "_known", [True])


def builder_of(client: Client, system: str) -> Builder:
    document = SYSTEMS[system]
    books = [book["id"] for book in document["books"]]
    builder = Builder(client, system, limit=document["limit"], books=books)
    put(builder, document)
    return builder


def put(builder: Builder, document: dict[str, Any]) -> None:
    version = builder.version
    holder, list_id = version.army_list.holder, UUID(str(version.army_list_id))
    document = {**document, "books": version.document.to_dict()["books"]}
    services.replace_document(holder, list_id, version.pk, value_of(document), "Replaced.")


def clicked(builder: Builder, clicks: int) -> None:
    """So many acts, as a player does them: a unit more, a model more, a name."""
    for number in range(clicks):
        unit = f"u{number % 10 + 1}"
        act = ("more", "fewer", "rename")[number % 3]
        builder.act(act, unit=unit, name=f"Name {number}")


@pytest.mark.usefixtures("plain_templates", "bundling")
@pytest.mark.parametrize("query", ["", "?sort=points", "?verdict=legal", "?q=men&sort=name"])
def test_my_lists_of_a_thousand(
    benchmark: BenchmarkFixture, client: Client, db: None, query: str
) -> None:
    builder = builder_of(client, "t9a-2023")
    holder = builder.version.army_list.holder
    for number in range(1_000):
        document = SYSTEMS["t9a-2023" if number % 4 == 0 else "sbh"]
        made = ArmyList.objects.create(holder=holder)
        listed = value_of({**document, "name": f"List {number}"})
        Version.objects.create(army_list=made, number=1, document=listed, act="Started.")
    while b"still being judged" in client.get(f"/lists/{query}").content:
        pass
    answer = benchmark.pedantic(client.get, (f"/lists/{query}",), rounds=10, warmup_rounds=1)
    assert answer.status_code == 200
    held(benchmark, 200)


@pytest.mark.usefixtures("plain_templates", "bundling")
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_page_of_a_history_of_200(
    benchmark: BenchmarkFixture, client: Client, db: None, system: str
) -> None:
    builder = builder_of(client, system)
    clicked(builder, 200)
    for page in (1, 5):
        assert client.get(f"{builder.url}history/{page}/").status_code == 200
    benchmark.pedantic(client.get, (f"{builder.url}history/5/",), rounds=20, warmup_rounds=1)
    held(benchmark, 150)


@pytest.mark.usefixtures("plain_templates", "bundling")
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_click_on_a_list_of_200_versions(
    benchmark: BenchmarkFixture, client: Client, db: None, system: str
) -> None:
    builder = builder_of(client, system)
    clicked(builder, 200)
    steps = iter(range(10**9))
    unit = "u7" if system == "t9a-2023" else "u2"

    def click() -> None:
        act = "more" if next(steps) % 2 == 0 else "fewer"
        fields = {"act": act, "unit": unit, "version": 0}
        headers = {"HX-Request": "true"}
        answer = client.post(f"{builder.url}act/", fields, headers=headers)
        assert answer.status_code == 200

    benchmark.pedantic(click, rounds=60, warmup_rounds=3)
    held(benchmark, 60)


@pytest.mark.usefixtures("bundling")
@pytest.mark.parametrize("system", SYSTEMS)
def test_bytes_of_a_version(client: Client, db: None, system: str) -> None:
    """Of 60 clicks on a list of 15 models or units: in bundles at most a fifth."""
    builder = builder_of(client, system)
    clicked(builder, 60)
    versions = Version.objects.all()
    loose = sum(len(text_of(version.document.to_dict())) for version in versions) / len(versions)
    while compaction.bundle_some(builder.version.army_list_id, lambda work: work()):
        pass
    bundled = Version.objects.exclude(bundle=None).count()
    kept = sum(len(bundle.data) for bundle in Bundle.objects.all()) / bundled
    print(f"\n{system}: a version takes {loose:.0f} bytes, in a bundle {kept:.0f}")
    assert kept < loose / 5


@pytest.mark.usefixtures("bundling")
@pytest.mark.django_db(transaction=True)
def test_the_longest_click_while_two_large_zips_come_in() -> None:
    """Two lists of 1,200 versions, one refused at its end: the longest click under a second."""
    builder = Builder(Client(), "sbh", limit=300, books=["profiles"])

    def bringing(holder: str) -> None:
        try:
            for broken in (True, False):
                content = history_zip(1_200, broken=broken)
                bring_in(holder, BytesIO(content), shipped_library())
        finally:
            connection.close()

    threads = [threading.Thread(target=bringing, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    times: list[float] = []
    while any(thread.is_alive() for thread in threads):
        begun = time.perf_counter()
        assert builder.act("rename", name=f"Name {len(times)}").status_code == 302
        times.append(time.perf_counter() - begun)
    print(f"\n{len(times)} clicks, the longest {max(times) * 1000:.0f} ms (target 1,000)")
    assert max(times) < 1
