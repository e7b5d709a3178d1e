"""Units as their entries allow them (kind "entry"), and loadouts: options in options and groups."""

from typing import Any

import pytest

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.sentences import sentence
from tests.building.regiments import ENTRY, army, field, group, of_code, option, unit
from tests.building.tiny import Data, document, judge, only, roster, rule
from tests.engine.tables import army_claim, claims, hold, judged, listed, said, verdict

HORDE = unit(
    "horde", 30,
    option("spear", 1, when=[{"if": {"taken": "pike"}, "set": {"max": 2}}]),
    option("flask", 2, number=[0, 3]),
    option("pike", 1, not_with=["banner"]),
    option("banner", 5, option("ribbon", 1), needs={"models": {"at_least": 15}}),
    group("arms", option("shield", 1), option("bow", 2), choose=[0, 1]),
    group("oath", option("red"), option("blue"), option("green"), choose=[1, 2]),
    group("items", option("ring", 20), option("cup", 15), option("hat", 10), allowance=30),
    size=[10, 20], points_per_model=2, when=[{"if": {"taken": "bow"}, "set": {"max": 12}}],
)  # fmt: skip
#: Lists of a horde that keep to its entry, and each departure from it.
DEPARTURES = {
    **{f"horde {models} +spear +shield +red +blue +ring +hat": "" for models in (10, 15, 20)},
    "horde 9 +red": "too-small 9/10 u1",
    "horde 21 +red": "too-large 21/20 u1",
    "horde 13 +red +bow": "too-large 13/12 u1",
    "horde 14 +red +banner": "unavailable u1",
    "horde 15 +red +pike +banner": "unavailable u1",
    "horde 10 +red +spear*2": "too-often 2/1 u1",
    "horde 10 +red +flask*4": "too-often 4/3 u1",
    "horde 10 +red +pike +spear*3": "too-often 3/2 u1",
    "horde 10 +red +shield +bow": "group-over 2/1 u1",
    "horde 10 +red +blue +green": "group-over 3/2 u1",
    "horde 10": "group-under 0/1 u1",
    "horde 10 +red +ring +cup": "allowance 35/30 u1",
}
SPEARS = ("horde 10 +red +spear +spear", "horde 10 +red +spear +spear +spear")
PAIRS = [group(name, option(f"{name}-a"), option(f"{name}-b"), choose=[0, 1]) for name in "gh"]
LICENSED = unit(
    "lord", 20, option("dragon", 50),
    option("licence", 1, when=[{"if": {"taken": "dragon"}, "set": {"min": 1}}]),
)  # fmt: skip
LORD = unit("lord", 50, option("dragon", 100, option("rider-s-lance", 5), option("scales", 20)))
NESTED = unit("lord", 50, group(
    "arms",
    option("sword", 1),
    group("bows", option("bow", 2), option("crossbow", 3), choose=[0, 1]),
    group("tricks", option("net", 4), option("whip", 5), allowance=4),
    choose=[0, 2], allowance=8,
))  # fmt: skip
BAND = (option("chief", 5), option("piper", 5), option("flag", 5, option("ribbon", 1)))
MODEL_EACH = rule(
    "model-each", "tiny.each", id="each", of={"option": ["chief", "piper", "flag"]}, cite="8.9"
)


def band(size: Any, lists: dict[str, str]) -> Any:
    """Return what is found of a crew of this size, beside one of three models without options."""
    beside = {f"{text}, crew 3": told for text, told in lists.items()}
    return army_claim(unit("crew", 9, *BAND, size=size), rules=[MODEL_EACH], lists=beside)


CLAIMS = {
    "what departs from an entry is told with its numbers": army_claim(HORDE, lists=DEPARTURES),
    "an option is written once, with its number": army_claim(HORDE, lists={
        **dict.fromkeys(SPEARS, "option.too-often u1"),
        "horde 10 +red +flask*2": "", "horde 10 +red +flask +flask": "option.too-often u1",
        "horde 10 +red +hat +wig": "option.unknown u1"}),
    "a rule tells its own aspect only": army_claim(
        HORDE, rules=[rule("entry", "tiny.size", aspect="too-small")],
        lists={"horde 9 +shield +bow +flask*9": "size 9/10 u1", "horde 10 +shield +bow": ""}),
    "every departure of every unit is told": army_claim(HORDE, lists={
        "horde 9 +flask*9, horde 12 +red, horde 9 +flask*9":
            "too-small 9/10 u1; too-small 9/10 u3; too-often 9/3 u1; too-often 9/3 u3;"
            " group-under 0/1 u1; group-under 0/1 u3"}),
    "two departures of one aspect in one unit are two findings": army_claim(
        unit("rider", 5, *PAIRS),
        lists={"rider +g-a +g-b +h-a +h-b": "group-over 2/1 u1; group-over 2/1 u1"}),
    "without a size a unit is one model, or so many": army_claim(
        unit("rider", 5), unit("knight", 5, size=1), unit("pack", 5, size=5), lists={
            "rider, knight, pack 5": "",
            "rider 2, knight 2, pack 6": "too-large 2/1 u1; too-large 2/1 u2; too-large 6/5 u3"}),
    "a group that is shut off asks for nothing and allows nothing": army_claim(
        unit("sage", 20, option("wizard", 10), group(
            "path", option("fire"), option("ice"), choose=[1, 1], needs={"taken": "wizard"})),
        lists={"sage": "", "sage +wizard +fire": "", "sage +wizard": "group-under 0/1 u1",
               "sage +fire": "unavailable u1"}),
    "an option may be asked for by what is taken": army_claim(LICENSED, lists={
        "lord": "", "lord +licence": "", "lord +dragon": "group-under 0/1 u1"}),
    "each of a command group is another model": band([1, 4], {
        "crew 3 +chief +piper +flag": "", "crew 2 +chief +piper": "", "crew 1 +flag": "",
        "crew 2 +chief +piper +flag(ribbon)": "each 2/3 u1", "crew 1": "",
        "crew 1 +chief +piper": "each 1/2 u1"}),
    "so it is with two at least": band([2, 4], {
        "crew 2 +chief +piper +flag": "each 2/3 u1", "crew 1 +chief +piper +flag": "each 1/3 u1"}),
    "an entry may ask for as many models by itself": band([3, 4], {
        "crew 2 +chief +piper +flag": ""}),
    "a single model is one of a command group": band(1, {"crew 1 +chief +flag": "each 1/2 u1"}),
    "an option taken several times takes as many models": army_claim(
        unit("crew", 9, option("chief", 1, number=[0, 3]), size=[1, 4]), rules=[MODEL_EACH],
        lists={"crew 2 +chief*2": "", "crew 2 +chief*3": "each 2/3 u1"}),
    "an option of an option is unknown without its parent": army_claim(LORD, lists={
        "lord +dragon(scales) | limit=999": "", "lord +scales": "option.unknown u1"}),
    "what stands in a group counts in those around it": army_claim(NESTED, lists={
        "lord +sword +bow": "", "lord +bow +net": "",
        "lord +sword +bow +net": "group-over 3/2 u1",
        "lord +bow +crossbow": "group-over 2/1 u1",
        "lord +whip": "allowance 5/4 u1",
        "lord +crossbow +whip +sword":
            "group-over 3/2 u1; allowance 9/8 u1; allowance 5/4 u1"}),
    "an allowance counts what is taken on the items and how often": army_claim(
        unit("sage", 50, group("items", option("staff", 20, option("gem", 15)),
                               option("charm", 6, number=[0, 9]), allowance=30)),
        lists={"sage +staff": "", "sage +staff(gem)": "allowance 35/30 u1",
               "sage +charm*5": "", "sage +charm*6": "allowance 36/30 u1"}),
    "what would be given in a group that may be shut is asked for while it is open": army_claim(
        unit("mob", 10, option("climber", 1),
             group("kit", option("rope", 1, number=[1, 1]), needs={"taken": "climber"})),
        lists={"mob": "", "mob +climber +rope": "", "mob +climber": "group-under 0/1 u1"}),
    "the needs of a use and of what it uses must both hold": army_claim(
        unit("sage", 10, option("wizard"), option("robe"),
             {"use": "staff", "needs": {"taken": "robe"}}),
        shared=[option("staff", 5, needs={"taken": "wizard"})],
        lists={"sage +wizard +robe +staff": "", "sage +staff +robe": "unavailable u1",
               "sage +staff +wizard": "unavailable u1", "sage +staff": "unavailable u1"}),
}  # fmt: skip


@claims(CLAIMS)
def test_a_unit_is_as_its_entry_allows(made: Any, lists: Any) -> None:
    hold(made, lists)


def test_faults_of_a_unit_name_it_and_are_reported_once() -> None:
    # A departure names the unit and cites the rule and the book.
    for text in DEPARTURES:
        for finding in judge(army(HORDE), {**listed(text)[0], "name": "Mob"}).findings:
            assert finding.values["unit"] == "Mob", text
            assert finding.citation == f"{finding.head.citation}, The Tiny Horde", text
    # No departure is told twice.
    bad = "horde 9 +flask*9"
    findings = judged(army(HORDE), f"{bad}, horde 12 +red, {bad}").findings
    assert len({found.key for found in findings}) == len(findings)


@pytest.mark.parametrize(
    ("made", "text", "groups"),
    [
        (unit("rider", 5, *PAIRS), "rider +g-a +g-b +h-a +h-b", ["G", "H"]),
        (NESTED, "lord +crossbow +whip +sword", ["Arms", "Arms", "Tricks"]),
        (NESTED, "lord +sword +bow +net", ["Arms"]),
        (NESTED, "lord +bow +crossbow", ["Bows"]),
        (NESTED, "lord +whip", ["Tricks"]),
        (LICENSED, "lord +dragon", ["Licence"]),
    ],
)
def test_a_group_is_named(made: Data, text: str, groups: list[str]) -> None:
    assert [found.values["group"] for found in judged(army(made), text).findings] == groups


@pytest.mark.parametrize(("size", "smallest"), [(None, 1), (1, 1), (5, 5), ([2, 8], 2)])
def test_the_smallest_size_of_a_unit_is_legal(size: Any, smallest: int) -> None:
    catalogue = army(unit("rider", 5, **({} if size is None else {"size": size})))
    assert catalogue.units["book/rider"].smallest == smallest
    assert judged(catalogue, f"rider {smallest}").legal


@pytest.mark.parametrize("text", SPEARS)
def test_an_option_written_twice_is_reported_and_counts_once(text: str) -> None:
    report = judged(army(HORDE), text)
    assert (only(report).head.id, report.spent) == ("unknown-repeated", 31)
    assert said(report) == "“Spear” is on this unit more than once; only the first counts."


def test_a_forbidden_unit_says_why() -> None:
    # A unit that may not be taken here says why.
    guard = unit("guard", 10, needs={"taken": "king", "in": "army"}, not_with=[])
    catalogue = army(unit("king", 20), guard)
    assert judged(catalogue, "guard, king").legal
    finding = only(judged(catalogue, "guard"))
    assert (finding.code, finding.values["why"]) == ("tiny.unavailable", "needs King in the army")
    # An army choice is no unit and has no models.
    sin = unit("sin", 0, group("which", option("pride"), option("envy"), choose=[1, 1]))
    counted = [rule("limit", "tiny.models", id="models", count="models", max=3)]
    catalogue = army({**sin, "army_choice": True}, unit("imp", 5), rules=[*ENTRY, *counted])
    report = judged(catalogue, "sin +envy, imp, imp, imp")
    assert (report.findings, report.models, report.spent) == ((), 3, 15)
    assert verdict(judged(catalogue, "sin")) == "group-under 0/1 u1"


LARGEST = rule(
    "entry", "unit.too-large", id="largest", aspect="too-large", cite="8.1", option_cite="8.3"
)


def test_sizes_and_command_groups_name_what_moves_them() -> None:
    # A model too few for its command group is told with its names.
    named = {**MODEL_EACH, "code": "unit.too-small", "id": "command-group"}
    catalogue = army(unit("crew", 9, *BAND, size=[1, 4]), rules=[named])
    assert said(judged(catalogue, "crew +chief +piper +flag")) == (
        "Crew: 1 model, but Chief, Piper and Flag need 3, one model each."
    )
    # A size that an option lowers names it and cites its place.
    for text, told, cited in [
        ("horde 21 +red", "Horde: 21 models, maximum 20.", "8.1"),
        ("horde 13 +red +bow", "Horde: 13 models, maximum 12 with Bow.", "8.3"),
        ("horde 21 +red +bow", "Horde: 21 models, maximum 12 with Bow.", "8.3"),
    ]:
        finding = only(judged(army(HORDE, rules=[LARGEST]), text))
        assert (sentence(finding), finding.citation) == (told, f"Tiny {cited}, The Tiny Horde")
    # What raises a size or is not taken is not named.
    when = [
        {"if": {"taken": "drum"}, "set": {"max": 30}},
        {"if": {"any": [{"taken": "sled"}, {"taken": "raft"}]}, "add": {"max": -5}},
        {"if": {"not": {"taken": "raft"}}, "add": {"max": -1}},
    ]
    nodes = [option(name) for name in ("drum", "sled", "raft")]
    crew = army(unit("crew", 9, *nodes, size=[1, 20], when=when), rules=[LARGEST])
    assert said(judged(crew, "crew 25 +drum +sled")) == "Crew: 25 models, maximum 24 with Sled."


def test_a_rule_may_speak_of_some_groups_and_leave_them_to_no_other() -> None:
    paths = group("path", option("fire"), option("ice"), choose=[1, 1])
    oath = group("oath", option("red"), option("blue"), choose=[1, 1])
    under = rule("entry", "group.under", aspect="group-under")
    some = {**under, "id": "path", "groups": ["path"]}
    rest = {**under, "id": "rest", "not_groups": ["path"]}
    sages = army(unit("sage", 9, oath, option("wand", 1, paths)), rules=[some, rest])
    found = judged(sages, "sage +wand").findings
    assert [(one.head.id, one.values["group"]) for one in found] == [
        ("path", "Path"), ("rest", "Oath"),
    ]  # fmt: skip


def taken_on_the_first(catalogue: Catalogue, text: str) -> list[tuple[str, int, int, int]]:
    """(name, number, own points, points with all that is on it) of what the first unit has."""
    line = judged(catalogue, text).line("u1")
    assert line is not None
    return [(one.option.name, one.number, one.points, one.total) for one in line.loadout.taken]


def test_taken_and_free_options_count_once() -> None:
    # Options of options count in the total of their parent once.
    mounted = "lord +dragon(rider-s-lance+scales) | limit=999"
    assert taken_on_the_first(army(LORD), mounted) == [
        ("Dragon", 1, 100, 125), ("Rider s lance", 1, 5, 5), ("Scales", 1, 20, 20),
    ]  # fmt: skip
    assert judged(army(LORD), mounted).spent == 175
    alone = judged(army(LORD), "lord +scales")
    assert (only(alone).values["name"], alone.spent) == ("scales", 50)
    # What is given is there without being written down and has its price.
    catalogue = army(unit("mob", 10, option("torch", 2, number=[2, 2]), option("cart", 3)))
    assert taken_on_the_first(catalogue, "mob +cart") == [("Torch", 2, 4, 4), ("Cart", 1, 3, 3)]
    assert judged(catalogue, "mob +cart").legal
    pick = roster(document(field("mob")), catalogue).picks[0].picks[0]
    assert (pick.given, pick.number) == (True, 2)
    # What may move or is asked for only sometimes is not given.
    moving = option("torch", 2, number=[1, 1], when=[{"if": {"taken": "cart"}, "set": {"max": 2}}])
    needy = option("lamp", 2, number=[1, 1], needs={"taken": "cart"})
    catalogue = army(unit("mob", 10, moving, needy, option("cart", 3)))
    assert taken_on_the_first(catalogue, "mob") == []
    assert only(judged(catalogue, "mob")).values["group"] == "Torch"
    assert only(judged(catalogue, "mob +cart +torch")).values["group"] == "Lamp"
    # Options may be taken on what is given.
    catalogue = army(unit("mob", 10, option("banner", 0, option("flag", 5), number=[1, 1])))
    assert taken_on_the_first(catalogue, "mob") == [("Banner", 1, 0, 0)]
    report = judged(catalogue, "mob +banner(flag)")
    assert (verdict(report), report.spent) == ("", 15)
    assert judged(catalogue, "mob +banner").legal


def test_shared_options_are_used_at_their_places() -> None:
    # A use may set its own price name and number.
    catalogue = army(
        unit("a", 10, {"use": "banner"}),
        unit("b", 10, {"use": "banner", "points": 15, "name": "Old banner", "number": [0, 2]}),
        unit("c", 10, {"use": "mounts", "choose": [1, 1]}),
        shared=[
            option("banner", 20, option("tassel", 1), one_of_a_kind=True),
            group("mounts", option("horse", 10), option("wolf", 12), choose=[0, 1]),
        ],
    )
    assert taken_on_the_first(catalogue, "a +banner(tassel)") == [
        ("Banner", 1, 20, 21),
        ("Tassel", 1, 1, 1),
    ]
    assert taken_on_the_first(catalogue, "b +banner*2") == [("Old banner", 2, 30, 30)]
    assert judged(catalogue, "b +banner*2").legal
    assert verdict(judged(catalogue, "a +banner*2, c")) == "too-often 2/1 u1; group-under 0/1 u2"
    # A shared option in several places takes the one that is open.
    on_griffon = {"needs": {"taken": "griffon"}, "allowance": 8}
    rider = unit(
        "rider", 10, option("horse", 5), option("griffon", 30),
        group("on-horse", {"use": "lance", "points": 6}, needs={"taken": "horse"}),
        group("on-griffon", {"use": "lance", "points": 9}, **on_griffon),
    )  # fmt: skip
    catalogue = army(rider, shared=[option("lance", 4)])
    report = judged(catalogue, "rider +horse +lance")
    assert (report.spent, verdict(report)) == (21, "")
    report = judged(catalogue, "rider +griffon +lance")
    assert (report.spent, verdict(report)) == (49, "allowance 9/8 u1")
    closed = of_code(judged(catalogue, "rider +lance"), "tiny.unavailable")
    assert [found.values["why"] for found in closed] == ["needs Horse"]


def test_numbers_and_pieces_that_do_not_fit_are_reported() -> None:
    # What is given cannot be taken fewer times.
    rig = army(unit("rig", 10, option("gun", 10, number=[3, 3])))
    assert judged(rig, "rig").spent == judged(rig, "rig +gun*2").spent == 40
    # A piece that nothing can be put on is told.
    finding = only(judged(army(unit("rig", 10, option("horn", 10))), "rig +horn@shield"))
    assert (finding.code, finding.values["name"]) == ("option.unknown", "horn on shield")
