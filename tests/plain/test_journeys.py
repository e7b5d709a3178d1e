"""Journeys of players through the whole app in a browser without script."""

from pathlib import Path

import pytest

from armybuilder.lists.models import Version
from tests.building.documents import repeated, skirmish, value_of
from tests.pdfs import pages_of, text_of
from tests.plain.visitor import Visitor
from tests.printing.jobs import print_into

pytestmark = pytest.mark.long


def start(visitor: Visitor, game: str, size: int) -> str:
    visitor.follow(game, ".games .button")
    visitor.write("(points)", size)
    visitor.press("Create list")
    return visitor.url


def test_a_warband_with_a_custom_model_is_built(visitor: Visitor) -> None:
    start(visitor, "Song of Blades and Heroes", 300)
    for _ in range(2):
        visitor.press("Add Human Warrior")
    assert visitor.text("#u1 .unit-models") == "2×"
    visitor.press("Custom model")
    visitor.write("Name", "Zoë Łukasz Ωmega Ж", "#own-form")
    visitor.press("Quality 3+: 30 points", "#own-form")
    visitor.press("Combat 4: 40 points", "#own-form")
    visitor.write("Add rule", "leade", "#own-form")
    visitor.enter("Add rule", "#own-form")
    assert "Leader +30" in visitor.text(".own-rules")
    assert "130 / 300" in visitor.text(".bar-points")
    assert visitor.text("#verdict-title").startswith("Legal")
    visitor.follow("Print", ".toolbar")
    visitor.follow("Roster sheet", ".print-preview")
    sheet = visitor.fetch("PDF, A4")
    assert sheet["Content-Type"] == "application/pdf"
    assert "Zoë Łukasz Ωmega Ж" in text_of(sheet.content)
    assert "2 × Human Warrior" in text_of(sheet.content)


@pytest.mark.slow
def test_five_own_models_are_made_from_nothing_named_copied_and_shared(visitor: Visitor) -> None:
    visitor.open("/new/sbh/")
    visitor.press("Create own models")
    for name in ("Ada", "Bo", "Cy", "Di", "Ed"):
        visitor.write("Name", name, "#own-form")
        visitor.enter("Name", "#own-form")
        assert visitor.text("#unit-title") == name
        if name != "Ed":
            visitor.press("Add next model")
    rows = [row.text_content() for row in visitor.all(".line .unit-what strong")]
    assert rows == ["Ada", "Bo", "Cy", "Di", "Ed"]
    # A rule is chosen among all of them, too.
    visitor.follow("All special rules")
    visitor.press("Flying +")
    assert "Flying" in visitor.text(".own-rules")
    visitor.press("Remove Flying", "#own-form")
    visitor.press("Undo", ".toast")
    assert "Flying" in visitor.text(".own-rules")
    visitor.press("Keep in my models")
    assert "Saved Ed to “My models”." in visitor.text(".toast")
    visitor.write("Name", "Five friends", "#lists")
    visitor.enter("Name", "#lists")
    visitor.press("Copy list", "#lists")
    assert visitor.text("#lists h1") == "Five friends (copy)"
    visitor.follow("Share", ".toolbar")
    visitor.press("Create link: For friends")
    assert "/shared/" in visitor.one("#way-full").get("value")
    visitor.open("/new/sbh/")
    assert "My models" in visitor.text("main")


def test_each_pane_is_a_page_and_what_was_done_can_be_undone(visitor: Visitor) -> None:
    start(visitor, "Chainmail 2002", 100)
    visitor.press("Add Bannerlady Oresta")
    assert "Added Bannerlady Oresta." in visitor.text(".toast")
    visitor.press("Undo", ".toast")
    assert "Undone: Added Bannerlady Oresta." in visitor.text(".toast")
    for view in ("errors", "army", "units", "game", "unit"):
        visitor.open(visitor.one(f".views a[data-view={view}]").get("href"))
        assert visitor.one("#builder").get("data-view") == view


@pytest.mark.slow
def test_ticked_units_are_added_together_or_compared_and_one_is_added(visitor: Visitor) -> None:
    start(visitor, "Chainmail 2002", 100)
    for unit in ("Millbrook Spearhand", "Gatehouse Recruit"):
        visitor.tick(f"Select {unit}")
    visitor.write("Number of each", 3)
    visitor.press("Add")
    assert [visitor.text(f"#{unit} .unit-models") for unit in ("u1", "u2")] == ["3×", "3×"]
    assert "3 × Millbrook Spearhand, 3 × Gatehouse Recruit" in visitor.text("#said")
    assert visitor.all("#shelf .tick[checked]") == []
    for unit in ("Bannerlady Oresta", "Redtusk Overseer"):
        visitor.tick(f"Select {unit}")
    visitor.press("Compare")
    assert visitor.text("h1") == "Units side by side"
    visitor.press("Add Redtusk Overseer")
    assert "Redtusk Overseer" in visitor.text("#u3")


def tick_two(visitor: Visitor) -> None:
    visitor.open("/lists/")
    for box in visitor.all(".list-tick input")[:2]:
        visitor.set(box)


@pytest.mark.slow
def test_ticked_lists_are_archived_brought_back_and_printed_into_one_file_together(
    visitor: Visitor, settings: pytest.FixtureRequest, tmp_path: Path
) -> None:
    print_into(settings, tmp_path / "prints")
    for _ in range(3):
        visitor.open("/")
        start(visitor, "Song of Blades and Heroes", 300)
    tick_two(visitor)
    visitor.press("Archive", ".chosen-bar")
    assert "Archived 2 lists." in visitor.text(".lists-done")
    assert len(visitor.all(".list-row")) == 1
    visitor.press("Undo", ".lists-done")
    assert "Unarchived 2 lists." in visitor.text(".lists-done")
    assert len(visitor.all(".list-row")) == 3
    tick_two(visitor)
    visitor.press("Print", ".chosen-bar")
    assert visitor.text("h1") == "Print 2 lists"
    visitor.tick("Compact sheet")
    visitor.press("Print 2 lists")
    assert "2 lists are printed." in visitor.text("[role=status]")
    file = visitor.client.get(visitor.one("main a.primary").get("href"))
    assert b"".join(file.streaming_content).startswith(b"%PDF")
    visitor.follow("Earlier prints")
    assert len(visitor.all(".prints-rows li")) == 1


@pytest.mark.slow
def test_a_list_is_printed_with_another_preset(visitor: Visitor) -> None:
    visitor.open("/new/sbh/")
    visitor.send(visitor.all("button[formaction*='/example/']")[0])
    visitor.follow("Print", ".toolbar")
    visitor.tick("Compact sheet")
    visitor.set(visitor.one("#set-prices"), False)
    visitor.press("Show the pages")
    assert "kinds=full,compact&prices=0" in visitor.url
    visitor.press("Previous: Compact sheet")
    assert "kinds=compact,full&prices=0" in visitor.url
    assert "checked" not in visitor.one("#set-prices").attrib
    file = visitor.client.get(visitor.one("#print-pdf").get("href"))
    assert file["Content-Type"] == "application/pdf"
    visitor.follow("Roster sheet")
    assert "Legal" in text_of(visitor.fetch("PDF, A4").content)


def test_charts_are_a_page_and_a_list_as_text_is_there_to_be_copied(visitor: Visitor) -> None:
    builder = start(visitor, "Chainmail 2002", 100)
    visitor.open(f"{builder}text/")
    visitor.follow("One line per unit")
    text = visitor.one("#text").text or ""
    assert text.removeprefix("\n").startswith("Warband 100\nNot legal yet: ")
    visitor.open(builder)
    visitor.press("Add Captain of the Silver Reed")
    visitor.follow("Open charts and points breakdown")
    assert visitor.saying("Points by unit", "svg.chart > title")
    assert visitor.all("#table-by-unit td")[0].text_content() == "31"


def write_card(visitor: Visitor, card: str, combat: int) -> None:
    """Fill in a card; the game works its points out."""
    visitor.open(card)
    visitor.write("Name", "Marsh Troll", "#card-form")
    visitor.write("Quality", 4, "#card-form")
    visitor.write("Combat", combat, "#card-form")
    visitor.enter("Combat", "#card-form")


@pytest.mark.slow
def test_a_changed_book_changes_a_list_only_on_yes(visitor: Visitor) -> None:
    visitor.open("/books/new/sbh/")
    visitor.write("Name", "Marsh folk")
    visitor.send(visitor.one("main form button.primary"))
    book = visitor.url
    write_card(visitor, f"{book}units/new/", 2)
    visitor.open("/new/sbh/")
    visitor.tick("Marsh folk")
    visitor.write("(points)", 30)
    visitor.press("Create list")
    builder = visitor.url
    visitor.press("Add Marsh Troll")
    assert "15" in visitor.text(".bar-points")

    write_card(visitor, f"{book}units/marsh-troll/", 5)
    visitor.open("/lists/")
    visitor.follow("A book has changed")
    assert visitor.saying("Points that change", "h2")
    assert "Not legal" in visitor.text("main")
    visitor.follow("Keep the list as it is")
    assert "15" in visitor.text(".bar-points")

    visitor.open(f"{builder}changes/")
    visitor.press("Apply the changes")
    assert "38" in visitor.text(".bar-points")
    visitor.open("/lists/")
    assert not visitor.saying("A book has changed", "a")


#: Name, points, health, abilities. Faction, alignment and type stay as the first card has them.
CARDS = [
    ("Mill Captain", "20", "5", "Commander 3, cleave"),
    ("Mill Guard", "8", "3", ""),
    ("Mill Archer", "9", "2", "Precise Shot"),
    ("Old Ferryman", "7", "3", "Independent Troop 0; Oar Sweep +2"),
    ("Yard Dog", "4", "1", "Wild Troop, Scent"),
]


def book_of_five_cards(visitor: Visitor) -> str:
    """Make a book, type its cards in; its address."""
    visitor.follow("Custom books", "nav")
    visitor.follow("Chainmail 2002", ".games")
    visitor.write("Name", "Mill Folk")
    visitor.enter("Name")
    assert visitor.text("h1") == "Mill Folk"
    book = visitor.url
    visitor.follow("Add a card")
    for number, (name, points, health, abilities) in enumerate(CARDS, 1):
        visitor.write("Name", name)
        visitor.write("Points", points)
        if number == 1:
            visitor.choose("Faction", "Thalos")
            visitor.choose("Alignment", "Good")
            visitor.choose("Type", "Humanoid")
        visitor.write("Health", health)
        visitor.write("Abilities", abilities)
        visitor.enter("Health")
        assert f"Saved “{name}”" in visitor.text("#saved")
        assert f"{number} card" in visitor.text("#saved")
    return book


def test_a_player_types_five_cards_builds_a_warband_and_prints_it(visitor: Visitor) -> None:
    book = book_of_five_cards(visitor)
    visitor.open(book)
    assert len(visitor.all("table tbody tr")) == 5
    assert "Oar Sweep +2" in visitor.text("main")
    (words,) = pages_of(visitor.client.get(f"{book}cards.pdf").content)
    assert all(name in words for name, *_ in CARDS)

    visitor.follow("Start a list")
    assert visitor.value("Mill Folk")
    visitor.write("Point value", 50)
    visitor.press("Create list")
    builder = visitor.url
    for name, *_ in CARDS:
        visitor.press(f"Add {name}")
        assert name in visitor.text("#list")
    for piece in ("Hill", "Woods", "Hut"):
        visitor.choose("Add to terrain", piece)
        visitor.press("Add terrain")
        assert piece in visitor.text(".pieces")
    assert visitor.text("#verdict-title") == "Legal A custom book"

    visitor.open(book)
    visitor.follow("Yard Dog")
    visitor.write("Points", 40)
    visitor.press("Save", "#card-form")
    visitor.open(builder)
    assert visitor.text("#verdict-title") == "Legal A custom book"
    visitor.follow("See the differences")
    assert "Yard Dog" in visitor.text("main")
    visitor.follow("Keep the list as it is")
    assert visitor.text("#verdict-title") == "Legal A custom book"

    visitor.follow("Print", ".toolbar")
    visitor.follow("Roster sheet")
    assert "48 of 50" in visitor.text(".sheet")
    assert "Legal: 48 of 50 points." in text_of(visitor.client.get(f"{builder}sheet.pdf").content)


@pytest.mark.slow
def test_remaining_points_are_spent_and_a_question_answered(visitor: Visitor) -> None:
    builder = start(visitor, "Song of Blades and Heroes", 300)
    visitor.follow("See suggestions")
    visitor.send(visitor.all(".proposal button")[0])
    assert visitor.text("#verdict-title").startswith("Legal")
    visitor.send(visitor.one("#undo"))
    visitor.open(f"{builder}questions/")
    visitor.follow("Most models")
    visitor.send(visitor.saying("Add this", "main button")[0])
    assert visitor.text("#verdict-title").startswith("Legal")


def test_units_that_block_a_legal_list_are_explained_on_a_page_of_their_own(
    visitor: Visitor,
) -> None:
    builder = start(visitor, "D&D Miniatures 2008", 200)
    visitor.press("Add Toll-Gate Halberdier")
    visitor.follow("Can it still become legal?")
    # The first look is a quarter of a second; a busy machine needs the longer one.
    visitor.open(f"{builder}outlook/longer/")
    assert "Lurker of the Ninth Stair" in visitor.text("main")
    visitor.follow("Why? Lurker of the Ninth Stair")
    assert "These choices block a legal list" in visitor.text("main")


def test_all_of_a_long_list_is_reached(visitor: Visitor) -> None:
    start(visitor, "Chainmail 2002", 140)
    version = Version.objects.latest("pk")
    version.document = value_of(repeated(skirmish("chainmail-2002"), 70))
    version.save()
    visitor.open(visitor.url)
    reached = set()
    for _stretch in range(4):
        reached |= {line.get("id") for line in visitor.all(".line")}
        more = visitor.all(".more-units a")
        if not more or len(reached) == 70:
            break
        visitor.open(more[-1].get("href"))
    assert len(reached) == 70
