"""Restrictions that source files write into names, as conditions; and names without them."""

from pathlib import Path
from typing import Any

import pytest

from bookimport.names import restricting, split
from small_files import (
    CHARACTERS,
    any_of,
    assert_parts,
    catalogue,
    change,
    entry,
    group,
    imported,
    limit,
    link,
    node,
    price,
    profile,
    unit,
    unit_of,
    when,
)

ONCE = limit("max", 1)
SWORD = "abab-0000-0000-0003"
FOOT = "abab-0000-0000-0005"
MOUNTED = "abab-0000-0000-0006"
LIMIT = "abab-0000-0000-0001"
RELIC = "relic-shamans-only"


def test_a_name_is_taken_apart() -> None:
    for name, plain, phrases in [
        ("Willow's Ward (only on Foot)", "Willow's Ward", ("only on Foot",)),
        ("Ring - Cannot be taken by Gigantic", "Ring", ("Cannot be taken by Gigantic",)),
        ("Rune of Fire - Runic Smiths only - Dominant", "Rune of Fire", ("Runic Smiths only",)),
        ("Crown - Standard Size Only", "Crown", ("Standard Size Only",)),
        ("Shield - Only BSB, Deep Watch.", "Shield", ("Only BSB, Deep Watch.",)),
        ("Throwing Weapons (4+)", "Throwing Weapons (4+)", ()),
        ("Ember Coat (OF, only on foot)", "Ember Coat", ("OF, only on foot",)),
        ("Pike (2+, nothing else)", "Pike (2+, nothing else)", ()),
        ("Not a Wizard", "Not a Wizard", ()),
        ("Nobility - Knights", "Nobility - Knights", ()),
        ("The Only Heir", "The Only Heir", ()),
    ]:
        found = split(name)
        assert (found.name, found.phrases) == (plain, phrases), name


def needs(tmp_path: Path, name: str, *beside: str) -> dict[str, Any]:
    """What an option of this name asks, beside other options of its unit."""
    relic: dict[str, Any] = unit_of(tmp_path, entry(name, ONCE), *beside)["options"][0]
    return relic


HORSE = entry("Horse", ONCE)
WOLF = entry("Dire Wolf", ONCE)


def test_a_phrase_is_a_condition(tmp_path: Path) -> None:
    for name, asked in [
        ("Relic (only on Standard)", {"is": "standard-height"}),
        ("Relic - Standard Size Only", {"is": "standard-height"}),
        ("Relic (only on Foot)", {"is": "on-foot"}),
        ("Relic (on Foot only)", {"is": "on-foot"}),
        ("Relic - Models on Foot Only", {"is": "on-foot"}),
        ("Relic (Cavalry only)", {"is": "cavalry"}),
        ("Relic - Cavalry models only", {"is": "cavalry"}),
        ("Relic (only on Wizard)", {"is": "wizard"}),
        ("Relic - Wizards only", {"is": "wizard"}),
        ("Relic (not on Wizards)", {"not": {"is": "wizard"}}),
        ("Relic (not on Wizard Master)", {"not": {"is": "wizard-master"}}),
        ("Relic (not with Not A Leader)", {"not": {"is": "not-a-leader"}}),
        ("Relic (not on Towering Presence)", {"not": {"is": "towering-presence"}}),
        ("Relic (not on Ambush)", {"not": {"is": "ambush"}}),
        ("Relic - Cannot be taken by Gigantic", {"not": {"is": "gigantic-height"}}),
        (
            "Relic (only on Standard and Foot)",
            {"all": [{"is": "standard-height"}, {"is": "on-foot"}]},
        ),
        (
            "Relic (only on Standard and Large)",
            {"any": [{"is": "standard-height"}, {"is": "large-height"}]},
        ),
        ("Relic (only on Horse)", {"taken": "horse"}),
    ]:
        found = needs(tmp_path, name, group("Mount", HORSE, WOLF))
        assert (found["name"], found["needs"]) == ("Relic", asked), name


def test_a_rule_that_the_files_no_longer_have_bars_its_bearers(tmp_path: Path) -> None:
    glyph = entry("Glyph (Cannot be taken by models with Sylvan Spirit)", ONCE, id_=SWORD)
    units = [unit(name, link(SWORD, "Glyph")) for name in ("Druid", "Dryad Ancient")]
    (found,) = imported(tmp_path, catalogue(*units, shared=(glyph,))).book["options"]
    assert found["needs"] == {"not": {"unit": "dryad-ancient"}}
    text = catalogue(units[0], unit("Dryad Ancient"), shared=(glyph,))
    assert "needs" not in imported(tmp_path, text).book["units"][0]["options"][0]


def sentence(text: str) -> str:
    """A relic with this sentence in its text."""
    return entry("Relic", ONCE, profile("Relic", "7 Artefact", {"Type": text, "Effect": "Prose."}))


TWICE = {"taken": "spears/banner", "in": "army", "at_least": 2}
#: By the claim: parts of a unit, and what is made of them at nodes ("": the unit itself).
CLAIMS: dict[str, tuple[list[str], dict[str, dict[str, Any]]]] = {
    "what must not be ridden is excluded": (
        [entry("Relic (not on Horse, Wolf)", ONCE), group("Mount", HORSE, WOLF)],
        {"relic": {"not_with": ["horse", "dire-wolf"]}}),
    "General or Battle Standard Bearer": (
        [entry("Relic (only on General/BSB)", ONCE), entry("Battle Standard Bearer", ONCE)],
        {"relic": {
            "needs": {"any": [{"role": "general"}, {"taken": "battle-standard-bearer"}]}}}),
    "a phrase that nobody can read is told as not checked": (
        [entry("Relic - Cannot be taken by models with Two Heads", ONCE)],
        {"relic-cannot-be-taken-by-models-with-two-heads": {"name": "Relic", "unchecked": [
            {"what": "cannot be taken by models with Two Heads", "why": "sentence"}]}}),
    "what the bearer cannot take is excluded": (
        [sentence("The bearer cannot take Weapon Enchantments."),
         group("Weapon Enchantments", entry("Fire", ONCE), entry("Frost", ONCE))],
        {"relic": {"not_with": ["weapon-enchantments"]}}),
    **{f"a sentence is a condition: {text}": ([sentence(text)], {"relic": {"needs": asked}})
       for text, asked in [
           ("Wizards only.", {"is": "wizard"}),
           ("General Only.", {"role": "general"}),
           ("Cannot be taken by Gigantic Models.", {"not": {"is": "gigantic-height"}}),
           ("Cannot be taken by Characters units.", {"not": {"category": "characters"}}),
           ("Cannot be taken by units that count toward Characters.",
            {"not": {"category": "characters"}})]},
    "a sentence that nobody can read is told as not checked": (
        [sentence("Left-handed Twins only.")],
        {"relic": {"unchecked": [{"what": "left-handed Twins only", "why": "sentence"}]}}),
    "a mount is marked and its rider is not on foot": (
        [group("Mount", HORSE), entry("Chariot (Mount)", ONCE)],
        {"horse": {"mount": True, "keywords": ["Harnessed"]},
         "chariot-mount": {"name": "Chariot", "mount": True}}),
    "a sparse unit is known to be without some rules": (
        [group("Artefacts (non-Wizards)", entry("Charm", ONCE)), group("Mount", HORSE)],
        {"": {"sparse": True, "without": ["wizard-apprentice", "wizard-adept", "wizard-master",
                                          "harnessed"]},
         "artefacts-non-wizards": {"name": "Artefacts"}}),
    "items of the book are called by its name": (
        [group("OF Weapon Enchantments (Chief)", entry("Slayer", ONCE))],
        {"of-weapon-enchantments-chief": {"name": "Öre Folk Weapon Enchantments"}}),
    "what an option has by its own name is not asked for beside it": (
        [entry("Buckler", ONCE, limit("min", 0, id_=LIMIT), price(9),
               change("set", LIMIT, 1, when(SWORD))),
         entry("Axe, Dagger and Buckler", ONCE, id_=SWORD)],
        {"buckler": {"number": None, "points": 9, "when": None}}),
    "what an option does not have by its name is": (
        [entry("Buckler", ONCE, limit("min", 0, id_=LIMIT), price(9),
               change("set", LIMIT, 1, when(SWORD))),
         entry("Axe and Bucklers of Doom", ONCE, id_=SWORD)],
        {"buckler": {"when": [{"if": {"taken": "axe-and-bucklers-of-doom"}, "set": {"min": 1}}]}}),
    "nor is what is free then": (
        [entry("Buckler", ONCE, limit("min", 0, id_=LIMIT), price(9),
               change("set", LIMIT, 1, when(SWORD)), change("set", "points", 0, when(SWORD))),
         entry("Axe and Buckler", ONCE, id_=SWORD)],
        {"buckler": {"when": [{"if": {"taken": "axe-and-buckler"}, "set": {"min": 1}},
                              {"if": {"taken": "axe-and-buckler"}, "set": {"points": 0}}]}}),
    "a text does not rule out the unit that the group is called after": (
        [group("Artefacts (Spears, Mages)", sentence("Wizards only."))],
        {"relic": {"needs": {"any": [{"is": "wizard"}, {"unit": "spears"}]}}}),
    "a unit that may be what the text asks is asked for it": (
        [group("Artefacts (Spears)", sentence("Wizards only.")),
         group("Magic Path", entry("Fog", ONCE))],
        {"relic": {"needs": {"is": "wizard"}}}),
    "so is one that the group does not name": (
        [group("Artefacts (Mages)", sentence("Wizards only."))],
        {"relic": {"needs": {"is": "wizard"}}}),
    "a cap beside caps of models counts models": (
        [group("Weapon", *(entry(name, ONCE, limit("max", most, "roster"), price(5))
                           for name, most in (("Jezail", 18), ("Rotary Gun", 12))))],
        {"jezail": {"cap_models": 18}, "rotary-gun": {"cap_models": 12}}),
}  # fmt: skip


@pytest.mark.parametrize("claim", CLAIMS)
def test_parts_of_a_unit_are_read(claim: str, tmp_path: Path) -> None:
    parts, expected = CLAIMS[claim]
    assert_parts(unit_of(tmp_path, *parts), expected)


def test_a_cap_of_one_is_doubtful_only_where_a_grand_army_has_two(tmp_path: Path) -> None:
    banner = entry("Banner", ONCE, limit("max", 1, "roster"))
    found = node(unit_of(tmp_path, banner), "banner")
    (told,) = found["unchecked"]
    assert (found["cap"], told["why"]) == (1, "source")
    assert told["if"] == {"all": [{"limit": {"at_least": 8000}}, TWICE]}


def test_what_a_link_says_under_another_name_may_be_meant_or_not(tmp_path: Path) -> None:
    mirror = entry("Mirror", ONCE, id_=SWORD)
    place = link(SWORD, "Elixir - Assassins only")
    text = catalogue(unit("A", place), unit("B", link(SWORD, "Mirror")), shared=(mirror,))
    found = imported(tmp_path, text)
    assert found.book["units"][0]["options"] == [{"use": "mirror"}]
    told = {"what": "perhaps assassins only", "why": "source"}
    assert found.book["options"][0]["unchecked"] == [told]
    assert found.audit["counts"]["names"] == {"unchecked": 1}


@pytest.mark.parametrize(
    ("offered", "told"), [((), []), ((link(SWORD, "Mirror"),), ["perhaps assassins only"])]
)
def test_what_another_name_asks_of_nobody_there_is_not_meant(
    offered: tuple[str, ...], told: list[str], tmp_path: Path
) -> None:
    mirror = entry("Mirror", ONCE, id_=SWORD)
    others = unit("A", link(SWORD, "Elixir - Assassins only")), unit("B", link(SWORD, "Mirror"))
    text = catalogue(*others, unit("Silent Assassin", *offered), shared=(mirror,))
    found = imported(tmp_path, text)
    unchecked = found.book["options"][0].get("unchecked", ())
    assert [one["what"] for one in unchecked] == told
    assert found.audit["counts"]["names"] == {"unchecked" if told else "idle": 1}


def test_sentences_of_a_text_restrict_or_not() -> None:
    for text, sentences in [
        ("Wizards only. The bearer may fly.", ["Wizards only"]),
        ("The bearer flies.\nModels on foot only.", ["Models on foot only"]),
        ("Cannot be taken by Core units.", ["Cannot be taken by Core units"]),
        ("The bearer cannot take Shields.", ["The bearer cannot take Shields"]),
        ("One use only. Only models of Standard Size are affected.", []),
        ("Fortitude Saves cannot be taken against it.", []),
    ]:
        assert list(restricting(text)) == sentences, text


def test_who_is_named_has_it_alone(tmp_path: Path) -> None:
    # A unit named has it alone.
    relic = entry("Relic - Shamans only", ONCE, id_=SWORD)
    text = catalogue(
        unit("Orc Shaman", link(SWORD, "Relic - Shamans only")),
        unit("Orc Chief", link(SWORD, "Relic - Shamans only")),
        unit("Orc Lord", entry("Helmet", ONCE)),
        shared=(relic,),
    )
    book = imported(tmp_path, text).book
    shaman, chief, _ = book["units"]
    assert ([one["use"] for one in shaman["options"]], "options" in chief) == ([RELIC], False)
    # A part of a unit named in a sentence lets the unit have it.
    text = profile("Relic", "7 Artefact", {"Type": "Orcs and Priests only."})
    relic = entry("Relic", ONCE, text, id_=SWORD)
    priest = profile("Priest Offensive", "3 Offensive", {"Att": "1"})
    place = link(SWORD, "Relic")
    book = imported(
        tmp_path,
        catalogue(
            unit("Orc", place), unit("Shrine", priest, place), unit("Goblin", place),
            shared=(relic,),
        ),
    ).book  # fmt: skip
    assert book["options"][0]["needs"] == {"any": [{"unit": "orc"}, {"unit": "shrine"}]}


def test_names_are_without_marks_of_their_authors(tmp_path: Path) -> None:
    for name, shown in [
        ("Titanic Might (F)", "Titanic Might"),
        ("Character - Iron Husk", "Iron Husk"),
        ("Mount: Destrier", "Destrier"),
        ("Cosmology (2nd)", "Cosmology"),
        ("Chiling Yawn", "Chilling Yawn"),
        ("Fly (8&quot;, 16&quot;)", 'Fly (8", 16")'),
        ("Fallen Heroes (Orcs)", "Fallen Heroes (Orcs)"),
        ("War Horn (Spears)", "War Horn"),
    ]:
        found = unit_of(tmp_path, entry(name, ONCE))
        assert found["options"][0]["name"] == shown, name


def test_what_names_begin_with_only_to_be_sorted_is_left_out(tmp_path: Path) -> None:
    names = "Blade: Hand Axe", "Bow: Longbow", "Song: (Air2) Gale", "Relic: Bone Flute"
    kinds = [entry(name, ONCE) for name in (*names, "Mount: Elk")]
    unclear = [entry("Bow: Net", ONCE), entry("Trap: Net", ONCE)]
    found = imported(tmp_path, catalogue(unit("Spears", *kinds)))
    options = {one["id"]: one["name"] for one in found.book["units"][0]["options"]}
    assert options == {
        "hand-axe": "Hand Axe", "longbow": "Longbow", "gale": "Gale", "bone-flute": "Bone Flute",
        "mount-elk": "Elk",
    }  # fmt: skip
    # Rosters call them what the file does.
    assert found.origin["units"][0]["in"][2]["name"] == "Song: (Air2) Gale"
    # Where the bare name is not clear, or the author has no such habit, they stay.
    found = imported(tmp_path, catalogue(unit("Spears", *kinds, *unclear)))
    assert [one["name"] for one in found.book["units"][0]["options"]][1::4] == [
        "Bow: Longbow", "Bow: Net"
    ]  # fmt: skip
    found = imported(tmp_path, catalogue(unit("Spears", *kinds[:2])))
    assert [one["name"] for one in found.book["units"][0]["options"]] == [
        "Blade: Hand Axe", "Bow: Longbow"
    ]  # fmt: skip


def test_of_honours_and_variants_what_is_meant_is_read(tmp_path: Path) -> None:
    # Of two honours that exclude each other nothing needs both.
    honours = group("Honour", ONCE, entry("Heart (on Foot)", ONCE, id_=FOOT),
                    entry("Heart (Mounted)", ONCE, id_=MOUNTED))  # fmt: skip
    hides = any_of(when(FOOT, "equalTo", 0), when(MOUNTED, "equalTo", 0))
    mail = entry("Mail", ONCE, change("set", "hidden", "true", hides))
    found = imported(tmp_path, catalogue(unit("Mage", honours, mail)))
    assert "mail" not in str(found.book["units"])
    (left_out,) = found.audit["left_out"]
    assert left_out["place"] == "Mage › Mail"
    # A condition on the others variant of an option means the units own.
    tower = [entry(f"Tower ({who})", ONCE, id_=id_) for who, id_ in (("A", FOOT), ("B", MOUNTED))]
    shown = change("set", "hidden", "false", when(MOUNTED))
    scroll = entry("Scroll", ONCE, shown, hidden="true")
    text = catalogue(unit("A", tower[0], scroll), unit("B", tower[1]))
    found = imported(tmp_path, text).book["units"][0]
    assert node(found, "scroll")["needs"] == {"taken": node(found, "tower-a")["id"]}


def test_who_is_marked_as_general_must_be_the_general(tmp_path: Path) -> None:
    must = link("9999-0000-0000-0001", "Army General", limit("min", 1), price(30))
    may = link("9999-0000-0000-0001", "Army General")
    wild = entry("Wildheart", ONCE, id_=FOOT)
    text = catalogue(
        unit("Dictator", must, category=CHARACTERS),
        unit("Maw", entry("Dominion", ONCE, must), category=CHARACTERS),
        unit("Hunter", link(FOOT, "Wildheart", must), category=CHARACTERS),
        unit("Augur", group("Army General", limit("min", 1), ONCE, may), category=CHARACTERS),
        unit("Chief", may, category=CHARACTERS),
        unit("Prefect", group("Rank", limit("min", 1), ONCE, may, HORSE), category=CHARACTERS),
        shared=(wild,),
    )
    dictator, maw, hunter, augur, chief, prefect = imported(tmp_path, text).book["units"]
    assert (dictator["can_lead"], dictator["must_lead"]) == (True, True)
    assert (maw["can_lead"], maw["options"][0]["must_lead"]) == ({"taken": "dominion"}, True)
    assert hunter["options"][0]["must_lead"] is True
    # Only where it may be the General does that cost anything.
    lead = {"all": [{"taken": "wildheart"}, {"role": "general"}]}
    assert hunter["when"] == [{"if": lead, "add": {"points": 30}}]
    assert augur["must_lead"] is True
    assert "must_lead" not in chief
    assert "must_lead" not in prefect


#: Riders are smaller than what they ride: of Height 3 at most.
RIDDEN = group("Mount", ONCE, entry("Mount: Bull (4)", ONCE), entry("Mount: Dragon (5)", ONCE))
ONLY_DRAGON = {"not_with": ["mount-dragon-5"]}
BOTH = {"not_with": ["mount-bull-4", "mount-dragon-5"]}
ON_FOOT = {"not": {"taken": ["mount-bull-4", "mount-dragon-5"]}}


@pytest.mark.parametrize(
    ("phrase", "asks", "left"),
    [
        ("not on 5", ONLY_DRAGON, None),
        ("not on 4-5", BOTH, None),
        ("only on 1-3", BOTH, None),
        ("only H1", BOTH, {"all": [{"unit": "spears"}, ON_FOOT]}),
        ("not on 5 or Construct", ONLY_DRAGON, True),
        ("only on 1-3 or Construct", {}, True),
    ],
)
def test_heights_in_names_are_those_of_the_mounts(
    phrase: str, asks: dict[str, Any], left: Any, tmp_path: Path
) -> None:
    parts = unit_of(tmp_path, entry(f"Relic ({phrase})", ONCE), RIDDEN)["options"]
    relic = next(one for one in parts if one.get("name") == "Relic")
    assert {key: relic[key] for key in ("needs", "not_with") if key in relic} == asks
    assert [one.get("if", True) for one in relic.get("unchecked", ())] == [left] * bool(left)


def test_nobody_can_tell_the_height_of_who_rides_nothing(tmp_path: Path) -> None:
    relic = entry("Relic (not on 5)", ONCE, id_=FOOT)
    text = catalogue(
        unit("Lord", link(FOOT, "Relic (not on 5)"), RIDDEN),
        unit("Giant", link(FOOT, "Relic (not on 5)")),
        shared=(relic,),
    )
    (found,) = imported(tmp_path, text).book["options"]
    (left,) = found["unchecked"]
    assert left == {"what": "not on 5", "why": "stat-line", "if": {"unit": "giant"}}


def test_a_condition_on_what_no_link_leads_to_counts_it_whether_shared_or_not(
    tmp_path: Path,
) -> None:
    alone = when(FOOT).replace('shared="true"', 'shared="false"')
    parts = (
        entry("Wings", ONCE, id_=FOOT),
        entry("Net", ONCE, change("set", "hidden", "true", alone)),
    )
    assert node(unit_of(tmp_path, *parts), "net")["not_with"] == ["wings"]


def test_everything_in_a_file_is_accounted_for(tmp_path: Path) -> None:
    hides = change("set", "hidden", "true", when(FOOT))
    moved = change("set", LIMIT, 2, when(FOOT))
    parts = [
        entry("Foot", ONCE, id_=FOOT),
        entry("Helmet", limit("max", 1, id_=LIMIT), hides, moved),
        entry("Charm (only on Foot)", limit("max", -1)),
        entry("Lost", ONCE, change("set", "abab-0000-0000-9999", 3)),
    ]
    found = imported(tmp_path, catalogue(unit("Spears", *parts)))
    assert found.audit["unaccounted"] == {}
    assert found.audit["counts"]["names"] == {"judged": 1}
    assert found.audit["idle"] == {
        "a change of what is nowhere": 1,
        "a limit that limits nothing": 1,
    }
