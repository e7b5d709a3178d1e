"""The judge's sheet: checks of a list, each with a box to tick.

It shows points with every preset: without them nothing could be checked.
"""

from collections.abc import Iterator
from functools import partial

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from reportlab.platypus import Flowable

from armybuilder.engine.wording import label
from armybuilder.sheets.content.make import Material
from armybuilder.sheets.content.make_judge import (
    Check,
    Derivation,
    JudgePrice,
    Judging,
    NumberMakeup,
    judging,
    signed,
)
from armybuilder.sheets.content.printable import one_line
from armybuilder.sheets.content.setup import PageRoom, Setup, at_table
from armybuilder.sheets.content.structure import Sheet, severity_word
from armybuilder.sheets.drawing.army_pdf import (
    CategoryState,
    Lowest,
    PenBlank,
    Ruled,
    joined,
    priced,
)
from armybuilder.sheets.drawing.blocks import BLOCK_GAP, COLUMN_GAP, Across, Stack
from armybuilder.sheets.drawing.typeface import BOLD, FAINT, SMALL, STRONG, Ink
from armybuilder.sheets.drawing.words import WordRun, Words, small
from armybuilder.sheets.kinds import parts
from armybuilder.sheets.kinds.parts import filled

#: Least widths in points of a column of numbers and facts, of prices.
NUMBER, PRICE = 160, 160
TICK = WordRun("", Ink(size=8), 1)
NAME = Ink(BOLD, 8.6)
AMOUNT = Ink(BOLD, 8)

#: Parts of a number that are told; more of them stand where the units do.
MANY = 10


def story(material: Material, setup: Setup, room: PageRoom) -> Iterator[Flowable]:
    """Return the sheet from top to bottom; `room` is that of a later page."""
    sheet = at_table(material.sheet, setup)
    judged = judging(material.catalogue, material.report)
    yield from filled(partial(_parts, sheet, judged), setup, room)


def _parts(sheet: Sheet, judged: Judging, scale: float, room: PageRoom) -> Iterator[Flowable]:
    yield parts.title(sheet, room, parts.code_of(sheet, scale))
    yield from parts.findings(sheet, room, boxes=True)
    prices = map(_price, judged.prices)
    yield from parts.section(_("Units: points, size, allowances"), prices, room, PRICE, gap=2)
    units = len(judged.prices)
    numbers = (_number(derivation, units) for derivation in judged.numbers)
    yield from parts.section(_("Limits in force"), numbers, room, NUMBER, gap=2)
    wrong = (_check(check, room) for check in judged.checks if check.severity)
    yield from parts.section(_("Rules"), wrong, room, gap=2.4)
    checks = (*_passed(judged), *_choices(judged), *_subject(sheet, judged))
    yield from parts.section(_("Checks"), checks, room, NUMBER, gap=2)
    yield from parts.section(_("Checked by"), [_checked(sheet, scale, room)], room)


def _choices(judged: Judging) -> Iterator[Flowable]:
    """Yield scarce options, and gaps in the books for a judge to look up elsewhere."""
    if judged.caps:
        choices = WordRun(", ".join(judged.caps), SMALL)
        yield Words(TICK, WordRun(_("Limited choices"), FAINT), choices)
    for what, names in judged.gaps:
        yield Words(TICK, WordRun(one_line(what), SMALL), WordRun(one_line(names), FAINT))


def _subject(sheet: Sheet, judged: Judging) -> Iterator[Flowable]:
    about = _("Two printouts with the same hash are of the same list.")
    yield Words(WordRun(_("List hash"), FAINT), WordRun(sheet.hash, AMOUNT), WordRun(about, FAINT))
    if sheet.open_hash:
        yield Words(WordRun(_("Open list’s hash"), FAINT), WordRun(sheet.open_hash, AMOUNT))
    for name, digest in judged.sources:
        revision = _("revision {hash}").format(hash=digest) if digest else ""
        yield Words(WordRun(_("Book"), FAINT), WordRun(name, AMOUNT), WordRun(revision, SMALL))
    for setting in sheet.settings:
        yield Words(TICK, WordRun(setting.name, FAINT), WordRun(setting.text, AMOUNT))


def _number(derivation: Derivation, units: int) -> Flowable:
    """Return a number with its bounds and rule, and its parts unless they are most `units`."""
    gauge = derivation.gauge

    def head() -> tuple[Flowable, Flowable]:
        return Words(TICK, WordRun(gauge.name, NAME), small(gauge.lineup)), CategoryState(
            gauge.said, gauge.ok
        )

    # Where the column is narrow, the number may stand below its name.
    lines: list[Flowable] = [Lowest(Stack(Across(head(), (1, None))), Stack(*head()))]
    cited = [small(gauge.citation)]
    for name, made in derivation.sums:
        if name:
            amount = Words(WordRun(_amount(made.total), STRONG), right=True)
            lines.append(Across((Words(WordRun(name, STRONG)), amount), (1, None)))
        parts_of = _made(made) if len(made.items) < min(units, MANY) else ()
        lines.append(Words(*joined([cited, *parts_of])))
        cited = []
    return Ruled(*lines, *([Words(*cited)] if cited else ()), gap=1)


def _price(price: JudgePrice) -> Flowable:
    cost = _amount(price.made.total) if price.made else "?"
    marks = [WordRun(f"· {mark}", AMOUNT) for mark in price.marks]
    name = Words(TICK, WordRun(price.title, NAME), *marks)
    head = priced(name, cost, NAME)
    bounds = [[WordRun(bound, STRONG)] for bound in price.bounds]
    parts_of, *working = _made(price.made) if price.made else ([],)
    free = [WordRun(_("without points:"), FAINT), WordRun(", ".join(price.also), SMALL)]
    first = joined([*bounds, [*parts_of, *(free if price.also else ())]])
    lines = (first, *working, [WordRun(price.told, SMALL)])
    return Ruled(head, *(Words(*line) for line in lines if line), gap=1)


def _made(made: NumberMakeup) -> Iterator[list[WordRun]]:
    """Yield the parts of a number in a paragraph, if there are several, then its working."""
    runs: list[WordRun] = []
    for number, item in enumerate(made.items if len(made.items) > 1 else (), 1):
        comma = "," if number < len(made.items) else ""
        amount = WordRun(_amount(item.amount) + comma, STRONG, close=True)
        runs += [WordRun(item.name, SMALL), amount]
    yield runs
    if made.working:
        sums = ", ".join(f"{item.name} = {_amount(item.amount)}" for item in made.working.items)
        yield [WordRun(_("One model:"), FAINT), WordRun(sums, SMALL)]
        yield [WordRun(_dashed(made.working.words), SMALL)]
    for note in made.notes:
        yield [WordRun(note, FAINT)]


def _amount(number: int) -> str:
    return _dashed(signed(number))


def _dashed(text: str) -> str:
    """Return the text with dashes for minus signs, which the fonts do not have."""
    return text.replace("\u2212", "\u2013")


def _passed(judged: Judging) -> Iterator[Flowable]:
    passed = sum(check.applies and not check.severity for check in judged.checks)
    if passed:
        text = ngettext("{number} rule passed.", "{number} rules passed.", passed)
        yield Words(WordRun(text.format(number=passed), SMALL))
    idle = [check for check in judged.checks if not check.applies]
    if places := dict.fromkeys(check.citation or check.summary for check in idle):
        heading = WordRun(_("Does not apply with these settings:"), FAINT)
        yield Words(heading, WordRun("; ".join(places), SMALL))


def _check(check: Check, room: PageRoom) -> Flowable:
    rule = Words(TICK, WordRun(check.summary, SMALL), small(check.citation))
    lines = [
        Words(WordRun(label(severity_word(severity).capitalize()), AMOUNT), WordRun(found, AMOUNT))
        for severity, found in check.findings
    ]
    if check.reading:
        lines.append(
            Words(WordRun(_("Our reading: {reading}").format(reading=check.reading), FAINT))
        )
    result: Flowable = Words(WordRun(severity_word(check.severity), AMOUNT))
    if check.severity == "error":
        result = CategoryState(_("broken"), ok=False)
    head = [rule, result] if room.width < parts.NARROW else [Across((rule, result), (0.86, 0.14))]
    return Ruled(*head, *lines, gap=1)


def _checked(sheet: Sheet, scale: float, room: PageRoom) -> Flowable:
    """Return the judge's boxes and signature, with our certificate beside or below them."""
    certified = parts.certificate(sheet, scale)
    if certified is None:
        return _signature(room.width)
    code, wide = certified
    left = room.width - wide - COLUMN_GAP
    if left < wide:
        return Stack(_signature(room.width), code, gap=BLOCK_GAP)
    return Across((_signature(left), code), (left / (left + wide), wide / (left + wide)))


def _signature(width: float) -> Flowable:
    number = 1 if width < parts.NARROW else 3
    looks = (
        _("The list at the table has the hash above"),
        _("The models match the list and can be told apart"),
        _("Every option that must be visible is visible on its model"),
    )
    boxes = [Words(TICK, WordRun(line, SMALL)) for line in looks]
    answers = [Words(TICK, WordRun(text, NAME)) for text in (_("Accepted"), _("Not accepted"))]
    lines = [PenBlank(name, 20) for name in (_("Judge"), _("Date"), _("Signature"))]
    rows = [*parts.in_rows(boxes, number), *parts.in_rows(answers, max(2, number))]
    rows += parts.in_rows(lines, 3)
    return Stack(*rows, frame="box", gap=4)
