"""From a roster of units to the army of its sheet: units by category, armour, health, wizards."""

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from armybuilder.engine import Report
from armybuilder.engine.about import AboutCategory
from armybuilder.engine.catalogue import Catalogue
from armybuilder.engine.ends import End, PerCent
from armybuilder.engine.roster import Roster
from armybuilder.engine.states import State
from armybuilder.engine.tally import Tally
from armybuilder.engine.terms import POINTS, Gauge, Term
from armybuilder.loading.deadline import checked
from armybuilder.sheets.content.hidden import letters
from armybuilder.sheets.content.make_units import ViewMaker
from armybuilder.sheets.content.structure import CategoryShare, Division, SheetArmy
from armybuilder.sheets.content.unit_view import StatColumn, UnitView

_OPEN = gettext_lazy(
    "Open list (Rulebook 8.E.a): special items and anything that works like them "
    "are left out, with their points and all notes. The verdict is for the whole "
    "list."
)


class ArmyMaker:
    """Makes the army of one sheet: `shown` reports on its visible part, `judged` on all of it."""

    def __init__(
        self, catalogue: Catalogue, roster: Roster, shown: Report, judged: Report, kind: str
    ) -> None:
        self.system = catalogue.system
        self.categories = {
            key: name for book in catalogue.books for key, name in book.categories.items()
        }
        self.shown = shown
        self.judged = judged
        self.kind = kind
        self.units = ViewMaker(shown, letters(roster))

    def make(self) -> SheetArmy:
        """Return the army. The points and state of an open list lack the hidden items."""
        divisions = tuple(self._divisions())
        spent, limit = self.shown.spent, self.shown.limit
        codes = {finding.code for finding in self.shown.findings}
        found = next((side for side in ("over", "under") if f"points.{side}" in codes), "ok")
        state = _told(found, self.judged)
        bound = _("at most {number}").format(number=limit)
        return SheetArmy(
            kind=self.kind,
            hint=str(_OPEN) if self.kind == "open" else "",
            columns=self._columns([unit for one in divisions for unit in one.units]),
            shares=tuple(shares(self.shown, self.judged)),
            total=CategoryShare(_("Army"), spent, per_cent(spent, limit), bound, state),
            left=limit - spent if self.kind == "full" else None,
            divisions=divisions,
        )

    def _columns(self, units: Sequence[UnitView]) -> tuple[StatColumn, ...]:
        """Return the statistics of the units; the usual ones over nothing but empty stat lines."""
        stats = self.system.stats.values()
        there = {cell.id for unit in units for row in unit.rows for cell in row.cells}
        if not there and any(unit.lacks_stats for unit in units):
            there = {stat.id for stat in self.system.usual_stats}
        return tuple(
            StatColumn(stat.id, stat.short, stat.name) for stat in stats if stat.id in there
        )

    def _divisions(self) -> Iterator[Division]:
        others = {"": _("For the whole army"), "?": _("Not in the books")}
        blocks: dict[str, list[UnitView]] = {}
        for pick in checked(self.shown.full.roster.picks):
            categories = ("?",) if pick.unit is None else pick.unit.categories or ("",)
            blocks.setdefault(categories[0], []).append(self.units.make(pick))
        for category in dict.fromkeys([*self.categories, *blocks]):
            if category in blocks:
                name = category.replace("-", " ").capitalize()
                title = others.get(category) or self.categories.get(category, name)
                yield Division(title, tuple(blocks[category]))


def shares(shown: Report, judged: Report) -> Iterator[CategoryShare]:
    """Yield the army's categories as its book measures them, by its visible part."""
    by_category: dict[str, list[Term]] = {}
    for rule in shown.system.rules:
        if rule.category:
            by_category.setdefault(rule.category, []).extend(rule.terms(shown.full))
    for terms in by_category.values():
        points = next((term for term in terms if term.count == POINTS), None)
        if points is None:
            continue
        bounds: list[str] = []
        states: list[str] = []
        for term in terms:
            if term.minimum is not None and term.low is not None:
                least = _bound(term.minimum, term.low, shown.full)
                bounds.append(_("at least {what}").format(what=least))
            if term.maximum is not None and term.high is not None:
                most = _bound(term.maximum, term.high, shown.full)
                bounds.append(_("at most {what}").format(what=most))
            state = "over" if term.is_over else "under" if term.is_short else "ok"
            states.append(_told(state, judged))
        state = next((state for state in states if state != "ok"), "ok")
        name = next(term.name for term in terms if term.name)
        share = per_cent(points.measured, shown.limit)
        bound = ", ".join(bounds) or _("no limit")
        yield CategoryShare(name, points.measured, share, bound, state)


def in_table(gauge: Gauge) -> bool:
    """Return whether the table of categories has a gauge: points of one, or of the army."""
    of_army = gauge.term.count == POINTS and gauge.term.is_of_all
    return isinstance(gauge.term.about, AboutCategory) or of_army


def _bound(bound: End, number: int, tally: Tally) -> str:
    if isinstance(bound, PerCent):
        return f"{bound.amount.number(tally.place)} % ({number})"
    return ngettext("{number} unit", "{number} units", number).format(number=number)


def _told(state: str, judged: Report) -> str:
    """Return the state of the visible part, which lacks nothing that the whole list has."""
    missing = any(finding.state is State.MISSING for finding in judged.findings)
    return "ok" if state == "under" and not missing else state


def per_cent(points: int, limit: int) -> str:
    """Return the share of the game size with one decimal, rounded: "39.6"."""
    tenths = (2000 * points + limit) // (2 * limit) if limit else 0
    return f"{tenths // 10}.{tenths % 10}"
