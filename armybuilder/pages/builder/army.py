"""The list of a game whose units stand in army categories: one line per unit, under headings."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.advice.answers import own_unit
from armybuilder.editing.names import category_of, category_order
from armybuilder.engine import Finding, Report, Severity
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import bears_battle_standard
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.nouns import counted
from armybuilder.engine.roster import Pick
from armybuilder.engine.sentences import sentence
from armybuilder.engine.units import Unit
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.loading.deadline import checked
from armybuilder.loading.unit_fields import remark_words
from armybuilder.pages.builder.editor import Editor, make_editor
from armybuilder.pages.builder.makeup import folded
from armybuilder.pages.builder.stretches import Stretch
from armybuilder.sheets.content.make_numbers import NumberItem, NumberMakeup
from armybuilder.sheets.content.unit_words import role_names


@dataclass(frozen=True, slots=True)
class Ways:
    """The id of the open unit, the address that opens another (id last), and one for none."""

    opened: str
    open_url: str
    closed_url: str


@dataclass(frozen=True, slots=True)
class ArmyLine:
    """A unit on the list. `row` is its line as HTML with the beginning of its list item (templates
    are too slow), `sign` the gravest severity of the unit's own findings, `says` their (severity,
    sentence); `editor` is there for the open unit only.
    """

    id: str
    name: str
    own_name: str
    unit_name: str
    notes: str
    row: Html
    sign: str
    says: tuple[tuple[str, str], ...]
    first: bool
    last: bool
    open: bool
    unit: Unit | None
    editor: Editor | None

    @property
    def remark(self) -> str:
        """What the book notes of the unit, "" for nothing."""
        return remark_words(self.unit) if self.unit else ""


@dataclass(frozen=True, slots=True)
class CategoryHeading:
    """A category with the units of it that are shown; `made` shows what all of them cost together,
    and folded up each. `earlier` and `further` are the ways to the rest.
    """

    name: str
    made: Html
    lines: tuple[ArmyLine, ...]
    earlier: Html
    further: Html


class ArmyLister:
    """Makes the lines of one list."""

    def __init__(
        self,
        report: Report,
        catalogue: Catalogue,
        names: Mapping[str, str],
        ways: Ways,
        stretch: Stretch,
    ) -> None:
        self.report = report
        self.catalogue = catalogue
        self.names = names
        self.ways = ways
        self.stretch = stretch
        self.lines = {line.pick.id: line for line in report.full.lines}
        # Words that stand in many lines, looked up once.
        self.points_word, self.standard = _("points"), _("Battle Standard")
        self.wrong: dict[str, list[Finding]] = {}
        for finding in report.findings:
            self.wrong.setdefault(own_unit(finding), []).append(finding)

    def headings(self, picks: Iterable[Pick]) -> list[CategoryHeading]:
        """Return the units by category, in the order of the book."""
        begun = 0
        headings = []
        for name, under in by_category(picks, self.catalogue).items():
            headings.append(self._heading(name, under, begun))
            begun += len(under)
        return headings

    def _heading(self, name: str, picks: list[Pick], begun: int) -> CategoryHeading:
        """Return one category, whose first unit has the number `begun` on the list."""
        known = [self.lines[pick.id] for pick in picks if pick.id in self.lines]
        items = [NumberItem(self.names[line.pick.id], line.points, line.pick.id) for line in known]
        points = sum(item.amount for item in items)
        last = len(picks) - 1
        run = self.stretch.run(begun, begun + len(picks))
        shown = range(run.start - begun, run.end - begun)
        lines = (self._line(picks[at], at == 0, at == last) for at in checked(shown))
        hidden = ": " + _("what they are made of")
        made = folded(counted(points, "points"), hidden, NumberMakeup(points, tuple(items)))
        return CategoryHeading(name, made, tuple(lines), run.earlier, run.further)

    def _line(self, pick: Pick, first: bool, last: bool) -> ArmyLine:
        line = self.lines.get(pick.id)
        wrong = self.wrong.get(pick.id, ())
        system = self.catalogue.system
        opened = pick.id == self.ways.opened
        sign = wrong[0].severity.value if wrong else "" if line is not None else "error"
        return ArmyLine(
            id=pick.id,
            name=self.names[pick.id],
            own_name=pick.name,
            unit_name=pick.unit.name if pick.unit else "",
            notes=pick.notes,
            row=_row(pick.id, sign, self._words(pick, line, sign), self.ways),
            sign=sign,
            says=tuple((one.severity.value, sentence(one)) for one in wrong if opened),
            first=first,
            last=last,
            open=opened,
            unit=pick.unit,
            editor=make_editor(pick, self.report, system) if opened else None,
        )

    def _words(self, pick: Pick, line: Line | None, sign: str) -> Html:
        """A unit's one line: how many models, its name, marks and options, and its points."""
        roles = role_names(pick, self.catalogue.system)
        trouble = _trouble(self.wrong.get(pick.id, ()), line)
        unit_name = pick.unit.name if pick.unit is not None and pick.name else ""
        standard = self.standard if line and bears_battle_standard(line) else ""
        parts = [
            fill('<strong dir="auto">{}</strong>', self.names[pick.id]),
            fill(' <span class="muted">{}</span>', unit_name) if unit_name else EMPTY,
            *(fill(' <span class="mark role">{}</span>', role) for role in roles),
            fill(' <span class="mark">{}</span>', standard) if standard else EMPTY,
            fill(_BADGE, sign, icon(sign), trouble) if trouble else EMPTY,
            _span("unit-summary", summary(line) if line is not None else ""),
            _span("line-notes", pick.notes),
        ]
        return fill(
            _WORDS,
            models=fill('{}<span class="times">×</span>', pick.models) if _several(pick) else EMPTY,
            what=join(parts),
            points=line.points if line is not None else "",
            points_word=self.points_word,
        )


def by_category(picks: Iterable[Pick], catalogue: Catalogue) -> dict[str, list[Pick]]:
    """Return the units under their headings, in the order of the book; no heading without any."""
    grouped: dict[str, list[Pick]] = {name: [] for name in category_order(catalogue)}
    for pick in picks:
        grouped.setdefault(category_of(pick.unit, catalogue), []).append(pick)
    return {name: under for name, under in grouped.items() if under}


_BADGE = ' <span class="badge {}">{} {}</span>'
_WORDS = (
    '<span class="unit-models">{models}</span> <span class="unit-what">{what}</span>'
    ' <span class="unit-points">{points}<span class="hidden"> {points_word}</span></span>'
)
_ROW = (
    '<li id="{id}" class="line unit {state}" tabindex="-1">'
    '<span class="handle" aria-hidden="true"></span>'
    '<a class="unit-line" id="open-{id}" aria-expanded="{expanded}" href="{shown}#{id}"'
    ' hx-get="{url}&amp;part=list">{words} {arrow}</a>'
)


def _row(pick_id: str, sign: str, words: Html, ways: Ways) -> Html:
    """The list item up to the end of the link that opens the unit, or closes the open one."""
    opened = pick_id == ways.opened
    url = ways.open_url if opened else f"{ways.open_url}{pick_id}"
    return fill(
        _ROW,
        id=pick_id,
        state=f"{sign} open" if opened else sign,
        expanded="true" if opened else "false",
        shown=ways.closed_url if opened else url,
        url=url,
        words=words,
        arrow=icon("down", "unit-arrow"),
    )


def _span(kind: str, text: str) -> Html:
    return element("span", text, class_=kind) if text else EMPTY


def summary(line: Line) -> str:
    """The options chosen, in a line: what is given or free by default goes without saying."""
    return ", ".join(
        f"{taken.number} × {taken.option.name}" if taken.number > 1 else taken.option.name
        for taken in line.loadout.taken
        if not taken.pick.given
        and (
            taken.points
            or not (taken.slot.groups and taken.slot.groups[-1].default == taken.option.id)
        )
    )


def _several(pick: Pick) -> bool:
    unit = pick.unit
    if unit is None or not unit.counts:
        return False
    return pick.models != 1 or size_bounds(unit) != (1, 1)


def _trouble(wrong: Iterable[Finding], line: Line | None) -> str:
    if line is None:
        return _("not in the book")
    findings = list(wrong)
    errors = sum(finding.severity is Severity.ERROR for finding in findings)
    if errors:
        return ngettext("{number} to mend", "{number} to mend", errors).format(number=errors)
    return _("look at it") if findings else ""
