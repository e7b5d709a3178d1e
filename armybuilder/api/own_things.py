"""What a user has beside lists, as the API describes and tells it: versions, links, own books."""

from typing import Any

from rest_framework import serializers

from armybuilder.api.fields import TextField
from armybuilder.api.serializers import Data, DocumentField
from armybuilder.books.models import OwnBook
from armybuilder.lists.models import Version
from armybuilder.lists.services import MAX_LABEL
from armybuilder.sharing.models import Share
from armybuilder.sharing.services import MAX_NAME


class VersionSerializer(serializers.Serializer[Version]):
    """A list as it was after one change. Versions behind the current one were undone."""

    number = serializers.IntegerField(help_text="Counts from 1; changes where old versions go")
    act = serializers.CharField(help_text="What was done, in a sentence")
    label = serializers.CharField(  # type: ignore[assignment]  # told, not set
        allow_blank=True, help_text="Labelled versions stay"
    )
    created = serializers.DateTimeField()
    current = serializers.BooleanField()


class VersionWithDocumentSerializer(VersionSerializer):
    """The same with the list document."""

    document = DocumentField()


class LabelSerializer(serializers.Serializer[Data]):
    """What a version is called; an empty label takes the label away."""

    label = TextField(allow_blank=True, max_length=MAX_LABEL)  # type: ignore[assignment]  # a field


class LinkSerializer(serializers.Serializer[Share]):
    """A link to a list: to what it is at any time, or to a frozen copy."""

    id = serializers.UUIDField()
    name = serializers.CharField(allow_blank=True, help_text="For you alone")
    view = serializers.ChoiceField(choices=["full", "open"], help_text="What it shows")
    frozen = serializers.CharField(allow_null=True, help_text="Id of the frozen copy")
    link = serializers.CharField(allow_blank=True, help_text="Empty where it is not known any more")
    created = serializers.DateTimeField()


class LinkRequestSerializer(serializers.Serializer[Data]):
    """What the link shows, whether of the list as it is now or at any time, and its name."""

    view = serializers.ChoiceField(choices=["full", "open"], default="full")
    frozen = serializers.BooleanField(default=False)
    name = TextField(required=False, allow_blank=True, max_length=MAX_NAME)


class OwnBookSerializer(serializers.Serializer[OwnBook]):
    """A book of yours without its units. `revision` is the hash of its content."""

    id = serializers.CharField()
    name = serializers.CharField()
    system = serializers.CharField()
    revision = serializers.CharField()
    units = serializers.IntegerField(source="unit_count", help_text="How many it has")
    created = serializers.DateTimeField()
    updated = serializers.DateTimeField()
    shared = serializers.BooleanField()


class OwnBookWithDocumentSerializer(OwnBookSerializer):
    """The same with the book as a document: see the guide to the format of books."""

    document = serializers.DictField(source="data")


def version_data(version: Version, current: int) -> Data:
    """Return a version without its document; `current` is the number of the current one."""
    return {
        "number": version.number,
        "act": version.act,
        "label": version.label,
        "created": version.created.isoformat(),
        "current": version.number == current,
    }


def link_data(link: Share, address: str) -> Data:
    """Return a link with its whole address."""
    return {
        "id": str(link.pk),
        "name": link.name,
        "view": link.view,
        "frozen": link.frozen_id,
        "link": address,
        "created": link.created.isoformat(),
    }


def own_book_data(book: OwnBook) -> dict[str, Any]:
    """Return an own book with its document."""
    return dict(OwnBookWithDocumentSerializer(book).data)
