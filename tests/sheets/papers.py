"""Lists for the tests of printouts, their sheets, and PDFs read back."""

import datetime
import io
import json
from collections.abc import Callable
from functools import lru_cache
from typing import Any, TypeVar

from django.utils.translation import get_language
from pypdf import PdfReader

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.structure import Sheet
from armybuilder.sheets.printing.printouts import draw_pdf
from tests.building.documents import list_of, value_of
from tests.pdfs import pages_of

Made = TypeVar("Made")

DAY = datetime.date(2026, 10, 8)
TERRAIN = {"environment": "aboveground", "terrain": ["hill", "woods", "hut"]}


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


def once(make: Callable[..., Made]) -> Callable[..., Made]:
    """Make something of a list once for each list, language and set of fields, for all tests."""

    @lru_cache(maxsize=100)
    def made(listed: str, _language: str, *arguments: Any, **fields: Any) -> Made:
        return make(json.loads(listed), *arguments, **fields)

    def known(listed: dict[str, Any], *arguments: Any, **fields: Any) -> Made:
        return made(json.dumps(listed), get_language(), *arguments, **fields)

    return known


@once
def sheet(listed: dict[str, Any]) -> Sheet:
    return sheet_of(value_of(listed), shipped_library(), DAY)


@once
def pdf(listed: dict[str, Any], paper: Any = "A4") -> bytes:
    return draw_pdf(sheet(listed), paper)


def reader(listed: dict[str, Any], paper: Any = "A4") -> PdfReader:
    return PdfReader(io.BytesIO(pdf(listed, paper)))


@once
def pages(listed: dict[str, Any]) -> list[str]:
    """The text of each page, its lines run together."""
    return pages_of(pdf(listed))
