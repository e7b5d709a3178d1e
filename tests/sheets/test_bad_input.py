"""Lists that nobody would write on purpose: every kind of sheet of them stays whole."""

from typing import Any

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.sheets.content.setup import KINDS
from armybuilder.sheets.printing.printouts import print_list
from tests.sheets import finished
from tests.sheets.finished import squeezed
from tests.sheets.papers import document, own_model, practice, sbh_list
from tests.sheets.printed import example, material, setup
from tests.sheets.test_promises import (
    OF_LISTS,
    Print,
    every_page_says_whose_it_is,
    nothing_is_cut_and_nothing_overlaps,
    printed,
)

pytestmark = pytest.mark.long

Data = dict[str, Any]

#: Kinds that name each unit.
NAMING = tuple(kind for kind in OF_LISTS if kind != "quick")
#: Kinds that have the player's notes.
NOTED = ("full", "compact", "cards")
TEXTS = (
    "W" * 200,
    "i" * 200,
    "שלום עולם مرحبا بالعالم \u202e back \u202c",
    "👨‍👩‍👧 ❤️ 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿 Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤",
    "<b>Orc</b> &amp; <font size=900>x</font> </para>",
    "[b]Orc[/b] [url=x] *a* _b_ # c | d",
    "{{ name }} {% now %} %(x)s {0} \\n ${x}",
    "\x00\x1b[31m \u200b\u2028 \ud800 \uffff",
)
#: Where there is least room.
SMALL = {"paper": "A5", "size": "large"}


def skirmish() -> Data:
    units = [practice("sunhill-chaplain", 2, name=text, notes=f"{text}\n{text}") for text in TEXTS]
    return document(*units, name=TEXTS[0], notes="\n".join(TEXTS))


def army() -> Data:
    whole = example("t9a-2023/the-princes-dragon")
    units = [
        unit | {"name": text, "notes": text}
        for unit, text in zip(whole["units"], TEXTS, strict=False)
    ]
    return whole | {"units": units, "name": TEXTS[0], "notes": "\n".join(TEXTS)}


@pytest.mark.one_in(15)
@pytest.mark.parametrize(("make", "fields"), [(skirmish, SMALL), (army, {})])
@pytest.mark.parametrize("kind", KINDS)
def test_words_that_hardly_print_spoil_no_page(kind, fields, make):
    made = printed(make(), {**fields, "kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    if kind in OF_LISTS:
        every_page_says_whose_it_is(made)


@pytest.mark.one_in(4)
@pytest.mark.parametrize("text", TEXTS[2:-1] + TEXTS[:2])
def test_what_was_typed_is_printed_as_it_was_typed(text):
    listed = document(practice("sunhill-chaplain", name=text, notes=text))
    for kind in NAMING:
        said = "".join(page.squeezed for page in printed(listed, {"kinds": kind}).pages)
        wanted = 2 if kind in NOTED else 1
        assert said.count(squeezed(text)) >= wanted, kind


@pytest.mark.one_in(8)
@pytest.mark.parametrize("kind", KINDS)
def test_a_unit_with_forty_abilities_has_all_of_them_on_its_sheet(kind):
    abilities = list(shipped_library().system("sbh").abilities.values())[:40]
    assert len(abilities) == 40
    listed = sbh_list(own_model("Jack", *(ability.id for ability in abilities)))
    made = printed(listed, {**SMALL, "kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    said = "".join(page.squeezed for page in made.pages)
    if kind not in ("blank", "judge"):
        assert all(squeezed(ability.name) in said for ability in abilities)


@pytest.mark.one_in(len(KINDS))
@pytest.mark.parametrize("kind", KINDS)
def test_a_list_of_two_hundred_units_loses_none_of_them(kind):
    units = [practice("gatehouse-recruit", name=f"Unit{number:03}x") for number in range(200)]
    made, chosen = material(document(*units, limit=9999)), setup(kinds=kind)
    pdf = print_list(made, chosen)
    said = finished.words_of(pdf)
    ends = finished.read(pdf, sorted({1, 2, len(said)} & {*range(len(said) + 1)}))
    nothing_is_cut_and_nothing_overlaps(Print(made, chosen, pdf, ends))
    if kind in NAMING:
        assert len(said) > 1
        assert all(f"Unit{number:03}x" in "".join(said) for number in range(200))


@pytest.mark.one_in(3)
@pytest.mark.parametrize("kind", ["full", "compact", "judge"])
def test_notes_longer_than_a_page_go_on_on_the_next_and_lose_no_line(kind):
    notes = "\n".join(f"line{number:03}" for number in range(200))
    made = printed(document(practice("sunhill-chaplain", notes=notes)), {"kinds": kind})
    nothing_is_cut_and_nothing_overlaps(made)
    said = "".join(page.squeezed for page in made.pages)
    times = int(kind != "judge")
    assert all(said.count(f"line{number:03}") == times for number in range(200))
