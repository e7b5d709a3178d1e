"""Who bears a banner: one Battle Standard Bearer of an army, which never leads it."""

from typing import Any

import pytest

from armybuilder.engine import Report, Severity
from armybuilder.engine.sentences import sentence
from tests.building.regiments import CAPS, army, field, option, taken, unit
from tests.building.tiny import Data, codes, judge, only, rule

BEARER = {"any": [{"option": "bearer"}, {"keyword": "army-bearer"}]}
LONE = {**CAPS[1], "besides": BEARER}
ONE_BEARER = rule("limit", "tiny.bearer", id="bearer", count="picks", of=BEARER, max=1, cite="11")
LEADER = rule(
    "eligible",
    "general.not-eligible",
    id="leader",
    role="general",
    of={"not": {"keyword": "no-leader"}},
    needs={"can": "lead"},
    unclear={"gap": "lead", "category": "lords"},
)
NO_LEADER = rule(
    "eligible",
    "general.not-eligible",
    id="not-a-leader",
    role="general",
    needs={"not": {"keyword": "no-leader"}},
)
GAINS = [{"by": "bearer", "keywords": ["Rally", "No Leader"], "cite": "12"}]
GAINS += [{"by": "army-bearer", "keywords": ["Rally", "No Leader"], "cite": "12"}]
LORDS = {"categories": [{"id": "lords", "name": "Lords"}, {"id": "core", "name": "Core"}]}


def court(*units: Data) -> Any:
    rules = [CAPS[0], LONE, ONE_BEARER, LEADER, NO_LEADER]
    return army(*units, rules=rules, gains=GAINS, **LORDS)


KING = unit("king", 20, option("bearer", 5), can_lead=True)
QUEEN = unit("queen", 20, option("bearer", 5, one_of_a_kind=True, keywords=["No Leader"]))
HERO = unit("hero", 20, option("bannerman", 5, keywords=["Army Bearer"]), can_lead=True)
HERALD = unit("herald", 20, keywords=["Army Bearer"], can_lead=True)


def test_an_army_has_one_bearer_whichever_entries_offer_it() -> None:
    for entries, bearers in [
        ([field("king", "bearer"), field("queen")], None),
        ([field("king", "bearer"), field("king", "bearer")], 2),
        ([field("king", "bearer"), field("queen", "bearer")], 2),
        ([field("queen", "bearer"), field("queen", "bearer")], 2),
        ([field("king", "bearer"), field("hero", "bannerman")], 2),
        ([field("herald"), field("hero", "bannerman"), field("queen", "bearer")], 3),
        ([field("herald"), field("hero")], None),
    ]:
        report = judge(court(KING, QUEEN, HERO, HERALD), *entries, field("king"))
        assert [(found.code, found.measured, found.allowed) for found in report.findings] == (
            [] if bearers is None else [("tiny.bearer", bearers, 1)]
        ), entries
        for finding in report.findings:
            assert finding.units == tuple(f"u{number}" for number in range(1, bearers + 1)), entries


def test_what_another_rule_counts_is_one_of_a_kind_no_second_time() -> None:
    ring = option("ring", 5, one_of_a_kind=True)
    queens = [field("queen", "bearer", "ring")] * 2
    made = court(unit("queen", 20, *QUEEN["options"], ring))
    assert sorted(codes(judge(made, *queens))) == ["tiny.bearer", "tiny.lone"]
    assert only(judge(made, *[field("queen", "ring")] * 2)).values["name"] == "Ring"


def leading(entry: Data, *units: Data) -> Report:
    return judge(court(*(units or (KING, QUEEN, HERO, HERALD))), {**entry, "roles": ["general"]})


def test_a_bearer_gains_not_a_leader_whether_or_not_its_book_says_so() -> None:
    for entry, source in [
        (field("king", "bearer"), " (because of Bearer)"),
        (field("queen", "bearer"), " (because of Bearer)"),
        (field("hero", "bannerman"), " (because of Bannerman)"),
        (field("herald"), ""),
    ]:
        finding = only(leading(entry))
        name = entry["unit"].removeprefix("book/").capitalize()
        said = f"{name} may not be the General: it has Not a Leader{source}."
        assert sentence(finding) == said, entry


@pytest.mark.parametrize("entry", [field("king"), field("hero")])
def test_who_may_bear_the_banner_and_does_not_may_lead(entry: Data) -> None:
    assert leading(entry).findings == ()


def test_a_keyword_that_comes_along_is_there_once_and_under_the_same_condition() -> None:
    written = unit("scribe", 20, option("bearer", 5, keywords=["Rally"]))
    conditional = {"name": "Army Bearer", "if": {"taken": "flag"}}
    page = unit("page", 20, option("flag"), keywords=[conditional], can_lead=True)
    made = court(written, page)
    (bearer,) = made.units["book/scribe"].offer.options()
    assert [keyword.name for keyword in bearer.keywords] == ["Rally", "No Leader"]
    assert leading(field("page"), page).legal
    assert codes(leading(field("page", "flag"), page)) == ["general.not-eligible"]


def test_of_a_sparse_entry_that_is_not_offered_as_general_we_only_warn() -> None:
    cases: list[tuple[Data, Severity | None]] = [
        ({"sparse": True, "categories": ["lords"]}, Severity.WARNING),
        ({"sparse": True, "categories": ["core"]}, Severity.ERROR),
        ({"categories": ["lords"]}, Severity.ERROR),
        ({"sparse": True, "categories": ["lords"], "keywords": ["No Leader"]}, Severity.ERROR),
        ({"sparse": True, "categories": ["lords"], "can_lead": {"taken": "x"}}, Severity.ERROR),
        ({"sparse": True, "categories": ["lords"], "can_lead": True}, None),
    ]
    for more, severity in cases:
        report = leading(field("warden"), unit("warden", 20, option("x"), **more))
        assert [found.severity for found in report.findings] == ([severity] if severity else []), (
            more
        )


def test_the_warning_says_what_is_not_known() -> None:
    warden = unit("warden", 20, sparse=True, categories=["lords"])
    assert sentence(only(leading(field("warden"), warden))) == (
        "Warden as the General: the book as we have it does not say whether it may lead."
    )


BORNE = rule(
    "bearer",
    "items.slot",
    id="banner-bearer",
    of={"item": "banner-enchantment"},
    by={"any": [{"option": ["flag", "bearer"]}, {"keyword": ["flag-bearer", "army-bearer"]}]},
    by_name="who bears a flag",
)
ICON = option("icon", 5, item="banner-enchantment")


def borne(*options: Any, **more: Any) -> Report:
    nodes = [
        option("flag"),
        option("sash", keywords=["Flag Bearer"]),
        option("rack"),
        option("pole", 0, option("topper", 1, item="banner-enchantment")),
        ICON,
        option("pennon", 1, item="banner-enchantment", needs={"taken": "rack"}),
        option("scarf", 1, item="banner-enchantment", needs={"models": {"at_least": 1}}),
        option("ribbon", 1, item="banner-enchantment", not_with=["rack"]),
        option("ring", 1, item="artefact"),
    ]
    made = army(unit("hero", 20, *nodes, **more), rules=[BORNE], gains=GAINS)
    return judge(made, field("hero", *options), field("hero", "flag"))


def test_a_banner_enchantment_is_for_who_bears_a_banner() -> None:
    cases: list[tuple[list[Any], list[str]]] = [
        (["icon"], ["Icon"]),
        (["icon", "scarf", "ribbon", "ring"], ["Icon", "Scarf", "Ribbon"]),
        (["icon", "rack"], ["Icon"]),
        (["icon", "flag"], []),
        (["icon", "sash"], []),
        (["ring"], []),
        ([taken("pole", "topper")], []),
        # its entry says by itself what bears it
        (["pennon", "rack"], []),
        (["pennon"], []),
    ]
    for options, wrong in cases:
        told = [(found.units, found.values["names"]) for found in borne(*options).findings]
        assert told == ([(("u1",), wrong)] if wrong else []), options


def test_a_unit_may_bear_a_banner_by_itself() -> None:
    cases: list[Data] = [
        {"keywords": ["Flag Bearer"]},
        {"keywords": ["Army Bearer"]},
        {"keywords": [{"name": "Flag Bearer", "if": {"taken": "icon"}}]},
        {"item_limits": {"banner-enchantment": 1}},
    ]
    for more in cases:
        assert borne("icon", **more).legal, more
        assert not borne("icon").legal, more


def test_an_entry_ties_an_enchantment_to_what_it_cannot_be_taken_without() -> None:
    for needs, tied in [
        ({"all": [{"taken": "flag"}, {"models": {"at_least": 1}}]}, True),
        ({"any": [{"taken": "flag"}, {"taken": "sash", "at_least": 2}]}, True),
        ({"any": [{"taken": "rack"}, {"models": {"at_least": 1}}]}, False),
        ({"not": {"taken": "flag"}}, False),
        ({"taken": "rack", "at_most": 1}, False),
        ({"taken": "hero", "in": "army"}, False),
    ]:
        nodes = [option("flag"), option("sash"), option("rack"), {**ICON, "needs": needs}]
        made = army(unit("hero", 20, *nodes), rules=[BORNE])
        assert judge(made, field("hero", "icon", "rack")).legal is tied, needs


def test_the_sentence_names_who_may_take_it() -> None:
    assert sentence(only(borne("icon", "scarf"))) == (
        "Hero: Icon and Scarf may only be taken by who bears a flag."
    )
