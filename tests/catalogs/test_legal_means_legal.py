"""Lists that are legal or not by one word of a book, new units, and lists of former editions."""

from dataclasses import dataclass
from functools import cache

import pytest

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.offers import flat, offers
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import list_of, value_of
from tests.building.tiny import Data

pytestmark = pytest.mark.long

#: What a list of one or two units lacks, whatever they are.
UNFINISHED = {
    "points.under", "category.missing", "category.under", "units.too-few", "general.missing"
}  # fmt: skip


@dataclass(frozen=True)
class Fault:
    """An error: its code, the rule it comes from, and the numbers that it tells, if any."""

    code: str
    rule: str
    measured: int | None = None
    allowed: int | None = None


@cache
def catalogue_of(book: str) -> Catalogue:
    return shipped_library().catalogue("t9a-2023", [book])


def entry(unit: str, *options: str, models: int = 1, general: bool = False) -> Data:
    """A unit of a list with what is taken on it."""
    picks = [{"id": one} for one in options]
    roles = ["general"] if general else []
    return {"unit": unit, "models": models, "options": picks, "roles": roles}


def judged(book: str, *entries: Data, limit: int = 4500) -> Report:
    units = [{**one, "unit": f"{book}/{one['unit']}"} for one in entries]
    document = list_of("t9a-2023", [book], units, limit=limit)
    catalogue = catalogue_of(book)
    return validate(make_roster(value_of(document), catalogue), catalogue)


def faults(report: Report) -> list[Fault]:
    """Its errors, but for those of a list that is not finished."""
    return [
        Fault(found.code, found.head.id, found.measured, found.allowed)
        for found in report.of(Severity.ERROR)
        if found.code not in UNFINISHED
    ]


def assert_right(report: Report) -> None:
    """Nothing is wrong with its units, nothing is doubtful, and nothing was left unchecked."""
    assert faults(report) == []
    assert report.of(Severity.WARNING) == ()
    assert report.complete, [one.sentence for one in report.unchecked]


COMMAND_GROUP = ("champion", "musician", "standard-bearer")


@pytest.mark.parametrize("models", [1, 2])
def test_a_command_group_of_three_needs_three_chariots(models: int) -> None:
    few = judged("highborn-elves", entry("reaver-chariots", *COMMAND_GROUP, models=models))
    assert faults(few) == [Fault("unit.too-small", "command-group", models, 3)]
    assert_right(judged("highborn-elves", entry("reaver-chariots", *COMMAND_GROUP, models=3)))
    fewer = COMMAND_GROUP[:models]
    assert_right(judged("highborn-elves", entry("reaver-chariots", *fewer, models=models)))


NO_BANNER = Fault("items.slot", "banner-bearer")


def test_a_lord_bears_a_banner_enchantment_only_as_battle_standard_bearer() -> None:
    book = "kingdom-of-equitaine"
    lord = entry("equitan-lord", "aether-icon", general=True)
    assert faults(judged(book, lord)) == [NO_BANNER]
    assert_right(judged(book, entry("equitan-lord", "aether-icon", "battle-standard-bearer")))
    assert_right(judged(book, entry("equitan-lord", "crystal-ball", general=True)))


@pytest.mark.parametrize("banner", ["aether-icon", "banner-of-speed", "relic-shroud", "oriflamme"])
def test_a_paladin_bears_no_banner_enchantment(banner: str) -> None:
    assert faults(judged("kingdom-of-equitaine", entry("paladin", banner))) == [NO_BANNER]
    assert_right(judged("kingdom-of-equitaine", entry("paladin", "crystal-ball")))


HERO = ("folk-hero", "light-armour")


def test_a_folk_hero_bears_a_banner_enchantment_only_as_bannerman() -> None:
    book = "kingdom-of-equitaine"
    without = judged(book, entry(*HERO, "castellan", "aether-icon"))
    assert faults(without) == [NO_BANNER]
    assert_right(judged(book, entry(*HERO, "bannerman", "aether-icon")))
    assert_right(judged(book, entry(*HERO, "castellan", "crystal-ball")))


def test_a_bannerman_is_the_battle_standard_bearer() -> None:
    book = "kingdom-of-equitaine"
    bannerman = entry(*HERO, "bannerman")
    lord = entry("equitan-lord", "battle-standard-bearer")
    two = [Fault("one-of-a-kind.over", "battle-standard", 2, 1)]
    assert faults(judged(book, bannerman, lord)) == two
    assert faults(judged(book, bannerman, bannerman)) == two
    leads = faults(judged(book, {**bannerman, "roles": ["general"]}))
    assert [fault.code for fault in leads] == ["general.not-eligible"]
    assert_right(judged(book, bannerman, entry(*HERO, "castellan", general=True)))


DICTATOR = ("ruinous-dictator", "i-am-the-senate", "avatar-of-udius")
NOT_GENERAL = Fault("general.required", "must-lead")


def test_a_ruinous_dictator_is_the_general() -> None:
    beside = entry(*DICTATOR), entry("vermin-senator", general=True)
    assert faults(judged("vermin-swarm", *beside)) == [NOT_GENERAL]
    assert_right(judged("vermin-swarm", entry(*DICTATOR, general=True), entry("vermin-senator")))


OMEN = ("omen-of-savar", "thaumaturgy", "wizard-apprentice")
MAW = ("maw-of-akaan", "evocation", "wizard-apprentice")
DOMINION = "greater-dominion"


def test_greater_dominion_is_for_the_general_alone() -> None:
    omen = entry(*OMEN, DOMINION, general=True)
    assert faults(judged("daemon-legions", omen, entry(*MAW, DOMINION))) == [NOT_GENERAL]
    assert_right(judged("daemon-legions", omen, entry(*MAW)))


#: Units that have Greater Dominion, by the source file.
RULERS = {
    "omen-of-savar", "sentinel-of-nukuja", "maw-of-akaan", "kuulimas-deceiver",
    "courtesan-of-cibaresh", "miser-of-sugulag", "vanadras-scourge",
}  # fmt: skip


def test_whoever_takes_greater_dominion_must_lead() -> None:
    units = catalogue_of("daemon-legions").units
    offered = {unit.ref.split("/")[1] for unit in units.values() if DOMINION in unit.offer.slots}
    assert offered == RULERS
    for ruler in RULERS:
        beside = entry(*OMEN, DOMINION, general=True), entry(ruler, DOMINION)
        assert NOT_GENERAL in faults(judged("daemon-legions", *beside)), ruler
        alone = judged("daemon-legions", entry(ruler, DOMINION, general=True))
        assert NOT_GENERAL not in faults(alone), ruler


#: What Tegu Warriors with Mentors cost in Core: models, command group, banner, spears, wizard.
TEGUS = ("champion", "standard-bearer", "flaming-standard", "spear", "enclave-wizard-50-50")
MENTORED = 210 + 10 * 14 + 10 + 10 + 40 + 25 * 2 + 35


def saurians(*more: Data, limit: int) -> Report:
    mentored = entry("tegu-warriors-with-caiman-mentors", *TEGUS, models=25)
    mentored["options"].append({"id": "caiman-mentors-caiman-elders"})
    return judged("saurian-ancients", mentored, entry("tegu-warriors", models=15), limit=limit)


def test_core_is_reached_with_the_models_of_a_unit_that_is_not_in_it() -> None:
    """The least of Core is a quarter, and warriors without mentors are the rest of it."""
    alone = judged("saurian-ancients", entry("tegu-warriors", models=15), limit=4500).spent
    core = alone + MENTORED

    def under(limit: int) -> list[tuple[int | None, int | None]]:
        report = saurians(limit=limit)
        (gauge,) = [one for one in report.gauges if one.name == "Core"]
        assert gauge.used == core
        found = [one for one in report.findings if one.code == "category.under"]
        return [(one.measured, one.allowed) for one in found]

    assert under(4 * core) == []
    assert under(4 * core + 4) == [(core, core + 1)]


def test_the_bearer_of_wildheart_is_the_general() -> None:
    hunter = entry("mammoth-hunter", "wildheart"), entry("great-khan", general=True)
    assert NOT_GENERAL in faults(judged("ogre-khans", *hunter))
    alone = judged("ogre-khans", entry("mammoth-hunter", "wildheart", general=True))
    assert NOT_GENERAL not in faults(alone)


def brutes(weapon: str, *sizes: int, limit: int = 4500) -> Report:
    units = [entry("murmillo-brutes", weapon, models=size) for size in sizes]
    return judged("vermin-swarm", *units, limit=limit)


def test_heavy_weapons_of_brutes_are_counted_by_models() -> None:
    for weapon, right, wrong, most in [
        ("deepfire-thrower", (5, 4), (5, 5), 9),
        ("canister-launcher", (6, 3), (6, 6), 9),
        ("rotary-gun", (6, 6), (6, 4, 3), 12),
    ]:
        assert_right(brutes(weapon, *right))
        assert faults(brutes(weapon, *wrong)) == [Fault("cap.over", "caps", sum(wrong), most)], (
            weapon
        )


def test_models_with_deepfire_throwers_are_scaled_like_any_cap() -> None:
    for limit, right, wrong, most in [
        (3000, (5,), (6,), 5),
        (4500, (6, 3), (6, 4), 9),
        (8000, (6, 6, 6), (6, 6, 4, 3), 18),
    ]:
        assert_right(brutes("deepfire-thrower", *right, limit=limit))
        over = faults(brutes("deepfire-thrower", *wrong, limit=limit))
        assert over == [Fault("cap.over", "caps", sum(wrong), most)], limit


@pytest.mark.parametrize("limit", [4500, 8000])
@pytest.mark.parametrize("rune", ["rune-of-denial", "rune-of-destruction", "rune-of-resistance"])
def test_two_kings_have_a_rune_of_one_of_a_kind_once_however_large_the_game(
    rune: str, limit: int
) -> None:
    king, other = (entry("king", "hand-weapon", rune, general=general) for general in (True, False))
    twice = judged("dwarven-holds", king, other, limit=limit)
    assert faults(twice) == [Fault("one-of-a-kind.over", "one-of-a-kind", 2, 1)]
    assert_right(judged("dwarven-holds", king, entry("king", "hand-weapon"), limit=limit))


def prince(*options: str, armour: str) -> Report:
    made = entry("high-prince", armour, "hand-weapon", *options, general=True)
    return judged("highborn-elves", made)


def mage(level: str, *options: str) -> Report:
    made = entry("mage", "unarmoured", "pyromancy", level, *options, general=True)
    return judged("highborn-elves", made)


#: Items of Highborn Elves whose source tells in their name who may have them: the words of the
#: restriction, what the prince wears, what he must not ride and what he may.
NAMED = [
    ("ring-of-the-pearl-throne", "models of Gigantic Height", "light-armour", "dragon", "griffon"),
    ("potion-of-strength", "Towering Presence", "light-armour", "dragon", "elven-horse"),
    ("rangers-boots", "on foot", "light-armour", "elven-horse", ""),
    ("rangers-boots", "Standard Height", "light-armour", "dragon", ""),
    ("protection-of-dorac", "on foot", "heavy-armour", "dragon", ""),
    ("glittering-lacquer", "Cavalry", "light-armour", "dragon", "elven-horse"),
    ("glittering-lacquer", "Cavalry", "light-armour", "", "elven-horse"),
    ("essence-of-mithril", "Standard Height", "light-armour", "dragon", ""),
    ("destinys-call", "Standard Height", "light-armour", "dragon", "elven-horse"),
]


@pytest.mark.parametrize(("item", "words", "armour", "wrong", "right"), NAMED)
def test_an_item_asks_what_its_name_said_in_the_source(
    item: str, words: str, armour: str, wrong: str, right: str
) -> None:
    refused = prince(item, *filter(None, [wrong]), armour=armour)
    assert faults(refused) == [Fault("option.requires", "option-allowed")]
    assert words in sentence(next(one for one in refused.findings if one.code not in UNFINISHED))
    assert_right(prince(item, *filter(None, [right]), armour=armour))


def test_a_wizard_master_reads_no_book_of_arcane_mastery() -> None:
    refused = mage("wizard-master", "book-of-arcane-mastery")
    assert faults(refused) == [Fault("option.requires", "option-allowed")]
    assert_right(mage("wizard-adept", "book-of-arcane-mastery"))


def test_no_lacquer_for_a_mage_on_foot() -> None:
    refused = mage("wizard-adept", "glittering-lacquer")
    assert faults(refused) == [Fault("option.requires", "option-allowed")]
    assert_right(mage("wizard-adept", "glittering-lacquer", "elven-horse"))


LORD = ("favour-of-cibaresh-god-of-lust", "hand-weapon", "shield")


@pytest.mark.parametrize("theirs", ["king-slayer", "shield-breaker"])
def test_an_item_at_another_price_is_the_same_item(theirs: str) -> None:
    book = "warriors-of-the-dark-gods"
    lord = entry("chosen-lord", "king-slayer", *LORD, general=True)
    report = judged(book, lord, entry("feldrak-ancestor", f"{theirs}-f", "hand-weapon"))
    two = [Fault("one-of-a-kind.over", "one-of-a-kind", 2, 1)]
    assert faults(report) == (two if theirs == "king-slayer" else [])


SYSTEMS = ("t9a-2023", "t9a-2024", "essence-of-war")
BOOKS = [book for system in SYSTEMS for book in shipped_library().books[system].values()]
#: More options than so many are pressed; the richest unit of Essence of War has few.
MANY = {"essence-of-war": 1}
OVER = {"group.over", "items.slot", "items.dominant"}


@pytest.mark.one_in(18)
@pytest.mark.parametrize("book", BOOKS, ids=[f"{book.system}/{book.id}" for book in BOOKS])
def test_pressing_all_that_is_open_on_a_book_s_richest_unit_leaves_no_two_of_one(
    book: Book,
) -> None:
    catalogue = shipped_library().catalogue(book.system, [book.id])
    unit = max(book.units.values(), key=lambda unit: len(unit.offer.slots))
    empty = unit_edits.new_document(catalogue, "x", catalogue.system.default_size)
    document, entry = unit_edits.add_unit(empty, catalogue, unit.ref)
    pressed = set()
    while True:
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        over = [found for found in report.findings if found.code in OVER and found.allowed == 1]
        assert over == [], pressed
        line = report.line(entry)
        assert line is not None
        offered = flat(offers(line, report))
        free = (one for one in offered if not (one.why or one.number or one.path in pressed))
        path = next((one.path for one in free), None)
        if path is None:
            break
        pressed.add(path)
        document = option_edits.switch_option(document, catalogue, entry, path)
    assert len(pressed) > MANY.get(book.system, 5)
