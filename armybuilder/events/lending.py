"""Files of a game that an event is played by: lent to who plays or helps.

They build lists with names, costs and verdicts; what rules say stays with who brought the files.
"""

from django.utils.translation import gettext as _

from armybuilder.events.models import Event
from armybuilder.games.services import holding_of, lend
from armybuilder.loading.file_packs import FilePack
from armybuilder.loading.packs import Pack
from armybuilder.loading.problems import Refusal


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
        raise Refusal(_("Bring the files of {game} first.").format(game=pack.game.name))
    return pack.game.key
