"""Selectors: which tags they match."""

from typing import Any

import pytest

from armybuilder.engine.selector_index import SelectorIndex
from armybuilder.engine.selectors import CROSS_FACTION, EVERYTHING, Selector

TAGS = frozenset({"faction:red", "side:good", "ability:big", "tag:size", "unit:book/giant"})


@pytest.mark.parametrize(
    ("data", "matches"),
    [
        ({}, True),
        ({"ability": "big"}, True),
        ({"ability": "huge"}, False),
        ({"ability": ["huge", "big"]}, True),
        ({"ability": "big", "faction": "red"}, True),
        ({"ability": "big", "faction": "blue"}, False),
        ({"tag": "size"}, True),
        ({"unit": "book/giant"}, True),
        ({"not": {"ability": "big"}}, False),
        ({"not": {"ability": "huge"}}, True),
        ({"not": {"ability": "big", "faction": "blue"}}, True),
        ({"faction": "red", "not": {"side": "good"}}, False),
        ({"all": [{"ability": "big"}, {"tag": "size"}]}, True),
        ({"all": [{"ability": "big"}, {"tag": "colour"}]}, False),
        ({"all": [{"ability": "big"}, {"not": {"tag": "size"}}]}, False),
        ({"not": {"not": {"ability": "big"}}}, True),
        ({"any": [{"ability": "huge"}, {"tag": "size"}]}, True),
        ({"any": [{"ability": ["huge", "tiny"]}, {"tag": "colour"}]}, False),
        ({"any": [{"ability": "big"}, {"tag": "size"}], "faction": "blue"}, False),
        ({"not": {"any": [{"ability": "huge"}, {"tag": "size"}]}}, False),
        ({"cross_faction": True}, False),
    ],
)
def test_a_selector_matches_what_all_its_keys_say(data: dict[str, Any], matches: bool) -> None:
    assert Selector.read(data).matches(TAGS) is matches


def test_cross_faction_is_a_tag_like_others() -> None:
    selector = Selector.read({"ability": "big", "cross_faction": True})
    assert not selector.matches(TAGS)
    assert selector.matches(TAGS | {CROSS_FACTION})


def test_a_selector_knows_whether_it_mentions_a_tag() -> None:
    assert Selector.read({"cross_faction": True}).mentions(CROSS_FACTION)
    assert Selector.read({"not": {"cross_faction": True}}).mentions(CROSS_FACTION)
    assert not Selector.read({"ability": "big"}).mentions(CROSS_FACTION)
    assert Selector.read({}) == EVERYTHING


def test_equal_selectors_share_one_number_and_hits_learn_of_new_ones() -> None:
    selector_index = SelectorIndex()
    big = selector_index.add(Selector.read({"ability": "big"}))
    assert selector_index.hits(TAGS) == (big,)
    assert selector_index.add(Selector.read({"ability": "big"})) == big
    red = selector_index.add(Selector.read({"faction": "red"}))
    assert selector_index.hits(TAGS) == (big, red)
    assert selector_index.hits(frozenset()) == ()


def test_tallies_remember_no_more_tag_sets_than_they_say() -> None:
    selector_index = SelectorIndex()
    selector_index.add(EVERYTHING)
    selector_index.REMEMBERED = 10
    for number in range(100):
        assert selector_index.hits(frozenset({f"unit:own/{number}"})) == (0,)
        assert len(selector_index._hits) <= 10
