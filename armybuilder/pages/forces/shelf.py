"""Shelf of a force: entries by category, found by name, with reasons against."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.choices import Choice, root_choices
from armybuilder.engine.kernel.branches import Node
from armybuilder.html import EMPTY, Html, element, fill, icon, join
from armybuilder.pages.forces.page import ForcesPage
from armybuilder.pages.forces.words import primary_category

#: So many entries come at once.
MAX_SHOWN: Final = 400

_ENTRY = (
    '<li class="entry {state}"><button {asks} name="add" value="{ref}" id="add-{id}" class="add"'
    ' aria-label="{add}" aria-describedby="about-{id}"{off}>{plus}</button>'
    '<div class="entry-row"><span class="entry-sign">{sign}</span>'
    '<span class="entry-name"><a class="peek" href="?preview={ref}&amp;view=unit">'
    '<strong dir="auto">{name}</strong></a>{held}</span>'
    ' <span class="entry-facts"></span> <span class="entry-points">{points}</span>{why}'
    '<details class="entry-more" name="entry"><summary><span class="hidden">{more}</span></summary>'
    '<span class="entry-told" id="about-{id}">{told}</span></details></div></li>\n'
)
_HELD = (
    ' <span class="entry-held"><span aria-hidden="true">{number}</span>'
    '<span class="hidden">{words}</span></span>'
)
_WHY = '<span class="entry-why-not">{}</span>'
_SAYS = '<span class="entry-says">{} {}</span> <a class="option-why" href="{}">{}</a>'


class ShelfGroup(NamedTuple):
    name: str
    number: int
    entries: Html
    id: str


@dataclass
class ForceShelf:
    """Entries of one force; `hidden` are those that can't be seen there, and why."""

    force: str
    groups: list[ShelfGroup]
    hidden: Html
    hidden_number: int
    shown: int
    total: int


class _Drawer:
    def __init__(self, page: ForcesPage, force: str) -> None:
        self.page = page
        self.force = force
        self.add, self.more = _("Add {name}"), _("About {name}")
        self.held = _("{number} in the list")
        self.why = _("Why?")
        self.left = {cost.id: cost.limit - cost.spent for cost in page.one.costs if cost.limit >= 0}

    def entry(self, choice: Choice, number: int) -> Html:
        name, prices = choice.name.strip(), {} if choice.hidden else choice.prices
        over = any(prices.get(cost, 0) > left for cost, left in self.left.items())
        state = "breaks" if choice.reason else "over" if over else "fits"
        sign = icon("warning") if choice.reason else EMPTY
        why = EMPTY
        if choice.reason:
            why = fill(_WHY, choice.reason.removeprefix(f"{name}: "))
        told = EMPTY
        if choice.reason:
            url = f"{self.page.why_url}?on={self.force}&entry={quote(choice.definition.key)}"
            told = fill(_SAYS, icon("warning"), choice.reason, url, self.why)
        held = EMPTY
        if choice.number:
            words = self.held.format(number=choice.number)
            held = fill(_HELD, number=choice.number, words=words)
        return fill(
            _ENTRY,
            state=state,
            asks=self.page.asks,
            ref=f"{self.force}:{choice.definition.key}",
            id=f"{self.force}-{number}",
            add=self.add.replace("{name}", name),
            off=EMPTY,
            plus=icon("plus"),
            sign=sign,
            name=name,
            held=held,
            why=why,
            points=_unbroken(self.page.words.price(prices)),
            more=self.more.replace("{name}", name),
            told=told,
        )


def _unbroken(price: str) -> str:
    """Return a price that breaks only between costs."""
    return ", ".join(one.replace(" ", "\u00a0", 1) for one in price.split(", "))


def make_shelf(page: ForcesPage, force: str, text: str) -> ForceShelf | None:
    """Return the entries for a force whose names contain a text; None without the force."""
    node = page.one.node(force)
    if node is None:
        return None
    words = text.casefold().split()
    among = [
        one for one in node.definition.offered if not page.words.sets_up(primary_category(one), one)
    ]
    choices = list(enumerate(root_choices(page.one.evaluation, node, among)))
    found = [pair for pair in choices if all(word in pair[1].name.casefold() for word in words)]
    found.sort(key=lambda pair: pair[1].name.strip().casefold())
    away = [pair for pair in found if pair[1].hidden]
    shown = [pair for pair in found if not pair[1].hidden]
    drawer = _Drawer(page, force)
    hidden = join(drawer.entry(choice, number) for number, choice in away[:MAX_SHOWN])
    groups = list(_groups(page, node, drawer, shown[:MAX_SHOWN]))
    return ForceShelf(force, groups, hidden, len(away), len(shown), len(choices))


def _groups(
    page: ForcesPage, node: Node, drawer: _Drawer, shown: Iterable[tuple[int, Choice]]
) -> Iterable[ShelfGroup]:
    linked = getattr(node.definition, "category_definitions", ())
    order = {one.key: one.main.get("name").strip() for one in linked}
    under: dict[str, list[tuple[int, Choice]]] = {key: [] for key in order}
    for number, choice in shown:
        under.setdefault(primary_category(choice.definition), []).append((number, choice))
    for place, (key, pairs) in enumerate(under.items()):
        if pairs:
            name = order.get(key) or page.words.category(key, pairs[0][1].definition)
            rows = join(drawer.entry(choice, number) for number, choice in pairs)
            id = f"entries-{place}"
            entries = element("ul", "\n", rows, id=id, class_="entries")
            yield ShelfGroup(name or _("Others"), len(pairs), entries, id)
