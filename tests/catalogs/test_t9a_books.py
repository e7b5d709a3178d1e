"""The shipped books of The Ninth Age and Essence of War against figures read from their sources by
other means.

`…_source_prices.json` is what `source_prices.py` of packages/bookimport makes of the BattleScribe
files; it shares no code with the importer that made the books. Where the two differ, the reason
stands here by name.
"""

import json
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from armybuilder.editing import option_edits, unit_edits
from armybuilder.engine import Report, Severity, validate
from armybuilder.engine.catalogue import Book, Catalogue
from armybuilder.engine.lines import Line, make_lines
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat, offers
from armybuilder.engine.options import Offer
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.loading.documents import Document, make_roster
from armybuilder.loading.library import shipped_library
from tests.building.documents import value_of
from tests.engine import tables

pytestmark = pytest.mark.long

#: Games with the figures of their sources.
TABLES = {
    "t9a-2023": "t9a_source_prices.json",
    "t9a-2024": "t9a_2024_source_prices.json",
    "essence-of-war": "essence_of_war_source_prices.json",
}
BOOKS = [book for system in TABLES for book in shipped_library().books[system].values()]


def rows_of(file: str) -> dict[str, dict[str, Any]]:
    table = json.loads(Path(__file__).with_name(file).read_text("utf-8"))
    return {name: {row["name"].strip("\u200b"): row for row in table[name]["units"]}
            for name in table}  # fmt: skip


ROWS = {system: rows_of(file) for system, file in TABLES.items()}

every_book = pytest.mark.parametrize(
    "book", BOOKS, ids=[f"{book.system}/{book.id}" for book in BOOKS]
)

#: Units whose cap the source writes as a limit on what the unit stands in, which the table does not
#: read; in a list both are the army.
CAPS_ON_PARENT = {"Sea Wolves": 2, "Kadim Chariot": 3, "Raptor Pack": 2, "Raptor Pack (Core)": 2}

#: A choice that must be made, with a default that costs something: a fresh unit has it, the table
#: leaves it out. Crossbow 5 and in 2024 10; Common Orc 4 and Common Goblin 2 for each of five
#: models; Spear 2 for each of eight.
PRICED_DEFAULTS = {
    "t9a-2023": {
        "Frost Mammoth": 5 * 2, "Mounted ‘Eadbashers": 5 * 4, "Goblin Raiders": 5 * 2,
    },
    "t9a-2024": {"Frost Mammoth": 10 * 2, "Raptor Riders": 8 * 2},
    "essence-of-war": {},
}  # fmt: skip

#: Books whose army must hold a certain choice, so that a list without it has `cap.under`.
MUST_HOLD = {
    "cultists": "Cultist Species Archetype",
    "legions-of-sin": "Legion of Sin",
    "undying-dynasties": "Hierophant",
}

#: What any list of one unit lacks.
UNFINISHED = {
    "points.under", "category.missing", "category.under", "units.too-few", "general.missing"
}  # fmt: skip

#: So many times at most a choice is made until a fresh unit has all it must have.
MOST_CHOICES = 8


def catalogue_of(book: Book) -> Catalogue:
    return shipped_library().catalogue(book.system, [book.id])


def fresh(unit: Unit, catalogue: Catalogue) -> Document:
    """A list of the least there is of one unit."""
    empty = unit_edits.new_document(catalogue, "One unit", catalogue.system.default_size)
    document, entry = unit_edits.add_unit(empty, catalogue, unit.ref)
    assert entry == "u1"
    return document


def report_of(document: Document, catalogue: Catalogue) -> Report:
    return validate(make_roster(value_of(document), catalogue), catalogue)


def line_of(document: Document, catalogue: Catalogue) -> Line:
    roster = make_roster(value_of(document), catalogue)
    assert roster.strays == ()
    (line,) = make_lines(roster, catalogue.system)
    return line


def is_t9a(book: Book) -> bool:
    return book.system.startswith("t9a-")


def slug(category: str) -> str:
    """Our id of a category by its name in the source: "Clan's Thunder (local)"; (OK) and (local)
    name its book, while (Aves) is part of the name.
    """
    name = re.sub(r" \((local|[A-Z]+)\)", "", category).replace("'", "").replace("’", "")
    return "-".join(re.findall(r"\w+", name.casefold()))


def paths(offer: Offer, above: str = "") -> Iterator[str]:
    """The way to every option of an offer, those taken on others too."""
    for option_id, slots in offer.slots.items():
        yield f"{above}{option_id}"
        yield from paths(slots[0].option.offer, f"{above}{option_id}/")


def with_option(document: Document, catalogue: Catalogue, path: str) -> Document:
    """The list with an option taken, and before it what it is taken on."""
    steps = path.split("/")
    for number in range(1, len(steps) + 1):
        here = "/".join(steps[:number])
        document = option_edits.set_number(document, catalogue, "u1", here, 1)
    return document


@pytest.mark.parametrize("system", TABLES)
def test_every_book_of_the_source_is_shipped_with_all_its_units(system: str) -> None:
    books = shipped_library().books[system].values()
    shipped = {book.name: {unit.name for unit in book.units.values()} for book in books}
    assert shipped == {name: set(rows) for name, rows in ROWS[system].items()}


@pytest.mark.one_in(4)
@every_book
def test_units_cost_what_the_source_says_at_their_smallest(book: Book) -> None:
    catalogue = catalogue_of(book)
    for unit in book.units.values():
        row = ROWS[book.system][book.name][unit.name]
        points = report_of(fresh(unit, catalogue), catalogue).spent
        assert points - PRICED_DEFAULTS[book.system].get(unit.name, 0) == row["points"], unit.name
        assert unit.price.extra == row["per_model"], unit.name


@every_book
def test_units_have_the_sizes_caps_and_categories_of_the_source(book: Book) -> None:
    for unit in book.units.values():
        row = ROWS[book.system][book.name][unit.name]
        size = [amount.base for amount in unit.size] if unit.size else [1, 1]
        assert size == row["size"], unit.name
        cap = unit.cap and (1 if unit.cap.one_of_a_kind else unit.cap.number.base)
        on_parent = {} if row["cap"] is not None else CAPS_ON_PARENT
        assert cap == on_parent.get(unit.name, row["cap"]), unit.name
        once = dict.fromkeys(slug(name) for name in row["categories"])
        assert list(unit.categories) == list(once), unit.name


def test_every_known_difference_is_one_unit_of_the_source() -> None:
    for system, known in [
        *PRICED_DEFAULTS.items(),
        ("t9a-2023", CAPS_ON_PARENT),
        ("t9a-2024", CAPS_ON_PARENT),
    ]:
        names = [name for rows in ROWS[system].values() for name in rows]
        assert {name: names.count(name) for name in known} == dict.fromkeys(known, 1), system


@pytest.mark.one_in(9)
@every_book
def test_a_fresh_unit_lacks_nothing_but_choices(book: Book) -> None:
    """A daemon of a certain sin, too, needs that sin to be the army's."""
    catalogue = catalogue_of(book)
    for unit in book.units.values():
        report = report_of(fresh(unit, catalogue), catalogue)
        found = {finding.code: finding.values for finding in report.findings}
        must_hold = MUST_HOLD.get(book.id, unit.name) if is_t9a(book) else unit.name
        assert found.pop("cap.under", {"what": unit.name})["what"] == must_hold, unit.name
        of_a_sin = {"option.requires"} if is_of_a_sin(unit) else set()
        assert found.keys() - UNFINISHED - {"group.under"} == of_a_sin, unit.name


def is_of_a_sin(unit: Unit) -> bool:
    return unit.book == "legions-of-sin" and unit.needs is not None


@pytest.mark.one_in(18)
@every_book
def test_the_choices_a_fresh_unit_lacks_can_be_made(book: Book) -> None:
    catalogue = catalogue_of(book)
    for unit in book.units.values():
        document = fresh(unit, catalogue)
        for _ in range(MOST_CHOICES):
            document = with_a_choice(document, catalogue)
        aspects = {breach.aspect for breach in line_of(document, catalogue).loadout.breaches}
        assert aspects == ({"unavailable"} if is_of_a_sin(unit) else set()), unit.name


def with_a_choice(document: Document, catalogue: Catalogue) -> Document:
    """The list with one more thing that its unit must have, if it lacks any: an option that must
    be taken, or one out of the last group that has too few, which may rule out a group before it.
    """
    report = report_of(document, catalogue)
    (line,) = report.full.lines
    breaches = line.loadout.breaches
    short = {"/".join(one.path or ()) for one in breaches if one.aspect == "group-under"}
    for path in short & set(paths(line.unit.offer)):
        return option_edits.switch_option(document, catalogue, "u1", path)
    for group in reversed([*groups_in(offers(line, report))]):
        if group.path in short:
            for option in options_in(group.inner):
                if not option.why and option.most != option.number:
                    number = option.number + 1
                    return option_edits.set_number(document, catalogue, "u1", option.path, number)
    return document


def groups_in(offered: tuple[OptionOffer | GroupOffer, ...]) -> Iterator[GroupOffer]:
    for part in offered:
        if isinstance(part, GroupOffer):
            yield part
        yield from groups_in(part.inner)


def options_in(offered: tuple[OptionOffer | GroupOffer, ...]) -> Iterator[OptionOffer]:
    """The options of a group and of groups in it, but not what is taken on options."""
    for part in offered:
        if isinstance(part, OptionOffer):
            yield part
        else:
            yield from options_in(part.inner)


@pytest.mark.one_in(18)
@every_book
def test_every_option_can_be_put_on_the_list_and_its_points_count(book: Book) -> None:
    catalogue = catalogue_of(book)
    for unit in book.units.values():
        document = fresh(unit, catalogue)
        for path in paths(unit.offer):
            line = line_of(with_option(document, catalogue, path), catalogue)
            assert path.split("/")[-1] in {taken.pick.id for taken in line.loadout.taken}, path
            parts = sum(taken.points for taken in line.loadout.taken)
            assert line.loadout.points == parts, (unit.name, path)
            if not unit.price_changes:
                assert line.points == unit.price.of(line.models) + parts, (unit.name, path)


@pytest.mark.one_in(9)
@every_book
def test_every_book_has_a_unit_that_may_be_the_general(book: Book) -> None:
    catalogue = catalogue_of(book)
    characters = [unit for unit in book.units.values() if "characters" in unit.categories]
    leaders = []
    for unit in filter(lambda unit: unit.can_lead and unit.counts, characters):
        document = unit_edits.switch_role(fresh(unit, catalogue), catalogue, "u1", "general")
        report = validate(make_roster(value_of(document), catalogue), catalogue)
        if "general.not-eligible" not in {finding.code for finding in report.findings}:
            leaders.append(unit.name)
    assert leaders


#: What makes somebody a bearer of banner enchantments.
BEARERS = ("standard-bearer", "bannerman")
#: Entries that offer banner enchantments to nobody: their file forgot to ask for a bearer.
BEARERLESS = {"kingdom-of-equitaine/paladin"}


def item_of(offer: Offer, path: str) -> str:
    """The kind of special item that stands at a path, "" where it is none."""
    step, _, rest = path.partition("/")
    option = offer.slots[step][0].option
    return item_of(option.offer, rest) if rest else option.item


@pytest.mark.one_in(18)
@every_book
def test_every_banner_enchantment_has_somebody_to_bear_it(book: Book) -> None:
    catalogue = catalogue_of(book)
    refused = set()
    for unit in book.units.values():
        bearers = [path for path in paths(unit.offer) if path.endswith(BEARERS)]
        for path in paths(unit.offer):
            if item_of(unit.offer, path) != "banner-enchantment":
                continue
            document = with_option(fresh(unit, catalogue), catalogue, path)
            for bearer in bearers[:1]:
                document = with_option(document, catalogue, bearer)
            report = validate(make_roster(value_of(document), catalogue), catalogue)
            if "banner-bearer" in {finding.head.id for finding in report.findings}:
                refused.add(unit.ref)
    bearerless = {ref for ref in BEARERLESS if ref.startswith(f"{book.id}/")}
    assert refused == (bearerless if is_t9a(book) else set())


# Lists that are legal or not by one word of a book, new units, and lists of former editions.


#: What a list of one or two units lacks, whatever they are.


def judged(book: str, text: str) -> Report:
    """The report on a list of one book, by the notation of tests.engine.tables."""
    named = re.sub(r"(^|, )(?=\w)", rf"\g<1>{book}/", text.partition(" |")[0])
    limit = text.partition("limit=")[2] or 4500
    return tables.judged(books_catalogue(book), f"{named} | limit={limit}")


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
def test_book_rules_give_the_expected_verdicts(book: str) -> None:
    reports = {text: judged(book, text) for text in LISTS[book]}
    assert {text: faults(report) for text, report in reports.items()} == LISTS[book]
    for text, report in reports.items():
        if not LISTS[book][text] and "feldrak" not in text:
            assert_right(report)


@cache
def books_catalogue(book: str) -> Catalogue:
    return shipped_library().catalogue("t9a-2023", [book])


#: Units that have Greater Dominion, by the source file.
RULERS = {
    "omen-of-savar", "sentinel-of-nukuja", "maw-of-akaan", "kuulimas-deceiver",
    "courtesan-of-cibaresh", "miser-of-sugulag", "vanadras-scourge",
}  # fmt: skip


def test_whoever_takes_greater_dominion_must_lead() -> None:
    units = books_catalogue("daemon-legions").units
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


def test_models_of_a_special_unit_can_count_as_core() -> None:
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


#: More options than so many are pressed; the richest unit of Essence of War has few.
MANY = {"essence-of-war": 1}
OVER = {"group.over", "items.slot", "items.dominant"}


@pytest.mark.one_in(30)
@every_book
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
