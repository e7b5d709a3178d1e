"""What the view of a unit says: every text and number that a reader of a page or a card meets."""

import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from armybuilder.loading.unit_fields import PriceRemark
from armybuilder.sheets.content.structure import NamedValue
from armybuilder.sheets.content.unit_view import StatCell, WeaponLine

#: What no reader meets on paper, explanations, headings, and the small print of a card's edge.
UNSEEN = {
    "box",
    "health_box",
    "number",
    "id",
    "help",
    "plain",
    "on",
    "summary",
    "source",
    "letter",
    "fields",
    "write",
}
HEADINGS = {"keywords_name", "health_name"}


def said(view: Any) -> Iterator[str]:
    """Yield every text and number that a view of a unit holds."""
    if isinstance(view, NamedValue):  # its name is a heading
        yield view.text
    elif isinstance(view, PriceRemark):
        yield str(view.mark)
    elif isinstance(view, StatCell):
        yield from (view.label, view.value) if view.value else ()  # else a box to write in
    elif isinstance(view, WeaponLine):  # its uses are said in its figures
        yield from (view.name, view.bearer, view.figures)
    elif isinstance(view, tuple):
        # A heading before what stands under it is none of these.
        under = len(view) == 2 and isinstance(view[0], str) and isinstance(view[1], tuple)
        for one in view[under:]:
            yield from said(one)
    elif is_dataclass(view):
        for field in fields(view):
            if field.name not in UNSEEN | HEADINGS:
                yield from said(getattr(view, field.name))
    elif isinstance(view, str) or (isinstance(view, int) and view > 1):
        yield str(view)


def figures_and_names(text: str) -> set[str]:
    return set(re.findall(r"\d+|[A-Z][\w’'-]+", text))
