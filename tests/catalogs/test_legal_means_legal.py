"""Lists that are legal or not by one word of a book, new units, and lists of former editions."""

import re
from functools import cache

import pytest

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.offers import flat, offers
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.engine import tables

pytestmark = pytest.mark.long

#: What a list of one or two units lacks, whatever they are.
UNFINISHED = {
    "points.under", "category.missing", "category.under", "units.too-few", "general.missing"
}  # fmt: skip


def judged(book: str, text: str) -> Report:
    """The report on a list of one book, by the notation of tests.engine.tables."""
    named = re.sub(r"(^|, )(?=\w)", rf"\g<1>{book}/", text.partition(" |")[0])
    limit = text.partition("limit=")[2] or 4500
    return tables.judged(catalogue_of(book), f"{named} | limit={limit}")


def faults(report: Report) -> str:
    """The codes of its errors with their rules and numbers, but for those of a list that is not
    finished.
    """
    return "; ".join(
        f"{found.code} {found.head.id} {numbers}".strip()
        for found in report.of(Severity.ERROR)
        if found.code not in UNFINISHED
        for numbers in ["" if found.measured is None else f"{found.measured}/{found.allowed}"]
    )


def assert_right(report: Report) -> None:
    """Nothing is wrong with its units, nothing is doubtful, and nothing was left unchecked."""
    assert faults(report) == ""
    assert report.of(Severity.WARNING) == ()
    assert report.complete, [one.sentence for one in report.unchecked]


def brutes(weapon: str, *sizes: int, limit: int = 4500) -> str:
    units = ", ".join(f"murmillo-brutes {size} +{weapon}" for size in sizes)
    return f"{units} | limit={limit}"


NO_BANNER = "items.slot banner-bearer"
TWO_BEARERS = "one-of-a-kind.over battle-standard 2/1"
TWO_OF_A_KIND = "one-of-a-kind.over one-of-a-kind 2/1"
NOT_GENERAL = "general.required must-lead"
NOT_ALLOWED = "option.requires option-allowed"
HERO, BANNERMAN = "folk-hero +light-armour", "folk-hero +light-armour +bannerman"
DICTATOR = "ruinous-dictator {}+i-am-the-senate +avatar-of-udius"
OMEN = "omen-of-savar {}+thaumaturgy +wizard-apprentice"
MAW = "maw-of-akaan {}+evocation +wizard-apprentice"
MAGE = "mage general +unarmoured +pyromancy"
LORD = "chosen-lord general +king-slayer +favour-of-cibaresh-god-of-lust +hand-weapon +shield"
DOMINION = "greater-dominion"
GENERAL = "general "
#: Lists of a book with what is wrong with them; of those with nothing all is right.
LISTS: dict[str, dict[str, str]] = {
    # a command group of three needs three chariots
    "highborn-elves": {
        "reaver-chariots 1 +champion +musician +standard-bearer":
            "unit.too-small command-group 1/3",
        "reaver-chariots 2 +champion +musician +standard-bearer":
            "unit.too-small command-group 2/3",
        "reaver-chariots 3 +champion +musician +standard-bearer": "",
        "reaver-chariots 1 +champion": "", "reaver-chariots 2 +champion +musician": "",
        # a Wizard Master reads no book of arcane mastery
        f"{MAGE} +wizard-master +book-of-arcane-mastery": NOT_ALLOWED,
        f"{MAGE} +wizard-adept +book-of-arcane-mastery": "",
        # no lacquer for a mage on foot
        f"{MAGE} +wizard-adept +glittering-lacquer": NOT_ALLOWED,
        f"{MAGE} +wizard-adept +glittering-lacquer +elven-horse": ""},
    "kingdom-of-equitaine": {
        # a lord bears a banner enchantment only as Battle Standard Bearer, a paladin none
        "equitan-lord general +aether-icon": NO_BANNER,
        "equitan-lord +aether-icon +battle-standard-bearer": "",
        "equitan-lord general +crystal-ball": "",
        **{f"paladin +{banner}": NO_BANNER for banner in (
            "aether-icon", "banner-of-speed", "relic-shroud", "oriflamme")},
        "paladin +crystal-ball": "",
        # a folk hero bears one only as bannerman
        f"{HERO} +castellan +aether-icon": NO_BANNER,
        f"{BANNERMAN} +aether-icon": "", f"{HERO} +castellan +crystal-ball": "",
        # a bannerman is the Battle Standard Bearer
        f"{BANNERMAN}, equitan-lord +battle-standard-bearer": TWO_BEARERS,
        f"{BANNERMAN}, {BANNERMAN}": TWO_BEARERS,
        "folk-hero general +light-armour +bannerman": "general.not-eligible not-a-leader",
        f"{BANNERMAN}, folk-hero general +light-armour +castellan": ""},
    "vermin-swarm": {
        # a Ruinous Dictator is the General
        f"{DICTATOR.format('')}, vermin-senator general": NOT_GENERAL,
        f"{DICTATOR.format(GENERAL)}, vermin-senator": "",
        # heavy weapons of brutes are counted by models, and scaled like any cap
        **{brutes(weapon, *right): "" for weapon, right in [
            ("deepfire-thrower", (5, 4)), ("canister-launcher", (6, 3)), ("rotary-gun", (6, 6))]},
        brutes("deepfire-thrower", 5, 5): "cap.over caps 10/9",
        brutes("canister-launcher", 6, 6): "cap.over caps 12/9",
        brutes("rotary-gun", 6, 4, 3): "cap.over caps 13/12",
        brutes("deepfire-thrower", 5, limit=3000): "",
        brutes("deepfire-thrower", 6, limit=3000): "cap.over caps 6/5",
        brutes("deepfire-thrower", 6, 3): "",
        brutes("deepfire-thrower", 6, 4): "cap.over caps 10/9",
        brutes("deepfire-thrower", 6, 6, 6, limit=8000): "",
        brutes("deepfire-thrower", 6, 6, 4, 3, limit=8000): "cap.over caps 19/18"},
    # Greater Dominion is for the General alone
    "daemon-legions": {
        f"{OMEN.format(GENERAL)} +{DOMINION}, {MAW.format('')} +{DOMINION}": NOT_GENERAL,
        f"{OMEN.format(GENERAL)} +{DOMINION}, {MAW.format('')}": ""},
    # two kings have a rune of One of a Kind once, however large the game
    "dwarven-holds": {
        f"king general +hand-weapon +{rune}, king +hand-weapon{more} | limit={limit}": told
        for rune in ("rune-of-denial", "rune-of-destruction", "rune-of-resistance")
        for limit in (4500, 8000)
        for more, told in ((f" +{rune}", TWO_OF_A_KIND), ("", ""))},
    # an item at another price is the same item
    "warriors-of-the-dark-gods": {
        f"{LORD}, feldrak-ancestor +king-slayer-f +hand-weapon": TWO_OF_A_KIND,
        f"{LORD}, feldrak-ancestor +shield-breaker-f +hand-weapon": ""},
}  # fmt: skip


@pytest.mark.parametrize("book", LISTS)
def test_a_list_is_legal_or_not_by_one_word_of_its_book(book: str) -> None:
    reports = {text: judged(book, text) for text in LISTS[book]}
    assert {text: faults(report) for text, report in reports.items()} == LISTS[book]
    for text, report in reports.items():
        if not LISTS[book][text] and "feldrak" not in text:
            assert_right(report)


@cache
def catalogue_of(book: str) -> Catalogue:
    return shipped_library().catalogue("t9a-2023", [book])


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
        beside = judged(
            "daemon-legions", f"{OMEN.format(GENERAL)} +{DOMINION}, {ruler} +{DOMINION}"
        )
        assert NOT_GENERAL in faults(beside), ruler
        alone = judged("daemon-legions", f"{ruler} general +{DOMINION}")
        assert NOT_GENERAL not in faults(alone), ruler


def test_the_bearer_of_wildheart_is_the_general() -> None:
    hunter = judged("ogre-khans", "mammoth-hunter +wildheart, great-khan general")
    assert NOT_GENERAL in faults(hunter)
    assert NOT_GENERAL not in faults(judged("ogre-khans", "mammoth-hunter general +wildheart"))


TEGUS = (
    "tegu-warriors-with-caiman-mentors 25 +champion +standard-bearer +flaming-standard +spear"
    " +enclave-wizard-50-50 +caiman-mentors-caiman-elders"
)
MENTORED = 210 + 10 * 14 + 10 + 10 + 40 + 25 * 2 + 35


def test_core_is_reached_with_the_models_of_a_unit_that_is_not_in_it() -> None:
    """The least of Core is a quarter, and warriors without mentors are the rest of it."""
    core = judged("saurian-ancients", "tegu-warriors 15").spent + MENTORED
    for limit, under in [(4 * core, []), (4 * core + 4, [(core, core + 1)])]:
        report = judged("saurian-ancients", f"{TEGUS}, tegu-warriors 15 | limit={limit}")
        (gauge,) = [one for one in report.gauges if one.name == "Core"]
        assert gauge.used == core
        found = [one for one in report.findings if one.code == "category.under"]
        assert [(one.measured, one.allowed) for one in found] == under


def prince(*options: str, armour: str) -> Report:
    taken = " ".join(f"+{one}" for one in (armour, "hand-weapon", *options))
    return judged("highborn-elves", f"high-prince general {taken}")


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
    assert faults(refused) == NOT_ALLOWED
    assert words in sentence(next(one for one in refused.findings if one.code not in UNFINISHED))
    assert_right(prince(item, *filter(None, [right]), armour=armour))


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
