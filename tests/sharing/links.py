"""Links as tests make them, by the form of the page."""

from typing import Any

from armybuilder.sharing.models import Share


def make_link(builder: Any, **fields: str) -> Share:
    """Press the button of the page of links of a `tests.conftest.Builder`."""
    known = set(Share.objects.values_list("pk", flat=True))
    answer = builder.client.post(f"{builder.url}share/make/", fields)
    assert answer.status_code == 302, answer.text
    return Share.objects.select_related("frozen", "army_list").exclude(pk__in=known).get()


def path_of(link: Share) -> str:
    """Return the path of a link's address."""
    return f"/shared/{link.token}/"
