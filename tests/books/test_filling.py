"""What fills a book: pasted tables, copies from other books, converted creatures; and the
abilities that come with them.
"""

import json
import re
from collections.abc import Callable

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from armybuilder.books.models import OwnBook
from armybuilder.loading.library import shipped_library
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.markup import flat

pytestmark = [pytest.mark.django_db, pytest.mark.long]

GOOD = "Name\tPoints\tFaction\nGnoll\t8\tNaresh\nHyena\t3\tNaresh\n"
BAD = "Name\tPoints\tFaction\nGnoll\t8\tNaresh\nHyena\tmany\tNaresh\nMaw\t3\tNowhere\n"


def test_a_table_is_shown_before_anything_is_saved(shelf: Shelf) -> None:
    response = shelf.paste(GOOD)
    page = response.content.decode()
    assert response.status_code == 200
    assert "2 cards" in page
    assert "Save 2 cards" in page
    assert '<option value="points" selected>' in page
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(GOOD, "save").status_code == 302
    assert shelf.names == ["Orc Berserker", "Gnoll", "Hyena"]


def test_mistakes_are_shown_at_their_cells_and_the_other_rows_saved(shelf: Shelf) -> None:
    page = shelf.paste("Name;Points\n<b>Gnoll</b>;8\n").content.decode()
    assert "&#10;Name;Points\n&lt;b&gt;Gnoll&lt;/b&gt;;8\n</textarea>" in page
    page = flat(shelf.paste(BAD).content.decode())
    assert "2 rows with errors" in page
    assert '<a href="#row-3">Row 3</a>: Points' in page
    assert '<a href="#row-4">Row 4</a>: Faction' in page
    assert page.count('<span class="amiss">') == 2
    assert 'value="save"' not in page
    assert "leave out the 2 rows" in page
    response = shelf.paste("Name,Points\nGnoll,many\n", "good")
    assert response.status_code == 422
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(BAD, "save").status_code == 422
    assert shelf.names == ["Orc Berserker"]
    assert shelf.paste(BAD, "good").status_code == 302
    assert shelf.names == ["Orc Berserker", "Gnoll"]


def test_a_column_is_matched_by_hand_unless_its_heading_was_fixed_since(shelf: Shelf) -> None:
    table = "Name;Worth\nGnoll;8\n"
    page = shelf.paste(table).content.decode()
    assert '<input type="hidden" name="heading-1" value="Worth">' in page
    chosen = {"column-0": "name", "heading-0": "Name", "column-1": "points", "heading-1": "Worth"}
    assert shelf.paste(table, "save", **chosen).status_code == 302
    assert shelf.data["units"][1]["points"] == 8
    chosen = {"column-0": "name", "heading-0": "Name", "column-1": "", "heading-1": "Cots"}
    shelf.paste("Name;Cost\nHyena;3\n", "save", **chosen)
    assert shelf.data["units"][2]["points"] == 3


def test_cards_are_replaced_only_when_asked_in_the_book_as_it_was_seen(shelf: Shelf) -> None:
    table = "Name,Points\nOrc Berserker,12\n"
    assert shelf.paste(table, "save").status_code == 422
    assert shelf.paste(table, "save", replace="on").status_code == 302
    assert shelf.names == ["Orc Berserker"]
    assert shelf.data["units"][0]["points"] == 12
    assert shelf.data["units"][0]["attributes"]["faction"] == "naresh"
    old = shelf.book.revision
    shelf.change("orc-berserker", points="9")
    table = "Name,Points\nOrc Berserker,12\n"
    response = shelf.paste(table, "save", replace="on", revision=old)
    assert response.status_code == 422
    assert "check it again" in response.content.decode()
    assert shelf.data["units"][0]["points"] == 9


def test_adding_to_a_book_that_changed_since_keeps_both(shelf: Shelf) -> None:
    old = shelf.book.revision
    shelf.add(name="Goblin")
    assert shelf.paste(GOOD, "save", revision=old).status_code == 302
    assert shelf.names == ["Orc Berserker", "Goblin", "Gnoll", "Hyena"]


def test_a_table_can_be_uploaded_in_the_usual_encodings(shelf: Shelf) -> None:
    for encoding in ("utf-8", "utf-8-sig", "utf-16", "cp1252"):
        file = SimpleUploadedFile("cards.csv", "Name;Points\nÖrk;8\n".encode(encoding))
        page = shelf.client.post(f"{shelf.url}paste/", {"file": file}).content.decode()
        assert "Save 1 card" in page, encoding
        assert "&#10;Name;Points\nÖrk;8" in page, encoding


BAD_TABLES = {
    "nothing": b"",
    "too large": b"Name;Points\n" + b"Gnoll;8\n" * 140_000,
    "10,000 rows": b"Name;Points\n" + b"Gnoll;8\n" * 10_000,
    "a workbook": b"PK\x03\x04" + b"x" * 100,
    "no text": bytes(range(256)) * 10,
    "one word": b"hello",
    "headings only": b"Name;Points",
}


@pytest.mark.slow
def test_a_file_that_is_not_a_table_is_refused(shelf: Shelf) -> None:
    for raw in BAD_TABLES.values():
        file = SimpleUploadedFile("cards.csv", raw)
        response = shelf.client.post(f"{shelf.url}paste/", {"file": file, "go": "save"})
        assert response.status_code == 422, raw
        assert shelf.names == ["Orc Berserker"], raw


def test_pasting_too_many_cards_for_one_book_is_refused(shelf: Shelf) -> None:
    shelf.fill(999)
    response = shelf.paste(GOOD, "save")
    assert response.status_code == 422
    assert "1,000" in response.content.decode()
    assert shelf.book.unit_count == 999


def test_units_are_copied_from_a_shipped_book(shelf: Shelf) -> None:
    address = f"{shelf.url}copy/"
    page = shelf.client.get(address, {"from": "practice", "q": "oresta"}).content.decode()
    assert "Bannerlady Oresta" in page
    assert "1 of" in page
    assert "Sunhill Chaplain" not in page
    fields = {"from": "practice", "units": ["bannerlady-oresta", "sunhill-chaplain"]}
    fields["go"] = "copy"
    assert shelf.client.post(address, fields).status_code == 302
    assert shelf.names == ["Orc Berserker", "Bannerlady Oresta", "Sunhill Chaplain"]


def test_units_are_copied_from_an_own_book_of_any_edition_with_abilities(shelf: Shelf) -> None:
    other = Shelf(shelf.client, name="Other")
    address = f"{other.url}copy/"
    assert "Mine (1)" in other.text("copy/")
    fields = {"from": shelf.id, "units": ["orc-berserker"], "go": "copy"}
    assert other.client.post(address, fields).status_code == 302
    assert other.names == ["Orc Berserker"]
    assert [ability["name"] for ability in other.data["abilities"]] == ["Rage"]
    other = Shelf(shelf.client, "chainmail-2001-basic")
    fields = {"from": shelf.id, "units": ["orc-berserker"], "go": "copy"}
    assert other.client.post(f"{other.url}copy/", fields).status_code == 302
    assert other.names == ["Orc Berserker"]


@pytest.mark.slow
def test_what_cannot_be_copied_copies_nothing(shelf: Shelf) -> None:
    for fields in (
        {"from": "practice"},
        {"from": "practice", "units": ["bannerlady-oresta", "no-such"]},
        {"from": "no-such", "units": ["bannerlady-oresta"]},
        {"units": ["bannerlady-oresta"]},
    ):
        fields = {"go": "copy", **fields}
        assert shelf.client.post(f"{shelf.url}copy/", fields).status_code == 422, fields
        assert shelf.names == ["Orc Berserker"], fields


@pytest.mark.slow
def test_ticks_are_kept_while_looking_and_set_for_all_that_are_found(shelf: Shelf) -> None:
    fields = {"from": "practice", "units": ["bannerlady-oresta"], "q": "chaplain", "go": "find"}
    page = shelf.client.post(f"{shelf.url}copy/", fields).content.decode()
    assert '<input type="hidden" name="units" value="bannerlady-oresta">' in page
    assert "Sunhill Chaplain" in page
    fields["q"] = ""
    page = flat(shelf.client.post(f"{shelf.url}copy/", fields).content.decode())
    assert 'value="bannerlady-oresta" checked' in page
    assert shelf.names == ["Orc Berserker"]
    address = f"{shelf.url}copy/"
    fields: dict[str, object] = {"from": "practice", "units": ["sunhill-chaplain"]}
    found = shelf.client.post(address, {**fields, "q": "oresta", "go": "all"})
    page = flat(found.content.decode())
    assert 'value="bannerlady-oresta" checked' in page
    assert '<input type="hidden" name="units" value="sunhill-chaplain">' in page
    page = shelf.client.post(address, {**fields, "go": "all"}).content.decode()
    assert ticks(page) == units_of("practice")
    page = shelf.client.post(address, {**fields, "q": "chaplain", "go": "none"}).content.decode()
    assert 'value="sunhill-chaplain">' in page
    assert ticks(page) == 0


def ability(shelf: Shelf, **changes: str) -> dict[str, str]:
    page = shelf.text("abilities/")
    mark = page.split('name="mark" value="')[1].split('"')[0]
    return {"id": "rage", "name": "Rage", "rating": "plus", "mark": mark, **changes}


@pytest.mark.slow
def test_an_own_ability_is_described_and_what_was_typed_is_kept_in_a_conflict(shelf: Shelf) -> None:
    address = f"{shelf.url}abilities/"
    mine = ability(shelf, summary="Mine.")
    shelf.client.post(address, ability(shelf, summary="Theirs."))
    response = shelf.client.post(address, mine)
    page = response.content.decode()
    assert response.status_code == 409
    assert 'value="Mine."' in page
    assert shelf.data["abilities"][0]["summary"] == "Theirs."
    again = {**mine, "mark": page.split('name="mark" value="')[1].split('"')[0]}
    assert shelf.client.post(address, again).status_code == 302
    assert shelf.data["abilities"][0]["summary"] == "Mine."
    fields = ability(shelf, name="Fury", summary="Hits harder once wounded.")
    assert shelf.client.post(f"{shelf.url}abilities/", fields).status_code == 302
    assert shelf.data["abilities"][0]["summary"] == "Hits harder once wounded."
    assert "Fury +2" in shelf.page


@pytest.mark.slow
def test_a_wrong_ability_is_refused(shelf: Shelf) -> None:
    for changes in (
        {"name": ""},
        {"rating": "loud"},
        {"name": "Cleave"},
        {"id": "none", "mark": ""},
    ):
        before = shelf.data
        fields = ability(shelf, **changes)
        assert shelf.client.post(f"{shelf.url}abilities/", fields).status_code == 422, changes
        assert shelf.data == before, changes


def test_points_of_an_ability_count_where_the_game_works_prices_out(client: Client) -> None:
    shelf = Shelf(client, "sbh")
    fields = {"name": "Jumper", "stat-quality": "3", "stat-combat": "3", "abilities": "Springs"}
    assert client.post(f"{shelf.url}units/new/", fields).status_code == 302
    before = shelf.page
    mark = shelf.text("abilities/").split('name="mark" value="')[1].split('"')[0]
    fields = {"id": "springs", "name": "Springs", "rating": "none", "points": "10", "mark": mark}
    assert client.post(f"{shelf.url}abilities/", fields).status_code == 302
    assert shelf.data["abilities"][0]["points"] == 10
    assert shelf.page != before
    wrong = client.post(f"{shelf.url}abilities/", {**fields, "points": "lots"})
    assert wrong.status_code in (409, 422)


OGRE = {
    "name": "Ogre", "size": "large", "type": "giant", "alignment": "evil", "hit_dice": "4d8+8",
    "hit_points": "26", "speed": "30", "fly": "0", "burrow": "0", "armor_class": "16",
    "melee_attack": "8", "melee_damage": "2d8+7", "fortitude": "6", "reflex": "0", "will": "1",
    "faction": "none",
}  # fmt: skip


def test_a_creature_is_converted_step_by_step_mistakes_told_into_a_new_book(client: Client) -> None:
    response = client.post("/books/convert/", {**OGRE, "go": "show"})
    page = response.content.decode()
    assert response.status_code == 200
    for text in ("Step by step", "p. 71", "We suggest", "Human Glaiver", "hit points"):
        assert text in page, text
    assert 'value="2d8+7"' in page
    assert not OwnBook.objects.exists()
    response = client.post("/books/convert/", {**OGRE, "hit_dice": "some", "will": ""})
    page = response.content.decode()
    assert response.status_code == 422
    assert '<a href="#field-hit_dice">' in page
    assert '<a href="#field-will">' in page
    assert 'value="some"' in page
    part = client.post("/books/convert/", {"preview": "1"}, headers={"HX-Request": "true"})
    assert part.status_code == 200
    assert "Still to fill in: Name, Type, Alignment," in part.content.decode()
    fields = {**OGRE, "go": "put", "into": "new:chainmail-2002"}
    assert client.post("/books/convert/", fields).status_code == 302
    assert OwnBook.objects.get().data["units"][0]["name"] == "Ogre"


def test_a_converted_creature_goes_into_a_book_with_a_suggested_price(shelf: Shelf) -> None:
    response = shelf.client.post("/books/convert/", {**OGRE, "go": "put", "into": shelf.id})
    assert response["Location"] == f"{shelf.url}units/ogre/"
    unit = shelf.data["units"][1]
    assert unit["suggested"] is True
    assert unit["points"] > 0
    assert "suggested" in shelf.page
    saved = json.loads(shelf.client.get(f"{shelf.url}book.json").content)
    assert [unit["name"] for unit in saved["units"]] == ["Orc Berserker", "Ogre"]


@pytest.mark.slow
def test_a_creature_goes_into_no_other_book(shelf: Shelf) -> None:
    for into in ("", "new:sbh", "new:none", "own-0123456789abcdef"):
        fields = {**OGRE, "go": "put", "into": into}
        assert Client().post("/books/convert/", {**fields, "into": shelf.id}).status_code == 422, (
            into
        )
        assert shelf.client.post("/books/convert/", fields).status_code == 422, into
        assert OwnBook.objects.count() == 1, into
        assert shelf.names == ["Orc Berserker"], into


def test_the_price_can_be_measured_against_a_card_of_the_book(shelf: Shelf) -> None:
    numbers = {"stat-health": "5", "stat-melee_attack": "6", "stat-melee_damage": "3"}
    shelf.change("orc-berserker", **numbers)
    fields = {**OGRE, "into": shelf.id, "against": "own/orc-berserker"}
    page = shelf.client.post("/books/convert/", fields).content.decode()
    assert "compared with Orc Berserker (7 points)" in page


def ticks(page: str) -> int:
    return len(re.findall(r'name="units" [^>]* checked>', flat(page)))


def units_of(book: str) -> int:
    """How many units a shipped Chainmail book has."""
    return len(shipped_library().books["chainmail-2002"][book].units)


@pytest.mark.slow
def test_a_whole_book_of_a_thousand_cards_is_ticked_and_copied(shelf: Shelf) -> None:
    shelf.fill(1000)
    other = Shelf(shelf.client, name="Other")
    address = f"{other.url}copy/"
    page = other.client.post(address, {"from": shelf.id, "go": "all"}).content.decode()
    ticked = [f"unit-{number}" for number in range(1000)]
    assert page.count('type="hidden" name="units"') + ticks(page) == 1000
    fields = {"from": shelf.id, "units": ticked, "go": "copy"}
    assert other.client.post(address, fields).status_code == 302
    assert other.book.unit_count == 1000


# Sharing: an address that opens a book for everyone who has it, until its holder ends that.


def share(shelf: Shelf) -> str:
    assert shelf.act("share").status_code == 302
    found = re.search(r'value="http://testserver(/books/shared/[^"]+)"', shelf.page)
    assert found, "the page does not say the address"
    return found[1]


def test_a_book_is_shared_only_when_its_holder_says_so_under_a_long_token(shelf: Shelf) -> None:
    token = shelf.book.share_token or "0" * 40
    assert token not in shelf.page
    assert Client().get(f"/books/shared/{shelf.id}/{token}/").status_code == 404
    token = share(shelf).strip("/").split("/")[-1]
    assert re.fullmatch(r"[0-9a-f]{40}", token)
    assert shelf.id.removeprefix("own-") not in token
    assert "how others see your book" in shelf.client.get(share(shelf)).content.decode()
    saved = Client().get(f"{share(shelf)}book.json")
    assert json.loads(saved.content) == shelf.data
    assert "no-store" in saved["Cache-Control"]
    assert (saved["X-Robots-Tag"], saved["Referrer-Policy"]) == ("noindex", "same-origin")
    assert saved["Content-Disposition"] == 'attachment; filename="Mine.json"'


def test_anyone_with_the_link_sees_the_book_and_cannot_change_it(shelf: Shelf) -> None:
    stranger = Client()
    response = stranger.get(share(shelf))
    page = response.content.decode()
    assert "Orc Berserker" in page
    assert "Rage +2" in page
    assert "remove:" not in page
    assert shelf.url not in page
    assert response["Referrer-Policy"] == "same-origin"
    assert response["X-Robots-Tag"] == "noindex"
    assert "sessionid" not in stranger.cookies


def test_a_wrong_token_opens_nothing(shelf: Shelf) -> None:
    address = share(shelf)
    other = Shelf(shelf.client, name="Other")
    share(other)
    token = address.strip("/").split("/")[-1]
    swapped = token[:-1] + ("0" if token[-1] != "0" else "1")
    for wrong in (
        address.replace(token, swapped),
        address.replace(token, token[:-1]),
        address.replace(shelf.id, other.id),
    ):
        for method, path in (("get", ""), ("post", "copy/"), ("get", "book.json")):
            assert getattr(Client(), method)(wrong + path).status_code == 404, wrong + path


def test_a_book_that_is_no_longer_shared_cannot_be_opened(shelf: Shelf) -> None:
    old = share(shelf)
    shelf.act("unshare")
    assert Client().get(old).status_code == 404
    new = share(shelf)
    assert new != old
    assert Client().get(old).status_code == 404
    assert Client().post(f"{old}copy/").status_code == 404
    assert Client().get(f"{old}book.json").status_code == 404
    assert Client().get(new).status_code == 200


def test_a_deleted_book_is_not_shared(shelf: Shelf) -> None:
    address = share(shelf)
    shelf.act("delete")
    assert Client().get(address).status_code == 404
    shelf.client.post(f"{shelf.url}restore/")
    assert Client().get(address).status_code == 200


def test_a_copy_is_the_strangers_own_and_apart(shelf: Shelf) -> None:
    stranger = Client()
    response = stranger.post(f"{share(shelf)}copy/")
    assert response.status_code == 302
    copy = OwnBook.objects.exclude(pk=shelf.id).get()
    assert response["Location"] == f"/books/{copy.pk}/"
    assert copy.data["units"] == shelf.data["units"]
    assert copy.data["id"] == copy.pk
    assert not copy.shared
    assert copy.holder != shelf.book.holder
    shelf.act(f"remove:orc-berserker:{shelf.mark('orc-berserker')}")
    copy.refresh_from_db()
    assert copy.unit_count == 1
    assert response["Location"] in stranger.get("/books/").content.decode()


# What new players stumbled over: abilities the game has under a longer name, tables without
# headings of ours, options typed wrongly, and pools put in creature by creature.


def after_saving(shelf: Shelf, unit: str) -> str:
    return shelf.text("units/new/", after=unit)


def preview(shelf: Shelf, **fields: str) -> str:
    fields |= {"preview": "1"}
    headers = {"HX-Request": "true"}
    response = shelf.client.post(f"{shelf.url}units/new/", fields, headers=headers)
    return str(response.content.decode())


def test_unknown_abilities_and_cards_of_the_same_name_are_reported_when_one_is_saved(
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
    assert "Similar in the game: Wild Shape, Wild Troop, Wild and Difficult Troop." in page
    assert "Similar in the game" not in preview(
        shelf, name="Wolf", abilities="Wild Troop, Big Stomp"
    )


def test_units_of_an_army_are_shown_with_costs_category_and_rules(client: Client) -> None:
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
    offered = re.findall(r"<dt>(.*?)</dt>|<li>\s*<bdi>(.*?)\s*</li>", page)
    assert [head or option.replace("</bdi>", "") for head, option in offered] == [
        *("Options", "Champion +20", "Bows +3 per model", "nonsense"),
        *("Arms", "Spears", "Axes +2 per model"),
    ]
    assert "Core · 15 to 40 models" in page
    assert "140 points, 8 for each model above 15" in page
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


def test_values_in_a_table_can_be_abbreviated_if_unambiguous(client: Client) -> None:
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


def test_feats_left_out_are_named_in_a_sentence(client: Client) -> None:
    page = client.post("/books/convert/", {**OGRE, "feats": "Alertness\nTrack"}).content.decode()
    assert "Left out, because the game has nothing like it: Alertness, Track." in page


@pytest.mark.slow
def test_choosing_a_creature_adds_one_to_the_pool(build: Callable[..., Builder]) -> None:
    game = build("ddm-2008", limit=200, books=["practice"])
    game.act("setting", setting="game", value="sealed")
    page = game.page
    assert '<option value="">Choose one</option>' in page
    game.act("add-piece", setting="pool", piece="practice/gorge-ogre")
    assert 'aria-label="One more Gorge Ogre"' in game.page
    assert 'aria-label="Remove Gorge Ogre"' in game.page
    game.act("add-piece", setting="pool", piece="practice/gorge-ogre")
    assert 'aria-label="Remove one Gorge Ogre"' in game.page


@pytest.mark.slow
def test_a_list_leads_to_the_players_book_it_draws_from(build: Callable[..., Builder]) -> None:
    game = build("sbh", limit=300, books=["profiles"])
    mine = Shelf(game.client, "sbh")
    assert f'href="{mine.url}"' not in game.page
    game.act("add-book", book=mine.id)
    assert f'href="{mine.url}"' in game.page
    mine.act("delete")
    assert f'href="{mine.url}"' not in game.page
