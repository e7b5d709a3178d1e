"""What may be removed: sign-ins whose session is over, and attempts that no longer count."""

from datetime import datetime

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection

from armybuilder.accounts.models import SignIn


def forget_sign_ins(now: datetime) -> None:
    """Remove them. Attempts name the addresses of browsers, so none stays without need."""
    there = Session.objects.filter(expire_date__gt=now)
    SignIn.objects.exclude(session_key__in=there.values("session_key")).delete()
    if settings.CACHES["default"]["BACKEND"].endswith(".DatabaseCache"):
        _forget_attempts(now)


def _forget_attempts(now: datetime) -> None:
    """What the cache's table keeps though its time is over. Other caches forget by themselves."""
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    over = connection.ops.adapt_datetimefield_value(now.replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [over])  # noqa: S608 - a setting
