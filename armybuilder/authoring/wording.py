"""Texts as people write them: names compared and made into ids, numbers, lists, yes and no."""

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from django.utils.formats import number_format
from django.utils.translation import gettext as _

from armybuilder.authoring.fields import Wrong
from armybuilder.engine.wording import quote

#: What says that a thing is not known.
UNKNOWN = frozenset({"", "-", "–", "—", "−", "?"})
_YES = frozenset({"yes", "y", "true", "1", "on", "x", "✓", "✔", "ja", "oui", "si", "sí"})
_NO = frozenset({"no", "n", "false", "0", "off", "nein", "non"}) | UNKNOWN

#: Characters that no field holds: controls, halves of characters, marks that turn text round.
_CONTROL = re.compile(
    "[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\u202a-\u202e\u2066-\u2069]"
)
_ERROR_CELL = re.compile(r"#(REF!|N/A|VALUE!|NAME\?|DIV/0!|NUM!|NULL!|ERROR!)$")
_SUM = re.compile(r"[=@]|[+-]\s*\$?[A-Za-z]+\$?\d")
_WHOLE = re.compile(r"[+-]?\d{1,9}")
_BROKEN = re.compile(r"([+-]?\d{1,6})[.,](\d{1,9})")
_THOUSANDS = re.compile(r"[+-]?\d{1,3}([.,'’ \u00a0\u202f]\d{3})+")
_ADDED = re.compile(
    r"(\"|″|”|''|’’|\binch(es)?|\bin\.?|\bmm|\bpoints?|\bpts?\.?|\bpt\.?"
    r"|\bzoll|\bpunkte?)$"
)


def simplified(text: str) -> str:
    """Letters and digits of a name, for comparing: no case, accents, spaces or signs. A minus
    before a number stays: "Fight -4" is not "Fight 4".
    """
    return _simplified(text) if len(text) <= 120 else _simplified.__wrapped__(text)


@lru_cache(maxsize=10_000)
def _simplified(text: str) -> str:
    text = text.replace("−", "-")
    spread = unicodedata.normalize("NFKD", text).casefold()
    kept = [
        letter
        for place, letter in enumerate(spread)
        if letter.isalnum() or (letter == "-" and _before_number(spread, place))
    ]
    return "".join(kept)


def _before_number(text: str, place: int) -> bool:
    after = text[place + 1 : place + 2].isdigit()
    return after and (place == 0 or text[place - 1].isspace())


def slug(name: str, longest: int = 80) -> str:
    """The name as an id: small letters, digits, hyphens; "" where it has no ASCII letter."""
    spread = unicodedata.normalize("NFKD", name).casefold().replace("'", "").replace("’", "")
    marks = "".join(letter for letter in spread if not unicodedata.combining(letter))
    words = re.findall("[a-z0-9]+", marks)
    made = "-".join(words)[:longest].strip("-")
    return made if re.search("[a-z]", made) else ""


def free_id(name: str, taken: Iterable[str], otherwise: str) -> str:
    """An id made of the name that is not taken; of `otherwise` where the name has no letters."""
    taken = set(taken)
    made = slug(name, 70)
    if made and made not in taken:
        return made
    number = 2 if made else 1
    while f"{made or otherwise}-{number}" in taken:
        number += 1
    return f"{made or otherwise}-{number}"


@lru_cache(maxsize=5000)
def lasting_slug(name: str) -> str:
    """An id that is the same for one name and differs for others, whatever their letters."""
    made = slug(name, 60)
    letters = simplified(name).replace("-", "")
    if made and made.replace("-", "") == letters:
        return made
    mark = hashlib.sha256(simplified(name).encode()).hexdigest()[:8]
    return f"{made or 'ability'}-{mark}"


def short(text: str, longest: int = 60) -> str:
    """The text as a message shows it, cut where it is long."""
    text = " ".join(text.split())
    return text if len(text) <= longest else text[: longest - 1] + "…"


def grouped(number: int) -> str:
    """The number with signs between its thousands, as the reader's language has them."""
    return str(number_format(number, use_l10n=True, force_grouping=True))


def quoted(names: Sequence[str], most: int) -> str:
    """The first of the names in quotation marks, for a message, and how many more there are."""
    told = ", ".join(map(quote, names[:most]))
    if len(names) <= most:
        return told
    return and_more(told, len(names) - most)


def and_more(told: str, number: int) -> str:
    """What a message tells of, and so many more."""
    return _("{told} and {number} more").format(told=told, number=number)


def one_line(text: str, longest: int) -> str:
    """The text of a field with its spaces in order. Raises Wrong: too long, control characters, a
    formula where its result is meant.
    """
    _check_letters(text)
    return _measured(" ".join(text.replace("\ufeff", "").split()), longest)


def paragraph(text: str, longest: int) -> str:
    """The text of a field of several lines. Raises Wrong."""
    _check_letters(text)
    return _measured(text.replace("\r\n", "\n").replace("\r", "\n").strip("\ufeff \t\n"), longest)


def _measured(text: str, longest: int) -> str:
    if len(text) > longest:
        told = _("{number} characters are too many; at most {most} fit.")
        raise Wrong(told.format(number=len(text), most=longest))
    if text and not any(letter.isprintable() and not letter.isspace() for letter in text):
        raise Wrong(_("Write letters that can be seen."))
    return text


def _check_letters(text: str) -> None:
    found = _CONTROL.search(text)
    if found:
        sign = f"U+{ord(found.group()):04X}"
        told = _("It holds a control character ({sign}); type the text anew without it.")
        raise Wrong(told.format(sign=sign))
    check_formula(text, text.strip().startswith("="))


def check_formula(text: str, is_one: bool) -> None:
    """Raises Wrong where the text is a spreadsheet's formula, or the error of one."""
    text = text.strip()
    if is_one:
        raise Wrong(_("“{text}” is a formula; write its result.").format(text=short(text, 30)))
    if _ERROR_CELL.match(text):
        told = _("“{text}” is a spreadsheet's error; write the value that is meant.")
        raise Wrong(told.format(text=text))


def whole_number(text: str, low: int, high: int, suffix: str = "") -> int:
    """The number in a field: "12", "+4", '6″', "3+". Raises Wrong, saying what to write."""
    _check_letters(text)
    text = text.strip()
    check_formula(text, bool(_SUM.match(text)))
    bare = _ADDED.sub("", text.casefold()).strip().replace("−", "-")
    if suffix.strip() and bare.endswith(suffix.strip().casefold()):
        bare = bare.removesuffix(suffix.strip().casefold()).strip()
    bare = bare.removeprefix("×")
    if _WHOLE.fullmatch(bare) and bare.isascii():
        return _between(int(bare), text, low, high)
    if _THOUSANDS.fullmatch(bare):
        told = _("Write “{text}” without a sign between the thousands.")
        raise Wrong(told.format(text=short(text, 30)))
    if (broken := _BROKEN.fullmatch(bare)) and bare.isascii():
        return _from_broken(broken, text, low, high)
    told = _("“{text}” is no number. Write a whole number from {low} to {high}.")
    raise Wrong(told.format(text=short(text, 30), low=low, high=high))


def _from_broken(broken: re.Match[str], text: str, low: int, high: int) -> int:
    """A number with a decimal sign: spreadsheets write 12 as 12.0."""
    number = int(broken[1])
    if not broken[2].strip("0"):
        return _between(number, text, low, high)
    sign = -1 if broken[1].startswith("-") else 1
    told = _("“{text}” is no whole number. Write {number} or {other}.")
    raise Wrong(told.format(text=text, number=number, other=number + sign))


def _between(number: int, text: str, low: int, high: int) -> int:
    if not low <= number <= high:
        told = _("“{text}” is out of bounds. Write a number from {low} to {high}.")
        raise Wrong(told.format(text=short(text, 30), low=low, high=high))
    return number


def yes(text: str) -> bool:
    """Whether the text says yes. Raises Wrong where it says neither yes nor no."""
    said = text.strip().casefold()
    if said in _YES:
        return True
    if said in _NO:
        return False
    told = _("“{text}” is neither yes nor no. Write “yes”, or nothing.")
    raise Wrong(told.format(text=short(text, 30)))


def listed(text: str, marks: str = ",;\n") -> list[str]:
    """The entries of a list, at commas, semicolons and line ends outside brackets."""
    return [entry for entry in map(str.strip, _pieces(text, marks)) if entry]


def _pieces(text: str, marks: str) -> Iterator[str]:
    closed = text.count("(") == text.count(")")
    depth = start = 0
    for place, letter in enumerate(text):
        if letter == "(":
            depth += 1
        elif letter == ")":
            depth = max(0, depth - 1)
        elif letter in marks and (depth == 0 or not closed):
            yield text[start:place]
            start = place + 1
    yield text[start:]
