"""Acts on the number of models: steps keep to the book, from whatever the size is."""

import pytest

from armybuilder.acts.base import decode, fields_of
from armybuilder.acts.units import MostModels, StepModels
from armybuilder.editing import unit_edits
from armybuilder.loading.documents import catalogue_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from tests.building.documents import army, value_of

#: Citizen Spears: 20 to 50 models.
LOW, HIGH = 20, 50


def after(act: str, models: int) -> int:
    document = value_of(army())
    catalogue = catalogue_of(document, shipped_library())
    ref = "highborn-elves/citizen-spears"
    spears = next(entry.id for entry in document.units if entry.ref == ref)
    document = unit_edits.set_models(document, spears, models)
    sized = decode(fields_of({"act": act, "unit": spears}))
    assert isinstance(sized, StepModels | MostModels)
    done = sized.perform(document, catalogue)
    return unit_edits.find(done.army_list, spears).models


@pytest.mark.parametrize(
    ("act", "before", "then"),
    [
        ("step:5", LOW, LOW + 5),
        ("step:-5", LOW + 7, LOW + 2),
        ("step:-5", LOW + 2, LOW),
        ("step:5", HIGH - 2, HIGH),
        ("step:5", 3, LOW),
        ("step:-5", HIGH + 20, HIGH),
        ("most", LOW, HIGH),
    ],
)
def test_steps_end_at_the_sizes_of_the_book(act: str, before: int, then: int) -> None:
    assert after(act, before) == then


@pytest.mark.parametrize(
    ("act", "models", "why"),
    [
        ("step:5", HIGH, "at most 50 models"),
        ("most", HIGH, "at most 50 models"),
        ("step:-5", LOW, "at least 20 models"),
        ("step:many", LOW, "must be a whole number"),
    ],
)
def test_steps_out_of_the_book_are_refused(act: str, models: int, why: str) -> None:
    with pytest.raises(Refusal, match=why):
        after(act, models)
