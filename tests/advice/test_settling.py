"""What the builder offers beside each finding: buttons that settle it, and where to look."""

import html
import re
from collections.abc import Callable
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from armybuilder.acts.base import ListAct, decode
from armybuilder.engine import Finding
from armybuilder.lists.models import Version
from armybuilder.loading.library import shipped_library
from armybuilder.pages.builder.page import BuilderPage
from tests.building.documents import list_of, value_of
from tests.conftest import Builder
from tests.markup import flat
from tests.pages.builder import test_army_builder as armies

foxes = armies.foxes
FOXES = armies.FOXES

Build = Callable[..., Builder]
Unit = tuple[Any, ...]

CHAINMAIL, SBH, DDM = ("chainmail-2002", "practice"), ("sbh", "profiles"), ("ddm-2008", "practice")
SPEAR, RECRUIT, BRUISER = "millbrook-spearhand", "gatehouse-recruit", "knuckle-alley-bruiser"
RESERVE = {"roles": ["reserve"]}
GENERAL = {"roles": ["general"]}


def entry(number: int, book: str, unit: Unit) -> dict[str, Any]:
    """An entry from (unit, models, what else); a dictionary in place of the unit is a profile."""
    ref, models, *more = unit
    what = {"profile": ref} if isinstance(ref, dict) else {"unit": f"{book}/{ref}"}
    return {"id": f"u{number}", **what, "models": models, **(more[0] if more else {})}


def fill(builder: Builder, book: str, units: list[Unit], **settings: Any) -> None:
    """Store a list of these units, whatever acts would have led to it."""
    listed = [entry(number, book, unit) for number, unit in enumerate(units, 1)]
    known = builder.document.get("settings", {})
    builder.store(units=listed, settings={**known, **settings})


def page_on(case: Any) -> BuilderPage:
    """The page of a list that nobody stored: of one of LISTS, or of ARMIES, which are of foxes."""
    if len(case) == 4:
        limit, units, system, book, settings, library = *case[:2], armies.SYSTEM, "foxes", {}, FOXES
    else:
        (system, book), limit, units, settings, library = *case[:4], shipped_library()
    listed = [entry(number, book, unit) for number, unit in enumerate(units, 1)]
    document = list_of(system, [book], listed, limit=limit, settings=settings)
    return BuilderPage(Version(document=value_of(document)), library)


def pressed(page: BuilderPage, label: str) -> BuilderPage:
    """The page after an answer, as the act of its fields makes it."""
    offered = {one.label: one.fields for telling in page.tellings for one in telling.answers}
    assert label in offered, sorted(offered)
    act = decode(offered[label])
    assert isinstance(act, ListAct)
    made = act.perform(page.document, page.catalogue).army_list
    return BuilderPage(Version(document=made), page.library)


def page_of(builder: Builder) -> BuilderPage:
    return BuilderPage(builder.version, getattr(builder, "library", None) or shipped_library())


def findings_with(page: BuilderPage | Builder, code: str) -> list[Finding]:
    page = page_of(page) if isinstance(page, Builder) else page
    return [found for found in page.report.findings if found.code == code]


def buttons(builder: Builder) -> dict[str, dict[str, str]]:
    """The answers on the page: their words, and the fields that they post."""
    found = {}
    for block in re.findall(r'<div class="answers".*?</div>', flat(builder.page), re.S):
        for form in re.findall(r"<form.*?</form>", block, re.S):
            words = re.search(r"<button[^>]*>(.*?)</button>", form, re.S)
            assert words
            fields = re.findall(r'name="([^"]*)" value="([^"]*)"', form)
            found[html.unescape(words[1])] = {k: html.unescape(v) for k, v in fields}
    return found


def press(builder: Builder, label: str) -> None:
    offered = buttons(builder)
    assert label in offered, sorted(offered)
    response = builder.client.post(f"{builder.url}act/", offered[label])
    assert response.status_code == 302, response.content.decode()


#: (system and book, points, units, settings, code, answer)
LISTS: dict[str, tuple[tuple[str, str], int, list[Unit], dict[str, Any], str, str]] = {
    "points over: fewer models": (
        CHAINMAIL, 100, [("bannerlady-oresta", 1), ("sunhill-chaplain", 1), (SPEAR, 8)], {},
        "points.over", "Reduce Millbrook Spearhand to 6 (12 points less)",
    ),
    "points over: the smallest that is enough": (
        CHAINMAIL, 60, [("bannerlady-oresta", 1), ("sunhill-chaplain", 1), (RECRUIT, 1)], {},
        "points.over", "Remove Sunhill Chaplain (24 points)",
    ),
    "points over: a setting that costs points": (
        CHAINMAIL, 38, [("bannerlady-oresta", 1)], {"tactical_advantage": 5},
        "points.over", "Reduce tactical advantage to 0",
    ),
    "points over: in several steps": (
        CHAINMAIL, 1, [(SPEAR, 1), (RECRUIT, 1), (BRUISER, 1)], {},
        "points.over", "Remove Millbrook Spearhand (6 points): still 6 points over",
    ),
    "nobody there without the reserve": (
        CHAINMAIL, 100, [(RECRUIT, 1, RESERVE)], {},
        "list.empty", "Gatehouse Recruit: take out of reserve",
    ),
    "two in reserve": (
        CHAINMAIL, 100, [(SPEAR, 1, RESERVE), (RECRUIT, 1, RESERVE)], {},
        "reserve.too-many", "Gatehouse Recruit: take out of reserve",
    ),
    "too dear for the reserve": (
        CHAINMAIL, 100, [("sunhill-chaplain", 1, RESERVE), (SPEAR, 1)], {},
        "reserve.too-costly", "Sunhill Chaplain: take out of reserve",
    ),
    "factions tie": (
        CHAINMAIL, 100, [("sunhill-chaplain", 1), ("left-hand-of-the-matron", 1)], {},
        "faction.choose", "Choose Thalos",
    ),
    "no faction leads": (
        CHAINMAIL, 100, [(SPEAR, 2), ("anvil-gate-warden", 1)], {},
        "faction.mixed", "Remove Anvil Gate Warden",
    ),
    "too little command": (
        CHAINMAIL, 100, [("stormdrum-caller", 1), ("furrow-tusker", 1)], {},
        "command.capacity", "Remove Furrow Tusker (19 points)",
    ),
    "good beside evil": (
        CHAINMAIL, 100, [(SPEAR, 2), (BRUISER, 1)], {},
        "alignment.clash", "Remove Knuckle Alley Bruiser",
    ),
    "good beside evil, several of one side": (
        CHAINMAIL, 100, [(SPEAR, 3), (BRUISER, 1), ("stormdrum-caller", 1)], {},
        "alignment.clash", "Remove Knuckle Alley Bruiser and Stormdrum Caller",
    ),
    "untrained of another faction": (
        CHAINMAIL, 100, [("redtusk-overseer", 1), (RECRUIT, 1)], {},
        "untrained.cross-faction", "Remove Gatehouse Recruit (2 points)",
    ),
    "too much terrain": (
        CHAINMAIL, 100, [(SPEAR, 1)], {"terrain": ["hill", "hill", "woods", "woods"]},
        "terrain.count", "Remove Hill",
    ),
    "terrain of another environment": (
        CHAINMAIL, 100, [(SPEAR, 1)], {"terrain": ["hill", "hill", "web"]},
        "terrain.not-allowed", "Remove Web (then 1 more to do)",
    ),
    "a unit nobody knows": (
        CHAINMAIL, 100, [("no-such", 1)], {}, "unit.unknown", "Remove practice/no-such",
    ),
    "a role nobody knows": (
        CHAINMAIL, 100, [(SPEAR, 1, {"roles": ["king"]})], {}, "role.unknown", "Remove “king”",
    ),
    "a setting nobody knows": (
        CHAINMAIL, 100, [(SPEAR, 1)], {"moon": "full"}, "setting.unknown", "Remove “moon”",
    ),
    "a value nobody knows": (
        CHAINMAIL, 100, [(SPEAR, 1)], {"environment": "sea"},
        "setting.unknown", "Remove “Environment: sea”",
    ),
    "a piece nobody knows": (
        CHAINMAIL, 100, [(SPEAR, 1)], {"terrain": ["hill", "lava"]},
        "setting.unknown", "Remove “lava”",
    ),
    "an option nobody knows": (
        CHAINMAIL, 100, [(SPEAR, 1, {"options": ["wings"]})], {},
        "option.unknown", "Remove “wings”",
    ),
    "too many animals": (
        SBH, 300, [("giant-frog", 3), ("human-warrior", 1)], {},
        "animals.share", "Reduce Giant Frog to 1",
    ),
    "too many personalities": (
        SBH, 90, [("human-leader", 1), ("human-warrior", 1)], {},
        "personalities.share", "Remove Human Leader (60 points)",
    ),
    "a swarm of one": (
        SBH, 300,
        [({"name": "Rats", "stats": {"quality": 4, "combat": 2},
           "abilities": [{"ability": "swarm"}]}, 1)], {},
        "swarm.too-few", "Raise Rats to 2",
    ),
    "two of one Unique name": (
        DDM, 200, [("odile-ford-marshal", 1), ("odile-sword-of-the-river", 1)],
        {"faction": "civilization"}, "unique.duplicate", "Remove Odile, Ford Marshal (46 points)",
    ),
    "one copy of a Unique creature too many": (
        DDM, 200, [("odile-ford-marshal", 2)], {"faction": "civilization"},
        "unique.duplicate", "Remove one Odile, Ford Marshal",
    ),
    "no faction chosen": (
        DDM, 200, [("gutter-knife", 1)], {}, "faction.choose", "Choose Civilization",
    ),
    "of another faction": (
        DDM, 200, [("gutter-knife", 1), ("fen-adder", 2)], {"faction": "underdark"},
        "faction.mixed", "Remove 2 × Fen Adder",
    ),
    "too many creatures": (
        DDM, 50, [("boneyard-porter", 8)], {"faction": "underdark"},
        "models.too-many", "Reduce Boneyard Porter to 6",
    ),
    "a creature too dear": (
        DDM, 100, [("cloudback-behemoth", 1), ("fen-adder", 1)], {"faction": "wild"},
        "model.too-costly", "Remove Cloudback Behemoth (96 points)",
    ),
    "an epic card": (
        DDM, 200, [("vael-canon-of-the-crypt-epic", 1), ("boneyard-porter", 1)],
        {"faction": "underdark"}, "epic.not-allowed",
        "Remove Vael, Canon of the Crypt (epic) (150 points)",
    ),
    "a creature too large": (
        DDM, 200, [("cloudback-behemoth", 1), ("fen-adder", 1)], {"faction": "wild"},
        "size.not-allowed", "Remove Cloudback Behemoth (96 points)",
    ),
    "more than the boosters held": (
        DDM, 200, [("fen-adder", 2)], {"game": "sealed", "pool": ["practice/fen-adder"]},
        "pool.exceeded", "Remove one Fen Adder",
    ),
    "a booster forgotten": (
        DDM, 200, [("fen-adder", 2)], {"game": "sealed", "pool": ["practice/fen-adder"]},
        "pool.exceeded", "Add Fen Adder to your boosters",
    ),
}  # fmt: skip


LORD, SPEARS, CART = ("lord", 1), ("spears", 20), ("cart", 1)


def lord(*options: str, **more: Any) -> Unit:
    return ("lord", 1, {"options": [*options], **more})


def racers(*options: str) -> Unit:
    return ("racers", 1, {"options": [*options]})


#: (points, units, code, answer)
ARMIES: dict[str, tuple[int, list[Unit], str, str]] = {
    "a unit too small": (1500, [("spears", 12)], "unit.too-small", "Raise Fox Spears to 20"),
    "a unit too large": (1500, [("spears", 60)], "unit.too-large", "Reduce Fox Spears to 50"),
    "no General": (1500, [LORD], "general.missing", "Make Fox Lord the General"),
    "two Generals": (
        1500, [lord("fur", **GENERAL), lord("mail", **GENERAL)],
        "general.too-many", "Fox Lord: remove as General",
    ),
    "a General who cannot lead: another": (
        1500, [LORD, ("spears", 20, GENERAL)], "general.not-eligible", "Make Fox Lord the General",
    ),
    "a General who cannot lead: nobody": (
        1500, [("spears", 20, GENERAL)], "general.not-eligible",
        "Fox Spears: remove as General (then 1 more to do)",
    ),
    "a cap of units": (
        3001, [SPEARS, SPEARS, ("spears", 25)], "cap.over", "Remove Fox Spears (250 points)",
    ),
    "one of a kind twice": (
        1500, [lord("charm"), lord("charm", name="Reeve")],
        "one-of-a-kind.over", "Remove Lucky Charm from Reeve (10 points)",
    ),
    "an option that may not be": (1500, [lord("plate")], "option.requires", "Take Horse (+40)"),
    "an option too often": (
        1500, [lord("fur", {"id": "scroll", "number": 5})],
        "option.too-often", "Reduce Scroll to 3",
    ),
    "two of a group of one": (1500, [lord("fur", "mail")], "group.over", "Remove Mail (15 points)"),
    "an allowance overspent": (
        1500, [lord("fur", "stone", "sword")], "items.allowance", "Remove Moon Sword (50 points)",
    ),
    "too many points: an option": (
        1430, [lord("fur", "horse"), ("spears", 50), ("spears", 50),
               ("cart", 1), ("cart", 1), ("cart", 1)],
        "points.over", "Remove Horse from Fox Lord (40 points)",
    ),
    "too many points: a smaller unit": (
        610, [("spears", 30), ("spears", 50)], "points.over",
        "Reduce Fox Spears to 31 (190 points less)",
    ),
    "a category too dear": (
        1125, [lord("fur", "charm"), LORD, LORD],
        "category.over", "Remove Lucky Charm from Fox Lord (10 points)",
    ),
    "a command group of too few models": (
        1500, [racers("champion", "musician")], "unit.too-small", "Raise Fox Racers to 2",
    ),
    "a command group too large for its models": (
        1500, [racers("champion", "musician")], "unit.too-small", "Remove Champion",
    ),
    "a banner enchantment that nobody bears": (
        1500, [racers("pennon")], "items.slot", "Remove Pennon",
    ),
    "two enchantments on one suit of armour": (
        1500, [racers("oil", "wax", "crest")], "items.slot", "Remove Wax (8 points)",
    ),
    "who must be the General is not: the role": (
        1500, [racers("crown")], "general.required", "Make Fox Racers the General",
    ),
    "who must be the General is not: the option": (
        1500, [racers("crown"), lord("fur", **GENERAL)], "general.required", "Remove Crown",
    ),
    "too few points": (
        1500, [("spears", 45), ("spears", 50), ("spears", 50)], "points.under",
        "Raise Fox Spears to 46 (10 points more)",
    ),
}  # fmt: skip


def test_an_answer_settles_what_is_wrong_with_a_list() -> None:
    for name, case in {**LISTS, **ARMIES}.items():
        page, (code, label) = page_on(case), case[-2:]
        (before,) = findings_with(page, code)
        after = findings_with(pressed(page, label), code)
        lessened = name == "points over: in several steps"
        assert len(after) == lessened, name
        assert not after or after[0].excess < before.excess, name


def test_an_option_is_taken_with_what_it_needs_itself_and_undone_at_once(build: Build) -> None:
    """Nova Flare wants a Lance, and that is for those who ride."""
    army = build("t9a-2023", limit=4500, books=["highborn-elves"])
    fill(army, "highborn-elves", [("high-prince", 1, {"options": ["nova-flare"]})])
    before = army.document
    assert "Take Lance" not in " ".join(buttons(army))
    press(army, "Take Elven Horse and Lance (+55)")
    assert findings_with(army, "items.slot") == []
    options = army.document["units"][0]["options"]
    assert [one["id"] for one in options] == ["nova-flare", "elven-horse", "lance"]
    assert "High Prince: added Elven Horse and Lance." in html.unescape(army.page)
    army.act("undo")
    assert army.document == before


def test_of_several_answers_the_one_that_lacks_the_cheapest_and_four_at_most_are_offered() -> None:
    """A Lance needs a mount, and must not stand beside two other things."""
    units = [("high-prince", 1, {"options": ["lance"]})]
    page = page_on((("t9a-2023", "highborn-elves"), 4500, units, {}, "", ""))
    assert findings_with(pressed(page, "Take Elven Horse (+40)"), "option.requires") == []
    page = page_on((1500, [LORD], "", ""))
    assert [one.sentence for one in page.tellings if "choose one from “Armour”" in one.sentence]
    assert not findings_with(pressed(page, "Take Fur (free)"), "group.under")
    units = [(SPEAR, 1, {**RESERVE, "name": f"S{n}"}) for n in range(9)]
    page = page_on((CHAINMAIL, 100, units, {}, "", ""))
    assert max(len(telling.answers) for telling in page.tellings) <= 4
    assert len(findings_with(page, "reserve.too-many")) == 1


def finding(builder: Builder, words: str) -> str:
    """The part of the page that tells of a finding, by words of its sentence."""
    parts = re.findall(r'<li class="finding.*?</li>', flat(builder.page), re.S)
    (found,) = [part for part in parts if words in html.unescape(part)]
    return str(found)


def links(part: str) -> dict[str, str]:
    found = re.findall(r'<a href="([^"]*)".*?>(.*?)</a>', part)
    return {html.unescape(words): url for url, words in found}


@pytest.mark.slow
def test_a_finding_says_by_how_much_where_its_sentence_does_not(chainmail: Builder) -> None:
    fill(chainmail, "practice", [("stormdrum-caller", 1), ("furrow-tusker", 2)], terrain=["hill"])
    assert ">3 too many<" in finding(chainmail, "command capacity")
    assert ">2 more needed<" in finding(chainmail, "of terrain")
    fill(chainmail, "practice", [(SPEAR, 40)])
    assert "off-by" not in finding(chainmail, "140 over")
    page = page_on((SBH, 300, [("human-leader", 2)], {}, "", ""))
    assert [one.by for one in page.tellings if "Personalities cost" in one.sentence] == [
        "20 points over"
    ]


@pytest.mark.slow
def test_each_who_takes_part_is_a_link_that_opens_it(chainmail: Builder) -> None:
    fill(chainmail, "practice", [(SPEAR, 2), (BRUISER, 1), (RECRUIT, 1)])
    told = links(finding(chainmail, "Good and evil"))
    opens = f"{chainmail.url}?open="
    assert told == {"Millbrook Spearhand": f"{opens}u1", "Knuckle Alley Bruiser": f"{opens}u2"}
    fill(chainmail, "practice", [(SPEAR, 2), (BRUISER, 1)])
    assert 'data-goto="verdict-title"' in finding(chainmail, "Good and evil")
    answer = buttons(chainmail)["Remove Knuckle Alley Bruiser"]
    response = chainmail.act(htmx=True, **answer)
    assert response.status_code == 200
    assert "Good and evil" not in response.content.decode()


def test_in_an_army_the_link_opens_the_unit(foxes: Builder) -> None:
    fill(foxes, "foxes", [("lord", 1), ("spears", 12)])
    told = finding(foxes, "minimum 20")
    assert 'data-goto="unit-title"' in told
    assert "open=u2" in told


def test_the_citation_opens_on_our_summary_and_our_reading(chainmail: Builder) -> None:
    fill(chainmail, "practice", [("sunhill-chaplain", 1, RESERVE), (SPEAR, 1)])
    (found,) = findings_with(chainmail, "reserve.too-costly")
    shown = finding(chainmail, "maximum for a reserve model")
    details = re.search(r'<details class="cite" id="([^"]+)">.*?</details>', shown, re.S)
    assert details
    text = html.unescape(details[0])
    assert f"<summary><cite>{found.citation}</cite></summary>" in text
    assert str(found.head.summary) in text
    assert not found.head.reading or str(found.head.reading) in text
    units = [("sunhill-chaplain", 1, RESERVE), (SPEAR, 3, RESERVE), (BRUISER, 9), ("gone", 1)]
    fill(chainmail, "practice", units)
    ids = re.findall(r'\bid="(why-[^"]+)"', chainmail.page)
    assert len(ids) == len(set(ids)) == len(page_of(chainmail).report.findings)


#: (system and book, units, settings, words of the sentence, link, words of the link)
PLACES: dict[str, tuple[tuple[str, str], list[Unit], dict[str, Any], str, str, str]] = {
    "terrain": (CHAINMAIL, [(SPEAR, 1)], {}, "of terrain (", "#set-terrain", "Go to terrain"),
    "the map": (
        DDM, [("gutter-knife", 1)], {}, "Choose one battle map", "#set-map", "Go to battle map",
    ),
    "the book": (CHAINMAIL, [], {}, "no models yet", "#book-title", "Go to the units"),
    "a card": (
        ("chainmail-2002", "known-cards"), [("human-paladin-of-stratis", 1)], {},
        "from your card", "#u1-points", "Fill in the card",
    ),
    "an own model": (
        SBH, [({"name": "Ann", "stats": {"quality": 8, "combat": 2}, "abilities": []}, 1)], {},
        "it must be from 2 (best) to 6", "?open=u1", "Change Ann",
    ),
}  # fmt: skip


@pytest.mark.one_in(5)
@pytest.mark.parametrize("case", PLACES.values(), ids=PLACES)
def test_what_only_the_player_can_settle_has_a_link_to_its_place(build: Build, case: Any) -> None:
    (system, book), units, settings, words, url, label = case
    builder = build(system, limit=100, books=[book])
    fill(builder, book, units, **settings)
    there = links(finding(builder, words))[label]
    assert there.endswith(url)
    if there.startswith("#"):
        assert f'id="{there[1:]}"' in builder.page
    else:
        address, __, part = there.partition("#")
        page = builder.client.get(address)
        assert page.status_code == 200
        assert not part or f'id="{part}"' in page.content.decode()


def test_settings_are_named_in_the_language_of_the_reader(chainmail: Builder) -> None:
    chainmail.client.cookies["django_language"] = "de"
    page = html.unescape(chainmail.page)
    assert "Zu „Gelände“" in page
    assert "Terrain“" not in page


@pytest.mark.one_in(2)
@pytest.mark.parametrize("times", [1, 6])
def test_an_answer_takes_no_more_queries_than_any_click(chainmail: Builder, times: int) -> None:
    units: list[Unit] = [(SPEAR, 2), (BRUISER, 1), (RECRUIT, 40, RESERVE), ("no-such", 1)]
    fill(chainmail, "practice", units * times, terrain=["web"])
    answer = buttons(chainmail)["Remove practice/no-such"]
    address = f"{chainmail.url}act/"
    with CaptureQueriesContext(connection) as queries:
        chainmail.client.post(address, answer, headers={"HX-Request": "true"})
    said = [query["sql"] for query in queries if "SAVEPOINT" not in query["sql"]]
    assert len(said) <= 8, said


#: Fields of answers of a page out of date, and what is said of them.
OUTDATED = (
    ({"act": "remove-units", "units": "u1 u9"}, "no longer on the list"),
    ({"act": "remove-units", "units": ""}, "Name at least one unit"),
    ({"act": "forget", "kind": "role", "unit": "u1", "name": "reserve"}, "no longer"),
    ({"act": "forget", "kind": "role", "unit": "u9", "name": "king"}, "no longer"),
    ({"act": "forget", "kind": "setting", "name": "terrain"}, "no longer"),
    ({"act": "forget", "kind": "option", "unit": "u1", "name": "wings"}, "no longer"),
    ({"act": "forget", "kind": "ability", "unit": "u1", "name": "leader"}, "no longer"),
    ({"act": "forget", "kind": "moon", "name": "x"}, "isn’t possible"),
    ({"act": "take-options", "unit": "u1", "options": ""}, "isn’t possible"),
    ({"act": "take-options", "unit": "u1", "options": "a " * 61}, "isn’t possible"),
    ({"act": "take-options", "unit": "u1", "options": "wings"}, "no option"),
    ({"act": "take-options", "unit": "u9", "options": "wings"}, "no longer"),
)


@pytest.mark.slow
def test_an_answer_of_a_page_out_of_date_is_refused_and_others_are_undone(
    chainmail: Builder,
) -> None:
    fill(chainmail, "practice", [(SPEAR, 1, RESERVE), (BRUISER, 1)], terrain=["hill"])
    before = chainmail.document
    for fields, said in OUTDATED:
        response = chainmail.act(**fields)
        assert response.status_code == 422, fields
        assert said in response.content.decode(), fields
    assert chainmail.document == before
    # Several units that go at once come back at once.
    chainmail.act("remove-units", units="u1 u2")
    assert chainmail.document["units"] == []
    chainmail.act("undo")
    assert chainmail.document == before


def test_an_option_written_down_twice_or_put_on_nothing_is_left_out_alone() -> None:
    units = [lord("fur", "fur", {"id": "horse", "on": "moon"})]
    page = page_on((1500, units, "", ""))
    (repeated,) = findings_with(page, "option.too-often")
    assert repeated.units == ("u1",)
    page = pressed(pressed(page, "Remove “fur”"), "Remove “horse on moon”")
    assert page.document.to_dict()["units"][0]["options"] == [{"id": "fur"}, {"id": "horse"}]
    assert findings_with(page, "option.unknown") == findings_with(page, "option.too-often") == []
