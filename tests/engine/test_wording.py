"""What the engine says passes through one place, where a translation can be put in."""

from collections.abc import Iterator

import pytest
from django.utils.translation import gettext, ngettext

from armybuilder.engine import nouns, wording
from armybuilder.engine.nouns import counted, known, several
from armybuilder.engine.sentences import sentence
from armybuilder.engine.wording import (
    Later,
    either,
    inside,
    listed,
    quote,
    say,
    say_count,
    speak_with,
    spelled,
)
from armybuilder.loading.library import shipped_library
from tests.building.tiny import game, judge, rule, take, unit

GERMAN = {
    "needs {what}": "braucht {what}",
    "{first} and {last}": "{first} und {last}",
    "{first} or {last}": "{first} oder {last}",
    "points": "Punkte",
    "creatures": "Kreaturen",
    "Point value": "Punktwert",
    "at most {number}": "höchstens {number}",
    "{unit}: {stat} is {measured}; it must be {bounds}.": "{unit}: {stat} {measured}, {bounds}!",
    "{unit}: fill in the {names} from your card.": "{unit}: {names} von der Karte eintragen.",
}
COUNTED = {"{number} point": ("{number} Punkt", "{number} Punkte")}


@pytest.fixture
def german() -> Iterator[None]:
    speak_with(
        lambda text: GERMAN.get(text, text),
        lambda one, many, number: COUNTED.get(one, (one, many))[number != 1],
    )
    yield
    speak_with(gettext, ngettext)


def test_a_sentence_without_values_may_hold_braces() -> None:
    assert say("Write {} for nothing.") == "Write {} for nothing."


def test_a_name_in_a_sentence_is_small_in_english_only(monkeypatch: pytest.MonkeyPatch) -> None:
    told = Later("with the {role}", role=inside("Battle Standard"))
    assert (str(told), str(spelled("great-weapon"))) == ("with the battle standard", "great weapon")
    monkeypatch.setitem(GERMAN, "{name:small}", "{name}")
    monkeypatch.setattr(wording, "_translate", lambda text: GERMAN.get(text, text))
    assert str(told) == "with the Battle Standard"
    assert either([spelled("great-weapon")]) == "Great Weapon"


def test_what_somebody_wrote_is_quoted_as_the_reader_does(monkeypatch: pytest.MonkeyPatch) -> None:
    assert quote("a {b}") == "“a {b}”"
    monkeypatch.setattr(wording, "_translate", lambda text: {"“{text}”": "„{text}“"}[text])
    assert quote("a {b}") == "„a {b}“"


def test_later_words_are_equal_where_they_say_the_same() -> None:
    assert Later("at most {number}", number=3) == Later("at most {number}", number=3)
    assert Later("at most {number}", number=3) != Later("at most {number}", number=4)
    assert f"{Later('at most {number}', number=3)}!" == "at most 3!"


def test_sentences_are_looked_up_and_listed_as_people_do(german: None) -> None:
    # A sentence is looked up before it is filled.
    assert say("needs {what}", what="{braces}") == "braucht {braces}"
    assert say("nobody translated {what}", what="this") == "nobody translated this"
    assert say_count("{number} point", "{number} points", 3) == "3 Punkte"
    # Words are listed as people do.
    assert listed(["a"]) == either(["a"]) == "a"
    assert listed(["a", "b", "c"]) == "a, b und c"
    assert either(["a", "b", "c"]) == "a oder b oder c"
    assert listed([]) == either([]) == ""
    # What is laid out once is said in the language of the moment.
    catalogue = game(
        rule("stat", "unit.stats", stat="nerve", max=3),
        rule("complete", "unit.incomplete", id="cards"),
        units=[unit("ogre", None, stats={"nerve": 9})],
    )
    said = [sentence(found) for found in judge(catalogue, take("ogre")).findings]
    assert said == ["Ogre: nerve 9, höchstens 3!", "Ogre: Punkte von der Karte eintragen."]
    # Nouns that games use are known and others said as the file has them.
    assert counted(1, "point") == "1 Punkt"
    assert several("creature") == "Kreaturen"
    assert known("Point value") == "Punktwert"
    assert (counted(1, "golem"), counted(2, "golem")) == ("1 golem", "2 golems")
    assert (several("golem"), known("golem")) == ("golems", "golem")


def test_every_noun_of_a_shipped_system_is_known() -> None:
    for system in shipped_library().systems.values():
        assert {system.model_word, system.warband_word, system.points_name} <= set(nouns._KNOWN)
        assert {system.model_word, system.warband_word} <= {*nouns._COUNTED} & {*nouns._SEVERAL}
