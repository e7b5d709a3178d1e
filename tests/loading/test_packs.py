"""Event packs: files, and the two verdicts that they make."""

import json
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from armybuilder.engine import choices
from armybuilder.engine.citations import Origin
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import JudgedAt, JudgedTeam, judge, judge_at, judge_team
from armybuilder.loading.examples import shipped_examples
from armybuilder.loading.library import CATALOGUE_DIR, Library, load_library, shipped_library
from armybuilder.loading.packs import Pack, at_event, build_pack, pack_for, pack_of_size
from armybuilder.loading.problems import Refusal
from tests.building.documents import value_of
from tests.building.tiny import book_data, catalogue, document, rule, system_data, take, unit

Data = dict[str, Any]

GAME = catalogue(
    system_data(
        rule("limit", "points.over", id="points", count="points", max="limit"),
        rule("limit", "list.empty", id="some", count="models", min=1),
        rule("stat", "tiny.stat", id="nerve", stat="nerve", max=5),
        own_models=True,
    ),
    book_data(
        unit("soldier", 5),
        unit("archer", 7, "bow"),
        unit("hero", 30, stats={"nerve": 7, "speed": "6"}),
    ),
)
SYSTEMS = {"tiny": GAME.system}


def pack_data(*rules: Data, **more: Any) -> Data:
    return {
        "format": "pack/1",
        "id": "cup",
        "name": "Tiny Cup",
        "about": "For tests.",
        "system": "tiny",
        "sources": {"pack": {"title": "The cup's pack", "short": "Pack"}},
        "rules": list(rules),
        **more,
    }


def event_rule(kind: str, **more: Any) -> Data:
    return rule(kind, "event.rule", **{"id": "cup-rule", "cite": "3.2", **more})


NO_BOWS = event_rule("limit", count="models", of={"ability": "bow"}, max=0)


def pack_of(*rules: Data, **more: Any) -> Pack:
    pack, problems = build_pack(pack_data(*rules, **more), SYSTEMS, "cup.json")
    assert problems == []
    assert pack is not None
    return pack


def judged(pack: Pack, *entries: Data, limit: int = 100, **settings: Any) -> JudgedAt:
    made = value_of(document(*entries, limit=limit, settings=settings))
    return judge_at(made, GAME, pack)


def test_an_event_pack_adds_errors_to_those_of_the_game() -> None:
    both = judged(pack_of(NO_BOWS), take("soldier"), take("archer"))
    assert both.report.verdict == "Legal · not legal at this event: 1 error"
    (finding,) = both.report.findings
    assert (finding.origin, finding.citation) == (Origin.EVENT, "Pack 3.2")
    assert sentence(finding) == "The tiny rule. This list: 1; allowed: 0."
    both = judged(pack_of(NO_BOWS), take("soldier", 50), take("archer"))
    assert [one.origin for one in both.report.findings] == [Origin.GAME, Origin.EVENT]
    assert both.report.verdict == "1 error · not legal at this event: 1 error"
    only = judged(pack_of(NO_BOWS), take("soldier", 50))
    assert only.report.verdict == "1 error · not legal at this event"


def test_a_rule_of_the_game_is_lifted_or_replaced_and_the_game_does_not_notice() -> None:
    pack = pack_of(lift=[{"rule": "points", "cite": "1"}])
    both = judged(pack, take("soldier", 50))
    assert both.report.verdict == "1 error · legal at this event"
    assert [finding.code for finding in both.report.excused] == ["points.over"]
    assert [(one.rule, str(one.citation)) for one in pack.lifted] == [("points", "Pack 1")]
    by = event_rule("limit", count="points", max=20)
    pack = pack_of(replace=[{"rule": "points", "by": by}])
    assert [one.replaced for one in pack.lifted] == [True]
    assert not judged(pack, take("soldier", 5)).report.legal
    assert judged(pack, take("soldier", 4)).report.legal
    assert judged(pack, take("soldier", 5)).report.game.legal
    assert judged(pack_of(lift=[{"rule": "nerve", "cite": "1"}]), take("hero")).report.legal
    strict = pack_of(event_rule("stat", stat="nerve", max=6))
    both = judged(strict, take("hero"))
    assert [one.origin for one in both.report.findings] == [Origin.GAME, Origin.EVENT]


def test_rules_of_a_book_hold_for_its_lists_alone() -> None:
    here = pack_of(book_rules=[{"books": ["book"], "rules": [NO_BOWS]}])
    there = pack_of(book_rules=[{"books": ["other"], "rules": [NO_BOWS]}])
    assert not judged(here, take("archer")).report.legal
    assert judged(there, take("archer")).report.legal
    denied = pack_of(event_rule("books", deny=["book"]))
    (finding,) = judged(denied, take("soldier")).report.findings
    assert sentence(finding) == "Tiny book: not allowed. The tiny rule."
    there = at_event(GAME, pack_of(NO_BOWS))
    both = judged(pack_of(NO_BOWS), take("soldier"))
    broken = {
        one.unit.ref: [finding.origin for finding in one.breaks]
        for one in choices(both.event.roster, there)
    }
    assert broken["book/archer"] == [Origin.EVENT]
    assert broken["book/soldier"] == []
    pack = pack_of(NO_BOWS)
    assert at_event(GAME, pack) is at_event(GAME, pack), "made once"
    assert at_event(GAME, pack) is not at_event(GAME, pack_of(NO_BOWS))


def test_for_a_book_a_rule_of_the_game_or_of_the_pack_is_lifted_or_another_holds() -> None:
    mild = {**NO_BOWS, "id": "cup-mild", "max": 1}
    for part, archers in (
        ({"lift": [{"rule": "cup-rule", "cite": "4"}]}, 3),
        ({"replace": [{"rule": "cup-rule", "by": mild}]}, 1),
    ):
        for book, most in (("book", archers), ("other", 0)):
            pack = pack_of(NO_BOWS, book_rules=[{"books": [book], **part}])
            legal = [judged(pack, take("archer", number)).report.legal for number in (1, 2, 3)]
            assert legal == [number <= most for number in (1, 2, 3)]
    points = [{"books": ["book"], "lift": [{"rule": "points", "cite": "1"}]}]
    assert judged(pack_of(book_rules=points), take("soldier", 50)).report.legal


def test_what_an_event_calls_a_class_counts_together() -> None:
    shots = {"id": "shots", "name": "Shots", "of": [{"ability": "bow"}, {"unit": "book/hero"}]}
    free = [{"rule": "nerve", "cite": "1"}]
    lone = event_rule("limit", count="models", of={"class": "shots"}, max=1)
    pack = pack_of(lone, classes=[shots], lift=free)
    assert judged(pack, take("hero"), take("soldier")).report.legal
    assert not judged(pack, take("hero"), take("archer")).report.legal
    part = {"name": "At most {number}", "counts": [{"of": {"class": "shots"}}], "max": 1}
    both = {
        **part,
        "name": "No more than {max}",
        "counts": [{"of": {"class": "shots", "ability": "bow"}}],
    }
    some = event_rule("some-of", least=2, among=[part, both])
    (found,) = judged(pack_of(some, classes=[shots], lift=free), take("archer", 2)).report.refusals
    assert "Failed: At most 1 and No more than 1." in sentence(found)


def test_a_text_has_the_number_of_its_rule_and_a_sum_may_be_a_share() -> None:
    half = event_rule("weighted", counts=[{"of": {}, "count": "points"}], max=HALF)
    pack = pack_of({**half, "summary": "At most {number} of the points."})
    (found,) = judged(pack, take("soldier", 11)).report.findings
    assert sentence(found).startswith("At most 50% of the points. This list: 55")
    assert judged(pack, take("soldier", 10)).report.legal
    text = {"name": "Bows", "text": "{cup-rule} bows for all.", "cite": "1"}
    assert pack_of(NO_BOWS, texts=[text]).text_of(text) == "0 bows for all."


def test_list_scores_are_shown_and_never_cause_errors() -> None:
    counts = [{"of": {"ability": "bow"}, "count": "models", "each": "1/2"}]
    score = {"id": "bows", "name": "Bows", "cite": "9", "counts": counts, "points": -3, "from": 1}
    both = judged(pack_of(scores=[score]), take("archer", 7))
    (scored,) = both.report.scored
    assert (scored.score.name, scored.counted, scored.points) == ("Bows", "3 1/2", -6)
    assert both.report.legal


def test_a_list_of_another_game_and_a_team_where_there_are_none_are_refused() -> None:
    made = value_of({**document(take("soldier")), "system": "sbh"})
    with pytest.raises(Refusal, match="a different game"):
        judge_at(made, GAME, pack_of())
    pack, _ = build_pack(pack_data(), TEAM_LIBRARY.systems, "cup.json")
    assert pack is not None
    with pytest.raises(Refusal, match="has no teams"):
        judge_team([value_of(document(*SOLDIERS))], TEAM_LIBRARY, pack)


ONE = {"name": "one", "counts": [{"of": {}}], "max": 1}
HALF = {"share": "1/2", "of": "limit"}
HALVES = [{"of": {}, "each": "1/2"}]
LIFTED = {"rule": "nobody", "cite": "1"}
MISTAKES: dict[str, tuple[Data, str]] = {
    "no rule": (pack_data(lift=[{"rule": "nobody", "cite": "1"}]), "/lift/0/rule"),
    "no rule for a book": (
        pack_data(book_rules=[{"books": ["book"], "lift": [LIFTED]}]),
        "/book_rules/0/lift/0/rule",
    ),
    "a pack's own rule": (
        pack_data(NO_BOWS, lift=[{**LIFTED, "rule": "cup-rule"}]),
        "/lift/0/rule",
    ),
    "a book alone": (pack_data(book_rules=[{"books": ["book"]}]), "/book_rules/0"),
    "a text's number": (
        pack_data(texts=[{"name": "T", "text": "{nobody} days", "cite": "1"}]),
        "/texts/0/text",
    ),
    "no game": ({**pack_data(), "system": "chess"}, "/system"),
    "an id twice": (pack_data(NO_BOWS, NO_BOWS), "/rules/1/id"),
    **{
        mistake: (pack_data(wrong), f"/rules/0/{where}")
        for mistake, wrong, where in (
            ("no source", {**NO_BOWS, "cite": {"source": "faq", "place": "1"}}, "cite/source"),
            ("the game's id", {**NO_BOWS, "id": "points"}, "id"),
            ("no ability", {**NO_BOWS, "of": {"ability": "wings"}}, "of/ability"),
            ("no setting", event_rule("fixed", setting="moon", values=["full"]), "setting"),
            ("no value", event_rule("fixed", setting="ground", values=["sea"]), "values/0"),
            ("a number", event_rule("fixed", setting="ground", values=[3]), "values/0"),
            ("too few", event_rule("some-of", least=3, among=[ONE, ONE]), "least"),
            (
                "nobody",
                event_rule("weighted", counts=[{"of": {"role": "king"}}], max=1),
                "counts/0/of/role",
            ),
            ("a share of halves", event_rule("weighted", counts=HALVES, max=HALF), "max"),
            ("no class", {**NO_BOWS, "of": {"class": "shots"}}, "of/class"),
            *(
                (braces, {**NO_BOWS, "summary": f"At most {braces} bows."}, "summary")
                for braces in ("{least}", "{max.x}", "{max:z}", "{0}", "{ max", "{}")
            ),
        )
    },
    "unknown key": ({**pack_data(), "prize": "a cup"}, ""),
    "no format": ({**pack_data(), "format": "pack/2"}, "/format"),
    "team of one": (pack_data(team={"lists": 1, "rules": []}), "/team/lists"),
}


def test_a_mistake_in_a_pack_is_reported_by_its_place() -> None:
    for mistake, (data, where) in MISTAKES.items():
        pack, problems = build_pack(data, SYSTEMS, "cup.json")
        assert pack is None, mistake
        assert where in [problem.pointer for problem in problems], (mistake, problems)
        assert all(problem.message and problem.file == "cup.json" for problem in problems)


def test_shipped_packs_have_no_mistake_and_change_no_verdict_of_the_game() -> None:
    library = shipped_library()
    assert [one for one in library.problems if one.file.startswith("packs/")] == []
    files = {file.stem for file in (CATALOGUE_DIR / "packs").glob("*.json")}
    assert set(library.packs) == files
    assert {pack.system for pack in library.packs.values()} == {
        *("t9a-2023", "sbh", "ddm-2008", "chainmail-2002")
    }
    library = shipped_library()
    for pack in library.packs.values():
        for example in shipped_examples().by_system[pack.system]:
            alone = judge(example.document, library)
            both = judge_at(example.document, alone.catalogue, pack)
            assert both.game.report.findings == alone.report.findings, (pack.id, example.id)
            assert all(one.citation.startswith("Pack ") for one in both.report.refusals)


def test_a_pack_stands_under_its_name(tmp_path: Path) -> None:
    system = deepcopy(system_data())
    for folder, name, data in (("tiny", "system", system), ("packs", "other", pack_data())):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / f"{name}.json").write_text(json.dumps(data), "utf-8")
    library = load_library(tmp_path)
    assert library.packs == {}
    (problem,) = library.problems
    assert (problem.file, problem.pointer) == ("packs/other.json", "/id")


SIZES = event_rule("game-size", sizes=[100, 200], id="cup-sizes")


def test_each_list_of_a_player_may_have_a_size_of_its_own_that_fits_the_pack() -> None:
    pack = pack_of(SIZES, entry={"lists": 2, "sizes": [100, 200]})
    first, second = (pack_for(pack, number) for number in (1, 2))
    assert judged(first, take("soldier")).report.legal
    assert not judged(second, take("soldier")).report.legal
    assert (second.id, second.name, second.sizes) == ("cup-2", "Tiny Cup (2)", (200,))
    assert pack_of_size(pack, 200) is second
    assert pack_of_size(pack, 150) is pack_for(pack, 3) is pack
    assert build_pack(second.data, SYSTEMS, "cup.json")[1] == []
    strange = "No rule in the pack allows these sizes."
    for rules, sizes, told in (
        ([SIZES], [100, 200, 200], "There are 3 sizes for 2 lists."),
        ([SIZES], [100, 300], strange),
        ([], [100, 200], strange),
    ):
        data = pack_data(*rules, entry={"lists": 2, "sizes": sizes})
        (problem,) = build_pack(data, SYSTEMS, "cup.json")[1]
        assert (problem.pointer, problem.message) == ("/entry/sizes", told)


# Lists of a team, judged together


TEAM_GAME = catalogue(
    system_data(),
    book_data(unit("soldier", 5), unit("archer", 7, "bow")),
    book_data(unit("raider", 6), unit("slinger", 4, "bow"), id="other", name="Other book"),
)
TEAM_LIBRARY = Library(
    {"tiny": TEAM_GAME.system}, {"tiny": {book.id: book for book in TEAM_GAME.books}}, packs={}
)


def team_rule(kind: str, **more: Any) -> Data:
    return {"id": "together", "kind": kind, "cite": "5", "summary": "The team rule.", **more}


def team(rule: Data, *lists: list[Data]) -> JudgedTeam:
    data = pack_data(team={"lists": 2, "rules": [rule]})
    pack, problems = build_pack(data, TEAM_LIBRARY.systems, "cup.json")
    assert pack is not None, problems
    books = [sorted({entry["unit"].split("/")[0] for entry in entries}) for entries in lists]
    made = [
        value_of(document(*entries, books=of)) for entries, of in zip(lists, books, strict=True)
    ]
    return judge_team(made, TEAM_LIBRARY, pack)


def sentences(found: JudgedTeam) -> list[str]:
    return [one.sentence for one in found.findings]


SOLDIERS, ARCHERS = [take("soldier")], [take("archer", 3)]
RAIDERS, SLINGERS = [take("other/raider")], [take("other/slinger", 2)]


def test_each_book_or_unit_is_on_one_list_and_books_have_values() -> None:
    rule = team_rule("book-once")
    assert team(rule, SOLDIERS, RAIDERS).legal
    both = team(rule, SOLDIERS, ARCHERS)
    assert sentences(both) == ["The team rule. Tiny book: on lists 1 and 2."]
    assert [(one.lists, one.citation) for one in both.findings] == [((0, 1), "Pack 5")]
    assert not both.legal
    assert team({**rule, "max": 2}, SOLDIERS, ARCHERS).legal
    rule = team_rule("unit-once", of={"ability": "bow"})
    assert team(rule, SOLDIERS, SOLDIERS).legal
    assert sentences(team(rule, ARCHERS, ARCHERS)) == ["The team rule. Archer: on lists 1 and 2."]
    rule = team_rule("book-values", values={"book": 3, "other": 2}, max=5)
    assert team(rule, SOLDIERS, RAIDERS).legal
    assert sentences(team(rule, SOLDIERS, ARCHERS)) == ["The team rule. This team: 6, maximum 5."]
    assert not team(team_rule("book-once"), SOLDIERS).legal, "a list is missing"
    assert not team(team_rule("book-once")).legal


def test_what_counts_on_all_lists_is_added_up() -> None:
    counts = [{"of": {"ability": "bow"}, "count": "models", "each": "1/2"}]
    for bounds, told in (
        ({"max": 2}, ["The team rule. This team: 2 1/2, maximum 2."]),
        ({"min": 3}, ["The team rule. This team: 2 1/2, minimum 3."]),
        ({"min": 2, "max": 3}, []),
    ):
        rule = team_rule("sum", counts=counts, **bounds)
        assert sentences(team(rule, ARCHERS, SLINGERS)) == told
