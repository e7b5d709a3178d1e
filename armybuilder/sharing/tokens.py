"""The address of a shared list: its secret part is random, and kept with the link.

The table keeps it as it is, so that its owner can see the address again whatever becomes of the
server's secret key: who reads the table of links reads that of the lists, too. A link is found by
the hash of its token, so that the time tells nothing of like tokens.
"""

import hashlib
import secrets

from django.http import HttpRequest
from django.urls import reverse

from armybuilder.sharing.models import Share

#: Letters of a token: 256 bits, six to a letter.
TOKEN_LENGTH = 43


def new_token() -> str:
    """Return a token for a new link: `TOKEN_LENGTH` letters that may stand in an address."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """Return the hash that a link is found by: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_of(request: HttpRequest, link: Share) -> str:
    """Return the whole address of a link, to give away; "" where it is not known here any more."""
    if not link.token:
        return ""
    return request.build_absolute_uri(reverse("shared-list", args=[link.token]))
