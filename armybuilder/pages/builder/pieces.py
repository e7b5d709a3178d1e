"""The pieces of the builder's page as plain structures: numbers with their parts, settings."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _

from armybuilder.editing.unit_edits import pieces_of
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.citations import RuleHead
from armybuilder.engine.describe import unit_abilities, unit_facts
from armybuilder.engine.options import slug
from armybuilder.engine.report import LineNumbers, Report
from armybuilder.engine.roster import Roster
from armybuilder.engine.states import TO_DO
from armybuilder.engine.terms import Gauge
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Setting
from armybuilder.engine.wording import inside
from armybuilder.html import EMPTY, Html, element, escape, fill, icon, join
from armybuilder.sheets.content.make_judge import (
    NumberItem,
    NumberMakeup,
    gauge_makeup,
    signed,
    supply_makeup,
)

#: Units of a list that is sent whole, at most.
WHOLE = 60
#: Parts of a number that are shown where it has more than `WHOLE`.
PARTS = 12


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


_ABOUT = '<a class="about" href="meaning/{}/" aria-label="{}" aria-haspopup="dialog"></a>'
_NAME = '<a class="means" href="meaning/{}/" aria-haspopup="dialog">{}</a>'


@lru_cache(maxsize=4096)
def name_html(name: str) -> Html:
    """Return a name that opens its meaning; on pages that have it at `meaning/` below them."""
    key = slug(name)
    return fill(_NAME, quote(key), name) if key else escape(name)


@lru_cache(maxsize=4096)
def about_html(name: str, words: str) -> Html:
    """Return a small link to a name's meaning; `words` are "About {name}" in some language."""
    key = slug(name)
    return fill(_ABOUT, quote(key), words.format(name=name)) if key else EMPTY


def names_html(names: Iterable[str]) -> Html:
    return join(map(name_html, names), ", ")


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
    """Return the parts of a gauge; for command, the needed and the given."""
    needed = makeup_html(gauge_makeup(gauge, report))
    given = supply_makeup(gauge, report)
    if given is None:
        return needed
    gives = makeup_html(given) if given.items else element("p", _("Nobody yet"))
    return join([element("p", _("Needed:")), needed, element("p", _("Given:")), gives])


_GAUGE = (
    '<summary><span class="gauge-name">{bad}{name}{lineup}</span>'
    ' <span class="gauge-text">{text}</span> {drawing}</summary><div class="parts">{made_of}</div>'
    '<p class="cite">{summary} <cite>{citation}</cite></p>'
)
_BAR = (
    '<svg class="bar{}" viewBox="0 0 100 4" preserveAspectRatio="none" aria-hidden="true">'
    '<rect class="bar-back" width="100" height="4"/>'
    '<rect class="bar-fill" width="{}" height="4"/>{}</svg>'
)


class GaugeView(NamedTuple):
    """A gauge as drawn: `fill` and the least (`mark`, or 0) in per cent.

    `text` is its numbers in words, `made_of` their parts as HTML. `bar`: it has a bound to draw.
    `bad` is "error" where it is over that, `TO_DO` where it does not reach it, else "".
    `has_least_alone`: nothing bounds it but a minimum.
    """

    name: str
    lineup: str
    bad: str
    fill: int
    text: str
    made_of: Html
    rule: RuleHead
    citation: str
    mark: int = 0
    bar: bool = True
    has_least_alone: bool = False

    @property
    def html(self) -> Html:
        # Not by a template: those are slow for many gauges.
        return fill(
            _GAUGE,
            bad=fill("{} ", icon(self.bad)) if self.bad else EMPTY,
            name=self.name,
            lineup=fill(' <span class="muted">{}</span>', self.lineup) if self.lineup else EMPTY,
            text=self.text,
            drawing=self.drawing,
            made_of=self.made_of,
            summary=str(self.rule.summary),
            citation=self.citation,
        )

    @property
    def drawing(self) -> Html:
        """The bar as HTML; nothing without a bound."""
        if not self.bar:
            return EMPTY
        least = fill('<rect class="bar-mark" x="{}" width="1" height="4"/>', min(self.mark, 99))
        states = {"error": " over", TO_DO: " short"}
        state = states.get(self.bad, " reached" if self.has_least_alone else "")
        return fill(_BAR, state, self.fill, least if self.mark else EMPTY)


def gauge_view(gauge: Gauge, made_of: Html) -> GaugeView:
    """Return a gauge of a game of single models: "12 of 15"."""
    low, high, used = gauge.minimum, gauge.maximum, gauge.used
    top = high if high is not None else max(used, 1)
    if high is None:
        text = f"{used}"
    elif low is None:
        text = _("{used} of {most}").format(used=used, most=high)
    elif low == high:
        text = _("{used}, exactly {needed} needed").format(used=used, needed=high)
    else:
        text = _("{used} ({least}–{most} needed)").format(used=used, least=low, most=high)
    return GaugeView(
        name=gauge.name,
        lineup=gauge.lineup,
        bad="" if gauge.ok else TO_DO if gauge.term.is_short else "error",
        fill=100 if used >= top and used else round(100 * used / max(top, 1)),
        text=text,
        made_of=made_of,
        rule=gauge.head,
        citation=str(gauge.head.citation),
    )


def _beyond(low: int, used: int) -> int:
    """Return the end of a bar that has only a minimum: its mark is inside the bar."""
    return max(used, low * 4 // 3, 1)


def army_gauge(gauge: Gauge, made_of: Html) -> GaugeView:
    """Return a gauge that says its bounds in words: "1480 (max 1800)"."""
    low, high, used = gauge.minimum, gauge.maximum, gauge.used
    view = gauge_view(gauge, made_of)
    if high is None and low is None:
        return view._replace(text=str(used), bar=False)
    if low is None:
        text = _("{used} (max {most})")
    elif high is None:
        text = _("{used} (min {least})")
        view = view._replace(fill=round(100 * used / _beyond(low, used)), has_least_alone=True)
    else:
        text = _("{used} (min {least}, max {most})")
    top = high if high is not None else _beyond(low or 0, used)
    mark = 0 if low is None else round(100 * low / max(top, 1))
    return view._replace(text=text.format(used=used, least=low, most=high), mark=mark)


@dataclass(frozen=True, slots=True)
class SettingView:
    """A setting with its value, its choices as HTML options, and the chosen pieces.

    A piece is its id, name, number, and whether the other settings allow it.
    """

    setting: Setting
    value: Any
    options: Html
    chosen: tuple[tuple[str, str, int, bool], ...] = ()

    @property
    def inside(self) -> str:
        """Name of the setting within a sentence."""
        return str(inside(_(self.setting.name)))


def options(choices: Iterable[tuple[str, str]], chosen: object) -> Html:
    """Return the options of a select, from (id, name): long ones are slow in a template."""
    return join(element("option", name, value=key, selected=key == chosen) for key, name in choices)


def setting_view(setting: Setting, roster: Roster, catalogue: Catalogue) -> SettingView:
    value, values, rule = roster.settings[setting.id], setting.values, catalogue.system.faction
    open_choice = [("", _("not chosen"))]
    if setting.kind == "attribute":
        named = catalogue.system.attributes[setting.attribute].values
        # The attribute's own "none" is not a choice.
        none = rule.none if rule is not None and rule.setting == setting.id else None
        known = [(key, name) for key, name in named.items() if key != none]
        return SettingView(setting, value, options([*open_choice, *known], value))
    taken = Counter(value) if isinstance(value, tuple) else Counter()
    if setting.kind == "pool":
        names = pieces_of(catalogue, setting.id)
        pool = ((key, names[key], number, True) for key, number in taken.items())
        return SettingView(setting, value, options(names.items(), None), tuple(pool))
    choices = [(piece.id, piece.name) for piece in values.values() if piece.fits(roster.settings)]
    if setting.kind == "choice":
        choices = [(key, _(name)) for key, name in choices]
        if setting.default is None:
            choices = [*open_choice, *choices]
    chosen = (
        (key, values[key].name, number, values[key].fits(roster.settings))
        for key, number in taken.items()
    )
    return SettingView(setting, value, options(choices, value), tuple(chosen))


def line_points(unit: Unit | None, numbers: LineNumbers | None) -> str:
    if unit is None or numbers is None:
        return ""
    return "?" if unit.price.start is None else str(numbers.points)


def about(unit: Unit, system: System) -> str:
    return " · ".join(filter(None, (unit_facts(unit, system), unit_abilities(unit))))
