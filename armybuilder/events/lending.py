"""Files lent to players and staff of an event, and the storage of its lists and packs.

They build lists with names, costs and verdicts; texts of rules stay with the owner of the files.
"""

from django.conf import settings
from django.db.models import Sum
from django.utils.translation import gettext as _

from armybuilder.events.models import Event, Staff
from armybuilder.events.rules import StaffRole
from armybuilder.games.services import holding_of, lend
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal


def take_room(event: Event, number: int) -> None:
    """Count bytes to a locked event. Raises Refusal if its owner has no room."""
    owners = Staff.objects.filter(event=event, role=StaffRole.OWNER).exclude(holder="")
    owned = Staff.objects.filter(role=StaffRole.OWNER, holder__in=owners.values("holder"))
    others = Event.objects.filter(pk__in=owned.values("event")).exclude(pk=event.pk)
    used = event.size + (others.aggregate(all=Sum("size"))["all"] or 0)
    if used + number > settings.EVENTS_BYTES:
        sentence = _(
            "This organiser’s events use all {most} MB. The organiser can delete an ended "
            "event, or ask this site’s operator for more room."
        )
        raise Refusal(sentence.format(most=settings.EVENTS_BYTES // 1_000_000))
    event.change(size=event.size + number)


def lend_game(event: Event, holder: str) -> None:
    """Let a holder use the files of the event's game, if it is one from files."""
    if event.game_id is not None and holder:
        lend(holder, event.game_id)


def key_of_game(holder: str, pack: Pack) -> str | None:
    """Return the key of the game of a pack, if it is one from files.

    Raises Refusal if the holder didn't bring these: nobody lends others' files.
    """
    if not isinstance(pack, FilePack):
        return None
    holding = holding_of(holder, pack.game.key)
    if holding is None or not holding.brought:
        raise Refusal(_("Add the files of {game} first.").format(game=pack.game.name))
    return pack.game.key
