"""Template tags that every template has without loading them."""

from django import template
from django.template.base import FilterExpression, Node, Parser, TextNode, Token
from django.template.context import Context
from django.templatetags.static import static

from armybuilder.html import Html, drawing, element, fill, icon, join
from armybuilder.packing import FOLDER, loaded_by

register = template.Library()


class IconNode(Node):
    """An icon whose name is known only when the page is drawn."""

    def __init__(self, arguments: list[FilterExpression]) -> None:
        self.arguments = arguments

    def render(self, context: Context) -> Html:
        return icon(*(str(argument.resolve(context)) for argument in self.arguments))


@register.tag("icon")
def icon_tag(parser: Parser, token: Token) -> Node:
    """Draw an icon: {% icon "plus" %}, {% icon report|sign %}, {% icon report|sign "unit-arrow" %}.

    See `armybuilder.html.icon`. One that is the same in every page costs nothing when it is drawn.
    """
    arguments = [parser.compile_filter(bit) for bit in token.split_contents()[1:]]
    if len(arguments) not in (1, 2):
        raise template.TemplateSyntaxError("icon takes a name, and a class if need be")
    node = IconNode(arguments)
    fixed = not any(argument.is_var or argument.filters for argument in arguments)
    return TextNode(node.render(Context())) if fixed else node


@register.simple_tag
def page_script(name: str) -> Html:
    """Return the element that loads a page's script, after those that fetch its modules at once.

    Else each would wait for the one that imports it.
    """
    script, *imported = (static(FOLDER + module) for module in loaded_by(name))
    links = (fill('<link rel="modulepreload" href="{}">\n', url) for url in imported)
    return join([*links, element("script", type="module", src=script)])


register.simple_tag(drawing)
