"""Lists of a community's files taken out: sheets, texts and files, from their pages."""

import csv
import io
import json
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
from django.test import Client
from pypdf import PdfReader

from armybuilder.battlescribe.files.reading import read_element
from armybuilder.battlescribe.files.roster_files import read_roster
from armybuilder.certificates.making import check
from armybuilder.games.opening import open_game
from armybuilder.lists.drawn import drawn_list
from armybuilder.lists.services import create_list
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.printing import jobs
from armybuilder.sheets.content.setup import Setup
from armybuilder.sheets.texts.file_lists import FILE_FORMS
from tests.battlescribe.files.test_event_rules import SQUAD, built
from tests.building.documents import skirmish, value_of
from tests.markup import lacking
from tests.pages.forces.armies import HOLDER, Pond
from tests.pdfs import text_of
from tests.printing.jobs import print_into, work_through
from tests.sheets.papers import DAY

pytestmark = pytest.mark.django_db


@pytest.fixture
def pond(client: Client) -> Pond:
    pond = Pond(client)
    squad = pond.add("squad")
    pond.act("describe", unit=squad, name="Reed Guard", notes="Third shelf.")
    return pond


def test_every_way_out_that_the_export_page_offers_works(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}export/").text
    assert not lacking(page, "Plain text", "Print or PDF", ".rosz", "Game of Squads", ".json")
    assert "Certificate" not in page
    for way in ("text/", "sheet.txt", "sheet.pdf", "sheet-letter.pdf", "cards.pdf", "print/"):
        assert way in page or way in ("sheet.txt", "cards.pdf"), way
        assert pond.client.get(f"{pond.address}{way}").status_code == 200, way


def test_the_text_page_offers_the_forms_of_such_lists(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}text/").text
    assert not lacking(page, "Plain text", "Discord", "Markdown", "Squad “Reed Guard” [35 pts]")
    assert "Third shelf" in page
    without = pond.client.get(f"{pond.address}text/?form=compact&parts=").text
    assert "Third shelf" not in without
    answer = pond.client.get(f"{pond.address}sheet.txt?form=markdown")
    assert answer.text.startswith("# ")
    assert pond.client.get(f"{pond.address}text/?form=t9a").status_code == 404


def test_the_roster_that_is_saved_reads_back_as_the_list(pond: Pond) -> None:
    plain = pond.client.get(f"{pond.address}list.ros").content
    with ZipFile(io.BytesIO(pond.client.get(f"{pond.address}list.rosz").content)) as archive:
        assert archive.read(archive.namelist()[0]) == plain
    document = ForceList.from_dict(pond.document)
    read = read_roster(read_element(plain), open_game(pond.game.pk), document.game)
    assert read.document == document
    saved = json.loads(pond.client.get(f"{pond.address}list.json").content)
    assert ForceList.from_dict(saved) == document


def test_the_table_has_a_row_for_each_unit(pond: Pond) -> None:
    table = pond.client.get(f"{pond.address}list.csv")
    assert table["Content-Type"] == "text/csv; charset=utf-8"
    (row,) = csv.DictReader(io.StringIO(table.content.decode("utf-8-sig"), newline=""))
    assert row == {
        "Force": "Raft",
        "Army book": "Pond",
        "Category": "Core",
        "Unit": "Squad",
        "Name": "Reed Guard",
        "Models": "3",
        "Contents": "3 Trooper (Dart)",
        "pts": "35",
        "Notes": "Third shelf.",
    }


def test_the_print_page_offers_three_sheets_and_shows_their_pages(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}print/?kinds=full,cards&size=large").text
    assert not lacking(page, "Full sheet", "Compact sheet", "Cards", "Fits on", "Points", "Notes")
    for other in ("Judge’s sheet", "judge’s", "Size of a card"):
        assert other not in page
    pdf = pond.client.get(f"{pond.address}print.pdf?kinds=full&prices=0").content
    assert "Reed Guard" in text_of(pdf)
    assert "35 pts" not in text_of(pdf).partition("Reed Guard")[2]
    picture = pond.client.get(f"{pond.address}print/page/1.png?kinds=full")
    assert picture["Content-Type"] == "image/png"


def test_a_sheet_has_the_code_of_a_frozen_copy_and_that_of_a_certificate(pond: Pond) -> None:
    query = "kinds=full&qr=1&certificate=1"
    page = pond.client.get(f"{pond.address}print/?{query}").text
    assert "Create a link for the QR code" in page
    pond.client.post(f"{pond.address}print/link/", {"query": query})
    assert "The code links to a copy" in pond.client.get(f"{pond.address}print/?{query}").text
    pdf = pond.client.get(f"{pond.address}print.pdf?{query}").content
    assert "Our signed verdict on this list." in text_of(pdf)
    links = [
        str(note.get_object()["/A"]["/URI"])
        for page in PdfReader(io.BytesIO(pdf)).pages
        for note in page.get("/Annots", ())
    ]
    frozen, word = (next(link for link in links if part in link) for part in ("/shared/", "#"))
    assert "Reed Guard" in Client().get(frozen.removeprefix("http://testserver")).text
    claims = check(word.partition("#")[2]).claims
    assert (claims.army_list, claims.game.legal) == (ForceList.from_dict(pond.document), True)
    plain = pond.client.get(f"{pond.address}print.pdf?kinds=full").content
    assert b"/URI" not in plain


def test_a_list_for_an_event_prints_both_verdicts(pond: Pond) -> None:
    strict = built({"kind": "count", "of": [SQUAD], "max": 0})
    one = work_out(ForceList.from_dict(pond.document), strict)
    pages = text_of(drawn_list(one, day=DAY).printout(Setup()).content)
    assert not lacking(pages, "Legal.", "Not legal at this event: 1 error", "Why this list is not")
    drawn = drawn_list(one, day=DAY)
    for form in FILE_FORMS.values():
        assert "Not legal at this event: 1 error" in drawn.text(form)
    one = work_out(one.document, built({"kind": "by-hand"}))
    pages = text_of(drawn_list(one, day=DAY).printout(Setup()).content)
    assert not lacking(pages, "Legal.", "Legal at this event, 1 restriction not checked", "Rule 0.")


def test_lists_of_files_print_together_with_others(
    pond: Pond, settings: Any, tmp_path: Path
) -> None:
    print_into(settings, tmp_path)
    other = create_list(HOLDER, value_of({**skirmish("sbh"), "name": "Orcs"}), "Made.")
    job = jobs.plan(HOLDER, [pond.id, other.army_list_id])
    jobs.start(job, Setup(kinds=("compact",)), zipped=False)
    work_through()
    job.refresh_from_db()
    with jobs.prints.files().open(jobs.prints.file_of(job)) as file:
        assert not lacking(text_of(file.read()), "Reed Guard", "Orcs")
    assert "Ponds" not in [name for _id, name, *_said in job.troubles]


def test_the_sheet_page_shows_forces_units_and_their_verdict(pond: Pond) -> None:
    page = pond.client.get(f"{pond.address}sheet/").text
    assert not lacking(page, "Reed Guard", "Third shelf", "35 pts", "3 Trooper", "Legal")


def test_nobody_takes_out_what_is_anothers(pond: Pond) -> None:
    other = Client()
    for way in ("text/", "sheet.txt", "sheet.pdf", "list.ros", "print/", "print.pdf", "sheet/"):
        assert other.get(f"{pond.address}{way}").status_code == 404, way
