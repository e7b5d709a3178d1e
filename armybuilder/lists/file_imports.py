"""Lists of games that a holder has kept by their files, out of rosters, documents and texts."""

from __future__ import annotations

import json
from functools import cached_property, partial

from django.utils.translation import gettext as _

from armybuilder.battlescribe.files.documents import game_name
from armybuilder.battlescribe.files.reading import FileElement, read_element
from armybuilder.battlescribe.files.roster_files import (
    ReadRoster,
    RosterHead,
    best_game,
    read_roster,
)
from armybuilder.exchange.pasting.file_lists import (
    GameTitles,
    ReadText,
    game_of_text,
    read_file_text,
)
from armybuilder.games.models import Game
from armybuilder.games.opening import open_book, open_game
from armybuilder.loading.forcelist import ForceList, is_force_list, read_force_list
from armybuilder.loading.problems import Refusal

#: What begins the choice of such a game in a form, before its key.
CHOICE = "files:"
#: Sentences about things that were not understood.
MOST_LINES = 5


class KeptGames:
    """The games that a holder may use."""

    def __init__(self, holder: str) -> None:
        self.holder = holder

    @cached_property
    def games(self) -> dict[str, Game]:
        if not self.holder:
            return {}
        mine = Game.objects.filter(holdings__holder=self.holder).defer("report")
        return {game.pk: game for game in mine.order_by("-holdings__created")}

    @property
    def choices(self) -> list[tuple[str, str]]:
        """Return the options of a form: a value and a name for each game."""
        return [(f"{CHOICE}{key}", game.name) for key, game in self.games.items()]

    def file(self, name: str, raw: bytes) -> ReadRoster | None:
        """Return the list of a file; None where it is of no game that is kept by its files.

        Raises Refusal for a list of forces of a game that is not kept, which it names.
        """
        ending = name.lower().rpartition(".")[2]
        if ending == "json":
            return self._json(raw)
        if ending not in ("ros", "rosz"):
            return None
        try:
            root = read_element(raw)
            head = RosterHead.of(root)
        except Refusal:
            return None  # the reader of rosters by our books reports the error
        return self._roster(root, head)

    def _json(self, raw: bytes) -> ReadRoster | None:
        if b"roster" not in raw and b"armylist/2" not in raw:
            return None
        try:
            data = json.loads(raw)
        except (ValueError, RecursionError):
            return None
        if is_force_list(data):
            document = read_force_list(raw)
            if document.game.key not in self.games:
                raise _not_kept(document.game.name)
            return ReadRoster(document, ())
        if not isinstance(data, dict) or not isinstance(data.get("roster"), dict):
            return None
        root = read_element(raw)
        head = RosterHead.of(root)
        read = self._roster(root, head)
        if read is None:
            raise _not_kept(head.words)
        return read

    def _roster(self, root: FileElement, head: RosterHead) -> ReadRoster | None:
        keys = [key for key, game in self.games.items() if game.system_id == head.system.id]
        opened = {key: open_game(key) for key in keys}
        best = best_game(head, opened.values())
        if best is None:
            return None
        key = next(key for key, game in opened.items() if game is best)
        return read_roster(root, best, game_name(key, best), partial(open_book, key))

    def text(self, text: str, chosen: str = "", shipped: frozenset[str] = frozenset()) -> str:
        """Return the key of the game that a text is of, "" where it is of none of them.

        One that a form has `chosen` is; `shipped` are the simple names of books of ours: a text
        that names one of these alone is of ours.
        """
        if chosen.startswith(CHOICE):
            key = chosen.removeprefix(CHOICE)
            if key not in self.games:
                raise Refusal(_("There is no such game."))
            return key
        if chosen:
            return ""
        titles = [_titles_of(key, game) for key, game in self.games.items()]
        named = game_of_text(text, titles) if titles else None
        if named is None or (not named.by_name and named.book in shipped):
            return ""
        return named.key

    def read(self, text: str, key: str) -> ReadText:
        """Return the list of a text of a game. Raises Refusal where no unit of it is found."""
        game = open_game(key)
        return read_file_text(text, game, game_name(key, game), partial(open_book, key))


def clear_read(read: ReadRoster | ReadText) -> ForceList:
    """Return a list that was read where all of it was understood. Raises Refusal."""
    if read.told:
        said = _("Unclear: {lines}. Import the list first and check it line by line.")
        raise Refusal(said.format(lines=" · ".join(read.told[:MOST_LINES])))
    return read.document


def _titles_of(key: str, game: Game) -> GameTitles:
    heads = [attributes for _name, _digest, (place, attributes) in game.files if place != "roster"]
    catalogues = (head.get("name", "") for head in heads if "gameSystemId" in head)
    return GameTitles(key, game.name, tuple(catalogues))


def _not_kept(name: str) -> Refusal:
    said = _("The list is for {game}. Add the files of this game first.")
    return Refusal(said.format(game=name[:300]))
