"""Many printouts as one file: pages, bookmarks, what is shared, what it costs."""

import gc
import io
import tracemalloc
from typing import Any

import pytest
from pypdf import PdfReader

from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.printing.merging import Merger
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import skirmish
from tests.pdfs import pages_of
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import fresh
from tests.sheets.test_tagged import all_parts, assert_well_structured, read_structure

pytestmark = pytest.mark.long


def printed(name: str, *kinds: str) -> bytes:
    return print_list(fresh(skirmish("chainmail-2002") | {"name": name}), Setup(kinds=kinds))


def merged(
    *parts: tuple[str, bytes], title: str = "Some lists", both_sides: bool = False
) -> PdfReader:
    buffer = io.BytesIO()
    merger = Merger(buffer, both_sides)
    for name, content in parts:
        merger.add(name, content)
    merger.finish(title, "de")
    return PdfReader(io.BytesIO(buffer.getvalue()), strict=True)


def tree(entries: list[Any], file: PdfReader) -> list[Any]:
    """The outline as (title, page, height) and lists of what is below."""
    return [
        tree(entry, file)
        if isinstance(entry, list)
        else (entry.title, file.get_destination_page_number(entry), entry.top)
        for entry in entries
    ]


@pytest.fixture(scope="module")
def parts() -> tuple[bytes, bytes]:
    return printed("First", "full"), printed("Second", "full", "compact")


def test_on_both_sides_each_list_begins_on_paper_of_its_own() -> None:
    """Cards with backs between other sheets: twice, so that fronts and backs share their paper."""
    setup = Setup(kinds=("compact", "cards", "quick"), backs=True, duplex=True)
    content = print_list(fresh(skirmish("chainmail-2002") | {"name": "First"}), setup)
    texts = pages_of(content)
    begins = [number for number, text in enumerate(texts) if "starts on new paper" in text]
    assert begins
    assert all(number % 2 for number in begins)
    file = merged(("First", content), ("Second", content), both_sides=True)
    told = pages_of(file.stream.getvalue())
    (first, second) = (number for number, text in enumerate(told) if text == texts[0])
    assert (first, second) == (0, len(texts) + len(texts) % 2)
    fronts = [number for number, text in enumerate(told) if "Print on both sides" in text]
    backs = [number for number, text in enumerate(told) if "Backs of the cards" in text]
    assert [number + 1 for number in fronts] == backs
    assert all(number % 2 == 0 for number in fronts)
    preferences = file.root_object["/ViewerPreferences"]
    assert preferences["/PrintScaling"] == "/None"
    assert preferences["/Duplex"] == "/DuplexFlipLongEdge"


def test_many_printouts_are_one_file(parts: tuple[bytes, bytes]) -> None:
    # Every page stays as it was in its order.
    file = merged(("First", parts[0]), ("Second", parts[1]))
    pages = [page for part in parts for page in PdfReader(io.BytesIO(part)).pages]
    assert pages_of(file.stream.getvalue()) == [text for part in parts for text in pages_of(part)]
    assert [page.mediabox for page in file.pages] == [page.mediabox for page in pages]
    kept = [page.get_contents().get_data() for page in file.pages]
    assert kept == [page.get_contents().get_data() for page in pages]
    # Each printout has a bookmark with its own below.
    file = merged(("First", parts[0]), ("Ünder ☠ (x)", parts[1]))
    alone = [PdfReader(io.BytesIO(part)) for part in parts]
    first, below_first, second, below_second = tree(file.outline, file)
    later = len(alone[0].pages)
    assert (first[:2], second[:2]) == (("First", 0), ("Ünder ☠ (x)", later))
    assert below_first == tree(alone[0].outline, alone[0])
    assert below_second == moved(tree(alone[1].outline, alone[1]), later)
    # The file says what it is and in which language.
    file = merged(("First", parts[0]), title="12 Listen – „alle“")
    assert file.metadata is not None
    assert (file.metadata.title, file.metadata.author) == ("12 Listen – „alle“", "Army Builder")
    assert file.trailer["/Root"]["/Lang"] == "de"
    # Viewers number the pages of each list.
    file = merged(("First", parts[0]), ("Der Zweite", parts[1]))
    first, second = (len(PdfReader(io.BytesIO(one)).pages) for one in parts)
    assert file.page_labels == [
        *(f"First, {number}" for number in range(1, first + 1)),
        *(f"Der Zweite, {number}" for number in range(1, second + 1)),
    ]
    assert [page["/StructParents"] for page in file.pages] == [*range(first + second)]
    # It tells its structure, and may be archived.
    content = file.stream.getvalue()
    assert_well_structured(content)
    assert broken_rules(content) == []
    titles = [part.text for part in all_parts(read_structure(content)) if part.tag == "H1"]
    assert titles == ["First", "Second", "Second"]
    # What printouts have in common is written once.
    once, thrice = (merged(*[("First", parts[0])] * times) for times in (1, 3))
    assert len(thrice.pages) == 3 * len(once.pages)
    fonts = [{str(page["/Resources"]["/Font"].raw_get(key)) for key in page["/Resources"]["/Font"]}
             for page in thrice.pages]  # fmt: skip
    assert all(names == fonts[0] for names in fonts)
    # On one side nothing is left empty.
    assert len(merged(("First", parts[0]), ("Second", parts[1])).pages) == sum(
        len(PdfReader(io.BytesIO(part)).pages) for part in parts
    )


def moved(entries: list[Any], by: int) -> list[Any]:
    return [
        moved(entry, by) if isinstance(entry, list) else (entry[0], entry[1] + by, entry[2])
        for entry in entries
    ]


@pytest.mark.slow
def test_a_file_of_many_printouts_costs_no_more_memory_than_one_of_few(
    parts: tuple[bytes, bytes],
) -> None:
    class Nowhere(io.RawIOBase):
        def write(self, data: Any) -> int:
            return len(data)

    merger = Merger(Nowhere())  # type: ignore[arg-type]
    merger.add("First", parts[0])
    tracemalloc.start()
    try:
        sizes = []
        for number in range(20):
            # Nothing in common with the others.
            merger.add("Next", parts[0].replace(b"/Flags 262148", b"/Flags 2621%02d" % number))
            if number in (5, 19):
                gc.collect()  # what the readers leave refers to itself
                sizes.append(tracemalloc.get_traced_memory()[0])
    finally:
        tracemalloc.stop()
    grown = sizes[1] - sizes[0]
    # The place of each object is kept, to be listed at the end of the file.
    assert grown < 14 * len(parts[0]) / 2
