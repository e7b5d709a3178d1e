"""What new players stumbled over: abilities the game has under a longer name, tables without
headings of ours, options typed wrongly, and pools put in creature by creature.
"""

from collections.abc import Callable

import pytest
from django.test import Client

from tests.books.shelf import Shelf
from tests.books.test_filling import OGRE
from tests.conftest import Builder

pytestmark = pytest.mark.django_db


def after_saving(shelf: Shelf, unit: str) -> str:
    return shelf.text("units/new/", after=unit)


def preview(shelf: Shelf, **fields: str) -> str:
    fields |= {"preview": "1"}
    headers = {"HX-Request": "true"}
    response = shelf.client.post(f"{shelf.url}units/new/", fields, headers=headers)
    return str(response.content.decode())


def test_unknown_abilities_and_cards_of_the_same_name_are_told_when_one_is_saved(
    shelf: Shelf,
) -> None:
    shelf.add(name="Wolf", abilities="Wild, Rage +2, Scent")
    told = after_saving(shelf, "wolf")
    assert "The game does not know Wild: it is an ability of this book now." in told
    assert "Say what it does" in told
    assert "has the same name" not in told
    shelf.add(name="Dog", abilities="Wild, Scent")
    assert "The game does not know" not in after_saving(shelf, "dog")
    shelf.add(name="wolf")
    assert "Another card of this book has the same name." in after_saving(shelf, "wolf-2")


def test_the_preview_names_abilities_of_the_game_that_may_be_meant(shelf: Shelf) -> None:
    page = preview(shelf, name="Wolf", abilities="Wild")
    assert "The game has Wild Shape, Wild Troop, Wild and Difficult Troop." in page
    assert "The game has" not in preview(shelf, name="Wolf", abilities="Wild Troop, Big Stomp")


def test_units_of_an_army_are_shown_with_costs_category_and_rules(
    client: Client,
) -> None:
    army = Shelf(client, "t9a-2023")
    page = preview(
        army,
        name="Sky Spears",
        points="140",
        points_per_model="8",
        size="15-40",
        categories="core",
        options="Champion, 20\nBows, 3 a model\nnonsense\nArms: Spears free | Axes, 2 a model",
    )
    for line in ("Champion +20", "Bows +3 a model", "nonsense free"):
        assert f'<span class="face-line">{line}</span>' in page
    assert "Arms: Spears free | Axes +2 a model" in page
    assert "Core · 15 to 40 models" in page
    assert "140 points, +8 for each additional model" in page
    army = Shelf(client, "t9a-2023")
    army.client.post(
        f"{army.url}units/new/",
        {"name": "Guard", "points": "9", "size": "10-20", "categories": "core", "keywords": "Bold"},
    )
    assert "<td>Core · 10 to 20 models</td>" in army.page
    assert "<td>Bold</td>" in army.page


def test_a_column_of_words_is_the_name_where_no_heading_says_so(shelf: Shelf) -> None:
    page = shelf.paste("Nr.;Krieger;Cost\n1;Gnoll;8\n2;Hyena;3\n").content.decode()
    assert "2 cards" in page
    shelf.paste("Nr.;Krieger;Cost\n1;Gnoll;8\n2;Hyena;3\n", "save")
    assert shelf.names == ["Orc Berserker", "Gnoll", "Hyena"]
    numbers = shelf.paste("Nr.;Cost\n1;8\n").content.decode()
    assert "No column holds the name" in numbers


def test_a_table_without_headings_keeps_its_first_row(shelf: Shelf) -> None:
    table = "Gnoll;8;Naresh\nHyena;3;Naresh\n"
    assert "The first row is a card, not headings" in shelf.paste(table).content.decode()
    page = shelf.paste(table, "bare").content.decode()
    assert "Column 1;Column 2;Column 3\nGnoll;8;Naresh" in page
    assert "Save 2 cards" in page
    assert "The first row is a card" not in page
    assert "The first row is a card" not in shelf.paste("Name;X\nA;1\n").content.decode()


def test_values_of_a_table_may_be_begun_only_where_that_means_one(client: Client) -> None:
    shelf = Shelf(client, "ddm-2008")
    table = "Mini,Cost,Faction,Align.,Size,Rarity,Type\nOrc,7,Wild/Under,E,M,C,Humanoid\n"
    assert shelf.paste(table, "save").status_code == 302
    unit = shelf.data["units"][0]
    assert unit["attributes"] == {
        "faction": ["wild", "underdark"],
        "alignment": "evil",
        "size": "medium",
        "rarity": "common",
    }
    assert unit["keywords"] == ["Humanoid"]
    unclear = shelf.paste("Name,Card\nOrc,x\n").content.decode()
    assert "has no card “x”" in unclear


def test_feats_that_are_left_out_are_told_in_a_sentence(client: Client) -> None:
    page = client.post("/books/convert/", {**OGRE, "feats": "Alertness\nTrack"}).content.decode()
    assert "Left out, because the game has nothing like it: Alertness, Track." in page


def test_a_pool_grows_by_one_of_what_was_chosen(build: Callable[..., Builder]) -> None:
    game = build("ddm-2008", limit=200, books=["practice"])
    game.act("setting", setting="game", value="sealed")
    page = game.page
    assert '<option value="">Choose one</option>' in page
    game.act("add-piece", setting="pool", piece="practice/gorge-ogre")
    assert 'aria-label="One more Gorge Ogre"' in game.page
    assert 'aria-label="Remove Gorge Ogre"' in game.page
    game.act("add-piece", setting="pool", piece="practice/gorge-ogre")
    assert 'aria-label="Remove one Gorge Ogre"' in game.page


def test_a_list_leads_to_the_players_book_it_draws_from(build: Callable[..., Builder]) -> None:
    game = build("sbh", limit=300, books=["profiles"])
    mine = Shelf(game.client, "sbh")
    assert f'href="{mine.url}"' not in game.page
    game.act("add-book", book=mine.id)
    assert f'href="{mine.url}"' in game.page
    mine.act("delete")
    assert f'href="{mine.url}"' not in game.page
