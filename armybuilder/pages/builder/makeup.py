"""What the numbers of a list are made of, as the builder and the charts show it: in HTML."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.report import Report
from armybuilder.engine.terms import Gauge
from armybuilder.html import Html, element, fill, join
from armybuilder.pages.builder.stretches import PARTS, WHOLE
from armybuilder.sheets.content import make_numbers
from armybuilder.sheets.content.make_numbers import NumberItem, signed


class Makeup(make_numbers.NumberMakeup):
    """A number and its parts, which a page shows."""

    __slots__ = ()

    @property
    def html(self) -> Html:
        """The parts as HTML: templates are too slow for those of every number of a list."""
        parts = [_rows(self.items)] if self.items else []
        if self.working:
            parts += [element("p", _("One model:")), _rows(self.working.items)]
            parts.append(element("p", self.working.words))
        return join([*parts, *(element("p", note) for note in self.notes)])

    @property
    def folded(self) -> Html:
        """The number with its parts folded up behind it, for the line of a list."""
        return fill(
            '<summary>{}<span class="hidden"> {}</span></summary><div class="menu-body">{}</div>',
            signed(self.total),
            _("points, show what they are made of"),
            self.html,
        )


def _rows(items: Sequence[NumberItem]) -> Html:
    """The parts; of a long list's many only the first."""
    if len(items) <= WHOLE:
        return element("ul", *map(_row, items), class_="made-of")
    more = _("and {number} more").format(number=len(items) - PARTS)
    return element("ul", *map(_row, items[:PARTS]), element("li", more), class_="made-of")


def _row(item: NumberItem) -> Html:
    if item.unit:
        name = fill('<a href="#{}" dir="auto">{}</a>', item.unit, item.name)
    else:
        name = fill('<span dir="auto">{}</span>', item.name)
    return fill("<li>{} <b>{}</b></li>", name, signed(item.amount))


def line_makeup(line: Line, system: System) -> Makeup:
    """What the points of a unit on the list are made of."""
    return Makeup(*make_numbers.line_makeup(line, system))


def gauge_makeup(gauge: Gauge, report: Report) -> Makeup:
    """What a gauge's number is made of; the notes say where its bounds come from."""
    return Makeup(*make_numbers.gauge_makeup(gauge, report))


def supply_makeup(gauge: Gauge, report: Report) -> Makeup | None:
    """What command capacity is made of: what each commander gives. None for other gauges."""
    made = make_numbers.supply_makeup(gauge, report)
    return Makeup(*made) if made else None


def gauge_html(gauge: Gauge, report: Report) -> Html:
    """The parts of a gauge as the page shows them; for command both what is needed and given."""
    needed = gauge_makeup(gauge, report).html
    given = supply_makeup(gauge, report)
    if given is None:
        return needed
    gives = given.html if given.items else element("p", _("Nobody yet"))
    return join([element("p", _("Needed:")), needed, element("p", _("Given:")), gives])
