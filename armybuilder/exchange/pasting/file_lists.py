"""Texts of lists of a community's files: find the kept game, and read the list.

A unit's name is looked for in the offer of its catalogue, an option's in that of its bearer: the
longest that fits, with or without an author's sorting prefix.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from typing import Final, NamedTuple, TypeVar

from armybuilder.battlescribe.files.books import FileBook, ForceDefinition, ListDefinition
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.documents import Books, books_of, document_of
from armybuilder.battlescribe.files.edits import MAX_ADDED
from armybuilder.battlescribe.files.game import GameFiles, opening_limits
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.engine.kernel.picks import Pick, PickList
from armybuilder.engine.names import simple
from armybuilder.engine.wording import say
from armybuilder.exchange.pasting.names import unsorted_names, without_aside
from armybuilder.loading.forcelist import ForceList, GameName, check_force_list
from armybuilder.loading.problems import Refusal

#: What a name is found to be.
Found = TypeVar("Found")
#: Lines in which a text says what it is of.
_HEAD_LINES: Final = 12
#: Letters, lines and letters of a line that are read.
MAX_LINES, MAX_LINE = 3000, 4000
_FORCE: Final = re.compile(r"#*\s*\+\+\s*(?P<said>.+?)\s*\+\+\s*")
_CATEGORY: Final = re.compile(r"(?:#+\s*|\+\s+|\*\*)(?P<name>[^+*]+?)(?:\s+\+|\*\*)?\s*")
_BULLETS: Final = re.compile(r"\s*(?:[-•·*‣◦○▪–]\s+|\.\s+)+")
_BULLET: Final = re.compile(r"[-•·*‣◦○▪–.]\s+")
_NUMBER: Final = re.compile(r"(?P<number>\d{1,4})(?:\s*[x×]\s+|\s+(?:with\s+)?)")
_OWN: Final = re.compile(r"\s*[“\"](?P<own>[^”\"]{1,120})[”\"]")
_PRICE: Final = re.compile(
    r"\s*(?:\[(?P<a>-?[\d.]+)[^\[\]]*\]|\((?P<b>-?\d+)\s*(?:pts?|points?)\.?\)"
    r"|\s[-–—:]\s*(?P<c>\d+)\s*(?:pts?|points?)\.?(?=$|[,:]))",
    re.I,
)
#: Marks of Markdown before a letter that is meant as it is.
_MARKDOWN: Final = re.compile(r"\\([\\`*_\[\]<>#~|+=.)-])")
_NOTES: Final = re.compile(r"\s*(?:notes?|notizen?|remarques?)\s*:\s*(?P<text>.*)", re.I)


class GameTitles(NamedTuple):
    """Names of a game and its catalogues; `key` is its id."""

    key: str
    system: str
    catalogues: tuple[str, ...]


class NamedGame(NamedTuple):
    """A game that a text names: by its own name (`by_name`), or only by a book of it (`book`)."""

    key: str
    by_name: bool
    book: str


def game_of_text(text: str, games: Iterable[GameTitles]) -> NamedGame | None:
    """Return the game that a text names, or of which it names a catalogue; None: none.

    Of several, the one whose own name is there, then the one with the longest catalogue.
    """
    lines = [f" {simple(line)} " for line in text.split("\n")[:MAX_LINES] if line.strip()]
    head = lines[:_HEAD_LINES]
    best: tuple[int, int] = (0, 0)
    found = None
    for game in games:
        systems = [len(name) for name in _variants(game.system) if _is_in(name, head)]
        names = (name for title in game.catalogues for name in _variants(title))
        book = max((name for name in names if _is_in(name, head)), key=len, default="")
        rank = (max(systems, default=0), len(book))
        if rank > best:
            best, found = rank, NamedGame(game.key, bool(systems), book)
    return found


def _is_in(name: str, lines: Iterable[str]) -> bool:
    return bool(name) and any(f" {name} " in line for line in lines)


def _variants(title: str) -> tuple[str, ...]:
    """Return the ways to write a title: all of it, without brackets, its last part."""
    last = re.split(r"\s[-–—]\s", title)[-1]
    names = (title, without_aside(title), last, without_aside(last))
    return tuple(dict.fromkeys(filter(None, map(simple, names))))


class ReadText(NamedTuple):
    """A list read from a text, with sentences about parts not understood or different."""

    document: ForceList
    told: tuple[str, ...]


def read_file_text(
    text: str, game: GameFiles, named: GameName, books: Books | None = None
) -> ReadText:
    """Return the list of a text by the files of its game. Raises Refusal: it has no unit."""
    reader = _Reader(game, books or books_of(game))
    roster = reader.read(text)
    title = reader.title or game.system.get("name").strip()
    document = document_of(roster, title[:120], named, "\n".join(reader.notes)[:2000])
    return ReadText(check_force_list(document.to_dict()), tuple(dict.fromkeys(reader.told)))


@dataclass(slots=True, eq=False)
class _Open:
    """A pick while its lines are read; `of_size`: a number before its unit's name says of it."""

    definition: Definition
    number: int = 1
    of_size: bool = False
    own: str = ""
    notes: list[str] = field(default_factory=list)
    below: list[_Open] = field(default_factory=list)
    depth: int = 0


class _Names:
    """Names of everything that can be taken somewhere, longest first."""

    def __init__(self, offered: Iterable[Definition]) -> None:
        named: dict[str, Definition] = {}
        for definition in sorted(offered, key=_is_hidden):
            for name in spellings(definition.name):
                named.setdefault(name, definition)
        self.named = sorted(named.items(), key=lambda pair: -len(pair[0]))

    def at_start(self, text: str) -> tuple[Definition, int] | None:
        """Return the definition whose name a text begins with, and the length of that name.

        A sorting prefix may differ from the one in the files: it moves with prices.
        """
        folded = _folded(text)
        for bare in unsorted_names(folded):
            skipped = len(folded) - len(bare)
            for name, definition in self.named:
                if bare.startswith(name) and not bare[len(name) : len(name) + 1].isalnum():
                    return definition, skipped + len(name)
        return None


def _is_hidden(definition: Definition) -> bool:
    return isinstance(definition, FileDefinition) and definition.says("hidden")


_QUOTES: Final = str.maketrans("’‘`´“”", "''''\"\"")


def _folded(text: str) -> str:
    """Return a text for comparing, each letter where it was."""
    return "".join(
        low if len(low := letter.lower()) == 1 else letter for letter in text.translate(_QUOTES)
    )


def spellings(name: str) -> Iterator[str]:
    """Yield the ways to write a name: whole, without a sorting prefix, without an aside.

    Signs of Markdown around it are left out, as they are in texts.
    """
    names = unsorted_names(" ".join(name.replace("**", "").split()))
    for spelling in (*names, *map(without_aside, names)):
        if spelling:
            yield _folded(" ".join(spelling.split()))


def _tidy(line: str) -> str:
    indent = len(line) - len(line.lstrip())
    return " " * indent + " ".join(line.split())


class _Reader:
    """Reads the lines of a text, one after another."""

    def __init__(self, game: GameFiles, books: Books) -> None:
        self.game = game
        self.books = books
        self.title = ""
        self.notes: list[str] = []
        self.told: list[str] = []
        self._book: FileBook | None = None
        self._forces: list[_Open] = []
        self._path: list[_Open] = []
        self._names: dict[Definition, _Names] = {}
        self._serial = count(1)

    def read(self, text: str) -> PickList:
        """Return the list. Raises Refusal if it has no unit."""
        text = _MARKDOWN.sub(r"\1", text.replace("\t", "  ").replace("**", ""))
        lines = [_tidy(line[:MAX_LINE]) for line in text.split("\n")]
        lines = [line for line in lines[:MAX_LINES] if line.strip() and not line.startswith("```")]
        self._book = self._named_book(lines)
        headings = (at for at, line in enumerate(lines) if _FORCE.fullmatch(line.strip()))
        start = next(headings, 0)
        for line in lines[:start]:
            self._other(line)
        for line in lines[start:]:
            self._line(line)
        if not any(force.below for force in self._forces):
            raise Refusal(say("No unit of {game} was found.", game=self.game.system.get("name")))
        forces = tuple(pick for force in self._forces for pick in self._closed(force))
        return PickList(ListDefinition(self.game), forces, opening_limits(self.game.system))

    def _named_book(self, lines: list[str]) -> FileBook | None:
        for line in lines:
            folded = f" {simple(line)} "
            named = [
                (len(name), head.id)
                for head in self.game.heads.values()
                if not head.says("library")
                for name in _variants(head.get("name"))
                if f" {name} " in folded
            ]
            if named:
                return self.books(max(named)[1])
        return None

    def _line(self, line: str) -> None:
        if found := _FORCE.fullmatch(line.strip()):
            self._start_force(found["said"], line)
            return
        if self._forces and (found := _NOTES.fullmatch(line)):
            notes = self._path[0].notes if self._path and line[0] == " " else self.notes
            notes.append(found["text"])
            return
        bullets = _BULLETS.match(line)
        depth = len(_BULLET.findall(bullets[0])) if bullets else 0
        rest = line[bullets.end() :] if bullets else line.strip()
        is_inner = bool(bullets and self._path)
        if is_inner and self._inner(rest, depth):
            return
        if (not is_inner or line[0] != " ") and self._unit(rest):
            return
        if is_inner and self._options(rest, self._path[-1], quiet=True):
            return
        self._other(rest)

    def _other(self, line: str) -> None:
        """Take a line that names nothing: the title, a heading, or an unknown line."""
        if self._forces and any(force.below for force in self._forces):
            if not _CATEGORY.fullmatch(line) and not self._is_category(line):
                self.told.append(say("Not understood: {line}", line=line[:120]))
        elif not self.title and not self._forces:
            self.title = " ".join(line.strip("#*+ ").split())

    def _is_category(self, line: str) -> bool:
        name = simple(re.sub(r"\[.*?\]|\(.*?\)", "", line))
        roots = self._book.sources if self._book is not None else (self.game.system,)
        categories = (entry for root in roots for entry in root.all("categoryEntries"))
        return any(simple(entry.get("name")) == name for entry in categories)

    # Forces and units

    def _start_force(self, said: str, line: str) -> None:
        book = self._named_book([line]) or self._book
        if book is None:
            self.told.append(say("Not understood: {line}", line=line[:120]))
            return
        own, rest = "", said
        if found := _OWN.match(said):
            own, rest = found["own"], said[found.end() :].strip()
        folded = simple(rest)
        named = [
            (len(name), element.id)
            for element in book.force_elements()
            if folded.startswith(name := simple(element.get("name")))
        ]
        definition = book.force(max(named)[1]) if named else self._usual_force(book)
        if definition is not None:
            self._forces.append(_Open(definition, own=own))
            self._path = []

    def _usual_force(self, book: FileBook) -> ForceDefinition | None:
        shown = [one for one in book.force_elements() if not one.says("hidden")]
        elements = shown or list(book.force_elements())
        return book.force(elements[0].id) if elements else None

    def _unit(self, line: str) -> bool:
        """Take a line that begins with the name of a unit; return whether it does."""
        if not self._forces:
            force = self._usual_force(self._book) if self._book is not None else None
            if force is None:
                return False
            self._forces.append(_Open(force))
            if not self._unit(line):
                self._forces.pop()
                return False
            return True
        unit = self._entry(line, self._forces[-1])
        if unit is not None:
            self._path = [unit]
        return unit is not None

    def _size(self, unit: _Open) -> None:
        """Take a number before the name of a unit as that of its models."""
        definition = unit.definition
        if unit.number == 1 or not isinstance(definition, FileDefinition):
            return
        if definition.type == "unit":
            offered = (one for one in definition.offered if isinstance(one, FileDefinition))
            models = [one for one in offered if one.type == "model"]
            if len(models) == 1:
                unit.below.append(_Open(models[0], unit.number, of_size=True))
                unit.number = 1

    def _inner(self, line: str, depth: int) -> bool:
        """Read a line below a unit that begins with a model, or an option; return whether it does.

        A repeated one without anything new is its profile.
        """
        while len(self._path) > 1 and self._path[-1].depth >= depth:
            self._path.pop()
        above = self._path[-1]
        pick = self._entry(line, above, depth)
        if pick is None:
            return False
        same = [one for one in above.below if one.definition is pick.definition and one is not pick]
        if same and same[0].of_size:
            above.below.remove(same[0])
        elif same and not pick.below and not _NUMBER.match(line) and ":" in line:
            above.below.remove(pick)
            return True
        self._path.append(pick)
        return True

    def _entry(self, line: str, above: _Open, depth: int = 0) -> _Open | None:
        """Return the first name of a line, with its options, added to its parent."""
        number, found, rest = _counted(line, self._offered(above.definition).at_start)
        if found is None:
            return None
        definition, length = found
        pick = _Open(definition, number or 1, depth=depth)
        rest = rest[length:]
        if own := _OWN.match(rest):
            pick.own, rest = own["own"], rest[own.end() :]
        while price := _PRICE.match(rest):
            rest = rest[price.end() :]
        above.below.append(pick)
        if above in self._forces:
            self._size(pick)
        rest = rest.strip()
        if rest[:1] in (":", ",", "("):
            self._options(rest[1:].rstrip(")") if rest[0] == "(" else rest[1:], pick)
        elif rest:
            self.told.append(say("Not understood: {line}", line=line[:120]))
        return pick

    def _options(self, text: str, above: _Open, quiet: bool = False) -> bool:
        """Read options separated by commas; return whether any was known.

        Unknown ones are reported, unless (`quiet`) the line then means something else.
        """
        known = False
        rest = text.strip()
        while rest:
            after = self._option(rest, above)
            if after is None:
                skipped, _comma, after = rest.partition(",")
                if quiet and not known:
                    return False
                where = above.own or above.definition.name.strip()
                line = f"{where}: {skipped.strip()}"
                self.told.append(say("Not understood: {line}", line=line[:120]))
            else:
                known = True
            rest = after.lstrip(" ,;")
        return known

    def _option(self, text: str, above: _Open) -> str | None:
        number, found, rest = _counted(text, lambda rest: self._find(rest, above))
        if found is None:
            return None
        holder, definition, length = found
        if not number:
            number = above.number if _for_each(definition) else 1
        pick = _Open(definition, number)
        rest = rest[length:]
        while price := _PRICE.match(rest):
            rest = rest[price.end() :]
        if rest.startswith(" ("):
            inner, after = _bracketed(rest[2:])
            if self._options(inner, pick):
                rest = after
        holder.below.append(pick)
        return rest

    def _find(self, text: str, above: _Open) -> tuple[_Open, Definition, int] | None:
        for holder in (above, *above.below):
            if found := self._offered(holder.definition).at_start(text):
                return holder, *found
        return None

    def _offered(self, definition: Definition) -> _Names:
        if definition not in self._names:
            self._names[definition] = _Names(definition.offered)
        return self._names[definition]

    # Picks

    def _closed(self, one: _Open) -> Iterator[Pick]:
        """Yield a pick with all on it; one for each model that is picked by itself."""
        said = {"customName": one.own, "customNotes": "\n".join(one.notes)}
        said = {key: text for key, text in said.items() if text}
        copies = 1
        if 1 < one.number <= MAX_ADDED and _is_single(one.definition) and _divides(one, one.number):
            copies = one.number
        for _copy in range(copies):
            id = f"t{next(self._serial)}"
            parts = (part if copies == 1 else _share(part, copies) for part in one.below)
            below = tuple(pick for part in parts for pick in self._closed(part))
            yield Pick(id, one.definition, one.number // copies, below, said)


def _counted(text: str, find: Callable[[str], Found | None]) -> tuple[int, Found | None, str]:
    """Return the number before a name (0: none), its meaning, and the text from the name on."""
    counted = _NUMBER.match(text)
    if (found := find(text)) or counted is None:
        return 0, found, text
    rest = text[counted.end() :]
    return int(counted["number"]), find(rest), rest


def _bracketed(text: str) -> tuple[str, str]:
    depth = 1
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[:at], text[at + 1 :]
    return text, ""


def _share(one: _Open, copies: int) -> _Open:
    below = [_share(part, copies) for part in one.below]
    return replace(one, number=one.number // copies, below=below)


def _divides(one: _Open, copies: int) -> bool:
    """Return whether all that is on a pick can be shared out equally."""
    return all(part.number % copies == 0 and _divides(part, copies) for part in one.below)


def _for_each(definition: Definition) -> bool:
    return isinstance(definition, FileDefinition) and definition.is_collective


def _is_single(definition: Definition) -> bool:
    """Return whether each copy has options of its own, so that each is a pick."""
    return not _for_each(definition) and any(not _for_each(one) for one in definition.offered)
