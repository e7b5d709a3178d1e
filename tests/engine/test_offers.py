"""Loadouts and offers: what a unit starts with, may take, and what that costs or breaks."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from armybuilder.engine.sentences import sentence
from tests.building.regiments import CAPS, ENTRY, army, field, group, option, taken, unit
from tests.building.tiny import Data, codes, judge, only, rule

Node = OptionOffer | GroupOffer


def tree(catalogue: Catalogue, *entries: Data, of: str = "u1", limit: int = 100) -> list[Node]:
    report = judge(catalogue, *entries, limit=limit)
    line = report.line(of)
    assert line is not None
    return list(offers(line, report))


def by_path(nodes: list[Node]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for node in nodes:
        found[node.path] = node
        found |= by_path(list(node.inner))
    return found


LORD = unit(
    "lord",
    50,
    option("guard", 0, points_per_model=2),
    option("horse", 10, option("barding", 4), not_with=["dragon"]),
    option("dragon", 60),
    group(
        "arms",
        option("sword", 3),
        group("bows", option("bow", 5), option("crossbow", 6), choose=[0, 1]),
        choose=[1, 2],
        allowance=8,
    ),
    option("flask", 2, number=[0, 3]),
    option("ring", 1, number=[1, 1]),
    group("spells", option("fire"), needs={"taken": "dragon"}, choose=[1, 1]),
    size=[1, 5],
    points_per_model=5,
)


def test_offers_stand_in_the_order_of_the_book_with_paths_from_the_unit_down() -> None:
    nodes = tree(army(LORD), field("lord", "horse", models=3))
    assert list(by_path(nodes)) == [
        "guard", "horse", "horse/barding", "dragon", "arms", "sword", "bows", "bow", "crossbow",
        "flask", "ring", "spells", "fire",
    ]  # fmt: skip


def test_an_offer_tells_number_most_and_the_points_of_one_here() -> None:
    found = by_path(tree(army(LORD), field("lord", taken("flask", number=2), models=3)))
    assert (found["guard"].points, found["guard"].number, found["guard"].most) == (6, 0, 1)
    assert (found["flask"].points, found["flask"].number, found["flask"].most) == (2, 2, 3)
    assert (found["ring"].given, found["ring"].number, found["guard"].given) == (True, 1, False)


def test_what_may_be_taken_on_an_option_is_offered_once_it_is_taken() -> None:
    assert by_path(tree(army(LORD), field("lord")))["horse"].inner == ()
    mounted = by_path(tree(army(LORD), field("lord", taken("horse", "barding"))))
    assert (mounted["horse/barding"].number, mounted["horse/barding"].points) == (1, 4)


def test_what_cannot_be_taken_says_why_also_where_its_group_is_shut() -> None:
    found = by_path(tree(army(LORD), field("lord", "dragon")))
    assert found["horse"].why == "not with Dragon"
    assert (found["spells"].why, found["fire"].why) == ("", "")
    found = by_path(tree(army(LORD), field("lord")))
    assert found["horse"].why == ""
    assert found["spells"].why == found["fire"].why == "needs Dragon"


def test_a_group_tells_what_is_taken_in_it_and_whether_that_will_do() -> None:
    def arms(*options: str) -> tuple[int, int, bool]:
        node = by_path(tree(army(LORD), field("lord", *options)))["arms"]
        assert (node.least, node.most, node.allowance) == (1, 2, 8)
        return node.number, node.spent, node.ok

    assert arms() == (0, 0, False)
    assert arms("sword", "bow") == (2, 8, True)
    assert arms("sword", "crossbow") == (2, 9, False)
    assert arms("sword", "bow", "crossbow") == (3, 14, False)
    found = by_path(tree(army(LORD), field("lord", "bow", "crossbow")))
    assert (found["bows"].number, found["bows"].ok) == (2, False)
    assert found["spells"].ok, "it is shut, so nothing is missing"


CAPPED = (
    unit("a", 10, {"use": "relic"}, {"use": "bomb"}, option("torch", 1)),
    unit("b", 10, {"use": "relic"}, {"use": "bomb"}),
)
SHARED = (
    option("relic", 5, one_of_a_kind=True),
    option("bomb", 2, cap=2, number=[0, 2]),
)


def capped(*entries: Data, of: str = "u1", limit: int = 100) -> dict[str, Any]:
    catalogue = army(*CAPPED, rules=CAPS, shared=SHARED)
    return by_path(tree(catalogue, *entries, of=of, limit=limit))


def test_an_offer_says_what_the_army_holds_of_it_and_may() -> None:
    found = capped(field("a"), field("b", "bomb"))
    assert (found["bomb"].army, found["bomb"].why) == ("1 of 2 in the army", "")
    assert (found["torch"].army, found["torch"].why) == ("", "")
    assert capped(field("a"), limit=200)["bomb"].army == "0 of 4 in the army"
    assert capped(field("a"), limit=50)["bomb"].army == "0 of 1 in the army"


def test_an_offer_says_when_the_army_has_all_it_may() -> None:
    found = capped(field("a"), field("b", taken("bomb", number=2)))
    assert found["bomb"].why == "the army has the maximum"
    found = capped(field("a"), field("b", taken("bomb", number=2)), of="u2")
    assert found["bomb"].why == "", "it is taken here, and may be left"


KING = unit(
    "king",
    10,
    group(
        "mount",
        option("ox", 30, cap=1),
        option("calf", 20, cap=1, when=[{"if": {"taken": "ox", "in": "army"}, "add": {"cap": -1}}]),
        option("cart", 5, not_with=["ox"]),
        option("plough", 1, needs={"taken": "ox"}),
        choose=[0, 1],
    ),
)


def test_what_an_option_takes_the_place_of_does_not_speak_against_it_nor_for_it() -> None:
    def kings(*options: str) -> dict[str, Any]:
        catalogue = army(KING, rules=CAPS)
        others = [field("king", one) for one in options[1:]]
        return by_path(tree(catalogue, field("king", *options[:1]), *others))

    found = kings("ox")
    assert (found["calf"].why, found["calf"].army) == ("", "0 of 1 in the army")
    assert (found["cart"].why, found["plough"].why) == ("", "needs Ox")
    assert (found["ox"].why, found["ox"].army) == ("", "1 of 1 in the army")
    found = kings("cart", "ox")
    assert found["ox"].why == found["calf"].why == "the army has the maximum"
    # Another has one too: that stays.
    assert kings("ox", "ox")["calf"].why == "the army has the maximum"


def test_one_of_a_kind_names_who_has_it() -> None:
    found = capped(field("a"), field("b", "relic", name="Bo"))
    assert (found["relic"].army, found["relic"].why) == ("one of a kind", "the army has it: Bo")
    found = capped(field("a"), field("b", "relic", name="Bo"), of="u2")
    assert found["relic"].why == ""
    assert capped(field("a"))["relic"].why == ""


def test_an_enchantment_offers_its_pieces_where_there_is_a_choice() -> None:
    named = rule("enchants", "items.target", always=["hand-weapon"], ask=True)
    rune = option("rune", 5, item="weapon-enchantment", on=["hand-weapon", "axe", "bow"])
    catalogue = army(unit("hero", 20, option("axe", 1), option("bow", 1), rune), rules=[named])

    def pieces(*options: Any) -> tuple[tuple[str, ...], str]:
        found = by_path(tree(catalogue, field("hero", *options)))["rune"]
        return found.pieces, found.on

    assert pieces() == ((), "")
    assert pieces("rune") == ((), ""), "only the hand weapon fits"
    assert pieces("rune", "axe") == (("hand-weapon", "axe"), "")
    assert pieces(taken("rune", on="axe"), "axe") == (("hand-weapon", "axe"), "axe")


def test_a_shared_option_in_several_places_is_offered_where_it_is_open() -> None:
    catalogue = army(
        unit(
            "rider",
            10,
            option("horse", 5),
            group("on-foot", {"use": "lance", "points": 3}, not_with=["horse"]),
            group("mounted", {"use": "lance", "points": 6}, needs={"taken": "horse"}),
        ),
        rules=ENTRY,
        shared=[option("lance", 4)],
    )

    def lances(*options: str) -> list[tuple[str, int]]:
        return [
            (node.path, inner.points)
            for node in tree(catalogue, field("rider", *options))
            if isinstance(node, GroupOffer)
            for inner in node.inner
            if isinstance(inner, OptionOffer)
        ]

    assert lances() == [("on-foot", 3)]
    assert lances("horse") == [("mounted", 6)]
    assert lances("horse", "lance") == [("mounted", 6)]


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
SLOTS = (
    most("artefact", 2),
    most("banner-enchantment", TWO_FOR_BEARERS),
    most("dominant", 1),
)
SAGE = unit(
    "sage",
    20,
    option("bearer", 5),
    option("squire", 5, keywords=["Flag Bearer"]),
    option("ring", 1, item="artefact"),
    option("cup", 1, item="artefact", dominant=True),
    option("orb", 1, item="artefact", number=[0, 3]),
    option("flag", 1, item="banner-enchantment"),
    option("rag", 1, item="banner-enchantment", dominant=True),
    option("throne", 9, option("horn", 1, item="artefact")),
    option("relic", 1, dominant=True),
)


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["ring", "cup"], []),
        (["ring", "cup", "orb"], [("tiny.artefact", 3, 2)]),
        (["ring", taken("orb", number=2)], [("tiny.artefact", 3, 2)]),
        (["ring", "cup", taken("throne", "horn")], [("tiny.artefact", 3, 2)]),
        (["flag"], []),
        (["flag", "rag"], [("tiny.banner-enchantment", 2, 1)]),
        (["flag", "rag", "bearer"], []),
        (["flag", "rag", "squire"], []),
        (["cup", "rag"], [("tiny.dominant", 2, 1)]),
        (["cup", "relic"], [("tiny.dominant", 2, 1)]),
    ],
)
def test_one_unit_has_so_many_of_a_kind_of_item(options: list[Any], found: list[Any]) -> None:
    report = judge(army(SAGE, rules=SLOTS), field("sage", *options))
    assert [(each.code, each.measured, each.allowed) for each in report.findings] == found
    assert all(each.units == ("u1",) for each in report.findings)


def test_items_are_counted_for_each_unit_and_told_by_name() -> None:
    entries = [field("sage", "ring", "cup"), field("sage", "ring", taken("orb", number=2))]
    finding = only(judge(army(SAGE, rules=SLOTS), *entries))
    assert finding.units == ("u2",)
    assert finding.values["names"] == ["Ring", "Orb", "Orb"]
    assert finding.values["what"] == "artefacts"


ENCHANTS = (
    rule("enchants", "items.slot", id="enchantment-fits", always=["hand-weapon"]),
    rule("enchants", "items.target", id="named", always=["hand-weapon"], ask=True),
)
HERO = unit(
    "hero",
    20,
    option("shield", 2),
    option("plate", 4),
    option("great-weapon", 4),
    option("horse", 9, option("lance", 2)),
    option("rune", 5, item="weapon-enchantment", on=["hand-weapon", "great-weapon", "lance"]),
    option("gilding", 5, item="armour-enchantment", on=["plate", "mail"]),
    option("boss", 5, item="shield-enchantment", on=["shield"]),
    option("charm", 5, item="artefact"),
)


def enchanted(*options: Any, **more: Any) -> Report:
    return judge(army({**HERO, **more}, rules=ENCHANTS), field("hero", *options))


def test_an_enchantment_is_put_on_what_the_unit_carries() -> None:
    cases: list[tuple[list[Any], list[str]]] = [
        # every model carries a hand weapon, and nothing else fits
        (["rune"], []),
        (["boss", "shield"], []),
        (["boss"], ["items.slot"]),
        (["gilding"], ["items.slot"]),
        (["gilding", "boss"], ["items.slot", "items.slot"]),
        (["gilding", "plate"], []),
        (["charm"], []),
        # several fit: the list names one that it carries
        (["rune", "great-weapon"], ["items.target"]),
        (["rune", taken("horse", "lance")], ["items.target"]),
        ([taken("rune", on="great-weapon"), "great-weapon"], []),
        ([taken("rune", on="hand-weapon"), "great-weapon"], []),
        ([taken("rune", on="lance"), "great-weapon"], ["items.target"]),
        ([taken("rune", on="great-weapon")], ["items.target"]),
        ([taken("boss", on="shield")], ["items.slot"]),
    ]
    for options, found in cases:
        report = enchanted(*options)
        assert codes(report) == found, options
        assert all(each.units == ("u1",) for each in report.findings), options


def test_what_a_unit_carries_may_be_a_keyword_of_it_or_of_an_option() -> None:
    assert enchanted("gilding", keywords=["Mail"]).legal
    conditional = [{"name": "Mail", "if": {"taken": "shield"}}]
    assert codes(enchanted("gilding", keywords=conditional)) == ["items.slot"]
    assert enchanted("gilding", "shield", keywords=conditional).legal
    nodes = [*HERO["options"], option("wall", 1, keywords=["Mail (heavy)"])]
    assert enchanted("gilding", "wall", options=nodes).legal


def test_where_the_book_does_not_say_what_a_unit_wears_it_is_not_checked() -> None:
    report = enchanted("gilding", sparse=True)
    assert (codes(report), report.legal, report.complete) == ([], True, False)
    (open_question,) = report.unchecked
    assert (open_question.units, open_question.why) == (("u1",), "stat-line")
    assert open_question.sentence == "Hero: Gilding, needs plate or mail."
    assert enchanted("gilding", "plate", sparse=True).complete
    assert not enchanted("gilding").legal


def test_the_sentences_name_the_pieces_and_the_item() -> None:
    (finding,) = enchanted("gilding").findings
    assert sentence(finding).startswith("Hero: Gilding needs plate or mail")
    (finding,) = enchanted("rune", "great-weapon").findings
    assert sentence(finding).startswith("Hero: choose what Rune is put on")
    assert "great weapon" in sentence(finding)


def test_an_allowance_for_all_items_is_one_group_around_them() -> None:
    items = group("items", option("rune", 30), option("orb", 25), allowance=50)
    nodes = [items, option("sword", 40)]
    aspect = rule("entry", "items.allowance", aspect="allowance")
    catalogue = army(unit("hero", 20, *nodes), rules=[aspect])
    assert judge(catalogue, field("hero", "rune", "sword")).legal
    finding = only(judge(catalogue, field("hero", "rune", "orb", "sword")))
    assert (finding.measured, finding.allowed) == (55, 50)
    assert sentence(finding) == "Hero: 55 points of Items, maximum 50."


PIECES = rule(
    "per-piece",
    "items.slot",
    id="armour-enchantment",
    cite="22.A.b",
    of={"item": ["armour-enchantment", "shield-enchantment"]},
    max=1,
    pieces=[
        {"name": "shield", "on": ["shield", "buckler"], "item": "shield-enchantment"},
        {"name": "suit of armour", "item": "armour-enchantment"},
    ],
)
KNIGHT = unit(
    "knight",
    20,
    option("shield", 2),
    option("plate", 4),
    option("gilding", 5, item="armour-enchantment", on=["plate", "mail"]),
    option("polish", 5, item="armour-enchantment", on=["plate"]),
    option("crest", 5, item="armour-enchantment", on=["shield"]),
    option("boss", 5, item="shield-enchantment", on=["shield"]),
    option("blessing", 5, item="armour-enchantment", on=["mail", "plate", "shield"]),
    option("oil", 5, item="armour-enchantment", number=[0, 2]),
    option("paint", 5, item="shield-enchantment"),
    keywords=["Mail"],
)


@pytest.mark.parametrize(
    ("options", "piece", "names"),
    [
        # two pieces, whatever kind the book calls the enchantments
        (["shield", "plate", "polish", "crest"], "", []),
        (["shield", "plate", "gilding", "boss"], "", []),
        (["shield", "oil", "paint"], "", []),
        # both on one
        (["plate", "polish", "oil"], "suit of armour", ["Polish", "Oil"]),
        (["shield", "crest", "boss"], "shield", ["Crest", "Boss"]),
        (["shield", "crest", "paint"], "shield", ["Crest", "Paint"]),
        ([taken("oil", number=2)], "suit of armour", ["Oil", "Oil"]),
        # the suit that is bought replaces the one that is there (21.E)
        (["plate", taken("gilding", on="mail"), "polish"], "suit of armour", ["Gilding", "Polish"]),
        # named where it could be either
        (["shield", taken("blessing", on="shield"), "oil"], "", []),
        (["shield", taken("blessing", on="mail"), "oil"], "suit of armour", ["Blessing", "Oil"]),
        (["shield", "blessing", "oil", "boss"], "", []),
        # it fits nothing else here
        (["blessing", "oil"], "suit of armour", ["Blessing", "Oil"]),
        # what it is put on is not there
        (["polish", "oil"], "suit of armour", ["Polish", "Oil"]),
        (["crest", "oil"], "", []),
    ],
)
def test_each_piece_of_armour_has_one_enchantment(
    options: list[Any], piece: str, names: list[str]
) -> None:
    report = judge(army(KNIGHT, rules=[PIECES]), field("knight", *options), field("knight", "oil"))
    told = [(found.units, found.values["what"], found.values["names"]) for found in report.findings]
    assert told == ([(("u1",), piece, names)] if piece else [])


def test_too_much_on_both_pieces_is_told_of_each() -> None:
    entry = field("knight", "shield", "crest", "boss", "gilding", "oil")
    report = judge(army(KNIGHT, rules=[PIECES]), entry)
    assert [sentence(found) for found in report.findings] == [
        "Knight: 2 enchantments on its shield (Crest and Boss), maximum 1.",
        "Knight: 2 enchantments on its suit of armour (Gilding and Oil), maximum 1.",
    ]
    assert len({found.key for found in report.findings}) == 2


@pytest.mark.parametrize(("number", "limit", "legal"), [(2, 2, True), (2, 1, False), (1, 0, False)])
def test_an_entry_may_say_how_many_one_piece_has(number: int, limit: int, legal: bool) -> None:
    knight = {**KNIGHT, "item_limits": {"armour-enchantment": limit}}
    oil = taken("oil", number=number) if number > 1 else "oil"
    assert judge(army(knight, rules=[PIECES]), field("knight", oil)).legal is legal


def test_an_enchantment_that_says_nothing_needs_one_of_what_the_rule_names() -> None:
    cases: list[tuple[list[Any], list[str]]] = [
        (["salve"], ["armour"]),
        (["salve", "plate"], []),
        (["salve", "shield"], []),
        (["salve", "horse"], ["armour"]),
        # what the entry ties to an option is put on that, whatever it is called
        (["horse", "blessing"], []),
        ([taken("horse", "barding-rune")], []),
        # what says what it fits needs just that
        (["gilding", "shield"], ["plate or mail"]),
    ]
    for options, found in cases:
        kind = {"item": "armour-enchantment"}
        horse = option("horse", 9, option("barding-rune", 5, **kind))
        extra = [
            option("salve", 5, **kind),
            option("blessing", 5, needs={"taken": "horse"}, **kind),
        ]
        kept = [each for each in HERO["options"] if each["id"] != "horse"]
        some = {"otherwise": ["plate", "shield"], "otherwise_name": "armour"}
        made = army(
            {**HERO, "options": [*kept, horse, *extra]},
            rules=[rule("enchants", "items.slot", id="worn", of=kind, **some)],
        )
        entries = field("hero", *options)
        assert [each.values["names"] for each in judge(made, entries).findings] == found, options


def test_a_sparse_entry_is_believed_to_wear_what_such_an_enchantment_needs() -> None:
    kind = {"item": "armour-enchantment"}
    some = {"otherwise": ["plate"], "otherwise_name": "armour"}
    hero = unit("hero", 20, option("salve", 5, **kind), sparse=True)
    made = army(hero, rules=[rule("enchants", "items.slot", id="worn", of=kind, **some)])
    report = judge(made, field("hero", "salve"))
    assert (report.legal, report.unchecked) == (True, ())


def test_a_rule_of_enchantments_may_speak_of_one_kind() -> None:
    weapons = rule("enchants", "items.slot", id="weapons", of={"item": "weapon-enchantment"})
    shields = {**ENCHANTS[0], "id": "shields", "of": {"item": "shield-enchantment"}}
    made = army(HERO, rules=[weapons, shields])
    found = judge(made, field("hero", "rune", "boss", "gilding")).findings
    assert [(each.head.id, each.values["option"]) for each in found] == [
        ("weapons", "Rune"),
        ("shields", "Boss"),
    ]


def started(*nodes: Data, **more: Any) -> list[str]:
    """What a new unit with these options has taken."""
    shared = more.pop("shared", ())
    catalogue = army(unit("mob", 10, *nodes, **more), shared=shared)
    return [pick.id for pick in catalogue.units["book/mob"].fresh if not pick.given]


def arms(*options: Data, **more: Any) -> Data:
    return group("arms", *options, **{"choose": [1, 1], **more})


CLUB, AXE, BOW = option("club"), option("axe", 3), option("bow", 0, points_per_model=1)


def test_of_a_group_that_must_not_stay_empty_the_one_free_option_is_taken() -> None:
    assert started(arms(AXE, CLUB, BOW)) == ["club"]
    catalogue = army(unit("mob", 10, arms(AXE, CLUB, BOW)))
    assert judge(catalogue, field("mob", "club")).legal


def test_of_two_free_options_none_is_taken() -> None:
    assert started(arms(AXE, CLUB, option("stick"))) == []


def test_a_default_that_costs_something_comes_before_what_is_free_where_one_is_needed() -> None:
    assert started(arms(AXE, CLUB, default="axe")) == ["axe"]
    assert started(arms(AXE, CLUB, default="axe", choose=[0, 1])) == []


@pytest.mark.parametrize("choose", [[0, 1], [2, 2], [0, None]])
def test_where_none_or_several_must_be_taken_nothing_is(choose: list[int | None]) -> None:
    assert started(arms(AXE, CLUB, choose=choose)) == []


@pytest.mark.parametrize(
    "more",
    [
        {"cap": 1},
        {"one_of_a_kind": True},
        {"needs": {"taken": "king", "in": "army"}},
        {"needs": {"limit": {"at_least": 3000}}},
        {"needs": {"taken": "axe"}},
        {"needs": {"role": "general"}},
        {"when": [{"if": {"models": {"at_least": 5}}, "add": {"points": 4}}]},
    ],
    ids=str,
)
def test_what_is_free_only_sometimes_is_not_taken(more: Data) -> None:
    king = unit("king", 10)
    catalogue = army(king, unit("mob", 10, arms(AXE, option("club", **more))), roles=[GENERAL])
    assert catalogue.units["book/mob"].fresh == ()


GENERAL: Data = {
    "id": "general", "name": "General", "act": "Lead", "end": "No longer", "summary": "Leads.",
    "cite": "1",
}  # fmt: skip


def test_what_is_open_to_the_new_unit_by_itself_is_taken() -> None:
    assert started(arms(AXE, option("club", needs={"unit": "mob"}))) == ["club"]
    assert started(arms(AXE, option("club", needs={"models": {"at_least": 3}})), size=3) == ["club"]
    assert started(arms(AXE, option("club", not_with=["axe"]))) == ["club"]


def test_a_free_option_that_is_shut_leaves_the_other_one_as_the_only_one() -> None:
    shut = option("stick", needs={"models": {"at_least": 3}})
    assert started(arms(AXE, shut, CLUB)) == ["club"]


def test_a_free_option_that_the_army_may_open_leaves_the_choice_to_the_player() -> None:
    perhaps = option("stick", needs={"limit": {"at_least": 3000}})
    assert started(arms(AXE, perhaps, CLUB)) == []


def test_a_group_that_is_shut_starts_empty() -> None:
    shut = arms(AXE, CLUB, needs={"taken": "horse"})
    assert started(option("horse", 5), shut) == []


def test_a_group_that_something_given_opens_is_filled() -> None:
    opened = arms(AXE, CLUB, needs={"taken": "horse"})
    catalogue = army(unit("mob", 10, option("horse", number=[1, 1]), opened))
    fresh = catalogue.units["book/mob"].fresh
    assert [(pick.id, pick.given) for pick in fresh] == [("horse", True), ("club", False)]


def test_a_group_that_holds_its_default_in_an_inner_one_is_not_filled_again() -> None:
    inner = group("long", option("spear", 2), choose=[1, 1], default="spear")
    assert started(arms(inner, CLUB)) == ["spear"]


def test_what_is_free_on_an_option_comes_with_it() -> None:
    horse = option("horse", 5, arms(AXE, CLUB))
    ride = group("ride", horse, choose=[1, 1], default="horse")
    (pick,) = army(unit("mob", 10, ride)).units["book/mob"].fresh
    assert [inner.id for inner in pick.picks] == ["club"]


def test_of_a_shared_option_in_two_places_the_open_one_counts() -> None:
    nodes = (
        option("horse", 5),
        arms(
            AXE,
            {"use": "staff", "needs": {"taken": "horse"}},
            {"use": "staff"},
        ),
    )
    assert started(*nodes, shared=[option("staff")]) == ["staff"]
