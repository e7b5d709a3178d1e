"""The open unit: its head, its models in stacks, and the options of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Final, NamedTuple
from urllib.parse import quote

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.building import Stack, most_of, primary_of, stacks_of
from armybuilder.battlescribe.files.choices import Choice, choices_on
from armybuilder.battlescribe.files.definitions import FileDefinition
from armybuilder.battlescribe.files.reports import Told
from armybuilder.battlescribe.files.showing import number_text
from armybuilder.battlescribe.files.view import UnitLines, unit_of
from armybuilder.engine.kernel.branches import Node
from armybuilder.engine.kernel.conditions import Kind, Number
from armybuilder.engine.kernel.definitions import Definition
from armybuilder.html import EMPTY, Html, attributes, element, fill, icon, join
from armybuilder.lists.worked_out import WorkedOut

#: Names of categories whose entries set up a list: sizes, switches for display.
_SETTINGS = "configuration"


def primary_category(definition: Definition) -> str:
    """Return the category of an entry before any moves; "" for none."""
    return next((tag for tag, primary in definition.categories.items() if primary), "")


class ListWords:
    """Names of one list's costs, categories and picks."""

    def __init__(self, one: WorkedOut) -> None:
        self.one = one
        self._categories: dict[str, str] = {}

    @cached_property
    def costs(self) -> dict[str, str]:
        """Names of costs by their ids, in the order of the file."""
        return {cost.id: cost.get("name").strip() for cost in self.one.cost_types}

    def price(self, prices: Mapping[str, Number]) -> str:
        """Return the price of something, without costs of 0: "120 pts, 2 US".

        If the game shows only one cost, its name is in the bar and nowhere else.
        """
        words = []
        for cost, name in self.costs.items():
            if number := prices.get(cost, 0):
                text = number_text(number)
                words.append(text if cost == self._only_cost else f"{text} {name}")
        return ", ".join(words)

    @cached_property
    def _only_cost(self) -> str:
        shown = [cost.id for cost in self.one.cost_types if not cost.says("hidden")]
        return shown[0] if len(shown) == 1 else ""

    def spent(self, node: Node) -> str:
        """Return the cost of a unit, with everything below it."""
        evaluation, branch = self.one.evaluation, node.branch
        if branch is not None and node is branch.root:
            prices = {cost: evaluation.branch_cost(branch, cost) for cost in self.costs}
        else:
            prices = {cost: evaluation.total(node, cost) for cost in self.costs}
        return self.price(prices)

    def name(self, node: Node) -> str:
        """Return a pick's name: its player's, else the one shown by the file."""
        said = node.pick.said if node.pick is not None else {}
        return said.get("customName") or self.shown(node)

    def shown(self, node: Node) -> str:
        """Return the name of a pick as its file shows it."""
        return self.one.teller.shown.name(node).strip() or node.definition.key

    def category(self, tag: str, of: Definition) -> str:
        """Return the name of a category, as seen from something that has it."""
        if tag not in self._categories:
            name = ""
            if tag and isinstance(of, FileDefinition):
                found = of.book.game.find(tag, of.book.root)
                name = found.get("name").strip() if found is not None else ""
            self._categories[tag] = name
        return self._categories[tag]

    def is_setting(self, node: Node) -> bool:
        """Return whether a force's entry is a setting of the list."""
        return self.sets_up(primary_of(node), node.definition)

    def sets_up(self, category: str, definition: Definition) -> bool:
        """Return whether an entry of a category says how a list is set up."""
        upgrade = isinstance(definition, FileDefinition) and definition.type == "upgrade"
        return upgrade and _SETTINGS in self.category(category, definition).casefold()


#: From this number of options on, groups are folded, and options can be searched.
MANY: Final = 14
#: From this maximum on, a number can be typed.
TYPED: Final = 5

_BUTTON = (
    '<button {press} id="{id}" class="option-button {kind}" aria-pressed="{held}">'
    '<span class="option-name">{name}</span><span class="option-price">{price}</span></button>'
)
_COUNT = (
    '<span class="count"><button {less} id="fewer-{id}" class="step" aria-label="{fewer}">{minus}'
    '</button>{number}<button {much} id="{id}" class="step" aria-label="{more}">{plus}</button>'
    '</span><span class="option-body"><span class="option-name">{name}</span>'
    '<span class="option-price">{price}</span></span>'
)
_NUMBER = (
    '<input type="number" inputmode="numeric" name="n-{key}" id="n-{id}" min="0"{max}'
    ' value="{number}" aria-label="{label}" {asks} hx-trigger="change" hx-vals="{vals}">'
)
_SET = '<button class="noscript-only" name="act" value="count:{key}">{set}</button>'
_FOLD = (
    '<details class="option-group fold{bad}" id="fold-{id}" {open}><summary><strong>{name}</strong>'
    '{taken}{rule}</summary><div role="group" aria-label="{name}">{inside}</div></details>'
)
_KIND = (
    '<div class="option-kind{bad}" role="group" aria-label="{name}"><p><strong>{name}</strong>'
    "{rule}</p>{inside}</div>"
)
_AWAY = (
    '<details class="not-available" id="off-{id}"><summary>{words}</summary>'
    '<ul class="option-names">{inside}</ul></details>'
)
_WHY = '<a class="option-why" href="{url}" title="{title}"><span dir="auto">{name}</span></a>'


class _Around(NamedTuple):
    """The group of some options: its limits, and the number taken."""

    most: int | None = None
    least: int = 0
    taken: int = 0
    key: str = ""
    id: str = ""


class OptionDrawer:
    """Draws the possible options of one pick, as the fields of a form."""

    def __init__(
        self,
        node: Node,
        words: ListWords,
        asks: Html,
        wrong: Mapping[tuple[str, str, str], str],
        why: str,
    ) -> None:
        """Keep the state for drawing.

        `wrong` are the broken bounds by pick; `why` is the URL that explains what bars something.
        """
        self.node = node
        self.words = words
        self.asks = asks
        self.wrong = wrong
        self.id = node.pick.id if node.pick is not None else ""
        choices = choices_on(words.one.evaluation, node)
        self.many = len(choices) >= MANY
        self.choices: Mapping[Definition, Choice] = {one.definition: one for one in choices}
        self.places = {one.definition: place for place, one in enumerate(choices)}
        self._why = f"{why}?on={self.id}&entry="
        self._groups = 0
        self._less, self._more = _("One fewer {name}"), _("One more {name}")

    @property
    def is_live(self) -> bool:
        """Return whether anything can be taken, or is."""
        return any(one.number or not one.hidden for one in self.choices.values())

    def html(self) -> Html:
        """Return all options; nothing where there are none."""
        inside = self._inside(self.node.definition, _Around())
        if not self.many or not inside:
            return inside
        label = _("Search by name")
        return join([_search(label), inside])

    def _inside(self, above: Definition, around: _Around) -> Html:
        shown: list[Html] = []
        away: list[Html] = []
        for child in above.children:
            if child.kind is Kind.GROUP:
                if self._is_live(child):
                    shown.append(self._group(child))
                else:
                    leaves = (self.choices.get(leaf) for leaf in child.offered)
                    away += [self._why_not(one) for one in leaves if one is not None]
            elif (choice := self.choices.get(child)) is not None:
                if choice.number or not choice.hidden:
                    shown.append(self._option(choice, around))
                else:
                    away.append(self._why_not(choice))
        if around.key and around.most == 1 and not around.least and shown:
            shown.insert(0, self._none(around))
        if away:
            self._groups += 1
            words = _("{number} not available").format(number=len(away))
            id = f"{self.id}-{self._groups}"
            inside = join(element("li", one, class_="option") for one in away)
            shown.append(fill(_AWAY, id=id, words=words, inside=inside))
        return join(shown)

    def _why_not(self, choice: Choice) -> Html:
        """Return the name of a forbidden option; it links to the reason."""
        url, name = self._why + quote(choice.definition.key), choice.name.strip()
        return fill(_WHY, url=url, title=_("Why not?"), name=name)

    def _is_live(self, group: Definition) -> bool:
        choices = (self.choices.get(leaf) for leaf in group.offered)
        return any(one is not None and (one.number or not one.hidden) for one in choices)

    def _group(self, group: Definition) -> Html:
        self._groups += 1
        id = f"{self.id}-g{self._groups}"
        evaluation, node = self.words.one.evaluation, self.node
        taken = [one for one in node.below if group in one.definition.groups]
        number = sum(one.number for one in taken)
        most = most_of(group, evaluation, node)
        least = 1 if any(bound.low and bound.low.base > 0 for bound in group.floors) else 0
        inside = self._inside(group, _Around(most, least, number, group.key, id))
        if not inside:
            return EMPTY
        marks = {self.wrong.get((bound.id, bound.query.tag, self.id), "") for bound in group.bounds}
        mark = "error" if "error" in marks else next(filter(None, marks), "")
        bad = f" bad {mark}" if mark else ""
        rule = fill(' <span class="group-rule">{}</span>', _rule(most, least, number))
        name = group.name.strip() or _("Options")
        if not self.many:
            return fill(_KIND, bad=bad, name=name, rule=rule, inside=inside)
        numbers: Counter[str] = Counter()
        for one in taken:
            numbers[self.words.name(one)] += one.number
        names = ", ".join(f"{many} × {one}" if many > 1 else one for one, many in numbers.items())
        told = fill('<span class="group-taken">{}</span>', names) if names else EMPTY
        opened = attributes(open=bool(bad))
        said = EMPTY if names and not bad else rule
        return fill(
            _FOLD, bad=bad, id=id, open=opened, name=name, taken=told, rule=said, inside=inside
        )

    def _none(self, around: _Around) -> Html:
        press = attributes(name="act", value=f"none:{around.key}")
        id = f"none-{around.id}"
        if not around.taken:
            press = attributes(type="button")
        held = "false" if around.taken else "true"
        kind, name = "one none", _("none")
        button = fill(_BUTTON, press=press, id=id, kind=kind, held=held, name=name, price="")
        return element("div", button, class_="option")

    def _option(self, choice: Choice, around: _Around) -> Html:
        one = around.most == 1
        single = one or choice.most == 1 or (choice.most == 0 and not choice.number)
        if choice.number and (choice.number > 1 or not single):
            return self._counted(choice)
        held = choice.number > 0
        swaps = one and around.taken and not choice.hidden
        off = bool(choice.reason) and not held and not swaps
        act = f"take:{choice.definition.key}"
        if held:
            act = f"leave:{choice.definition.key}"
        press = attributes(name="act", value=act)
        if off:
            press = attributes(disabled=True)
        fixed = held and not choice.hidden and (one or choice.least >= choice.number)
        if fixed:
            press = attributes(type="button")
        why = choice.reason if off or (held and choice.hidden) else ""
        button = fill(
            _BUTTON,
            press=press,
            id=self._id(choice),
            kind="one" if one else "any",
            held="true" if held else "false",
            name=_name(choice, why),
            price=self.words.price(choice.prices),
        )
        if off:
            url = self._why + quote(choice.definition.key)
            button = join([button, fill(_WHY, url=url, title=choice.name.strip(), name=_("Why?"))])
        state = "fixed" if fixed else "held" if held else "off" if off else ""
        return element("div", button, class_=f"option {state}")

    def _counted(self, choice: Choice) -> Html:
        key, number, name = choice.definition.key, choice.number, choice.name.strip()
        full = choice.most is not None and number >= choice.most
        blocked = attributes(type="button", aria_disabled="true")
        more = blocked if full else attributes(name="act", value=f"count:{key}={number + 1}")
        less = attributes(name="act", value=f"count:{key}={number - 1}")
        body = fill(
            _COUNT,
            less=less,
            much=more,
            id=self._id(choice),
            fewer=self._less.replace("{name}", name),
            more=self._more.replace("{name}", name),
            minus=icon("minus"),
            plus=icon("plus"),
            number=self._number(choice),
            name=_name(choice, choice.reason if choice.hidden or full else ""),
            price=self.words.price(choice.prices),
        )
        return element("div", body, class_="option held")

    def _number(self, choice: Choice) -> Html:
        if choice.most is not None and choice.most < TYPED:
            return element("b", str(choice.number))
        key = choice.definition.key
        most = fill(' max="{}"', choice.most) if choice.most is not None else EMPTY
        vals = f'{{"act": "count:{key}"}}'
        field = fill(
            _NUMBER,
            key=key,
            id=self._id(choice),
            max=most,
            number=choice.number,
            label=choice.name.strip(),
            asks=self.asks,
            vals=vals,
        )
        return join([field, fill(_SET, key=key, set=_("Set"))])

    def _id(self, choice: Choice) -> str:
        return f"option-{self.id}-{self.places[choice.definition]}"


def _search(label: str) -> Html:
    return element(
        "input",
        type="search",
        class_="find-options",
        autocomplete="off",
        data_kept=True,
        placeholder=label,
        aria_label=label,
    )


def _name(choice: Choice, why: str) -> Html:
    name = fill('<span dir="auto">{}</span>', choice.name.strip())
    return join([name, fill(' <span class="why">{}</span>', why)]) if why else name


def _rule(most: int | None, least: int, number: int) -> str:
    if most is None:
        return _("min {number}").format(number=least) if least else ""
    if most == 1:
        return _("choose one") if least else _("max 1")
    return _("{number} of {most}").format(number=number, most=most)


def holders(node: Node) -> Iterator[Node]:
    """Yield the contents of a pick that have options of their own."""
    for below in node.below:
        if below.definition.offered:
            yield below


#: How deep stacks on stacks are shown, and how many of one unit.
MAX_DEPTH: Final = 5
MAX_STACKS: Final = 60


class StackView(NamedTuple):
    """Equal picks of a unit with their options; the first represents them.

    `of` says how many can be changed separately, `summary` their options, `depth` their depth in
    the unit.
    """

    id: str
    name: str
    number: int
    of: int
    price: str
    summary: str
    options: Html
    depth: int
    bad: bool


class UnitViewer:
    def __init__(self, words: ListWords, told: tuple[Told, ...], asks: Html, why: str) -> None:
        self.why = why
        self.words = words
        self.told = told
        self.asks = asks
        self.wrong = words.one.broken_bounds

    def view(self, node: Node) -> dict[str, Any]:
        pick = node.pick
        assert pick is not None  # noqa: S101 units are picks
        says = [one for one in self.told if one.unit == pick.id]
        return {
            "id": pick.id,
            "name": self.words.name(node),
            "own_name": pick.said.get("customName", ""),
            "unit_name": self.words.shown(node),
            "notes": pick.said.get("customNotes", ""),
            "points": self.words.spent(node),
            "card": self._card(node),
            "says": says,
            "options": self.drawer(node).html(),
            "stacks": list(self.stacks(node)),
        }

    def _card(self, node: Node) -> UnitLines | None:
        """Return profiles, rules and keywords of the unit, as its sheet has them."""
        if node.branch is None:
            return None
        return unit_of(self.words.one.game, self.words.one.evaluation, node.branch)

    def stacks(self, node: Node, depth: int = 0) -> Iterator[StackView]:
        """Yield the stacks on a pick, each before those on it."""
        if depth >= MAX_DEPTH:
            return
        for stack in stacks_of(holders(node))[:MAX_STACKS]:
            drawer = self.drawer(stack.first)
            if stack.number > 1 or is_model(stack.first) or drawer.is_live:
                yield self._stack(stack, drawer, depth)
                yield from self.stacks(stack.first, depth + 1)

    def drawer(self, node: Node) -> OptionDrawer:
        return OptionDrawer(node, self.words, self.asks, self.wrong, self.why)

    def _stack(self, stack: Stack, drawer: OptionDrawer, depth: int) -> StackView:
        first = stack.first
        ids = {node.pick.id for node in stack.nodes if node.pick is not None}
        return StackView(
            id=first.pick.id if first.pick is not None else "",
            name=self.words.name(first),
            number=stack.number,
            of=stack.number if len(stack.nodes) > 1 or stack.number > 1 else 0,
            price=self.words.spent(first),
            summary=taken_on(first, self.words),
            options=drawer.html(),
            depth=depth,
            bad=any(one.pick in ids for one in self.told),
        )


def is_model(node: Node) -> bool:
    definition = node.definition
    return isinstance(definition, FileDefinition) and definition.type == "model"


def taken_on(node: Node, words: ListWords, deep: int = 3) -> str:
    """Return the picks below one in a line, equal ones together."""
    parts = []
    for stack in stacks_of(node.below):
        name = words.name(stack.first)
        text = f"{stack.number} × {name}" if stack.number > 1 else name
        inner = taken_on(stack.first, words, deep - 1) if deep else ""
        parts.append(f"{text} ({inner})" if inner else text)
    return ", ".join(parts)
