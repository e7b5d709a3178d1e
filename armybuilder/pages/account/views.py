"""The account page and its actions; signing in, passwords and mail are allauth's."""

from allauth.account.decorators import reauthentication_required
from allauth.account.models import EmailAddress
from allauth.decorators import rate_limit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from armybuilder.accounts import tokens
from armybuilder.accounts.models import Token
from armybuilder.accounts.signing import delete_account, end_others, others_of, rename
from armybuilder.events.leaving import fates_of
from armybuilder.events.models import Entry
from armybuilder.packs.selectors import own_packs
from armybuilder.pages.account.forms import ConfirmForm, NameForm
from armybuilder.requests import SignedInRequest


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
