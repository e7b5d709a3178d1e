"""Files of rosters: which game one is of, and lists of forces in and out of them by native ids."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import count
from typing import Final, NamedTuple

from armybuilder.battlescribe.files.documents import (
    Books,
    books_of,
    document_of,
    pick_list,
    player_words,
)
from armybuilder.battlescribe.files.game import GameFiles
from armybuilder.battlescribe.files.reading import UNWRITABLE, FileElement
from armybuilder.battlescribe.files.rosters import RosterReader, RosterWriter
from armybuilder.engine.kernel.evaluation import Evaluation
from armybuilder.engine.kernel.picks import Pick
from armybuilder.engine.wording import say
from armybuilder.loading.forcelist import ForceList, GameName, check_force_list
from armybuilder.loading.problems import Refusal

_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,80}")
#: Letters of a name and of notes that documents have room for.
_NAME, _NOTES = 120, 2000


class FileName(NamedTuple):
    """Names of a game system or a catalogue in rosters."""

    id: str
    name: str
    revision: str

    @property
    def words(self) -> str:
        """Its name with its revision."""
        if not self.revision:
            return self.name
        return say("{name}, revision {revision}", name=self.name, revision=self.revision)


class RosterHead(NamedTuple):
    """The game of a roster, and the catalogues of its forces."""

    system: FileName
    catalogues: tuple[FileName, ...]

    @classmethod
    def of(cls, root: FileElement) -> RosterHead:
        """Return the head of a roster. Raises Refusal where it is none."""
        if root.place != "roster":
            raise Refusal(say("This is not a BattleScribe list."))
        forces = (element for element in root.walk() if element.place == "forces")
        catalogues = (_file_name(force, "catalogue") for force in forces)
        return cls(_file_name(root, "gameSystem"), tuple(dict.fromkeys(catalogues)))

    @property
    def words(self) -> str:
        """The game and its catalogues, with their revisions."""
        return "; ".join(one.words for one in (self.system, *self.catalogues))

    def fit(self, game: GameFiles) -> tuple[int, int, int]:
        """Return how well a game of the same system fits, the most for the best: how many of the
        catalogues it has, how many of them in the same revision, and whether the system is.
        """
        own = [_head_in(game, one) for one in self.catalogues]
        known = [head for head in own if head is not None]
        same = sum(
            head is not None and head.get("revision") == one.revision
            for head, one in zip(own, self.catalogues, strict=True)
        )
        return len(known), same, int(game.system.get("revision") == self.system.revision)

    def other_revisions(self, game: GameFiles) -> Iterator[str]:
        """Yield in a sentence each which file the roster had in another revision than a game."""
        pairs = [(self.system, game.system)]
        catalogues = ((one, _head_in(game, one)) for one in self.catalogues)
        pairs += [(one, head) for one, head in catalogues if head is not None]
        for was, now in pairs:
            revision = now.get("revision")
            if was.revision and revision and was.revision != revision:
                yield say(
                    "The list was made with revision {old} of {name}; your files have revision"
                    " {new}.",
                    old=was.revision,
                    name=now.get("name").strip(),
                    new=revision,
                )


def _head_in(game: GameFiles, catalogue: FileName) -> FileElement | None:
    """Return a catalogue's first element, of several with one id that of its name."""
    own = game.heads.get(f"{catalogue.id}#{catalogue.name}")
    return own or game.heads.get(catalogue.id)


def _file_name(element: FileElement, kind: str) -> FileName:
    keys = f"{kind}Id", f"{kind}Name", f"{kind}Revision"
    return FileName(*(element.get(key) for key in keys))


def best_game(head: RosterHead, games: Iterable[GameFiles]) -> GameFiles | None:
    """Return the game that a roster is of, of several sets of its files the best, of equal ones the
    first; None where none is of that system.
    """
    of_system = [game for game in games if game.system.id == head.system.id]
    return max(of_system, key=head.fit, default=None)


class ReadRoster(NamedTuple):
    """A list read from a roster; `told` has the differences from the roster, in sentences."""

    document: ForceList
    told: tuple[str, ...]


def read_roster(
    root: FileElement, game: GameFiles, named: GameName, books: Books | None = None
) -> ReadRoster:
    """Return the list of a roster by the files of its game. Raises Refusal."""
    head = RosterHead.of(root)
    reader = RosterReader(game, books or books_of(game))
    roster = reader.read(root)
    ids = _Ids()
    roster = replace(roster, forces=tuple(ids.known(force) for force in roster.forces))
    name = " ".join(root.get("name").split())[:_NAME] or game.system.get("name").strip()[:_NAME]
    document = document_of(roster, name, named, root.get("customNotes")[:_NOTES])
    missing = dict.fromkeys(stray.name for stray in reader.strays)
    told = [*head.other_revisions(game), *reader.unread]
    if missing:
        told.append(say("Not in your files: {names}.", names=", ".join(missing)))
    return ReadRoster(check_force_list(document.to_dict()), tuple(told))


class _Ids:
    """Assigns new ids to picks whose id is taken or not allowed in documents."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._fresh = count(1)

    def known(self, pick: Pick) -> Pick:
        """Return a pick and its contents under unique ids, within the limits on text."""
        id = pick.id
        while id in self._taken or not _ID.fullmatch(id):
            id = f"r{next(self._fresh)}"
        self._taken.add(id)
        name, notes = (pick.said.get(key, "").strip() for key in ("customName", "customNotes"))
        below = tuple(self.known(one) for one in pick.below)
        said = player_words(name[:_NAME], notes[:_NOTES])
        return replace(pick, id=id, below=below, said=said)


def write_roster(document: ForceList, game: GameFiles, evaluation: Evaluation | None = None) -> str:
    """Return a list as a roster in XML, with what everything costs."""
    if evaluation is None:
        evaluation = Evaluation(pick_list(document, game).roster)
    xml = RosterWriter(game, evaluation).xml("roster", document.name, document.notes)
    return UNWRITABLE.sub("\ufffd", xml)
