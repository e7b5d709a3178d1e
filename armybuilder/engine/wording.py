"""Language of the sentences of engine, loader and converter.

They know no translation: every sentence passes through `say` or `say_count`, and the application
may set functions that look it up in the reader's language.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

Translate = Callable[[str], str]
TranslateCount = Callable[[str, str, int], str]


def _as_counted(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


_translate: Translate = str
_translate_count: TranslateCount = _as_counted


def speak_with(translate: Translate, translate_count: TranslateCount) -> None:
    """From now on, look sentences up with these: a text's translation, and that of one of two texts
    by number. Both are asked at each sentence, so they may answer in the language of the moment.
    """
    global _translate, _translate_count
    _translate, _translate_count = translate, translate_count


def say(text: str, /, **values: object) -> str:
    """Return a sentence in the reader's language, its {names} filled with the values."""
    said = _translate(text)
    return said.format(**values) if values else said


def say_given(text: str) -> str:
    """Return a text of a game's file in the reader's language, "" where it has none there."""
    return say(text) if text else ""


def say_count(one: str, many: str, number: int, /, **values: object) -> str:
    """Return the sentence for one or for many; {number} is the number."""
    return _translate_count(one, many, number).format(number=number, **values)


_Texts = TypeVar("_Texts")


def marked(texts: _Texts, /) -> _Texts:
    """The text itself, or a table of texts, marked to be translated: `say` looks them up later."""
    return texts


@dataclass(frozen=True, slots=True, init=False)
class Later:
    """A sentence that is translated each time it is written: for texts made once, before the
    reader's language is known.
    """

    text: str
    values: dict[str, object] = field(hash=False)

    def __init__(self, text: str, /, **values: object) -> None:
        object.__setattr__(self, "text", text)
        object.__setattr__(self, "values", values)

    def __str__(self) -> str:
        return say(self.text, **self.values)


class _Name(str):
    """A name that a sentence may write {name:small}."""

    __slots__ = ()

    def __format__(self, spec: str) -> str:
        return self.lower() if spec == "small" else format(str(self), spec)


def inside(name: str) -> Later:
    """Return a catalogue's name in the middle of a sentence. English writes it small there; a
    language that writes nouns with capitals leaves out the ":small".
    """
    return Later("{name:small}", name=_Name(name))


def spelled(key: str) -> Later:
    """Return an id as words in the middle of a sentence: "great weapon"."""
    return inside(key.replace("-", " ").replace("_", " ").title())


def quote(text: object) -> str:
    """Return a text in the quotation marks of the reader's language."""
    return say("“{text}”", text=text)


def label(text: object) -> str:
    """Return a label: "Points:", in French with a space before the colon."""
    return say("{label}:", label=text)


#: Words to show: as they are, or in the reader's language when they are shown.
Words = str | Later


def change_of(points: int) -> str:
    """Return points more or fewer with their sign, a true minus among them: "+55", "−140"."""
    return f"{points:+d}".replace("-", "−")


def listed(words: Iterable[Words]) -> str:
    """Words as a list in a sentence: "a", "a and b", "a, b and c"."""
    *first, last = [*map(str, words)] or [""]
    return say("{first} and {last}", first=", ".join(first), last=last) if first else last


def either(words: Iterable[Words]) -> str:
    """Words of which one is meant: "a", "a or b", "a or b or c"."""
    first, *rest = [*map(str, words)] or [""]
    for word in rest:
        first = say("{first} or {last}", first=first, last=word)
    return first
