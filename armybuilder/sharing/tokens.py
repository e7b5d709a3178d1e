"""The secret part of a shared list's address: no table keeps it, it is worked out each time.

What is kept is its hash, by which the link is found: who reads the database cannot open a link.
"""

import base64
import hashlib
from uuid import UUID

from django.utils.crypto import salted_hmac

#: Letters of a token: 256 bits, six to a letter.
TOKEN_LENGTH = 43


def token_of(share_id: UUID) -> str:
    """The token of a link: `TOKEN_LENGTH` letters that may stand in an address."""
    mac = salted_hmac("armybuilder.sharing", share_id.hex, algorithm="sha256")
    return base64.urlsafe_b64encode(mac.digest()).decode().rstrip("=")


def digest_of(token: str) -> str:
    """What the table keeps of a token: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()
