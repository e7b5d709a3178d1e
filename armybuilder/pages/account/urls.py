"""Addresses of accounts: our own pages, and those of allauth's that are reachable, by its names."""

from allauth.account import views as theirs
from django.urls import path, register_converter

from armybuilder.pages.account import views


class Base36:
    """A number as allauth writes it into links, to the basis of 36."""

    regex = "[0-9A-Za-z]+"

    def to_python(self, value: str) -> str:
        return value

    def to_url(self, value: str) -> str:
        return value


register_converter(Base36, "base36")

urlpatterns = [
    path("", views.account, name="account"),
    path("name/", views.name, name="account-name"),
    path("sessions/", views.end_sessions, name="end-sessions"),
    path("tokens/", views.make_token, name="make-token"),
    path("tokens/<int:token_id>/", views.revoke_token, name="revoke-token"),
    path("delete/", views.delete, name="delete-account"),
    path("sign-up/", theirs.signup, name="account_signup"),
    path("sign-in/", theirs.login, name="account_login"),
    path("sign-out/", theirs.logout, name="account_logout"),
    path("closed/", theirs.account_inactive, name="account_inactive"),
    path("confirm/", theirs.reauthenticate, name="account_reauthenticate"),
    path("password/", theirs.password_change, name="account_change_password"),
    path("email/", theirs.email, name="account_email"),
    path("email/<str:key>/", theirs.confirm_email, name="account_confirm_email"),
    path("forgotten/", theirs.password_reset, name="account_reset_password"),
    path("forgotten/sent/", theirs.password_reset_done, name="account_reset_password_done"),
    path(
        "forgotten/done/",
        theirs.password_reset_from_key_done,
        name="account_reset_password_from_key_done",
    ),
    path(
        "forgotten/<base36:uidb36>-<str:key>/",
        theirs.password_reset_from_key,
        name="account_reset_password_from_key",
    ),
]
