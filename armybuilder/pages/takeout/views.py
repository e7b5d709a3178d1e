"""All my data: how much there is, all of it as one file, and such a file brought in."""

from django.contrib.humanize.templatetags.humanize import intcomma
from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of, make_holder
from armybuilder.books.models import OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.packs.models import OwnPack
from armybuilder.pages.answers import fresh
from armybuilder.playing.models import Match
from armybuilder.printing.models import PrintSetup
from armybuilder.sharing.models import Share
from armybuilder.takeout.exporting import everything_of
from armybuilder.takeout.facts import LIMITS
from armybuilder.takeout.reading import Brought, bring_in

#: Where the session keeps what was brought in, until the page has said it; and how many files that
#: were refused it names.
_BROUGHT = "data_brought"
MOST_REFUSED = 100


@fresh
def my_data(request: HttpRequest) -> HttpResponse:
    """Show the amount of data of this browser or account, and its export."""
    context = {
        "numbers": _numbers(holder_of(request)),
        "brought": request.session.pop(_BROUGHT, None),
        "most": LIMITS.size >> 20,
    }
    return render(request, "takeout/everything.html", context)


def _numbers(holder: str) -> list[tuple[str, str]]:
    """Return the numbers of the holder's data, with names; nothing for a holder of ""."""
    if not holder:
        return []
    lists = ArmyList.objects.filter(holder=holder)
    counted = (
        (_("Lists"), lists),
        (_("Versions of lists"), Version.objects.filter(army_list__holder=holder)),
        (_("Custom books"), OwnBook.objects.filter(holder=holder)),
        (_("Event packs"), OwnPack.objects.filter(holder=holder)),
        (_("Matches"), Match.objects.filter(holder=holder)),
        (_("Units in collections"), OwnedUnit.objects.filter(holder=holder)),
        (_("Print presets"), PrintSetup.objects.filter(holder=holder)),
        (_("Links to lists"), Share.objects.filter(army_list__holder=holder)),
    )
    return [(name, intcomma(rows.count())) for name, rows in counted]


@fresh
def save_data(request: HttpRequest) -> StreamingHttpResponse:
    """All of it as one zip, sent while it is written."""
    now = timezone.now()
    name = f"army-builder-{timezone.localdate(now).isoformat()}.zip"
    headers = {"Content-Disposition": content_disposition_header(True, name) or ""}
    content = everything_of(holder_of(request), now)
    return StreamingHttpResponse(content, content_type="application/zip", headers=headers)


@require_POST
def open_data(request: HttpRequest) -> HttpResponse:
    """Import such a zip. Raises Refusal where it is none."""
    file = request.FILES.get("file")
    if file is None or isinstance(file, list):
        raise Refusal(_("Choose a file first: the .zip with all your data that you saved here."))
    brought = bring_in(make_holder(request), file, shipped_library())
    more = len(brought.refused) - MOST_REFUSED
    request.session[_BROUGHT] = {
        "said": _said(brought),
        "unfinished": brought.unfinished,
        "refused": brought.refused[:MOST_REFUSED],
        "more": max(0, more),
    }
    return redirect("my-data")


def _said(brought: Brought) -> list[str]:
    """Return the result of a takeout's import, in sentences."""
    new = brought.new
    words = (
        ("lists", ngettext("{number} new list.", "{number} new lists.", new["lists"])),
        ("books", ngettext("{number} new book.", "{number} new books.", new["books"])),
        (
            "setups",
            ngettext("{number} new print preset.", "{number} new print presets.", new["setups"]),
        ),
        (
            "games",
            ngettext("{number} new custom game.", "{number} new custom games.", new["games"]),
        ),
        (
            "matches",
            ngettext("{number} new match.", "{number} new matches.", new["matches"]),
        ),
        (
            "owned",
            ngettext(
                "{number} new unit of a collection.",
                "{number} new units of collections.",
                new["owned"],
            ),
        ),
        ("packs", ngettext("{number} new pack.", "{number} new packs.", new["packs"])),
    )
    sentences = [text.format(number=new[kind]) for kind, text in words if new[kind]]
    if brought.here:
        text = ngettext(
            "{number} item was already here and stays as it is.",
            "{number} items were already here and stay as they are.",
            brought.here,
        )
        sentences.append(text.format(number=brought.here))
    return sentences or [_("Nothing was imported.")]
