"""The kinds of sheet: full, compact, quick, for opponents, hidden, blank; and who plays where."""

from itertools import product
from math import ceil

import pytest

from armybuilder.sheets.content.setup import MOST_LETTERS
from armybuilder.sheets.drawing.pages import Chapter, room_of
from armybuilder.sheets.kinds import compact, parts
from armybuilder.sheets.printing.printouts import print_list
from tests.pdfs import pages_of
from tests.sheets.papers import (
    EXAMPLES,
    GAMES,
    colours,
    document,
    example,
    illegal_list,
    legal_list,
    long_army,
    material,
    page_texts,
    practice,
    printed,
    printed_text,
    setup,
)

pytestmark = pytest.mark.long


def room(**fields):
    return room_of(Chapter(lambda _room: []), setup(**fields))


@pytest.mark.parametrize(
    ("fields", "number"),
    [({}, 2), ({"paper": "A5"}, 1), ({"landscape": "1"}, 3), ({"size": "large"}, 2)],
    ids=["A4", "A5", "landscape", "large"],
)
def test_a_wide_page_has_more_columns_than_a_narrow_one(fields, number):
    assert parts.columns(room(**fields), parts.RULES) == number


@pytest.mark.slow
def test_a_sheet_can_leave_out_prices_and_notes():
    # Without prices no unit tells its points but the list its total.
    with_prices, without = (printed_text(legal_list(), prices=switch) for switch in ("1", "0"))
    assert "24 points (6 each)" in with_prices
    assert "24 points" not in without
    assert "points of single units are left out" in without
    assert "points of single units are left out" not in with_prices
    assert "87 of 100 points" in without
    # Without prices no unit or option of an army tells its points.
    army = material(long_army()).sheet.army
    prince = army.units[0]
    with_prices, without = (printed_text(long_army(), prices=switch) for switch in ("1", "0"))
    assert f"{prince.items[0].name} {prince.items[0].points}" in with_prices
    for unit in army.units:
        for taken in unit.items:
            assert f"{taken.name} {taken.points}" not in without
    assert f" {prince.price} " not in without
    # Without notes nothing that the player wrote is printed.
    listed = legal_list(notes="Lend Ann the dice.")
    with_notes, without = (printed_text(listed, notes=switch) for switch in ("1", "0"))
    for note in ("broken spear", "Lend Ann"):
        assert note in with_notes
        assert note not in without


def test_colour_is_there_only_where_it_is_wanted():
    # Colour is there only where it is wanted.
    def strongest(**fields):
        return max(max(rgb) - min(rgb) for rgb in colours(printed(illegal_list(), **fields)))

    assert strongest() < 0.1
    assert strongest(colour="1") > 0.3
    # A sheet in colour says the same.
    assert page_texts(illegal_list(), colour="1") == page_texts(illegal_list())


def test_a_full_sheet_shows_stats_rules_and_figures():
    # An unfinished list says what it lacks and of no error.
    first = page_texts(document(limit=100))[0]
    assert "Not legal yet: 1 to do." in first
    assert "Still to do" in first
    assert "To do: " in first
    assert "rror" not in first
    # Figures taller than a page go on over the next.
    listed = long_army()
    for unit in listed["units"]:
        unit["name"] = "W" * 200
    pages = page_texts(listed, paper="letter", size="large", landscape="1")
    assert sum(text.count("Scoring units") for text in pages) == 1
    assert "Naval Ordnance" in " ".join(pages)
    # A narrow page tells a tables rows in sentences.
    text = printed_text(legal_list(), paper="A5", size="large", kinds="quick")
    assert "Standard Skirmish Deployment: Standard You win by: Destroy or rout every enemy" in text


def sizes(listed, **fields):
    """The sizes in which the parts of a list's compact sheet are set."""
    chosen = setup(**fields)
    room = room_of(Chapter(lambda _room: []), chosen)
    return {part.scale for part in compact.story(material(listed).sheet, chosen, room)}


def crowd(number):
    units = [practice("sunhill-chaplain", name=f"Unit{n:03}") for n in range(number)]
    return document(*units, limit=9999)


def fewest(listed):
    """How many pages a list's compact sheet fills in letters of 6 points."""
    chosen, (layout,) = setup(), compact.story.args
    smallest = [min(size for size in compact.SIZES if size >= parts.LEAST)]
    story = parts.shown(layout, material(listed).sheet, chosen, room(), smallest)
    return ceil(parts.pages_of(story, room()))


@pytest.mark.slow
@pytest.mark.parametrize("name", EXAMPLES)
def test_examples_are_brief_on_every_kind_of_sheet(name):
    # A warband stands on one page, and an army on two where the least letters need them.
    document = example(name)
    army = material(document).sheet.army
    pages = len(printed(document, kinds="compact").pages)
    assert pages == fewest(document) <= (2 if army else 1)
    # An army is on two pages, for opponents and judges on one, with the names of all its rules.
    for kind, most in (("full", 2), ("judge", 1)):
        assert not army or len(printed(document, kinds=kind).pages) <= most
    pages = page_texts(document, kinds="opponent")
    assert len(pages) <= (1 if army else 2)
    for entry in material(document).sheet.glossary:
        assert entry.label in " ".join(pages)


def test_a_compact_sheet_tells_all_units():
    # Fifteen units with many options stand on two pages.
    text = printed_text(long_army(), kinds="compact")
    assert len(page_texts(long_army(), kinds="compact")) == 2
    for unit in material(long_army()).sheet.army.units:
        assert unit.title in text
        for taken in (*unit.options, *unit.items):
            assert taken.name in text
    # A unit is told with statistics abilities and points.
    (text,) = page_texts(legal_list(), kinds="compact")
    for card in material(legal_list()).sheet.cards:
        assert card.title in text
        assert card.price in text
        assert " ".join(f"{stat.label} {stat.value}" for stat in card.stats) in text
        for ability in card.abilities:
            assert ability.label in text
    # The letters of a short list grow to fill its page.
    assert sizes(crowd(1)) == {compact.SIZES[0]}
    assert compact.SIZES[0] > max(sizes(crowd(20))) > 1
    assert sizes(crowd(1), size="small") == {1.0}


@pytest.mark.slow
def test_a_list_a_little_too_long_is_set_smaller_so_that_it_stands_on_one_page():
    on_one = [n for n in range(8, 30) if len(printed(crowd(n), kinds="compact").pages) == 1]
    assert max(sizes(crowd(max(on_one)))) < 1


@pytest.mark.parametrize("size", ["small", "normal", "large"])
def test_letters_never_get_too_small(size):
    (chosen,) = sizes(crowd(120), size=size)
    assert chosen * setup(size=size).scale >= parts.LEAST


def test_a_quick_reference_explains_every_rule():
    # Every special rule stands there once by name.
    listed = document(
        practice("sunhill-chaplain"),
        practice("bannerlady-oresta"),
        practice("sunhill-chaplain", name="Ann"),
    )
    text = printed_text(listed, kinds="quick")
    entries = material(listed).sheet.glossary
    assert len(entries) > 4
    places = [text.index(f"{entry.label} {entry.summary}") for entry in entries]
    assert places == sorted(places)
    for entry in entries:
        assert text.count(entry.summary) == 1
        assert entry.citation in text
    # Game day figures reminders and tables are there and prices are not.
    text = printed_text(legal_list(), kinds="quick")
    sheet = material(legal_list()).sheet
    for fact in sheet.facts:
        assert fact.name in text
    for line in sheet.reminders:
        assert line.text in text
    for table in sheet.tables:
        assert table.name in text
    assert "24 points" not in text
    # Of the rules of an army book it tells who has them.
    text = printed_text(long_army(), kinds="quick")
    assert "Martial Discipline High Prince" in text
    assert text.count("Martial Discipline") == 1
    # Of the rulebooks rules it tells what they do by when they matter.
    assert "Rules explained (Rulebook)" in text
    assert "Accurate No -1 to hit at long range. 21.G.b.1" in text
    order = ("Before the game", "Charges and movement", "Shooting", "Melee", "Weapons", "Reminders")
    places = [text.index(name) for name in order]
    assert places == sorted(places)


def test_the_opponents_sheet_of_an_army_shows_items_and_points():
    document = example("t9a-2023/the-long-table")
    text = printed_text(document, kinds="opponent")
    whole = material(document).sheet
    for unit in whole.army.units:
        assert unit.name in text
        for item in unit.items:
            assert item.name in text
    assert f"{whole.spent} of {whole.limit} points" in text


@pytest.mark.parametrize("kind", ["opponent", "hidden"])
def test_a_skirmish_list_shows_opponents_everything_but_notes(kind):
    text = printed_text(legal_list(notes="My plan is secret."), kinds=kind)
    assert "Oresta the Unbowed" in text
    assert "24 points" in text
    assert "broken spear" not in text
    assert "secret" not in text


TABLE = "t9a-2023/the-long-table"


def test_a_hidden_list_tells_nothing_hidden():
    # Of an army it hides special items and what they cost.
    document = example(TABLE)
    text = printed_text(document, kinds="hidden")
    whole = material(document).sheet
    for unit in whole.army.units:
        assert unit.name in text
        for item in unit.items:
            assert item.name not in text
    assert str(whole.spent) not in text
    assert "Open list (Rulebook 8.E.a)" in text
    # Its margins and the files properties tell nothing hidden.
    spent = str(material(document).sheet.spent)
    read = printed(document, kinds="hidden")
    assert spent not in str(read.metadata)
    assert "(open list)" in page_texts(document, kinds="hidden")[1]
    named = page_texts(document, kinds="full,hidden")
    opened = [text for text in named if "Hidden list" in text]
    assert len(opened) == len(read.pages)
    assert all(spent not in text for text in opened)
    assert any(spent in text for text in named)
    # It has the hash of the open list.
    one = material(document)
    pages = pages_of(print_list(one, setup(kinds="hidden")))
    assert all(one.open_sheet.hash in page for page in pages)
    assert not any(one.sheet.hash in page for page in pages)


LOOKS = list(product(["A4", "letter", "A5"], ["small", "normal", "large"], "01"))


@pytest.mark.one_in(11)
@pytest.mark.parametrize(
    ("game", "paper", "size", "landscape"),
    # Each game on each paper, upright and across.
    [(game, *look) for at, game in enumerate(GAMES) for look in LOOKS[at % 3 :: 3]],
)
def test_a_record_sheet_is_one_page_with_room_for_units(game, paper, size, landscape):
    document = example(GAMES[game])
    fields = {"kinds": "blank", "paper": paper, "size": size, "landscape": landscape}
    read = printed(document, **fields)
    assert len(read.pages) == 1
    (text,) = page_texts(document, **fields)
    one = material(document)
    units = text.count("Special rules")
    assert units >= 2
    for stat in one.system.stats.values():
        assert text.split().count(stat.short) == units or " " in stat.short


@pytest.mark.slow
def test_a_record_sheet_says_nothing_of_a_list_nor_of_who_plays_it():
    # It says nothing of the list that it is printed with.
    document = illegal_list(name="Another list")
    (page,) = page_texts(document, kinds="blank")
    sheet = material(document).sheet
    for said in (sheet.title, sheet.verdict, sheet.hash, "Oresta"):
        assert said not in page
    assert "Chainmail 2002 · Record sheet" in page
    assert printed(document, kinds="blank").metadata.title == "Chainmail 2002"
    # A faction that is a setting, too, is asked for once.
    assert " ".join(page_texts(example(GAMES["ddm-2008"]), kinds="blank")).count("Faction") == 1
    # Beside other sheets they keep their own margins.
    first, *_rest, last = page_texts(illegal_list(name="Another list"), kinds="full,blank")
    assert "Another list" in first
    assert "Another list" not in last
    assert "Not legal" not in last
    # Larger letters leave room for fewer units.
    document = example(GAMES["sbh"])
    small, large = (
        page_texts(document, kinds="blank", size=size)[0].count("Special rules")
        for size in ("small", "large")
    )
    assert small > large
    for kind in ("blank", "cards"):
        pages = page_texts(example(LISTS[0]), kinds=kind, **KNOWN)
        assert not any("Anne Mill" in page for page in pages)
    made = setup(player="A\n B", team="x" * 500)
    assert (made.player, len(made.team)) == ("A B", MOST_LETTERS)


SAYING = ("full", "compact", "quick", "judge", "opponent")
KNOWN = {"player": "Anne Mill", "team": "Ravens", "event": "Lantern Cup", "round": "2"}
LISTS = ["t9a-2023/the-long-table", "sbh/gruks-green-flood"]


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", LISTS)
@pytest.mark.parametrize("paper", ["A4", "A5"])
@pytest.mark.parametrize("kind", SAYING)
def test_every_sheet_says_who_plays_where(kind: str, paper: str, name: str) -> None:
    first, *_more = page_texts(example(name), kinds=kind, paper=paper, **KNOWN)
    for label, text in KNOWN.items():
        assert f"{label.capitalize()} {text}" in first
    assert "Table" in first


@pytest.mark.one_in(4)
@pytest.mark.parametrize("name", sorted(EXAMPLES))
def test_long_texts_stay_on_their_lines(name: str) -> None:
    long = dict.fromkeys((*KNOWN, "table"), "W" * MOST_LETTERS)
    (first, *_more) = page_texts(example(name), kinds="compact", **long)
    assert "W" * MOST_LETTERS not in first
    assert "…" in first
