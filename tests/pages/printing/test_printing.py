"""The page of printing: its set-up, its pictures, its file, and what is kept of it."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.http import QueryDict
from django.test import Client
from PIL import Image
from pypdf import PdfReader

from armybuilder.loading.problems import Refusal
from armybuilder.pages.printing.printing import MOST_PICTURES, asked_for, query_of
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.sheets.printing import printouts
from tests.building.documents import army, skirmish, value_of
from tests.conftest import Builder
from tests.markup import flat, lacking
from tests.printing.jobs import print_into

pytestmark = pytest.mark.long

SIDEWAYS = "kinds=full&landscape=1"


@pytest.fixture(autouse=True)
def nothing_kept() -> Iterator[None]:
    printouts._kept.clear()
    yield
    printouts._kept.clear()


@pytest.fixture
def listed(chainmail: Builder) -> Builder:
    chainmail.act("add", ref="practice/millbrook-spearhand")
    return chainmail


def look(builder: Builder, query: str = "", **headers: str) -> Any:
    return builder.client.get(f"{builder.url}print/?{query}", headers=headers)


def setup_in(address: str) -> Setup:
    return asked_for(QueryDict(urlsplit(address).query), Setup()).setup


def save(builder: Builder, name: str, query: str, **fields: str) -> Any:
    sent = {"do": "save", "name": name, "query": query, **fields}
    return builder.client.post(f"{builder.url}print/setups/", sent)


def pages_of(builder: Builder, query: str = "") -> list[Any]:
    file = builder.client.get(f"{builder.url}print.pdf?{query}")
    return list(PdfReader(BytesIO(file.content)).pages)


def test_preview_and_pdf_follow_the_settings(listed: Builder) -> None:
    # The page shows each page of the very file.
    page = flat(look(listed).text)
    pages = pages_of(listed)
    pictures = re.findall(r'<img src="([^"]+)" width="(\d+)" height="(\d+)"', page)
    assert len(pictures) == len(pages)
    assert f"Fits on {len(pages)} page" in page
    for (address, width, height), paper in zip(pictures, pages, strict=True):
        answer = listed.client.get(address.replace("&amp;", "&"))
        assert answer["Content-Type"] == "image/png"
        image = Image.open(BytesIO(answer.content))
        assert image.size == (int(width), int(height))
        ratio = float(paper.mediabox.height) / float(paper.mediabox.width)
        assert image.height / image.width == pytest.approx(ratio, rel=0.01)
        assert image.convert("L").getextrema()[0] < 100, "something is printed on it"
    # A set up in the address shapes pages and pictures.
    box = pages_of(listed, SIDEWAYS)[0].mediabox
    assert box.width > box.height
    picture = listed.client.get(f"{listed.url}print/page/1.png?{SIDEWAYS}").content
    image = Image.open(BytesIO(picture))
    assert image.width > image.height

    # Black and white is shown in greys and colour in colour.
    def mode(query: str) -> str:
        picture = listed.client.get(f"{listed.url}print/page/1.png?{query}").content
        return Image.open(BytesIO(picture)).mode

    assert mode("kinds=full") == "L"
    assert mode("kinds=full&colour=1") == "RGB"
    # There are no pictures beyond the pages.
    for number in (0, len(pages_of(listed)) + 1, MOST_PICTURES + 1, 10**9):
        assert listed.client.get(f"{listed.url}print/page/{number}.png").status_code == 404
    # Addresses of pictures say the set up.
    page = flat(look(listed, "kinds=full&paper=A5").text)
    [address] = re.findall(r'<img src="([^"]+)"', page)[:1]
    asked = parse_qs(urlsplit(address.replace("&amp;", "&")).query)
    assert asked["paper"] == ["A5"]
    assert asked["kinds"] == ["full"]


def test_the_print_form_works_without_script_and_offers_what_fits(listed: Builder) -> None:
    # The form without script leads to an address that can be kept.
    sent = "kinds=&kinds=full&paper=A5&landscape=1&size=normal&prices=0&notes=0&notes=1&colour=0"
    answer = look(listed, sent)
    assert answer.status_code == 302
    address = answer["Location"]
    assert setup_in(address) == Setup(paper="A5", landscape=True, prices=False)
    page = listed.client.get(address)
    assert page.status_code == 200
    text = flat(page.text)
    assert re.search(r'value="1" id="set-notes" checked', text)
    assert not re.search(r'value="1" id="set-prices" checked', text)
    # With script only the part is sent and the address follows.
    answer = look(listed, "kinds=&kinds=full&paper=A5&notes=0", **{"HX-Request": "true"})
    assert answer.status_code == 200
    assert setup_in(answer["HX-Replace-Url"]) == Setup(paper="A5", notes=False)
    assert "<html" not in answer.text
    assert 'id="printing"' in answer.text
    # Without a sheet the page asks for one and keeps the rest.
    answer = look(listed, "kinds=&paper=A5")
    page = answer.text
    assert answer.status_code == 200
    assert lacking(page, "Choose at least one sheet.", '<option value="A5" selected>') == []
    assert "<img " not in page
    assert listed.client.get(f"{listed.url}print.pdf?kinds=").status_code == 422
    # What is not offered is refused in a sentence.
    for query, said in (
        ("paper=B9", "“B9” is not a valid choice"),
        ("kinds=poem", "There is no sheet “poem”."),
        ("kinds=full&size=vast", "“vast” is not a valid choice"),
    ):
        answer = look(listed, query)
        assert answer.status_code == 422, query
        assert said in answer.text
        assert 'id="print-form"' in answer.text, query
        for address in ("print.pdf", "print/page/1.png"):
            refused = listed.client.get(f"{listed.url}{address}?{query}")
            assert refused.status_code == 422, query
            assert said in refused.text
    # Letters that no font has are said before printing.
    listed.act("rename", name="龍 the guard")
    assert "Sheets have no letters" not in flat(look(listed).text)
    listed.act("rename", name="𐎀𐎁 the guard")
    page = flat(look(listed).text)
    assert "Our fonts lack these characters, so sheets print \ufffd instead: 𐎀𐎁" in page


def test_a_file_is_drawn_once_for_all_that_is_shown_of_it(
    listed: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = []
    real = printouts.print_list
    monkeypatch.setattr(printouts, "print_list", lambda *parts: drawn.append(parts) or real(*parts))
    look(listed)
    listed.client.get(f"{listed.url}print/page/1.png")
    listed.client.get(f"{listed.url}print.pdf")
    assert len(drawn) == 1
    listed.act("more", unit="u1")
    look(listed)
    assert len(drawn) == 2, "the list has changed"
    # A picture is kept by the browser only under the mark of its file.
    page = flat(look(listed).text)
    marked = re.findall(r'<img src="([^"]+)"', page)[0].replace("&amp;", "&")
    assert "immutable" in listed.client.get(marked)["Cache-Control"]
    listed.act("more", unit="u1")
    assert "immutable" not in listed.client.get(marked)["Cache-Control"]


@pytest.mark.slow
def test_no_more_files_are_kept_than_a_few(listed: Builder) -> None:
    for size in ("small", "normal", "large"):
        for paper in ("A4", "letter", "A5"):
            look(listed, query_of(Setup(size=size, paper=paper)))
    assert len(printouts._kept) == printouts.KEPT


@pytest.mark.slow
def test_only_the_first_pages_of_a_long_file_are_drawn(build: Any) -> None:
    army = build("sbh", limit=5000, books=["profiles"])
    for _ in range(12):
        army.act("add", ref="profiles/human-leader")
    version = army.version
    units = version.document.to_dict()["units"]
    many = [{**units[0], "id": f"u{number}", "notes": "word " * 200} for number in range(1, 100)]
    version.document = {**version.document.to_dict(), "units": many}
    version.save()
    page = flat(look(army).text)
    assert len(pages_of(army)) > MOST_PICTURES
    assert page.count("<img ") == MOST_PICTURES
    assert f"The first {MOST_PICTURES} are shown." in page
    beyond = f"{army.url}print/page/{MOST_PICTURES + 1}.png"
    assert army.client.get(beyond).status_code == 404


def test_what_no_page_holds_is_reported_on_the_page(
    listed: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_parts: object) -> bytes:
        raise Refusal("Too long for a page.")

    monkeypatch.setattr(printouts, "print_list", refuse)
    answer = look(listed)
    assert answer.status_code == 200
    assert "Too long for a page." in answer.text


def test_print_settings_can_be_given_in_the_address() -> None:
    # Buttons move a sheet within the order.
    def after(query: str) -> tuple[str, ...]:
        return asked_for(QueryDict(query), Setup()).chosen

    assert after("kinds=full,compact,quick&up=quick") == ("full", "quick", "compact")
    assert after("kinds=&kinds=full&kinds=quick&down=full") == ("quick", "full")
    assert after("kinds=full,quick&up=full") == ("full", "quick")
    assert after("kinds=full,quick&down=quick") == ("full", "quick")
    assert after("kinds=full,quick&down=poem") == ("full", "quick")
    # A set up is the same after its address.
    for setup in (
        Setup(),
        Setup(paper="letter", landscape=True, kinds=("quick", "full"), size="large", colour=True),
        Setup(prices=False, notes=False, portraits=True, cards="A6", backs=True),
        Setup(duplex=True, player="Zoë & Co", team="a=b", event="Cup", round="2", table="7"),
    ):
        asked = asked_for(QueryDict(query_of(setup)), Setup(paper="A5"))
        assert (asked.setup, asked.chosen, asked.plain) == (setup, setup.kinds, True)


def test_a_preset_is_saved_under_a_name_and_chosen_again(listed: Builder) -> None:
    answer = save(listed, "Club table", "kinds=full&paper=A5&prices=0")
    assert setup_in(answer["Location"]) == Setup(paper="A5", prices=False)
    page = look(listed).text
    [address] = re.findall(r'href="([^"]+)"[^>]*>Club table<', page)
    assert setup_in(address.replace("&amp;", "&")) == Setup(paper="A5", prices=False)
    assert pages_of(listed)[0].mediabox.width > 500, "it is not the usual one"
    # Saving under a name again replaces what was there.
    save(listed, "Mine", "kinds=full&paper=A5")
    save(listed, " Mine ", "kinds=full&paper=letter")
    assert [saved.setup.paper for saved in PrintSetup.objects.filter(name="Mine")] == ["letter"]


def test_the_default_preset_is_used_for_every_list(listed: Builder, build: Any) -> None:
    save(listed, "Small", "kinds=full&paper=A5", usual="1")
    other = build("sbh", limit=300, books=["profiles"])
    for builder in (listed, other):
        assert pages_of(builder)[0].mediabox.width < 430
        assert '<option value="A5" selected>' in look(builder).text
    assert pages_of(other, "kinds=full")[0].mediabox.width > 500, "an address says it all"


def test_presets_can_be_refused_deleted_and_made_the_default(listed: Builder) -> None:
    # What cannot be saved or done is refused.
    for fields in (
        {"do": "save", "name": "  ", "query": "kinds=full"},
        {"do": "save", "name": "x" * 61, "query": "kinds=full"},
        {"do": "save", "name": "x", "query": "paper=B9"},
        {"do": "explode", "setup": "1", "query": "kinds=full"},
        {"do": "delete", "setup": "none", "query": "kinds=full"},
        {"do": "delete", "setup": "99999", "query": "kinds=full"},
        {},
    ):
        answer = listed.client.post(f"{listed.url}print/setups/", fields)
        assert answer.status_code == 422, fields
        assert not PrintSetup.objects.exists(), fields
    # A set up is deleted and the page stays as it was.
    save(listed, "Old", "kinds=full&paper=A5", usual="1")
    answer = act(listed, "delete", PrintSetup.objects.get(), "kinds=full&size=large")
    assert not PrintSetup.objects.exists()
    assert setup_in(answer["Location"]).size == "large"
    assert "Deleted the preset “Old”." in listed.client.get(answer["Location"]).text
    # There is one usual set up and it can be taken back.
    save(listed, "A", "kinds=full&paper=A5", usual="1")
    save(listed, "B", "kinds=full&paper=letter", usual="1")
    first, second = PrintSetup.objects.order_by("name")
    assert (first.usual, second.usual) == (False, True)
    act(listed, "usual", first)
    assert [saved.name for saved in PrintSetup.objects.filter(usual=True)] == ["A"]
    act(listed, "plain", first)
    assert not PrintSetup.objects.filter(usual=True)
    assert pages_of(listed)[0].mediabox.width == pytest.approx(595.3, abs=0.1)


def act(builder: Builder, name: str, saved: PrintSetup, query: str = "kinds=full") -> Any:
    fields = {"do": name, "setup": saved.pk, "query": query}
    return builder.client.post(f"{builder.url}print/setups/", fields)


def test_a_browser_saves_only_so_many_presets(
    listed: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("armybuilder.printing.setups.MOST", 2)
    for name in ("A", "B"):
        assert save(listed, name, "kinds=full").status_code == 302
    assert save(listed, "C", "kinds=full").status_code == 422
    assert save(listed, "B", "kinds=full&paper=A5").status_code == 302


def test_presets_belong_to_the_browser_that_saved_them(listed: Builder) -> None:
    save(listed, "Secret", "kinds=full", usual="1")
    stranger = Builder(Client(), "sbh", limit=300, books=["profiles"])
    assert "Secret" not in look(stranger).text
    for name in ("delete", "usual", "plain"):
        assert act(stranger, name, PrintSetup.objects.get()).status_code == 422
    assert PrintSetup.objects.get().usual
    # One that names what is gone prints as usual.
    PrintSetup.objects.update(fields={"paper": "papyrus"})
    assert look(listed).status_code == 200


def test_the_builder_and_my_lists_lead_to_printing_which_asks_the_database_little(
    listed: Builder, django_assert_max_num_queries: Any
) -> None:
    for address in (listed.url, "/lists/"):
        assert f'href="{listed.url}print/"' in listed.client.get(address).text
    # The page asks the database little.
    look(listed)
    with django_assert_max_num_queries(6):
        look(listed)


def test_what_takes_long_is_printed_in_the_background(
    listed: Builder, settings: Any, tmp_path: Path
) -> None:
    print_into(settings, tmp_path)
    query = "kinds=full,cards&qr=1"
    settings.PRINT_SECONDS = {**settings.PRINT_SECONDS, "now": 0.000_001}
    page = look(listed, query).text
    assert lacking(page, "This takes about", "Print the list", "no QR code") == []
    assert "<img" not in page
    assert listed.client.get(f"{listed.url}print/page/1.png?{query}").status_code == 404
    # Its file is not made while somebody waits, and the page is as it was asked for.
    answer = listed.client.get(f"{listed.url}print.pdf?{query}")
    assert setup_in(answer["Location"]) == setup_in(f"?{query}")
    answer = listed.client.post(f"{listed.url}print/later/", {"query": query})
    job = PrintJob.objects.get()
    assert answer["Location"] == f"/lists/prints/{job.pk}/"
    assert read_setup(job.setup) == setup_in(f"?{query}")
    # What is short is made at once, whatever it is asked for as.
    settings.PRINT_SECONDS = {**settings.PRINT_SECONDS, "now": 5.0}
    assert "Fits on" in look(listed, query).text
    # Nobody prints another's, or nothing.
    assert Client().post(f"{listed.url}print/later/", {"query": query}).status_code == 404
    assert listed.client.post(f"{listed.url}print/later/", {"query": "kinds="}).status_code == 422


@pytest.mark.parametrize("system", ["sbh", "t9a"])
@pytest.mark.parametrize("kind", printouts.KINDS)
def test_long_lists_are_known_to_take_in_proportion(system: str, kind: str) -> None:
    def seconds(units: int, notes: str, shown: bool = True) -> float:
        document = skirmish("sbh") if system == "sbh" else army()
        repeated = [{**unit, "notes": notes} for unit in document["units"]] * units
        repeated = [{**unit, "id": f"u{number}"} for number, unit in enumerate(repeated)]
        document = value_of({**document, "units": repeated})
        return printouts.seconds_for(document, Setup(kinds=(kind,), notes=shown))

    assert seconds(8, "x" * 99) == pytest.approx(4 * seconds(2, "x" * 99))
    assert seconds(1, "x" * 99) > seconds(1, "") == seconds(1, "x" * 99, shown=False)
