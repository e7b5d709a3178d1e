"""The secret part of a shared list's address: random, and kept with the link.

The table keeps it as it is, so that its owner can see the address again whatever becomes of the
server's secret key: who reads the table of links reads that of the lists, too. A link is found by
the hash of its token: how long that takes tells nothing of tokens that are like it.
"""

import hashlib
import secrets

#: Letters of a token: 256 bits, six to a letter.
TOKEN_LENGTH = 43


def new_token() -> str:
    """A token for a new link: `TOKEN_LENGTH` letters that may stand in an address."""
    return secrets.token_urlsafe(32)


def digest_of(token: str) -> str:
    """The hash that a link is found by: 64 hexadecimal digits."""
    return hashlib.sha256(token.encode()).hexdigest()
