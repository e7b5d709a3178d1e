"""The tag around a part of the builder's page that is not sent where the browser has it."""

from django import template
from django.template.base import NodeList, Parser, Token
from django.template.context import Context

from armybuilder.html import EMPTY, Html, element, with_attributes
from armybuilder.pages.builder.parts import sent

register = template.Library()


@register.tag
def part(parser: Parser, token: Token) -> "PartNode":
    """`{% part id %}…{% endpart %}` around an element with that id; with `apart` behind the id, it
    takes the place of the one on the page, wherever that stands.
    """
    __, name, *how = token.split_contents()
    inside = parser.parse(("endpart",))
    parser.delete_first_token()
    return PartNode(name, inside, how == ["apart"])


class PartNode(template.Node):
    """An element that is sent where the browser has another."""

    def __init__(self, name: str, inside: NodeList, apart: bool) -> None:
        self.name = name
        self.inside = inside
        self.apart = apart

    def render(self, context: Context) -> Html:
        """Return the element; an empty one where the browser has it, or will ask for it later.
        `apart` from the others only what it asks for then, to take the place of what it has.
        """
        if self.apart:
            return with_attributes(self._element(context), hx_swap_oob="morph")
        if not context.get("apart"):
            return self._element(context, self.name in (context.get("unseen") or ()))
        if self.name not in context["stale"]:
            return EMPTY
        return with_attributes(self._element(context), hx_swap_oob="morph")

    def _element(self, context: Context, unseen: bool = False) -> Html:
        known: dict[str, str] = context.get("parts_known") or {}
        same = self.name in (context.get("unchanged") or ()) and self.name in known
        if same or unseen:
            stale = not same or self.name in (context.get("stale") or ())
            return element("section", id=self.name, data_same=True, data_stale=stale)
        written = self.inside.render(context)
        fields = (str(context.get(name, "")) for name in ("form_keys", "form_token", "act_form"))
        return sent(self.name, written, known, fields)
