"""What the second reader makes of tiny books, one point of BattleScribe's language at a time.

Then of restrictions that stand in words: how each is read, and what it asks of a model.
"""

from xml.etree.ElementTree import Element

import pytest

from tests.second_reading.reader.armies import read_army
from tests.second_reading.reader.books import GENERAL, Book
from tests.second_reading.reader.parts import Profile
from tests.second_reading.tiny import (
    FORCE,
    book,
    category,
    change,
    each,
    either,
    entry,
    group,
    least_,
    link,
    models,
    most,
    profile,
    rule,
    size,
    told,
    unit,
    verdict,
    when,
)

SPEARS = ("Spears", 1, ("Spear", 20))


def points(of: Book, *units: tuple[object, ...], limit: int = 4500) -> list[float]:
    return list(verdict(of, *units, limit=limit).points)


# Prices


def test_a_unit_costs_itself_and_all_that_is_taken_on_it() -> None:
    made = book(unit("Spears", models("Spear", 10, 50, 12), entry("Drum", cost=10), cost=-20))
    assert points(made, ("Spears", 1, ("Spear", 20), ("Drum",))) == [-20 + 240 + 10]


def test_the_price_of_a_link_replaces_that_of_its_target() -> None:
    shared = [entry("Drum", cost=10), entry("Horn", cost=5)]
    made = book(unit("Spears", link("Drum", cost=7), link("Horn")), shared=shared)
    assert points(made, ("Spears", 1, ("Drum",), ("Horn",))) == [7 + 5]


def test_a_price_for_each_model_is_paid_for_all_of_them() -> None:
    shield = entry("Shield", change("increment", "points", 2, each("model")), cost=0)
    made = book(unit("Spears", models("Spear", 10, 50), shield))
    assert points(made, ("Spears", 1, ("Spear", 20), ("Shield",))) == [40]


@pytest.mark.parametrize(("up", "price"), [(False, 3), (True, 4)])
def test_every_so_many_are_whole_or_begun(up: bool, price: int) -> None:
    drum = entry("Drum", change("increment", "points", 1, each("model", 6, up=up)), cost=0)
    made = book(unit("Spears", models("Spear", 10, 50), drum))
    assert points(made, ("Spears", 1, ("Spear", 20), ("Drum",))) == [price]


def test_changes_are_made_in_their_order() -> None:
    drum = entry(
        "Drum", change("increment", "points", 3), change("set", "points", 5),
        change("decrement", "points", 1), cost=10,
    )  # fmt: skip
    assert points(book(unit("Spears", drum)), ("Spears", 1, ("Drum",))) == [4]


# Limits in a unit


@pytest.mark.parametrize(("number", "faults"), [(9, 1), (10, 0), (50, 0), (51, 1)])
def test_a_unit_has_as_many_models_as_its_limits_allow(number: int, faults: int) -> None:
    made = book(unit("Spears", models("Spear", 10, 50)))
    assert told(made, ("Spears", 1, ("Spear", number))) == [("limit", "Spear")] * faults


def test_limits_of_a_link_and_of_its_target_both_hold() -> None:
    made = book(unit("Spears", link("Drum", most(3))), shared=[entry("Drum", most(2))])
    assert told(made, ("Spears", 1, ("Drum", 2))) == []
    assert told(made, ("Spears", 1, ("Drum", 3))) == [("limit", "Drum")]
    assert told(made, ("Spears", 1, ("Drum", 4))) == [("limit", "Drum")] * 2


def test_the_limit_of_a_link_counts_what_is_taken_through_it_only() -> None:
    units = [unit("Spears", link("Drum", most(1, "roster"))), unit("Bows", link("Drum"))]
    made = book(*units, shared=[entry("Drum")])
    assert told(made, ("Spears", 1, ("Drum",)), ("Bows", 1, ("Drum",))) == []
    assert told(made, ("Spears", 1, ("Drum",)), ("Spears", 1, ("Drum",))) == [("cap", "Drum")]


def test_a_group_counts_what_stands_in_groups_within_it() -> None:
    inner = group("Blades", entry("Sword"), entry("Axe"))
    made = book(unit("Spears", group("Weapons", most(1), entry("Bow"), inner)))
    assert told(made, ("Spears", 1, ("Sword",))) == []
    assert told(made, ("Spears", 1, ("Sword",), ("Bow",))) == [("group", "Weapons")]


def test_a_group_does_not_count_what_is_taken_on_what_is_in_it() -> None:
    made = book(unit("Spears", group("Weapons", most(1), entry("Bow", entry("Fire")))))
    assert told(made, ("Spears", 1, ("Bow", 1, ("Fire",)))) == []


def test_an_allowance_counts_what_is_taken_on_the_items_too() -> None:
    ring = entry("Ring", entry("Gem", cost=20), cost=40)
    made = book(unit("Lord", group("Items", most(50, field="points"), ring)))
    assert told(made, ("Lord", 1, ("Ring",))) == []
    assert told(made, ("Lord", 1, ("Ring", 1, ("Gem",)))) == [("allowance", "Items")]


def test_what_one_may_have_each_of_several_may() -> None:
    made = book(unit("Beasts", models("Beast", 2, 4, 0, entry("Horn", most(1)))))
    assert told(made, ("Beasts", 1, ("Beast", 3, ("Horn", 3)))) == []
    assert told(made, ("Beasts", 1, ("Beast", 3, ("Horn", 4)))) == [("limit", "Horn")]


def test_what_must_be_taken_and_is_not_is_told() -> None:
    made = book(unit("Spears", group("Weapons", least_(1), entry("Bow"), entry("Sword"))))
    assert told(made, ("Spears",)) == [("group", "Weapons")]
    assert told(made, ("Spears", 1, ("Bow",))) == []


def test_a_limit_below_zero_is_none_and_what_is_taken_off_leaves_nothing_at_least() -> None:
    free = entry("Drum", most(-1, id_="drums"))
    bound = entry("Horn", most(1, id_="horns"), change("decrement", "horns", 2))
    made = book(unit("Spears", free, bound))
    assert told(made, ("Spears", 1, ("Drum", 9))) == []
    assert told(made, ("Spears", 1, ("Horn",))) == [("limit", "Horn")]


# What is hidden


def test_what_is_hidden_may_not_be_taken_and_nothing_is_asked_of_it() -> None:
    ask = change("set", "hidden", "false", when("Bearer"))
    banners = group("Banners", least_(1), ask, entry("Green Banner"), hidden=True)
    made = book(unit("Spears", entry("Bearer"), banners))
    assert told(made, ("Spears",)) == []
    assert told(made, ("Spears", 1, ("Green Banner",))) == [("hidden", "Green Banner")]
    assert told(made, ("Spears", 1, ("Bearer",))) == [("group", "Banners")]
    assert told(made, ("Spears", 1, ("Bearer",), ("Green Banner",))) == []


# Conditions


def test_all_conditions_must_hold_or_one_of_those_of_which_one_is_enough() -> None:
    drum = entry(
        "Drum", change("set", "hidden", "true", when("Bow"), either(when("Axe"), when("Sword")))
    )
    made = book(unit("Spears", entry("Bow"), entry("Axe"), entry("Sword"), drum))
    for taken, hidden in (("Bow",), False), (("Axe",), False), (("Bow", "Sword"), True):
        options = [(name,) for name in taken]
        assert (told(made, ("Spears", 1, ("Drum",), *options)) != []) is hidden


def test_of_no_conditions_none_holds_where_one_is_enough() -> None:
    made = book(unit("Spears", entry("Drum", change("set", "hidden", "true", either()))))
    assert told(made, ("Spears", 1, ("Drum",))) == []


@pytest.mark.parametrize(
    ("compare", "fits"),
    [
        ("equalTo", [1]), ("atLeast", [1, 2]), ("atMost", [0, 1]), ("lessThan", [0]),
        ("greaterThan", [2]),
    ],
)  # fmt: skip
def test_numbers_are_compared_as_the_word_says(compare: str, fits: list[int]) -> None:
    drum = entry("Drum", change("increment", "points", 1, when("Bow", compare)), cost=0)
    made = book(unit("Spears", entry("Bow"), drum))
    paid = [points(made, ("Spears", 1, ("Drum",), ("Bow", n))) for n in (0, 1, 2)]
    assert [n for n in (0, 1, 2) if paid[n] == [1]] == fits


def test_a_condition_looks_at_what_is_around_it_by_its_id_or_at_the_army() -> None:
    near = entry("Ring", change("increment", "points", 5, when("Shield", scope="Lord")), cost=0)
    far = entry("Gem", change("increment", "points", 7, when("Shield", scope="roster")), cost=0)
    made = book(unit("Lord", entry("Bag", near, far), entry("Shield")))
    bag = ("Bag", 1, ("Ring",), ("Gem",))
    assert points(made, ("Lord", 1, bag), ("Lord", 1, ("Shield",))) == [7, 0]
    assert points(made, ("Lord", 1, bag, ("Shield",))) == [12]


def test_a_condition_may_ask_for_the_size_of_the_game_and_for_the_force() -> None:
    large = change("increment", "points", 1, when("model", "atLeast", 8000, "roster", "limit"))
    other = change("increment", "points", 2, when("other", "instanceOf", 0, "force"))
    here = change("increment", "points", 4, when(FORCE, "instanceOf", 0, "force"))
    made = book(unit("Spears", large, other, here, cost=10))
    assert points(made, ("Spears",), limit=8000) == [15]
    assert points(made, ("Spears",), limit=7999) == [14]


def test_a_unit_that_asks_its_parent_asks_itself() -> None:
    joins = change("add", "category", "Wings", when("Bow"))
    asks = [category("Wings", most(1))]
    made = book(unit("Spears", joins, entry("Bow"), cost=100), asks=asks)
    found = verdict(made, ("Spears", 1, ("Bow",)), ("Spears",))
    assert found.categories == {"Wings": 100}


# The army


def test_a_cap_counts_the_whole_army_at_any_depth() -> None:
    bag = entry("Bag", entry("Ring", most(1, "roster")))
    made = book(unit("Lord", bag))
    lord = ("Lord", 1, ("Bag", 1, ("Ring",)))
    assert told(made, lord) == []
    assert told(made, lord, lord) == [("cap", "Ring")]


def test_a_limit_of_a_unit_in_its_parent_is_one_of_the_army() -> None:
    made = book(unit("Wolves", most(1)))
    assert told(made, ("Wolves",), ("Wolves",)) == [("cap", "Wolves")]


def test_a_cap_in_points_counts_what_is_paid_in_all_units() -> None:
    made = book(unit("Spears", entry("Bow", most(50, "roster", "points"), cost=30)))
    bows = ("Spears", 1, ("Bow",))
    assert told(made, bows) == []
    assert told(made, bows, bows) == [("cap", "Bow")]


def test_a_cap_tells_what_is_set_and_what_is_taken_off() -> None:
    pack = unit(
        "Wolves", most(4, "roster", id_="wolves"),
        change("set", "wolves", 8, when("model", "atLeast", 8000, "roster", "limit")),
        change("decrement", "wolves", 1, each("Pups", scope="roster")),
    )  # fmt: skip
    made = book(pack, unit("Pups"))
    (small,) = verdict(made, ("Wolves",), ("Pups",), ("Pups",)).caps
    (large,) = verdict(made, ("Wolves",), ("Pups",), limit=8000).caps
    assert (small.allowed, small.whole, small.used, small.sized) == (2, 4, -2, False)
    assert (large.allowed, large.whole, large.used, large.sized) == (7, 8, -1, True)


def test_what_the_army_must_have_is_told_where_it_is_missing() -> None:
    made = book(unit("Species", least_(1, "roster")), unit("Spears"))
    assert told(made, ("Spears",)) == [("cap", "Species")]
    assert told(made, ("Species",)) == []


def test_a_category_has_its_share_of_the_game_size_a_unit_whole_and_nothing_twice() -> None:
    wings = category("Wings", most(25, "roster", "limit"))
    lord = unit(
        "Lord", category("Characters", primary=True),
        entry("Heron", category("Wings"), entry("Claws", category("Wings"), cost=5), cost=95),
        cost=150,
    )  # fmt: skip
    made = book(lord, asks=[category("Characters", least_(25, "roster", "limit")), wings])
    one = ("Lord", 1, ("Heron", 1, ("Claws",)))
    found = verdict(made, one, limit=400)
    assert found.categories == {"Characters": 250, "Wings": 100}
    assert found.faults == ()
    assert told(made, one, limit=399) == [("category", "Wings")]
    assert told(made, one, limit=1001) == [("category", "Characters")]


def test_a_category_may_be_bound_in_numbers() -> None:
    made = book(unit("Bird", category("Wings")), asks=[category("Wings", most(1, "roster"))])
    assert told(made, ("Bird",)) == []
    assert told(made, ("Bird",), ("Bird",)) == [("category", "Wings")]


# The General


@pytest.fixture
def leaders() -> Book:
    general = entry(GENERAL, most(1, "roster"), least_(1, "roster"), id_="general")
    dictator = unit("Dictator", link("general", least_(1), name=GENERAL))
    return book(unit("Lord", link("general", name=GENERAL)), dictator, shared=[general])


def test_an_army_has_one_general(leaders: Book) -> None:
    lord = ("Lord", 1, (GENERAL,))
    assert told(leaders, ("Lord",)) == [("general", GENERAL)]
    assert told(leaders, lord) == []
    assert told(leaders, lord, lord) == [("general", GENERAL)]


def test_who_must_be_the_general_is_told_beside_another(leaders: Book) -> None:
    assert told(leaders, ("Lord", 1, (GENERAL,)), ("Dictator",)) == [("general", GENERAL)]
    assert told(leaders, ("Lord",), ("Dictator", 1, (GENERAL,))) == []


# Rosters


def test_a_roster_is_read_by_its_ids_and_what_is_not_in_the_book_is_named() -> None:
    made = book(unit("Spears", models("Spear", 1, 9), group("Music", link("Drum", id_="l"))),
                shared=[entry("Drum", cost=3)])  # fmt: skip
    roster = f"""<roster xmlns="roster">
      <costLimits><costLimit value="1500.0"/></costLimits>
      <forces><force entryId="{FORCE}" catalogueId="book-id"><selections>
        <selection entryId="Spears" number="1" name="Spears"><selections>
          <selection entryId="Spear" number="4" name="Spear"/>
          <selection entryId="l::Drum" entryGroupId="Music" number="1" name="Drum"/>
          <selection entryId="l::Drum" entryGroupId="Noise" number="1" name="Drum"/>
        </selections></selection>
      </selections></force></forces>
    </roster>"""
    found = read_army(roster.encode(), {made.id: made})
    assert found.limit == 1500
    assert [(one.name, one.number) for one in found.walk()] == [
        ("Spears", 1), ("Spear", 4), ("Drum", 1),
    ]  # fmt: skip
    assert found.strangers == ("Drum l::Drum",)


def test_the_mark_of_the_general_brings_with_it_what_it_must_have() -> None:
    crown = entry("Crown", least_(1), most(1))
    made = book(unit("Lord", entry(GENERAL, crown, entry("Owl"))))
    roster = f"""<roster xmlns="roster">
      <costLimits><costLimit value="1500.0"/></costLimits>
      <forces><force entryId="{FORCE}" catalogueId="book-id"><selections>
        <selection entryId="Lord" number="1" name="Lord"><selections>
          <selection entryId="{GENERAL}" number="1" name="{GENERAL}"/>
        </selections></selection>
        <selection entryId="Lord" number="1" name="Lord"/>
      </selections></force></forces>
    </roster>"""
    found = read_army(roster.encode(), {made.id: made})
    assert [one.name for one in found.walk()] == ["Lord", GENERAL, "Crown", "Lord"]


STANDARD = "Battle Standard Bearer"
#: What a Lord may have besides the item.
HORSE = entry("Grey Horse", size("Standard", "Cavalry"), rule("Harnessed"))
DRAGON = entry("Dragon", size("Gigantic", "Beast"))
CHARIOT = entry("Chariot", size("Large", "Construct"), rule("Towering Presence"))
UNKNOWN = entry("Strange Steed")


def lord(*inner: Element, name: str = "Lord") -> Element:
    """A character on foot with a stat line, and mounts to choose from."""
    mounts = group("Mount", HORSE, DRAGON, CHARIOT, UNKNOWN)
    path = group("Magic Path", entry("Divination"))
    wizards = group("Wizard Level", entry("Wizard Adept"), entry("Wizard Master"))
    others = (entry(STANDARD), entry(GENERAL), entry("Ambush"), entry("Cult of Owls"))
    return unit(name, size("Standard"), mounts, path, wizards, *others, *inner)


def answers(item: Element, *taken: str, of: Element | None = None) -> list[str]:
    """What the source says of a model with the item and what else is taken."""
    root = of if of is not None else lord(item)
    bearer = root.get("name", "")
    others = {"Mage", "Silent Assassin", "Druid"} - {bearer}
    made = book(root, *map(unit, sorted(others)))
    options = [(one,) for one in (item.get("name", ""), *taken)]
    faults = verdict(made, (bearer, 1, *options)).faults
    return [one.answer for one in faults if one.kind == "named"]


BROKEN, OPEN = ["broken"], ["cannot be told"]


@pytest.mark.parametrize(
    ("phrase", "taken", "answer"),
    [
        ("only on Standard", (), []),
        ("only on Standard", ("Grey Horse",), []),
        ("only on Standard", ("Chariot",), BROKEN),
        ("only on Standard", ("Strange Steed",), OPEN),
        ("only on Standard and Large", ("Chariot",), []),
        ("only on Standard and Large", ("Dragon",), BROKEN),
        ("only on Foot", (), []),
        ("on Foot only", ("Strange Steed",), BROKEN),
        ("only on Standard and Foot", ("Grey Horse",), BROKEN),
        ("Cavalry only", ("Grey Horse",), []),
        ("Cavalry only", (), BROKEN),
        ("only on Horse", ("Grey Horse",), []),
        ("only on Horse", ("Dragon",), BROKEN),
        ("not on Towering Presence", ("Grey Horse",), []),
        ("not on Towering Presence", ("Dragon",), BROKEN),
        ("not on Towering Presence", ("Chariot",), BROKEN),
        ("not on Towering Presence", ("Strange Steed",), OPEN),
        ("Cannot be taken by Gigantic", ("Chariot",), []),
        ("Cannot be taken by Gigantic", ("Dragon",), BROKEN),
        ("only on Wizard", (), BROKEN),
        ("only on Wizards", ("Wizard Adept",), []),
        ("not on Wizards", (), []),
        ("not on Wizards", ("Divination",), BROKEN),
        ("not on Wizard Master", ("Wizard Adept",), []),
        ("not on Wizard Master", ("Wizard Master",), BROKEN),
        ("not with Not A Leader", (), []),
        ("not with Not A Leader", (STANDARD,), BROKEN),
        ("only on General/BSB", (), BROKEN),
        ("General/BSB only", (GENERAL,), []),
        ("not on Ambush", (), []),
        ("not on Ambush", ("Ambush",), BROKEN),
        ("models with Cult of Owls only", ("Cult of Owls",), []),
        ("models with Cult of Owls only", (), BROKEN),
        ("Cannot be taken by models with Cult of Owls", ("Cult of Owls",), BROKEN),
        ("not on Horror, Dragon, Court", ("Dragon",), BROKEN),
        ("not on Horror, Dragon, Court", ("Chariot",), []),
        ("Assassins only", (), BROKEN),
        ("Cannot be taken by Druids", (), []),
        ("Only BSB, Druid", (STANDARD,), []),
        ("Only BSB, Druid", (), BROKEN),
        ("only under a full moon", (), OPEN),
    ],
)  # fmt: skip
def test_a_wording_asks_what_it_says(
    phrase: str, taken: tuple[str, ...], answer: list[str]
) -> None:
    assert answers(entry(f"Ring ({phrase})"), *taken) == answer


@pytest.mark.parametrize(
    ("name", "answer"),
    [("Mage", []), ("Silent Assassin", BROKEN)],
)
def test_a_wording_may_name_units_in_the_plural(name: str, answer: list[str]) -> None:
    ring = entry("Ring - Standard size Mages only")
    assert answers(ring, of=lord(ring, name=name)) == answer


def test_a_wording_may_name_a_part_of_a_unit_by_its_stat_line() -> None:
    ring = entry("Ring (Shrine Priests only)")
    shrine = unit("Shrine", profile("3 Offensive", "Shrine Priest Offensive", Agi="3"), ring)
    assert answers(ring, of=shrine) == []


def test_names_that_are_no_units_of_the_book_leave_it_open() -> None:
    assert answers(entry("Ring (Shrine Priests only)")) == OPEN


def test_a_unit_without_a_stat_line_leaves_its_height_open_but_not_that_it_is_on_foot() -> None:
    small, low = entry("Ring (only on Standard)"), entry("Boots (only on Foot)")
    assert answers(small, of=unit("Stranger", small)) == OPEN
    assert answers(low, of=unit("Stranger", low)) == []


def test_whoever_may_be_marked_as_general_is_able_to_lead_though_nothing_else_is_told() -> None:
    crown = entry("Crown (not with Not A Leader)")
    assert answers(crown, of=unit("Stranger", crown)) == OPEN
    assert answers(crown, of=unit("Stranger", crown, entry(GENERAL))) == []


@pytest.mark.parametrize(
    ("text", "phrase", "answer"),
    [
        ("The model is a Wizard Adept that likes owls.", "only on Wizard", []),
        ("The model gains Owls and Wizard Adept.", "only on Wizard", []),
        ("The model gains Owls. It fears a Wizard Master.", "only on Wizard", BROKEN),
        ("The model becomes the Battle Standard Bearer.", "not with Not A Leader", BROKEN),
        ("The bearer loses Not a Leader and must lead.", "not with Not A Leader", []),
    ],
)
def test_an_option_s_own_rule_may_make_the_model_something(
    text: str, phrase: str, answer: list[str]
) -> None:
    crown, owl = entry(f"Crown ({phrase})"), entry("Owl", rule("Owl", text))
    assert answers(crown, "Owl", of=lord(crown, owl)) == answer


def test_one_that_is_no_leader_may_lose_that() -> None:
    crown, owl = (
        entry("Crown (not with Not A Leader)"),
        entry("Owl", rule("Owl", "It loses Not a Leader.")),
    )
    loner = lord(crown, owl, rule("Not a Leader"))
    assert answers(crown, of=loner) == BROKEN
    assert answers(crown, "Owl", of=loner) == []


def test_rules_may_stand_in_the_stat_line_only() -> None:
    crown = entry("Crown (not on Towering Presence)")
    tall = profile("1 Global", "Tower Global", Rules="Fear, Towering Presence")
    assert answers(crown, of=lord(crown, tall)) == BROKEN


@pytest.mark.parametrize(
    ("name", "answer"),
    [("Ring - Models on foot only", BROKEN), ("Old Ring - Models on foot only", OPEN)],
)
def test_a_link_restricts_its_target_if_it_bears_its_name(name: str, answer: list[str]) -> None:
    root = lord(group("Items", link("ring", name=name)))
    made = book(root, shared=[entry("Ring", id_="ring")])
    faults = verdict(made, ("Lord", 1, (name,), ("Grey Horse",))).faults
    assert [one.answer for one in faults if one.kind == "named"] == answer


def test_a_group_that_keeps_something_out_does() -> None:
    items = group("Artefacts (No Gem)", entry("Gem"), entry("Ring"))
    made = book(unit("Lord", items))
    told = [one.name for one in verdict(made, ("Lord", 1, ("Gem",), ("Ring",))).faults]
    assert told == ["Gem"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("Plate Armour enchantment. Models on Foot Only", BROKEN),
        ("Cannot be taken by Gigantic Models. Suit of Armour enchantment.", []),
        ("One use only", []),
        ("Shield enchantment", []),
        ("Assassins only.", BROKEN),
    ],
)
def test_an_item_s_text_restricts_where_its_name_does_not(text: str, answer: list[str]) -> None:
    seal = entry("Seal", profile("7 Artefact", "Seal", Type=text))
    assert answers(seal, "Grey Horse") == answer


def test_what_stands_in_the_name_and_in_the_text_is_told_once() -> None:
    text = profile("7 Artefact", "Seal", Type="Models on Foot Only")
    assert answers(entry("Seal (only on Foot)", text), "Grey Horse") == BROKEN


def test_a_rule_of_an_option_s_own_restricts_too() -> None:
    wings = entry("Wings", rule("Wings", "The model gains Fly. Models on foot only."))
    assert answers(wings, "Grey Horse") == BROKEN


@pytest.mark.parametrize(("category_", "answer"), [("Core", BROKEN), ("Wings", [])])
def test_a_text_may_ask_for_the_category_of_the_unit(category_: str, answer: list[str]) -> None:
    banner = entry("Banner", profile("7 Artefact", "Banner", Type="Cannot be taken by Core units"))
    made = book(unit("Spears", category(category_, primary=True), banner))
    assert [one.answer for one in verdict(made, ("Spears", 1, ("Banner",))).faults] == answer


def test_profiles_keep_their_cells() -> None:
    (place,) = book(unit("Lord", size("Large", "Beast"))).units.values()
    assert place.what.profiles == (Profile("0 Size", "Size", {"Height": "Large", "Type": "Beast"}),)
