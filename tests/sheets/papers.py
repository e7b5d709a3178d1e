"""Lists for the tests of printouts, what they are printed as, and what one reads on the pages."""

import datetime
import io
import json
import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeVar

from django.utils.translation import get_language
from pypdf import PdfReader

from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.setup import Setup, read_setup
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.drawing.typeface import load_fonts
from armybuilder.sheets.printing.printouts import print_list
from tests.building.documents import list_of, value_of
from tests.pdfs import pages_of

Made = TypeVar("Made")

DAY = datetime.date(2026, 10, 8)
TERRAIN = {"environment": "aboveground", "terrain": ["hill", "woods", "hut"]}
#: Example lists of all games by name, such as "sbh/gruks-green-flood"; the last one of each game.
EXAMPLES = {
    f"{path.parts[-3]}/{path.stem}": path
    for path in sorted(Path("catalogs").glob("*/examples/*.json"))
}
GAMES = {name.split("/")[0]: name for name in EXAMPLES}
#: The one of each game with most to print.
_BY_SIZE = sorted(EXAMPLES, key=lambda name: EXAMPLES[name].stat().st_size)
LARGEST = {name.split("/")[0]: name for name in _BY_SIZE}.values()
#: What people may type that hardly prints.
HOSTILE = (
    "W" * 200,
    "i" * 200,
    "שלום עולם مرحبا بالعالم \u202e back \u202c",
    "👨‍👩‍👧 ❤️ 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤",
    "<b>Orc</b> &amp; <font size=900>x</font> </para>",
    "[b]Orc[/b] [url=x] *a* _b_ # c | d",
    "{{ name }} {% now %} %(x)s {0} \\n ${x}",
    "Z" + "\u0301" * 100,
    "\u200b\u200d\ufe0f",
    "中" * 120,
    "\x00\x1b[31m \u200b\u2028 \ud800 \uffff",
)


def practice(unit: str, models: int = 1, **more: Any) -> dict[str, Any]:
    return {"unit": f"practice/{unit}", "models": models, **more}


def own_model(name: str, *abilities: Any) -> dict[str, Any]:
    uses = [{"ability": use} if isinstance(use, str) else use for use in abilities]
    profile = {"name": name, "stats": {"quality": 3, "combat": 4}, "abilities": uses}
    return {"models": 1, "profile": profile}


def document(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    """A Chainmail 2002 list of 100 points over the practice cards, unless `more` says else."""
    made = list_of("chainmail-2002", ["practice"], units, limit=100, settings=TERRAIN)
    return made | more


def legal_list(**more: Any) -> dict[str, Any]:
    """Chainmail 2002, rules 101 to 108 kept: 38 + 24 + four at 6 + 1 = 87 points."""
    return document(
        practice("bannerlady-oresta", name="Oresta the Unbowed"),
        practice("sunhill-chaplain"),
        practice("millbrook-spearhand", 4, notes="Number 3 has the broken spear."),
        practice("gatehouse-recruit", roles=["reserve"]),
        **more,
    )


def illegal_list(**more: Any) -> dict[str, Any]:
    """Good and evil in one warband (rule 104), and a unit that no book has."""
    return document(
        practice("bannerlady-oresta"), practice("redtusk-overseer"), practice("gone"), **more
    )


def sbh_list(*units: dict[str, Any], **more: Any) -> dict[str, Any]:
    books = {"system": "sbh", "books": [{"id": "profiles"}], "limit": 300, "settings": {}}
    return document(*units, **books | more)


def example(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads(EXAMPLES[name].read_text())
    return loaded


def long_army() -> dict[str, Any]:
    """Fifteen units of The Ninth Age with many options; it costs too much."""
    loaded: dict[str, Any] = json.loads(Path("tests/building/army.json").read_text())
    return loaded | {"books": [{"id": book["id"]} for book in loaded["books"]]}


def once(make: Callable[..., Made]) -> Callable[..., Made]:
    """Make something of a list once for each list, language and set of fields, for all tests."""

    @lru_cache(maxsize=100)
    def made(listed: str, _language: str, *arguments: Any, **fields: Any) -> Made:
        return make(json.loads(listed), *arguments, **fields)

    def known(listed: dict[str, Any], *arguments: Any, **fields: Any) -> Made:
        return made(json.dumps(listed), get_language(), *arguments, **fields)

    return known


def fresh(document: dict[str, Any] | ArmyList) -> Material:
    """A list to be printed, which no test has seen."""
    load_fonts()
    return Material(value_of(document), shipped_library(), DAY)


@once
def material(document: dict[str, Any]) -> Material:
    return fresh(document)


def sheet(listed: dict[str, Any]) -> Sheet:
    return material(listed).sheet


def setup(**fields: str) -> Setup:
    return read_setup(fields)


@once
def pdf(document: dict[str, Any], **fields: str) -> bytes:
    return print_list(material(document), setup(**fields))


def printed(document: dict[str, Any], **fields: str) -> PdfReader:
    """The file, as it is made inside."""
    return PdfReader(io.BytesIO(pdf(document, **fields)))


@once
def page_texts(document: dict[str, Any], **fields: str) -> list[str]:
    """The text of each page, its lines run together."""
    return pages_of(pdf(document, **fields))


def printed_text(document: dict[str, Any], **fields: str) -> str:
    return " ".join(page_texts(document, **fields))


def colours(read: PdfReader) -> set[tuple[float, float, float]]:
    """What the pages are drawn in: red, green and blue, each from 0 to 1."""
    drawn = "".join(page.get_contents().get_data().decode("latin-1") for page in read.pages)
    found = re.findall(r"([\d.]+) ([\d.]+) ([\d.]+) (?:rg|RG)\b", drawn)
    return {tuple(map(float, colour)) for colour in found}
