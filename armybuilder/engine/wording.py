"""The language of what the engine, the loader and the converter say.

They know no translation of their own: every sentence passes through `say` or `say_count`, and
whoever runs them may hand over functions that look the sentence up in the reader's language.
"""

from collections.abc import Callable

Translate = Callable[[str], str]
TranslateCount = Callable[[str, str, int], str]


def _as_written(text: str) -> str:
    return text


def _as_counted(one: str, many: str, number: int) -> str:
    return one if number == 1 else many


_translate: Translate = _as_written
_translate_count: TranslateCount = _as_counted


def speak_with(translate: Translate, translate_count: TranslateCount) -> None:
    """From now on, look sentences up with these: a text's translation, and that of one of two texts
    by number. Both are asked at each sentence, so they may answer in the language of the moment.
    """
    global _translate, _translate_count
    _translate, _translate_count = translate, translate_count


def say(text: str, /, **values: object) -> str:
    """A sentence in the reader's language, its {names} filled with the values."""
    said = _translate(text)
    return said.format(**values) if values else said


def say_count(one: str, many: str, number: int, /, **values: object) -> str:
    """The sentence for one or for many; {number} is the number."""
    return _translate_count(one, many, number).format(number=number, **values)


def marked(text: str, /) -> str:
    """The text itself, marked to be translated: for tables whose texts `say` looks up later."""
    return text
