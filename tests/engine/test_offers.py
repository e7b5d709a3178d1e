"""Offers: what may be taken on a unit as it stands, what it costs, and why not."""

from typing import Any

from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.offers import GroupOffer, OptionOffer, offers
from tests.building.regiments import CAPS, ENTRY, army, field, group, option, taken, unit
from tests.building.tiny import Data, judge, rule

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
