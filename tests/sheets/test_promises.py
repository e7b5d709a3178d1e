"""What every printout promises, checked on finished PDFs of random lists and of bad input.

Units and models of random lists are named so that a reader of the page knows them again: "Unit3x".
"""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as some
from pypdf import PdfReader
from reportlab.pdfgen.canvas import Canvas

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.make_judge import judging
from armybuilder.sheets.content.setup import CARDS, KINDS, PAPERS, SCALES, Setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.content.unit_view import UnitView
from armybuilder.sheets.drawing.typeface import REGULAR, load_fonts
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import list_of
from tests.effort import tries
from tests.pdfs import bookmarks, pages_of
from tests.properties.lists import LIBRARY, own_entry, words
from tests.sheets import finished
from tests.sheets.finished import Box, Page, flaws, read, squeezed
from tests.sheets.papers import (
    EXAMPLES,
    GAMES,
    HOSTILE,
    document,
    example,
    fresh,
    long_army,
    material,
    own_model,
    practice,
    sbh_list,
    setup,
)

Data = dict[str, Any]

#: Lists of whole armies: their units have options, which are not drawn one by one.
ARMIES = [example(name) for name in EXAMPLES if name.startswith("t9a")] + [long_army()]
WARBANDS = {
    "chainmail-2001-advanced": ["practice", "converted"],
    "chainmail-2001-basic": ["practice"],
    "chainmail-2002": ["practice", "known-cards"],
    "ddm-2008": ["practice", "known-creatures"],
    "sbh": ["profiles"],
}
CATALOGUES = {system: LIBRARY.catalogue(system, books) for system, books in WARBANDS.items()}


def mark(number: int) -> str:
    """What the name of so manieth unit of a list begins with."""
    return f"Unit{number:02}x"


def noted(number: int) -> str:
    """What the notes of so manieth unit of a list end with."""
    return f"noted{number:02}x"


@some.composite
def listed(draw: some.DrawFn, most: int = 7) -> Data:
    """A list of any game, legal or not."""
    system = draw(some.sampled_from([*WARBANDS, "t9a-2023"]))
    if system == "t9a-2023":
        document = draw(some.sampled_from(ARMIES))
        units = draw(some.lists(some.sampled_from(document["units"]), min_size=1, max_size=most))
    else:
        document = list_of(system, WARBANDS[system], [], limit=200)
        units = draw(some.lists(_entry(system), min_size=1, max_size=most))
    return document | {
        "name": draw(words),
        "notes": draw(some.just("") | some.text(max_size=80)),
        "limit": draw(some.sampled_from([100, 300, document["limit"]])),
        "units": [draw(_told(number, unit)) for number, unit in enumerate(units)],
    }


def _entry(system: str) -> some.SearchStrategy[Any]:
    catalogue = CATALOGUES[system]
    shared: Data = {
        "unit": some.sampled_from(sorted(catalogue.units)) | some.just("practice/gone"),
        "models": some.integers(1, 9),
    }
    roles = some.just([*catalogue.system.roles][:1])
    known = some.fixed_dictionaries(shared, optional={"roles": roles})
    return known | own_entry() if system == "sbh" else known


@some.composite
def _told(draw: some.DrawFn, number: int, unit: Data) -> Data:
    """The unit under a name and with notes that tell which one it is."""
    name = f"{mark(number)} {draw(some.just('') | words)}"
    notes = f"{draw(some.text(max_size=30))} {noted(number)}"
    if "profile" in unit:
        unit = unit | {"profile": unit["profile"] | {"name": name}}
    return unit | {"id": f"u{number}", "name": name, "notes": notes}


SWITCHES = ("landscape", "colour", "prices", "notes", "portraits", "backs")
#: The fields of a set-up of whatever kinds of sheet.
setups: some.SearchStrategy[Mapping[str, str]] = some.fixed_dictionaries(
    {
        "paper": some.sampled_from([*PAPERS]),
        "size": some.sampled_from([*SCALES]),
        "cards": some.sampled_from(CARDS),
        **dict.fromkeys(SWITCHES, some.sampled_from("01")),
    }
)
pytestmark = pytest.mark.long

#: Printing and reading back take a while: few examples, the same ones in every run, and none made
#: smaller where they fail.
FEW = settings(
    max_examples=tries(6, least=1),
    phases=[Phase.explicit, Phase.generate],
    derandomize=True,
)
#: The least size of letters in points, rounded as fonts are.
LEAST = 5.95
#: Kinds that tell of a list; a record sheet tells of none.
OF_LISTS = tuple(kind for kind in KINDS if kind != "blank")
#: The sheets that explain rules.
EXPLAINING = ("full", "quick", "opponent", "hidden")


class Print(NamedTuple):
    """A list, what it was printed with, its file, and what stands on its pages."""

    material: Material
    setup: Setup
    pdf: bytes
    pages: list[Page]

    @property
    def kind(self) -> str:
        return self.setup.kinds[0]

    @property
    def sheet(self) -> Sheet:
        """What the pages say of the list."""
        return self.material.open_sheet if self.kind == "hidden" else self.material.sheet

    @property
    def roomy(self) -> bool:
        """Whether every block of the random lists is lower than a page."""
        return not (self.setup.paper == "A5" and self.setup.landscape)


def printed(document: dict[str, Any], fields: Mapping[str, str]) -> Print:
    made, chosen = material(document), setup(**fields)
    pdf = print_list(made, chosen)
    return Print(made, chosen, pdf, finished.read(pdf))


@pytest.mark.parametrize("kind", KINDS)
@FEW
@given(document=listed(), fields=setups)
def test_a_printout_keeps_its_promises(kind, document, fields):
    """All in one, since a print costs more than reading it over and over."""
    made = printed(document, dict(fields) | {"kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    the_file_says_what_it_is(made)
    assert print_list(fresh(made.material.document), made.setup) == made.pdf
    if made.kind == "blank":
        assert len(made.pages) == 1
        return
    every_page_says_whose_it_is(made)
    an_illegal_list_says_so(made)
    every_unit_is_there(made)
    if made.roomy:  # What belongs together stands on one page.
        for number, parts in enumerate(parts_of_units(made)):
            assert any(in_order(page, parts) for page in made.pages), (number, parts)
    if made.kind in EXPLAINING:
        every_rule_is_explained_once(made)
        if made.kind == "quick":
            no_row_of_a_table_is_split(made)


def nothing_is_cut_and_nothing_overlaps(made):
    bare = made.kind == "cards"
    for page in made.pages:
        assert (page.width, page.height) == pytest.approx(made.setup.page, abs=0.01)
        room = finished.margins(page, made.setup.scale, bare)
        assert finished.flaws(page, room) == []
        assert all(text.size >= LEAST for text in page.texts)
    # Nothing is clipped: what is written is seen.
    for page in PdfReader(BytesIO(made.pdf)).pages:
        assert not {"W", "W*"} & set(page.get_contents().get_data().decode("latin-1").split())


def the_file_says_what_it_is(made):
    read = PdfReader(BytesIO(made.pdf))
    title = made.material.system.name if made.kind == "blank" else made.sheet.title
    assert read.metadata.title == title
    assert read.metadata.author == "Army Builder"
    assert read.trailer["/Root"]["/Lang"] == "en"
    marks = list(bookmarks(read.outline))
    assert marks
    assert all(0 <= read.get_destination_page_number(mark) < len(read.pages) for mark in marks)


def every_page_says_whose_it_is(made):
    name = squeezed(made.sheet.heading)
    for number, page in enumerate(made.pages, 1):
        said = page.squeezed
        assert name in said or name[:6] in said
        assert squeezed(made.sheet.verdict) in said
        assert made.sheet.hash in said
        assert f"page{number}of{len(made.pages)}" in said


def an_illegal_list_says_so(made):
    """A mark on every page; what the rules say against it on the first pages of all but cards."""
    assert all(marked(page, made.setup) != made.sheet.legal for page in made.pages)
    if made.sheet.legal or made.kind == "cards":
        return
    first, *_ = wrong = [
        line for line in made.sheet.findings if line.severity in ("error", "to-do")
    ]
    assert squeezed(first.sentence) in made.pages[0].squeezed
    if len(wrong) < 4 and made.setup.paper != "A5":
        assert all(squeezed(line.sentence) in made.pages[0].squeezed for line in wrong)
    for line in wrong:
        assert any(squeezed(line.sentence) in page.squeezed for page in made.pages)


def marked(page: Page, chosen: Setup) -> bool:
    """Whether a dark square stands in the page's foot."""
    low = 40 * chosen.scale
    squares = [box for box, dark in page.filled if dark and box.high < low]
    return any(5 < box.right - box.left < 12 for box in squares)


def every_unit_is_there(made):
    """But on a quick reference, which tells of no units, and the cards of choices without any."""
    text = "".join(page.squeezed for page in made.pages)
    for number in range(len(made.material.document.units)):
        assert (mark(number) in text) or made.kind == "quick"
    if made.kind in ("full", "compact", "cards"):
        for number in range(len(made.material.document.units)):
            assert (noted(number) in text) == made.setup.notes
    if made.sheet.army and made.kind in ("full", "compact", "opponent", "hidden"):
        for unit in made.sheet.army.units:
            # No armour is no line.
            bare = () if unit.armour else unit.worn
            names = {taken.name for taken in unit.options} - {*bare}
            assert [name for name in names if squeezed(name) not in text] == []


def in_order(page: Page, parts: Sequence[str]) -> bool:
    at = 0
    for part in filter(None, map(squeezed, parts)):
        at = page.squeezed.find(part, at)
        if at < 0:
            return False
        at += len(part)
    return True


def parts_of_units(made):
    """What stands below each other in the block of each unit, as far as its kind tells it."""
    kind, sheet = made.kind, made.sheet
    if kind == "judge":
        for price in judging(made.material.catalogue, made.material.report).prices:
            items = [item.name for item in price.made.items] if price.made else []
            yield [price.title, *(items if len(items) > 1 else []), *price.also]
    elif kind in ("full", "compact", "opponent", "hidden"):
        for block in sheet.army.units if sheet.army else sheet.cards:
            number = int(block.id.removeprefix("u"))
            end = [noted(number)] if kind in ("full", "compact") and made.setup.notes else []
            yield [mark(number), *(of_unit if sheet.army else of_card)(block), *end]


def of_card(card: UnitView) -> list[str]:
    stats = [stat.value for stat in card.stats]
    return [*stats, *(use.label for use in (*card.abilities, *card.spells))]


def of_unit(unit: UnitView) -> list[str]:
    """Options and items in their order, but for those that the lines of armour or magic name."""
    return [taken.name for taken in (*unit.other_options, *unit.items)]


def every_rule_is_explained_once(made):
    """A reminder of its name explains a rule of a warband at length. An opponent's sheet explains
    rules only where that needs no further page.
    """
    sheet = made.sheet
    opponent = made.kind == "opponent"
    rules = sheet.glossary if opponent or sheet.army else (*sheet.explained, *sheet.remembered)
    text = "".join(page.squeezed for page in made.pages)
    counts = set()
    for said in (*rules, *sheet.spells, *sheet.pieces):
        wanted = squeezed(said.label, said.summary)
        counts.add(text.count(wanted))
        assert wanted not in text or any(wanted in page.squeezed for page in made.pages)
    assert counts <= {1} or (opponent and counts == {0})


def no_row_of_a_table_is_split(made):
    for table in made.sheet.tables:
        for row in table.rows:
            assert any(
                all(squeezed(cell) in page.squeezed for cell in row) for page in made.pages
            ), row


@FEW
@given(document=listed(most=3), chosen=some.permutations(KINDS), fields=setups)
def test_several_sheets_in_one_file_are_bookmarked_and_numbered_through(document, chosen, fields):
    made = printed(document, dict(fields) | {"kinds": ",".join(chosen[:3])})
    chapters = [mark for mark in PdfReader(BytesIO(made.pdf)).outline if not isinstance(mark, list)]
    assert len(chapters) == 3
    for number, page in enumerate(made.pages, 1):
        assert f"page{number}of{len(made.pages)}" in page.squeezed


#: Kinds that name each unit.
NAMING = tuple(kind for kind in OF_LISTS if kind != "quick")
#: Kinds that have the player's notes.
NOTED = ("full", "compact", "cards")
#: Where there is least room.
SMALL = {"paper": "A5", "size": "large"}


@pytest.mark.parametrize("name", GAMES.values(), ids=GAMES)
def test_a_record_sheet_stands_on_one_readable_page_of_the_smallest(name):
    made = printed(example(name), {**SMALL, "landscape": "1", "kinds": "blank"})
    assert len(made.pages) == 1
    nothing_is_cut_and_nothing_overlaps(made)


def skirmish() -> Data:
    units = [
        practice("sunhill-chaplain", 2, name=text, notes=f"{text}\n{text}") for text in HOSTILE
    ]
    return document(*units, name=HOSTILE[0], notes="\n".join(HOSTILE))


def army() -> Data:
    whole = example("t9a-2023/the-princes-dragon")
    units = [
        unit | {"name": text, "notes": text}
        for unit, text in zip(whole["units"], HOSTILE, strict=False)
    ]
    return whole | {"units": units, "name": HOSTILE[0], "notes": "\n".join(HOSTILE)}


@pytest.mark.one_in(15)
@pytest.mark.parametrize(("make", "fields"), [(skirmish, SMALL), (army, {})])
@pytest.mark.parametrize("kind", KINDS)
def test_words_that_hardly_print_spoil_no_page(kind, fields, make):
    made = printed(make(), {**fields, "kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    if kind in OF_LISTS:
        every_page_says_whose_it_is(made)


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", NAMING)
def test_what_was_typed_is_printed_as_it_was_typed(kind):
    units = [practice("sunhill-chaplain", name=text, notes=text) for text in HOSTILE[:-1]]
    shown = "".join(page.squeezed for page in printed(document(*units), {"kinds": kind}).pages)
    for text in HOSTILE[:-1]:
        assert shown.count(squeezed(text)) >= (2 if kind in NOTED else 1), text


@pytest.mark.one_in(8)
@pytest.mark.parametrize("kind", KINDS)
def test_a_unit_with_forty_abilities_has_all_of_them_on_its_sheet(kind):
    abilities = list(shipped_library().system("sbh").abilities.values())[:40]
    assert len(abilities) == 40
    listed = sbh_list(own_model("Jack", *(ability.id for ability in abilities)))
    made = printed(listed, {**SMALL, "kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    said = "".join(page.squeezed for page in made.pages)
    if kind not in ("blank", "judge"):
        assert all(squeezed(ability.name) in said for ability in abilities)


@pytest.mark.slow
@pytest.mark.one_in(len(KINDS))
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_two_hundred_units_loses_none_of_them(kind):
    units = [practice("gatehouse-recruit", name=f"Unit{number:03}x") for number in range(200)]
    made, chosen = material(document(*units, limit=9999)), setup(kinds=kind)
    pdf = print_list(made, chosen)
    said = list(map(squeezed, pages_of(pdf)))  # much quicker than reading where it stands
    ends = finished.read(pdf, sorted({1, 2, len(said)} & {*range(len(said) + 1)}))
    nothing_is_cut_and_nothing_overlaps(Print(made, chosen, pdf, ends))
    if kind in NAMING:
        assert len(said) > 1
        assert all(f"Unit{number:03}x" in "".join(said) for number in range(200))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", ["full", "compact", "judge"])
def test_notes_longer_than_a_page_go_on_on_the_next_and_lose_no_line(kind):
    notes = "\n".join(f"line{number:03}" for number in range(200))
    made = printed(document(practice("sunhill-chaplain", notes=notes)), {"kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    said = "".join(page.squeezed for page in made.pages)
    times = int(kind != "judge")
    assert all(said.count(f"line{number:03}") == times for number in range(200))


ROOM = Box(20, 20, 280, 180)
LONG = ("drawString", 30, 100, "a long text")
UPWARDS = (("translate", 150, 100), ("rotate", 90), ("drawString", 0, 0, "upwards"))
#: What nobody can read, with what is drawn: calls of a canvas.
UNREADABLE = {
    "“one two” stands over “three”": [
        ("drawString", 30, 100, "one two"), ("drawString", 55, 103, "three")],
    "“a long text” crosses a frame": [LONG, ("roundRect", 25, 90, 40, 40, 3)],
    "“a long text” is struck through": [LONG, ("line", 20, 104, 200, 104)],
    "“leaves the room” leaves the page": [("drawString", 240, 100, "leaves the room")],
    "“upwards” stands over “something”": [("drawString", 130, 110, "something"), *UPWARDS],
}  # fmt: skip


def page(*calls):
    load_fonts()
    buffer = BytesIO()
    canvas = Canvas(buffer, pagesize=(300, 200), initialFontName=REGULAR)
    canvas.setFont(REGULAR, 10)
    for name, *where in calls:
        getattr(canvas, name)(*where)
    canvas.save()
    (only,) = read(buffer.getvalue())
    return only


def test_what_a_reader_could_not_read_is_found_however_it_is_turned():
    # What a reader could not read is found and neighbours are let pass.
    for said, calls in UNREADABLE.items():
        assert flaws(page(*calls), ROOM) == [said]
    texts = [(30, 100, "Ágpq Ágpq"), (30, 88, "ÁÖ below"), (100, 100, "beside")]
    frames = (("line", 30, 97, 200, 97), ("roundRect", 25, 80, 200, 40, 3))
    found = page(*(("drawString", *text) for text in texts), *frames)
    assert [text.words for text in found.texts] == [words for *_, words in texts]
    assert flaws(found, ROOM) == []
    # Turned text stands where it is seen.
    (text,) = page(*UPWARDS).texts
    assert text.box.high - text.box.low > 3 * (text.box.right - text.box.left)
    assert text.box.within(Box(140, 99, 152, 150))
