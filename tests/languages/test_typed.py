"""What people may type in their language: words of messages that no page shows."""

import re

import pytest
from django.utils.translation import override

from armybuilder.languages import Typed, in_every_language, typed, typed_pattern
from tests.languages.hiding import hide_messages
from tests.languages.messages import LANGUAGES, messages, po_file, read

FREE = Typed("typed", "free|gratis")
UP_TO = Typed("typed", "up to|at most|max.|max")


def test_words_of_every_language_are_known_whichever_is_spoken() -> None:
    with override("de"):
        assert {"free", "gratis", "frei", "gratuit"} <= typed(FREE)


def test_what_is_typed_is_the_same_while_messages_are_looked_up_otherwise(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    in_every_language.cache_clear()
    hide_messages(monkeypatch)
    assert in_every_language("My lists")[0] == "My lists"


def test_a_pattern_takes_any_spaces_and_apostrophes_and_the_longest_first() -> None:
    pattern = re.compile(typed_pattern(UP_TO), re.I)
    for said in ("up  to", "Jusqu'à", "jusqu’à", "bis\u00a0zu", "MAX."):
        assert pattern.fullmatch(said), said
    found = pattern.match("max. 3")
    assert found
    assert found[0] == "max."


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_word_typed_is_empty_in_any_language(language: str) -> None:
    said = {entry.id: entry.string for entry in read(po_file(language), language)}
    for message in messages():
        if message.key.context == "typed":
            assert all(word.strip() for word in said[message.key.text].split("|"))
