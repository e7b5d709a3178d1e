"""Signing in and out, other names, and the end of an account; which sessions end with that."""

from datetime import datetime
from typing import Any

from allauth.account.signals import password_changed, password_reset
from django.conf import settings
from django.contrib.auth import logout
from django.contrib.auth.signals import user_logged_in, user_logged_out
from django.contrib.messages import info
from django.contrib.sessions.models import Session
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.db.models.signals import post_save
from django.dispatch import receiver
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.holders import hold_as, holder_of, leaving, moved
from armybuilder.accounts.models import SignIn, User

#: Where the session keeps the name of who is signed in.
_NAME = "user_name"


@receiver(user_logged_in)
def settle_in(request: HttpRequest, user: User, **_signal: Any) -> None:
    """Make the account the browser's holder, and move its lists and books there."""
    old = holder_of(request)
    with transaction.atomic():
        # The browser's data move to the account, unless another account holds them.
        free = old and not User.objects.filter(holder=old).exists()
        if free and any(count for _, count in moved.send(User, old=old, new=user.holder)):
            sentence = _("What you made in this browser is now in your account.")
            info(request, sentence, fail_silently=True)
        hold_as(request, user.holder)
        remember_name(request, user)
        request.session.set_expiry(0)  # with the browser, unless the form is asked for more
        _note_sign_in(request, user)


def remember_name(request: HttpRequest, user: User) -> None:
    """Let pages say who is signed in."""
    request.session[_NAME] = user.get_username()


def _note_sign_in(request: HttpRequest, user: User) -> None:
    if request.session.session_key is None:
        request.session.create()
    key = request.session.session_key
    SignIn.objects.update_or_create(session_key=key, defaults={"user": user})


@receiver(user_logged_out)
def forget_sign_in(request: HttpRequest, user: User | None, **_signal: Any) -> None:
    """Forget the session's sign-in as the session ends."""
    SignIn.objects.filter(session_key=request.session.session_key).delete()


@receiver(password_changed)
def end_others(request: HttpRequest, user: User, **_signal: Any) -> int:
    """End the user's sessions in other browsers, and all tokens; return how many sessions.

    Who knew the old password, or sat at another browser, could make tokens. Pages go by the
    session's holder and do not ask for the user, so it must be done here.
    """
    user.tokens.all().delete()
    ended = _end(user, but=request.session.session_key)
    # A new password gives the session another key.
    _note_sign_in(request, user)
    return ended


@receiver(password_reset)
def end_all(request: HttpRequest, user: User, **_signal: Any) -> None:
    """End all sessions and tokens of the user, whose old password may be known to others."""
    user.tokens.all().delete()
    if SignIn.objects.filter(user=user, session_key=request.session.session_key).exists():
        request.session.flush()
    _end(user)


@receiver(post_save, sender=User)
def end_where_closed(instance: User, **_signal: Any) -> None:
    """End the sessions of an account that is closed."""
    if not instance.is_active:
        _end(instance)


def _end(user: User, but: str | None = None) -> int:
    """End the user's sessions, but for that one; how many there were."""
    sign_ins = SignIn.objects.filter(user=user)
    keys = list(sign_ins.exclude(session_key=but).values_list("session_key", flat=True))
    ended = Session.objects.filter(session_key__in=keys).delete()[0]
    sign_ins.filter(session_key__in=keys).delete()
    return int(ended)


def others_of(request: HttpRequest, user: User) -> int:
    """In how many other browsers the user is signed in."""
    keys = SignIn.objects.filter(user=user).values("session_key")
    there = Session.objects.filter(session_key__in=keys, expire_date__gt=timezone.now())
    return there.exclude(session_key=request.session.session_key).count()


def over_sign_ins(now: datetime) -> QuerySet[SignIn]:
    there = Session.objects.filter(expire_date__gt=now, session_key=OuterRef("session_key"))
    return SignIn.objects.exclude(Exists(there))


def forget_attempts(now: datetime) -> None:
    """Remove attempts, since they name addresses of browsers.

    Caches other than the database expire by themselves.
    """
    if not settings.CACHES["default"]["BACKEND"].endswith(".DatabaseCache"):
        return
    table = connection.ops.quote_name(settings.CACHES["default"]["LOCATION"])
    over = connection.ops.adapt_datetimefield_value(now.replace(microsecond=0))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {table} WHERE expires < %s", [over])  # noqa: S608 - a setting


def rename(request: HttpRequest, user: User, name: str) -> None:
    """Give the user another name, which `forms.NameForm` has checked."""
    user.username = name
    user.save(update_fields=["username"])
    remember_name(request, user)


def delete_account(request: HttpRequest, user: User) -> None:
    """Delete the account with everything that is the user's, and sign out everywhere."""
    with transaction.atomic():
        leaving.send(User, holder=user.holder)
        end_others(request, user)
        logout(request)
        user.delete()
