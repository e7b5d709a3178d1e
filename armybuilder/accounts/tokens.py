"""API tokens: made once, shown once, kept as hashes (SHA-256 is enough for 256 random bits)."""

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
    """Return whose token this is; None for nobody's, a revoked one, and a closed account.

    One query, by the hash, so that the time tells nothing of like tokens; one more each hour.
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
