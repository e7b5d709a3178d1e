"""What the numbers of a list are made of, as the builder and the charts show it: in HTML."""

from html import escape

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.report import Report
from armybuilder.engine.terms import Gauge
from armybuilder.sheets.content import make_numbers
from armybuilder.sheets.content.make_numbers import Item, signed


class Makeup(make_numbers.Makeup):
    """A number and its parts, which a page shows."""

    __slots__ = ()

    @property
    def html(self) -> SafeString:
        """The parts as HTML: templates are too slow for those of every number of a list."""
        rows = "".join(map(_row, self.items))
        html = f'<ul class="made-of">{rows}</ul>' if rows else ""
        if self.working:
            rows = "".join(map(_row, self.working.items))
            html += f'<p>{escape(_("One model:"))}</p><ul class="made-of">{rows}</ul>'
            html += f"<p>{escape(self.working.words)}</p>"
        return SafeString(html + "".join(f"<p>{escape(note)}</p>" for note in self.notes))

    @property
    def folded(self) -> SafeString:
        """The number with its parts folded up behind it, for the line of a list."""
        said = escape(_("points, show what they are made of"))
        return SafeString(
            f'<summary>{signed(self.total)}<span class="hidden"> {said}</span></summary>'
            f'<div class="menu-body">{self.html}</div>'
        )


def _row(item: Item) -> str:
    name = f'<span dir="auto">{escape(item.name)}</span>'
    if item.unit:
        name = f'<a href="#{escape(item.unit)}" dir="auto">{escape(item.name)}</a>'
    return f"<li>{name} <b>{signed(item.amount)}</b></li>"


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


def gauge_html(gauge: Gauge, report: Report) -> SafeString:
    """The parts of a gauge as the page shows them; for command both what is needed and given."""
    needed = gauge_makeup(gauge, report).html
    given = supply_makeup(gauge, report)
    if given is None:
        return needed
    gives = given.html if given.items else SafeString(f"<p>{escape(_('Nobody yet'))}</p>")
    words = [escape(_("Needed:")), escape(_("Given:"))]
    return SafeString(f"<p>{words[0]}</p>{needed}<p>{words[1]}</p>{gives}")
