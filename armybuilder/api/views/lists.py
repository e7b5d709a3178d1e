"""A user's lists: read, stored, replaced and deleted; their verdicts, sheets and frozen copies."""

from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import examples
from armybuilder.api.describing import (
    IF_MATCH,
    IF_MATCH_NEEDED,
    IF_NONE_MATCH,
    SETUP,
    TEXT_FORM,
    WITH_ETAG,
    operation,
)
from armybuilder.api.parsing import (
    DocumentParser,
    ObjectParser,
    OtherState,
    document_of,
    etag_of,
    is_known,
    require_match,
)
from armybuilder.api.plain import difference_data, entry_data, list_data
from armybuilder.api.serializers import (
    DifferenceSerializer,
    FreezeRequestSerializer,
    FrozenLinkSerializer,
    FrozenSerializer,
    ListEntrySerializer,
    ListQuery,
    ListSerializer,
    ReportSerializer,
)
from armybuilder.api.views.base import ListPages, OwnView, Paged, PdfRenderer, TextRenderer
from armybuilder.api.views.sheets import PDF, TEXT, pdf, text
from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import take
from armybuilder.comparing.difference import difference
from armybuilder.exchange.report_data import report_data
from armybuilder.lists import flags, services
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import current_versions, lock
from armybuilder.lists.summaries import refresh_facts
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import judge
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.reports import frozen_data
from armybuilder.sharing.selectors import find_frozen
from armybuilder.sharing.shared_lists import share_list
from armybuilder.sharing.tokens import address_of


def find_list(holder: str, list_id: UUID) -> Version:
    """The current version of a list of the holder. Raises Http404 for any other."""
    version = current_versions(holder).filter(army_list_id=list_id).first()
    if version is None:
        raise Http404(_("You have no such list."))
    return version


def _answer(version: Version, code: int = status.HTTP_200_OK) -> Response:
    data = list_data(version)
    return Response(data, status=code, headers={"ETag": etag_of(data)})


def _judgeable(request: Request, holder: str) -> ArmyList:
    """The document in the body, its own books taken as they are now where it names no revision.
    Raises Refusal where it could not be opened here, either.
    """
    document, library = document_of(request.data), shipped_library()
    wanted = [book.id for book in document.books if is_own_id(book.id) and not book.revision]
    if wanted:
        taken = take(holder, library.system(document.system), library, wanted)
        books = [
            replace(book, revision=taken.get(book.id, book.revision)) for book in document.books
        ]
        document = replace(document, books=tuple(books))
    judge(document, library)
    return document


class Lists(Paged, OwnView):
    pagination_class = ListPages
    parser_classes = [DocumentParser]

    @operation(
        "Your lists",
        "lists",
        ListEntrySerializer(many=True),
        examples.ENTRIES,
        parameters=[ListQuery],
    )
    def get(self, request: Request) -> Response:
        """Your lists, the latest changed first, page by page."""
        query = ListQuery(data=request.query_params)
        query.is_valid(raise_exception=True)
        return self.page(self._found(query.validated_data), entry_data, request)

    def _found(self, asked: dict[str, object]) -> QuerySet[Version]:
        found = current_versions(self.holder)
        if asked.get("system"):
            refresh_facts(self.holder)
            found = found.filter(army_list__system=asked["system"])
        if asked.get("archived") is not None:
            found = found.filter(army_list__archived__isnull=not asked["archived"])
        return found

    @operation(
        "Your lists",
        "store_list",
        {201: ListSerializer},
        examples.TEN_MEN,
        examples.LIST,
        parameters=[WITH_ETAG],
    )
    def post(self, request: Request) -> Response:
        """Store a list document as a new list. It may be one that is not legal. Own books that it
        names without a revision are taken as they are now.
        """
        document = _judgeable(request, self.holder)
        said = _("Saved through the API.")
        version = services.create_list(self.holder, document, said)
        response = _answer(find_list(self.holder, version.army_list_id), status.HTTP_201_CREATED)
        response["Location"] = reverse("api-list", args=[version.army_list_id])
        return response


class ListDetail(OwnView):
    parser_classes = [DocumentParser]

    @operation(
        "Your lists",
        "list",
        {200: ListSerializer, 304: None},
        examples.LIST,
        parameters=[WITH_ETAG, IF_NONE_MATCH],
    )
    def get(self, request: Request, list_id: UUID) -> Response:
        """A list with its document and its ETag."""
        response = _answer(find_list(self.holder, list_id))
        if is_known(request, response["ETag"]):
            headers = {"ETag": response["ETag"]}
            return Response(status=status.HTTP_304_NOT_MODIFIED, headers=headers)
        return response

    @operation(
        "Your lists",
        "replace_list",
        ListSerializer,
        examples.TEN_MEN,
        examples.LIST,
        parameters=[WITH_ETAG, IF_MATCH_NEEDED],
    )
    def put(self, request: Request, list_id: UUID) -> Response:
        """Replace a list's document, if the list is still as you read it. What was there before
        stays in its history.
        """
        document = _judgeable(request, self.holder)
        version = find_list(self.holder, list_id)
        require_match(request, etag_of(list_data(version)), needed=True)
        said = _("Replaced through the API.")
        try:
            services.replace_document(self.holder, list_id, version.pk, document, said)
        except services.Conflict as conflict:
            raise OtherState from conflict
        return _answer(find_list(self.holder, list_id))

    @operation("Your lists", "delete_list", {204: None}, parameters=[IF_MATCH])
    def delete(self, request: Request, list_id: UUID) -> Response:
        """Delete a list. For a while it can be restored on the page *My lists*."""
        with transaction.atomic():
            version = lock(self.holder, list_id)
            require_match(request, etag_of(list_data(version)), needed=False)
            flags.delete(self.holder, [list_id])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ListReport(OwnView):
    @operation("Your lists", "report_of_list", ReportSerializer, examples.REPORT)
    def get(self, request: Request, list_id: UUID) -> Response:
        """The verdict on a list, worked out anew."""
        judged = judge(find_list(self.holder, list_id).document, shipped_library())
        return Response(report_data(judged.report))


class ListDiff(OwnView):
    @operation("Your lists", "diff_of_lists", DifferenceSerializer, examples.DIFFERENCE)
    def get(self, request: Request, list_id: UUID, other_id: UUID) -> Response:
        """What differs between two of your lists, the first taken as the one before."""
        versions = (find_list(self.holder, one) for one in (list_id, other_id))
        before, after = (judge(version.document, shipped_library()) for version in versions)
        return Response(difference_data(difference(before, after, one_list=False)))


class ListSheet(OwnView):
    renderer_classes = [PdfRenderer, JSONRenderer]

    @operation("Your lists", "sheet_of_list", PDF, parameters=SETUP)
    def get(self, request: Request, list_id: UUID) -> HttpResponse:
        """The sheets of a list in one PDF."""
        return pdf(find_list(self.holder, list_id).document, request.query_params)


class ListText(OwnView):
    renderer_classes = [TextRenderer, JSONRenderer]

    @operation("Your lists", "text_of_list", TEXT, examples.TEXT, parameters=TEXT_FORM)
    def get(self, request: Request, list_id: UUID) -> HttpResponse:
        """A list as text, in one of several forms."""
        return text(find_list(self.holder, list_id).document, request.query_params)


class ListFrozen(OwnView):
    parser_classes = [ObjectParser]

    @operation(
        "Frozen copies",
        "freeze_list",
        {201: FrozenLinkSerializer},
        examples.FREEZE,
        examples.FROZEN_LINK,
        request=FreezeRequestSerializer,
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Freeze a list as it is now, and make a link to the copy that anyone can open. The link
        is revoked on the list's page *Share*; with its last link a copy goes.
        """
        asked = FreezeRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        view, name = asked.validated_data["view"], asked.validated_data.get("name", "")
        link = share_list(self.holder, list_id, shipped_library(), view, name, frozen=True)
        if link.frozen is None:
            raise LookupError("a link to a frozen copy leads to one")
        data = {**frozen_data(link.frozen), "link": address_of(request, link)}
        return Response(data, status=status.HTTP_201_CREATED)


class FrozenDetail(OwnView):
    @operation("Frozen copies", "frozen", FrozenSerializer, examples.FROZEN)
    def get(self, request: Request, frozen_id: str) -> Response:
        """A frozen copy of one of your lists, by its id or its hash."""
        frozen = find_frozen(self.holder, frozen_id)
        if frozen is None:
            raise Http404(_("You have no such frozen copy."))
        return Response(frozen_data(frozen))
