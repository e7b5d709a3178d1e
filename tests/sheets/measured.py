"""`python -m tests.sheets.measured`: draw every sheet of every list and count what is wrong.

Each list below on each kind of sheet and each paper. Faults are what leaves the page or stands over
something else, text under 7 points (labels and small print: 6), a letter no font has, an empty
frame or heading, a 4,500-point army on too many pages, and what archives and screen readers miss.
It prints each fault, then a table by kind and paper. `--part 2/4` does the second of four parts,
`--kinds` and `--lists` those that hold these letters. It ends with 1 where it finds a fault.
"""

import argparse
import ctypes
import os
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise, product
from typing import Any, NamedTuple

import django
import pypdfium2
import pypdfium2.raw as pdfium

from armybuilder.sheets.content.setup import KINDS, PAPERS
from armybuilder.sheets.drawing.typeface import GREY, PLACEHOLDER, is_own
from tests.sheets import finished
from tests.sheets.archive_rules import broken_rules
from tests.sheets.papers import (
    EXAMPLES,
    document,
    example,
    illegal_list,
    legal_list,
    long_army,
    own_model,
    pdf,
    practice,
    sbh_list,
)
from tests.sheets.test_letters import OTHER
from tests.sheets.test_tagged import all_parts, assert_well_structured, read_structure

Data = dict[str, Any]

#: Points of paper that printers leave white.
EDGE = 8
#: The least size of what one reads, and of labels and small print, in points, rounded as fonts are.
TEXT, LABEL = 6.95, 5.95
#: Pages of a 4,500-point army on A4 at most; an opponent's sheet has one on Letter, too.
PAGES = {"full": 2, "compact": 2, "opponent": 1, "judge": 1}
#: Sides of a frame that is to have words in it, in points, at least.
FRAME = (60, 24)

WORDS = "a word that is long enough to be read and then some more of the same kind "
ARMY = "t9a-2023/the-princes-dragon"
SIXTY = [practice("gatehouse-recruit", name=f"Unit {one}") for one in range(60)]


def _everywhere(name: str, text: str) -> Data:
    """An example whose list, units and notes are called so."""
    whole = example(name)
    units = [unit | {"name": text, "notes": f"{text}\n{text}"} for unit in whole["units"]]
    return whole | {"units": units, "name": text, "notes": text}


def _large(name: str, models: int) -> Data:
    whole = example(name)
    return whole | {"units": [unit | {"models": models} for unit in whole["units"]]}


def _made() -> Iterator[tuple[str, Callable[[], Data]]]:
    yield "an army too dear", long_army
    yield "an army of wide names", lambda: _everywhere(ARMY, "W" * 120)
    yield "an army of narrow names", lambda: _everywhere(ARMY, "i" * 120)
    yield "an army of sentences", lambda: _everywhere(ARMY, (WORDS * 2)[:120])
    yield "an army in Hebrew", lambda: _everywhere(ARMY, OTHER["Hebrew"])
    yield "an army in Chinese", lambda: _everywhere(ARMY, OTHER["Chinese"] * 4)
    yield "an army of one model a unit", lambda: _large(ARMY, 1)
    yield "an army of regiments", lambda: _large(ARMY, 60)
    yield "an army of nothing", lambda: example(ARMY) | {"units": []}
    yield "a warband", legal_list
    yield "a warband against the rules", illegal_list
    yield "a warband of nobody", document
    yield "a warband of sixty", lambda: document(*SIXTY, limit=9999)
    yield "a warband in Arabic", lambda: _everywhere(_first("chainmail-2002"), OTHER["Arabic"])
    yield "a warband of emoji", lambda: _everywhere(_first("sbh"), OTHER["emoji"])
    yield "creatures of wide names", lambda: _everywhere(_first("ddm-2008"), "W" * 120)
    yield "hordes", lambda: _large(_first("sbh"), 40)
    yield "a model of one's own", lambda: sbh_list(own_model(WORDS[:60], "leader", "lethal"))


def _first(game: str) -> str:
    return next(name for name in EXAMPLES if name.startswith(game))


HARD = dict(_made())
LISTS = {**{name: lambda name=name: example(name) for name in EXAMPLES}, **HARD}
ARMIES = {name for name in EXAMPLES if name[:3] == "t9a" and example(name)["limit"] == 4500}


class Fault(NamedTuple):
    """Something wrong on a page of a sheet: its kind, and what it is in words."""

    kind: str
    words: str


def faults(content: bytes, kind: str, scale: float = 1.0) -> Iterator[Fault]:
    """Yield what is wrong with a sheet of this kind, whatever its list."""
    opened = pypdfium2.PdfDocument(content)
    for page in opened:
        yield from _letters(page)
    opened.close()
    for page in finished.read(content):
        room = finished.margins(page, scale, kind == "cards")
        yield from (Fault("place", words) for words in finished.flaws(page, room))
        yield from (Fault("empty", f"frame at {frame}") for frame in _empty_frames(page, kind))
    yield from _empty_headings(content)
    yield from (Fault("archive", rule) for rule in broken_rules(content))
    try:
        assert_well_structured(content)
    except AssertionError as error:
        yield Fault("tags", str(error).partition("\n")[0])


def _letters(page: pypdfium2.PdfPage) -> Iterator[Fault]:
    """Yield the letters of a page that are too small, over its edge, or in no font."""
    width, height = page.get_size()
    text = page.get_textpage()
    grey = tuple(round(part * 255) for part in GREY.rgb())
    found: dict[Fault, None] = {}
    small: dict[str, str] = {}
    for place in range(text.count_chars()):
        letter = chr(pdfium.FPDFText_GetUnicode(text.raw, place))
        if letter.isspace():
            continue
        left, low, right, high = text.get_charbox(place)
        if not (left >= EDGE and low >= EDGE and right <= width - EDGE and high <= height - EDGE):
            found[Fault("edge", letter)] = None
        if letter == PLACEHOLDER:
            found[Fault("letter", "no font has it")] = None
        size = pdfium.FPDFText_GetFontSize(text.raw, place) * _grown(text, place)
        # Letters of other scripts are outlined where they are bold, and their fonts don't say so.
        bold = b"Bold" in _font(text, place) or not is_own(letter)
        label = bold or _colour(text, place) == grey
        if letter.isprintable() and size < (LABEL if label else TEXT):
            small.setdefault(f"{size:.1f}", _around(text, place))
    yield from found
    yield from (Fault("size", f"{size} points: {words}") for size, words in small.items())


def _grown(text: pypdfium2.PdfTextPage, place: int) -> float:
    matrix = pdfium.FS_MATRIX()
    pdfium.FPDFText_GetMatrix(text.raw, place, matrix)
    return max(abs(matrix.d), abs(matrix.b))


def _colour(text: pypdfium2.PdfTextPage, place: int) -> tuple[int, ...]:
    parts = [ctypes.c_uint() for _part in range(4)]
    pdfium.FPDFText_GetFillColor(text.raw, place, *parts)
    return tuple(part.value for part in parts[:3])


def _font(text: pypdfium2.PdfTextPage, place: int) -> bytes:
    name = ctypes.create_string_buffer(60)
    pdfium.FPDFText_GetFontInfo(text.raw, place, name, len(name), None)
    return name.value


def _around(text: pypdfium2.PdfTextPage, place: int) -> str:
    return text.get_text_range(place - place % 20, 20).replace("\r\n", " ")


def _empty_frames(page: finished.Page, kind: str) -> Iterator[finished.Box]:
    """Yield frames without a word in them; a record sheet's are named by the row above."""
    if kind == "blank":
        return
    wide, tall = FRAME
    for frame in page.frames:
        large = frame.right - frame.left > wide and frame.high - frame.low > tall
        if large and not any(text.box.within(frame) for text in page.texts):
            yield frame


def _empty_headings(content: bytes) -> Iterator[Fault]:
    """Yield headings that another of their level, or above it, follows at once."""
    tags = [(part.tag, part.text) for part in all_parts(read_structure(content))]
    for (tag, text), (after, _text) in pairwise([*tags, ("H1", "")]):
        if tag in ("H2", "H3") and after[:1] == "H" and after <= tag and len(tags) > 1:
            yield Fault("empty", f"nothing below {text}")


def measured(name: str, kind: str, paper: str) -> tuple[int, list[Fault]]:
    """Return how many pages a sheet has, and its faults; an army may have so many pages on A4."""
    content = pdf(LISTS[name](), kinds=kind, paper=paper, backs="1")
    with pypdfium2.PdfDocument(content) as opened:
        pages = len(opened)
    found = {*faults(content, kind)}
    counted = paper == "A4" or (paper, kind) == ("letter", "opponent")
    if name in ARMIES and counted and pages > PAGES.get(kind, pages):
        found.add(Fault("pages", f"{pages}, at most {PAGES[kind]}"))
    return pages, sorted(found)


def main(arguments: Sequence[str]) -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
    django.setup()
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--part", default="1/1")
    parser.add_argument("--kinds", default="")
    parser.add_argument("--lists", default="")
    chosen = parser.parse_args(arguments)
    part, parts = map(int, chosen.part.split("/"))
    cases = [(name, kind, paper) for name in LISTS for kind in KINDS for paper in PAPERS]
    cases = [case for case in cases if chosen.lists in case[0] and chosen.kinds in case[1]]
    counts: Counter[tuple[str, str, str]] = Counter()
    for name, kind, paper in cases[part - 1 :: parts]:
        pages, found = measured(name, kind, paper)
        counts.update({(kind, paper, "drawn"): 1, (kind, paper, "sides"): pages})
        for fault in found:
            counts[kind, paper, fault.kind] += 1
            print(f"{kind} on {paper}, {name}: {fault.kind}: {fault.words}", flush=True)
    faulty = ("edge", "place", "size", "letter", "empty", "pages", "archive", "tags")
    columns = ("drawn", "sides", *faulty)
    print(f"{'kind':<10}{'paper':<8}" + "".join(f"{column:>8}" for column in columns))
    for kind, paper in product(KINDS, PAPERS):
        numbers = (counts[kind, paper, column] for column in columns)
        print(f"{kind:<10}{paper:<8}" + "".join(f"{number:>8}" for number in numbers))
    total = sum(count for (*_sheet, column), count in counts.items() if column in faulty)
    print(f"{len(cases[part - 1 :: parts])} sheets, {total} faults")
    return int(total > 0)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
