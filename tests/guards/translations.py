"""Everything on screen can be translated, and every translation is whole."""

import ast
import re
from collections.abc import Iterator

from tests.guards.code import guard, modules, templates
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

#: Words of templates that are the same in every language, and why.
SAME_EVERYWHERE = {
    "Army Builder": "the program's name",
    "manage.py check_catalogues": "a command",
}
#: Templates that need not be translated: shown to those who work on the program only.
FOR_ENGINEERS = "templates/gallery/"
#: Values of sentences that only English grammar needs.
GRAMMAR = {"{are}"}
#: How a value is written; that too is a matter of grammar.
_SMALL = re.compile(r":small(?=\})")
_VALUES = re.compile(r"%\(\w+\)s|\{[\w:]*\}")

#: What a language doesn't say here: readers are "vous" in French, and nobody is in court.
UNSAID = {
    "de": r"\b(Urteile?|Befunde?)\b",
    "fr": r"\b(tu|toi|tes|ton|fiches?|constats?|à qui reste|[Ss]taff)\b",
}

#: What shows its first or second argument to a player, and which of them.
SHOWS = {"Refusal": 0, "Problem": 2, "Conflict": 0, "success": 1, "error": 1}
#: Rooms whose words are read by engineers only.
NOT_FOR_PLAYERS = "armybuilder/management/"


def values_in(text: str) -> set[str]:
    return set(_VALUES.findall(_SMALL.sub("", text)))


@guard
def translations_are_whole() -> Iterator[str]:
    """Each language translates exactly what is said, with its values: `make messages`."""
    keys = {message.key for message in messages()}
    for language in LANGUAGES:
        catalog = read(po_file(language), language)
        entries = [entry for entry in catalog if entry.id]
        known = {key_of(entry) for entry in entries}
        yield from (f"{language}: unknown: {key.text}" for key in keys - known)
        yield from (f"{language}: no longer there: {key.text}" for key in known - keys)
        for entry in entries:
            ids, strings = (
                part if isinstance(part, tuple) else (part,) for part in (entry.id, entry.string)
            )
            if entry.fuzzy or not all(strings):
                yield f"{language}: untranslated or unsure: {entry.id}"
            named, needed = values_in(" ".join(ids)), values_in(ids[-1]) - GRAMMAR
            for number, string in enumerate(filter(None, strings)):
                # The sentence for one may say "one" in words, in any language.
                of_one = len(ids) > 1 and number == 0
                values = values_in(string)
                if values - named or (needed - values and not of_one):
                    yield f"{language}: other values: {string}"
        compiled_now = compiled(language)
        if mo_file(language).read_bytes() != compiled_now:
            yield f"{language}: not compiled as it is written"
        if as_mo(brought_up_to_date(messages(), language, [catalog])) != compiled_now:
            yield f"{language}: another order or other places"


@guard
def translations_keep_their_register() -> Iterator[str]:
    """German and French address readers in one way, without the words of a court."""
    for language, pattern in UNSAID.items():
        for entry in read(po_file(language), language):
            strings = entry.string if isinstance(entry.string, tuple) else (entry.string,)
            if match := re.search(pattern, " ".join(strings)) if entry.id else None:
                yield f"{language}: {match[0]}: {strings[0]}"


@guard
def templates_say_what_can_be_translated() -> Iterator[str]:
    """No page says what cannot be translated."""
    used = set()
    for path, text in templates().items():
        if path.endswith((".html", ".txt")):
            words = set(untranslated(text))
            used |= words
            if not path.startswith(FOR_ENGINEERS):
                yield from (f"{path}: {word}" for word in words - SAME_EVERYWHERE.keys())
    yield from (f"exception of what nobody says: {one}" for one in SAME_EVERYWHERE.keys() - used)


@guard
def refusals_can_be_translated() -> Iterator[str]:
    """What is refused or told to a player was looked up in a translation."""
    for module in modules():
        if module.path.startswith(NOT_FOR_PLAYERS):
            continue
        for call in module.nodes(ast.Call):
            place = SHOWS.get(getattr(call.func, "id", getattr(call.func, "attr", "")))
            if place is not None and len(call.args) > place:
                shown = call.args[place]
                plain = isinstance(shown, ast.Constant) and shown.value
                if plain or isinstance(shown, ast.JoinedStr | ast.BinOp):
                    yield f"{module.path}:{shown.lineno}"
