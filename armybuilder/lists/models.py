"""Tables of lists: who holds one, and every version of its document.

The current version is the one whose number the list names; undo and redo move that number between 1
and `latest`.
"""

import uuid
import zlib

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from armybuilder.lists.fields import ArmyListField, list_of
from armybuilder.loading.armylist import ArmyList as ArmyListValue
from armybuilder.tables import Table


class KeptPack(Table):
    """Event pack as lists are built by it. Never changed."""

    revision = models.CharField(max_length=16, primary_key=True)
    data = models.JSONField()


class ArmyList(Table):
    """List; `holder` is a random name kept in a session; `tags` are in alphabetical order.

    An archived list is out of the way but can be opened; a deleted one cannot.
    """

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


class Bundle(Table):
    """Documents of some versions of a list, compressed together (see `compaction`)."""

    army_list = models.ForeignKey(ArmyList, on_delete=models.CASCADE, related_name="bundles")
    data = models.BinaryField()

    @cached_property
    def texts(self) -> list[bytes]:
        """Return the documents as JSON, as they were put in; none has an end of line in it."""
        return zlib.decompress(bytes(self.data)).split(b"\n")


class PinnedBook(Table):
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


class Version(Table):
    """Document after one `act`, a sentence; one with the player's `label` stays permanently.

    Forms name it by its primary key: a number is used again when an act follows an undo.
    """

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
    #: The document before the act that led here, where that was done just now; it is not stored.
    former: ArmyListValue | None = None

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["army_list", "number"], name="one_version_per_number")
        ]

    def document_elsewhere(self) -> ArmyListValue | None:
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
