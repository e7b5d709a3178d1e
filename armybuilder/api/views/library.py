"""Game systems, their books and units: what is shipped, the same for everyone."""

from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import examples, game_examples
from armybuilder.api.describing import operation
from armybuilder.api.details import (
    SystemDetailSerializer,
    UnitDetailSerializer,
    system_data,
    unit_data,
)
from armybuilder.api.events import PackSerializer, PackWithRulesSerializer, pack_data
from armybuilder.api.plain import find_units
from armybuilder.api.serializers import (
    BookWithUnitsSerializer,
    Data,
    SystemSerializer,
    UnitQuery,
    UnitSerializer,
)
from armybuilder.api.views.base import OpenView, Paged
from armybuilder.engine.catalogue import Book
from armybuilder.loading.library import shipped_library


class Systems(OpenView):
    @operation("Games and books", "systems", SystemSerializer(many=True), game_examples.SYSTEMS)
    def get(self, request: Request) -> Response:
        """Every game system with its books."""
        library = shipped_library()
        systems: list[Data] = [
            {
                "id": system.id,
                "name": system.name,
                "about": system.about,
                "books": library.books[system.id].values(),
            }
            for system in library.systems.values()
        ]
        return Response([SystemSerializer(system).data for system in systems])


class SystemDetail(OpenView):
    @operation("Games and books", "system", SystemDetailSerializer, game_examples.SYSTEM)
    def get(self, request: Request, system_id: str) -> Response:
        """A game system with its books, sizes, settings, roles and rules."""
        library = shipped_library()
        system = library.systems.get(system_id)
        if system is None:
            raise Http404(_("There is no such game system."))
        return Response(system_data(system, library.books[system_id].values()))


class BookDetail(OpenView):
    @operation("Games and books", "book", BookWithUnitsSerializer, game_examples.BOOK)
    def get(self, request: Request, system_id: str, book_id: str) -> Response:
        """A book with its units."""
        return Response(BookWithUnitsSerializer(_book(system_id, book_id)).data)


class UnitDetail(OpenView):
    @operation("Games and books", "unit", UnitDetailSerializer, game_examples.UNIT)
    def get(self, request: Request, system_id: str, book_id: str, unit_id: str) -> Response:
        """A unit with its sizes, caps and options, by the ids that documents name them by."""
        unit = _book(system_id, book_id).units.get(f"{book_id}/{unit_id}")
        if unit is None:
            raise Http404(_("There is no such unit."))
        return Response(unit_data(unit))


class Units(Paged, OpenView):
    @operation(
        "Games and books",
        "units",
        UnitSerializer(many=True),
        game_examples.UNITS,
        parameters=[UnitQuery],
    )
    def get(self, request: Request, system_id: str) -> Response:
        """The units of a system's books that are all that you ask for, page by page."""
        library = shipped_library()
        if system_id not in library.systems:
            raise Http404(_("There is no such game system."))
        query = UnitQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        found = find_units(library, system_id, query.validated_data)
        return self.page(found, lambda unit: UnitSerializer(unit).data, request)


class Packs(OpenView):
    @operation("Events", "packs", PackSerializer(many=True), examples.PACKS)
    def get(self, request: Request) -> Response:
        """Every event pack in the box."""
        return Response([pack_data(pack) for pack in shipped_library().packs.values()])


class PackDetail(OpenView):
    @operation("Events", "pack", PackWithRulesSerializer, examples.PACK)
    def get(self, request: Request, pack_id: str) -> Response:
        """An event pack with its rules."""
        pack = shipped_library().packs.get(pack_id)
        if pack is None:
            raise Http404(_("There is no such event pack."))
        return Response({**pack_data(pack), "file": pack.data})


def _book(system_id: str, book_id: str) -> Book:
    book = shipped_library().books.get(system_id, {}).get(book_id)
    if book is None:
        raise Http404(_("There is no such book."))
    return book
