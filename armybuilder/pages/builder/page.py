"""Contents of the builder's page for one list, worked out before any template."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar
from uuid import UUID

from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from armybuilder.acts.base import performed
from armybuilder.acts.proposals import TakeFixes, packed
from armybuilder.advice.answers import (
    FindingView,
    Subject,
    in_order,
    new_findings,
    own_unit,
    standing_of,
)
from armybuilder.advice.finding_details import FindingPresenter, place_of
from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import BookNow, books_now
from armybuilder.collection.selectors import game_of_models, owned_numbers
from armybuilder.editing.names import entry_name, named_units, neighbour
from armybuilder.editing.stat_lines import StatLineFields, lacks_stat_line, stat_line_fields
from armybuilder.editing.unit_edits import find
from armybuilder.engine import Finding, Report, choices
from armybuilder.engine.catalogue import Catalogue, System
from armybuilder.engine.nouns import counted
from armybuilder.engine.roster import Roster
from armybuilder.engine.sentences import sentence
from armybuilder.engine.states import State, mark_of
from armybuilder.engine.unchecked import Unchecked
from armybuilder.engine.units import Unit
from armybuilder.lists.models import Version
from armybuilder.lists.outlooks import judge_list
from armybuilder.lists.selectors import current_version, known_stat_lines
from armybuilder.lists.services import BuiltFor, built_for, playing_catalogue
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import Judged, judge_by, make_roster
from armybuilder.loading.library import Library, shipped_library
from armybuilder.pages.builder.army import (
    STRETCH,
    ArmyLister,
    Stretch,
    by_category,
    first_of_each,
    start_of,
)
from armybuilder.pages.builder.list_page import ListPage
from armybuilder.pages.builder.options import blank_fields, make_editor
from armybuilder.pages.builder.own import OwnModelView
from armybuilder.pages.builder.pieces import (
    WHOLE,
    GaugeView,
    SettingView,
    army_gauge,
    gauge_html,
    gauge_view,
    line_points,
    setting_view,
)
from armybuilder.pages.builder.shelf import make_entry
from armybuilder.sheets.content.make_judge import line_makeup
from armybuilder.sheets.content.make_units import ViewMaker, entry_views
from armybuilder.solving.cpsat import is_installed
from armybuilder.solving.owned import Models, missing, only_owned, owned_on_cards


@dataclass
class JudgedVersion:
    """A version of a list with its document, books and verdict, worked out when asked for."""

    version: Version
    library: Library

    @cached_property
    def document(self) -> ArmyList:
        return self.version.document

    @cached_property
    def catalogue(self) -> Catalogue:
        return playing_catalogue(self.version, self.library)

    @property
    def system(self) -> System:
        return self.catalogue.system

    @property
    def collection_id(self) -> str:
        """The game of the collection in URLs."""
        return self.system.id

    @cached_property
    def _judged(self) -> Judged:
        return self._judge(self.document)

    def _judge(self, document: ArmyList) -> Judged:
        return judge_list(self.version.army_list_id, document, self.catalogue)

    @property
    def roster(self) -> Roster:
        return self._judged.roster

    @property
    def report(self) -> Report:
        return self._judged.report

    def beyond(self, owned: Models) -> list[str]:
        """Return the models on the list beyond those owned: "2 × Orc Raider"."""
        units = named_units(self.document, self.catalogue, self.library)
        lacking = missing(self.document, owned).items()
        return [f"{number} × {units[ref].name}" for ref, number in lacking if ref in units]


@dataclass
class BuilderPage(ListPage, JudgedVersion):
    """The page of a list of our own books.

    Of a long list one stretch is shown: that of the unit `touched` last, else of the open one, else
    from the number `asked` for on; a number behind `stretch_url` asks for another. `announced` is
    the id of the finding that the page has announced.
    """

    touched: str = ""
    asked: int = 0
    stretch_url: str = ""
    announced: str = ""
    #: Whether advice uses only the models that the player owns.
    of_owned: ClassVar[bool] = False

    @property
    def event(self) -> BuiltFor | None:
        return built_for(self.version, self.library)

    @property
    def game_name(self) -> str:
        return self.system.name

    @property
    def game_words(self) -> str:
        return f"{self.system.name} · {', '.join(book.name for book in self.catalogue.books)}"

    @property
    def shelf_class(self) -> str:
        return " sized" if self.system.sized else ""

    @property
    def left(self) -> int:
        """Points still free; below 0 when over."""
        return self.report.limit - self.report.spent

    @property
    def verdict_words(self) -> str:
        """The verdict and the points as a sentence, to be read out after a change."""
        return _("{verdict}, {spent} of {limit} points.").format(
            verdict=self.report.verdict_sentence, spent=self.report.spent, limit=self.report.limit
        )

    @property
    def unpriced_words(self) -> str:
        """Number of models with unknown points: "2 models with unknown points"."""
        models = counted(self.report.unpriced, self.system.model_word)
        return _("{models} with unknown points").format(models=models)

    @property
    def left_words(self) -> str:
        """Points left, or over the limit; "" if all are spent."""
        if self.left > 0:
            text = ngettext("{points} left", "{points} left", self.left)
        else:
            text = _("{points} over")
        return text.format(points=abs(self.left)) if self.left else ""

    @property
    def can_fill(self) -> bool:
        return is_installed()

    @cached_property
    def names(self) -> Mapping[str, str]:
        units = named_units(self.document, self.catalogue, self.library)
        return {entry.id: entry_name(entry, units) for entry in self.document.units}

    @cached_property
    def new(self) -> list[Finding]:
        return new_findings(self.subject, self.version.former, self.touched, self._judge)

    @cached_property
    def presenter(self) -> FindingPresenter:
        document, opens = self.document, self.open_url.__add__

        def pack(made: ArmyList) -> dict[str, str]:
            return {"act": TakeFixes.name, "proposal": packed(made, document)}

        return FindingPresenter(self.subject, performed, opens, opens, pack)

    @cached_property
    def tellings(self) -> list[FindingView]:
        """The findings with answers, broken, announced and new ones first; of many the first."""
        newest = self.new if self.newly_broken is None else [*self.new, self.newly_broken]
        ordered = in_order(self.report.findings, newest)
        shown = first_of_each(ordered, lambda finding: finding.code, len(self.order))
        return self.presenter.tellings(shown, self.new)

    @cached_property
    def broken(self) -> list[Finding]:
        return [one for one in self.report.findings if standing_of(one) == State.BROKEN]

    @cached_property
    def newly_broken(self) -> Finding | None:
        """Errors of the last act; otherwise announced ones that remain."""
        broken = self.broken
        newest = set(map(id, self.new)) if broken else ()
        first = next((one for one in broken if id(one) in newest), None)
        return first or next((one for one in broken if place_of(one) == self.announced), None)

    @cached_property
    def news(self) -> FindingView | None:
        """Announced findings, with their first answer; others are only in their pane."""
        finding = self.newly_broken
        if finding is None:
            return None
        new = any(finding is new for new in self.new)
        return self.presenter.announcement(finding, self.broken, new)

    @cached_property
    def unchecked(self) -> list[Unchecked]:
        return first_of_each(self.report.unchecked, lambda one: one.reason, len(self.order))

    @property
    def subject(self) -> Subject:
        # Other books are asked of the database; they help only where a unit is not to be found.
        lost = any(pick.unit is None for pick in self.roster.picks)
        books = {book.id: book.name for book in self.other_books} if lost else {}
        former = self.version.former
        return Subject(
            self.document, self.catalogue, self.roster, self.report, self.names, books, former
        )

    @cached_property
    def gauges(self) -> list[GaugeView]:
        view = army_gauge if self.system.sized else gauge_view
        return [view(gauge, gauge_html(gauge, self.report)) for gauge in self.report.gauges]

    @property
    def size_words(self) -> str:
        """Size of the list: "12 units, 150 models"; of single models or formations one."""
        models = counted(self.report.models, self.system.model_word)
        if not self.system.sized or self.system.formations:
            return models
        units = sum(1 for pick in self.roster.picks if pick.unit is None or pick.unit.counts)
        return f"{counted(units, 'unit')}, {models}"

    @cached_property
    def headings(self) -> list[dict[str, Any]]:
        lister = ArmyLister(
            self.report,
            self.catalogue,
            self.names,
            Stretch(self.order, self.start, self.most, self.stretch_url),
            self.opened,
            self.open_url,
            self.parts_known,
        )
        return lister.headings(self.roster.picks)

    @property
    def most(self) -> int:
        return WHOLE if len(self.order) <= WHOLE else STRETCH

    @cached_property
    def order(self) -> list[str]:
        picks = self.roster.picks
        if self.system.sized:
            picks = tuple(chain(*by_category(picks, self.catalogue).values()))
        return [pick.id for pick in picks]

    @cached_property
    def start(self) -> int:
        return start_of(self.order, self.most, self.asked, (self.touched, self.opened))

    @cached_property
    def unit(self) -> dict[str, Any] | None:
        """The open unit; `editor` is None if the books lack it, `points` "?" if unknown.

        `says` are the (severity, sentence) of its own findings, `TO_DO` for missing things;
        `before` and `after` the URLs of its neighbours.
        """
        picks = self.roster.picks
        place = next((at for at, pick in enumerate(picks) if pick.id == self.opened), None)
        if place is None:
            return None
        pick = picks[place]
        wrong = (finding for finding in self.report.findings if own_unit(finding) == pick.id)
        line = self.report.line(pick.id)
        return {
            "id": pick.id,
            "name": self.names[pick.id],
            "own_name": pick.name,
            "unit_name": pick.unit.name if pick.unit else "",
            "notes": pick.notes,
            "points": line_points(pick.unit, self.report.lines.get(pick.id)),
            "made": line_makeup(line, self.system) if line is not None else None,
            "says": [(mark_of(one.severity, one.state), sentence(one)) for one in wrong],
            **self.neighbours(pick.id),
            "first": not self._can_move(place, -1),
            "last": not self._can_move(place, 1),
            "editor": make_editor(pick, self.report, self.system),
            "blanks": list(blank_fields(self.document.units[place], pick.unit, self.system)),
            "own": self._own_model(pick.id),
            "base": pick.unit.ref if pick.unit and self.system.own_models else "",
            "card": ViewMaker(self.report).make(pick),
            "stat_lines": self.stat_lines(pick.unit),
        }

    def stat_lines(self, unit: Unit | None) -> list[StatLineFields]:
        """Return the fields for the player's own stat lines of a unit whose book has none."""
        if unit is None or not lacks_stat_line(unit, self.system):
            return []
        known = self.document.stat_lines
        if unit.ref not in known:  # another list may know it
            known = known_stat_lines(self.version.army_list.holder, self.document)
        return list(stat_line_fields(known, self.system, unit.ref))

    @cached_property
    def preview(self) -> dict[str, Any] | None:
        """A unit of the books as adding it would make it, with its options."""
        held = (pick.unit for pick in self.roster.picks if pick.unit and not pick.unit.own)
        # A unit whose card was filled in on the list is added with that card.
        units = {**self.catalogue.units, **{unit.ref: unit for unit in held}}
        unit = units.get(self.peeked)
        if unit is None:
            return None
        (choice,) = choices(self.roster, self.catalogue, [unit], self.report)
        (card,) = entry_views([unit], self.catalogue, self.roster)
        entry = make_entry(choice, self.catalogue, self.report)._replace(abilities=())
        return {"entry": entry, "card": card}

    def _own_model(self, entry: str) -> OwnModelView | None:
        profile = find(self.document, entry).profile
        return OwnModelView(profile, self.catalogue) if profile is not None else None

    def _can_move(self, place: int, step: int) -> bool:
        """Return whether a unit has one of its heading before (-1) or behind it (1)."""
        picks = self.roster.picks
        if not self.system.sized:
            return 0 <= place + step < len(picks)
        return neighbour(picks, picks[place].id, step, self.catalogue) != 0

    @cached_property
    def settings(self) -> list[SettingView]:
        roster = self.roster
        settings = self.system.settings.values()
        shown = (one for one in settings if one.matters(roster.limit, roster.settings))
        return [setting_view(one, roster, self.catalogue) for one in shown]

    @cached_property
    def books_now(self) -> list[BookNow]:
        return books_now(self.holder, self.system, self.library)

    @cached_property
    def own_books(self) -> set[str]:
        # Only own books have to be asked of the database.
        own = any(is_own_id(book.id) for book in self.document.books)
        return {book.id for book in self.books_now if book.own} if own else set()

    @property
    def other_books(self) -> list[BookNow]:
        """Books that the list does not draw from yet."""
        used = {book.id for book in self.document.books}
        return [book for book in self.books_now if book.id not in used]

    @cached_property
    def changed_books(self) -> list[BookNow]:
        """Books of the list whose content is another now than the one it pins."""
        pinned = {book.id: book.revision for book in self.document.books}
        # Only own books have to be asked of the database.
        own = any(map(is_own_id, pinned))
        now = self.books_now if own else books_now("", self.system, self.library)
        return [book for book in now if pinned.get(book.id) not in (None, "", book.revision)]

    @property
    def editions(self) -> list[System]:
        return self.library.editions(self.system)

    @property
    def models_game(self) -> str:
        return game_of_models(self.catalogue.system)

    @property
    def owned(self) -> Models:
        """The same; for units outside it, the numbers on the player's cards."""
        return {**owned_on_cards(self.catalogue), **self.collection}

    @property
    def missing(self) -> list[str]:
        return self.beyond(self.owned) if self.collection else []


class OwnedPage(BuilderPage):
    """The page of a list for advice with only the models that the player owns."""

    of_owned: ClassVar[bool] = True

    @cached_property
    def catalogue(self) -> Catalogue:
        playing = playing_catalogue(self.version, self.library)
        collection = owned_numbers(self.holder, game_of_models(playing.system))
        owned = {**owned_on_cards(playing), **collection}
        return only_owned(playing, make_roster(self.document, playing), owned)

    def _judge(self, document: ArmyList) -> Judged:
        # Cached results of the list are by its own books.
        return judge_by(document, self.catalogue)


def current_page(request: HttpRequest, list_id: UUID, opened: str = "") -> BuilderPage:
    """Return the current page of a list of this browser. Raises Http404."""
    return BuilderPage(current_version(request, list_id), shipped_library(), opened)
