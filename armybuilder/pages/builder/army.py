"""The army's pane: one row for each unit, under headings where the game has army categories."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _

from armybuilder.advice.answers import own_unit
from armybuilder.editing.names import category_of, category_order
from armybuilder.engine import Finding, Report
from armybuilder.engine.about import AboutCategory
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.describe import bears_battle_standard, side_marks
from armybuilder.engine.lines import Line, size_bounds
from armybuilder.engine.nouns import counted
from armybuilder.engine.roster import Pick
from armybuilder.engine.terms import POINTS, Gauge, Part
from armybuilder.engine.verdict import Counts, counts_of, verdict_words
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.loading.deadline import checked
from armybuilder.pages.builder.makeup import folded
from armybuilder.pages.builder.parts import sent
from armybuilder.pages.builder.pieces import about, army_gauge, line_points
from armybuilder.pages.builder.stretches import Stretch
from armybuilder.sheets.content.make_numbers import NumberItem, NumberMakeup
from armybuilder.sheets.content.unit_words import role_names


@dataclass(frozen=True, slots=True)
class Ways:
    """The id of the open unit, the address that opens another (its id last), and the hashes of the
    rows that the browser has.
    """

    opened: str
    open_url: str
    known: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ArmyHeading:
    """A category, or all units of a game without them (`name` ""): its rows as HTML, as templates
    are too slow; `made` shows what its units cost together, `limit` the bounds of that, and `over`
    whether it is more than may be.
    """

    name: str
    over: bool
    made: Html
    limit: Html
    rows: Html
    earlier: Html
    further: Html


class ArmyLister:
    """Makes the rows of one list."""

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
        self.system = catalogue.system
        self.names = names
        self.ways = ways
        self.stretch = stretch
        self.lines = {line.pick.id: line for line in report.full.lines}
        # Words that stand in many rows, looked up once.
        self.points_word, self.standard = _("points"), _("Battle Standard")
        self.fewer, self.more = _("One {name} fewer"), _("One more {name}")
        self.wrong: dict[str, list[Finding]] = {}
        for finding in report.findings:
            self.wrong.setdefault(own_unit(finding), []).append(finding)

    def headings(self, picks: Iterable[Pick]) -> list[ArmyHeading]:
        """Return the units by category, in the order of the book; under one heading without a name
        where the game has none.
        """
        gauges = _gauges(self.report) if self.system.sized else {}
        under = by_category(picks, self.catalogue) if self.system.sized else {"": list(picks)}
        begun = 0
        headings = []
        for name, here in under.items():
            headings.append(self._heading(name, here, begun, gauges.get(name, ())))
            begun += len(here)
        return headings

    def _heading(
        self, name: str, picks: list[Pick], begun: int, gauges: Collection[Gauge]
    ) -> ArmyHeading:
        """Return one category, whose first unit has the number `begun` on the list."""
        run = self.stretch.run(begun, begun + len(picks))
        shown = range(run.start - begun, run.end - begun)
        rows = join(self._row(picks[at]) for at in checked(shown))
        made, limit = (self._made(picks, gauges), _limit(gauges)) if name else (EMPTY, EMPTY)
        over = any(gauge.term.is_over for gauge in gauges)
        return ArmyHeading(name, over, made, limit, rows, run.earlier, run.further)

    def _made(self, picks: Iterable[Pick], gauges: Collection[Gauge]) -> Html:
        """Return what a category costs, with its bounds and its parts: as its rule counts, which
        may be more than the units below it; what they cost together where no rule counts that.
        """
        made = next((gauge for gauge in gauges if gauge.term.count == POINTS), None)
        items = self._counted(made.parts) if made is not None else self._units(picks)
        points = sum(item.amount for item in items)
        said = [army_gauge(gauge, EMPTY).text for gauge in gauges if _bounded(gauge)]
        if made is None or not _bounded(made):
            said.insert(0, counted(points, "points"))
        hidden = ": " + _("show the breakdown")
        return folded(" · ".join(said), hidden, NumberMakeup(points, tuple(items)))

    def _counted(self, parts: Iterable[Part]) -> list[NumberItem]:
        """Return the parts of a category's points; of a unit that counts elsewhere, by what of it
        counts here too.
        """
        items = []
        for part in parts:
            name = self.names.get(part.unit, part.label)
            if part.options:
                name += f": {', '.join(taken.option.name for taken, _amount in part.options)}"
            items.append(NumberItem(name, part.amount, part.unit))
        return items

    def _units(self, picks: Iterable[Pick]) -> list[NumberItem]:
        known = [self.lines[pick.id] for pick in picks if pick.id in self.lines]
        return [NumberItem(self.names[line.pick.id], line.points, line.pick.id) for line in known]

    def _row(self, pick: Pick) -> Html:
        """A unit's row, with the steps of its number where the game counts single models."""
        line = self.lines.get(pick.id)
        sign = _sign(self.wrong.get(pick.id, ())) if line is not None else "error"
        opened = pick.id == self.ways.opened
        name = self.names[pick.id]
        steps = EMPTY
        if not self.system.sized:
            less, more = (words.replace("{name}", name) for words in (self.fewer, self.more))
            steps = fill(
                _STEPS, id=pick.id, fewer=less, more=more, minus=icon("minus"), plus=icon("plus")
            )
        row = fill(
            _ROW,
            id=pick.id,
            state=f"{sign} open" if opened else sign,
            current="true" if opened else "false",
            url=f"{self.ways.open_url}{pick.id}",
            words=self._words(pick, line, sign),
            steps=steps,
        )
        return sent(pick.id, row, self.ways.known)

    def _words(self, pick: Pick, line: Line | None, sign: str) -> Html:
        """How many models, name, marks, points, and below them what was chosen."""
        trouble = _trouble(self.wrong.get(pick.id, ()), line)
        unit_name = pick.unit.name if pick.unit is not None and pick.name else ""
        standard = self.standard if line and bears_battle_standard(line) else ""
        numbers = self.report.lines.get(pick.id)
        roles = role_names(pick, self.system)
        parts = [
            fill('<strong dir="auto">{}</strong>', self.names[pick.id]),
            fill(' <span class="muted">{}</span>', unit_name) if unit_name else EMPTY,
            *(fill(' <span class="mark role">{}</span>', _(role)) for role in roles),
            fill(' <span class="mark">{}</span>', standard) if standard else EMPTY,
            *(
                fill(' <span class="mark">{}</span>', mark)
                for mark in (side_marks(numbers) if numbers is not None else ())
            ),
            fill(_BADGE, sign, icon(sign), trouble) if trouble else EMPTY,
        ]
        return fill(
            _WORDS,
            models=fill('{}<span class="times">×</span>', pick.models) if _several(pick) else EMPTY,
            what=join(parts),
            points=line_points(pick.unit, numbers),
            points_word=self.points_word,
            summary=_span("unit-summary", self._summary(pick, line)),
            notes=_span("line-notes", pick.notes),
        )

    def _summary(self, pick: Pick, line: Line | None) -> str:
        """What was chosen for a unit of an army; else what a model is and can do, and that."""
        chosen = summary(line) if line is not None else ""
        if self.system.sized or pick.unit is None:
            return chosen
        return " · ".join(filter(None, (about(pick.unit, self.system), chosen)))


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
    " {summary}{notes}"
)
_ROW = (
    '<li id="{id}" class="line {state}" tabindex="-1">'
    '<span class="handle" aria-hidden="true"></span>'
    '<a class="unit-line" id="open-{id}" aria-current="{current}" href="{url}"'
    ' hx-get="{url}&amp;part=list" data-view="unit">{words}</a>{steps}</li>\n'
)
_STEPS = (
    '<span class="count"><button name="act" value="fewer:{id}" id="fewer-{id}" class="step"'
    ' aria-label="{fewer}">{minus}</button><button name="act" value="more:{id}" id="more-{id}"'
    ' class="step" aria-label="{more}">{plus}</button></span>'
)


def _gauges(report: Report) -> dict[str, list[Gauge]]:
    """Return the numbers that rules bound of each category, by its name; points first."""
    found: dict[str, list[Gauge]] = {}
    for gauge in report.gauges:
        if isinstance(gauge.term.about, AboutCategory):
            found.setdefault(gauge.term.name, []).append(gauge)
    return found


def _bounded(gauge: Gauge) -> bool:
    return gauge.minimum is not None or gauge.maximum is not None


def _limit(gauges: Iterable[Gauge]) -> Html:
    """The bar of a category's number: of several, of what is over, else of the first."""
    drawn = sorted(gauges, key=lambda gauge: not gauge.term.is_over)
    return army_gauge(drawn[0], EMPTY).drawing if drawn else EMPTY


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
        return pick.models != 1
    return pick.models != 1 or size_bounds(unit) != (1, 1)


def _trouble(wrong: Collection[Finding], line: Line | None) -> str:
    if line is None:
        return _("not in the book")
    counts = _counts(wrong)
    if counts.errors:
        return verdict_words(counts)
    return _("view") if wrong else ""


def _sign(wrong: Collection[Finding]) -> str:
    """Return what a row is drawn as, and the name of its icon: what must still come is no error."""
    counts = _counts(wrong)
    if counts.broken:
        return "error"
    if counts.missing:
        return "to-do"
    return next((finding.severity.value for finding in wrong), "")


def _counts(wrong: Collection[Finding]) -> Counts:
    return counts_of(((one.severity.value, one.state.value) for one in wrong), 0)
