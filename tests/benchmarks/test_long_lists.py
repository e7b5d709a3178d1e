"""What the longest lists cost, in seconds of the processor; each fails above its target."""

import datetime
import time
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import KINDS, Setup
from armybuilder.sheets.printing.printouts import print_list
from tests.benchmarks.test_figures import plain_templates
from tests.building.documents import SKIRMISH, army, repeated, skirmish, value_of
from tests.conftest import Builder

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
