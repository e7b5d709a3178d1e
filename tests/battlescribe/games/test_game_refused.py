"""Files that no game can be made of: one clear sentence each, and within the time that is given."""

from pathlib import Path

import pytest

from armybuilder.battlescribe.books import parsing, read_sources
from armybuilder.battlescribe.games import make_game
from armybuilder.loading import deadline
from armybuilder.loading.problems import Refusal
from tests.building.battlescribe import (
    book,
    crew,
    entry,
    files,
    force,
    game,
    group,
    limit,
    made,
    models,
    price,
)

OTHER_COST = "abab-0000-0000-0005"


def refusal(folder: Path, **others: str) -> str:
    with pytest.raises(Refusal) as caught:
        made(folder, **others)
    return caught.value.sentence


def refused(folder: Path, other: str) -> str:
    """Return why another catalogue became no book; the others did."""
    found = made(folder, other=other)
    assert len(found.books) >= 2
    (one,) = found.refused
    return one.sentence


def other(*units: str, name: str = "Other", more: str = "") -> str:
    return book(name, *units, id_="x", more=more)


def test_several_kinds_of_cost_are_refused(tmp_path: Path) -> None:
    both = game().replace(
        "</costTypes>", f'<costType id="{OTHER_COST}" name="crates"/></costTypes>'
    )
    unpaid = made(tmp_path / "unpaid", game=both)
    assert unpaid.system["points"]["name"] == "coins"
    paid = price(9).replace("</costs>", f'<cost typeId="{OTHER_COST}" value="2"/></costs>')
    assert refusal(tmp_path / "paid", game=both, other=other(crew("Cog", paid))) == (
        "game.gst: units have 2 kinds of cost (coins, crates), which is not understood yet."
    )


STRAY = book("Stray", crew("Cog")).replace("aaaa-0000-0000-0001", "aaaa-0000-0000-0009")


@pytest.mark.parametrize(("catalogue", "told"), [
    (other(crew("Cog", price("1.5"))),
     "other.cat: the price of Cog is “1.5”, not a whole number; fractions are not understood"
     " yet."),
    # its game is not there
    (STRAY, "other.cat belongs to another game system than game.gst."),
    # two books with one id are one book and a sentence
    (other(crew("Cog"), name="Stone  guild"),
     "stones.cat: its id would be “stone-guild”, which other.cat already has."),
    # a book called system does not take the place of the game
    (other(crew("Cog"), name="System"), "its id would be “system”, which system.json already has"),
])  # fmt: skip
def test_a_catalogue_that_becomes_no_book_is_told(
    catalogue: str, told: str, tmp_path: Path
) -> None:
    assert told in refused(tmp_path, catalogue)


@pytest.mark.parametrize(("old", "new", "told"), [
    ("</forceEntry>", f"<forceEntries>{force('Wing')}</forceEntries></forceEntry>",
     "Fleet: forces within a force are not understood yet"),
    ('battleScribeVersion="2.03"', 'battleScribeVersion="2.01"',
     "game.gst: it is of BattleScribe 2.01, too old"),
])  # fmt: skip
def test_a_game_that_is_not_understood_is_refused(
    old: str, new: str, told: str, tmp_path: Path
) -> None:
    assert told in refusal(tmp_path, game=game().replace(old, new))


def test_what_is_missing_is_named(tmp_path: Path) -> None:
    # A game without catalogues is refused.
    (tmp_path / "game.gst").write_text(game())
    with pytest.raises(Refusal, match=r"game.gst: there is no catalogue of this game among"):
        make_game(read_sources(tmp_path), 0, "barge-wars")
    # A linked library that is not there is named.
    folder = files(tmp_path)
    (folder / "library.cat").unlink()
    with pytest.raises(Refusal, match="it needs the catalogue River Library, which is not among"):
        make_game(read_sources(folder), 0, "barge-wars")


def test_too_many_entries_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert parsing.MOST_ENTRIES <= 50_000
    monkeypatch.setattr(parsing, "MOST_ENTRIES", 200)
    crowd = "".join(f'<selectionEntry id="e{n}" name="E" type="upgrade"/>' for n in range(201))
    shared = f"<sharedSelectionEntries>{crowd}</sharedSelectionEntries>"
    told = refused(tmp_path, other(crew("Cog"), more=shared))
    assert told == "other.cat: it has more than 200 entries."


@pytest.mark.slow
def test_more_units_than_a_book_may_have_are_told(tmp_path: Path) -> None:
    many = other(*(crew(f"Cog {n}", price(2)) for n in range(2_100)))
    assert refused(tmp_path, many).startswith("other.cat: ")


def test_making_a_game_asks_whether_to_go_on_and_options_lie_within_options(tmp_path: Path) -> None:
    # Options lie within options as deep as files may.
    deep = entry("Last", limit("max", 1))
    for number in range(12):
        deep = group(f"Group {number}", entry(f"Option {number}", limit("max", 1), deep))
    found = made(tmp_path, other=other(crew("Cog", deep)))
    assert found.refused == ()
    # Making a game asks whether to go on.
    crews = (crew(f"Cog {n}", models(2, 9, 3), group("Oars", entry("Oar"))) for n in range(400))
    sources = read_sources(files(tmp_path, big=book("Big", *crews, id_="x")))
    with pytest.raises(deadline.OutOfTime), deadline.within(0.05):
        make_game(sources, 0, "barge-wars")


@pytest.mark.parametrize("id_", ["Barge Wars", "../x", ""])
def test_an_id_that_is_none_is_refused(tmp_path: Path, id_: str) -> None:
    with pytest.raises(Refusal):
        make_game(read_sources(files(tmp_path)), 0, id_)
