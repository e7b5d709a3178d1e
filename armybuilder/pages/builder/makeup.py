"""What the numbers of a list are made of, as the builder and the charts show it: in HTML."""

from collections.abc import Sequence

from django.utils.translation import gettext as _

from armybuilder.engine.report import Report
from armybuilder.engine.terms import Gauge
from armybuilder.html import Html, element, fill, join
from armybuilder.pages.builder.stretches import PARTS, WHOLE
from armybuilder.sheets.content.make_numbers import (
    NumberItem,
    NumberMakeup,
    gauge_makeup,
    signed,
    supply_makeup,
)


def makeup_html(made: NumberMakeup) -> Html:
    """Return the parts as HTML: templates are too slow for those of every number of a list."""
    parts = [_rows(made.items)] if made.items else []
    if made.working:
        parts += [element("p", _("One model:")), _rows(made.working.items)]
        parts.append(element("p", made.working.words))
    return join([*parts, *(element("p", note) for note in made.notes)])


def folded(shown: str, hidden: str, made: NumberMakeup) -> Html:
    """Return a summary, `hidden` for screen readers only, with the parts folded up behind it."""
    return fill(
        '<summary>{}<span class="hidden">{}</span></summary><div class="menu-body">{}</div>',
        shown,
        hidden,
        makeup_html(made),
    )


def _rows(items: Sequence[NumberItem]) -> Html:
    """Return the parts; of a long list's many only the first."""
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


def gauge_html(gauge: Gauge, report: Report) -> Html:
    """Return the parts of a gauge; for command both what is needed and what is given."""
    needed = makeup_html(gauge_makeup(gauge, report))
    given = supply_makeup(gauge, report)
    if given is None:
        return needed
    gives = makeup_html(given) if given.items else element("p", _("Nobody yet"))
    return join([element("p", _("Needed:")), needed, element("p", _("Given:")), gives])
