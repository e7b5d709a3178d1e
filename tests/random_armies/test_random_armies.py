"""Random armies go through the builder, the sheet, texts and rosters, whatever book they are of.

`ARMIES=100 THOROUGH=all pytest tests/random_armies` tries so many of each book.
"""

import json
import os
from random import Random
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from lxml import etree

from armybuilder.battlescribe.rosters import read_roster, write_ros
from armybuilder.engine.picks import OptionPick
from armybuilder.exchange.pasting import read_text
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import CATALOGUE_DIR
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.printing.printouts import draw_pdf
from tests.battlescribe.rosters.test_roster_form import FORM
from tests.building.documents import value_of
from tests.exchange.pasted import DAY, LIBRARY, summary, text_of
from tests.second_reading.growing import Document, Soil, grow

pytestmark = [pytest.mark.long, pytest.mark.django_db]

ARMIES = int(os.environ.get("ARMIES", "1"))
BOOKS = [
    (folder.parent.name, file.stem)
    for folder in sorted(CATALOGUE_DIR.glob("*/battlescribe"))
    for file in sorted(folder.glob("*.json"))
]
#: Armies whose text means something else, and why that is no fault.
AMBIGUOUS = {
    ("t9a-2024", "infernal-dwarves", 69): "a Titan has Fires of Industry Double against its book,"
    " and by its Rocket Battery: the text names it once",
}


def army(system: str, book: str, number: int) -> Document:
    data = LIBRARY.shipped_data(system, book) or {}
    organisations = tuple(one["id"] for one in data.get("organisations", ()))
    soil = Soil(LIBRARY.catalogue(system, [book]), organisations)
    return grow(soil, Random(f"{system}/{book}/{number}"))  # noqa: S311


def picked(listed: ArmyList) -> list[Any]:
    """Units and options in the order of the list, but for options that are always there: a list
    need not name those.
    """
    roster = make_roster(listed, catalogue_of(listed, LIBRARY))
    return [(one.ref, one.models, one.roles, options(one.picks)) for one in roster.picks]


def options(picks: tuple[OptionPick, ...]) -> list[Any]:
    found = [(one.id, one.number, one.on, options(one.picks), one.given) for one in picks]
    return [one[:4] for one in found if not one[4] or one[3]]


@pytest.mark.one_in(29)
@pytest.mark.parametrize(("system", "book"), BOOKS, ids=["/".join(one) for one in BOOKS])
def test_an_army_goes_through_page_sheet_text_and_roster(
    system: str, book: str, client: Client
) -> None:
    for number in range(ARMIES):
        document = army(system, book, number)
        value = value_of(document)
        file = SimpleUploadedFile("a.json", json.dumps(document).encode())
        address = client.post("/lists/open/", {"file": file})["Location"]
        assert client.get(address).status_code == 200, number
        assert draw_pdf(sheet_of(value, LIBRARY, DAY, "full")).startswith(b"%PDF"), number
        raw = write_ros(value, LIBRARY)
        assert FORM.validate(etree.fromstring(raw)), (number, FORM.error_log)
        if b"Not in this file" not in raw:
            back = read_roster(raw, LIBRARY).document
            assert back.system == system, number
            assert picked(back) == picked(value), number
        if (system, book, number) in AMBIGUOUS:
            continue
        text = read_text(text_of(document, "compact"), LIBRARY, system, [book])
        assert summary(text.document) == summary(document), number
