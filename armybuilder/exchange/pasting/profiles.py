"""Profiles of own models as players write them: "Ser Bran (3/4 Mounted, Long Move) 78".

They are on one line, in a row of a table, or on several lines below a name.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rapidfuzz.distance import OSA

from armybuilder.engine.catalogue import System
from armybuilder.engine.names import simple
from armybuilder.exchange.pasting import head
from armybuilder.exchange.pasting.head import HeadChoice
from armybuilder.exchange.pasting.lines import PastedForm
from armybuilder.exchange.pasting.parts import (
    HEAD_LINES,
    STATS,
    WORDS,
    pieces,
    shape,
    with_digits,
)
from armybuilder.exchange.pasting.prices import PART, STAT, StatedPrices, counts_models, take_prices
from armybuilder.exchange.pasting.rows import PastedRow
from armybuilder.exchange.pasting.rules import RuleNames
from armybuilder.loading.deadline import checked
from armybuilder.loading.library import Library

#: Letters of a line that may be a name, or a profile, and rows that one open bracket goes on for.
_NAME, _LONGEST, _OPEN_ROWS = 120, 1_500, 3
_RULES = re.compile(
    r"(?:^|(?<=[\s,;|(\[:.–-]))(?:special(?:s|\s*rules?|\s*abilit(?:y|ies))?|abilit(?:y|ies)"
    r"|(?:special\s*)?rules?|sr|s\.?a\.?|skills?|traits?|sonderregeln|règles\s+spéciales|regole\s+speciali"
    r"|reglas\s+especiales)\s*[:=]\s*",
    re.I | re.M,
)
_PRICE_ROW = shape(
    r"\W*(?:<label>\d{1,4}|\d{1,4}\s*<points>|\d{1,4}(?=\s*<each>))(?:\s*<points>)?\.?(?:\s*<each>)?\W*"
)
_NUMBER_ROW = re.compile(r"\W*\d{1,4}\W*")
_LABELLED_PRICE = shape(r"\W*(?:<points>\s*)?(?:cost|price)|.*\beach\b")
_COUNT_ROW = shape(
    r"\W*(?:(?:number|no|qty|quantity|count|<model>)\W{1,3}\d{1,3}|<x>\s?\d{1,3}|\d{1,3}\s?(?:<x>|<model>))\W*"
)
#: Larger numbers are no statistics: "Orc Raider (Harbinger 38/80)".
_HIGHEST = 12
#: Separate rules and other parts of a line; and those that names may hold too.
_PARTED = f",;\n\t|•·{PART}{STAT}"
_LOOSE_PARTS = re.compile(r"\s+[-–—]+\s+|[-–—]+\s+(?=\S)|:\s+")
#: "Leader, Q3/C3: Odran": a name behind the statistics.
_NAMED_LAST = re.compile(
    rf"(?P<rules>[^{STAT}]+){STAT}\W*:\s*(?P<name>[^{STAT}]*[^\W\d_][^{STAT}]*)"
)
_OWN_NAME = re.compile(r"\s*[“\"„]([^“”\"„]{1,100})[”\"“]")
#: A statistic that may be written wrongly, and how much alike it must be then.
_WORD_AND_NUMBER = re.compile(r"(?<![^\W\d_])([^\W\d_]{5,})\W{0,3}(\d{1,2})\b\+?")
_SPELT = 0.8
#: How a model fares, as lists for campaigns have it.
_STATE = shape(
    r"<open>?\b(<state>)\b<close>?[\s:–-]+(?=\S)|<open>(\w+)<close>\s+(?=<letter>)", re.NOFLAG
)
#: Letters in the place of words in quotation marks, while numbers are looked for.
_MASK, _QUOTES = 0x16A0, 10
_BRACES = str.maketrans("{}", "()")
_WORDS_BEFORE = re.compile(r"^(?:is an?|are|has|have|with)\s+", re.I)
_EMPTY = re.compile(r"[(\[{]\W{0,9}[)\]}]")
_ENDS = " \t\n-–—:,;.=|/*_&+@"
#: Parts that say nothing: "None", "Personality".
_IDLE = frozenset(["", *WORDS["nothing"]])
_IDLE_MARK = shape(
    r"\s*<open>p(?:ersonality)?<close>|^(?:name|figure|unit|character|profile)\s*[:=]\s*(?=\S)"
)
#: "66 # painted": what a player says behind a line.
_COMMENT = re.compile(r"\s+(?:#|//)\s+(\D.*)")
_EACH = shape("<each>")


@dataclass(frozen=True, slots=True)
class PastedProfile:
    """Parts of a profile: statistics by id, special rules as written, numbers and points.

    `own` is the player's name for the model; `mark` precedes it: "DEAD".
    """

    name: str
    stats: Mapping[str, int]
    rules: tuple[str, ...]
    prices: StatedPrices
    own: str = ""
    mark: str = ""


class ProfileReader:
    """Reads the profiles in a text by the statistics and special rules of a game."""

    def __init__(self, system: System, unit_names: Iterable[str] = ()) -> None:
        self.stats = system.stats
        self.rules = RuleNames(system.abilities.values())
        self.unit_names = {simple(name) for name in unit_names}
        #: Whether numbers of a text without points next to them may count models.
        self.counted = True
        #: Lines with a number alone that is a model's points.
        self.number_rows: set[int] = set()
        self.labelled = {
            stat.id: re.compile(
                rf"(?<![^\W\d_]){_written(stat.name)}(?:\s+(?:score|value))?\s*[:=-]?\s*\+?"
                r"(\d{1,2})\s*\+?(?!\d|\.\d|[^\W\d](?!\+?\d))",
                re.I,
            )
            for stat in system.stats.values()
        }
        slashed = r"\+?\s*/\s*".join([r"(\d{1,2})"] * len(self.stats))
        more = r"\s*[|\t,;/]?\s*(\d{1,2})" * (len(self.stats) - 1)
        cells = r"[|\t]\s*(\d{1,2})\+?\s*" * len(self.stats)
        #: Statistics by their order alone; the last only within their bounds.
        self.bare = (
            re.compile(rf"(?<![\w/.+-]){slashed}\+?(?![\d+])(?!\s*/\s*\d)(?:\s*/)?"),
            # "3/4/66": points behind them
            re.compile(rf"(?<![\w/.+-]){slashed}/(?=\d{{2,3}}\W*$)"),
            re.compile(rf"(?<![\w/.+-])(\d{{1,2}})\+{more}(?![\w+])"),
            re.compile(rf"{cells}(?=[|\t]|$)", re.M),
        )

    def read(self, text: str) -> PastedProfile | None:
        """Return the profile in a text; None if a name or a statistic is missing."""
        text = _IDLE_MARK.sub("", text.translate(_BRACES))
        if state := _STATE.match(text):
            text = text[state.end() :]
        comment = _COMMENT.search(text)
        text = _COMMENT.sub("", text)
        if _EACH.search(text):
            text = with_digits(text.lstrip(_ENDS))
        quotes = [own[0] for own in _OWN_NAME.finditer(text)][:_QUOTES]
        for place, quote in enumerate(quotes):
            text = text.replace(quote, f" {chr(_MASK + place)}", 1)

        def plain(part: str) -> str:
            for place, quote in enumerate(quotes):
                part = part.replace(chr(_MASK + place), quote.strip())
            return part

        marked, stats = self._without_stats(text)
        if len(stats) < len(self.stats):
            return None
        marked, prices = take_prices(_RULES.sub(PART, self._named_first(marked)))
        prices.counted = self.counted
        before = _said(_closed(marked.partition(STAT)[0]))
        first, *more = _said(_closed(marked)) or [""]
        mark = (state[1] or state[2]) if state else comment[1] if comment else ""
        if first.endswith(":") and len(before) > 1:  # "Archers: 2x Bowman"
            mark, first, more = mark or first[:-1], more[0], more[1:]
        name, rules = self._named(first, more, len(before) - 1)
        label, colon, rest = name.partition(": ")
        if colon and rest and simple(label) in head.SECTIONS:  # "Leader: Ulf"
            mark, name = mark or label, rest
        name, called = plain(name), ""
        own = _OWN_NAME.search(name)
        if own:
            rest = _OWN_NAME.sub("", name, 1).strip(_ENDS)
            if rest and self.rules.in_piece(_bare(rest)):  # "Q3 C3 “Old Hesk” Leader"
                rest, rules = "", (rest, *rules)
            name, called = (rest, own[1]) if rest else (own[1], "")
        if name[1:] and name[0] == name[-1] == "'":
            name = name[1:-1]
        if not any(letter.isalpha() for letter in name):
            return None
        return PastedProfile(name, stats, tuple(map(plain, rules)), prices, called, mark)

    def _named_first(self, marked: str) -> str:
        """Return a line with the name before all else: "Leader, Q3/C3: Odran", "Cleric (Q4): Wen".

        Only special rules may be above such a name; else it is a special rule itself.
        """
        turned = _NAMED_LAST.fullmatch(marked)
        above = _said(_closed(turned["rules"])) if turned else []
        if not turned or not above or not all(map(self.rules.in_piece, map(_bare, above))):
            return marked
        return f"{turned['name']} {STAT} {', '.join(above)}"

    def _without_stats(self, text: str) -> tuple[str, dict[str, int]]:
        """Return the text with a mark in the place of its statistics, and these."""
        stats: dict[str, int] = {}
        marked = text
        for key, pattern in self.labelled.items():
            match = pattern.search(marked)
            if match:
                stats[key] = int(match[1])
                marked = marked[: match.start()] + STAT + marked[match.end() :]
        if len(stats) < len(self.stats):
            marked, stats = self._misspelt(marked, stats)
        if stats:
            return marked, stats
        for number, pattern in enumerate(self.bare):
            for match in pattern.finditer(text):
                values = dict(zip(self.stats, map(int, match.groups()), strict=True))
                if self._usual(values) or (number == 0 and max(values.values()) <= _HIGHEST):
                    return text[: match.start()] + STAT + text[match.end() :], values
        return text, {}

    def _misspelt(self, text: str, stats: dict[str, int]) -> tuple[str, dict[str, int]]:
        """Return the text with all misspelt words corrected: "Qulaity 3"; otherwise unchanged."""
        marked, found = text, dict(stats)
        for key in [key for key in self.stats if key not in stats]:
            name = self.stats[key].name.casefold()
            for match in _WORD_AND_NUMBER.finditer(marked):
                if OSA.normalized_similarity(name, match[1].casefold()) >= _SPELT:
                    found[key] = int(match[2])
                    marked = marked[: match.start()] + STAT + marked[match.end() :]
                    break
        return (marked, found) if len(found) == len(self.stats) else (text, stats)

    def _usual(self, values: Mapping[str, int]) -> bool:
        bounds = ((self.stats[key].low, self.stats[key].high, values[key]) for key in values)
        return all((low or 0) <= value <= (high or 99) for low, high, value in bounds)

    def _named(self, first: str, rest: Sequence[str], before: int) -> tuple[str, tuple[str, ...]]:
        """Return the name and the rules; `before` parts of the `rest` precede the statistics."""
        name, rules = self._cut(first)
        for number, part in enumerate(rest):
            named = simple(f"{name} {part}") in self.unit_names
            title = number < before and not self.rules.in_piece(_bare(part))
            if (named or title) and not rules:
                name = f"{name}, {part}"
            else:
                rules.append(part)
        return name.strip(_ENDS), tuple(rule for rule in map(_bare, rules) if _says(rule))

    def _cut(self, text: str) -> tuple[str, list[str]]:
        """Return a name, and the rules after a dash or in brackets: "Odo - Leader"."""
        for cut in _LOOSE_PARTS.finditer(text):
            rest = _said(text[cut.end() :])
            if cut.start() and any(self.rules.in_piece(_bare(part)) for part in rest):
                return text[: cut.start()], rest
        head, bracket, inner = text.partition("(")
        rules = _said(inner.rstrip(_ENDS).removesuffix(")"))
        if head.strip(_ENDS) and bracket and any(map(self.rules.in_piece, map(_bare, rules))):
            return head, rules
        return text, []

    # Rows put together

    def rows(self, rows: Sequence[PastedRow]) -> Iterator[PastedRow]:
        """Yield the rows of a text; those of one profile are one of kind "profile"."""
        priced_below = self._priced_below(rows)
        block = _RowBlock(priced_below)
        for place, row in enumerate(checked(rows)):
            section = row.kind == "maybe" and simple(row.text) in head.SECTIONS
            if section and not self._stats_follow(rows[place + 1 :]):
                row = replace(row, kind="heading")
            kind = self._part_of(row)
            unnamed = not block.rows or block.complete(self)
            if kind == "rules" and unnamed and self._stats_follow(rows[place + 1 :]):
                kind = "name"
            full = kind == "stats" and block.complete(self)
            if full or not block.fits(kind, row):
                yield from block.taken(self)
                block = _RowBlock(priced_below)
            block.add(kind, row, self._without_stats(row.text)[1])
        yield from block.taken(self)

    def weigh(self, rows: Iterable[PastedRow]) -> None:
        """Decide from all profiles of a text whether numbers alone count models."""
        texts = (row.text for row in rows if row.kind == "profile")
        self.counted = counts_models(one.prices for text in texts if (one := self.read(text)))

    def tells_stats(self, text: str) -> bool:
        """Return whether a line has a number of some statistic."""
        return len(text) <= _LONGEST and bool(self._without_stats(text)[1])

    def _stats_follow(self, rows: Sequence[PastedRow]) -> bool:
        row = next((row for row in rows if row.text), None)
        return row is not None and self._part_of(row) == "stats"

    def _part_of(self, row: PastedRow) -> str:
        """Return the part of a profile that a row is.

        It is "whole", "stats", "rules", "price", "count", "name", "empty", or "other".
        """
        text = row.text
        if row.kind == "empty" or not text:
            return "empty"
        if len(text) > _LONGEST:
            return "other"
        if _PRICE_ROW.fullmatch(text) or row.number in self.number_rows:
            return "price"
        if _COUNT_ROW.fullmatch(text):
            return "count"
        if row.kind == "total":
            return "other"
        marked, stats = self._without_stats(text)
        if not stats and _RULES.match(text):
            return "rules"
        rest, _prices = take_prices(_RULES.sub(PART, marked))
        parts = [_bare(part) for part in _said(_closed(rest))]
        known = sum(bool(self.rules.in_piece(part)) for part in parts)
        if stats:
            first_is_rule = bool(parts) and bool(self.rules.in_piece(parts[0]))
            named = bool(parts) and not (first_is_rule and marked.lstrip(_ENDS).startswith(STAT))
            named &= not (_RULES.search(marked) and marked.lstrip(_ENDS).startswith(STAT))
            return "whole" if named and len(stats) == len(self.stats) else "stats"
        if parts and 2 * known >= len(parts) and known:
            return "rules"
        return "name" if row.kind == "maybe" and len(text) <= _NAME else "other"

    def _priced_below(self, rows: Sequence[PastedRow]) -> bool:
        """Return whether all one-line models have their points on the next line.

        Numbers alone are points if each is below a model, in several places.
        """
        lines = [row for row in rows if row.text]
        numbers = [place for place, row in enumerate(lines) if _NUMBER_ROW.fullmatch(row.text)]
        if not numbers and not any(_PRICE_ROW.fullmatch(row.text) for row in lines):
            return False
        parts = [self._part_of(row) for row in lines]
        if len(numbers) > 1 and all(
            place and parts[place - 1] in ("stats", "rules", "whole") for place in numbers
        ):
            self.number_rows = {lines[place].number for place in numbers}
            parts = [self._part_of(row) for row in lines]
        bare = [
            place
            for place, part in enumerate(parts)
            if part == "whole"
            and not take_prices(self._without_stats(lines[place].text)[0])[1].priced
        ]
        return len(bare) > 1 and all(parts[place + 1 : place + 2] == ["price"] for place in bare)


class _RowBlock:
    """Rows that may be one profile, while a text is read."""

    def __init__(self, priced_below: bool) -> None:
        self.priced_below = priced_below
        self.rows: list[PastedRow] = []
        self.kinds: list[str] = []
        self.stats: set[str] = set()

    def complete(self, reader: ProfileReader) -> bool:
        return len(self.stats) == len(reader.stats)

    def fits(self, kind: str, row: PastedRow) -> bool:
        """Return whether a row goes on with the block."""
        if kind == "empty":
            return bool(self.rows)
        held = [one for one in self.kinds if one != "empty"]
        if not held or held[0] == "other":
            return False
        gap = self.kinds[-1] == "empty"
        text = "\n".join(one.text for one in self.rows)
        if not gap and text.count("(") > text.count(")") and len(held) <= _OPEN_ROWS:
            return kind not in ("whole", "stats")
        if kind == "price":
            below = self.priced_below or _LABELLED_PRICE.match(row.text) or text.endswith(",")
            return kind not in held and not (held[0] == "whole" and (gap or not below))
        if kind == "rules":
            return not (gap and held[-1] == "rules") and not (gap and held[0] == "whole")
        return kind in ("stats", "count") and (kind != "count" or kind not in held)

    def add(self, kind: str, row: PastedRow, stats: Iterable[str]) -> None:
        self.rows.append(row)
        self.kinds.append(kind)
        self.stats.update(stats)

    def taken(self, reader: ProfileReader) -> Iterator[PastedRow]:
        """Yield the rows, as one where they are a profile."""
        rows, kinds = self.rows, self.kinds
        end = max((place for place, kind in enumerate(kinds, 1) if kind != "empty"), default=0)
        whole = kinds[:1] in (["whole"], ["name"], ["stats"]) and self.complete(reader)
        text = "\n".join(row.text for row in rows[:end] if row.text)
        if not whole or reader.read(text) is None:
            yield from rows
            return
        joined = (*(one.number for one in rows[1:end]), *(n for r in rows[:end] for n in r.joined))
        yield replace(rows[0], kind="profile", text=text, joined=tuple(sorted(joined)))
        yield from rows[end:]


def game_of_profiles(
    chosen: HeadChoice, form: PastedForm, library: Library, system_id: str | None = None
) -> HeadChoice:
    """Return the game whose profiles most lines of a text are, unless another one is named.

    Its books are those that have one of the models.
    """
    if form.numbers is not None:
        return chosen
    top = [row.text for row in form.rows if row.text][:HEAD_LINES]
    # A name without an edition counts where that game knows one of the units.
    top = top if chosen.told or chosen.books else []
    named = next(filter(None, (head.games_in(text, library.systems.values()) for text in top)), [])
    for system in library.systems.values():
        wanted = system.id == system_id if system_id else not named or system in named
        if not system.own_models or not wanted:
            continue
        reader = ProfileReader(system)
        if not any(reader.tells_stats(row.text) for row in form.rows if row.kind == "maybe"):
            continue
        rows = list(reader.rows(form.rows))
        counted = [row for row in rows if row.kind == "maybe" and re.search(r"\d", row.text)]
        profiles = [row for row in rows if row.kind == "profile"]
        if not profiles or (not system_id and len(profiles) < len(counted)):
            continue
        names = [written.name for row in profiles if (written := reader.read(row.text))]
        names += [name.removesuffix("s") for name in names]
        books = head.game_of_units([*names, *head.unit_names(form)], [system], library).books
        if chosen.system != system.id:
            return HeadChoice(system.id, books)
        return replace(chosen, books=tuple(dict.fromkeys((*chosen.books, *books))), others=())
    return chosen


def _written(name: str) -> str:
    foreign = STATS.get(name.casefold(), ())
    words = (word if len(word) > 1 else rf"{word}(?=\W?\d)" for word in foreign)
    # All that the name may be shortened to: "q", "qual", "quality".
    first, *rest = map(re.escape, name.casefold())
    short = first + "".join(f"(?:{letter}" for letter in rest) + ")?" * len(rest)
    return f"(?:{'|'.join([*words, short])})"


def _closed(text: str) -> str:
    """Return the text without brackets that are open, or have nothing in them."""
    while (shorter := _EMPTY.sub(PART, text)) != text:
        text = shorter
    letters, opened = list(text.translate(str.maketrans("[]{}", "()()"))), list[int]()
    for place, letter in enumerate(letters):
        if letter == "(":
            opened.append(place)
        elif letter == ")":
            if opened and STAT not in letters[opened[-1] : place]:
                opened.pop()
            else:
                letters[place] = PART
                if opened:
                    letters[opened.pop()] = PART
    for place in opened:
        letters[place] = PART
    return "".join(letters)


def _bare(part: str) -> str:
    """Return a part without brackets around it, dashes at its ends, and "is a" before it."""
    part = part.strip(_ENDS)
    while part.startswith("(") and part.endswith(")") and part.find(")") >= part.rfind("("):
        part = part[1:-1].strip(_ENDS)
    return _WORDS_BEFORE.sub("", part)


def _said(text: str) -> list[str]:
    return [part for part in pieces(text, _PARTED) if _says(_bare(part))]


def _says(part: str) -> bool:
    return simple(part) not in _IDLE
