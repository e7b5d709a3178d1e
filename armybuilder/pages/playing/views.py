"""Play at the table: one list or two on one page, with all that they need in it."""

import re
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.middleware.csrf import get_token
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from armybuilder.accounts.holders import holder_of
from armybuilder.lists.selectors import current_version, recent_lists
from armybuilder.loading.jsontext import parse_json
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.answers import fresh
from armybuilder.pages.playing.matches import new_form, own_side
from armybuilder.playing.keeping import (
    MAX_GAME,
    MAX_KEY,
    MAX_NUMBER,
    GameConflict,
    keep_game,
    kept_game,
)
from armybuilder.sharing.selectors import TOKEN_LENGTH, digest_of, find_link
from armybuilder.sharing.shared_lists import SharedList
from armybuilder.sheets.content.play import Data, play_side

#: Own lists offered as the second one.
MOST_OFFERED = 40
#: Letters of a link's hash in the key of a game.
_KEY = 20
_TOKEN = re.compile(rf"(?<![\w-])[\w-]{{{TOKEN_LENGTH}}}(?![\w-])")
#: What no own list has for an id.
_NO_LIST = UUID(int=0)


@dataclass(frozen=True, slots=True)
class Played:
    """A list to play: its data, by which key its games are kept, where it and its sheet are.

    `source` is how the page of odds names its units; "" where it can't.
    """

    side: Data
    key: str
    back: str
    sheet: str
    list_id: UUID = _NO_LIST
    source: str = ""


@fresh
def play(request: HttpRequest, list_id: UUID) -> HttpResponse:
    """Show a list of this browser to be played."""
    return played(request, _own(request, list_id))


def played(request: HttpRequest, first: Played) -> HttpResponse:
    """Answer the page of a list, and of the second one that the address names."""
    wrong, sides, key = "", [first.side], first.key
    status = 200
    try:
        second = _second(request, first.side["system"])
    except Refusal as refusal:
        second, wrong, status = None, refusal.sentence, 422
    if second is not None:
        sides.append(second.side)
        key = f"{key}+{second.key}"
    data = {
        "key": key,
        "hashes": [side["hash"] for side in sides],
        "sides": sides,
        "words": _words(),
        "account": account_part(request, key),
    }
    opponent = sides[1]["books"] if len(sides) > 1 else []
    context = {
        "name": first.side["name"],
        "data": data,
        "back": first.back,
        "sheet": first.sheet,
        "odds": _odds_address(first, second),
        "others": recent_lists(holder_of(request), first.list_id, MOST_OFFERED),
        "against": request.GET.get("list", ""),
        "link": request.GET.get("link", "")[:300],
        "wrong": wrong,
        "form": new_form(opponent_book=", ".join(opponent)[:120]),
        "keep_match": reverse("list-matches", args=[first.list_id])
        if first.list_id != _NO_LIST
        else reverse("matches"),
    }
    return render(request, "playing/play.html", context, status=status)


def _odds_address(first: Played, second: Played | None) -> str:
    """Return the page of odds between these lists; "" for a game without, or without a way in."""
    system = shipped_library().systems.get(first.side["system"])
    if system is None or system.odds is None or not first.source:
        return ""
    query = {"a_from": first.source, **({"b_from": second.source} if second else {})}
    return f"{reverse('odds', args=[system.id])}?{urlencode(query)}"


def account_part(request: HttpRequest, key: str) -> Data | None:
    """Return the page's data to keep a game with an account; None without one."""
    if not request.user.is_authenticated:
        return None
    kept = kept_game(holder_of(request), key)
    return {
        "address": reverse("keep-game"),
        "token": get_token(request),
        "kept": {"number": kept.number, "game": kept.data} if kept else None,
    }


@require_POST
def keep(request: HttpRequest) -> HttpResponse:
    """Keep a game for the account's other devices: its new number, or 409 with the kept game."""
    if not request.user.is_authenticated:
        raise Http404("no account")
    data = parse_json(request.body, MAX_GAME, 20)
    facts = data if isinstance(data, dict) else {}
    key, number = facts.get("key"), facts.get("number")
    if not isinstance(key, str) or type(number) is not int or not 0 <= number < MAX_NUMBER:
        raise Refusal(_("We can’t read this game."))
    if not 0 < len(key) <= MAX_KEY:
        raise Refusal(_("We can’t read this game."))
    try:
        kept = keep_game(holder_of(request), key, number, facts.get("game"))
    except GameConflict as conflict:
        there = conflict.kept
        return JsonResponse({"number": there.number, "game": there.data}, status=409)
    return JsonResponse({"number": kept})


def _own(request: HttpRequest, list_id: UUID) -> Played:
    return Played(
        own_side(current_version(request, list_id)).data,
        f"list-{list_id}",
        reverse("builder", args=[list_id]),
        reverse("sheet", args=[list_id]),
        list_id,
        f"list:{list_id}",
    )


def shared_to_play(shared: SharedList, token: str) -> Played:
    """Return a shared list as far as its link shows it."""
    return linked(play_side(shared.material, shared.sheet), token)


def linked(side: Data, token: str) -> Played:
    """Return the target of a link, for playing; a game's key doesn't reveal the link's secret."""
    address = reverse("shared-list", args=[token])
    key = f"link-{digest_of(token)[:_KEY]}"
    return Played(side, key, address, address, source=f"link:{token}")


def _second(request: HttpRequest, system: str) -> Played | None:
    """Return the second list that the address names. Raises Refusal where that cannot be played."""
    wanted, link = request.GET.get("list", ""), request.GET.get("link", "")
    if not wanted and not link:
        return None
    found = _by_link(link) if link else _by_id(request, wanted)
    if found is None:
        raise Refusal(_("We can’t find the second list. Check the link, or choose one of yours."))
    if found.side["system"] != system:
        raise Refusal(_("The second list is for another game. Choose a list for the same game."))
    return found


def _by_id(request: HttpRequest, wanted: str) -> Played | None:
    try:
        return _own(request, UUID(wanted))
    except (ValueError, Http404):
        return None


def _by_link(link: str) -> Played | None:
    token = _TOKEN.search(link)
    found = find_link(token[0]) if token else None
    if token is None or found is None:
        return None
    return shared_to_play(SharedList(found, shipped_library(), timezone.localdate()), token[0])


def _words() -> dict[str, Any]:
    """Return the words of the page's script; values are in braces."""
    return {
        "lose": _("Lose {number}"),
        "gain": _("Get back {number}"),
        "back": _("Get back: {name}"),
        "left": _("{number} left"),
        "models": _("{number} models"),
        "done": _("Activated"),
        "health": _("Health"),
        "unknown": _("We don’t know the health of this unit. Tick its states yourself."),
        "at": _("at {left} or less"),
        "past": _("below 0"),
        "activated": _("Activated: {done} of {standing}."),
        "lost": _("Lost now: {lost} of {models}."),
        "reached": _("Reached."),
        "reminders": _("Reminders, {phase}: {number}"),
        "opponent": _("Opponent"),
        "over": _("The game is over."),
        "score": _("Score"),
        "noScore": _("We have no score table for this game. Count here by your scenario."),
        "losses": _("{points} by losses of {name}."),
        "unpriced": _("Units without a known price, not counted: {number}."),
        "typed": _("Count the losses of your opponent here yourself."),
        "undone": _("Undone."),
    }
