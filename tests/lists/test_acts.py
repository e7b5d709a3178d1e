"""Acts: every button's fields become one frozen value in one place, or a refusal that says why."""

from dataclasses import FrozenInstanceError

import pytest

from armybuilder.acts.about import Redo, Rename, SetLimit, Undo
from armybuilder.acts.base import Act, ListAct, act_kinds, decode, fields_of
from armybuilder.acts.units import (
    AddSeveral,
    AddUnit,
    MostModels,
    PutOn,
    SetModels,
    SetNumber,
    StepModels,
    SwitchOption,
    SwitchRole,
)
from armybuilder.editing import unit_edits
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal

#: What buttons send, and what it means.
SENT: list[tuple[dict[str, str], Act]] = [
    ({"add": "practice/walking-kiln"}, AddUnit("practice/walking-kiln")),
    ({"act": "models:25", "unit": "u3"}, SetModels("u3", 25)),
    ({"act": "step:-5", "unit": "u3"}, StepModels("u3", -5)),
    ({"act": "most", "unit": "u3"}, MostModels("u3")),
    ({"act": "role:reserve", "unit": "u3"}, SwitchRole("u3", "reserve")),
    ({"act": "option:horse/barding", "unit": "u1"}, SwitchOption("u1", "horse/barding")),
    ({"act": "option-number:scroll:2", "unit": "u1"}, SetNumber("u1", "scroll", 2)),
    ({"act": "put-on:rune:lance", "unit": "u1"}, PutOn("u1", "rune", "lance")),
    ({"act": "rename", "name": "Reeds"}, Rename("Reeds")),
    ({"act": "add-several", "tick-a/b": "on", "tick-a/c": "on"}, AddSeveral(("a/b", "a/c"), 1)),
    ({"act": "undo"}, Undo()),
    ({"act": "redo"}, Redo()),
]  # fmt: skip


#: What is no act, and why.
WRONG: list[tuple[dict[str, str], str]] = [
    ({"act": "fly"}, "isn’t possible"),
    ({}, "isn’t possible"),
    ({"act": "models", "unit": "u1", "models": "many"}, "must be a whole number"),
    ({"act": "limit", "limit": "0"}, "must be from 1 to"),
    ({"act": "add-several"}, "Select what to add first"),
]


def test_what_a_button_sends_is_one_act_or_refused_with_the_reason() -> None:
    for form, meant in SENT:
        assert decode(fields_of(form)) == meant, form
    for form, why in WRONG:
        with pytest.raises(Refusal, match=why):
            decode(fields_of(form))


def test_an_act_is_not_changed_makes_a_new_list_and_says_what_it_did() -> None:
    with pytest.raises(FrozenInstanceError):
        Rename("Reeds").called = "Rushes"  # type: ignore[misc]
    catalogue = shipped_library().catalogue("sbh", ["profiles"])
    before = unit_edits.new_document(catalogue, "Reeds", 300)
    done = SetLimit(500).perform(before, catalogue)
    assert (before.limit, done.army_list.limit) == (300, 500)
    assert done.said == "Size: 500 points."


def test_an_act_that_replaces_something_says_what() -> None:
    """What somebody else has changed meanwhile is not overwritten unseen."""
    silent = {
        name
        for name, kind in act_kinds().items()
        if issubclass(kind, ListAct)
        and not (kind.adds or kind.replaces)
        and kind.part is ListAct.part
    }
    assert silent == set()
