"""What may be removed: sign-ins whose session is over, and attempts that no longer count."""

from datetime import datetime

from django.conf import settings
from django.contrib.sessions.models import Session
from django.db import connection
from django.db.models import Exists, OuterRef, QuerySet

from armybuilder.accounts.models import SignIn


def over_sign_ins(now: datetime) -> QuerySet[SignIn]:
    """The sign-ins whose session is over."""
    there = Session.objects.filter(expire_date__gt=now, session_key=OuterRef("session_key"))
    return SignIn.objects.exclude(Exists(there))


def forget_attempts(now: datetime) -> None:
    """Remove attempts: they name the addresses of browsers, so none stays without need. Other
    caches than the database forget by themselves.
    """
    if "DatabaseCache" not in settings.CACHES["default"]["BACKEND"]:
        return
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    over = connection.ops.adapt_datetimefield_value(now.replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [over])  # noqa: S608 - a setting
