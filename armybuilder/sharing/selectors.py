"""Queries of links: those of a list, the one of a URL, frozen copies and their verdicts.

The secret part of a link's URL, its token, is random and stored unhashed, so that its owner can see
the URL again even if the server's secret key changes: a reader of the table of links can read the
lists, too. A link is found by the hash of its token, so that the time reveals nothing about similar
tokens.
"""

import hashlib
from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.urls import reverse

from armybuilder.sharing.models import Frozen, Share

#: Letters of a token: 256 bits, six to a letter.
TOKEN_LENGTH = 43


def digest_of(token: str) -> str:
    """Return the hash that a link is found by: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_of(request: HttpRequest, link: Share) -> str:
    """Return the whole address of a link, to give away; "" where it is not known here any more."""
    if not link.token:
        return ""
    return request.build_absolute_uri(reverse("shared-list", args=[link.token]))


def links_of(list_id: UUID) -> QuerySet[Share]:
    """Return the links of a list, the latest first, each with its copy's name and time only."""
    shares = Share.objects.filter(army_list_id=list_id).select_related("frozen")
    return shares.defer("frozen__document", "frozen__report").order_by("-created", "id")


def find_link(token: str) -> Share | None:
    """Return the link of an address, with list and copy.

    None for an unknown or revoked token, and if the list is deleted and not frozen.
    """
    if len(token) != TOKEN_LENGTH:
        return None
    return current_links().filter(digest=digest_of(token)).first()


def current_links() -> QuerySet[Share]:
    """Return the links that show something, with list, copy, and facts about the picture."""
    links = Share.objects.select_related("army_list", "frozen", "picture").defer("picture__png")
    return links.filter(Q(army_list__deleted__isnull=True) | Q(frozen__isnull=False))


def lasting_links(links: Iterable[Share]) -> dict[str, Share]:
    """Return by view the oldest known link that always shows the current list.

    `links` are those of a list, the latest first.
    """
    return {link.view: link for link in links if link.frozen_id is None and link.token}


def frozen_link(list_id: UUID, frozen_hash: str, view: str) -> Share | None:
    """Return the first link with a known address that shows a copy of this hash in this view."""
    links = Share.objects.filter(army_list_id=list_id, frozen__hash=frozen_hash, view=view)
    links = links.exclude(token="")
    return links.order_by("created", "id").first()


def find_frozen(holder: str, key: str) -> Frozen | None:
    """Return a frozen copy by its id, or the first by its hash, for the holder of a linked list.

    For nobody else: a person who knows a list's hash must not learn that there is such a copy.
    """
    if not holder:
        return None
    mine = Frozen.objects.filter(shares__army_list__holder=holder)
    return mine.filter(Q(pk=key) | Q(hash=key)).order_by("made", "pk").first()


def frozen_data(frozen: Frozen) -> dict[str, Any]:
    """Return a frozen copy with its report, as JSON-ready data."""
    return {
        "id": frozen.pk,
        "hash": frozen.hash,
        "salt": frozen.salt,
        "seal": frozen.seal,
        "made": frozen.made.isoformat(),
        "engine": frozen.engine,
        "revisions": frozen.revisions,
        "report": frozen.report,
        "document": frozen.content.to_dict(),
    }
