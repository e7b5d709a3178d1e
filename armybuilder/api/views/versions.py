"""Versions of a list, and links to it: told, labelled, made and ended."""

from uuid import UUID

from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from armybuilder.api import own_examples
from armybuilder.api.describing import operation
from armybuilder.api.own_things import (
    LabelSerializer,
    LinkRequestSerializer,
    LinkSerializer,
    VersionSerializer,
    VersionWithDocumentSerializer,
    link_data,
    version_data,
)
from armybuilder.api.parsing import ObjectParser
from armybuilder.api.views.base import OwnView, Paged, VersionPages
from armybuilder.api.views.lists import find_list
from armybuilder.lists.models import Version
from armybuilder.lists.selectors import find_version
from armybuilder.lists.services import set_label
from armybuilder.loading.library import shipped_library
from armybuilder.sharing.selectors import links_of
from armybuilder.sharing.shared_lists import revoke_link, share_list
from armybuilder.sharing.tokens import address_of


class ListHistory(Paged, OwnView):
    pagination_class = VersionPages

    @operation("Your lists", "history_of_list", VersionSerializer(many=True), own_examples.VERSIONS)
    def get(self, request: Request, list_id: UUID) -> Response:
        """The versions of a list, the latest first, page by page."""
        current = find_list(self.holder, list_id).number
        return self.page(_versions(list_id), lambda one: version_data(one, current), request)


def _versions(list_id: UUID) -> QuerySet[Version]:
    versions = Version.objects.filter(army_list_id=list_id)
    return versions.defer("document").order_by("-number")


class ListVersion(OwnView):
    @operation("Your lists", "version_of_list", VersionWithDocumentSerializer, own_examples.VERSION)
    def get(self, request: Request, list_id: UUID, number: int) -> Response:
        """A version of a list with its document. To go back to it, replace the list by that."""
        version = self._version(list_id, number)
        told = version_data(version, version.army_list.number)
        return Response({**told, "document": version.document.to_dict()})

    def _version(self, list_id: UUID, number: int) -> Version:
        version = find_version(self.holder, list_id, number)
        if version is None:
            raise Http404(_("There is no such version of a list of yours."))
        return version


class VersionLabel(ListVersion):
    parser_classes = [ObjectParser]
    http_method_names = ["post"]

    @operation(
        "Your lists",
        "label_version",
        VersionSerializer,
        own_examples.LABEL,
        own_examples.LABELLED,
        request=LabelSerializer,
    )
    def post(self, request: Request, list_id: UUID, number: int) -> Response:
        """Label a version of a list: labelled ones stay when old versions go."""
        asked = LabelSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        version = self._version(list_id, number)
        now = set_label(self.holder, list_id, version.pk, asked.validated_data["label"])
        return Response(version_data(now, version.army_list.number))


class ListLinks(OwnView):
    parser_classes = [ObjectParser]

    @operation("Your lists", "links_of_list", LinkSerializer(many=True), own_examples.LINKS)
    def get(self, request: Request, list_id: UUID) -> Response:
        """The links to a list, the latest first."""
        find_list(self.holder, list_id)
        return Response([link_data(link, address_of(request, link)) for link in links_of(list_id)])

    @operation(
        "Your lists",
        "make_link",
        {201: LinkSerializer},
        own_examples.MAKE_LINK,
        own_examples.LINK,
        request=LinkRequestSerializer,
    )
    def post(self, request: Request, list_id: UUID) -> Response:
        """Make a link to a list that anyone can open: to what it is at any time, or to a copy that
        is frozen now.
        """
        asked = LinkRequestSerializer(data=request.data)
        asked.is_valid(raise_exception=True)
        view, frozen = asked.validated_data["view"], asked.validated_data["frozen"]
        name = asked.validated_data.get("name", "")
        link = share_list(self.holder, list_id, shipped_library(), view, name, frozen=frozen)
        return Response(link_data(link, address_of(request, link)), status.HTTP_201_CREATED)


class ListLink(OwnView):
    @operation("Your lists", "end_link", {204: None})
    def delete(self, request: Request, list_id: UUID, link_id: UUID) -> Response:
        """End a link: nobody can open it again. With its last link a frozen copy goes."""
        if not revoke_link(self.holder, list_id, link_id):
            raise Http404(_("There is no such link."))
        return Response(status=status.HTTP_204_NO_CONTENT)
