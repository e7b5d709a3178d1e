"""Where a pack is read, for templates."""

from django import template
from django.urls import reverse

from armybuilder.loading.library import shipped_library

register = template.Library()


@register.filter
def pack_address(key: str) -> str:
    """Return the address of a pack by the key that names it: in the box, or an own one."""
    name = "pack" if key in shipped_library().packs else "own-pack"
    return reverse(name, args=[key])
