"""The rows of a pasted text: without the marks of forums and notes, and whole where they broke.

"Champion 305 - 10x Lion Guard" is the end of a unit and another unit, whose line end a PDF or Word
file has lost; "Paired Weap-" goes on below.
"""

import html
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from armybuilder.engine.wording import say
from armybuilder.exchange.pasting.data import NAMED, heading_key, spelled_out, unnested
from armybuilder.exchange.pasting.parts import shape
from armybuilder.loading.deadline import checked
from armybuilder.loading.problems import Refusal
from armybuilder.sheets.texts.forms import UNTAGGED

#: Bytes and lines of a text that are read.
MAX_TEXT = 512 * 1024
MOST_LINES = 10_000
#: Lines of a text with many lists.
MOST_PACK_LINES = 40_000
#: Letters of one line.
LONGEST = 5_000

_LINE_ENDS = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_UNSEEN = re.compile(
    "[\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f\xad\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]"
)
#: Where a line of a page ends that another follows on.
_BLOCK_END = re.compile(r"(?:<br\s*/?>|</(?:h[1-6]|li|p|div|tr)>)(?=[^\n]*\S)", re.I)
_INDENT = re.compile(r"^[ \t]+")
_HALVES = re.compile("[\ud800-\udfff]")
#: Other signs for "times".
_TIMES = re.compile(r"[✕✖⨯]\ufe0f?(?=\s?\d)|(?<=\d)\s?[✕✖⨯]\ufe0f?")
_ESCAPED = re.compile(r"\\([^\w\s]|_)|(?<=\d)\\(?=[.)])")
_BOLD = re.compile(r"(?<!\\)(?:\*\*|__)")
_HASHES = re.compile(r"#{1,6}\s+")
_BULLET = re.compile(r"(?:[-*+•◦‣·–—►>]|\*{2,3}|-{2,3}|\[\*\])\s+|\[\*\]|•")
_TAGS = re.compile(
    r"\[(/?)(?:b|u|i|s|list|quote|code|size|colou?r|spoiler|url|cent(?:er|re)|left|right|align|font"
    r"|indent|h[1-6]|hr|sub|sup|pre|highlight|table|tbody|tr|(td|th))(?:=[^\]\n]{0,200})?\]"
    r"|\[img[^\]\n]{0,60}\].{0,300}?\[/img\]",
    re.I,
)
#: One of them that ends: what a text without any has in brackets is meant as it is.
_TAG_END = re.compile(
    r"\[/(?:[bius]|size|colou?r|url|cent(?:er|re)|quote|spoiler|table|td|img)\]", re.I
)
#: Marks of mails that are answered, in each other, and the line above a quotation.
_QUOTED = re.compile(r"(?:>\s?)+")
_WROTE = re.compile(
    r"(?:on|am|le|el|il)\s.{6,120}(?:wrote|schrieb.*|écrit|escribió|scritto)\s?:", re.I
)
#: Letters where scans of pages had digits: "6O", "l x".
_LETTERS_FOR_DIGITS = re.compile(r"(?<![^\W_])\d{1,3}[OoQ]{1,3}(?![^\W_])|^[lI|](?=\s?[x×]\s)")
#: What a player called a unit is no mark of a forum.
_CALLED = re.compile(r"(“[^“”]*”)")
#: Stands for a bracket that is no tag while the tags are taken out.
_KEPT = "\ue000"
_ITALIC = re.compile(r"\[i\](?P<bb>.*)\[/i\]|(?P<md>(?<!\\)\*.+\*)|(?<![\w\\])_(?P<low>.+)_")

#: Words that our forms hold together; their spaces may have become plain ones on the way.
_FIRST_WORD = re.compile(r"(?<!\S)(?:«\s)?[^ \t]+(?: [:;!?»](?= |$))*")
#: The two lines around what was copied as code.
_FENCE = re.compile(r"`{3,}\w*")
#: Marks of chats around words: struck through, hidden, bold, set in another type.
_AROUND = re.compile(
    r"(?P<mark>~~|\*\*|__|`)(?=\S)(?P<words>.+?)(?<=\S)(?P=mark)"
    r"|(?<![\w*])\*(?=[^\s*])(?P<starred>.+?)(?<=[^\s*])\*(?![\w*])"
    r"|(?<![\w_])_(?=[^\s_])(?P<low>.+?)(?<=[^\s_])_(?![\w_])"
)
#: Marks in each other.
_MOST_MARKS = 6
_HIDDEN = re.compile(r"\|\|(.+?)\|\|")
#: Ticks, boxes, emoji and numbers of a list, before a line or behind it; no wide letters.
_SIGN = r"[^\w\s\x00-\x7f\uff01-\uff5e“”„‟«»‘’‚‹›–—…·•¡¿£€×−″′]"
_LEADING = re.compile(
    rf"(?:\[[ xX✓✔√]?\](?=\s)|(?!Q\d)[A-Z][A-Za-z]{{0,2}}\d{{1,2}}\s?[).:](?=\s+\w)"
    rf"|[A-Z]:(?=\s+(?:\d{{1,2}}\s+)?[^\W\d_]{{3}})|\d\ufe0f?\u20e3|{_SIGN}+|:\w+:(?=\s)|[a-z]\)(?=\s)"
    r"|#{1,6}(?=\s)|[IVX]{1,4}[.)](?=\s)|\d{1,2}[.)](?=\s+\d)|#\d{1,2}[.:)]?(?=\s)|\(\d{1,2}\)(?=\s+\d)"
    r"|\d{1,2}\s?[-–](?=\s+\d{2,4}\s*[-–]))\s*"
)
#: The number of a unit in a list that counts them: "2. Exarch"; else it is that of its models.
ENTRY = re.compile(r"^\W{0,4}(\d{1,2})[.)]\s+(?=[^\s–-])")
_TRAILING = re.compile(rf"(?:\s{{0,3}}{_SIGN}+|\s:\w+:|\s{{1,3}}[*~|]+|(?<=\w)\s{{0,3}}\|)$")
_INSIDE = re.compile(rf"\s{_SIGN}+(?=\s|\d)")
#: "Shadow Demon ..... 42"
_LEADERS = re.compile(
    r"\s{0,9}(?:(?:[.…·]\s?){3,90}|…|(?<=\s)\.\.(?=\s))\s{0,9}(?=[x×]?\s?\d)|(?<=[^\W\d_])\.(?=\d{1,4}\s?pts?\b)"
)
#: Decimals of whole points in a spreadsheet: "4.471,00".
_DECIMALS = re.compile(r"(?<=\d)(?:[.,]00|(?<=\d\d)[.,]0)(?![\d.,])")

#: Points before a unit, at the start of a line.
_POINTS_FIRST = re.compile(r"\W{0,3}\d{2,4}\s*[-–]\s*\S")
#: The same, behind a mark: "DEAD 570 - 28 Judicators".
_MARKED = re.compile(rf"(?:[A-Z]{{2,20}}\s)?{_POINTS_FIRST.pattern}")
#: A line with points of its own, before its unit or at its end.
_OWN_PRICE = shape(
    r"(?:<letter>[^\d,;(]{0,40}\W)?\W{0,3}\d{2,4}\s*<points>?\s*[-–:]\s*\S.*"
    r"|.*\s(?:<open>\d{2,4}\s?<points>?<close>|\d{2,4}\s?<points>)"
)
#: The same inside a line, after words: before it is another unit, or a heading.
_BETWEEN_UNITS = shape(
    r"(?:(?<=<letter>)|(?<=<close>))[.,;]?\s+(?=\d{2,4}\s*[-–]\s+(?:\d{1,3}\s?<x>?\s?)?<letter>{3})"
)
#: A total behind the last unit of a line with several.
_TOTAL_BEHIND = shape(r"\s+(?=<total>\W{0,3}\d{3,5}\W*$|\d{4}(?:\s?<points>)?\W*$)")
#: A word that was broken: "Paired Weap- ons".
_HYPHEN = re.compile(r"(?<=[^\W\d_])-\s+(?!(?:und|oder|and|or|et|ou)\b)(?=[a-zà-ÿ])")

# Habits of chats and pages in lines

#: "[12:31, 3.4.2024] Tom: ", "03/04/2024, 12:31 - Tom: ": who wrote a line in a chat, and when.
_SENDER = re.compile(
    r"(?:\[(?=[^\]\n]*\d{1,2}[:.]\d\d)(?=[^\]\n]*\d[./-]\d)[\d:./, -]{9,24}(?:[AaPp][Mm])?\]\s*"
    r"|\d{1,2}[./-]\d{1,2}[./-]\d{2,4},?\s+\d{1,2}:\d\d(?:\s?[AaPp][Mm])?\s+-\s+)[^:\n]{1,30}:\s+"
)
_HTML = re.compile(
    r"</?(?:a|b|br|div|em|font|h[1-6]|i|li|ol|p|s|span|strong|table|t[dhr]|tbody|u|ul)\b[^<>\n]{0,200}>",
    re.I,
)
_LINE_CELL = re.compile(r"</t[dh]>\s*(?=.*\S.*</t[dh]>)", re.I)
#: "2 units of 20 Archers".
_UNITS_OF = shape(
    r"(^|[-–:]\s)(\d{1,2})\s+(?:units?|regiments?|blocks?)\s+of\s+(\d{1,3})\s+(?=<letter>)"
)
_DIGIT = re.compile(r"\d")
#: Marks that part what a unit takes where no comma does.
_PARTING = (" / ", " + ")
#: What lines have of which anything here is true: few are looked at more closely.
_ODD = re.compile(r"^[\[\d].{9,60}:|[<&]| [/+] .* [/+] |s? of \d", re.I)


@dataclass(frozen=True, slots=True)
class PastedRow:
    """A row by its number from 1: `raw`, and `text` without marks.

    `level`: indent; `note`: in italics; `joined`: numbers of the rows below that were joined to it.
    `kind`, once it is classified (`lines.py`): "empty", "title", "verdict", "count", "head" (game,
    setting, finding), "heading", "unit", "detail", "unit note", "list note", "total",
    "repeated", "taken" (on the unit above), "profile" (of an own model), "maybe" (only a book can
    decide).
    """

    number: int
    raw: str
    text: str
    level: int = 0
    bullet: bool = False
    heading: bool = False
    note: bool = False
    kind: str = ""
    joined: tuple[int, ...] = ()

    @property
    def words(self) -> str:
        """The text as `single_spaced` has it."""
        return single_spaced(self.text)

    @property
    def last(self) -> int:
        """The number of the last row that was put together with it."""
        return self.joined[-1] if self.joined else self.number


def single_spaced(text: str) -> str:
    """Return a text with single spaces, and a stroke between the cells of a table."""
    return " ".join(text.replace("\t", " | ").split())


def read_rows(text: str, most_lines: int = MOST_LINES) -> list[PastedRow]:
    """Return the lines of a text. Raises Refusal where it, or one of them, is too long."""
    if len(text) > MAX_TEXT or len(text.encode("utf-8", "replace")) > MAX_TEXT:
        raise Refusal(say("The text is too long; the maximum is {most} KB.", most=MAX_TEXT // 1024))
    text = spelled_out(unnested(text).replace(_KEPT, "").replace(UNTAGGED, _KEPT))
    text = _BLOCK_END.sub("\n", text) if "</" in text else text
    clean = _UNSEEN.sub("", _HALVES.sub("\ufffd", _LINE_ENDS.sub("\n", text)))
    clean = _TIMES.sub("×", clean)
    # Tabs inside a line part the cells of a table.
    lines = [
        _INDENT.sub(lambda tabs: tabs[0].expandtabs(4), line) if "\t" in line else line
        for line in clean.split("\n")
    ]
    if len(lines) > most_lines:
        raise Refusal(say("The text is too long; the maximum is {most} lines.", most=most_lines))
    long = next((number for number, line in enumerate(lines, 1) if len(line) > LONGEST), 0)
    if long:
        raise Refusal(
            say(
                "Line {number} is too long; the maximum is {most} characters.",
                number=long,
                most=LONGEST,
            )
        )
    return list(_rows(list(_whole_lines(lines))))


def _whole_lines(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines; units joined in one line because line ends were lost, one by one."""
    for line in lines:
        parts = "-" in line.replace("–", "-") and _BETWEEN_UNITS.split(line)
        if parts and (len(parts) > 2 or (len(parts) == 2 and _POINTS_FIRST.match(line))):
            yield from parts[:-1]
            yield from _TOTAL_BEHIND.split(parts[-1], 1)
        else:
            yield line


def _rows(lines: list[str]) -> Iterator[PastedRow]:
    markdown = any(_HASHES.match(line) for line in lines) and any("**" in line for line in lines)
    forum = any("[*]" in line or _TAG_END.search(line) for line in lines)
    inside = False
    for number, line in enumerate(checked(lines), 1):
        text = line.strip()
        if ".0" in text or ",0" in text:
            text = _DECIMALS.sub("", text)
        if _ODD.search(text):
            text = _plain_line(text)
        level = len(line) - len(line.lstrip())
        if quoted := _QUOTED.match(text):
            text = text[quoted.end() :]
            level = len(text) - len(text.lstrip())
            text = text.strip()
        if not text or _WROTE.fullmatch(text):
            text = line = ""
        if text[:3] == "```" and _FENCE.fullmatch(text):
            text = line = ""
        bullet = _BULLET.match(text)
        text = text[bullet.end() :].strip() if bullet else text
        if bullet and bullet[0][:2] in ("**", "--"):  # a list in a list
            level += 2 * (len(bullet[0].strip()) - 1)
        row = PastedRow(number, line, text, level, bullet is not None)
        if markdown:
            row = _markdown(row)
        elif forum:
            row = _forum(row, inside)
            inside = "[/list]" not in line.lower() and (inside or "[list" in line.lower())
        if _KEPT in line:
            raw, text = row.raw.replace(_KEPT, UNTAGGED), row.text.replace(_KEPT, "[")
            row = replace(row, raw=raw, text=text)
        yield row


def _plain_line(line: str) -> str:
    """Return a line without its sender and the tags of a page, with commas between names."""
    text = _SENDER.sub("", line, count=1) if line[:1] in "[0123456789" else line
    if "<" in text and ">" in text:
        text = _HTML.sub(" ", _LINE_CELL.sub(" | ", text)).rstrip() if _HTML.search(text) else text
    if "&" in text and ";" in text:
        text = html.unescape(text)
    text = _UNITS_OF.sub(r"\1\2x\3 ", text)
    for mark in _PARTING:
        text = _with_commas(text, mark)
    return text


def _with_commas(text: str, mark: str) -> str:
    """Return a line with commas for the marks between a unit and two things of it at least."""
    first, *rest = text.split(mark)
    *names, last = rest or [""]
    words = [*names, last] if not last.strip().isdigit() else names
    if heading_key(first) in NAMED:
        return text  # of a table
    only_names = len(words) > 1 and not _DIGIT.search("".join(words))
    return ", ".join([first, *rest]) if only_names and "," not in text else text


def _markdown(row: PastedRow) -> PastedRow:
    text, note = row.text, False
    heading = _HASHES.match(text)
    if heading:
        text = text[heading.end() :]
    italic = _ITALIC.fullmatch(text)
    if italic and italic["md"] and not text.startswith("**"):
        text, note = text[1:-1], True
    text = _ESCAPED.sub(lambda match: match[1] or "", _BOLD.sub("", text))
    return replace(row, text=text.strip(), heading=heading is not None, note=note)


def _forum(row: PastedRow, inside: bool) -> PastedRow:
    """Return a line of a forum's post; without a bullet it continues the one above."""
    italic = _ITALIC.fullmatch(row.text)
    note = italic is not None and italic["bb"] is not None
    heading = row.text.lower().startswith("[b]") and row.text.lower().endswith("[/b]")
    # A stroke after the cell of a table stands for its tags.
    parts = _CALLED.split(row.text)
    text = "".join(
        part if part[:1] == "“" else _TAGS.sub(lambda tag: " | " if tag[1] and tag[2] else "", part)
        for part in parts
    )
    text = text.strip(" |" if "[t" in row.text.lower() else None)
    level = row.level if row.bullet or not inside or not text else row.level + 2
    return replace(row, text=text, level=level, heading=heading and not row.bullet, note=note)


def first_word(text: str) -> str:
    """Return the first word of a line as it was broken: "(sur :" and "« Tom" are one in French."""
    match = _FIRST_WORD.match(text)
    return match[0] if match else ""


def _digits(scanned: re.Match[str]) -> str:
    return re.sub("[OoQ]", "0", scanned[0]) if scanned[0][0].isdigit() else "1"


def undressed(text: str) -> str:
    """Return a line without the marks that chats and players put around it."""
    text = text.replace(" :: ", " | ")
    text = _LEADERS.sub(" - ", _LETTERS_FOR_DIGITS.sub(_digits, text))
    for _time in range(_MOST_MARKS):
        before = text
        if "||" in text and "|" not in text.replace("||", ""):
            text = _HIDDEN.sub(r"\1", text)
        text = _AROUND.sub(lambda match: match["words"] or match["starred"] or match["low"], text)
        for pattern in (_LEADING, _BULLET):
            mark = pattern.match(text)
            text = text[mark.end() :] if mark and mark.end() < len(text) else text
        text = _INSIDE.sub("", _TRAILING.sub("", text)).strip().removeprefix("| ")
        if text == before:
            break
    return text


def uncounted(rows: Sequence[PastedRow]) -> list[PastedRow]:
    """Return the rows without their numbers, if these count from 1 on and so aren't models."""
    found = [(row, entry) for row in rows if (entry := ENTRY.match(row.text))]
    numbers = [int(entry[1]) for _row, entry in found]
    steps = zip([0, *numbers], numbers, strict=False)
    if not all(number in (1, before + 1) for before, number in steps):
        return list(rows)
    bare = {row.number: row.text[entry.end() :] for row, entry in found}
    return [replace(row, text=bare.get(row.number, row.text)) for row in rows]


def unhyphenated(text: str) -> str:
    """Return a unit's line with broken words whole."""
    return _HYPHEN.sub("", text) if _POINTS_FIRST.match(text) else text


def ends_with_commas(rows: Sequence[PastedRow]) -> bool:
    """Return whether lines of whole units end with a comma, as some programs print them."""
    lines = [row.text for row in rows if row.text]
    starts = [_MARKED.match(line) is not None for line in lines]
    below = zip(lines, starts, starts[1:], strict=False)
    return any(line.endswith(",") and unit and then for line, unit, then in below)


def goes_on(unit: str, text: str, commas: bool = False) -> bool:
    """Return whether a line goes on with the unit in the one above, which says it is not whole.

    `commas`: one at its end does not.
    """
    if not _MARKED.match(unit) or not text[:1].isalpha() or _OWN_PRICE.fullmatch(text):
        return False
    opened = unit.count("(") > unit.count(")")
    broken = ("-", "(", "/", "&") if commas else (",", "-", "(", "/", "&")
    return unit.endswith(broken) or opened or text[:1].islower()
