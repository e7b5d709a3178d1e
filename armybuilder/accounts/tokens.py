"""API tokens: shown once, kept as hashes (SHA-256 does for 256 random bits), over after a time."""

import hashlib
import secrets
from datetime import timedelta

from django.conf import settings
from django.utils import timezone

from armybuilder.accounts.models import Token, User
from armybuilder.writable import where_possible

_PREFIX = "ab_"
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
    """Return for how many days a token may be made here; 0 is without an end."""
    return (*DAYS, 0) if settings.TOKENS_WITHOUT_END else DAYS


def make_token(
    user: User, name: str, scope: str = Token.Scope.WRITE, days: int = DAYS[-1]
) -> tuple[Token, str]:
    """Return a new token for this many days (0: no end), and its text, readable only now."""
    raw = _PREFIX + secrets.token_urlsafe(32)
    ends = timezone.now() + timedelta(days=days) if days else None
    token = Token.objects.create(
        user=user, name=name[:MAX_NAME], digest=_digest(raw), scope=scope, ends=ends
    )
    return token, raw


def find_token(raw: str) -> Token | None:
    """Return the token with its user, or None if unknown, revoked, expired, or of a closed account.

    One query, by the hash, so that the time reveals nothing about similar tokens; one more each
    hour.
    """
    if len(raw) != LENGTH or not raw.isascii() or not raw.startswith(_PREFIX):
        return None
    token = Token.objects.select_related("user").filter(digest=_digest(raw)).first()
    if token is None or token.over or not token.user.is_active:
        return None
    now = timezone.now()
    if token.used is None or token.used < now - _USED_EVERY:
        used = Token.objects.filter(pk=token.pk)
        where_possible("when a token was used", lambda: used.update(used=now))
    return token


def _digest(raw: str) -> str:
    return hashlib.sha256(raw.encode()).hexdigest()
