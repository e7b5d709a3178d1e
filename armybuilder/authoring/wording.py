"""Texts as people write them: numbers, lists, yes and no, ids, and things found by their names."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Generic, TypeVar

from django.utils.formats import number_format
from django.utils.translation import gettext as _
from rapidfuzz import process
from rapidfuzz.distance import LCSseq

from armybuilder.authoring.fields import Wrong
from armybuilder.engine.wording import quote
from armybuilder.languages import Typed, typed, typed_pattern

#: What says that a thing is not known.
UNKNOWN = frozenset({"", "-", "–", "—", "−", "?"})
INCHES = Typed("typed", "inches|inch|in.|in")
_POINTS = Typed("typed", "points|point|pts.|pts|pt.|pt")
_YES = Typed("typed", "yes|y|true|on")
_NO = Typed("typed", "no|n|false|off")
_YES_SIGNS = {"1", "x", "✓", "✔"}
_NO_SIGNS = {"0", *UNKNOWN}

#: Characters that no field holds: controls, halves of characters, marks that turn text round.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
_ERROR_CELL = re.compile(r"#(REF!|N/A|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|ERROR!)$")
_SUM = re.compile(r"[=@]|[+-]\s*\$?[A-Za-z]+\$?\d")
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_BROKEN = re.compile(r"([+-]?\d{1,6})[.,](\d{1,9})")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,'’ \u00a0\u202f]\d{3})+")


def simplified(text: str) -> str:
    """Return the letters and digits of a name, for comparing. A minus before a number stays."""
    return _simplified(text) if len(text) <= 120 else _simplified.__wrapped__(text)


@lru_cache(maxsize=10_000)
def _simplified(text: str) -> str:
    text = text.replace("−", "-")
    spread = unicodedata.normalize("NFKD", text).casefold()
    return "".join(
        letter
        for place, letter in enumerate(spread)
        if letter.isalnum()
        or (
            letter == "-"
            and spread[place + 1 : place + 2].isdigit()
            and (place == 0 or spread[place - 1].isspace())
        )
    )


def slug(name: str, longest: int = 80) -> str:
    """Return the name as an id: small letters, digits, hyphens; "" where it has no ASCII letter."""
    spread = unicodedata.normalize("NFKD", name).casefold().replace("'", "").replace("’", "")
    marks = "".join(letter for letter in spread if not unicodedata.combining(letter))
    made = "-".join(re.findall("[a-z0-9]+", marks))[:longest].strip("-")
    return made if re.search("[a-z]", made) else ""


def free_id(name: str, taken: Iterable[str], otherwise: str) -> str:
    """Return a free id made of the name, or of `otherwise` if the name has no letters."""
    taken = set(taken)
    base = slug(name, 70)
    if base and base not in taken:
        return base
    number = 2 if base else 1
    while f"{base or otherwise}-{number}" in taken:
        number += 1
    return f"{base or otherwise}-{number}"


@lru_cache(maxsize=5000)
def lasting_slug(name: str) -> str:
    """Return an id that is always the same for a name and differs between names in any script."""
    made = slug(name, 60)
    letters = simplified(name).replace("-", "")
    if made and made.replace("-", "") == letters:
        return made
    mark = hashlib.sha256(simplified(name).encode()).hexdigest()[:8]
    return f"{made or 'ability'}-{mark}"


def short(text: str, longest: int = 60) -> str:
    """Return the text as a message shows it, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def grouped(number: int) -> str:
    """Return the number with signs between its thousands, as the reader's language has them."""
    return str(number_format(number, use_l10n=True, force_grouping=True))


def quoted(names: Sequence[str], most: int) -> str:
    """Return the first names in quotation marks, and how many more there are."""
    first = ", ".join(map(quote, names[:most]))
    return and_more(first, len(names) - most) if len(names) > most else first


def and_more(told: str, number: int) -> str:
    """Return the first items of a message and the number of the others."""
    return _("{told} and {number} more").format(told=told, number=number)


def one_line(text: str, longest: int) -> str:
    """Return a text in one line. Raises Wrong: too long, control characters, a formula."""
    _check_letters(text)
    return _measured(" ".join(text.replace("\ufeff", "").split()), longest)


def paragraph(text: str, longest: int) -> str:
    """Return the text of a field of several lines. Raises Wrong."""
    _check_letters(text)
    return _measured(text.replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff \t\n"), longest)


def at_most(number: int, most: int, told: str) -> None:
    """Raise Wrong with a sentence of {number} and {most} where there are more."""
    if number > most:
        raise Wrong(told.format(number=number, most=most))


def _measured(text: str, longest: int) -> str:
    at_most(len(text), longest, _("{number} characters; the maximum is {most}."))
    if text and not any(letter.isprintable() and not letter.isspace() for letter in text):
        raise Wrong(_("Use visible characters."))
    return text


def _check_letters(text: str) -> None:
    control = _CONTROL.search(text)
    if control:
        sign = f"U+{ord(control.group()):04X}"
        told = _("The text contains a control character ({sign}); retype it without.")
        raise Wrong(told.format(sign=sign))
    check_formula(text, text.strip().startswith("="))


def check_formula(text: str, is_one: bool) -> None:
    """Raise Wrong where the text is a spreadsheet's formula, or the error of one."""
    text = text.strip()
    if is_one:
        raise Wrong(_("“{text}” is a formula; write its result.").format(text=short(text, 30)))
    if _ERROR_CELL.match(text):
        told = _("“{text}” is a spreadsheet error; write the value you mean.")
        raise Wrong(told.format(text=text))


def whole_number(text: str, low: int, high: int, suffix: str = "") -> int:
    """Return the number in a field: "12", "+4", '6″', "3+". Raises Wrong, saying what to write."""
    _check_letters(text)
    text = text.strip()
    check_formula(text, bool(_SUM.match(text)))
    added = rf"(\"|″|”|''|’’|\bmm|\b{typed_pattern(INCHES, _POINTS)})$"
    bare = re.sub(added, "", text.casefold()).strip().replace("−", "-")
    if suffix.strip() and bare.endswith(suffix.strip().casefold()):
        bare = bare.removesuffix(suffix.strip().casefold()).strip()
    bare = bare.removeprefix("×")
    if _WHOLE.fullmatch(bare) and bare.isascii():
        return _between(int(bare), text, low, high)
    if _THOUSANDS.fullmatch(bare):
        raise Wrong(_("Write “{text}” without a thousands separator.").format(text=short(text, 30)))
    broken = _BROKEN.fullmatch(bare)
    if broken is None or not bare.isascii():
        message = _("“{text}” is not a number. Write a whole number from {low} to {high}.")
        raise Wrong(message.format(text=short(text, 30), low=low, high=high))
    number = int(broken[1])
    if broken[2].strip("0"):
        other = number + (-1 if broken[1].startswith("-") else 1)
        message = _("“{text}” is not a whole number. Write {number} or {other}.")
        raise Wrong(message.format(text=text, number=number, other=other))
    # Spreadsheets write 12 as 12.0.
    return _between(number, text, low, high)


def _between(number: int, text: str, low: int, high: int) -> int:
    if not low <= number <= high:
        told = _("“{text}” is out of range. Write a number from {low} to {high}.")
        raise Wrong(told.format(text=short(text, 30), low=low, high=high))
    return number


def yes(text: str) -> bool:
    """Return whether the text says yes. Raises Wrong where it says neither yes nor no."""
    word = text.strip().casefold()
    if word in _YES_SIGNS or word in typed(_YES):
        return True
    if word in _NO_SIGNS or word in typed(_NO):
        return False
    told = _("“{text}” is neither yes nor no. Write “yes”, or leave it empty.")
    raise Wrong(told.format(text=short(text, 30)))


def listed(text: str, marks: str = ",;\n") -> list[str]:
    """Return the entries of a list, at commas, semicolons and line ends outside brackets."""
    closed = text.count("(") == text.count(")")
    depth = start = 0
    pieces = []
    for place, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter in marks and (depth == 0 or not closed):
            pieces.append(text[start:place])
            start = place + 1
    return [entry for entry in map(str.strip, (*pieces, text[start:])) if entry]


T = TypeVar("T")

#: Names shorter than this have too many neighbours to guess.
_SHORTEST = 5

#: Unknown names that are looked up for one form or table; of names that last, those remembered.
_MOST_GUESSES = 500
_MOST_REMEMBERED = 5000


class BookNames(Generic[T]):
    """Lookup of things by id and name, ignoring case, accents and signs.

    Unless `lasting`, only some unknown names are compared: a table's own names needn't be among
    these.
    """

    def __init__(self, entries: Iterable[tuple[str, str, T]], lasting: bool = False) -> None:
        self.lasting = lasting
        self._things: dict[str, T] = {}
        self._names: dict[str, str] = {}
        self._guesses: dict[str, str] = {}
        for entry_id, name, thing in entries:
            for written in (name, entry_id):
                key = simplified(written)
                self._things.setdefault(key, thing)
                self._names.setdefault(key, name)

    def get(self, text: str) -> T | None:
        return self._things.get(simplified(text))

    def begun(self, text: str) -> T | None:
        """Return the one thing whose name begins with the text; None where none or several do."""
        key = simplified(text)
        names = {name: long for long, name in self._names.items() if key and long.startswith(key)}
        return self._things[next(iter(names.values()))] if len(names) == 1 else None

    def near(self, text: str) -> str:
        """Return the name that was probably meant by an unknown one; "" where none is near."""
        key = simplified(text)
        if not _SHORTEST <= len(key) <= 60:
            return ""
        if key in self._guesses:
            return self._guesses[key]
        if len(self._guesses) >= (_MOST_REMEMBERED if self.lasting else _MOST_GUESSES):
            if not self.lasting:
                return ""
            self._guesses.clear()
        alike = process.extract_iter(
            key, self._things.keys(), scorer=LCSseq.distance, score_cutoff=2
        )
        likely = (name for name, distance, _place in alike if _is_near(key, name, distance))
        rated = sorted((-SequenceMatcher(None, key, name).ratio(), name) for name in likely)
        near = self._names[rated[0][1]] if rated and -rated[0][0] >= 0.8 else ""
        self._guesses[key] = near
        return near

    def some(self) -> str:
        """Return a sentence with the names there are to write, or the first of them."""
        names = list(dict.fromkeys(self._names.values()))
        told = (
            _("Write one of {names} or another.") if len(names) > 12 else _("Write one of {names}.")
        )
        return told.format(names=", ".join(names[:12]))


def _is_near(one: str, other: str, distance: int) -> bool:
    """Return whether both are the same but for a letter or two of each."""
    same = max(len(one), len(other)) - distance
    return _SHORTEST <= len(other) <= 60 and all(
        len(key) - same <= (2 if 9 <= len(key) <= 30 else 1) for key in (one, other)
    )
