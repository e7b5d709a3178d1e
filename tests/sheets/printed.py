"""Lists printed with a set-up, and what one reads on the pages."""

import io
import json
import re
from pathlib import Path
from typing import Any

from pypdf import PdfReader

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.sheets.drawing.typeface import load_fonts
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import value_of
from tests.pdfs import pages_of
from tests.sheets.papers import DAY, once

CATALOGS = Path("catalogs")
#: Example lists of all games by name, such as "sbh/gruks-green-flood".
EXAMPLES = {
    f"{path.parts[-3]}/{path.stem}": path for path in sorted(CATALOGS.glob("*/examples/*.json"))
}


def example(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(EXAMPLES[name].read_text())
    return loaded


def long_army() -> dict[str, Any]:
    """Fifteen units of The Ninth Age with many options; it costs too much."""
    loaded: dict[str, Any] = json.loads(Path("tests/building/army.json").read_text())
    return loaded | {"books": [{"id": book["id"]} for book in loaded["books"]]}


def fresh(document: dict[str, Any] | ArmyList) -> Material:
    """A list to be printed, which no test has seen."""
    load_fonts()
    return Material(value_of(document), shipped_library(), DAY)


@once
def material(document: dict[str, Any]) -> Material:
    return fresh(document)


def setup(**fields: str) -> Setup:
    return read_setup(fields)


@once
def pdf(document: dict[str, Any], **fields: str) -> bytes:
    return print_list(material(document), setup(**fields))


def printed(document: dict[str, Any], **fields: str) -> PdfReader:
    """The file, as it is made inside."""
    return PdfReader(io.BytesIO(pdf(document, **fields)))


@once
def told(document: dict[str, Any], **fields: str) -> list[str]:
    """The text of each page, its lines run together."""
    return pages_of(pdf(document, **fields))


def colours(read: PdfReader) -> set[tuple[float, float, float]]:
    """What the pages are drawn in: red, green and blue, each from 0 to 1."""
    drawn = "".join(page.get_contents().get_data().decode("latin-1") for page in read.pages)
    found = re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", drawn)
    return {tuple(map(float, colour)) for colour in found}
