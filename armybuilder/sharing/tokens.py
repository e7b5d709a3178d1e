"""The address of a shared list: its secret part is worked out each time, no table keeps it."""

import base64
import hashlib
from uuid import UUID

from django.http import HttpRequest
from django.urls import reverse
from django.utils.crypto import salted_hmac

from armybuilder.sharing.models import Share

#: Letters of a token: 256 bits, six to a letter.
TOKEN_LENGTH = 43


def token_of(share_id: UUID) -> str:
    """Return the token of a link: `TOKEN_LENGTH` letters that may stand in an address."""
    mac = salted_hmac("armybuilder.sharing", share_id.hex, algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def digest_of(token: str) -> str:
    """Return what the table keeps of a token: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()


def address_of(request: HttpRequest, link: Share) -> str:
    """Return the whole address of a link, to give away."""
    return request.build_absolute_uri(reverse("shared-list", args=[token_of(link.pk)]))
