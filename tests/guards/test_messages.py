"""Everything on screen can be translated, and every translation is whole."""

import ast
import re
from collections.abc import Iterator

import pytest

from tests.guards.code import ROOT, Module, modules
from tests.languages.messages import (
    LANGUAGES,
    as_mo,
    brought_up_to_date,
    compiled,
    key_of,
    messages,
    mo_file,
    po_file,
    read,
)
from tests.languages.untranslated import untranslated

TEMPLATES = sorted(
    file for file in (ROOT / "templates").rglob("*") if file.suffix in (".html", ".txt")
)
#: Words of templates that are the same in every language, and why.
SAME_EVERYWHERE = {
    "Army Builder": "the program's name",
    "manage.py check_catalogues": "a command",
}
#: Templates that need not be translated, and why.
FOR_ENGINEERS = {
    "templates/gallery/": "shown to those who work on the program only",
}
#: Values of sentences that only English grammar needs.
GRAMMAR = {"{are}"}
#: How a value is written; that too is a matter of grammar.
_SMALL = re.compile(r":small(?=\})")

_VALUES = re.compile(r"%\(\w+\)s|\{[\w:]*\}")


@pytest.mark.one_in(2)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_translations_know_exactly_what_is_said(language: str) -> None:
    """If it fails: `make messages`."""
    known = {key_of(entry) for entry in read(po_file(language), language) if entry.id}
    said = {message.key for message in messages()}
    assert said - known == set()
    assert known - said == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_nothing_is_left_untranslated_or_unsure(language: str) -> None:
    entries = [entry for entry in read(po_file(language), language) if entry.id]
    missing = [
        entry.id
        for entry in entries
        if not (all(entry.string) if isinstance(entry.string, tuple) else entry.string)
    ]
    assert missing == []
    assert [entry.id for entry in entries if entry.fuzzy] == []


def texts(string: str | tuple[str, ...]) -> tuple[str, ...]:
    return string if isinstance(string, tuple) else (string,)


def values_in(text: str) -> set[str]:
    return set(_VALUES.findall(_SMALL.sub("", text)))


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_name_the_values_of_their_sentences(language: str) -> None:
    wrong = []
    for entry in read(po_file(language), language):
        named = values_in(" ".join(texts(entry.id)))
        needed = values_in(texts(entry.id)[-1]) - GRAMMAR
        for number, said in enumerate(filter(None, texts(entry.string) if entry.id else ())):
            # The sentence for one may say "one" in words, in any language.
            has = values_in(said)
            of_one = isinstance(entry.id, tuple) and number == 0
            if has - named or (needed - has and not of_one):
                wrong.append((entry.id, said))
    assert wrong == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_translations_are_those_written(language: str) -> None:
    """If it fails: `make messages`."""
    assert mo_file(language).read_bytes() == compiled(language)
    again = brought_up_to_date(messages(), language, [read(po_file(language), language)])
    assert as_mo(again) == compiled(language)


def test_no_page_says_what_cannot_be_translated() -> None:
    paths = {file.relative_to(ROOT).as_posix(): file for file in TEMPLATES}
    said = {path: untranslated(file.read_text(encoding="utf-8")) for path, file in paths.items()}
    found = {
        path: new
        for path, words in said.items()
        if not path.startswith(tuple(FOR_ENGINEERS)) and (new := set(words) - set(SAME_EVERYWHERE))
    }
    assert found == {}
    everything = {word for words in said.values() for word in words}
    assert set(SAME_EVERYWHERE) - everything == set(), "exceptions of what nobody says"


#: What shows its first or second argument to a player, and which of them.
SHOWS = {"Refusal": 0, "Problem": 2, "Conflict": 0, **dict.fromkeys(("success", "error"), 1)}
#: Rooms whose words are read by engineers only.
NOT_FOR_PLAYERS = {"armybuilder/battlescribe/books/": "writes shipped books, on the command line"}


def told_plainly(module: Module) -> Iterator[str]:
    """Calls that show a text which was not looked up."""
    for node in ast.walk(module.tree):
        if not isinstance(node, ast.Call):
            continue
        name = getattr(node.func, "id", getattr(node.func, "attr", ""))
        place = SHOWS.get(name)
        if place is not None and len(node.args) > place:
            said = node.args[place]
            if isinstance(said, ast.JoinedStr | ast.BinOp) or (
                isinstance(said, ast.Constant) and said.value
            ):
                yield f"{module.path}:{said.lineno}"


def test_what_is_refused_or_told_can_be_translated() -> None:
    found = [
        place
        for module in modules()
        if not module.path.startswith((*NOT_FOR_PLAYERS, "armybuilder/management/"))
        for place in told_plainly(module)
    ]
    assert found == []
