"""Random lists and their texts, and what must be the same of a list that was pasted."""

import datetime
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from django.utils.translation import override
from hypothesis import strategies as st

from armybuilder.engine.options import Offer
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import catalogue_of, make_roster
from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.make import sheet_of
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.texts.forms import FORMS
from tests.building.documents import list_of, value_of

LIBRARY = shipped_library()
DAY = datetime.date(2026, 10, 8)

Data = dict[str, Any]


@contextmanager
def calls_below(most: int) -> Iterator[None]:
    """Count the calls that reading makes: a measure of work that no busy machine changes."""
    made = 0

    def count(_frame: FrameType, event: str, _argument: object) -> None:
        nonlocal made
        made += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        yield
    finally:
        sys.setprofile(before)
    assert made < most


def text_of(
    document: Data | ArmyList, form: str, language: str = "en", parts: frozenset[str] | None = None
) -> str:
    """The list as that form of text, in that language, with those parts or the usual ones."""
    with override(language):
        kind = "open" if FORMS[form].hides else "full"
        return FORMS[form].draw(sheet_of(value_of(document), LIBRARY, DAY, kind), parts)


def shown(name: str) -> str:
    """A name as every form can show it: quotation marks of one kind only."""
    return one_line(name).translate(str.maketrans("“”", '""'))


def summary(document: Data | ArmyList) -> Data:
    """What a text that hides nothing tells of a list. Options go by name in one row, as texts have
    them; units and options in no order, since forms sort them.
    """
    listed = value_of(document)
    catalogue = catalogue_of(listed, LIBRARY)
    roster = make_roster(listed, catalogue)
    strays = {stray.name for stray in roster.strays if stray.kind == "setting"}
    assert not strays, strays
    return {
        "system": listed.system,
        "books": [book.id for book in listed.books],
        "name": shown(listed.name),
        "limit": listed.limit,
        "settings": told_settings(document),
        "units": sorted(map(str, (_unit(pick) for pick in roster.picks))),
    }


def told_settings(document: Data | ArmyList) -> Data:
    """The settings that the forms tell: those that matter and are not empty."""
    catalogue = catalogue_of(value_of(document), LIBRARY)
    roster = make_roster(value_of(document), catalogue)
    return {
        key: sorted(value) if isinstance(value, tuple) else value
        for key, value in roster.settings.items()
        if value and catalogue.system.settings[key].matters(roster.limit, roster.settings)
    }


def _unit(pick: Any) -> Any:
    ref = pick.unit.name if pick.unit is not None and pick.unit.own else pick.ref
    return ref, pick.models, pick.roles, shown(pick.name), sorted(_taken(pick.picks))


def _taken(picks: Any) -> Iterator[tuple[str, int, str]]:
    for pick in picks:
        if not pick.given:
            yield pick.option.name, pick.number, pick.on
        yield from _taken(pick.picks)


#: What players may call units, and what a careless reader takes for something else.
AWKWARD = ["Old Guard, 99", "Wolves [B]", "Wolves (B)", "“Grim” 7", "A, B, (C)", "[b]Bold[/b]"]
AWKWARD += ["Champion, Musician", "12 Monkeys", "Total: 400", "- dash", "a: b", "; semi", "*star*"]
AWKWARD += ["Sea Guard", "Highborn Elves, 4500", "Гном (7), יוסי", "Tom; 3 Men", "(99)", "end -"]


@st.composite
def some_options(
    draw: st.DrawFn, offer: Offer, had: frozenset[str] = frozenset(), depth: int = 1
) -> list[Any]:
    """Something of what is offered; of a group for one thing at most one. Nothing by a name of what
    the unit `had` anyway: at the same price a text does not tell which of the two is meant, and it
    is taken for the one that breaks fewer rules.
    """
    chosen: list[Any] = []
    full: set[str] = set()
    for option_id, slots in offer.slots.items():
        option, groups = slots[0].option, slots[0].groups
        if option.given or option.name in had or any(group.id in full for group in groups):
            continue
        if len(chosen) == 8 or draw(st.integers(0, 5)):
            continue
        full |= {group.id for group in groups if group.most.base == 1 or "path" in group.id}
        entry: Data = {"id": option_id}
        if depth < 3 and (option.most.base or 1) > 1 and draw(st.booleans()):
            entry["number"] = 2
        if depth < 3 and option.on:
            entry["on"] = draw(st.sampled_from(option.on))
        inner = draw(some_options(option.offer, had, depth + 1)) if depth < 3 else []
        chosen.append(option_id if depth == 3 else entry | ({"options": inner} if inner else {}))
    return chosen


@st.composite
def armies(draw: st.DrawFn, most: int = 5) -> Data:
    """An army of any book, legal or not."""
    book = draw(st.sampled_from(sorted(LIBRARY.books["t9a-2023"])))
    catalogue = LIBRARY.catalogue("t9a-2023", [book])
    units = draw(st.lists(st.sampled_from(sorted(catalogue.units)), min_size=1, max_size=most))
    limit = draw(st.sampled_from([1500, 4500]))
    entries = [
        draw(_army_unit(number, catalogue.units[ref])) for number, ref in enumerate(units, 1)
    ]
    document = list_of("t9a-2023", [], entries, limit=limit, name="The Long March")
    return document | {"books": [{"id": book, "revision": catalogue.books[0].revision}]}


@st.composite
def _army_unit(draw: st.DrawFn, number: int, unit: Any) -> Data:
    had = frozenset(option.name for option in unit.offer.options() if option.given)
    options = draw(some_options(unit.offer, had))
    models = draw(st.integers(1, 30)) if unit.counts else 1  # no form tells how many choices
    entry: Data = {"id": f"u{number}", "unit": unit.ref, "models": models}
    if draw(st.booleans()):
        entry["roles"] = ["general"]
    if draw(st.booleans()):
        entry["name"] = draw(st.sampled_from(AWKWARD))
    return entry | ({"options": options} if options else {})
