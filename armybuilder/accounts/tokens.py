"""API tokens: made once, shown once, kept as hashes, and over after some time.

A token has 256 random bits, so a plain SHA-256 is enough to keep it by: nobody tries them out.
"""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from armybuilder.accounts.models import Token, User

_PREFIX = "ab_"
_BYTES = 32
#: Letters of a token as it is shown.
LENGTH = len(_PREFIX) + 43
#: Letters of its name, and tokens of one user.
MAX_NAME = 60
MOST = 50
#: For how many days a token may be made; 0, where the settings allow it, without an end.
DAYS = (30, 90, 365)
#: How exactly it is remembered when a token was used.
_USED_EVERY = timedelta(hours=1)


def days_offered() -> tuple[int, ...]:
    """For how many days a token may be made here; 0 is without an end."""
    return (*DAYS, 0) if settings.TOKENS_WITHOUT_END else DAYS


def make_token(
    user: User, name: str, scope: str = Token.Scope.WRITE, days: int = DAYS[-1]
) -> tuple[Token, str]:
    """A new token of the user for so many days (0: without an end), and the text of it, which is
    known from nowhere else later on.
    """
    raw = _PREFIX + secrets.token_urlsafe(_BYTES)
    ends = timezone.now() + timedelta(days=days) if days else None
    token = Token.objects.create(
        user=user, name=name[:MAX_NAME], digest=_digest(raw), scope=scope, ends=ends
    )
    return token, raw


def find_token(raw: str) -> Token | None:
    """The token with its user; None where it is nobody's, was revoked, is over, or its user may not
    sign in.

    One query, by the hash: how long it takes tells nothing of tokens that are like it. Once an hour
    one more, which notes that the token is used.
    """
    if len(raw) != LENGTH or not raw.isascii() or not raw.startswith(_PREFIX):
        return None
    token = Token.objects.select_related("user").filter(digest=_digest(raw)).first()
    if token is None or token.over or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used is None or token.used < now - _USED_EVERY:
        Token.objects.filter(pk=token.pk).update(used=now)
    return token


def _digest(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()
