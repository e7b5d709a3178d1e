"""Parts of units' lines, in anyone's form and our own. Nothing here knows a book."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from armybuilder.exchange.pasting.parts import number_in, pieces, shape

#: "480 - Prince", "480: Prince", "480 pts Prince": points first.
_POINTS_FIRST = shape(r"(\d{1,4})\s*(?:<points>\s*[-–:=|]?|\.?[-–:=|])\s+")
#: "Cost 26 Howl-Sister"
_COST_FIRST = shape(r"<label>(\d{1,4})\s*<points>?\s*[-–:]?\s+(?=<letter>|\d{1,3}\s?<x>)")
#: "380 30 Spears": points before a number of models; "(245) Prince": in brackets.
_POINTS_TWO = shape(r"(\d{2,4})\s+(?=\d{1,3}\s*<x>?\s+<letter>)")
_POINTS_BRACKETED = shape(
    r"<open>\s*(\d{2,4})\s*<points>?\s*<close>\s*[-–:]?\s*(?=<letter>|\d{1,3}\s?<x>?\s)"
)
#: "2x (10 Archers, Musician) 160": several of the unit in brackets.
_TIMES_BRACKETED = shape(r"(\d{1,2})\s?<x>\s*\((?:(\d{1,3})\s?<x>?\s)?(.+)\)")
#: "Spears, Champion | 30 | 380": the number of models in a table's row.
_CELL = re.compile(r"\s*[|\t]\s*(\d{1,3})$")
#: "130.- Engineer", "365-5x Chosen", "366 -24 Archers": the dash has no space.
_POINTS_CLOSE = shape(
    r"(\d{3,4}|\d\d(?!\s*<dash>\s*\d+\s+<letter>))\s*\.?\s*<dash>\s*"
    r"(?=\d{1,3}\s?<x>|\d{1,3}\s+<letter>|<letter>)"
)
#: "2x 305 - 2x1 Mill", "160x2 2x1 Scorpion": points of each of several.
_EACH_BEFORE = shape(r"\d{1,2}\s?<x>\s+(?=\d{2,4}\s*[-–:])")
_EACH_BEHIND = shape(r"(\d{2,4})\s?<x>\s?\d{1,2}\s+(?:[-–:]\s*)?(?=\d)")
#: "2x10 Spears": two units of ten.
_SEVERAL = shape(r"(\d{1,2})(?:\s?<x>\s?|\*)(\d{1,3})\s*<x>?\s+(?=<letter>)")
#: Brackets of other shapes around words, and the mark between cells.
_BRACKETS = re.compile(r"\[([^\W\d_][^\[\]]*)\]|\{([^{}]+)\}|<([^<>]+)>")
_STROKE = re.compile(r"\s*\|\s*")
#: Units in one line, at most.
MOST_TIMES = 20
#: "25 Spears", "25x Spears", "x25 Spears", "[2x] Spears", "3) Spears", "*10 Spears".
_NUMBER_FIRST = shape(
    r"(?:<open>|[*-])?\s?(?:<x>\s?)?(\d{1,3})\s*<x>?(?:<close>|[*.,])?\s+"
    r"(?:<model>\s+(?:of\s+|de\s+)?)?(?=<letter>|[\"“'’(+])"
)
#: "10 - Spears", if the points are elsewhere.
_NUMBER_APART = shape(r"[-–]?(\d{1,3})\s*<x>?\s*[-–—:,|]\s*(?=<letter>)")
#: "Spears - 30 - Champion": the number of models between dashes.
_NUMBER_BETWEEN = shape(
    r"(<letter>[^,;:()\[\]\d–]{1,40}?)\s+<dash>\s+(\d{1,2})\s+<dash>\s+(?=<letter>)"
)
_NUMBER_LAST = shape(
    r"\s+(?:(?:<x>|\*)\s?(\d{1,3})|(\d{1,3})\s?<x>)$"
    r"|\s*<open>(?:<x>\s?)?(\d{1,3})\s?<x>?(?:\s(?:<model>|strong))?<close>$"
    r"|\s(?:of\s)?(\d{1,3})$"
)
#: A number that only a space parts from the words before it.
_BARE_LAST = shape(r"(.*(?:<letter>[\)\]”\"]?|\W<x>\s?\d{1,3}))\s(\d{1,4})")
#: "Demon (L 9, 42 pts)": points behind something else in brackets.
_BRACKETS_LAST = shape(
    r"\s*<open>([^()\[\]]{1,60}?)\s*[,;/|]\s*(\d{1,5})\s*<points><close>(\s*<count>)?$"
)
#: Numbers after a name, and the order in which they are read: models, then points.
_BEHIND = tuple(
    (shape(said), meant)
    for said, meant in (
        # "Archers, 3 of these, 44 each"
        (r"\s*[,:–-]?\s(\d{1,3})\s(?:of\s)?(?:these|them)\b", r" x\1"),
        # "Archers (44 each) x3", "Archers, 44 pts (x3)", "Archers x3 @ 44 = 132"
        (r"\s*<open>\s*<price>\s*<each>?\s*<close>\s*<count>$", r" x\2, \1 pts"),
        (r"[\s,;:–-]+(\d{1,5})\s*<points>\s*<open>\s*<count>\s*<close>$", r" x\2, \1 pts"),
        (
            r"[\s,;–-]+(?:<x>\s?)?(\d{1,3})(?:\s?<x>)?\s*<at>\s*\d{1,5}\s*<points>?\s*<each>?"
            r"\s*=\s*<price>$",
            r" x\1, \2 pts",
        ),
        # "4 Archers 176 pts (44 each)"
        (
            r"[\s,;–-]+(\d{1,5})\s*<points>?\s*<open>\s*\d{1,5}\s*<points>?\s*<each>\s*<close>$",
            r" \1 pts",
        ),
        # "4 Archers à 44 = 176"
        (r"[\s,;–-]*<at>\s*\d{1,5}\s*<points>?\s*<each>?\s*=\s*<price>$", r" \1 pts"),
        # "4 Archers (44 each, 176 total)"
        (
            r"[\s,;–-]*<open>\s*\d{1,5}\s*<points>?\s*<each>[,;/\s]+<price>\s*<total>?\s*<close>$",
            r" \1 pts",
        ),
        # "Archers 44 x3", "Archers 3x 44": the mark is next to the number of models.
        (r"(?<=[\s,;])<price>\s*(?:[-–,;]\s*)?<x>(\d{1,3})$", r" x\2, \1 pts"),
        (r"(?<=[\s,;])(\d{1,3})<x>\s+<price>$", r" x\1, \2 pts"),
        # "Archers 44 x3 (132)"
        (
            r"(?<=[\s,;])\d{1,4}\s*<points>?\s+<x>(\d{1,3})\s*<open>\s*<price>\s*<close>$",
            r" x\1, \2 pts",
        ),
        # "Archers x3, 44 each", "Archers @ 44"
        (
            r"[\s,;–-]*<open>?\s*(?:<at>\s*<price>\s*<each>?|(?<!\d)<price>\s*<each>)\s*<close>?$",
            r" (\1\2 pts)",
        ),
    )
)
#: "Archers 3 x 44 = 132", "44x3": either number may be that of the models.
_PAIR = shape(r"[\s,;:–@-]+<open>?(\d{1,4})\s*<open>?<x>\s*(\d{1,4})(?:\s*=\s*<price>)?<close>?$")
#: "279 - Tribesmen (6)": of the number before a dash and that in brackets either may be the models.
_PAIR_AROUND = shape(r"(\d{1,4})\s*<dash>\s*(?=<letter>)(.*<letter>)\s*<open>(\d{1,4})<close>")
#: "30 models", "Size: 30", "x30": a number of models alone.
_MODELS = shape(
    r"\W*(?:<x>\s?)?\d{1,3}\s*<x>?\s*(?:<model>)\W*"
    r"|\W*(?:<model>|number|size|strength|qty|count)\s*[:=]\s*(?:<x>\s?)?\d{1,3}\W*"
    r"|\W*(?:<x>\s?\d{1,3}|\d{1,3}\s?<x>|\d{1,3}\s(?:of\s)?(?:these|them))\W*"
)
#: How a unit fares, behind its line: "20 Archers - DEAD".
_STATE_LAST = shape(r"\s*(?:[-–,:]\s*)?(?:\b(<state>)|<open>((?i:<state>))<close>)\W*", re.NOFLAG)
#: Marks before a unit: "DEAD 365 - Exarch", "Core: 20 Spears", "[x] Exarch".
_MARKS = (
    shape(r"(?P<mark><letter>[^\d,;]{0,40}?)\W+(?P<rest>\d{1,4}\s*(?:[-–:x×\s]|<points>)\s*\S.*)"),
    shape(
        r"(?P<mark>[A-Z]{2,20}\b|<open><letter>+<close>|<letter>[\w ]{1,30}:)\W+(?P<rest>\S.*)",
        re.NOFLAG,
    ),
    shape(
        r"(?P<lead>\d{1,4}\s*[-–:]\s*(?:\d{1,3}\s?<x>?\s)?)"
        r"(?P<mark>[A-Z]{2,20}\b|<open><letter>+<close>)[^\w,]+(?P<rest>\S.*)",
        re.NOFLAG,
    ),
)
#: ", 320", "[320]", "(320 pts)", "= 320", "- 320", ") 320", "320 pts": points last. A number that
#: only a space parts from the name may count models, unless it has three digits.
_POINTS_LAST = shape(
    r"(?:\s*[,;=:–|]\s*(\d{1,5}|\?)\s*<points>?|\s*<open>\s*=?\s*(\d{1,5}|\?)\s*<points>?\s*<close>"
    r"|[\s-]+(\d{1,5}|\?)\s*<points>|(?:\s-\s*|(?<=\))\s*)(\d{1,5})|\s(\d{3,5}))\.?$"
)
#: "Prince [480pts]: General": points after the name.
_POINTS_INSIDE = shape(r"\s*<open>\s*<price>\s*<close>\s*(?:[:,–-]|w/|with\b|incl\.?)\s*")
_POINTS_MIDDLE = shape(
    r"\s*[:=–-]\s*(\d{2,5})\s*<points>?\s*(?=\()|\s+<dash>\s+(\d{1,5})\s*<points>\s+<dash>\s+(?=<letter>)"
    r"|\s*<open>(\d{1,5})\s*<points><close>\s+(?=<letter>)"
    r"|\s<dash>\s(\d{1,3})\s<dash>\s(?=<letter>)"
)
_POINTS_SECOND = shape(r"([^,;(\d]{2,60}),\s*(\d{1,5})\s*<points>\s*,\s*(?=<letter>)")
#: A smaller number in brackets is one of models, if the points are elsewhere.
_MOST_INSIDE = 99
_OWN_NAME = re.compile(r' “([^“”]{0,200})”|(?:^| )"([^"\s\d][^"]{0,80})"(?=[\s,;:)\]-]|$)')
_LETTER = shape(r"\s*<open>([A-Z]{1,2})<close>(?=,|$|\s*<open>\d)", re.NOFLAG)
_SPLIT = shape(
    r"\s*[:;–|]\s*|\s+-\s+|\s+(?:with|w/|w\.|mit|avec|con|on|auf|including|incl\.?|inkl\.?)\s+"
)
_TIMES = shape(r"(\d{1,2})(?:\s*<x>\s*(?=\S)|\s+(?=<letter>))")
#: "Prince 220 + Shield 10 = 230": a unit, what it takes, each with points, and all of them.
_SUM = shape(r"((?:[^+=]|\+\))+(?:\+(?!\))(?:[^+=]|\+\))+)+)(?:=\s*(\d{1,5})\s*<points>?)?")
_SUMMAND = shape(r"(.*<letter>.*?)(?:\s*<open>?\b(\d{1,4})\s*<points>?<close>?)?\s*")


#: Wide letters and marks of Asian keyboards, and long dashes, as others write them.
_WIDE: dict[int, int | str] = {
    **{code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)},
    0x3000: " ",
    0x2014: "–",
    0x2018: "'",
}
#: Quotation marks around a whole line.
_AROUND = {"“": "”", '"': '"', "„": "“", "«": "»", "‘": "’", "'": "'"}


@dataclass(frozen=True, slots=True)
class NamedEntry:
    """Parts of a line: `words` are name and options, `own` the player's name for it.

    `models` 0 and `points` None are not given, `points` -1 are unknown. `times`: number of such
    units; `each`: the points are those of each. Of a `pair` either number may be the models.
    """

    models: int
    words: str
    points: int | None
    own: str = ""
    times: int = 1
    each: bool = False
    pair: tuple[int, int] | None = None

    @property
    def printed(self) -> int | None:
        """The points, None also if unknown."""
        return None if self.points == -1 else self.points


def read_entry(text: str) -> NamedEntry:
    """Return the line taken apart. In a text of another form the first number may be points."""
    text = text.translate(_WIDE).strip()
    if text[1:] and text.endswith(_AROUND.get(text[0], "\n")) and text.count(text[0]) <= 2:
        text = text[1:-1].strip()
    own = _OWN_NAME.search(text)
    if own and own[2] and not any(map(str.isalpha, text.replace(own[0], "", 1))):
        own = None  # the unit's own name
    if own:
        text = text[: own.start()].rstrip(" -–") + _LETTER.sub("", text[own.end() :], count=1)
    text = _BRACKETS.sub(lambda one: f"({one[1] or one[2] or one[3]})", _STROKE.sub(" | ", text))
    if cost := _COST_FIRST.match(text):
        text = f"{cost[1]} pts {text[cost.end() :]}"
    if second := _POINTS_SECOND.match(text):
        text = f"{second[1]}, {text[second.end() :]}, {second[2]} pts"
    text, points, pair = _points_behind(text)
    each = _EACH_BEFORE.match(text)
    text = text[each.end() :] if each else text
    cell = _CELL.search(text) if points is not None else None
    text = text[: cell.start()] if cell else text
    if "(" in text:
        text = _TIMES_BRACKETED.sub(lambda one: f"{one[1]}x{one[2] or 1} {one[3]}", text, count=1)
    if first := _points_first(text) if points is None else None:
        text, points = text[first.end() :], int(first[1])
    several = _SEVERAL.match(text)
    number = None if several else _NUMBER_FIRST.match(text)
    if points is not None and not (several or number or first):
        number = _NUMBER_APART.match(text)
    if counted := several or number:
        text = text[counted.end() :]
    between = None if counted or points is None else _NUMBER_BETWEEN.match(text)
    text = f"{between[1]}, {text[between.end() :]}" if between else text
    inside = _POINTS_INSIDE.search(text) or _POINTS_MIDDLE.search(text)
    stated = int(next(filter(None, inside.groups()))) if inside else 0
    if inside and (points is None or stated > _MOST_INSIDE):
        text = f"{text[: inside.start()]}: {text[inside.end() :]}"
        points = stated if points is None else points
    told = (several and several[2]) or (number and number[1])
    models = told or (cell and cell[1]) or (between and between[2]) or "0"
    return NamedEntry(
        models=int(models),
        words=text.replace(" | ", ", ").strip(" ,;:") if own is None else text.strip(" -–"),
        points=points,
        own=(own[1] or own[2] or "") if own else "",
        times=max(1, min(int(several[1]), MOST_TIMES)) if several else 1,
        each=each is not None or (first is not None and first.re is _EACH_BEHIND),
        pair=pair,
    )


def _points_behind(text: str) -> tuple[str, int | None, tuple[int, int] | None]:
    """Return a line without the points at its end, and these; a pair with the points of both."""
    tail = text[-60:]
    for written, meant in _BEHIND:
        if match := written.search(tail):
            tail = tail[: match.start()] + match.expand(meant) + tail[match.end() :]
    text = text[:-60] + tail
    if pair := _PAIR.search(tail):
        one, other = int(pair[1]), int(pair[2])
        return text[: pair.start() - len(tail)], int(pair[3] or one * other), (one, other)
    if around := _PAIR_AROUND.fullmatch(text):
        one, other = int(around[1]), int(around[3])
        return f"{one} - {around[2]}", other, (one, other)
    if beside := _BRACKETS_LAST.search(text, max(0, len(text) - 90)):
        number = beside[3] or ""
        return f"{text[: beside.start()]}{number} ({beside[1]})", int(beside[2]), None
    tail = text[-60:]
    if last := _POINTS_LAST.search(tail):
        said = next(group for group in last.groups() if group)
        return text[: last.start() - len(tail)], -1 if said == "?" else int(said), None
    return text, None, None


def summed(text: str) -> str:
    """Return a sum as a unit's line with its total; another text unchanged.

    Without a total all parts must have points, so that they aren't models.
    """
    found = _SUM.fullmatch(text.strip())
    parts = (
        [_SUMMAND.fullmatch(part.strip()) for part in re.split(r"\+(?!\))", found[1])]
        if found
        else []
    )
    known = [part for part in parts if part]
    points = [int(part[2]) for part in known if part[2]]
    if found is None or len(known) < len(parts) or not (found[2] or len(points) == len(parts)):
        return text
    return ", ".join([*(part[1] for part in known), found[2] or str(sum(points))])


def points_lead(text: str) -> bool:
    """Return whether a line begins with points and a dash, as units do: "480 - Prince"."""
    return _points_first(text) is not None


def _points_first(text: str) -> re.Match[str] | None:
    ways = (_EACH_BEHIND, _POINTS_FIRST, _POINTS_CLOSE, _POINTS_TWO, _POINTS_BRACKETED)
    return next((match for way in ways if (match := way.match(text))), None)


def cuts(words: str, most_commas: int) -> Iterator[tuple[str, str]]:
    """Yield a unit's name and what follows it, for each place where the name may end.

    Likeliest first: at commas, a colon behind a bracket that is of the name, a bracket, a colon or
    dash.
    """
    without = _LETTER.sub("", words, count=1)
    parts = pieces(without)
    for end in range(min(most_commas + 1, len(parts)), 0, -1):
        yield (", ".join(parts[:end]), ", ".join(parts[end:]))
    opening = without.find("(")
    closing = without.rfind(")")
    name, colon, rest = without.partition(": ")
    if colon and 0 < opening < len(name):
        yield (name, rest)
    if 0 < opening < closing:
        rest = f"{without[opening + 1 : closing]}, {without[closing + 1 :].strip(' ,;:')}"
        yield (without[:opening].strip(), rest.strip(" ,"))
    for split in list(_SPLIT.finditer(without))[:3]:
        yield (without[: split.start()].strip(), without[split.end() :].strip())


def number_behind(name: str) -> tuple[str, int]:
    """Return a name and the number behind it: "Citizen Spears x25"; 0 where there is none."""
    number = _NUMBER_LAST.search(name)
    if number is None:
        return name, 0
    return name[: number.start()], int(next(filter(None, number.groups())))


def bare_number(words: str) -> tuple[str, int] | None:
    """Return a text and the number at its end that only a space parts: "Shadow Demon 42"."""
    match = _BARE_LAST.fullmatch(words)
    return (match[1], int(match[2])) if match else None


def models_in(text: str) -> int:
    """Return the number of models in a text that has nothing else; 0 for another text."""
    return number_in(text) if _MODELS.fullmatch(text) else 0


def without_state(text: str) -> tuple[str, str]:
    """Return a line and how its unit fares, behind it: "DEAD", or ""."""
    words = text.rstrip()
    for start in range(max(0, len(words) - 14), len(words)):
        match = _STATE_LAST.fullmatch(words, start)
        if match and start:
            return words[:start], match[1] or match[2]
    return text, ""


def without_mark(text: str) -> Iterator[tuple[str, str]]:
    """Yield each possible mark before a unit, and the rest of the line: "DEAD", "365 - Exarch"."""
    for pattern in _MARKS:
        match = pattern.fullmatch(text)
        if match:
            lead = match.groupdict().get("lead") or ""
            yield match["mark"].strip(" :-–"), lead + match["rest"]


def times(piece: str) -> tuple[str, int]:
    """Return an option and its number: "2 × Aether Icon"; 0 if there is none."""
    number = _TIMES.match(piece)
    return (piece[number.end() :], int(number[1])) if number else (piece, 0)
