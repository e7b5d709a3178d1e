"""Cards from the command line and from the pages."""

import json

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from pypdf import PdfReader

from armybuilder.loading.library import shipped_library
from tests.pdfs import text_of
from tests.sheets.papers import legal_list


@pytest.fixture
def out(tmp_path):
    return tmp_path / "out.pdf"


@pytest.fixture
def written(tmp_path):
    file = tmp_path / "list.json"
    file.write_text(json.dumps(legal_list()))
    return str(file)


def test_the_cards_of_a_list_are_written(written, out, capsys):
    call_command("print_cards", written, "-o", str(out))
    assert "Oresta the Unbowed" in text_of(out.read_bytes())
    assert "Test list cards" in capsys.readouterr().out


def test_cards_of_a_book_and_blank_ones_are_written(out):
    # The cards of a book are written on the paper asked for.
    options = ("--book", "sbh/profiles", "--paper", "letter")
    call_command("print_cards", *options, "-o", str(out))
    assert b"/MediaBox [ 0 0 612 792 ]" in out.read_bytes()
    assert "Barbarian Warrior" in text_of(out.read_bytes())
    # As many blank cards as asked for are written.
    call_command("print_cards", "--blank", "sbh", "--count", "12", "-o", str(out))
    assert PdfReader(out).metadata.title == "Song of Blades and Heroes empty cards"
    assert text_of(out.read_bytes()).count("empty card") == 12


def test_missing_input_and_unwritable_output_exit_with_code_2(out):
    for asked, said in (
        (["--blank", "chess", "-o", str(out)], "no game system “chess”"),
        (["--book", "chess/x", "-o", str(out)], "no game system “chess”"),
        (["--book", "sbh/none", "-o", str(out)], "has no book “none”"),
        (["--book", "sbh", "-o", str(out)], "has no book “”"),
        (["nowhere.json", "-o", str(out)], "No such file"),
        (["--blank", "sbh", "-o", str(out.parent)], "directory"),
    ):
        with pytest.raises(CommandError, match=said) as refused:
            call_command("print_cards", *asked)
        assert refused.value.returncode == 2, asked
        assert not out.exists()


def test_a_list_hands_out_its_cards_and_nobody_gets_those_of_anothers(chainmail):
    # A list hands out its cards.
    chainmail.act("add", ref="practice/sunhill-chaplain")
    list_id = chainmail.version.army_list_id
    for address in (
        reverse("cards-pdf", args=[list_id]),
        reverse("cards-paper", args=[list_id, "letter"]),
    ):
        assert address in chainmail.client.get(reverse("sheet", args=[list_id])).content.decode()
        response = chainmail.client.get(address)
        assert response["Content-Type"] == "application/pdf"
        assert 'filename="Test-list-cards.pdf"' in response["Content-Disposition"]
        assert "Sunhill Chaplain" in text_of(response.content)
    # Cards of anothers list and of what is not there are not found.
    list_id = chainmail.version.army_list_id
    for browser, name, *args in (
        (Client(), "cards-pdf", list_id),
        (Client(), "cards-paper", list_id, "letter"),
        (chainmail.client, "cards-paper", list_id, "a0"),
        (chainmail.client, "book-cards-paper", "sbh", "profiles", "a0"),
        (chainmail.client, "blank-paper", "sbh", "a0"),
        (chainmail.client, "book-cards", "sbh", "none"),
        (chainmail.client, "book-cards", "chess", "profiles"),
        (chainmail.client, "blank-cards", "chess"),
    ):
        assert browser.get(reverse(name, args=args)).status_code == 404, (name, args)


@pytest.mark.slow
@pytest.mark.django_db
def test_a_book_hands_out_its_cards(client):
    for place in (["sbh", "profiles"], ["t9a-2023", "empire-of-sonnstahl"]):
        page = client.get(reverse("book", args=place)).content.decode()
        system, book = place
        units = shipped_library().books[system][book].units.values()
        addresses = (reverse("book-cards", args=place), "book-cards-paper")
        for address in (addresses[0], reverse(addresses[1], args=[*place, "letter"])):
            assert address in page
            text = text_of(client.get(address).content)
            assert all(unit.name in text for unit in units), address


@pytest.mark.django_db
def test_a_system_hands_out_blank_cards(client):
    page = client.get(reverse("system", args=["ddm-2008"])).content.decode()
    for address in (
        reverse("blank-cards", args=["ddm-2008"]),
        reverse("blank-paper", args=["ddm-2008", "letter"]),
    ):
        assert address in page
        response = client.get(address)
        assert 'filename="ddm-2008-blank-cards.pdf"' in response["Content-Disposition"]
        assert text_of(response.content).count("empty card") == 9
