"""A user's lists: stored, replaced, deleted; their verdicts, sheets, versions, copies and links."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction
from django.http import Http404, HttpResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from rest_framework import serializers, status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import describing, parsing
from armybuilder.api.base import (
    KeysetPages,
    OwnView,
    Paged,
    PdfRenderer,
    TakesDocument,
    TakesObject,
    TextRenderer,
    tagged,
    tagged_unless_known,
)
from armybuilder.api.describing import operation
from armybuilder.api.fields import (
    Answer,
    AnyDocumentField,
    Data,
    MomentField,
    QueryField,
    TextField,
    Texts,
    answer_of,
    answers,
)
from armybuilder.api.file_lists import subject_of
from armybuilder.api.verdicts import PDF, TEXT, DifferenceSerializer, ReportSerializer, pdf, text
from armybuilder.books.paths import is_own_id
from armybuilder.books.pinning import take
from armybuilder.books.selectors import own_books
from armybuilder.lists import flags
from armybuilder.lists.comparing import list_difference, with_report
from armybuilder.lists.forces import replace_list, store_list
from armybuilder.lists.models import ListDocument, Version
from armybuilder.lists.selectors import current_versions, find_version, lock
from armybuilder.lists.services import MAX_LABEL, Conflict, set_label
from armybuilder.lists.summaries import refresh_facts
from armybuilder.loading.armylist import ArmyList
from armybuilder.loading.documents import hash_of, judge
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sharing.selectors import address_of, find_frozen, links_of
from armybuilder.sharing.shared_lists import MAX_NAME, revoke_link, share_list
from armybuilder.tables import or_404


class ListEntrySerializer(Answer[Version]):
    """A list of yours, without its document. Points in points."""

    id = serializers.UUIDField(source="army_list_id")
    name = serializers.CharField(source="content.name")
    system = serializers.CharField(
        source="content.system", help_text="Id of a game; of one from files `files:` and its key"
    )
    limit = serializers.IntegerField(help_text="Of a game from files that of its first cost; or 0")
    created = MomentField(source="army_list.created")
    updated = MomentField(source="army_list.updated")
    archived = serializers.BooleanField()
    tags = Texts(source="army_list.tags")
    hash = serializers.CharField(help_text="SHA-256 of the canonical document")

    def make_archived(self, version: Version) -> bool:
        return version.army_list.archived is not None

    def make_hash(self, version: Version) -> str:
        return hash_of(version.content)

    def make_limit(self, version: Version) -> int:
        document = version.content
        if isinstance(document, ArmyList):
            return document.limit
        return next((limit for limit in document.limits.values() if limit >= 0), 0)


class ListSerializer(ListEntrySerializer):
    """A list of yours. The answer's ETag names this state of it."""

    document = AnyDocumentField(source="content")


class ListQueryFields(serializers.Serializer[Data]):
    """Filter of your lists."""

    system = QueryField(max_length=80, help_text="Id of a game system")
    archived = serializers.BooleanField(
        required=False,
        default=None,
        allow_null=True,
        help_text="Only archived ones, or only others",
    )


class FrozenSerializer(Answer[Frozen]):
    """A frozen copy: the list and its report at that time."""

    id = serializers.CharField(help_text="Id in URLs; the hash works, too")
    hash = serializers.CharField(help_text="SHA-256 of the canonical document")
    salt = serializers.CharField(help_text="Random; empty for old copies")
    seal = serializers.CharField(
        help_text="SHA-256 of the salt and the canonical document, which open links show"
    )
    made = MomentField()
    engine = serializers.CharField(help_text="Version of the rules engine")
    revisions = serializers.DictField(
        child=serializers.CharField(), help_text="Revision of each book"
    )
    report = serializers.DictField(
        help_text="The verdict then: legal, spent, limit, findings, unchecked …"
    )
    document = AnyDocumentField(source="content")


class FrozenLinkSerializer(FrozenSerializer):
    """A frozen copy with a new link to it, for anyone to open."""

    link = serializers.URLField()


class FreezeRequestSerializer(serializers.Serializer[Data]):
    """Contents of the frozen copy's link, and its name."""

    view = serializers.ChoiceField(choices=["full", "open"], default="full")
    name = TextField(required=False, allow_blank=True, max_length=MAX_NAME)


class VersionSerializer(Answer[Version]):
    """A list as it was after one change. Versions behind the current one were undone."""

    number = serializers.IntegerField(help_text="From 1; changes when old versions are thinned out")
    act = serializers.CharField(help_text="The change, in a sentence")
    label = serializers.CharField(  # type: ignore[assignment]  # told, not set
        help_text="Labelled versions are kept"
    )
    created = MomentField()
    current = serializers.BooleanField()

    def make_current(self, version: Version) -> bool:
        return version.number == version.army_list.number


class VersionWithDocumentSerializer(VersionSerializer):
    """The same with the list document."""

    document = AnyDocumentField(source="content")


class LabelSerializer(serializers.Serializer[Data]):
    """Name of a version; an empty one removes the name."""

    label = TextField(allow_blank=True, max_length=MAX_LABEL)  # type: ignore[assignment]  # a field


class LinkSerializer(Answer[Share]):
    """A link to a list in its current state, or to a frozen copy."""

    id = serializers.UUIDField()
    name = serializers.CharField(help_text="Only you see it")
    view = serializers.ChoiceField(choices=["full", "open"], help_text="Full list or open list")
    frozen = serializers.CharField(
        source="frozen_id", allow_null=True, help_text="Id of the frozen copy"
    )
    link = serializers.CharField(help_text="Empty if it isn't known any more")
    created = MomentField()

    def make_link(self, share: Share) -> str:
        return address_of(self.context["request"], share)


class LinkRequestSerializer(serializers.Serializer[Data]):
    """Contents of the link, whether it is frozen, and its name."""

    view = serializers.ChoiceField(choices=["full", "open"], default="full")
    frozen = serializers.BooleanField(default=False)
    name = TextField(required=False, allow_blank=True, max_length=MAX_NAME)


class ListPages(KeysetPages):
    """Lists, the latest changed first."""

    def _get_position_from_instance(self, instance: Any, ordering: Any) -> str:
        return str(instance.army_list.updated.isoformat())


def find_list(holder: str, list_id: UUID) -> Version:
    """Return the current version of a list of the holder. Raises Http404 for any other."""
    version = current_versions(holder).filter(army_list_id=list_id).first()
    return or_404(version, _("You have no such list."))


def _judgeable(request: Request, holder: str) -> ListDocument:
    """Return the document in the body, with custom books in their current revisions.

    Raises Refusal if it couldn't be opened here.
    """
    document, library = parsing.any_document_of(request.data), shipped_library()
    if not isinstance(document, ArmyList):
        return document  # storing it opens the files of its game
    own = {book.id: book.revision for book in document.books if is_own_id(book.id)}
    now = dict(own_books(holder).filter(pk__in=own).values_list("id", "revision")) if own else {}
    wanted = [key for key, revision in own.items() if revision in ("", now.get(key))]
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
    ordering = ("-army_list__updated", "army_list_id")
    parser_classes = [parsing.DocumentParser]
    takes_files = True

    @operation("Your lists", "lists", ListEntrySerializer(many=True), parameters=[ListQueryFields])
    def get(self, request: Request) -> Response:
        """Return your lists, the latest changed first, page by page."""
        query = parsing.read_fields(ListQueryFields, request.query_params)
        versions = current_versions(self.holder)
        if query.get("system"):
            refresh_facts(self.holder)
            versions = versions.filter(army_list__system=query["system"])
        if query["archived"] is not None:
            versions = versions.filter(army_list__archived__isnull=not query["archived"])
        return self.page(versions, ListEntrySerializer)

    @operation("Your lists", "store_list", {201: ListSerializer}, parameters=[describing.WITH_ETAG])
    def post(self, request: Request) -> Response:
        """Store a list document as a new list, which need not be legal.

        Custom books that it names without a revision are used in their current one.
        """
        document, act = _judgeable(request, self.holder), _("Saved through the API.")
        version = store_list(self.holder, document, act)
        stored = find_list(self.holder, version.army_list_id)
        response = tagged(answer_of(ListSerializer, stored), status.HTTP_201_CREATED)
        response["Location"] = reverse("api-list", args=[version.army_list_id])
        return response


class ListDetail(TakesDocument, OwnView):
    takes_files = True

    @operation("Your lists", "list", {200: ListSerializer, 304: None}, parameters=describing.READS)
    def get(self, request: Request, list_id: UUID) -> Response:
        """Return a list with its document and its ETag."""
        return tagged_unless_known(
            answer_of(ListSerializer, find_list(self.holder, list_id)), request
        )

    @operation("Your lists", "replace_list", ListSerializer, parameters=describing.REPLACES)
    def put(self, request: Request, list_id: UUID) -> Response:
        """Replace a list's document, if the list is still as you read it.

        The earlier version stays in its history.
        """
        document = _judgeable(request, self.holder)
        version = find_list(self.holder, list_id)
        parsing.require_match(request, answer_of(ListSerializer, version), needed=True)
        act = _("Replaced through the API.")
        try:
            replace_list(self.holder, list_id, version.pk, document, act)
        except Conflict as conflict:
            raise parsing.OtherState from conflict
        return tagged(answer_of(ListSerializer, find_list(self.holder, list_id)))

    @operation("Your lists", "delete_list", {204: None}, parameters=describing.DELETES)
    def delete(self, request: Request, list_id: UUID) -> Response:
        """Delete a list. For a while it can be restored on the page *My lists*."""
        with transaction.atomic():
            version = lock(self.holder, list_id)
            parsing.require_match(request, answer_of(ListSerializer, version), needed=False)
            flags.delete(self.holder, [list_id])
        return Response(status=status.HTTP_204_NO_CONTENT)


class ListReport(OwnView):
    @operation("Your lists", "report_of_list", ReportSerializer)
    def get(self, request: Request, list_id: UUID) -> Response:
        """Return a newly made verdict on a list."""
        subject = subject_of(find_list(self.holder, list_id))
        return Response(answer_of(ReportSerializer, with_report(subject).report))


class ListDiff(OwnView):
    @operation("Your lists", "diff_of_lists", DifferenceSerializer)
    def get(self, request: Request, list_id: UUID, other_id: UUID) -> Response:
        """Return the differences between two of your lists; the first is the earlier one."""
        versions = (find_list(self.holder, each) for each in (list_id, other_id))
        before, after = (with_report(subject_of(version)) for version in versions)
        found = list_difference(before, after, one_list=False)
        return Response(answer_of(DifferenceSerializer, found))


class ListSheet(OwnView):
    renderer_classes = [PdfRenderer, JSONRenderer]

    @operation("Your lists", "sheet_of_list", PDF, parameters=describing.SETUP)
    def get(self, request: Request, list_id: UUID) -> HttpResponse:
        """Return the sheets of a list in one PDF."""
        return pdf(subject_of(find_list(self.holder, list_id)), request.query_params)


class ListText(OwnView):
    renderer_classes = [TextRenderer, JSONRenderer]

    @operation("Your lists", "text_of_list", TEXT, parameters=describing.TEXT_FORM)
    def get(self, request: Request, list_id: UUID) -> HttpResponse:
        """Return a list as text, in one of several forms."""
        return text(subject_of(find_list(self.holder, list_id)), request.query_params)


class ListFrozen(TakesObject, OwnView):
    @operation(
        "Frozen copies", "freeze_list", {201: FrozenLinkSerializer}, request=FreezeRequestSerializer
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Freeze the current list, and make a link to the copy that anyone can open.

        Revoke the link on the list's page *Share*; the copy is deleted with its last link.
        """
        fields = parsing.read_fields(FreezeRequestSerializer, request.data)
        view, name = fields["view"], fields.get("name", "")
        link = share_list(self.holder, list_id, shipped_library(), view, name, frozen=True)
        answer = {**answer_of(FrozenSerializer, link.frozen), "link": address_of(request, link)}
        return Response(answer, status.HTTP_201_CREATED)


class FrozenDetail(OwnView):
    @operation("Frozen copies", "frozen", FrozenSerializer)
    def get(self, request: Request, frozen_id: str) -> Response:
        """Return a frozen copy of one of your lists, by its id or its hash."""
        frozen = or_404(find_frozen(self.holder, frozen_id), _("You have no such frozen copy."))
        return Response(answer_of(FrozenSerializer, frozen))


class ListHistory(Paged, OwnView):
    pagination_class = KeysetPages
    ordering = ("-number",)

    @operation("Your lists", "history_of_list", VersionSerializer(many=True))
    def get(self, request: Request, list_id: UUID) -> Response:
        """Return the versions of a list, the latest first, page by page."""
        find_list(self.holder, list_id)
        versions = Version.objects.filter(army_list_id=list_id).select_related("army_list")
        return self.page(versions.defer("document").order_by("-number"), VersionSerializer)


def _version(holder: str, list_id: UUID, number: int) -> Version:
    version = find_version(holder, list_id, number)
    return or_404(version, _("Version not found."))


class ListVersion(OwnView):
    @operation("Your lists", "version_of_list", VersionWithDocumentSerializer)
    def get(self, request: Request, list_id: UUID, number: int) -> Response:
        """Return a version of a list with its document.

        To go back to it, replace the list by that.
        """
        version = _version(self.holder, list_id, number)
        return Response(answer_of(VersionWithDocumentSerializer, version))


class VersionLabel(TakesObject, OwnView):
    @operation("Your lists", "label_version", VersionSerializer, request=LabelSerializer)
    def post(self, request: Request, list_id: UUID, number: int) -> Response:
        """Label a version of a list: labelled ones stay when old versions go."""
        fields = parsing.read_fields(LabelSerializer, request.data)
        version = _version(self.holder, list_id, number)
        labelled = set_label(self.holder, list_id, version.pk, fields["label"])
        return Response(answer_of(VersionSerializer, labelled))


class ListLinks(TakesObject, OwnView):
    @operation("Your lists", "links_of_list", LinkSerializer(many=True))
    def get(self, request: Request, list_id: UUID) -> Response:
        """Return the links to a list, the latest first."""
        find_list(self.holder, list_id)
        return Response(answers(LinkSerializer, links_of(list_id), request=request))

    @operation("Your lists", "make_link", {201: LinkSerializer}, request=LinkRequestSerializer)
    def post(self, request: Request, list_id: UUID) -> Response:
        """Make a link to a list that anyone can open.

        It leads to the list in its current state, or to a copy frozen now.
        """
        fields = parsing.read_fields(LinkRequestSerializer, request.data)
        view, name, frozen = fields["view"], fields.get("name", ""), fields["frozen"]
        link = share_list(self.holder, list_id, shipped_library(), view, name, frozen)
        answer = answer_of(LinkSerializer, link, request=request)
        return Response(answer, status.HTTP_201_CREATED)


class ListLink(OwnView):
    @operation("Your lists", "end_link", {204: None})
    def delete(self, request: Request, list_id: UUID, link_id: UUID) -> Response:
        """Revoke a link. A frozen copy is deleted with its last link."""
        if not revoke_link(self.holder, list_id, link_id):
            raise Http404(_("There is no such link."))
        return Response(status=status.HTTP_204_NO_CONTENT)
