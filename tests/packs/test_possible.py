"""A pack that contradicts itself is told; those in the box leave lists from all their books."""

from __future__ import annotations

import json
from typing import Any

import pytest

from armybuilder.loading.library import shipped_library
from armybuilder.loading.packs import Pack
from armybuilder.packs.possible import possible_with
from armybuilder.packs.reading import read_pack

LIBRARY = shipped_library()


def changed(pack: str, *rules: dict[str, Any]) -> Pack:
    """A pack in the box with more rules."""
    data = json.loads(json.dumps(LIBRARY.packs[pack].data))
    for number, rule in enumerate(rules):
        head = {"id": f"more-{number}", "code": "event.more", "cite": "9"}
        data["rules"].append({**head, "summary": "More.", **rule})
    return read_pack(data)


@pytest.mark.long
@pytest.mark.one_in(6)
@pytest.mark.parametrize("name", sorted(LIBRARY.packs))
def test_every_pack_in_the_box_leaves_lists(name: str) -> None:
    assert possible_with(LIBRARY.packs[name], LIBRARY).dead == ()


def test_a_pack_that_wants_more_models_than_points_buy_is_told() -> None:
    wants = {"kind": "limit", "count": "models", "min": 500}
    found = possible_with(changed("raven-cup", wants), LIBRARY)
    assert found.dead == ("Song of Blades and Heroes (300)",)


def test_it_is_told_which_rules_contradict_and_no_others() -> None:
    many = {"kind": "limit", "count": "models", "min": 8, "summary": "Eight models at least."}
    few = {"kind": "limit", "count": "models", "max": 5, "summary": "Five models at most."}
    (why,) = possible_with(changed("raven-cup", many, few), LIBRARY).why
    assert [one.said for one in why.rules] == ["Eight models at least.", "Five models at most."]
    assert {one.citation for one in why.rules} == {"Pack 9"}
    assert why.minimal


def test_books_that_the_pack_does_not_allow_are_no_contradiction() -> None:
    only = {"kind": "books", "allow": ["asklanders"]}
    assert possible_with(changed("lantern-cup", only), LIBRARY).dead == ()
