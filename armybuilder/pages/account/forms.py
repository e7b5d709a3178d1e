"""Forms around accounts: allauth's, in our words, and one for another user name."""

from typing import TYPE_CHECKING, Any

from allauth.account import forms as theirs
from allauth.account.adapter import get_adapter
from django import forms
from django.utils.translation import gettext_lazy as _

from armybuilder.accounts.adapter import NAME_HELP, name_validators
from armybuilder.accounts.models import User

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_PASSWORD_HELP = _("At least 8 letters or digits, and not a common password.")
#: What each field is called, and what is told below it.
_WORDS: dict[str, tuple["StrOrPromise", "StrOrPromise"]] = {
    "login": (_("Username or email"), ""),
    "username": (_("Username"), NAME_HELP),
    "email": (_("Email"), ""),
    "password": (_("Password"), ""),
    "oldpassword": (_("Current password"), ""),
    "remember": (
        _("Stay signed in"),
        _("Not on a shared device. Otherwise you are signed out when the browser closes."),
    ),
    "password1": (_("New password"), _PASSWORD_HELP),
    "password2": (_("Repeat password"), ""),
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
            _("Email"),
            _("Only used to reset your password. Without it, we can’t."),
        ),
        "password1": (_("Password"), _PASSWORD_HELP),
    }


class EmailForm(InOurWords, theirs.AddEmailForm):
    words = {"email": (_("New email"), "")}


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
