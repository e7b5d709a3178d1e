"""API tokens: made once, shown once, kept as hashes.

A token has 256 random bits, so a plain SHA-256 is enough to keep it by: nobody tries them out.
"""

import hashlib
import secrets
from datetime import timedelta

from django.utils import timezone

from armybuilder.accounts.models import Token, User

_PREFIX = "ab_"
_BYTES = 32
#: Letters of a token as it is shown.
LENGTH = len(_PREFIX) + 43
#: Letters of its name, and tokens of one user.
MAX_NAME = 60
MOST = 50
#: How exactly it is remembered when a token was used.
_USED_EVERY = timedelta(hours=1)


def make_token(user: User, name: str) -> tuple[Token, str]:
    """A new token of the user, and the text of it, which is known from nowhere else later on."""
    raw = _PREFIX + secrets.token_urlsafe(_BYTES)
    token = Token.objects.create(user=user, name=name[:MAX_NAME], digest=_digest(raw))
    return token, raw


def user_of(raw: str) -> User | None:
    """Whose token this is; None where it is nobody's, was revoked, or its user may not sign in.

    One query, by the hash: how long it takes tells nothing of tokens that are like it. Once an hour
    one more, which notes that the token is used.
    """
    if len(raw) != LENGTH or not raw.isascii() or not raw.startswith(_PREFIX):
        return None
    token = Token.objects.select_related("user").filter(digest=_digest(raw)).first()
    if token is None or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used is None or token.used < now - _USED_EVERY:
        Token.objects.filter(pk=token.pk).update(used=now)
    return token.user


def _digest(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()
