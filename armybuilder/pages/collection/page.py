"""Collections of games: of our own books, in all editions, and of games from files."""

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext as _

from armybuilder.collection.selectors import game_of_files, game_of_models
from armybuilder.collection.tables import NamedUnits, UnitIndex
from armybuilder.engine.catalogue import System
from armybuilder.engine.kernel.owned import models_in
from armybuilder.exchange.pasting import read_text
from armybuilder.games.models import Holding
from armybuilder.lists.file_imports import KeptGames
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, lists_of
from armybuilder.lists.worked_out import work_out
from armybuilder.loading.forcelist import ForceList
from armybuilder.loading.library import Library
from armybuilder.loading.problems import Refusal
from armybuilder.solving.owned import Models, models_of

#: Lists to choose from at most.
MOST_LISTS = 200


class OtherGame(Refusal):
    """A list that is of another game than the collection."""

    def __init__(self) -> None:
        super().__init__(_("That list is of another game."))


class CollectedText(NamedTuple):
    """Models of a list that was pasted, and its lines that were not understood or are unsure."""

    models: Models
    unclear: Sequence[str]


class CollectionPage(ABC):
    """A player's collection for a game.

    `id` is the game in URLs, `game` in the database: all its editions, or sets of files. `books`
    are those to browse, by id; `units` are the units of all editions.
    """

    id: str
    game: str
    name: str
    books: Mapping[str, NamedUnits]
    units: UnitIndex

    def __init__(self, holder: str) -> None:
        self.holder = holder

    @property
    def address(self) -> str:
        return reverse("collection", args=[self.id])

    def lists(self) -> list[tuple[object, str]]:
        """Return the player's lists of the game, those changed last first."""
        rows = lists_of(self.holder).filter(self.list_filter, archived=None)
        return [(key, name or "") for key, name in rows.values_list("pk", "name")[:MOST_LISTS]]

    @property
    @abstractmethod
    def list_filter(self) -> Q:
        """The condition for lists of the game."""

    @abstractmethod
    def models_of(self, version: Version) -> Models:
        """Return the models of a list. Raises Refusal where it is of another game."""

    @abstractmethod
    def read(self, text: str) -> CollectedText:
        """Return the models of a list as text. Raises Refusal where it is none."""


class BookCollection(CollectionPage):
    """A collection for a game of our own books, or of a player's."""

    def __init__(self, holder: str, system: System, library: Library) -> None:
        super().__init__(holder)
        self.id, self.game = system.id, game_of_models(system)
        self.name = str(system.family or system.name)
        self.library = library
        editions = [system, *library.editions(system)]
        self.systems = [one.id for one in editions]
        self.books = library.books.get(system.id, {})
        every = (book for one in editions for book in library.books.get(one.id, {}).values())
        self.units = UnitIndex(every)

    @property
    def list_filter(self) -> Q:
        return Q(system__in=self.systems)

    def models_of(self, version: Version) -> Models:
        if version.content.system not in self.systems:
            raise OtherGame
        return models_of(version.document)

    def read(self, text: str) -> CollectedText:
        reading = read_text(text, self.library, self.id)
        models = models_of(reading.document) if reading.document is not None else {}
        lost = (line for line in reading.lines if line.state in ("lost", "doubt"))
        said = _("Line {number}: {text}")
        return CollectedText(
            models, [said.format(number=line.number, text=line.text) for line in lost]
        )


class FileUnits(NamedTuple):
    """Units of a catalogue that a collection counts, by their ids."""

    id: str
    name: str
    names: Mapping[str, str]


class FileCollection(CollectionPage):
    """A collection for a game from files, in all sets of them that the player has."""

    def __init__(self, holding: Holding) -> None:
        super().__init__(holding.holder)
        game = holding.game
        self.id, self.game = game.pk, game_of_files(game.system_id)
        self.name, self.system = holding.name, game.system_id
        if (collected := game.report.get("collected")) is None:
            raise Refusal(_("Add the files of this game again, then count its models."))
        rows = sorted(game.report["catalogues"], key=lambda row: row["name"].casefold())
        books = (FileUnits(row["id"], row["name"], collected.get(row["id"], {})) for row in rows)
        self.books = {book.id: book for book in books}
        self.units = UnitIndex(self.books.values())

    @property
    def list_filter(self) -> Q:
        mine = current_versions(self.holder).filter(document__game__system=self.system)
        return Q(pk__in=mine.values("army_list_id"))

    def models_of(self, version: Version) -> Models:
        document = version.content
        if not isinstance(document, ForceList) or document.game.system != self.system:
            raise OtherGame
        return self._of_list(document)

    def _of_list(self, document: ForceList) -> Models:
        models = models_in(work_out(document).roster.forces)
        return {id: number for id, number in models.items() if id in self.units.names}

    def read(self, text: str) -> CollectedText:
        read = KeptGames(self.holder).read(text, self.id)
        return CollectedText(self._of_list(read.document), read.told)
