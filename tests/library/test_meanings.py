"""What names mean: every name has a card that explains it, or says where to read of it."""

import re
from collections.abc import Iterator
from functools import cache

import pytest
from django.test import Client

from armybuilder.engine.catalogue import Book
from armybuilder.engine.describe import ability_names
from armybuilder.engine.meaning import Meaning, NameKind
from armybuilder.engine.meanings import Meanings
from armybuilder.engine.options import slug
from armybuilder.engine.units import Unit
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.pieces import name_html
from tests.building.regiments import army, group, option, unit
from tests.conftest import Builder

GAMES = sorted(shipped_library().systems)


@cache
def meanings(game: str, *books: str) -> Meanings:
    return Meanings(shipped_library().catalogue(game, books or [*shipped_library().books[game]]))


def of(game: str, name: str) -> Meaning:
    found = meanings(game).of(name)
    assert found is not None, name
    return found


def names_of(one: Unit) -> Iterator[str]:
    """Every name that a unit carries, or may take."""
    yield from ability_names(one)
    options = list(one.offer.options())
    yield from (option.name for option in options)
    for carrier in (one, *options):
        yield from (keyword.name for keyword in carrier.keywords)
        yield from (rule for profile in carrier.profiles for rule in profile.rules)


def carried(book: Book) -> dict[str, str]:
    """The names of a book's units by their slugs; what has no letter is no name."""
    names = (name for one in book.units.values() for name in names_of(one))
    return {slug(name): name for name in names if slug(name)}


@pytest.mark.one_in(3)
@pytest.mark.parametrize("game", GAMES)
def test_every_name_of_every_shipped_book_is_explained_or_says_where_to_read_of_it(
    game: str,
) -> None:
    for book in shipped_library().books[game].values():
        known = meanings(game, book.id)
        for key, name in carried(book).items():
            meaning = known.of(key)
            assert meaning is not None, f"{book.id}: {name}"
            assert meaning.summary or str(meaning.citation).strip(), f"{book.id}: {name}"
            assert meaning == known.of(name), f"{book.id}: {name}"


def test_a_rule_is_found_whatever_its_number_in_singular_and_plural() -> None:
    assert of("t9a-2023", "Breath Attack (AP 1)").name == "Breath Attack"
    assert of("t9a-2023", "Shields") == of("t9a-2023", "Shield")
    assert of("chainmail-2002", "Difficult Troop ×2").name == "Difficult Troop"
    assert of("chainmail-2002", "magic missile 1 ×2").name == "magic missile 1"
    assert of("t9a-2023", "2 × Lucky Charm").name == "Lucky Charm"
    assert of("ddm-2008", "Resist 5 (Fire)").name == "Resist"
    both = of("t9a-2023", "Spear and Shield")
    assert (both.name, str(both.citation)) == (
        "Spear and Shield",
        "Rulebook 21.F.a; Rulebook 21.E.b",
    )
    assert all(of("t9a-2023", name).summary in both.summary for name in ("Spear", "Shield"))


def test_what_no_rulebook_explains_is_cited_by_its_book_and_its_only_unit() -> None:
    lone = unit("guard", 5, keywords=["Lion's Fur"])
    lord = unit("lord", 5, group("relics", option("charm", 5, item="artefact")), keywords=["Pride"])
    mob = unit("mob", 5, keywords=["Pride", "Stomp (1)"])
    known = Meanings(army(lone, lord, mob, unit("ox", 5, keywords=["Stomp (D3)", "Impact (2)"])))
    fur, pride, charm = known.of("lion-s-fur"), known.of("Pride"), known.of("charm")
    assert fur is not None
    assert pride is not None
    assert charm is not None
    assert (fur.word, fur.summary) == ("Rule or equipment", "")
    assert str(fur.citation).strip().endswith("entry “Guard”")
    assert "entry" not in str(pride.citation)
    assert (charm.word, charm.group) == ("Special item", "artefact")
    # What units have with different numbers is called by what they share.
    assert [one.name for name in ("stomp", "impact") if (one := known.of(name))] == [
        *("Stomp", "Impact (2)")
    ]


def card(client: Client, address: str, part: bool = True) -> str:
    answer = client.get(address, headers={"HX-Request": "true"} if part else {})
    assert answer.status_code == 200, address
    return str(answer.text)


def test_a_name_leads_to_a_page_and_with_script_to_a_card_of_the_same_text(client: Client) -> None:
    for address in ("/library/t9a-2023/", "/library/t9a-2023/highborn-elves/"):
        whole, part = (card(client, f"{address}meaning/fly/", part) for part in (False, True))
        assert ("<html" in whole, "<html" in part) == (True, False)
        for text in (of("t9a-2023", "Fly").summary, "Rulebook 21.A.b.14", "Special rule"):
            assert text in whole
            assert text in part
        assert 'href="https://www.the-ninth-age.com/"' in part
    assert client.get("/library/t9a-2023/meaning/blorb/").status_code == 404
    assert client.get("/library/nonsense/meaning/fly/").status_code == 404
    assert client.get("/library/t9a-2023/nonsense/meaning/fly/").status_code == 404


def test_a_browser_that_has_a_card_is_not_sent_it_again(client: Client) -> None:
    address = "/library/sbh/meaning/big/"
    first = client.get(address, headers={"HX-Request": "true"})
    assert "max-age" in first["Cache-Control"]
    again = {"HX-Request": "true", "If-None-Match": first["ETag"]}
    assert client.get(address, headers=again).status_code == 304


NAME = re.compile(r'<a class="means" href="(meaning/[^"]+/)" aria-haspopup="dialog">')


def test_names_of_a_unit_looked_at_on_the_shelf_lead_to_their_meanings(elves: Builder) -> None:
    shown = elves.client.get(f"{elves.url}?preview=highborn-elves/high-prince&view=unit").text
    found = set(NAME.findall(shown))
    assert {"meaning/martial-discipline/", "meaning/lightning-reflexes/"} <= found
    for href in found:
        assert "<h2" in card(elves.client, f"{elves.url}{href}"), href


def test_a_name_without_letters_is_no_link_and_others_are_escaped() -> None:
    assert name_html(")") == ")"
    assert name_html("<b> Åse") == (
        '<a class="means" href="meaning/b-%C3%A5se/" aria-haspopup="dialog">&lt;b&gt; Åse</a>'
    )


@pytest.mark.slow
def test_names_without_a_summary_are_those_of_army_books_alone() -> None:
    """A survey: of each game's names with a summary, with a citation alone, and with neither."""
    lacking: dict[str, set[NameKind]] = {}
    for game in GAMES:
        for book in shipped_library().books[game].values():
            known = meanings(game, book.id)
            told = (known.of(key) for key in carried(book))
            kinds = {one.kind for one in told if one is not None and not one.summary}
            lacking[game] = lacking.get(game, set()) | kinds
    army_s = {NameKind.ITEM, NameKind.KEYWORD, NameKind.OPTION}
    assert {game for game, kinds in lacking.items() if kinds} == {
        "essence-of-war", "t9a-2023", "t9a-2024", "t9a-3rd",
    }  # fmt: skip
    assert lacking["t9a-2023"] == {*army_s, NameKind.PATH}
    assert lacking["essence-of-war"] == {NameKind.KEYWORD, NameKind.OPTION}
    assert lacking["t9a-3rd"] <= army_s


@pytest.mark.parametrize("game", GAMES)
def test_every_entry_is_one_or_two_lines_and_cited(game: str) -> None:
    for meaning in meanings(game).of_game.values():
        assert len(meaning.summary) <= 240, meaning.name
        assert str(meaning.citation).strip(), meaning.name
