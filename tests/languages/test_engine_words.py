"""No sentence of the engine, of the loader or of the converter is left in English."""

import json
from collections.abc import Iterator
from typing import Any

import pytest

from armybuilder.converting.dnd import convert
from armybuilder.converting.fields import CHOICE_FIELDS, FIELDS, read_choices, read_scores
from armybuilder.converting.price import HUMAN_GLAIVER, suggest
from armybuilder.converting.scores import SIZES, TYPES, BadScores
from armybuilder.engine import Report
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import option_cost, side_marks, size_range, size_words
from armybuilder.engine.sentences import sentence
from armybuilder.loading.documents import read_document
from armybuilder.loading.library import CATALOGUE_DIR, book_problems, shipped_library
from armybuilder.loading.problems import Refusal
from tests.building.tiny import book_data, judge, take
from tests.engine import test_sentences
from tests.golden.adapter import oz_catalogue
from tests.languages.hiding import HIDDEN, hide_messages, names_in, strings, unhidden

SYSTEMS = sorted(path.parent.name for path in CATALOGUE_DIR.glob("*/system.json"))
#: Names in the books that the tests make up.
MADE_UP = {
    *("wolf rat saint fiend hero ann idol bird rune axe core aves soldier golden other", "model"),
    *("hunter icon gilding chief tyrant characters", "nerve book"),
}


@pytest.fixture(autouse=True)
def hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    hide_messages(monkeypatch)


@pytest.fixture(scope="module")
def catalogue_names() -> set[str]:
    systems = names_in(*(f"{system}/system" for system in SYSTEMS))
    books = names_in("chainmail-2002/practice", "chainmail-2002/known-cards")
    return systems | books | MADE_UP | set(names_of(oz_catalogue()))


def names_of(catalogue: Catalogue) -> Iterator[str]:
    for unit in catalogue.units.values():
        yield unit.name
        for slots in unit.offer.slots.values():
            yield from (group.name for slot in slots for group in slot.groups)
        yield from (option.name for option in unit.offer.options())


def bad_lists() -> Iterator[Any]:
    yield from test_sentences.chainmail()
    yield from test_sentences.songs()
    yield from test_sentences.creatures()
    yield from test_sentences.starter()
    yield from test_sentences.ninth_age()


def test_findings_say_nothing_in_english_but_names(catalogue_names: set[str]) -> None:
    for found in bad_lists():
        assert unhidden(sentence(found), catalogue_names) == set(), found.code
        if not found.head.pointer:
            assert unhidden(f"{found.head.summary} {found.citation}", set()) == set()


def shown(report: Report) -> str:
    facts = " ".join(f"{name} {fact.text} {fact.note}" for name, fact in report.facts)
    gauges = " ".join(f"{gauge.name} {gauge.lineup}" for gauge in report.gauges)
    return f"{facts} {gauges}"


def test_numbers_and_facts_say_nothing_in_english_but_names(catalogue_names: set[str]) -> None:
    books = shipped_library().catalogue("chainmail-2002", ["practice", "known-cards"])
    mine = (
        take("practice/embalmer-voskeh"),
        take("practice/bonegnaw-raider", 2, "reserve"),
        take("known-cards/human-warrior"),
    )
    report = judge(books, *mine)
    assert unhidden(shown(report), catalogue_names) == set()
    marks = [mark for numbers in report.lines.values() for mark in side_marks(numbers)]
    assert marks
    assert unhidden(" ".join(marks), set()) == set()


def test_sizes_and_costs_say_nothing_in_english() -> None:
    sizes = [(1, 1), (5, 5), (20, 50), (5, None)]
    said = [words(low, high) for low, high in sizes for words in (size_words, size_range)]
    elves = shipped_library().catalogue("t9a-2023", ["highborn-elves"])
    said += [
        option_cost(option) for unit in elves.units.values() for option in unit.offer.options()
    ]
    assert unhidden(" ".join(said), set()) == set()


BROKEN_LISTS: list[Any] = [
    b"no json",
    b'{"a": 1, "a": 2}',
    b"[]",
    {"format": "armylist/1"},
    {"format": 3, "units": "none", "limit": "big"},
]


def test_a_broken_list_is_refused_in_no_english() -> None:
    keys = {"expecting value json utf none big armylist format system books limit units name"}
    for broken in BROKEN_LISTS:
        raw = broken if isinstance(broken, bytes) else json.dumps(broken).encode()
        with pytest.raises(Refusal) as refused:
            read_document(raw)
        words = [refused.value.sentence]
        words += [f"{one.message} {one.advice}" for one in refused.value.problems]
        assert unhidden(" ".join(words), keys) == set()
        assert all(HIDDEN in text for text in words)


def test_the_mistakes_of_a_book_are_told_in_no_english() -> None:
    system = shipped_library().system("chainmail-2002")
    units = [
        {"id": "a", "name": "A", "points": 1, "attributes": {"faction": "none", "mood": "bad"}},
        {"id": "a", "name": "B", "stats": {"speed": 3, "luck": 1}, "abilities": ["flight"]},
        {"id": "c", "name": "C", "points": 2, "abilities": ["commander", "untrained-troop 2"]},
    ]
    book = book_data(*units, system=system.id)
    problems = book_problems(book, system, "book")
    assert len(problems) > 5
    names = set(strings(book)) | names_in("chainmail-2002/system") | {"commander id points"}
    for problem in problems:
        assert unhidden(f"{problem.message} {problem.advice}", names) == set()


CREATURE = {
    "name": "Ogre", "type": "giant", "alignment": "evil", "hit_dice": "4d8+8", "hit_points": "26",
    "speed": "30", "fly": "60", "armor_class": "16", "melee_attack": "8", "melee_damage": "2d8+7",
    "melee_number": "2", "second_attack": "3", "second_damage": "1d6", "ranged_attack": "1",
    "ranged_damage": "1d8+5", "ranged_kind": "thrown", "one_shot": "yes", "fortitude": "6",
    "reflex": "0", "will": "1", "intelligence": "6", "charisma": "-2", "size": "large",
    "turning_level": "3", "base_attack": "3", "feats": "Power Attack\nDodge\nCleave\nBrew Potion",
    "abilities": "sneak-attack 1", "dwarf": "yes", "commoner": "yes", "burrow": "10",
}  # fmt: skip
#: Names of the game's abilities and of feats, which stand in results.
OF_THE_GAME = {
    *("difficult wild independent untrained scary extra melee ranged attack", "blunt large"),
}


def test_the_steps_of_a_conversion_are_told_in_no_english() -> None:
    made = convert(read_scores(CREATURE), read_choices({"power_attack": "yes"}))
    names = {*CREATURE.values(), *OF_THE_GAME, *strings(made.unit)}
    suggestion = suggest(made.unit)
    assert unhidden(suggestion.sentence, {str(HUMAN_GLAIVER["name"])}) == set()
    for step in (*made.steps, *suggestion.steps):
        told = " ".join([step.what, step.given, step.how, step.result, step.choice])
        assert unhidden(told, names | {"human glaiver"}) == set(), step


def test_the_fields_of_a_conversion_and_their_mistakes_are_told_in_no_english() -> None:
    for field in (*FIELDS, *CHOICE_FIELDS):
        choices = [str(name) for _, name in field.choices if field.name not in ("type", "size")]
        said = " ".join([str(field.label), str(field.help), str(field.section), *choices])
        assert unhidden(said, set()) == set(), field.name
    with pytest.raises(BadScores) as bad:
        read_scores({field.name: "?" for field in FIELDS})
    said = " ".join(bad.value.errors.values())
    assert unhidden(said, {*SIZES, *TYPES, "sneak attack immune fire"}) == set()
