"""Who bears a banner: one Battle Standard Bearer of an army, which never leads it."""

from typing import Any

import pytest

from armybuilder.engine import Report
from tests.building.regiments import CAPS, army, option, unit
from tests.building.tiny import Data, rule
from tests.engine.tables import judged, said, verdict

BEARER = {"any": [{"option": "bearer"}, {"keyword": "army-bearer"}]}
LONE = {**CAPS[1], "besides": BEARER}
ONE_BEARER = rule("limit", "tiny.bearer", id="bearer", count="picks", of=BEARER, max=1, cite="11")
LEADER = rule(
    "eligible", "general.not-eligible", id="leader", role="general",
    of={"not": {"keyword": "no-leader"}}, needs={"can": "lead"},
    unclear={"gap": "lead", "category": "lords"},
)  # fmt: skip
NO_LEADER = rule(
    "eligible", "general.not-eligible", id="not-a-leader", role="general",
    needs={"not": {"keyword": "no-leader"}},
)  # fmt: skip
GAINS = [
    {"by": by, "keywords": ["Rally", "No Leader"], "cite": "12"} for by in ("bearer", "army-bearer")
]
GAINS += [{"by": "army-bearer", "keywords": ["Rally", "No Leader"], "cite": "12"}]
LORDS = {"categories": [{"id": "lords", "name": "Lords"}, {"id": "core", "name": "Core"}]}


def court(*units: Data) -> Any:
    rules = [CAPS[0], LONE, ONE_BEARER, LEADER, NO_LEADER]
    return army(*units, rules=rules, gains=GAINS, **LORDS)


KING = unit("king", 20, option("bearer", 5), can_lead=True)
QUEEN = unit("queen", 20, option("bearer", 5, one_of_a_kind=True, keywords=["No Leader"]))
HERO = unit("hero", 20, option("bannerman", 5, keywords=["Army Bearer"]), can_lead=True)
HERALD = unit("herald", 20, keywords=["Army Bearer"], can_lead=True)


RINGED = unit("queen", 20, *QUEEN["options"], option("ring", 5, one_of_a_kind=True))


@pytest.mark.parametrize(("queen", "text", "told"), [
    (QUEEN, "king +bearer, queen, king", ""),
    (QUEEN, "king +bearer, king +bearer, king", "bearer 2/1 u1 u2"),
    (QUEEN, "king +bearer, queen +bearer, king", "bearer 2/1 u1 u2"),
    (QUEEN, "queen +bearer, queen +bearer, king", "bearer 2/1 u1 u2"),
    (QUEEN, "king +bearer, hero +bannerman, king", "bearer 2/1 u1 u2"),
    (QUEEN, "herald, hero +bannerman, queen +bearer, king", "bearer 3/1 u1 u2 u3"),
    (QUEEN, "herald, hero, king", ""),
    # what another rule counts is One of a Kind no second time
    (RINGED, "queen +bearer +ring, queen +bearer +ring", "lone 2/1 u1 u2; bearer 2/1 u1 u2"),
    (RINGED, "queen +ring, queen +ring", "lone 2/1 u1 u2"),
])  # fmt: skip
def test_an_army_has_one_bearer_whichever_entries_offer_it(
    queen: Data, text: str, told: str
) -> None:
    assert verdict(judged(court(KING, queen, HERO, HERALD), text)) == told


def leading(text: str, *units: Data) -> Report:
    unit_id, _, options = text.partition(" ")
    return judged(court(*(units or (KING, QUEEN, HERO, HERALD))), f"{unit_id} general {options}")


@pytest.mark.parametrize(("text", "told"), [
    ("king +bearer", "King may not be the General: it has Not a Leader (because of Bearer)."),
    ("queen +bearer", "Queen may not be the General: it has Not a Leader (because of Bearer)."),
    ("hero +bannerman", "Hero may not be the General: it has Not a Leader (because of Bannerman)."),
    ("herald", "Herald may not be the General: it has Not a Leader."),
    # who may bear the banner and does not may lead
    ("king", ""), ("hero", ""),
])  # fmt: skip
def test_a_bearer_gains_not_a_leader_whether_or_not_its_book_says_so(text: str, told: str) -> None:
    assert said(leading(text)) == told


def test_a_keyword_that_comes_along_is_there_once_and_under_the_same_condition() -> None:
    written = unit("scribe", 20, option("bearer", 5, keywords=["Rally"]))
    (bearer,) = court(written).units["book/scribe"].offer.options()
    assert [keyword.name for keyword in bearer.keywords] == ["Rally", "No Leader"]
    conditional = {"name": "Army Bearer", "if": {"taken": "flag"}}
    page = unit("page", 20, option("flag"), keywords=[conditional], can_lead=True)
    assert leading("page", page).legal
    assert verdict(leading("page +flag", page)) == "general.not-eligible u1"


@pytest.mark.parametrize(("more", "told"), [
    ({"sparse": True, "categories": ["lords"]}, "warning general.not-eligible u1"),
    ({"sparse": True, "categories": ["core"]}, "general.not-eligible u1"),
    ({"categories": ["lords"]}, "general.not-eligible u1"),
    ({"sparse": True, "categories": ["lords"], "keywords": ["No Leader"]},
     "general.not-eligible u1"),
    ({"sparse": True, "categories": ["lords"], "can_lead": {"taken": "x"}},
     "general.not-eligible u1"),
    ({"sparse": True, "categories": ["lords"], "can_lead": True}, ""),
])  # fmt: skip
def test_of_a_sparse_entry_that_is_not_offered_as_general_we_only_warn(
    more: Data, told: str
) -> None:
    assert verdict(leading("warden", unit("warden", 20, option("x"), **more))) == told


BORNE = rule(
    "bearer", "items.slot", id="banner-bearer", of={"item": "banner-enchantment"},
    by={"any": [{"option": ["flag", "bearer"]}, {"keyword": ["flag-bearer", "army-bearer"]}]},
    by_name="who bears a flag",
)  # fmt: skip
ICON = option("icon", 5, item="banner-enchantment")


BANNER = {"item": "banner-enchantment"}


def borne(options: str, **more: Any) -> Report:
    nodes = [
        option("flag"),
        option("sash", keywords=["Flag Bearer"]),
        option("rack"),
        option("pole", 0, option("topper", 1, **BANNER)),
        ICON,
        option("pennon", 1, needs={"taken": "rack"}, **BANNER),
        option("scarf", 1, needs={"models": {"at_least": 1}}, **BANNER),
        option("ribbon", 1, not_with=["rack"], **BANNER),
        option("ring", 1, item="artefact"),
    ]
    made = army(unit("hero", 20, *nodes, **more), rules=[BORNE], gains=GAINS)
    return judged(made, f"hero {options}, hero +flag")


@pytest.mark.parametrize(("options", "wrong"), [
    ("+icon", ["Icon"]), ("+icon +scarf +ribbon +ring", ["Icon", "Scarf", "Ribbon"]),
    ("+icon +rack", ["Icon"]), ("+icon +flag", []), ("+icon +sash", []), ("+ring", []),
    ("+pole(topper)", []),
    # its entry says by itself what bears it
    ("+pennon +rack", []), ("+pennon", []),
])  # fmt: skip
def test_a_banner_enchantment_is_for_who_bears_a_banner(options: str, wrong: list[str]) -> None:
    told = [(found.units, found.values["names"]) for found in borne(options).findings]
    assert told == ([(("u1",), wrong)] if wrong else [])


@pytest.mark.parametrize("more", [
    {"keywords": ["Flag Bearer"]}, {"keywords": ["Army Bearer"]},
    {"keywords": [{"name": "Flag Bearer", "if": {"taken": "icon"}}]},
    {"item_limits": {"banner-enchantment": 1}},
])  # fmt: skip
def test_a_unit_may_bear_a_banner_by_itself(more: Data) -> None:
    assert borne("+icon", **more).legal
    assert not borne("+icon").legal


@pytest.mark.parametrize(("needs", "tied"), [
    ({"all": [{"taken": "flag"}, {"models": {"at_least": 1}}]}, True),
    ({"any": [{"taken": "flag"}, {"taken": "sash", "at_least": 2}]}, True),
    ({"any": [{"taken": "rack"}, {"models": {"at_least": 1}}]}, False),
    ({"not": {"taken": "flag"}}, False),
    ({"taken": "rack", "at_most": 1}, False),
    ({"taken": "hero", "in": "army"}, False),
])  # fmt: skip
def test_an_entry_ties_an_enchantment_to_what_it_cannot_be_taken_without(
    needs: Data, tied: bool
) -> None:
    nodes = [option("flag"), option("sash"), option("rack"), {**ICON, "needs": needs}]
    made = army(unit("hero", 20, *nodes), rules=[BORNE])
    assert judged(made, "hero +icon +rack").legal is tied


def test_the_sentences_name_what_is_not_known_and_who_may_take_it() -> None:
    # The warning says what is not known.
    warden = unit("warden", 20, sparse=True, categories=["lords"])
    assert said(leading("warden", warden)) == (
        "Warden as the General: our copy of the book doesn’t say whether it can lead."
    )
    # The sentence names who may take it.
    assert said(borne("+icon +scarf")) == (
        "Hero: Icon and Scarf may only be taken by who bears a flag."
    )
