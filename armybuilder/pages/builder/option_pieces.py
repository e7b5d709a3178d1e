"""An option and a group of options as a unit's editor draws them."""

from __future__ import annotations

from typing import NamedTuple

from armybuilder.html import Html, attributes, element, fill, join


class Meter(NamedTuple):
    """How much of an allowance is spent: `text` in words, `fill` in per cent."""

    text: str
    fill: int
    over: bool


class PieceButton(NamedTuple):
    """A piece of equipment an enchantment can be put on."""

    id: str
    name: str
    chosen: bool


class OptionView(NamedTuple):
    """An option. `kind` is "one" or "any" (how it is marked); `state` is "held", "fixed" (held, to
    be left only for another), "off" or ""; `why` says why it is not available. A counted one
    (`several`) goes on to `fewer` or `more`. `button` is its HTML, as templates are too slow; a
    `plain` option is nothing else.
    """

    path: str
    name: str
    kind: str
    state: str
    price: str
    note: str
    why: str
    number: int
    fewer: str
    more: str
    pieces: tuple[PieceButton, ...]
    parts: tuple[OptionView | GroupView, ...]
    button: Html
    plain: bool
    several: bool = False
    group: bool = False

    @property
    def whole(self) -> Html:
        """The button in its place among the options."""
        return element("div", self.button, class_=f"option {self.state}")


class GroupView(NamedTuple):
    """A group of options: `rule` in words, `off` its unavailable options where they are many;
    `fold`: folded until it is opened; `taken` names what is taken in it; `bad` is "error" where
    that is too much, `TO_DO` where too little, else "".
    """

    path: str
    name: str
    rule: str
    meter: Meter | None
    why: str
    fold: bool
    taken: str
    parts: tuple[OptionView | GroupView, ...]
    off: tuple[OptionView | GroupView, ...]
    bad: str
    group: bool = True
    plain: bool = False

    @property
    def away(self) -> Html:
        """What is not available, as HTML."""
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


def none_button(path: str, unit: str, name: str, empty: bool) -> Html:
    """Return the choice of nothing in the group at a path, `empty` or not, as a button."""
    state, pressed = ("fixed", "true") if empty else ("", "false")
    press = _PRESS.get(state) or attributes(name="act", value=f"no-option:{path}")
    return fill(_BUTTON, press, f"none-{unit}-{path}", "one none", pressed, name, "")
