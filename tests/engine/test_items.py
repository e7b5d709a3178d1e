"""Special items on one unit: kinds "per-unit" and "enchants"."""

from typing import Any

import pytest

from armybuilder.engine import Report
from armybuilder.engine.sentences import sentence
from tests.building.regiments import army, field, group, option, taken, unit
from tests.building.tiny import codes, judge, only, rule


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


@pytest.mark.parametrize(
    ("options", "found"),
    [
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
    ],
)
def test_an_enchantment_is_put_on_what_the_unit_carries(
    options: list[Any], found: list[str]
) -> None:
    report = enchanted(*options)
    assert codes(report) == found
    assert all(each.units == ("u1",) for each in report.findings)


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


@pytest.mark.parametrize(
    ("options", "found"),
    [
        (["salve"], ["armour"]),
        (["salve", "plate"], []),
        (["salve", "shield"], []),
        (["salve", "horse"], ["armour"]),
        # what the entry ties to an option is put on that, whatever it is called
        (["horse", "blessing"], []),
        ([taken("horse", "barding-rune")], []),
        # what says what it fits needs just that
        (["gilding", "shield"], ["plate or mail"]),
    ],
)
def test_an_enchantment_that_says_nothing_needs_one_of_what_the_rule_names(
    options: list[Any], found: list[str]
) -> None:
    kind = {"item": "armour-enchantment"}
    horse = option("horse", 9, option("barding-rune", 5, **kind))
    extra = [option("salve", 5, **kind), option("blessing", 5, needs={"taken": "horse"}, **kind)]
    kept = [each for each in HERO["options"] if each["id"] != "horse"]
    some = {"otherwise": ["plate", "shield"], "otherwise_name": "armour"}
    made = army(
        {**HERO, "options": [*kept, horse, *extra]},
        rules=[rule("enchants", "items.slot", id="worn", of=kind, **some)],
    )
    entries = field("hero", *options)
    assert [each.values["names"] for each in judge(made, entries).findings] == found


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
