"""Template tags that every template has without loading them."""

from django import template
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from armybuilder.scripts import FOLDER, modules_of

register = template.Library()


@register.simple_tag
def page_script(name: str) -> SafeString:
    """Return the element that loads a page's script, after those that have its modules fetched at
    once: else each would wait for the one that imports it.
    """
    script, *imported = (static(FOLDER + module) for module in modules_of(f"{name}.js"))
    links = format_html_join(
        "\n", '<link rel="modulepreload" href="{}">', ((url,) for url in imported)
    )
    return format_html('{}\n<script type="module" src="{}"></script>', links, script)
