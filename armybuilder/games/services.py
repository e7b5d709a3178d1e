"""Holders of games, and storage of their files."""

import zlib
from collections.abc import Iterable
from datetime import date, datetime, timedelta
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.db import transaction
from django.db.models import QuerySet, Sum
from django.utils import timezone
from django.utils.translation import gettext as _

from armybuilder.accounts.quotas import NoRoom, no_room, quota_of
from armybuilder.battlescribe.files.bringing import GameSet
from armybuilder.games.models import Game, Holding
from armybuilder.games.opening import STORAGE
from armybuilder.writable import count_bytes

#: Games that one holder may hold.
MAX_GAMES = 100
#: A game that nobody holds stays for so long: its report waits to be read.
UNHELD_FOR = timedelta(days=3)
#: A game surveyed within this time is not surveyed again.
SURVEYED_FOR = timedelta(hours=1)


def store(whole: GameSet, report: dict[str, Any], dated: date | None = None) -> Game:
    """Store a game that nobody holds yet: each of its files once for all games."""
    files = storages[STORAGE]
    size = 0
    for file in whole.files:
        if not files.exists(file.digest):
            files.save(file.digest, ContentFile(zlib.compress(file.raw)))
        size += files.size(file.digest)
    values = {
        "system_id": whole.system.id,
        "name": whole.system.get("name")[:200] or "?",
        "revision": whole.system.get("revision")[:40],
        **({"dated": dated} if dated else {}),
        "size": size,
        "report": report,
        "surveyed": timezone.now(),
        "files": [
            [file.name, file.digest, [file.head.place, file.head.attributes]]
            for file in whole.files
        ],
    }
    return Game.objects.update_or_create(pk=whole.key, defaults=values)[0]


def stored_lately(key: str) -> Game | None:
    """Return a game with a report of today's program, if somebody else brought the same files."""
    lately = timezone.now() - SURVEYED_FOR
    return Game.objects.filter(pk=key, surveyed__gt=lately).defer("files").first()


def games_of(holder: str) -> QuerySet[Holding]:
    """Return a holder's games, the latest first."""
    mine = Holding.objects.filter(holder=holder).exclude(holder="").select_related("game")
    return mine.defer("game__files", "game__report").order_by("-created", "-pk")


def holding_of(holder: str, key: str) -> Holding | None:
    """Return that a holder holds a game; None where it is not so."""
    mine = Holding.objects.filter(holder=holder, game_id=key).exclude(holder="")
    return mine.select_related("game").first()


def may_see(holder: str, key: str) -> bool:
    """Return whether a holder may see a game: they brought it, or have a list of it."""
    return holding_of(holder, key) is not None


def keep(holder: str, key: str, name: str = "", source: str = "") -> Holding:
    """Let a holder hold a game that is stored. Raises Game.DoesNotExist, NoRoom."""
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=key)
        values = {"name": (name or game.name)[:200], "source": source[:300], "brought": True}
        _check_room(holder, game)
        count_bytes(game.size)
        return Holding.objects.update_or_create(game=game, holder=holder, defaults=values)[0]


def lend(holder: str, key: str) -> Holding:
    """Let a holder use a game of which they got a list. Raises Game.DoesNotExist."""
    game = Game.objects.defer("files", "report").get(pk=key)
    values = {"name": game.name, "brought": False}
    return Holding.objects.get_or_create(game=game, holder=holder, defaults=values)[0]


def forget(holder: str, key: str, in_use: bool = False) -> None:
    """Let a holder hold a game no longer; `in_use` lists of theirs may still be opened."""
    mine = Holding.objects.filter(holder=holder, game_id=key).exclude(holder="")
    if in_use:
        mine.update(brought=False)
    else:
        mine.delete()


def _check_room(holder: str, more: Game) -> None:
    """Raise NoRoom if a holder would hold too many games, or bytes of them."""
    mine = Holding.objects.filter(holder=holder, brought=True).exclude(game=more)
    if mine.count() >= MAX_GAMES:
        told = _("You have {number} games, the maximum. Delete one you no longer need.")
        raise NoRoom(told.format(number=MAX_GAMES))
    size = more.size + (mine.aggregate(all=Sum("game__size"))["all"] or 0)
    if size > (most := quota_of(holder).books):
        told = _("Your games fill all {most} MB available. Delete one you no longer need.")
        raise no_room(told.format(most=most // 1_000_000), holder)


def move_holdings(old: str, new: str, **_signal: Any) -> int:
    """Let all that one holder holds be another's, who may hold some of it already."""
    mine = Holding.objects.filter(holder=old).exclude(holder="")
    mine.filter(game__holdings__holder=new).delete()
    return mine.update(holder=new)


def unheld(now: datetime) -> QuerySet[Game]:
    """Return the games that nobody holds or waits for, and no event uses."""
    return Game.objects.filter(holdings=None, events=None, surveyed__lt=now - UNHELD_FOR)


def remove(games: Iterable[Game]) -> int:
    """Remove games permanently, with the files that no other has; return how many."""
    keys = [game.pk for game in games]
    going = Game.objects.filter(pk__in=keys, holdings=None, events=None)
    files = {digest for row in going.values_list("files", flat=True) for _n, digest, _h in row}
    number, _each = going.delete()
    rows = Game.objects.values_list("files", flat=True) if files else ()
    for row in rows:
        files.difference_update(digest for _name, digest, _head in row)
    for digest in files:
        storages[STORAGE].delete(digest)
    return number
