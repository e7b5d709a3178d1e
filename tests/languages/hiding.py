"""A language that hides letters: what can still be read on a printout or page was never looked up.

Names that a catalogue or a player gave are no messages; they are taken out before one looks: those
of catalogues as whole phrases, so that a sentence of ours does not pass because each of its words
stands somewhere in a book.
"""

import html
import json
import re
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from django.utils import translation
from django.utils.safestring import SafeData, mark_safe

CATALOGUES = Path(__file__).parents[2] / "catalogs"
#: What a message must keep: its placeholders, and the tags and entities of HTML in it.
_KEPT = re.compile(r"(\{[^{}]*\}|%(?:\(\w+\))?[sd]|%%|<[^>]*>|&\w+;)")
_LETTER = re.compile(r"[^\W\d_]")
_WORD = re.compile(r"[^\W\d_]{3,}")
HIDDEN = "ø"


def hide(text: str) -> str:
    parts = _KEPT.split(text)
    hidden = "".join(
        part if number % 2 else _LETTER.sub(HIDDEN, part) for number, part in enumerate(parts)
    )
    # As Django does: a template's own text is not escaped again.
    return mark_safe(hidden) if isinstance(text, SafeData) else hidden  # noqa: S308


def hide_messages(monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on every message is hidden when it is looked up."""
    functions: dict[str, Callable[..., str]] = {
        "gettext": hide,
        "ngettext": lambda one, many, number: hide(one if number == 1 else many),
        "pgettext": lambda _, text: hide(text),
        "npgettext": lambda _, one, many, number: hide(one if number == 1 else many),
    }
    for name, function in functions.items():
        monkeypatch.setattr(translation._trans, name, function, raising=False)  # type: ignore[attr-defined]


def strings(data: Any) -> Iterator[str]:
    """All strings in JSON data, those that name its fields too."""
    if isinstance(data, str):
        yield data
    elif isinstance(data, dict):
        for key, value in data.items():
            yield key
            yield from strings(value)
    elif isinstance(data, list | tuple):
        for value in data:
            yield from strings(value)


def readable(page: str) -> str:
    """What a reader of HTML sees or hears of its main part."""
    main = page.partition("<main")[2].partition("</main>")[0]
    main = re.sub(r"<(svg|script)\b.*?</\1>", " ", main, flags=re.S)
    attributes = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', main)
    return html.unescape(" ".join([*attributes, re.sub(r"<[^>]*>", " ", f"<main{main}")]))


def unhidden(text: str, names: set[str]) -> set[str]:
    """Words that are neither hidden nor among the names, in small letters."""
    known = {word for name in names for word in _WORD.findall(name.casefold())}
    return {word for word in _WORD.findall(text.casefold()) if HIDDEN not in word} - known


def names_in(*files: str) -> set[str]:
    """Every string of catalogue files, each told as "system/book"."""
    paths = [CATALOGUES / f"{file}.json" for file in files]
    return {name for path in paths for name in strings(json.loads(path.read_text("utf-8")))}


READ_OUT = ("alt", "aria-label", "placeholder", "title")
_LEFT_WORD = re.compile(rf"[^\W\d_{HIDDEN}]+")
#: What says nothing in any language: addresses, hashes.
_SIGNS = re.compile(r"https?://\S+|\b[0-9a-f]{10,}\b")
_ID = re.compile(r"[a-z0-9_./:?{}-]+( [0-9?]+)?")
#: Keys whose values are shown even where they look like ids.
_SHOWN_KEYS = {"name", "short", "gauge", "what", "needs_name", "subtype", "target", "model", "list"}

Phrases = dict[str, list[tuple[str, ...]]]


def leftovers(page: str, phrases: Phrases) -> list[str]:
    """The texts of a page's main part that hold readable words which are no phrase."""
    reader = _Segments()
    reader.feed("<main" + page.partition("<main")[2])
    return [text for text in reader.texts if _left(_words(text), phrases)]


def phrases_of(texts: Iterable[str]) -> Phrases:
    """Texts by their first words, the longest first."""
    found: Phrases = {}
    for words in {tuple(_words(text)) for text in texts} - {()}:
        found.setdefault(words[0], []).append(words)
    for several in found.values():
        several.sort(key=len, reverse=True)
    return found


@cache
def catalogue_phrases() -> tuple[str, ...]:
    files = sorted(CATALOGUES.glob("*/*.json")) + sorted(CATALOGUES.glob("*/examples/*.json"))
    data = [json.loads(file.read_text("utf-8")) for file in files]
    return tuple({text for one in data for text in _shown(one, "")})


def _shown(data: Any, key: str) -> Iterator[str]:
    if isinstance(data, str):
        if key in _SHOWN_KEYS or not _ID.fullmatch(data):
            yield from _parts(data)
    elif isinstance(data, dict):
        for inner, value in data.items():
            yield from _shown(value, inner)
    elif isinstance(data, list):
        for value in data:
            yield from _shown(value, key)


def _parts(text: str) -> Iterator[str]:
    """The text, and its parts, which pages may show for themselves or put together anew."""
    yield text
    yield from re.split(r"\{\w+\}|[:;(,.]", text)


def _words(text: str) -> list[str]:
    # Short ones are numbers in letters, units and articles: "Breath Attack (X)".
    return [word.casefold() for word in _LEFT_WORD.findall(_SIGNS.sub(" ", text)) if len(word) > 2]


def _left(words: list[str], phrases: Phrases) -> list[str]:
    left = []
    at = 0
    while at < len(words):
        phrase = next(
            (one for one in phrases.get(words[at], ()) if tuple(words[at : at + len(one)]) == one),
            None,
        )
        if phrase is None:
            left.append(words[at])
        at += len(phrase) if phrase else 1
    return left


class _Segments(HTMLParser):
    """The texts of a page, each element's for itself, without scripts, icons and what the page
    itself says is not to be translated: ids and hashes.
    """

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.silent: list[str] = []
        self.done = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style", "svg", "textarea") or ("translate", "no") in attrs:
            self.silent.append(tag)
        if not self.done:
            self.texts += [value for name, value in attrs if name in READ_OUT and value]

    def handle_endtag(self, tag: str) -> None:
        if self.silent and self.silent[-1] == tag:
            self.silent.pop()
        self.done = self.done or tag == "main"

    def handle_data(self, data: str) -> None:
        if not (self.silent or self.done) and data.strip():
            self.texts.append(" ".join(data.split()))
