"""Hooks for django-allauth: taken names, sentences, redirects and mail."""

import logging
import secrets
import unicodedata
from collections.abc import Callable
from smtplib import SMTPException
from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from allauth.core import ratelimit
from django.conf import settings
from django.contrib.messages import error
from django.core import signing
from django.core.exceptions import ValidationError
from django.core.validators import RegexValidator
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from armybuilder.accounts.models import User
from armybuilder.engine.wording import marked
from armybuilder.incoming import network_of

logger = logging.getLogger(__name__)
#: Which of ACCOUNT_RATE_LIMITS counts wrong passwords: those of a browser in which somebody has
#: signed in before; those for a name from all others; and those of a network for a name with more.
BY_DEVICE, BY_NAME, GUESSED_AT = (
    f"login_failed_{kind}" for kind in ("by_device", "by_name", "guessed_at")
)
#: Sentences of the packages that sign people in, which our own translations say better: what stands
#: in our files goes before theirs.
OURS = (
    marked("You must type the same password each time."),
    marked("This password is entirely numeric."),
)
#: Valid usernames: none that looks like another's.
NAME_HELP = _("Letters, digits and . + - _.")

#: Alphabets that one name may hold beside each other, as their languages do (Unicode's UTS 39,
#: "highly restrictive").
_TOGETHER = (
    {"LATIN", "CJK", "HIRAGANA", "KATAKANA"},
    {"LATIN", "CJK", "BOPOMOFO"},
    {"LATIN", "CJK", "HANGUL"},
)


def _of_one_alphabet(name: str) -> None:
    """Raise ValidationError for "аlice" with a Cyrillic а, and for 𝐚, another shape of a letter."""
    alphabets = {
        unicodedata.name(letter, "?").replace("-", " ").split()[0]
        for letter in name
        if letter.isalnum() and not (letter.isascii() and letter.isdigit())
    }
    alike = unicodedata.normalize("NFKC", name) == name
    if not alike or not (len(alphabets) < 2 or any(alphabets <= some for some in _TOGETHER)):
        raise ValidationError(_("Use letters of one alphabet only."), "alphabets")


#: Asked of every new name. Without an @, none looks like another's e-mail address.
name_validators: list[Callable[[str], None]] = [
    RegexValidator(
        r"^[\w.+-]+\Z", _("A name may have letters, digits and . + - _ only."), "invalid"
    ),
    _of_one_alphabet,
]


class Adapter(DefaultAccountAdapter):
    """allauth's, with our sentences."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("That is already your email."),
        "email_password_mismatch": _("Wrong email or password."),
        "email_taken": _("There is already an account with that email."),
        "enter_current_password": _("That is not your current password."),
        "incorrect_password": _("That is not your password."),
        "rate_limited": _("Too many attempts. Wait a moment, then try again."),
        "too_many_login_attempts": _("Too many attempts. Wait five minutes, then try again."),
        "username_blacklisted": _("That name is not available. Please choose another."),
        "username_password_mismatch": _("Wrong username or password."),
        "username_taken": _("That name is taken. Please choose another."),
    }

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return the key by which wrong passwords are counted: the name and the network."""
        # allauth's is the name and the Host that the browser says.
        return f"{network_of(request.META)} {_name_in(credentials)}"

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count an attempt. Raises ValidationError after too many.

        A browser in which the user has signed in before has its own count; all others share their
        network's, which allows fewer for a name that many networks guess at.
        """
        name = _name_in(credentials)
        device = device_of(request, name)
        # Those of a browser, and further ones at a name, count where the password is wrong.
        self.counted = [(BY_DEVICE, device)] if device else []
        if device and ratelimit.consume(request, action=BY_DEVICE, key=device, dry_run=True):
            return
        super().pre_authenticate(request, **credentials)
        key = self._get_login_attempts_cache_key(request, **credentials)
        self.counted = [(BY_NAME, name)]
        if not ratelimit.consume(request, action=BY_NAME, key=name, dry_run=True):
            self.counted.append((GUESSED_AT, key))
            if not ratelimit.consume(request, action=GUESSED_AT, key=key, dry_run=True):
                raise self.validation_error("too_many_login_attempts")

    def authentication_failed(self, request: HttpRequest, **credentials: Any) -> None:
        for action, key in self.counted:
            ratelimit.consume(request, action=action, key=key)

    def _delete_login_attempts_cached_email(self, request: HttpRequest, **credentials: Any) -> None:
        super()._delete_login_attempts_cached_email(request, **credentials)
        ratelimit.clear(request, action=BY_NAME, key=_name_in(credentials))

    def post_login(self, request: HttpRequest, user: Any, **more: Any) -> HttpResponse:
        """Answer a sign-in; the browser is known from now on."""
        response: HttpResponse = super().post_login(request, user, **more)
        remember_device(response, user)
        return response

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send a mail; if that fails, inform the user and the log, and carry on."""
        try:
            super().send_mail(template_prefix, email, context)
        except (SMTPException, OSError):
            logger.exception("a mail could not be sent: %s", template_prefix)
            error(self.request, _("The email could not be sent. Please try again later."))
            self.request.mail_failed = True

    def add_message(
        self,
        request: HttpRequest,
        level: int,
        message_template: str | None = None,
        *more: Any,
        **named: Any,
    ) -> None:
        """Add a message, but none about a mail that could not be sent."""
        sent = message_template == "account/messages/email_confirmation_sent.txt"
        if not (sent and getattr(request, "mail_failed", False)):
            super().add_message(request, level, message_template, *more, **named)

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        return reverse("account")

    def get_email_verification_redirect_url(self, email_address: object) -> str:
        return reverse("account")  # it asks to sign in where nobody is


def _name_in(credentials: dict[str, Any]) -> str:
    return str(credentials.get("email", credentials.get("username", ""))).lower()


#: Names an account and a browser in which it was signed in to, as OWASP's "device cookies" do: it
#: opens nothing.
DEVICE = "device"
#: Seconds for which a browser is remembered.
_LIFE = 400 * 24 * 3600


def remember_device(response: HttpResponse, user: User) -> None:
    """Let the browser say from now on that this user has signed in there."""
    response.set_cookie(
        DEVICE,
        signing.dumps([user.pk, secrets.token_hex(12)], salt=DEVICE),
        max_age=_LIFE,
        path="/account/",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
        samesite="Lax",
    )


def device_of(request: HttpRequest, login: str) -> str:
    """Return the browser's mark if the owner of this name or email has signed in there."""
    try:
        key, mark = signing.loads(request.COOKIES.get(DEVICE, ""), salt=DEVICE)
    except (signing.BadSignature, ValueError, TypeError):
        return ""
    user = User.objects.filter(pk=key).only("username", "email").first()
    known = user is not None and login in (user.username.lower(), user.email.lower())
    return f"{key} {mark}" if known else ""
