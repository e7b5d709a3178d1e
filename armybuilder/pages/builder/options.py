"""The editor of the open unit, with all words of its options."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from armybuilder.engine import Severity
from armybuilder.engine.catalogue import System
from armybuilder.engine.lines import Line
from armybuilder.engine.meanings import is_explained
from armybuilder.engine.nouns import counted
from armybuilder.engine.offers import GroupOffer, OptionOffer, flat, offers
from armybuilder.engine.report import Report
from armybuilder.engine.roster import Pick
from armybuilder.engine.rulebook import doubts
from armybuilder.engine.rules import ItemSlot
from armybuilder.engine.states import TO_DO
from armybuilder.engine.swaps import single_slots
from armybuilder.engine.units import Unit
from armybuilder.engine.vocabulary import Role
from armybuilder.engine.wording import listed
from armybuilder.html import EMPTY, Html, attributes, element, fill, join
from armybuilder.loading.armylist import ListCard, ListUnit
from armybuilder.pages.builder.option_groups import OfferNode, joined, size_view
from armybuilder.pages.builder.pieces import about_html

#: From this number on, unavailable options are folded away.
MANY = 5
#: A group of more options than this can be searched by name.
SEARCHED = 12


class OptionView(NamedTuple):
    """An option as drawn.

    `kind` is "one" or "any" (radio or checkbox); `state` is "held", "fixed" (held, replaceable
    only), "off" or ""; `why` is the reason against it. A counted one (`several`) goes on to `fewer`
    or `more`. An enchantment can go on `pieces`: id, name, whether it is chosen. `button` is its
    HTML, as templates are too slow; a `plain` option is nothing else. An `alone` option is a line
    with a switch. `about` leads to its meaning.
    """

    path: str
    name: str
    kind: str
    state: str
    price: str = ""
    note: str = ""
    why: str = ""
    number: int = 0
    fewer: str = ""
    more: str = ""
    pieces: tuple[tuple[str, str, bool], ...] = ()
    parts: tuple[OptionView | GroupView, ...] = ()
    button: Html = EMPTY
    about: Html = EMPTY
    plain: bool = True
    several: bool = False
    alone: bool = False
    group: bool = False

    @property
    def shape(self) -> str:
        return f"{self.state} alone" if self.alone else self.state

    @property
    def whole(self) -> Html:
        return element("div", self.button, self.about, class_=f"option {self.shape}")


class GroupView(NamedTuple):
    """A group of options: `rule` in words, `off` its unavailable options if they are many.

    `meter` is the spent part of an allowance, in words, and whether that is too much; `left` the
    rest of it and of its kinds. `fold`: a line that unfolds, otherwise a heading among options;
    `searched`: it has enough options for a search field. `taken` names the choices; `bad` is
    "error" if they are too many, `TO_DO` if too few, otherwise "".
    """

    path: str
    name: str
    parts: tuple[OptionView | GroupView, ...]
    off: tuple[OptionView | GroupView, ...]
    rule: str = ""
    meter: tuple[str, bool] | None = None
    left: str = ""
    searched: bool = False
    why: str = ""
    fold: bool = False
    taken: str = ""
    bad: str = ""
    group: bool = True
    plain: bool = False

    @property
    def away(self) -> Html:
        return join(one.whole for one in self.off if isinstance(one, OptionView))


Part = OptionView | GroupView


#: Attributes of buttons that cannot be pressed, by the state of their option.
_PRESS = {"fixed": attributes(type="button"), "off": attributes(disabled=True)}
_BUTTON = (
    '<button {} id="{}" class="option-button {}" aria-pressed="{}">'
    '<span class="option-name">{}</span><span class="option-price">{}</span></button>'
)


def option_button(view: OptionView, unit: str) -> Html:
    """Return the option as a button that takes or leaves it."""
    press = _PRESS.get(view.state) or attributes(name="act", value=f"option:{view.path}")
    name = [view.name]
    if view.why:
        name.append(fill(' <span class="why">{}</span>', view.why))
    if view.note:
        name.append(fill(' <span class="note">{}</span>', view.note))
    held = "true" if view.number else "false"
    place = f"option-{unit}-{view.path}"
    return fill(_BUTTON, press, place, view.kind, held, join(name), view.price)


class Slots:
    """Slots that options of one unit share by the game's rules, and that hold one at most."""

    def __init__(self, offered: tuple[OfferNode, ...], line: Line, system: System) -> None:
        options = list(_every(offered))
        self.offered = {
            slot: {one.path: one for one in options if slot.holds(one.option)}
            for slot in single_slots(line, system)
        }
        self.held = {
            slot: [one for one in inside.values() if one.number and not one.given]
            for slot, inside in self.offered.items()
        }

    def around(self, group: GroupOffer) -> ItemSlot | None:
        """Return the slot that all the options of a group are in, and perhaps others."""
        inside = {offer.path for offer in flat(group.inner)}
        slots = (slot for slot, every in self.offered.items() if inside and inside <= every.keys())
        return next(slots, None)

    def words(self, slot: ItemSlot, group: GroupOffer) -> str:
        """Return the slot's limit and its items; "" if the group has all of them."""
        inside = {offer.path for offer in flat(group.inner)}
        if self.offered[slot].keys() <= inside:
            return ""
        words = _("max 1 in total")
        replaced = _replaced(one for one in self.held[slot] if one.path not in inside)
        return f"{words}, {replaced}" if replaced and not group.number else words

    def note(self, offer: OptionOffer, beside: Iterable[OptionOffer], told: ItemSlot | None) -> str:
        """Return the options that one replaces, without `beside` and the slot `told`."""
        rivals: dict[str, OptionOffer] = {}
        for slot, held in self.held.items():
            if held and slot is not told and offer.path in self.offered[slot]:
                known = {one.path for one in beside}
                rivals |= {one.path: one for one in held if one.path not in known}
        return _replaced(rivals.values())


def _replaced(offers: Iterable[OptionOffer]) -> str:
    names = listed(one.option.name for one in offers)
    return _("replaces {names}").format(names=names) if names else ""


def _every(offered: Iterable[OfferNode]) -> Iterator[OptionOffer]:
    for offer in flat(offered):
        yield offer
        yield from _every(offer.inner)


class _Within(NamedTuple):
    """Limits from the groups around an option.

    Of `beside` one at most is taken (`one`), by the rule shown with `slot`; one held is `kept`
    until another is taken.
    """

    one: bool = False
    kept: bool = False
    left: int | None = None
    depth: int = 0
    beside: tuple[OptionOffer, ...] = ()
    slot: ItemSlot | None = None


def option_parts(
    offered: Iterable[OfferNode], line: Line, system: System
) -> tuple[tuple[Part, ...], GroupView]:
    """Return a unit's options by the game's form: those in its head, in a line, and others."""
    form, offered = system.unit_form, joined(offered, line.unit.book_name)
    tree = _Tree(offered, line, system)
    first = {option: place for place, option in enumerate((*form.head, *form.order))}

    def last_id(offer: OfferNode) -> str:
        return offer.path.rpartition("/")[2]

    ordered = sorted(offered, key=lambda offer: first.get(last_id(offer), len(first)))
    begun = tuple(offer for offer in ordered if last_id(offer) in form.head)
    drawn = {offer.path: tree.whole((offer,)) for offer in begun}
    head = {path: view.parts for path, view in drawn.items() if _in_a_line(view)}
    others = tree.whole(tuple(one for one in ordered if one.path not in head))
    parts = (part for shown in head.values() for part in shown)
    sets = _sets(offered, line, system)
    return (*sets, *(_shorter(part, line.pick.id) for part in parts)), others


def _sets(offered: Iterable[OfferNode], line: Line, system: System) -> Iterator[OptionView]:
    """Yield options that take all of a group at once, and their price: "Full command +30"."""
    for one in system.unit_form.sets:
        for group in offered:
            if isinstance(group, GroupOffer) and group.group.id in one.groups:
                view = _set(one.name, group, line)
                if view is not None:
                    yield view


def _set(name: str, group: GroupOffer, line: Line) -> OptionView | None:
    options = [
        option for option in group.inner if isinstance(option, OptionOffer) and not option.given
    ]
    options = [option for option in options if option.most == 1 and not option.why]
    few = len(options) < 2 or len(options) < len(group.inner)
    if few or group.why or (group.most is not None and group.most < len(options)):
        return None
    missing = [option for option in options if not option.number]
    points = sum(option.points for option in missing or options)
    path = " ".join(option.path for option in options)
    press = attributes(name="act", value=f"switch-options:{path}")
    held, price = "false" if missing else "true", f"{points:+}" if points else ""
    place = f"set-{line.pick.id}-{group.path}"
    button = fill(_BUTTON, press, place, "any", held, _(name), price)
    return OptionView(group.path, _(name), "any", "", price, number=not missing, button=button)


def _in_a_line(part: Part) -> bool:
    if isinstance(part, OptionView):
        return part.plain
    return not part.why and all(_in_a_line(one) for one in (*part.parts, *part.off))


def _shorter(part: Part, unit: str) -> Part:
    """Return a part of the head, without words that are obvious there: that it is free."""
    if isinstance(part, GroupView):
        return part._replace(parts=tuple(_shorter(one, unit) for one in (*part.parts, *part.off)))
    view = part._replace(price="" if part.price == _("free") else part.price)
    return view._replace(button=option_button(view, unit))


def rule_words(least: int, most: int | None) -> str:
    """Return the limits of a group in words: "choose one", "max 2", "optional"."""
    if most is None:
        return _("min {number}").format(number=least) if least else _("optional")
    if least == most:
        return _("choose one") if most == 1 else _("choose {number}").format(number=most)
    if least:
        return f"{least}–{most}"
    return _("max 1") if most == 1 else _("max {number}").format(number=most)


class _Tree:
    """Common facts of all options of one unit."""

    def __init__(self, offered: tuple[OfferNode, ...], line: Line, system: System) -> None:
        self.line, self.about = line, _("About {name}")
        self.slots = Slots(offered, line, system)
        self.place = line.place
        # Rules on what one unit has of certain items bound groups that say nothing themselves.
        self.rules, self.system = system.rules, system
        self.pieces = {taken.option.id: taken.option.name for taken in reversed(line.loadout.taken)}

    def whole(self, offered: tuple[OfferNode, ...]) -> GroupView:
        return GroupView("", "", *self._sorted(offered, _Within()))

    def _sorted(
        self, offered: tuple[OfferNode, ...], within: _Within
    ) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
        """Return the parts shown at once, and those folded away as not available."""
        parts = tuple(part for offer in offered for part in self._part(offer, within))
        off = tuple(part for part in parts if isinstance(part, OptionView) and part.state == "off")
        if len(off) < MANY:
            return parts, ()
        return tuple(part for part in parts if part not in off), off

    def _part(self, offer: OfferNode, within: _Within) -> Iterator[Part]:
        if isinstance(offer, GroupOffer):
            only = offer.inner[0]
            if self._is_a_line(offer, within) and isinstance(only, OptionOffer):
                yield self._option(only, self._within(offer, within), offer.group.name)
            elif offer.why or not offer.ok or any(not one.given for one in flat(offer.inner)):
                yield self._group(offer, within)
        elif not offer.given:
            yield self._option(offer, within)
        elif offer.inner:
            shown, off = self._sorted(offer.inner, _Within())
            if shown or off:
                yield GroupView(offer.path, offer.option.name, shown, off)

    def _is_a_line(self, offer: GroupOffer, within: _Within) -> bool:
        """Return whether a group is no more than its one option."""
        only = offer.inner[0]
        plain = isinstance(only, OptionOffer) and not only.given
        return plain and len(offer.inner) == 1 and offer.ok and not (offer.why or within.depth)

    def _group(self, offer: GroupOffer, within: _Within) -> GroupView:
        options = list(flat(offer.inner))
        taken = [option for option in options if option.number]
        inner = offer.inner
        if offer.why:  # a taken option is shown all the same, so that it can be removed
            inner = tuple(option for option in taken if not option.given)
        here = self._within(offer, within)
        parts, off = self._sorted(inner, here)
        top = not within.depth
        if here.one and top and not offer.least and not offer.why:
            parts = (_none_of(offer, self.line.pick.id), *parts)
        return GroupView(
            path=offer.path,
            name=offer.group.name,
            rule=self._rule(offer, within, here),
            meter=_meter(offer),
            left=self._left(offer, here) if top else "",
            searched=top and len(options) > SEARCHED,
            why=capfirst(offer.why),
            fold=top and not offer.why,
            taken=", ".join(map(_with_number, taken)),
            parts=parts,
            off=off,
            bad="" if offer.ok else "error" if offer.over else TO_DO,
        )

    def _left(self, offer: GroupOffer, here: _Within) -> str:
        """Return the room left in a group of kinds: points, and the number of each."""
        left: list[str] = []
        if all(isinstance(kind, OptionOffer) for kind in offer.inner):
            return ""
        if here.left is not None and here.left >= 0:
            left.append(counted(here.left, "points"))
        for kind in offer.inner:
            if isinstance(kind, GroupOffer) and not kind.why:
                within = self._within(kind, here)
                if within.slot is not None:
                    room: int | None = 1 - len(self.slots.held[within.slot])
                else:
                    most = self._most_by_rules(kind) if kind.most is None else kind.most
                    room = None if most is None else most - kind.number
                if room is not None:
                    left.append(f"{kind.group.name} {max(room, 0)}")
        return _("Left: {what}").format(what=" · ".join(left)) if left else ""

    def _within(self, offer: GroupOffer, around: _Within) -> _Within:
        """Return the limits that a group, with those around it, puts on its options."""
        options = tuple(flat(offer.inner))
        slot = around.slot or (self.slots.around(offer) if offer.least < 2 else None)
        # A choice between nothing and one thing is a tick box.
        several = len(options) > 1 and not any(option.given for option in options)
        single = (offer.most == 1 or slot is not None) and (several or offer.least > 0)
        return _Within(
            one=around.one or single,
            kept=offer.number < 2
            and ((single and not around.depth) or offer.least > 0 or around.kept),
            left=around.left if offer.allowance is None else offer.allowance - offer.spent,
            depth=around.depth + 1,
            beside=around.beside if around.one else options if single else (),
            slot=slot,
        )

    def _rule(self, offer: GroupOffer, around: _Within, here: _Within) -> str:
        """Return a group's limits in words; "" if a group around it has named them."""
        if here.slot is not None and not offer.least:
            if around.slot is here.slot:
                return ""
            return self.slots.words(here.slot, offer) or rule_words(0, 1)
        if offer.least or offer.most is not None:
            return rule_words(offer.least, offer.most if here.slot is None else 1)
        most = self._most_by_rules(offer)
        if most is not None:
            return _("max {number} in total").format(number=most)
        silent = offer.allowance is not None or around.one or around.depth
        return "" if silent else rule_words(0, None)

    def _most_by_rules(self, offer: GroupOffer) -> int | None:
        """Return a game rule's limit on all items of a group."""
        options = [part.option for part in offer.inner if isinstance(part, OptionOffer)]
        rules = self.rules if options and len(options) == len(offer.inner) else ()
        slots = (slot for rule in rules for slot in rule.slots(self.line))
        return next((slot.most for slot in slots if all(map(slot.holds, options))), None)

    def _option(self, offer: OptionOffer, within: _Within, group: str = "") -> OptionView:
        """Return an option; of a `group` of nothing else it says the name."""
        held = offer.number > 0
        several = offer.most is None or offer.most > 1
        inner: tuple[Part, ...] = ()
        if held and offer.inner:
            shown, off = self._sorted(offer.inner, _Within())
            inner = (*shown, *off)
        pieces = tuple(
            (piece, self.pieces.get(piece, piece.replace("-", " ")), piece == offer.on)
            for piece in offer.pieces
        )
        if held:
            state = "fixed" if within.kept and not offer.why else "held"
        else:
            state = "off" if offer.why else ""
        last = state == "fixed" and offer.number == 1
        full = offer.most is not None and offer.number >= offer.most
        option = offer.option
        means = option.item or option.keywords or is_explained(self.system, option.name)
        view = OptionView(
            path=offer.path,
            name=option.name,
            about=about_html(option.name, self.about) if means else EMPTY,
            kind="one" if within.one else "any",
            state=state,
            price=self._price(offer, several),
            note=self._note(offer, within, group),
            why=capfirst(offer.why),
            number=offer.number,
            fewer="" if not (several and held) or last else str(offer.number - 1),
            more=str(offer.number + 1) if several and not (full or offer.why) else "",
            pieces=pieces,
            parts=inner,
            plain=not (inner or pieces or (several and held)),
            several=several and held,
            alone=bool(group) or not within.depth,
        )
        return view._replace(button=option_button(view, self.line.pick.id))

    def _note(self, offer: OptionOffer, within: _Within, group: str) -> str:
        # The heading "Options" of a book tells nothing.
        told = group.casefold().removesuffix("s") in f"{offer.option.name} option".casefold()
        words = [] if told else [group]
        if not offer.number and not offer.why:
            words.append(self.slots.note(offer, within.beside, within.slot))
        # If the army already has a One of a Kind item, that is shown as the reason.
        one_of_a_kind = offer.option.cap is not None and offer.option.cap.one_of_a_kind
        if offer.held is not None and not one_of_a_kind:
            has, most = offer.held
            none = _("max {number} in the army").format(number=most)
            words.append(offer.army if has else none)
        left = within.left
        if left is not None and not offer.number and not offer.why and offer.points > left >= 0:
            points = counted(offer.points - left, "points")
            words.append(_("{points} more than you have left").format(points=points))
        if offer.unchecked:
            words.append(_("not checked: {what}").format(what=offer.unchecked))
        return ", ".join(filter(None, words))

    def _price(self, offer: OptionOffer, several: bool) -> str:
        each = offer.option.each.number(self.place)
        if offer.points == 0:
            return _("free")
        price = f"{offer.points:+}".replace("-", "−")
        if each and each * self.place.models == offer.points and self.place.models > 1:
            text = _("{price} per model = {points}")
            return text.format(price=f"{each:+}", points=offer.points).replace("-", "−")
        return _("{price} each").format(price=price) if several else price


def _meter(offer: GroupOffer) -> tuple[str, bool] | None:
    """Return how much of a group's allowance is spent, and whether that is too much."""
    if offer.allowance is None:
        return None
    over = offer.spent > offer.allowance
    text = _("{number} of {points}, {over} over") if over else _("{number} of {points}")
    points = counted(offer.allowance, "points")
    over_by = offer.spent - offer.allowance
    return text.format(number=offer.spent, points=points, over=over_by), over


def _none_of(offer: GroupOffer, unit: str) -> OptionView:
    empty, name, path = not offer.number, _("None"), offer.path
    state, pressed = ("fixed", "true") if empty else ("", "false")
    press = _PRESS.get(state) or attributes(name="act", value=f"no-option:{path}")
    button = fill(_BUTTON, press, f"none-{unit}-{path}", "one none", pressed, name, "")
    return OptionView(path, name, "one", state, number=int(empty), button=button)


def _with_number(offer: OptionOffer) -> str:
    return f"{offer.number} × {offer.option.name}" if offer.number > 1 else offer.option.name


class Editor(NamedTuple):
    """Choices for the open unit, and their results.

    `roles` are its possible ones, each with whether it has it.
    """

    size: dict[str, Any] | None
    roles: tuple[tuple[Role, bool], ...]
    head: tuple[Part, ...]
    options: GroupView | None


def make_editor(pick: Pick, report: Report, system: System) -> Editor | None:
    """Return the choices for a unit; None if the books lack it."""
    line = report.line(pick.id)
    if line is None:
        return None
    offered = offers(line, report) if line.unit.offer else ()
    head, others = option_parts(offered, line, system)
    roles = (
        (role, role.id in pick.roles)
        for role in system.roles.values()
        if role.id in pick.roles or Severity.ERROR not in doubts(role.id, line.tags, system)
    )
    return Editor(
        size=size_view(line),
        roles=tuple(roles),
        head=head,
        options=others if others.parts or others.off else None,
    )


def blank_fields(
    entry: ListUnit, unit: Unit | None, system: System
) -> Iterator[tuple[str, str, str, tuple[tuple[str, str], ...]]]:
    """Yield fields for the values that the book leaves open, filled in or not.

    Each is its name, its label, its value, and the choices unless it is a number.
    """
    card = entry.card or ListCard()
    points = "" if card.points is None else card.points
    filled = {"attributes": card.attributes, "ratings": card.ratings}
    for blank in unit.blanks if unit else ():
        kind, __, key = blank.field.partition(".")
        value = filled[kind].get(key, "") if key else points
        choices: tuple[tuple[str, str], ...] = ()
        if kind == "attributes":
            choices = tuple(system.attributes[key].values.items())
        yield blank.field, blank.name, str(value), choices
