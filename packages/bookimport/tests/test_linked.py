"""Books drawn from several files: root entries that are links, and catalogues that are linked."""

from pathlib import Path
from typing import Any

import pytest

from armybuilder.loading.library import book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from bookimport import Import, make_book, read_sources
from small_files import (
    BEASTS,
    CORE,
    catalogue,
    categorised,
    change,
    entry,
    group_of,
    limit,
    link,
    models,
    node,
    price,
    system,
    unit,
    when,
)

WOLVES = "abab-0000-0000-0001"
LIBRARY = "bbbb-0000-0000-0002"
OTHER = "bbbb-0000-0000-0003"


def root_link(target: str, name: str, *parts: str, category: str = CORE) -> str:
    return link(target, name, categorised(category, "true"), *parts)


def linked_to(id_: str, roots: str = "false") -> str:
    one = (
        f'<catalogueLink id="x-{id_}" name="Hoard" targetId="{id_}" type="catalogue"'
        f' importRootEntries="{roots}"/>'
    )
    return group_of("catalogueLinks", [one])


def library(id_: str, *units: str, library: str = "true", **more: Any) -> str:
    text = catalogue(*units, name=f"Hoard {id_[-1]}", **more)
    text = text.replace("bbbb-0000-0000-0001", id_)
    return text.replace('library="false"', f'library="{library}"')


def made(folder: Path, book: str, *others: str, game: str = "") -> Import:
    (folder / "game.gst").write_text(game or system(), encoding="utf-8")
    (folder / "a.cat").write_text(book, encoding="utf-8")
    for number, text in enumerate(others):
        (folder / f"b{number}.cat").write_text(text, encoding="utf-8")
    found = make_book(read_sources(folder), 0, "t9a-2023")
    game_system = shipped_library().system("t9a-2023")
    assert book_problems(found.book, game_system, "book.json") == []
    return found


def wolves(*parts: str) -> str:
    return entry("Wolves", models(5, 10, 8), *parts, type_="unit", id_=WOLVES)


def test_root_links_are_units_where_they_and_their_targets_are(tmp_path: Path) -> None:
    # A root link is a unit in the category of the link.
    extra = group_of("entryLinks", [root_link(WOLVES, "Grey Wolves", limit("max", 2, "roster"))])
    found = made(tmp_path, catalogue(unit("Spears"), shared=(wolves(),), extra=extra))
    grey = found.book["units"][1]
    assert grey["name"] == "Grey Wolves"
    assert (grey["categories"], grey["size"], grey["points"]) == (["core"], [5, 10], 40)
    assert grey["cap"] == 2
    origin = found.origin["units"][1]
    assert (origin["id"], origin["as"]) == (WOLVES, "grey-wolves")
    assert origin["via"]
    # A root link is there where it and its target are.
    king, queen = "abab-0000-0000-0002", "abab-0000-0000-0003"
    hides = change("set", "hidden", "true", when(queen, "atLeast", 1, "roster"))
    shows = change("set", "hidden", "false", when(king, "atLeast", 1, "roster"))
    hidden = root_link(WOLVES, "Wolves", shows).replace('hidden="false"', 'hidden="true"', 1)
    extra = group_of("entryLinks", [hidden])
    units = (unit("King", id_=king), unit("Queen", id_=queen))
    found = made(tmp_path, catalogue(*units, shared=(wolves(hides),), extra=extra))
    assert found.book["units"][2]["needs"] == {
        "all": [{"taken": "king", "in": "army"}, {"not": {"taken": "queen", "in": "army"}}]
    }
    # A root link to nothing costs its unit.
    extra = group_of("entryLinks", [root_link("abab-0000-0000-0077", "Wolves")])
    text = catalogue(*(unit(f"Guard {n}") for n in range(4)), extra=extra)
    gaps = [gap["what"] for gap in made(tmp_path, text).book["gaps"]]
    assert any("Wolves is left out" in gap for gap in gaps)


def test_units_of_several_links_or_a_category_are_counted_together(tmp_path: Path) -> None:
    # Two root links to one entry are two units and counted together.
    links = [root_link(WOLVES, "Wolves"), root_link(WOLVES, "Wolves", category=BEASTS)]
    horn = entry("Horn", limit("max", 1))
    hides = change("set", "hidden", "true", when(WOLVES, "lessThan", 3, "roster"))
    flag = entry("Flag", limit("max", 1), hides)
    text = catalogue(
        unit("Spears", flag), shared=(wolves(horn),), extra=group_of("entryLinks", links)
    )
    found = made(tmp_path, text)
    spears, *both = found.book["units"]
    assert [one["id"] for one in both] == ["wolves", "wolves-2"]
    assert [one["categories"] for one in both] == [["core"], ["beasts"]]
    assert all(one["options"] == [{"use": "horn"}] for one in both)
    counted = {"taken": ["wolves", "wolves-2"], "in": "army", "at_most": 2}
    assert node(spears, "flag")["needs"] == {"not": counted}
    # Units of a category are counted together.
    hides = change("set", "hidden", "true", when(BEASTS, "atLeast", 2, "force"))
    text = catalogue(
        unit("Spears", entry("Flag", limit("max", 1), hides)),
        unit("Bear", category=BEASTS), unit("Elk", category=BEASTS),
    )  # fmt: skip
    flag = node(made(tmp_path, text).book["units"][0], "flag")
    assert flag["needs"] == {"not": {"taken": ["bear", "elk"], "in": "army", "at_least": 2}}
    # Root entries of the game are units of every book.
    extra = group_of("selectionEntries", [unit("Mercenaries")])
    found = made(tmp_path, catalogue(unit("Spears")), game=system(extra=extra))
    assert [one["id"] for one in found.book["units"]] == ["spears", "mercenaries"]


def test_a_library_lends_what_is_shared_in_it_and_its_root_entries(tmp_path: Path) -> None:
    # A library lends what is shared in it.
    sword = entry("Sword", limit("max", 1), price(5), id_=WOLVES)
    book = catalogue(unit("Spears", link(WOLVES, "Sword")), extra=linked_to(LIBRARY))
    found = made(tmp_path, book, library(LIBRARY, unit("Ghosts"), shared=(sword,)))
    assert [one["id"] for one in found.book["units"]] == ["spears"]
    assert node(found.book["units"][0], "sword")["points"] == 5
    # A library lends its root entries where the link says so.
    secret = unit("Secret").replace('import="true"', 'import="false"', 1)
    far = library(OTHER, unit("Giants"), extra="")
    near = library(LIBRARY, unit("Ghosts"), secret, extra=linked_to(OTHER, "true"))
    book = catalogue(unit("Spears"), extra=linked_to(LIBRARY, "true"))
    found = made(tmp_path, book, near, far)
    assert [one["id"] for one in found.book["units"]] == ["spears", "ghosts", "giants"]
    # Catalogues that link to each other are read once.
    back = library(LIBRARY, unit("Ghosts"), extra=linked_to("bbbb-0000-0000-0001", "true"))
    found = made(tmp_path, catalogue(unit("Spears"), extra=linked_to(LIBRARY, "true")), back)
    assert [one["id"] for one in found.book["units"]] == ["spears", "ghosts"]


def test_a_linked_catalogue_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(Refusal, match=r"a.cat: it needs the catalogue Hoard, which is not among"):
        made(tmp_path, catalogue(unit("Spears"), extra=linked_to(LIBRARY)))
