"""Differences between the program and the source that have a reason, by name.

Everything that the two say differently of a random army is here or is a failure. A reason is one of
four sorts: the rulebook has a rule that no file holds; a file has a slip, which the program mends;
a file leaves open what the program reads; or the program is wrong and it is known.
"""

from __future__ import annotations

from tests.second_reading.comparing import Difference
from tests.second_reading.expecting import (
    Reason,
    at,
    bannerman,
    bears_standard,
    chosen_armour,
    chosen_level,
    code,
    command_group,
    grouped,
    has_taken,
    has_what_it_may_not,
    inside,
    lacks_level,
    moved_giants,
    no_general,
    no_place,
    nobody_marked,
    one_item,
    one_of_a_kind,
    only_doubted,
    points_over,
    points_under,
    scaled,
    single,
    sum_follows,
    too_many,
    too_small,
    twice,
)

RULEBOOK = (
    Reason(
        "points", "rulebook", "An army costs at most the Army Points and at most 40 less.",
        "8.B.a", lambda one: points_over(one) or points_under(one),
    ),
    Reason(
        "units", "rulebook", "Units of Characters and of Core; four units, three in a Warband.",
        "8.B.b, 8.B.c.3", code("category.missing", "units.too-few"),
    ),
    Reason(
        "scaled caps", "rulebook", "0–X is halved in a Warband and doubled in a Grand Army.",
        "8.B.c.1, 8.C", scaled,
    ),
    Reason(
        "one of a kind", "rulebook", "Special items are One of a Kind at every game size.",
        "22, 8.B.c.2", one_of_a_kind,
    ),
    Reason(
        "one item of two entries", "rulebook",
        "A special item is one item at whatever price; the file has a second entry of it for"
        " Feldrak Ancestors, which it counts by itself.",
        "22, 8.B.c.2, Warriors of the Dark Gods",
        lambda one: one.case.names.book == "warriors-of-the-dark-gods" and one_item(one),
    ),
    Reason(
        "slots", "rulebook",
        "One enchantment to a weapon, a piece of armour and a banner, two artefacts; enchantments"
        " fit what they are put on, which the list names; one Dominant item.",
        "22.A, 22.B.a", code("items.slot", "items.target", "items.dominant"),
    ),
    Reason(
        "one suit, one shield", "rulebook",
        "A model wears one suit of armour and one shield, of those that are chosen by their name.",
        "21.E", chosen_armour,
    ),
    Reason(
        "command group", "rulebook",
        "Champion, musician and standard bearer are a model each.", "8.D.a.3", command_group,
    ),
    Reason(
        "single models", "rulebook",
        "A single model is one. A roster file has no number that could say otherwise.",
        "8.D.b.a", single,
    ),
    Reason(
        "smallest unit", "rulebook",
        "A unit with too few models is an error, and costs as much as the smallest allowed.",
        "8.A.a, 8.D.a.1", too_small,
    ),
)  # fmt: skip

READINGS = (
    Reason(
        "sums", "reading", "A sum with a price in it that differs for a reason of its own.",
        "8.B.b", sum_follows,
    ),
    Reason(
        "general elsewhere", "reading",
        "Something for the General only, on a unit that can’t lead: the program reports it once,"
        " for the General.", "8.B.c.4", no_general,
    ),
    Reason(
        "no mark for the General", "reading",
        "The file offers nobody to be the General, so the program lets all Characters lead.",
        "8.B.c.4, Saurian Ancients", nobody_marked,
    ),
    Reason(
        "no place in the roster", "reading",
        "An option without the one it belongs to has no place in a roster, only in its notes.",
        "8.D.a.3", no_place,
    ),
    Reason(
        "two choices where one may be", "reading",
        "What each of them brings contradicts the other; both report the two.",
        "8.D.a.3", too_many,
    ),
    Reason(
        "two choices for the army", "reading",
        "The file asks whether a choice was made exactly once, the program whether it was made; an"
        " army that made it twice has an error.", "Cultists, Undying Dynasties", twice,
    ),
    Reason(
        "not offered as General", "reading",
        "An entry without rules offers nobody to be the General; a Character may be, so that the"
        " program warns.", "8.B.c.4", only_doubted,
    ),
    Reason(
        "a level that is chosen", "reading",
        "The entry says Wizard Master, and has its level as a choice: the program takes that.",
        "Dread Elves", chosen_level,
    ),
    Reason(
        "a group made for who is ruled out", "reading",
        "An item's text is for Wizards only; the file offers it to a Prelate in a group that it"
        " names after him, so the program allows it, and lists a gap.",
        "Empire of Sonnstahl", at("empire-of-sonnstahl", "Prelate", "Exemplar's Flame"),
    ),
    Reason(
        "a path without a wizard", "reading",
        "A unit with a path of magic, but not what it needs, is a wizard to the second program; the"
        " first reports that something is missing.", "8.D.b",
        lambda one: (one.side == "source" and one.fault is not None
                     and one.fault.wording == "not on Wizards" and has_what_it_may_not(one))
        or (one.side == "program" and one.kind == "hidden" and lacks_level(one)),
    ),
    Reason(
        "several mentors", "reading",
        "The list names the equipment of three mentors once, and so does the roster.",
        "Saurian Ancients", at("saurian-ancients", "Skink Warriors", "Melee Weapon"),
    ),
)  # fmt: skip

SLIPS = (
    Reason(
        "Huskarls' and Berserkers' weapons", "slip",
        "The Huskarls' and the Berserkers' weapons are linked to Core, in which they are not.",
        "Åsklanders", grouped("asklanders", "Core", "Huskarls", "Berserkers"),
    ),
    Reason(
        "Mounted ’Eadbashers' race", "slip", "It is linked to Characters, which they are not.",
        "Orcs and Goblins", grouped("orcs-and-goblins", "Characters", "Mounted ‘Eadbashers"),
    ),
    Reason(
        "the Giant Repeater's category", "slip",
        "The option alone joins one category and leaves another, in which only the whole unit is;"
        " its options move a unit.", "8.B.b.6, Empire of Sonnstahl", moved_giants,
    ),
    Reason(
        "the Bannerman", "slip",
        "A sentence, not an entry, makes him the Battle Standard Bearer.",
        "21.A.b.3, Kingdom of Equitaine", bannerman,
    ),
    Reason(
        "Wildheart", "slip", "A sentence, not an entry, makes its bearer the General.",
        "Ogre Khans",
        lambda one: code("general.required")(one) and has_taken(one, "ogre-khans", "wildheart"),
    ),
    Reason(
        "the High Prince's Tower", "slip",
        "A High Prince’s items as Master of Canreig Tower ask for the Commander’s option instead.",
        "Highborn Elves",
        lambda one: one.unit == "High Prince" and inside(one, "Artefacts")
        and has_taken(one, "highborn-elves", "master-of-canreig-tower-high-prince"),
    ),
    Reason(
        "the Harbinger of Greed's path", "slip",
        "It asks for Gluttony in the army; those of all other Harbingers are for wizards.",
        "Legions of Sin",
        lambda one: at("legions-of-sin", "Harbinger of Greed")(one) and inside(one, "Magic Path"),
    ),
    Reason(
        "the Harbinger of Wrath's path", "slip",
        "It asks for a wizard of its entry in the army; those of all others ask for themselves.",
        "Legions of Sin",
        lambda one: at("legions-of-sin", "Harbinger of Wrath")(one) and inside(one, "Magic Path"),
    ),
    Reason(
        "Makhar Lancers' Vanguard", "slip",
        "2 points per model stand at the link and at what it links to; 70 points and 35 models mean"
        " 2.", "Makhar",
        lambda one: at("makhar", "Makhar Lancers", "price")(one)
        or (at("makhar", "Vanguard")(one) and one.kind == "cap"),
    ),
    Reason(
        "Mercenary Veterans' upgrades", "slip",
        "Priced for every model, but their entry is an upgrade, so that none is counted.",
        "Ogre Khans", at("ogre-khans", "Mercenary Veterans", "price"),
    ),
    Reason(
        "Thyroscutus Herd's Great Protector", "slip",
        "For a lone one only, but their entry is an upgrade, so that no model is counted.",
        "Saurian Ancients", at("saurian-ancients", "Thyroscutus Herd"),
    ),
    Reason(
        "Tritons", "slip", "Six models in a full game are three in a Warband; the file says two.",
        "8.B.c.1, Dread Fleet", lambda one: at("dread-fleet", "Triton")(one) and one.kind == "cap",
    ),
    Reason(
        "Overlord's two enchantments", "slip",
        "The file asks for two weapon enchantments, where others may have one; listed as a gap.",
        "22.A.a, Infernal Dwarves", at("infernal-dwarves", "Overlord", "Weapon Enchantments"),
    ),
    Reason(
        "a dragon is two Ancient Allies", "slip",
        "The link asks for two, what it links to allows one.", "Highborn Elves",
        at("highborn-elves", "Ancient Allies"),
    ),
    Reason(
        "Fell Wraith's allowance", "slip",
        "The limit in points stands at an entry that costs nothing and leaves out what is in it.",
        "Vampire Covenant", at("vampire-covenant", "Fell Wraith", "Weapon Enchantment"),
    ),
    Reason(
        "a larger allowance", "slip",
        "The file looks for the Wizard Master, or for Sainted, inside the special equipment, where"
        " neither can be.", "Hobgoblins, Kingdom of Equitaine",
        lambda one: one.kind == "allowance"
        and (at("hobgoblins", "Hobgoblin Conjurer", "Special Equipment")(one)
             or at("kingdom-of-equitaine", "Folk Hero", "Special Equipment")(one)),
    ),
    Reason(
        "Gallantry of two", "slip",
        "The file links to it twice, for units that are two of a kind, and allows it once.",
        "Kingdom of Equitaine",
        lambda one: at("kingdom-of-equitaine", "Gallantry")(one) and one.kind == "limit"
        and one.fault is not None and one.fault.measured != 1,
    ),
    Reason(
        "Clan Warriors' second shield", "slip",
        "Spear and Shield was once the Spear alone, and the file still wants a Shield with it.",
        "Dwarven Holds",
        lambda one: at("dwarven-holds", "Clan Warriors", "Shield")(one) and one.kind == "limit"
        and has_taken(one, "dwarven-holds", "spear-and-shield"),
    ),
    Reason(
        "two runic standards", "slip",
        "A Battle Standard Bearer has two banner enchantments; the runic ones stand in a group of"
        " one, which units share.", "22.A.c, Dwarven Holds",
        at("dwarven-holds", "Thane", "Runic Banner Enchantments (BSB, Watch, Guard)"),
    ),
    Reason(
        "one species to a beast", "slip",
        "The file asks every model for a species at least, and forbids none to have two.",
        "Saurian Ancients", at("saurian-ancients", "Weapon Beasts", "Species"),
    ),
    Reason(
        "units that a Wildheart shuts out", "slip",
        "The file takes the unit away beside a Wildheart, and in Warbands and Grand Armies sets its"
        " cap anew after that.",
        "Ogre Khans",
        lambda one: one.case.names.book == "ogre-khans" and one.kind == "hidden"
        and one.side == "program" and not 3000 < one.case.document["limit"] < 8000,
    ),
)  # fmt: skip

#: Slips of the files of 2024 alone.
SLIPS_2024 = (
    Reason(
        "a larger allowance of 2024", "slip",
        "The file looks for the General inside the special equipment, where he cannot be.",
        "Cult of Errahman, Orcs and Goblins",
        lambda one: one.kind == "allowance" and one.side == "source"
        and (at("cult-of-errahman", "Plague Patriarch", "Special Items")(one)
             or at("orcs-and-goblins", "Goblin Demagogue", "Special Equipment")(one)),
    ),
    Reason(
        "armour inside the special equipment", "slip",
        "Armour enchantments need armour; the file looks for that inside the special"
        " equipment, where it cannot be.", "Orcs and Goblins",
        lambda one: one.side == "program" and one.case.names.book == "orcs-and-goblins"
        and one.unit in ("Goblin Witch", "Orc Shaman") and inside(one, "Armour Enchantments"),
    ),
    Reason(
        "what a leader brings", "slip",
        "A Tribe Leader or Darrmu raises caps, and leaves the others a tenth; the file looks for"
        " these among the units, where options are not.", "Orcs and Goblins",
        lambda one: one.case.names.book == "orcs-and-goblins" and one.kind in ("category", "cap")
        and any(found.option.id in ("tribe-leader", "darrmu")
                for line in one.case.lines for found in line.loadout.taken),
    ),
    Reason(
        "two banners of an Orc unit", "slip",
        "A Battle Standard Bearer has two banner enchantments; the common ones stand in a group of"
        " one, which units share.", "22.A.c, Orcs and Goblins",
        at("orcs-and-goblins", "Veteran Orc Marauders", "Banner Enchantments (Unit)"),
    ),
    Reason(
        "a shooting weapon of every Prefect", "slip",
        "The file wants one of every House Prefect, and has one for two of the four Houses only.",
        "Vermin Swarm", at("vermin-swarm", "House Prefect", "Shooting Weapon"),
    ),
)  # fmt: skip

#: Of the third edition, whose game file has fewer rules than those before it.
RULEBOOK_3RD = (
    Reason(
        "a General, not the Battle Standard Bearer", "rulebook",
        "An army has a General, who does not bear the Battle Standard; the file only allows one.",
        "8.B.c.4, 21.A.b.3",
        lambda one: code("general.missing")(one)
        or (code("general.not-eligible")(one) and bears_standard(one)),
    ),
)  # fmt: skip

#: Slips of the files of the third edition alone.
SLIPS_3RD = (
    Reason(
        "what counts as two", "slip",
        "The file links to it twice, for two of a kind, and allows it once.",
        "Infernal Dwarves, Sylvan Elves, Warriors of the Dark Gods",
        lambda one: one.kind == "limit" and one.fault is not None and one.fault.measured == 2
        and one.what in ("Fires of Industry", "Legendary Beasts", "Sylvan Beasts"),
    ),
    Reason(
        "what special equipment asks", "slip",
        "The file looks for the Battle Standard Bearer, or for a Shield, inside the special"
        " equipment, where neither can be.", "Dwarven Holds, Undying Dynasties",
        lambda one: one.side == "source" and one.kind == "hidden"
        and ((one.unit == "Thane" and inside(one, "Banner Enchantment"))
             or (one.unit == "Pharaoh" and inside(one, "Shield Enchantment"))),
    ),
    Reason(
        "Heath Hunters' Ambush", "slip",
        "The file sets 2 points for every model, where it adds them elsewhere.", "Sylvan Elves",
        at("sylvan-elves", "Heath Hunters", "price"),
    ),
    Reason(
        "a Mammoth Hunter's ranged weapons", "slip",
        "The file wants one, and has none to choose from.", "Ogre Khans",
        at("ogre-khans", "Mammoth Hunter", "Ranged Weapon"),
    ),
    Reason(
        "Ambush of another unit", "slip",
        "The unit’s own Ambush should move it into the category; the file asks for the Beast"
        " Lord’s.",
        "Beast Herds",
        lambda one: one.case.names.book == "beast-herds" and one.what == "Ambush Predators"
        and one.side == "numbers" and one.program > one.source,
    ),
    Reason(
        "a larger allowance of the third edition", "slip",
        "The file looks for the Wizard Master inside the special equipment, where he cannot be.",
        "Undying Dynasties, Vampire Covenant",
        lambda one: one.kind == "allowance" and one.what == "Special Equipment"
        and one.unit in ("Death Cult Hierarch", "Necromancer"),
    ),
)  # fmt: skip

#: Of Essence of War, whose rulebook is not at hand: what the files leave open.
ESSENCE = (
    Reason(
        "points agreed on", "reading",
        "An army costs at most the points agreed on; no file holds such a limit.", "pts",
        points_over,
    ),
    Reason(
        "formations", "reading",
        "A unit is one formation. A roster file has no number that could say otherwise.",
        "Formation", single,
    ),
    Reason(
        "allowance of special items", "reading",
        "The limit in points stands at an entry that costs nothing and leaves out what is in it;"
        " the program applies the limit to these.", "Special Items",
        lambda one: one.kind == "allowance" and one.side == "program"
        and one.what == "Special Items",
    ),
)  # fmt: skip

#: What the program gets wrong today, as far as anybody knows. Each goes with the fault.
KNOWN_FAULTS: tuple[Reason, ...] = ()

#: Those of The Ninth Age.
_NINTH_AGE = (*RULEBOOK, *READINGS, *SLIPS, *KNOWN_FAULTS)
#: By game; in the first that fits.
BY_GAME: dict[str, tuple[Reason, ...]] = {
    "t9a-2023": _NINTH_AGE,
    "t9a-2024": (*_NINTH_AGE, *SLIPS_2024),
    "t9a-3rd": (*_NINTH_AGE, *RULEBOOK_3RD, *SLIPS_3RD),
    "essence-of-war": (*ESSENCE, *KNOWN_FAULTS),
}
REASONS: tuple[Reason, ...] = (
    *RULEBOOK, *RULEBOOK_3RD, *READINGS, *SLIPS, *SLIPS_2024, *SLIPS_3RD, *ESSENCE, *KNOWN_FAULTS,
)  # fmt: skip


def reason(one: Difference) -> Reason | None:
    """Why a difference is to be expected; None where nobody knows."""
    known = BY_GAME[one.case.document["system"]]
    return next((reason for reason in known if reason.fits(one)), None)
