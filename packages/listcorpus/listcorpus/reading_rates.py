"""How well accepted lists are read from their texts, and how often the verdict is a false error.

A folder holds texts (`.txt`, `.text`, `.md`), each with one list or many, and `index.json`: for
each file, or with "*" for all, its game's `system`, maybe its `book`, and the `points` of each list
where known. What was accepted somewhere is legal; each error found on a list that was read whole is
a false one, ours or the file's.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from armybuilder.engine import Severity
from armybuilder.engine.sentences import sentence
from armybuilder.exchange.files import TEXT_ENDINGS, decoded, tells_of_others, unclear
from armybuilder.exchange.pasting import (
    PastedList,
    PastedPart,
    in_one_edition,
    read_part,
    split_text,
)
from armybuilder.exchange.pasting.rows import MAX_TEXT
from armybuilder.loading.jsontext import MAX_BYTES, MAX_DEPTH, parse_json
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal

INDEX = "index.json"
#: Fields of a file in the index.
_FIELDS = frozenset({"system", "book", "points"})
#: The cause of what an army must have and no line names.
UNNAMED = "not named in the text"


@dataclass(frozen=True, slots=True)
class AboutFile:
    """What the index tells of a file: game and book, and the points of its lists in their order."""

    system: str | None = None
    book: str = ""
    points: tuple[int, ...] = ()


@dataclass(slots=True)
class ReadingRate:
    """Counts of lists and lines of units.

    `units` are lines of units, `known` those of which the unit was found, `equal` those whose
    points are those in the text, of `priced` with points. Lists are `whole` where every line is
    clear and the points are those told, and `legal` of these; `unnamed` are legal but for what no
    line names.
    """

    lists: int = 0
    units: int = 0
    known: int = 0
    priced: int = 0
    equal: int = 0
    whole: int = 0
    legal: int = 0
    unnamed: int = 0
    causes: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], str] = field(default_factory=dict)
    unread: list[tuple[str, str]] = field(default_factory=list)

    @property
    def false_errors(self) -> int:
        """Lists that were read whole and are found illegal by what their lines say."""
        return self.whole - self.legal - self.unnamed

    def data(self) -> dict[str, Any]:
        """Return it as JSON-ready data."""
        numbers = ("lists", "units", "known", "priced", "equal", "whole", "legal", "unnamed")
        return {
            **{name: getattr(self, name) for name in numbers},
            "false_errors": self.false_errors,
            "causes": [
                {"code": code, "rule": rule, "times": times, "example": self.examples[code, rule]}
                for (code, rule), times in self.causes.most_common()
            ],
            "unread": [{"list": name, "why": why} for name, why in self.unread],
        }


def read_index(folder: Path) -> Mapping[str, AboutFile]:
    """Return what the index of a folder tells of its files; "*" stands for the others.

    Raises Refusal for what it cannot tell.
    """
    file = folder / INDEX
    if not file.is_file():
        return {}
    data = parse_json(file.read_bytes(), MAX_BYTES, MAX_DEPTH)
    if not isinstance(data, dict):
        raise Refusal(f"{file}: an object with a field for each file is needed.")
    return {name: _about(f"{file}, {name}", told) for name, told in data.items()}


def _about(place: str, told: Any) -> AboutFile:
    if not isinstance(told, dict) or not told.keys() <= _FIELDS:
        raise Refusal(f"{place}: an object with {', '.join(sorted(_FIELDS))} is needed.")
    points = told.get("points", [])
    if not isinstance(points, list) or not all(type(one) is int for one in points):
        raise Refusal(f"{place}: points must be a list of numbers.")
    system, book = told.get("system"), told.get("book", "")
    if not isinstance(system, str | None) or not isinstance(book, str):
        raise Refusal(f"{place}: system and book must be ids.")
    return AboutFile(system, book, tuple(points))


def measure(folder: Path, library: Library) -> ReadingRate:
    """Return the counts of all lists of a folder.

    Raises Refusal where its index is wrong, or where there is no list.
    """
    index, rate = read_index(folder), ReadingRate()
    for file in sorted(folder.rglob("*")):
        if file.name.lower().endswith(TEXT_ENDINGS) and not tells_of_others(file.name):
            name = file.relative_to(folder).as_posix()
            about = index.get(name) or index.get("*") or AboutFile()
            _check_books(name, about, library)
            _add_file(rate, name, file, about, library)
    if not rate.lists and not rate.unread:
        raise Refusal(f"There is no text with a list in {folder}.")
    return rate


def _check_books(name: str, about: AboutFile, library: Library) -> None:
    if about.system is not None and about.system not in library.systems:
        raise Refusal(f"{INDEX}, {name}: there is no game “{about.system}”.")
    if about.book and about.book not in library.books.get(about.system or "", {}):
        raise Refusal(f"{INDEX}, {name}: there is no book “{about.book}” in its game.")


def _add_file(rate: ReadingRate, name: str, file: Path, about: AboutFile, library: Library) -> None:
    with file.open("rb") as opened:
        text = decoded(opened.read(MAX_TEXT + 1)).replace("\0", "")
    try:
        parts = split_text(text, library, about.system)
    except Refusal as refusal:
        rate.unread.append((name, refusal.sentence))
        return
    for number, part in enumerate(parts if about.system else in_one_edition(parts, library)):
        place = f"{name}/{number + 1}" if len(parts) > 1 else name
        points = about.points[number] if number < len(about.points) else None
        try:
            _add(rate, place, _read(part, about, library), points)
        except Refusal as refusal:
            rate.lists += 1
            rate.unread.append((place, refusal.sentence))


def _read(part: PastedPart, about: AboutFile, library: Library) -> PastedList:
    return read_part(part, library, about.system, [about.book] if about.book else [])


def _add(rate: ReadingRate, place: str, reading: PastedList, points: int | None) -> None:
    """Count a list."""
    rate.lists += 1
    read = [line.unit for line in reading.units if line.unit is not None]
    rate.units += len(read)
    rate.known += sum(unit.entry is not None for unit in read)
    rate.priced += sum(unit.printed is not None for unit in read)
    rate.equal += sum(unit.agrees is True for unit in read)
    why = "; ".join(_missing(reading, points))
    if why:
        rate.unread.append((place, why))
        return
    rate.whole += 1
    _judge(rate, place, reading)


def _missing(reading: PastedList, points: int | None) -> Iterator[str]:
    """Yield why a list was not read whole."""
    lines = unclear(reading)
    if reading.report is None or not reading.units:
        yield "no unit was found"
        return
    if lines:
        yield f"not clear: {' · '.join(lines[:3])}" + (" …" if len(lines) > 3 else "")
    for one in reading.unnamed if lines else ():
        yield f"{UNNAMED}: {sentence(one)}"
    told = reading.printed if points is None else points
    if told is not None and told != reading.report.spent:
        yield f"{reading.report.spent} points, {told} told"


def _judge(rate: ReadingRate, place: str, reading: PastedList) -> None:
    """Count the errors of a list that was read whole."""
    found = reading.report.findings if reading.report else ()
    errors = [one for one in found if one.severity == Severity.ERROR]
    silent = reading.unnamed
    if not errors:
        rate.legal += 1
    elif all(one in silent for one in errors):
        rate.unnamed += 1
    for one in errors:
        code = UNNAMED if one in silent else one.code
        cause = (code, one.citation)
        rate.causes[cause] += 1
        rate.examples.setdefault(cause, f"{place}: {sentence(one)}")


def as_text(rate: ReadingRate) -> str:
    """Return it in lines."""
    causes = (
        f"  {times} × {code} [{rule}]: {rate.examples[code, rule]}"
        for (code, rule), times in rate.causes.most_common()
    )
    return "\n".join(
        [
            f"{rate.lists} lists, {rate.units} lines of units: {_share(rate.known, rate.units)}"
            f" recognised, points equal in {_share(rate.equal, rate.priced)}",
            f"read whole: {_share(rate.whole, rate.lists)}",
            f"legal of these: {_share(rate.legal, rate.whole)}; but for what no line names:"
            f" {rate.unnamed}",
            f"false errors: {_share(rate.false_errors, rate.whole)}",
            *causes,
            *(f"  not whole: {name}: {why}" for name, why in rate.unread),
        ]
    )


def as_markdown(rate: ReadingRate) -> str:
    """Return it as two tables."""
    rows: Sequence[tuple[str, str]] = (
        ("lists", str(rate.lists)),
        ("lines of units", str(rate.units)),
        ("recognised", _share(rate.known, rate.units)),
        ("points equal", _share(rate.equal, rate.priced)),
        ("read whole", _share(rate.whole, rate.lists)),
        ("legal of these", _share(rate.legal, rate.whole)),
        ("legal but for what no line names", str(rate.unnamed)),
        ("false errors", _share(rate.false_errors, rate.whole)),
    )
    lines = ["| what | figure |", "|---|---|", *(f"| {what} | {told} |" for what, told in rows)]
    if rate.causes:
        lines += ["", "| times | code | rule | example |", "|---|---|---|---|"]
    for (code, rule), times in rate.causes.most_common():
        example = rate.examples[code, rule].replace("|", "\\|")
        lines.append(f"| {times} | `{code}` | {rule} | {example} |")
    return "\n".join(lines)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})" if whole else f"{part} of 0"
