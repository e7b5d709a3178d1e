"""Lists of former editions of the books open as they are: what they name is there, or is told.

`t9a_former_ids.json` holds every unit and option that lists could name before the restrictions of
the source files became conditions: per book rows of units and what all of them could have.
"""

import json
from pathlib import Path

import pytest

from armybuilder.engine import Severity, validate
from armybuilder.engine.options import Offer
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of
from tests.building.tiny import Data

LIBRARY = shipped_library()
FORMER = json.loads(Path(__file__).with_name("t9a_former_ids.json").read_text("utf-8"))

#: What no list may name any more: (book, unit), options. Nobody could ever have them legally, since
#: the source file asks for two things at once that exclude each other.
GONE = {("highborn-elves", "mage"): {"heavy-armour", "dragonforged-armour"}}


def is_there(offer: Offer, path: str) -> bool:
    first, _, rest = path.partition("/")
    slots = offer.slots.get(first, ())
    return bool(slots) and (not rest or any(is_there(slot.option.offer, rest) for slot in slots))


@pytest.mark.parametrize("book", FORMER)
def test_what_a_list_of_a_former_edition_names_is_still_there(book: str) -> None:
    units = LIBRARY.books["t9a-2023"][book].units
    for names, options in FORMER[book]:
        for unit in names.split():
            offer = units[f"{book}/{unit}"].offer
            lost = {path for path in options.split() if not is_there(offer, path)}
            gone = GONE.get((book, unit), set())
            assert {path.split("/")[0] for path in lost} <= gone, unit


def old_list(*options: Data) -> Data:
    picks = [{"id": "wizard-adept"}, {"id": "pyromancy"}, *options]
    mage = {"unit": "highborn-elves/mage", "models": 1, "options": picks}
    return list_of("t9a-2023", ["highborn-elves"], [mage], limit=4500)


def test_a_list_with_an_option_that_is_gone_opens_and_says_so() -> None:
    cases: list[tuple[Data, str]] = [
        ({"id": "heavy-armour"}, "heavy-armour"),
        ({"id": "dragonforged-armour", "options": [{"id": "heavy-armour"}]}, "dragonforged-armour"),
    ]
    for option, name in cases:
        catalogue = LIBRARY.catalogue("t9a-2023", ["highborn-elves"])
        document = old_list(option)
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        (told,) = [one for one in report.findings if one.code == "option.unknown"]
        assert (told.severity, told.units) == (Severity.ERROR, ("u1",)), option
        assert sentence(told) == f"This unit has no option “{name}”.", option
        sound = validate(make_roster(value_of(old_list()), catalogue), catalogue)
        assert report.spent == sound.spent, option
        assert "option.unknown" not in {one.code for one in sound.findings}, option
