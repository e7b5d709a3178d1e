"""Tables of lists: holders, and every version of the document.

The current version is the one whose number the list names; undo and redo move that number between 1
and `latest`. A row is read without its document, which is parsed on demand. A query by
`values_list` returns no rows: there a whole document comes as `Unread`.
"""

import json
import uuid
import zlib
from typing import Any, TypeAlias

from django.db import models
from django.db.models.fields.json import KeyTransform
from django.db.models.query_utils import DeferredAttribute
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from armybuilder.loading import armylist
from armybuilder.loading.forcelist import ForceList, is_force_list
from armybuilder.loading.problems import Refusal
from armybuilder.tables import NamedTable

#: The document of a list: of books of ours, or of a community's files.
ListDocument: TypeAlias = armylist.ArmyList | ForceList

#: What a row whose document is kept elsewhere has in its place: the `null` of JSON, so that the
#: column of a large table need not change.
ELSEWHERE = models.Value(None, models.JSONField())


class OfFiles(Refusal):
    """Something that lists of a community's files cannot do (yet)."""

    def __init__(self) -> None:
        super().__init__(_("This isn’t available yet for lists of games from files."))


class Unread:
    """Document as the database gave it out."""

    __slots__ = ("_field", "_text")

    def __init__(self, text: Any, field: "ArmyListField") -> None:
        self._text = text
        self._field = field

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Unread) and self._text == other._text

    def __hash__(self) -> int:
        return hash(self._text)

    @property
    def text(self) -> bytes:
        """The document as JSON, in one line."""
        return str(self._text).encode()

    def read(self) -> ListDocument | None:
        """Parse it; return None if it is kept elsewhere."""
        data = json.loads(self._text, cls=self._field.decoder)
        return _read(data) if isinstance(data, dict) else None


class _ReadWhenAsked(DeferredAttribute):
    """Parses a row's document on first use, or takes it from `document_elsewhere()`.

    Raises OfFiles where it is one of a community's files: who can do with either asks
    `Version.content`.
    """

    def __get__(self, instance: Any, cls: Any = None) -> Any:
        if instance is None:
            return super().__get__(instance, cls)
        value = self.content(instance)
        if isinstance(value, ForceList):
            raise OfFiles
        return value

    def content(self, instance: Any) -> Any:
        """Return a row's document, of whichever kind."""
        value = super().__get__(instance)
        if isinstance(value, Unread):
            value = instance.__dict__[self.field.attname] = value.read()
        if value is None and hasattr(instance, "document_elsewhere"):
            return instance.document_elsewhere()
        return value

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self.field.attname] = value


class ArmyListField(models.JSONField[Any, armylist.ArmyList]):
    """Document of a list. Queries look into it as into any JSON (`document__name`)."""

    descriptor_class = _ReadWhenAsked

    def deconstruct(self) -> Any:
        """Return what migrations see: to the database it is a JSON column like any other."""
        name, _path, args, kwargs = super().deconstruct()
        return name, "django.db.models.JSONField", args, kwargs

    def from_db_value(self, value: Any, expression: Any, connection: Any) -> Any:
        """Keep the list to be read later; of a query for a part of it, that part as JSON has it."""
        if isinstance(expression, KeyTransform) or value is None:
            return super().from_db_value(value, expression, connection)
        return Unread(value, self)

    def pre_save(self, model_instance: models.Model, add: bool) -> Any:
        """Return a database row's value: nothing new if the document is kept elsewhere."""
        value = model_instance.__dict__.get(self.attname)
        return ELSEWHERE if value is None else value

    def get_prep_value(self, value: Any) -> Any:
        return super().get_prep_value(_data(value))

    def to_python(self, value: Any) -> Any:
        """Read the list as `loaddata` hands it in."""
        return _read(value) if isinstance(value, dict) else value

    def value_to_string(self, obj: models.Model) -> Any:
        return _data(content_of(obj))


def content_of(row: models.Model) -> Any:
    """Return the document of a row that has one, of whichever kind."""
    return vars(type(row))["document"].content(row)


def list_of(text: bytes) -> ListDocument:
    """Read a list from the JSON that is kept elsewhere than in its column."""
    return _read(json.loads(text))


def _read(data: dict[str, Any]) -> ListDocument:
    if is_force_list(data):
        return ForceList.from_dict(data)
    return armylist.ArmyList.from_dict(data)


def _data(value: Any) -> Any:
    if isinstance(value, Unread):
        value = value.read()
    return value.to_dict() if isinstance(value, ListDocument) else value


class KeptPack(NamedTable):
    """Event pack as lists are built by it. Never changed."""

    revision = models.CharField(max_length=16, primary_key=True)
    data = models.JSONField()


class ArmyList(NamedTable):
    """List; `holder` is a random name kept in a session. Deleted ones cannot be opened."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    holder = models.CharField(max_length=64)
    number = models.PositiveIntegerField(default=1)
    latest = models.PositiveIntegerField(default=1)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True, db_index=True)
    deleted = models.DateTimeField(null=True, blank=True)
    archived = models.DateTimeField(null=True, blank=True)
    pinned = models.BooleanField(default=False)
    tags = models.JSONField(default=list, blank=True)
    # That of the event which it is built for.
    pack = models.ForeignKey(
        KeptPack, on_delete=models.SET_NULL, null=True, blank=True, related_name="+"
    )

    # Kept for pages that show many lists; None: not known yet (a column that may be None is added
    # to a large table at once). `size` is how many bytes the documents of all its versions take,
    # and `frozen_size` those of its frozen copies with what was found about them.
    # `facts_of` is the primary key of the version that the next four tell of, and `verdict_of` says
    # for what and by which rules and books the last two hold: where either is another now, they say
    # nothing (see `summaries`).
    size = models.BigIntegerField(null=True, blank=True)
    frozen_size = models.BigIntegerField(null=True, blank=True)
    facts_of = models.BigIntegerField(null=True, blank=True)
    name = models.TextField(null=True, blank=True)  # noqa: DJ001
    system = models.CharField(max_length=80, null=True, blank=True)  # noqa: DJ001
    notes = models.TextField(null=True, blank=True)  # noqa: DJ001
    books = models.JSONField(null=True, blank=True)
    verdict_of = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001
    points = models.IntegerField(null=True, blank=True)
    outcome = models.CharField(max_length=12, null=True, blank=True)  # noqa: DJ001

    class Meta:
        indexes = [
            models.Index(fields=["holder", "-updated", "id"], name="lists_of_holder"),
            models.Index(
                fields=["deleted"], name="lists_deleted", condition=models.Q(deleted__isnull=False)
            ),
        ]


class Bundle(NamedTable):
    """Documents of some versions of a list, compressed together (see `compaction`)."""

    army_list = models.ForeignKey(ArmyList, on_delete=models.CASCADE, related_name="bundles")
    data = models.BinaryField()

    @cached_property
    def texts(self) -> list[bytes]:
        """Return the documents as JSON, as they were put in; none has an end of line in it."""
        return zlib.decompress(bytes(self.data)).split(b"\n")


class PinnedBook(NamedTable):
    """Book that any version of a list names, now or once; found by `manage.py tidy`."""

    army_list = models.ForeignKey(
        ArmyList, on_delete=models.CASCADE, related_name="pinned_books", db_index=False
    )
    book_id = models.CharField(max_length=80)
    revision = models.CharField(max_length=16)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["army_list", "book_id", "revision"], name="one_pin_per_list"
            )
        ]
        indexes = [models.Index(fields=["book_id", "revision"], name="pins_of_book")]


class Version(NamedTable):
    """Document after one `act`, a sentence; a `label` keeps it. Forms name it by its key."""

    # The constraint's index serves the key too. A second one on the key alone would tempt the
    # database to walk through all versions of a list to find its current one.
    army_list = models.ForeignKey(
        ArmyList, on_delete=models.CASCADE, related_name="versions", db_index=False
    )
    number = models.PositiveIntegerField()
    document = ArmyListField()
    act = models.CharField(max_length=200)
    label = models.CharField(max_length=60, blank=True, default="")
    created = models.DateTimeField(default=timezone.now, editable=False)
    # Where the document is kept, if not in the row: looked for only from the version on.
    bundle = models.ForeignKey(
        Bundle,
        on_delete=models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    place = models.PositiveIntegerField(null=True, blank=True)
    # The random name that a browser gave the act, which is not done again if it is sent again.
    # None: it gave none.
    act_key = models.CharField(max_length=32, null=True, blank=True)  # noqa: DJ001
    #: The document before the act that led here, where that was done just now; it is not stored.
    former: armylist.ArmyList | None = None

    @property
    def content(self) -> ListDocument:
        """Its document, of whichever kind; `document` is one of our books."""
        content: ListDocument = content_of(self)
        return content

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["army_list", "number"], name="one_version_per_number")
        ]

    def document_elsewhere(self) -> ListDocument | None:
        """Return the document if it is not in the row; None if it is nowhere."""
        if self.bundle is None or self.place is None:
            return None
        return list_of(self.bundle.texts[self.place])

    @cached_property
    def next_act(self) -> str:
        """Return what redo would do again; "" if nothing, without asking the database."""
        if self.number >= self.army_list.latest:
            return ""
        after = Version.objects.filter(army_list_id=self.army_list_id, number=self.number + 1)
        return str(after.values_list("act", flat=True).first() or "")
