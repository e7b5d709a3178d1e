"""The tag around a part of the builder's page that is not sent where the browser has it."""

from pathlib import Path
from typing import NamedTuple

from django import template
from django.template.base import FilterExpression, NodeList, Parser, Token
from django.template.context import Context
from django.utils.translation import get_language

from armybuilder.html import EMPTY, Html, element, with_attributes
from armybuilder.pages.builder.parts import mark_of, sent

register = template.Library()


@register.tag
def part(parser: Parser, token: Token) -> "PartNode":
    """`{% part id %}…{% endpart %}` around an element with that id; with `apart` behind the id, it
    takes the place of the one on the page, wherever that stands. `{% part id details of value %}`:
    what is in it, a `<details>` here, hangs on a value alone, and is not even written where that is
    as it was.
    """
    __, name, *how = token.split_contents()
    inside = parser.parse(("endpart",))
    parser.delete_first_token()
    hangs_on = None
    if len(how) == 3:
        source = Path(parser.origin.name).read_text(encoding="utf-8") if parser.origin else ""
        hangs_on = HangsOn(how[0], parser.compile_filter(how[2]), mark_of(source))
    return PartNode(name, inside, how == ["apart"], hangs_on)


class HangsOn(NamedTuple):
    """What a part hangs on: a value, and its template, of which this is a hash."""

    tag: str
    value: FilterExpression
    template: str


class PartNode(template.Node):
    """An element that is sent where the browser has another."""

    def __init__(
        self, name: str, inside: NodeList, apart: bool, hangs_on: HangsOn | None = None
    ) -> None:
        self.name = name
        self.inside = inside
        self.apart = apart
        self.hangs_on = hangs_on

    def render(self, context: Context) -> Html:
        """Return the element; an empty one where the browser has it, or will ask for it later.
        `apart` from the others only what it asks for then, to take the place of what it has.
        """
        if self.hangs_on is not None:
            return self._hanging(context, self.hangs_on)
        if self.apart:
            return with_attributes(self._element(context), hx_swap_oob="morph")
        if not context.get("apart"):
            return self._element(context, self.name in (context.get("unseen") or ()))
        if self.name not in context["stale"]:
            return EMPTY
        return with_attributes(self._element(context), hx_swap_oob="morph")

    def _hanging(self, context: Context, on: HangsOn) -> Html:
        mark = mark_of(repr((on.value.resolve(context), on.template, get_language())))
        known: dict[str, str] = context.get("parts_known") or {}
        if known.get(self.name) == mark:
            return element(on.tag, id=self.name, data_same=True)
        return with_attributes(self.inside.render(context), data_part=mark)

    def _element(self, context: Context, unseen: bool = False) -> Html:
        known: dict[str, str] = context.get("parts_known") or {}
        same = self.name in (context.get("unchanged") or ()) and self.name in known
        if same or unseen:
            stale = not same or self.name in (context.get("stale") or ())
            return element("section", id=self.name, data_same=True, data_stale=stale)
        written = self.inside.render(context)
        fields = (str(context.get(name, "")) for name in ("form_keys", "form_token", "act_form"))
        return sent(self.name, written, known, fields)
