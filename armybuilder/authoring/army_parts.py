"""The parts of a card in games of units of many models: size, categories, a stat line, options."""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from django.utils.translation import gettext as _

from armybuilder.authoring.card_parts import StatPart, read_values
from armybuilder.authoring.fields import CardField, CardPart, CardReading, Entry, Wrong
from armybuilder.authoring.wording import UNKNOWN, BookNames, one_line, short
from armybuilder.languages import Typed, typed_pattern

_TO = Typed("typed", "to")
_MODELS = Typed("typed", "models|model")
_CAP = re.compile(r"(?:0\s*[-–]\s*)?(\d{1,4})", re.I)


@cache
def _size() -> re.Pattern[str]:
    """As people write it, whatever language they read the form in."""
    to, models = typed_pattern(_TO), typed_pattern(_MODELS)
    return re.compile(
        rf"(\d{{1,4}})(?:\s*(?:-|–|—|{to}|\.\.)\s*(\d{{1,4}}))?(?:\s*{models})?", re.I
    )


class SizePart(CardPart):
    """Models of a unit: "15-40", or one number where there is no choice."""

    def text(self, unit: Entry) -> str:
        size = unit.get("size", "")
        return "-".join(map(str, size)) if isinstance(size, list) else str(size)

    def read(self, text: str, reading: CardReading) -> None:
        text = one_line(text, 40)
        if text in UNKNOWN:
            reading.put("size", None)
            return
        match = _size().fullmatch(text)
        if match is None:
            raise Wrong(
                _("“{text}” is not a size. Write “15-40”, or “1”.").format(text=short(text))
            )
        low = int(match[1])
        high = int(match[2]) if match[2] else low
        if not 1 <= low <= high:
            raise Wrong(_("Write the minimum first, 1 or more, then the maximum: “15-40”."))
        reading.put("size", [low, high] if match[2] else low)


class CapPart(CardPart):
    """How many of it an army may have: "0-3" or "3"."""

    def text(self, unit: Entry) -> str:
        return f"0-{unit['cap']}" if "cap" in unit else ""

    def read(self, text: str, reading: CardReading) -> None:
        text = one_line(text, 40)
        match = _CAP.fullmatch(text)
        if match:
            reading.unit["cap"] = int(match[1])
        elif text in UNKNOWN:
            reading.put("cap", None)
        else:
            told = _("“{text}” is not a limit. Write “0-3”, or nothing for no limit.")
            raise Wrong(told.format(text=short(text)))


class CategoriesPart(CardPart):
    """Army categories by id or name, the one it stands under first."""

    empty: object = []

    def __init__(self, field: CardField, names: BookNames[str]) -> None:
        super().__init__(field)
        self.names = names

    def text(self, unit: Entry) -> str:
        return ",".join(unit.get("categories", ()))

    def read(self, text: str, reading: CardReading) -> None:
        unknown = _("“{entry}” is not a category of the book.").format
        values = read_values(text, self.names, unknown)
        had = [value for value in reading.unit.get("categories", ()) if value in values]
        added = [value for value in values if value not in had]
        reading.put("categories", [*had, *added])


class ProfileStatPart(StatPart):
    """A statistic of a unit whose stat lines stand as profiles: of the one that it has."""

    def text(self, unit: Entry) -> str:
        if len(unit.get("profiles", ())) > 1 or _line_of(unit).get("when"):
            raise Wrong("It has several stat lines.")
        return str(_line_of(unit).get("stats", {}).get(self.stat.id, ""))

    def read(self, text: str, reading: CardReading) -> None:
        value = None if not text.strip() else one_line(text, 60)
        line = dict(_line_of(reading.unit))
        stats = {key: kept for key, kept in line.get("stats", {}).items() if key != self.stat.id}
        if value is not None:
            stats[self.stat.id] = value
        line = {"name": reading.unit.get("name") or "Unit", **line, "stats": stats}
        reading.put("profiles", [line] if stats or line.get("rules") else None)

    def said(self, unit: Entry) -> object:
        return str(_line_of(unit).get("stats", {}).get(self.stat.id, ""))

    def bare(self, unit: Entry) -> dict[str, Any]:
        line = _line_of(unit)
        if not line:
            return dict(unit)
        stats = {key: kept for key, kept in line["stats"].items() if key != self.stat.id}
        return {**unit, "profiles": [{**line, "stats": stats}]}


def _line_of(unit: Entry) -> Mapping[str, Any]:
    """Return the first stat line of the unit; nothing where it has none."""
    lines = unit.get("profiles", ())
    return lines[0] if lines else {}
