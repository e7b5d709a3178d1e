"""Loadouts and offers: what a unit starts with, may take, and what that costs or breaks."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from tests.building.regiments import CAPS, army, field, group, option, unit
from tests.building.tiny import Data, judge, only, rule, titled
from tests.engine.tables import army_claim, claims, hold, judged, said, verdict

Node = OptionOffer | GroupOffer


def by_path(nodes: list[Node]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in nodes:
        found[node.path] = node
        found |= by_path(list(node.inner))
    return found


def tree(report: Report, of: str = "u1") -> list[Node]:
    line = report.line(of)
    assert line is not None
    return list(offers(line, report))


def offered(catalogue: Catalogue, text: str, of: str = "u1") -> dict[str, Any]:
    """What is offered to a unit of a list, by the paths."""
    return by_path(tree(judged(catalogue, text), of))


LORD = army(unit(
    "lord", 50,
    option("guard", 0, points_per_model=2),
    option("horse", 10, option("barding", 4), not_with=["dragon"]),
    option("dragon", 60),
    group(
        "arms",
        option("sword", 3),
        group("bows", option("bow", 5), option("crossbow", 6), choose=[0, 1]),
        choose=[1, 2], allowance=8,
    ),
    option("flask", 2, number=[0, 3]),
    option("ring", 1, number=[1, 1]),
    group("spells", option("fire"), needs={"taken": "dragon"}, choose=[1, 1]),
    size=[1, 5], points_per_model=5,
))  # fmt: skip


@pytest.mark.parametrize(
    ("text", "whys"),
    [
        ("lord +dragon", {"horse": "not with Dragon", "spells": "", "fire": ""}),
        ("lord", {"horse": "", "spells": "needs Dragon", "fire": "needs Dragon"}),
    ],
)
def test_what_cannot_be_taken_says_why_also_where_its_group_is_shut(text: str, whys: Any) -> None:
    assert {path: offered(LORD, text)[path].why for path in whys} == whys


@pytest.mark.parametrize(
    ("text", "number", "spent", "ok"),
    [
        ("lord", 0, 0, False),
        ("lord +sword +bow", 2, 8, True),
        ("lord +sword +crossbow", 2, 9, False),
        ("lord +sword +bow +crossbow", 3, 14, False),
    ],
)
def test_a_group_tells_what_is_taken_in_it_and_whether_that_will_do(
    text: str, number: int, spent: int, ok: bool
) -> None:
    arms = offered(LORD, text)["arms"]
    assert (arms.least, arms.most, arms.allowance) == (1, 2, 8)
    assert (arms.number, arms.spent, arms.ok) == (number, spent, ok)


def test_offers_stand_in_order_with_numbers_points_and_groups() -> None:
    # Offers stand in the order of the book with paths from the unit down.
    assert list(offered(LORD, "lord 3 +horse")) == [
        "guard", "horse", "horse/barding", "dragon", "arms", "sword", "bows", "bow", "crossbow",
        "flask", "ring", "spells", "fire",
    ]  # fmt: skip
    # An offer tells number most and the points of one here.
    found = offered(LORD, "lord 3 +flask*2")
    assert (found["guard"].points, found["guard"].number, found["guard"].most) == (6, 0, 1)
    assert (found["flask"].points, found["flask"].number, found["flask"].most) == (2, 2, 3)
    assert (found["ring"].given, found["ring"].number, found["guard"].given) == (True, 1, False)
    # What may be taken on an option is offered once it is taken.
    assert offered(LORD, "lord")["horse"].inner == ()
    barding = offered(LORD, "lord +horse(barding)")["horse/barding"]
    assert (barding.number, barding.points) == (1, 4)
    # An inner group tells that too and of one that is shut nothing is missing.
    found = offered(LORD, "lord +bow +crossbow")
    assert (found["bows"].number, found["bows"].ok, found["spells"].ok) == (2, False, True)


CAPPED = army(
    unit("a", 10, {"use": "relic"}, {"use": "bomb"}, option("torch", 1)),
    unit("b", 10, {"use": "relic"}, {"use": "bomb"}),
    rules=CAPS,
    shared=[option("relic", 5, one_of_a_kind=True), option("bomb", 2, cap=2, number=[0, 2])],
)


@pytest.mark.parametrize(
    ("text", "of", "path", "army", "why"),
    [
        ("a, b +bomb", "u1", "bomb", "1 of 2 in the army", ""),
        ("a, b +bomb", "u1", "torch", "", ""),
        ("a | limit=200", "u1", "bomb", "0 of 4 in the army", ""),
        ("a | limit=50", "u1", "bomb", "0 of 1 in the army", ""),
        ("a, b +bomb*2", "u1", "bomb", "2 of 2 in the army", "the army has the maximum"),
        # it is taken here, and may be left
        ("a, b +bomb*2", "u2", "bomb", "2 of 2 in the army", ""),
        ("a, b +relic", "u1", "relic", "one of a kind", "already in the army: B"),
        ("a, b +relic", "u2", "relic", "one of a kind", ""),
        ("a", "u1", "relic", "one of a kind", ""),
    ],
)
def test_an_offer_says_what_the_army_holds_of_it_and_when_that_is_all_it_may(
    text: str, of: str, path: str, army: str, why: str
) -> None:
    found = offered(CAPPED, text, of)[path]
    assert (found.army, found.why) == (army, why)


KING = army(unit("king", 10, group(
    "mount",
    option("ox", 30, cap=1),
    option("calf", 20, cap=1, when=[{"if": {"taken": "ox", "in": "army"}, "add": {"cap": -1}}]),
    option("cart", 5, not_with=["ox"]),
    option("plough", 1, needs={"taken": "ox"}),
    choose=[0, 1],
)), rules=CAPS)  # fmt: skip


def test_an_offer_ignores_the_option_it_would_replace() -> None:
    # What an option takes the place of does not speak against it nor for it.
    found = offered(KING, "king +ox")
    assert (found["calf"].why, found["calf"].army) == ("", "0 of 1 in the army")
    assert (found["cart"].why, found["plough"].why) == ("", "needs Ox")
    assert (found["ox"].why, found["ox"].army) == ("", "1 of 1 in the army")
    found = offered(KING, "king +cart, king +ox")
    assert found["ox"].why == found["calf"].why == "the army has the maximum"
    # Another has one too: that stays.
    assert offered(KING, "king +ox, king +ox")["calf"].why == "the army has the maximum"
    # One of a kind names who has it.
    report = judge(CAPPED, field("a"), field("b", "relic", name="Bo"))
    assert by_path(tree(report))["relic"].why == "already in the army: Bo"


def test_an_enchantment_offers_its_pieces_where_there_is_a_choice() -> None:
    named = rule("enchants", "items.target", always=["hand-weapon"], ask=True)
    rune = option("rune", 5, item="weapon-enchantment", on=["hand-weapon", "axe", "bow"])
    catalogue = army(unit("hero", 20, option("axe", 1), option("bow", 1), rune), rules=[named])
    for text, pieces, on in [
        ("hero", (), ""),
        ("hero +rune", (), ""),  # only the hand weapon fits
        ("hero +rune +axe", ("hand-weapon", "axe"), ""),
        ("hero +rune@axe +axe", ("hand-weapon", "axe"), "axe"),
    ]:
        found = offered(catalogue, text)["rune"]
        assert (found.pieces, found.on) == (pieces, on), text


@pytest.mark.parametrize(
    ("text", "place", "points"),
    [
        ("rider", "on-foot", 3),
        ("rider +horse", "mounted", 6),
        ("rider +horse +lance", "mounted", 6),
    ],
)
def test_a_shared_option_in_several_places_is_offered_where_it_is_open(
    text: str, place: str, points: int
) -> None:
    catalogue = army(
        unit(
            "rider",
            10,
            option("horse", 5),
            group("on-foot", {"use": "lance", "points": 3}, not_with=["horse"]),
            group("mounted", {"use": "lance", "points": 6}, needs={"taken": "horse"}),
        ),
        shared=[option("lance", 4)],
    )
    groups = [one for one in tree(judged(catalogue, text)) if isinstance(one, GroupOffer)]
    lances = [(one.path, inner.points) for one in groups for inner in one.inner]
    assert lances == [(place, points)]


def most(item: str, number: Any, **more: Any) -> dict[str, Any]:
    return rule(
        "per-unit", f"tiny.{item}", of={"item": item}, max=number, what=f"{item}s", id=item, **more
    )


TWO_FOR_BEARERS = {
    "number": 1,
    "when": [
        {"if": {"taken": "bearer"}, "set": {"number": 2}},
        {"if": {"keyword": "flag-bearer"}, "set": {"number": 2}},
    ],
}
SLOTS = (most("artefact", 2), most("banner-enchantment", TWO_FOR_BEARERS), most("dominant", 1))
SAGE = unit(
    "sage", 20,
    option("bearer", 5), option("squire", 5, keywords=["Flag Bearer"]),
    option("ring", 1, item="artefact"),
    option("cup", 1, item="artefact", dominant=True),
    option("orb", 1, item="artefact", number=[0, 3]),
    option("flag", 1, item="banner-enchantment"),
    option("rag", 1, item="banner-enchantment", dominant=True),
    option("throne", 9, option("horn", 1, item="artefact")),
    option("relic", 1, dominant=True),
)  # fmt: skip


ENCHANTS = (
    rule("enchants", "items.slot", id="enchantment-fits", always=["hand-weapon"]),
    rule("enchants", "items.target", id="named", always=["hand-weapon"], ask=True),
)
HERO = unit(
    "hero", 20,
    option("shield", 2), option("plate", 4), option("great-weapon", 4),
    option("horse", 9, option("lance", 2)),
    option("rune", 5, item="weapon-enchantment", on=["hand-weapon", "great-weapon", "lance"]),
    option("gilding", 5, item="armour-enchantment", on=["plate", "mail"]),
    option("boss", 5, item="shield-enchantment", on=["shield"]),
    option("charm", 5, item="artefact"),
)  # fmt: skip
CLAIMS = {
    "one unit has so many of a kind of item": army_claim(SAGE, rules=SLOTS, lists={
        "sage +ring +cup": "", "sage +flag": "", "sage +flag +rag +bearer": "",
        "sage +flag +rag +squire": "",
        "sage +ring +cup +orb": "artefact 3/2 u1",
        "sage +ring +orb*2": "artefact 3/2 u1",
        "sage +ring +cup +throne(horn)": "artefact 3/2 u1",
        "sage +flag +rag": "banner-enchantment 2/1 u1",
        "sage +cup +rag": "dominant 2/1 u1",
        "sage +cup +relic": "dominant 2/1 u1"}),
    "items are counted for each unit": army_claim(SAGE, rules=SLOTS, lists={
        "sage +ring +cup, sage +ring +orb*2": "artefact 3/2 u2"}),
    "an enchantment is put on what the unit carries": army_claim(HERO, rules=ENCHANTS, lists={
        # every model carries a hand weapon, and nothing else fits
        "hero +rune": "", "hero +boss +shield": "", "hero +gilding +plate": "", "hero +charm": "",
        "hero +boss": "items.slot u1",
        "hero +gilding": "items.slot u1",
        "hero +gilding +boss": "items.slot u1; items.slot u1",
        # several fit: the list names one that it carries
        "hero +rune +great-weapon": "items.target u1",
        "hero +rune +horse(lance)": "items.target u1",
        "hero +rune@great-weapon +great-weapon": "",
        "hero +rune@hand-weapon +great-weapon": "",
        "hero +rune@lance +great-weapon": "items.target u1",
        "hero +rune@great-weapon": "items.target u1",
        "hero +boss@shield": "items.slot u1"}),
    "what a unit carries may be a keyword of it": army_claim(
        {**HERO, "keywords": ["Mail"]}, rules=ENCHANTS, lists={"hero +gilding": ""}),
    "what a unit carries may be a keyword of it under a condition": army_claim(
        {**HERO, "keywords": [{"name": "Mail", "if": {"taken": "shield"}}]}, rules=ENCHANTS,
        lists={"hero +gilding": "items.slot u1", "hero +gilding +shield": ""}),
    "what a unit carries may be a keyword of an option": army_claim(
        {**HERO, "options": [*HERO["options"], option("wall", 1, keywords=["Mail (heavy)"])]},
        rules=ENCHANTS, lists={"hero +gilding +wall": ""}),
    "an allowance for all items is one group around them": army_claim(
        unit("hero", 20, group("items", option("rune", 30), option("orb", 25), allowance=50),
             option("sword", 40)),
        rules=[rule("entry", "items.allowance", aspect="allowance")],
        lists={"hero +rune +sword": "", "hero +rune +orb +sword": "items.allowance 55/50 u1"}),
}  # fmt: skip


@claims(CLAIMS)
def test_items_keep_to_their_slots_and_pieces(made: Any, lists: Any) -> None:
    hold(made, lists)


def enchanted(*options: str, **more: Any) -> Report:
    return judge(army({**HERO, **more}, rules=ENCHANTS), field("hero", *options))


def test_what_a_unit_wears_is_named_or_not_checked() -> None:
    # Where the book does not say what a unit wears it is not checked.
    report = enchanted("gilding", sparse=True)
    assert (verdict(report), report.legal, report.complete) == ("", True, False)
    (open_question,) = report.unchecked
    assert (open_question.units, open_question.why) == (("u1",), "stat-line")
    assert open_question.sentence == "Hero: Gilding, needs plate or mail."
    assert enchanted("gilding", "plate", sparse=True).complete
    assert not enchanted("gilding").legal
    # Items too many are told by name.
    finding = only(judged(army(SAGE, rules=SLOTS), "sage +ring +orb*2"))
    assert finding.values["names"] == ["Ring", "Orb", "Orb"]
    assert finding.values["what"] == "artefacts"
    # The sentences name the pieces and the item.
    assert said(enchanted("gilding")).startswith("Hero: Gilding needs plate or mail")
    told = said(enchanted("rune", "great-weapon"))
    assert told.startswith("Hero: choose what Rune goes on")
    assert "great weapon" in told
    items = group("items", option("rune", 30), option("orb", 25), allowance=50)
    aspect = rule("entry", "items.allowance", aspect="allowance")
    hero = army(unit("hero", 20, items), rules=[aspect])
    assert said(judged(hero, "hero +rune +orb")) == "Hero: 55 points of Items, maximum 50."


PIECES = rule(
    "per-piece", "items.slot", id="armour-enchantment", cite="22.A.b",
    of={"item": ["armour-enchantment", "shield-enchantment"]}, max=1,
    pieces=[
        {"name": "shield", "on": ["shield", "buckler"], "item": "shield-enchantment"},
        {"name": "suit of armour", "item": "armour-enchantment"},
    ],
)  # fmt: skip
KNIGHT = unit(
    "knight", 20,
    option("shield", 2), option("plate", 4),
    option("gilding", 5, item="armour-enchantment", on=["plate", "mail"]),
    option("polish", 5, item="armour-enchantment", on=["plate"]),
    option("crest", 5, item="armour-enchantment", on=["shield"]),
    option("boss", 5, item="shield-enchantment", on=["shield"]),
    option("blessing", 5, item="armour-enchantment", on=["mail", "plate", "shield"]),
    option("oil", 5, item="armour-enchantment", number=[0, 2]),
    option("paint", 5, item="shield-enchantment"),
    keywords=["Mail"],
)  # fmt: skip


@pytest.mark.parametrize(("options", "piece", "names"), [
    # two pieces, whatever kind the book calls the enchantments
    ("+shield +plate +polish +crest", "", []), ("+shield +plate +gilding +boss", "", []),
    ("+shield +oil +paint", "", []),
    # both on one
    ("+plate +polish +oil", "suit of armour", ["Polish", "Oil"]),
    ("+shield +crest +boss", "shield", ["Crest", "Boss"]),
    ("+shield +crest +paint", "shield", ["Crest", "Paint"]),
    ("+oil*2", "suit of armour", ["Oil", "Oil"]),
    # the suit that is bought replaces the one that is there (21.E)
    ("+plate +gilding@mail +polish", "suit of armour", ["Gilding", "Polish"]),
    # named where it could be either
    ("+shield +blessing@shield +oil", "", []),
    ("+shield +blessing@mail +oil", "suit of armour", ["Blessing", "Oil"]),
    ("+shield +blessing +oil +boss", "", []),
    # it fits nothing else here
    ("+blessing +oil", "suit of armour", ["Blessing", "Oil"]),
    # what it is put on is not there
    ("+polish +oil", "suit of armour", ["Polish", "Oil"]), ("+crest +oil", "", []),
])  # fmt: skip
def test_each_piece_of_armour_has_one_enchantment(
    options: str, piece: str, names: list[str]
) -> None:
    report = judged(army(KNIGHT, rules=[PIECES]), f"knight {options}, knight +oil")
    told = [(found.units, found.values["what"], found.values["names"]) for found in report.findings]
    assert told == ([(("u1",), piece, names)] if piece else [])


@pytest.mark.parametrize(("number", "limit", "legal"), [(2, 2, True), (2, 1, False), (1, 0, False)])
def test_an_entry_may_say_how_many_one_piece_has(number: int, limit: int, legal: bool) -> None:
    knight = army({**KNIGHT, "item_limits": {"armour-enchantment": limit}}, rules=[PIECES])
    oil = f"+oil*{number}" if number > 1 else "+oil"
    assert judged(knight, f"knight {oil}").legal is legal


KIND = {"item": "armour-enchantment"}
WORN = rule(
    "enchants", "items.slot", id="worn", of=KIND, otherwise=["plate", "shield"],
    otherwise_name="armour",
)  # fmt: skip
SALVED = unit(
    "hero", 20,
    *(each for each in HERO["options"] if each["id"] != "horse"),
    option("horse", 9, option("barding-rune", 5, **KIND)),
    option("salve", 5, **KIND),
    option("blessing", 5, needs={"taken": "horse"}, **KIND),
)  # fmt: skip


@pytest.mark.parametrize(("options", "names"), [
    ("+salve", ["armour"]), ("+salve +plate", []), ("+salve +shield", []),
    ("+salve +horse", ["armour"]),
    # what the entry ties to an option is put on that, whatever it is called
    ("+horse +blessing", []), ("+horse(barding-rune)", []),
    # what says what it fits needs just that
    ("+gilding +shield", ["plate or mail"]),
])  # fmt: skip
def test_an_enchantment_that_says_nothing_needs_one_of_what_the_rule_names(
    options: str, names: list[str]
) -> None:
    findings = judged(army(SALVED, rules=[WORN]), f"hero {options}").findings
    assert [each.values["names"] for each in findings] == names


def test_too_many_enchantments_are_reported_for_each_piece() -> None:
    # Too much on both pieces is told of each.
    report = judged(army(KNIGHT, rules=[PIECES]), "knight +shield +crest +boss +gilding +oil")
    assert said(report) == (
        "Knight: 2 enchantments on its shield (Crest and Boss), maximum 1."
        " Knight: 2 enchantments on its suit of armour (Gilding and Oil), maximum 1."
    )
    assert len({found.key for found in report.findings}) == 2
    # A sparse entry is believed to wear what such an enchantment needs.
    hero = unit("hero", 20, option("salve", 5, **KIND), sparse=True)
    report = judged(army(hero, rules=[WORN]), "hero +salve")
    assert (report.legal, report.unchecked) == (True, ())
    # A rule of enchantments may speak of one kind.
    weapons = rule("enchants", "items.slot", id="weapons", of={"item": "weapon-enchantment"})
    shields = {**ENCHANTS[0], "id": "shields", "of": {"item": "shield-enchantment"}}
    found = judged(army(HERO, rules=[weapons, shields]), "hero +rune +boss +gilding").findings
    told = [(each.head.id, each.values["option"]) for each in found]
    assert told == [("weapons", "Rune"), ("shields", "Boss")]


def arms(*options: Data, **more: Any) -> Data:
    return group("arms", *options, **{"choose": [1, 1], **more})


CLUB, AXE, BOW = option("club"), option("axe", 3), option("bow", 0, points_per_model=1)
HORSE, ON_HORSE = option("horse", 5), {"taken": "horse"}
THREE, LARGE = {"models": {"at_least": 3}}, {"limit": {"at_least": 3000}}
GENERAL = titled("general", act="Lead", end="No longer", summary="Leads.", cite="1")
SOMETIMES: list[Data] = [
    {"cap": 1},
    {"one_of_a_kind": True},
    {"needs": {"taken": "king", "in": "army"}},
    {"needs": LARGE},
    {"needs": {"taken": "axe"}},
    {"needs": {"role": "general"}},
    {"when": [{"if": {"models": {"at_least": 5}}, "add": {"points": 4}}]},
]
#: By the claim: options of a unit, and those that a new one has taken.
STARTS: dict[str, tuple[list[Data], list[str]]] = {
    "the one free option of a group that must not stay empty is taken": (
        [arms(AXE, CLUB, BOW)], ["club"]),
    "of two free options none is": ([arms(AXE, CLUB, option("stick"))], []),
    "a default that costs something comes before what is free": (
        [arms(AXE, CLUB, default="axe")], ["axe"]),
    "a default that nobody needs is not taken": (
        [arms(AXE, CLUB, default="axe", choose=[0, 1])], []),
    **{f"of {choose} to choose nothing is taken": ([arms(AXE, CLUB, choose=choose)], [])
       for choose in ([0, 1], [2, 2], [0, None])},
    **{f"what is free only sometimes is not taken: {more}": (
        [arms(AXE, option("club", **more))], []) for more in SOMETIMES},
    "what is for this unit is open to it": ([arms(AXE, option("club", needs={"unit": "mob"}))],
                                            ["club"]),
    "what so many models may have is open to it": ([arms(AXE, option("club", needs=THREE))],
                                                   ["club"]),
    "what is not with another is open to it": ([arms(AXE, option("club", not_with=["axe"]))],
                                               ["club"]),
    "a free option that is shut leaves the other one as the only one": (
        [arms(AXE, option("stick", needs={"models": {"at_least": 4}}), CLUB)], ["club"]),
    "a free option that the army may open leaves the choice to the player": (
        [arms(AXE, option("stick", needs=LARGE), CLUB)], []),
    "a group that is shut starts empty": ([HORSE, arms(AXE, CLUB, needs=ON_HORSE)], []),
    "a group that holds its default in an inner one is not filled again": (
        [arms(group("long", option("spear", 2), choose=[1, 1], default="spear"), CLUB)],
        ["spear"]),
    "of a shared option in two places the open one counts": (
        [HORSE, arms(AXE, {"use": "staff", "needs": ON_HORSE}, {"use": "staff"})], ["staff"]),
}  # fmt: skip


@pytest.mark.parametrize(("nodes", "taken"), STARTS.values(), ids=STARTS)
def test_a_new_unit_starts_with_what_it_must_have(nodes: list[Data], taken: list[str]) -> None:
    shared = [option("staff")] if "use" in str(nodes) else []
    mob = unit("mob", 10, *nodes, size=3)
    catalogue = army(unit("king", 10), mob, roles=[GENERAL], shared=shared)
    fresh = catalogue.units["book/mob"].fresh
    assert [pick.id for pick in fresh if not pick.given] == taken
    if taken == ["club"]:
        assert judged(catalogue, "mob 3 +club").legal


def test_newly_open_groups_and_free_options_are_filled_in() -> None:
    # A group that something given opens is filled.
    opened = arms(AXE, CLUB, needs={"taken": "horse"})
    catalogue = army(unit("mob", 10, option("horse", number=[1, 1]), opened))
    fresh = catalogue.units["book/mob"].fresh
    assert [(pick.id, pick.given) for pick in fresh] == [("horse", True), ("club", False)]
    # What is free on an option comes with it.
    horse = option("horse", 5, arms(AXE, CLUB))
    ride = group("ride", horse, choose=[1, 1], default="horse")
    (pick,) = army(unit("mob", 10, ride)).units["book/mob"].fresh
    assert [inner.id for inner in pick.picks] == ["club"]
