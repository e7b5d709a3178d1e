"""Finds what a template says in plain English, outside of what is looked up in a translation."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser

from django.template.base import Lexer, Token, TokenType

#: Attributes that people read or hear.
READ_OUT = {"alt", "aria-description", "aria-label", "label", "placeholder", "title"}
#: Names of values handed to an included template that no reader sees.
NOT_SHOWN = {"class"}

_WORD = re.compile(r"[^\W\d_]{2,}")
_HANDED_OVER = re.compile(r"""(?<![\w-])([\w-]+)=(?:"([^"]*)"|'([^']*)')""")
_FILTER_WITH_TEXT = re.compile(
    r"""\|(?:default|default_if_none|yesno|add):(?:"([^"]*)"|'([^']*)')"""
)
#: Stands for what a tag or a variable writes.
_FILLED = "\ufffc"


def untranslated(source: str) -> list[str]:
    """The words that stand in the template as they are, and English endings (`pluralize`)."""
    reader = _Reader()
    words: list[str] = []
    for token in _outside_translations(source):
        if token.token_type == TokenType.TEXT:
            reader.feed(token.contents)
        elif token.token_type in (TokenType.VAR, TokenType.BLOCK):
            reader.feed(_FILLED)
            words += _of_tag(token.contents)
    reader.close()
    return [*reader.said, *words]


def _outside_translations(source: str) -> Iterator[Token]:
    """The template's parts, without what stands in blocks of translations and of comments."""
    end = ""
    for token in Lexer(source).tokenize():
        word = token.contents.split(maxsplit=1)[0] if token.contents.strip() else ""
        block = token.token_type == TokenType.BLOCK
        if end:
            end = "" if block and word == end else end
        elif block and word in ("blocktranslate", "blocktrans", "comment"):
            end = f"end{word}"
            yield token
        else:
            yield token


def _of_tag(contents: str) -> Iterator[str]:
    """Words that a tag or variable writes or hands over."""
    if "pluralize" in contents:
        yield contents
    texts = [(match[1], match[2] or match[3]) for match in _HANDED_OVER.finditer(contents)]
    texts += [("", match[1] or match[2]) for match in _FILTER_WITH_TEXT.finditer(contents)]
    for name, text in texts:
        # Names of kinds and fields are written small and without spaces.
        shown = text and _WORD.search(text) and (text[0].isupper() or " " in text)
        if shown and name not in NOT_SHOWN:
            yield text


class _Reader(HTMLParser):
    """Collects words of text and of attributes that are read."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.silent = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self.silent = tag
        button = tag == "input" and dict(attrs).get("type") in ("submit", "button")
        for name, value in attrs:
            if name in READ_OUT or (button and name == "value"):
                self.add(value or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self.silent:
            self.silent = ""

    def handle_data(self, data: str) -> None:
        if not self.silent:
            self.add(data)

    def add(self, text: str) -> None:
        for part in text.split(_FILLED):
            words = " ".join(part.split())
            if _WORD.search(words):
                self.said.append(words)
