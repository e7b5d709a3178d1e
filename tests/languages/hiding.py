"""A language that hides letters: what can still be read on a printout or page was never looked up.

Names that a catalogue or a player gave are no messages; they are taken out before one looks.
"""

import html
import json
import re
from collections.abc import Callable, Iterator
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
    """The message with every letter hidden."""
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
    said = re.findall(r'(?:aria-label|title|placeholder|alt)="([^"]*)"', main)
    return html.unescape(" ".join([*said, re.sub(r"<[^>]*>", " ", f"<main{main}")]))


def unhidden(text: str, names: set[str]) -> set[str]:
    """Words that are neither hidden nor among the names, in small letters."""
    known = {word for name in names for word in _WORD.findall(name.casefold())}
    return {word for word in _WORD.findall(text.casefold()) if HIDDEN not in word} - known


def names_in(*files: str) -> set[str]:
    """Every string of catalogue files, each told as "system/book"."""
    paths = [CATALOGUES / f"{file}.json" for file in files]
    return {name for path in paths for name in strings(json.loads(path.read_text("utf-8")))}
