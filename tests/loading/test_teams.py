"""The lists of a team, judged together."""

from typing import Any

import pytest

from armybuilder.loading.event_judging import JudgedTeam, judge_team
from armybuilder.loading.library import Library
from armybuilder.loading.packs import build_pack
from armybuilder.loading.problems import Refusal
from tests.building.documents import value_of
from tests.building.tiny import book_data, catalogue, document, system_data, take, unit
from tests.loading.test_packs import pack_data

Data = dict[str, Any]

GAME = catalogue(
    system_data(),
    book_data(unit("soldier", 5), unit("archer", 7, "bow")),
    book_data(unit("raider", 6), unit("slinger", 4, "bow"), id="other", name="Other book"),
)
LIBRARY = Library({"tiny": GAME.system}, {"tiny": {book.id: book for book in GAME.books}}, packs={})


def team_rule(kind: str, **more: Any) -> Data:
    return {"id": "together", "kind": kind, "cite": "5", "summary": "The team rule.", **more}


def team(rule: Data, *lists: list[Data]) -> JudgedTeam:
    data = pack_data(team={"lists": 2, "rules": [rule]})
    pack, problems = build_pack(data, LIBRARY.systems, "cup.json")
    assert pack is not None, problems
    books = [sorted({entry["unit"].split("/")[0] for entry in entries}) for entries in lists]
    made = [
        value_of(document(*entries, books=of)) for entries, of in zip(lists, books, strict=True)
    ]
    return judge_team(made, LIBRARY, pack)


def sentences(found: JudgedTeam) -> list[str]:
    return [one.sentence for one in found.findings]


SOLDIERS, ARCHERS = [take("soldier")], [take("archer", 3)]
RAIDERS, SLINGERS = [take("other/raider")], [take("other/slinger", 2)]


def test_each_book_is_on_one_list() -> None:
    rule = team_rule("book-once")
    assert team(rule, SOLDIERS, RAIDERS).legal
    both = team(rule, SOLDIERS, ARCHERS)
    assert sentences(both) == ["The team rule. Tiny book: on lists 1 and 2."]
    assert [(one.lists, one.citation) for one in both.findings] == [((0, 1), "Pack 5")]
    assert not both.legal
    assert team({**rule, "max": 2}, SOLDIERS, ARCHERS).legal


def test_a_unit_is_on_one_list() -> None:
    rule = team_rule("unit-once", of={"ability": "bow"})
    assert team(rule, SOLDIERS, SOLDIERS).legal
    assert sentences(team(rule, ARCHERS, ARCHERS)) == ["The team rule. Archer: on lists 1 and 2."]


def test_what_counts_on_all_lists_is_added_up() -> None:
    counts = [{"of": {"ability": "bow"}, "count": "models", "each": "1/2"}]
    for bounds, told in (
        ({"max": 2}, ["The team rule. Here: 2 1/2, at most 2."]),
        ({"min": 3}, ["The team rule. Here: 2 1/2, at least 3."]),
        ({"min": 2, "max": 3}, []),
    ):
        rule = team_rule("sum", counts=counts, **bounds)
        assert sentences(team(rule, ARCHERS, SLINGERS)) == told


def test_books_have_values() -> None:
    rule = team_rule("book-values", values={"book": 3, "other": 2}, max=5)
    assert team(rule, SOLDIERS, RAIDERS).legal
    assert sentences(team(rule, SOLDIERS, ARCHERS)) == ["The team rule. Here: 6, at most 5."]
    assert not team(team_rule("book-once"), SOLDIERS).legal, "a list is missing"
    assert not team(team_rule("book-once")).legal


def test_an_event_without_teams_says_so() -> None:
    pack, _ = build_pack(pack_data(), LIBRARY.systems, "cup.json")
    assert pack is not None
    with pytest.raises(Refusal, match="for no teams"):
        judge_team([value_of(document(*SOLDIERS))], LIBRARY, pack)
