"""What of a page is neither looked up nor a name: with every message hidden, the words still left.

Names of catalogues are taken out as whole phrases, so that a sentence of ours does not pass
because each of its words stands somewhere in a book.
"""

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html.parser import HTMLParser
from typing import Any

from tests.languages.hiding import CATALOGUES, HIDDEN

READ_OUT = ("alt", "aria-label", "placeholder", "title")
_WORD = re.compile(rf"[^\W\d_{HIDDEN}]+")
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
    """Every name and text that a shipped catalogue says."""
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
    return [word.casefold() for word in _WORD.findall(_SIGNS.sub(" ", text)) if len(word) > 2]


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
