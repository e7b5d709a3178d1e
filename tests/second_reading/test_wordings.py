"""Restrictions that stand in words: how each wording is read, and what it asks of a model."""

from xml.etree.ElementTree import Element

import pytest

from tests.second_reading.reader.books import GENERAL
from tests.second_reading.reader.parts import Profile
from tests.second_reading.tiny import (
    book,
    category,
    entry,
    group,
    link,
    profile,
    rule,
    size,
    unit,
    verdict,
)

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
