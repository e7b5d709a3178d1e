"""The account page and its actions; signing in, passwords and mail are allauth's."""

from typing import TYPE_CHECKING, Any

from allauth.account import forms as theirs
from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.decorators import rate_limit
from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts import tokens
from armybuilder.accounts.adapter import NAME_HELP, name_validators
from armybuilder.accounts.models import Token, User
from armybuilder.accounts.signing import delete_account, end_others, others_of, rename
from armybuilder.events.leaving import fates_of
from armybuilder.events.models import Entry
from armybuilder.packs.selectors import own_packs
from armybuilder.requests import SignedInRequest

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_PASSWORD_HELP = gettext_lazy("At least 8 letters or digits, and not a common password.")
#: The label of each field, and the help below it.
_WORDS: dict[str, tuple["StrOrPromise", "StrOrPromise"]] = {
    "login": (gettext_lazy("Username or email"), ""),
    "username": (gettext_lazy("Username"), NAME_HELP),
    "email": (gettext_lazy("Email"), ""),
    "password": (gettext_lazy("Password"), ""),
    "oldpassword": (gettext_lazy("Current password"), ""),
    "remember": (
        gettext_lazy("Stay signed in"),
        gettext_lazy(
            "Not on a shared device. Otherwise you are signed out when the browser closes."
        ),
    ),
    "password1": (gettext_lazy("New password"), _PASSWORD_HELP),
    "password2": (gettext_lazy("Repeat password"), ""),
}


class InOurWords:
    """A form with our usual labels, the first field in focus."""

    fields: dict[str, forms.Field]
    #: What of those words is said otherwise.
    words: dict[str, tuple["StrOrPromise", "StrOrPromise"]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():
            field.label, field.help_text = (_WORDS | self.words)[name]
            field.widget.attrs.pop("placeholder", None)
        next(iter(self.fields.values())).widget.attrs["autofocus"] = True


class SignInForm(InOurWords, theirs.LoginForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs["autocomplete"] = "username"


class SignUpForm(InOurWords, theirs.SignupForm):
    words = {
        "email": (
            gettext_lazy("Email"),
            gettext_lazy("Only used to reset your password. Without it, we can’t."),
        ),
        "password1": (gettext_lazy("Password"), _PASSWORD_HELP),
    }


class EmailForm(InOurWords, theirs.AddEmailForm):
    words = {"email": (gettext_lazy("New email"), "")}


class PasswordForm(InOurWords, theirs.ChangePasswordForm):
    """Another password."""


class ForgottenForm(InOurWords, theirs.ResetPasswordForm):
    """Email address for the link that sets a new password."""


class NewPasswordForm(InOurWords, theirs.ResetPasswordKeyForm):
    """A new password in place of a forgotten one."""


class ConfirmForm(InOurWords, theirs.ReauthenticateForm):
    """The password once more, before something that matters."""


class NameForm(InOurWords, forms.Form):
    username = forms.CharField(max_length=150)

    def __init__(self, *args: Any, user: User, **kwargs: Any) -> None:
        self.user = user
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs["autocomplete"] = "username"

    def clean_username(self) -> str:
        """Return a name that nobody else has; one's own may change in case."""
        name = str(self.cleaned_data["username"])
        if name.casefold() == self.user.username.casefold():
            for validator in name_validators:
                validator(name)
            return name
        return str(get_adapter().clean_username(name))


@require_safe
@never_cache
@login_required
def account(request: SignedInRequest) -> HttpResponse:
    """Name, e-mail, password, tokens, and the way out."""
    return render(request, "account/account.html", _about(request))


def _about(request: SignedInRequest) -> dict[str, object]:
    user = request.user
    return {
        "email": EmailAddress.objects.filter(user=user).order_by("-verified", "-pk").first(),
        "others": others_of(request, user),
        "tokens": user.tokens.order_by("-created", "-pk"),
        "max_name": tokens.MAX_NAME,
        "days": [(days, days == tokens.DAYS[1]) for days in tokens.days_offered()],
    }


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
def name(request: SignedInRequest) -> HttpResponse:
    given = request.POST if request.method == "POST" else None
    form = NameForm(given, user=request.user, initial={"username": request.user.username})
    if form.is_valid():
        rename(request, request.user, form.cleaned_data["username"])
        messages.success(request, _("Your name has been changed."))
        return redirect("account")
    return render(request, "account/name.html", {"form": form})


@require_POST
@login_required
def end_sessions(request: SignedInRequest) -> HttpResponse:
    """Sign out in all other browsers, and end all tokens."""
    ended = request.user.tokens.count()
    number = end_others(request, request.user)
    sentence = ngettext(
        "Signed out in {number} browser.", "Signed out in {number} browsers.", number
    )
    messages.success(request, sentence.format(number=number))
    if ended:
        sentence = ngettext(
            "{number} token has been revoked.", "{number} tokens have been revoked.", ended
        )
        messages.success(request, sentence.format(number=ended))
    return redirect("account")


@require_POST
@never_cache
@login_required
@reauthentication_required
def make_token(request: SignedInRequest) -> HttpResponse:
    """Make a token, once the password was confirmed, and show it: in this answer alone."""
    name = " ".join(request.POST.get("name", "").split())
    scope, days = request.POST.get("scope", ""), request.POST.get("days", "")
    about = _about(request)
    if not name or len(name) > tokens.MAX_NAME:
        sentence = _("A token needs a name of at most {most} characters.")
        about["refused"] = sentence.format(most=tokens.MAX_NAME)
    elif request.user.tokens.count() >= tokens.MOST:
        sentence = _("You already have {most} tokens: revoke one first.")
        about["refused"] = sentence.format(most=tokens.MOST)
    elif scope not in Token.Scope.values or days not in map(str, tokens.days_offered()):
        about["refused"] = _("Choose what the token may do, and for how long.")
    else:
        about["made"], about["raw"] = tokens.make_token(request.user, name, scope, int(days))
    about["token_name"] = name if "refused" in about else ""
    return render(request, "account/account.html", about, status=422 if "refused" in about else 200)


@require_POST
@login_required
def revoke_token(request: SignedInRequest, token_id: int) -> HttpResponse:
    """Revoke one's own token; a missing one is ignored."""
    token = request.user.tokens.filter(pk=token_id).first()
    if token is not None:
        token.delete()
        messages.success(request, _("The token “{name}” no longer works.").format(name=token.name))
    return redirect("account")


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@rate_limit(action="reauthenticate")  # type: ignore[untyped-decorator]  # allauth has no types
def delete(request: SignedInRequest) -> HttpResponse:
    """Delete the account with all data, by password."""
    form = ConfirmForm(request.POST if request.method == "POST" else None, user=request.user)
    if form.is_valid():
        delete_account(request, request.user)
        messages.success(request, _("Your account and everything in it has been deleted."))
        return redirect("home")
    holder = request.user.holder
    context = {
        "form": form,
        "events": list(fates_of(holder, timezone.now())),
        "packs": own_packs(holder).count(),
        "entries": Entry.objects.filter(holder=holder, main=None).count(),
    }
    return render(request, "account/delete.html", context)
