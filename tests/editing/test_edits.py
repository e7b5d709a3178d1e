"""Edits as pure functions, without a database: options, and that documents are never changed."""

import pytest

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import validate
from armybuilder.engine.catalogue import Catalogue
from armybuilder.lists.models import Version
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import Library, make_catalogue, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.builder.options import OptionView
from armybuilder.pages.builder.page import BuilderPage
from tests.building.tiny import book_data
from tests.golden.adapter import checked_book

RIDER = {
    "id": "rider", "name": "Rider", "points": 10,
    "attributes": {"faction": "thalos", "alignment": "good"},
    "options": [
        {"id": "horse", "name": "Horse", "points_per_model": 5,
         "options": [{"id": "barding", "name": "Barding", "points": 3}]},
        {"id": "lance", "name": "Lance", "points": 2},
    ],
}  # fmt: skip


@pytest.fixture
def catalogue() -> Catalogue:
    system = shipped_library().system("chainmail-2002")
    data = book_data(RIDER, id="riders", system=system.id, name="Riders")
    return make_catalogue(system, [checked_book(data, system)])


@pytest.fixture
def document(catalogue: Catalogue) -> ArmyList:
    started = unit_edits.new_document(catalogue, "Riders", 100)
    return unit_edits.add_unit(started, catalogue, "riders/rider")[0]


def spent(document: ArmyList, catalogue: Catalogue) -> int:
    return validate(make_roster(document, catalogue), catalogue).spent


def test_options_are_taken_priced_and_left(document: ArmyList, catalogue: Catalogue) -> None:
    mounted = option_edits.switch_option(document, catalogue, "u1", "horse")
    barded = option_edits.switch_option(mounted, catalogue, "u1", "horse/barding")
    two = unit_edits.set_models(barded, "u1", 2)
    prices = [spent(one, catalogue) for one in (document, mounted, barded, two)]
    assert prices == [10, 15, 18, 33]
    # A reserve model pays half of its cost with options.
    assert spent(unit_edits.switch_role(mounted, catalogue, "u1", "reserve"), catalogue) == 8
    # Leaving an option leaves what is taken on it.
    assert option_edits.switch_option(barded, catalogue, "u1", "horse") == document


def test_unknown_options_and_those_inside_others_are_refused(
    document: ArmyList, catalogue: Catalogue
) -> None:
    for path in ("boat", "horse/saddle", "horse/barding/gold", ""):
        with pytest.raises(Refusal, match="no option"):
            option_edits.switch_option(document, catalogue, "u1", path)
    with pytest.raises(Refusal, match="belongs to first"):
        option_edits.switch_option(document, catalogue, "u1", "horse/barding")


def test_the_page_offers_inner_options_once_the_outer_one_is_taken(
    document: ArmyList, catalogue: Catalogue
) -> None:
    system = catalogue.system
    library = Library({system.id: system}, {system.id: {"riders": catalogue.books[0]}})

    def offered(shown: ArmyList) -> list[tuple[str, str]]:
        unit = BuilderPage(Version(document=shown), library, "u1").unit
        assert unit is not None
        assert unit["editor"] is not None
        assert unit["editor"].options is not None
        options = [part for part in unit["editor"].options.parts if isinstance(part, OptionView)]
        options += [one for part in options for one in part.parts if isinstance(one, OptionView)]
        return [(option.name, option.price) for option in options]

    assert offered(document) == [("Horse", "+5"), ("Lance", "+2")]
    mounted = option_edits.switch_option(document, catalogue, "u1", "horse")
    assert ("Barding", "+3") in offered(mounted)


def test_edits_leave_the_document_they_are_given_as_it_was(
    document: ArmyList, catalogue: Catalogue
) -> None:
    before = document.to_dict()
    option_edits.switch_option(document, catalogue, "u1", "lance")
    unit_edits.switch_role(document, catalogue, "u1", "reserve")
    unit_edits.set_models(document, "u1", 5)
    unit_edits.rename_unit(document, "u1", "x")
    unit_edits.duplicate(document, catalogue, "u1")
    unit_edits.add_piece(document, catalogue, "terrain", "hill")
    assert document.to_dict() == before
