"""Database models of shared lists: links, and the frozen copies that some of them lead to."""

import hashlib
import secrets
import uuid

from django.db import models

from armybuilder.lists.models import ArmyListField, ListDocument, content_of
from armybuilder.loading.documents import canonical
from armybuilder.tables import NamedTable


def new_key() -> str:
    """Return a random name or salt: 128 bits as 32 hexadecimal digits."""
    return secrets.token_hex(16)


class Frozen(NamedTable):
    """A frozen list with its verdict at that time. Never changed.

    Each list has its own copies, with their own time, even if another's document is the same.
    `hash` is the SHA-256 of its canonical document in hexadecimal digits; old copies have it as
    their `id`, too. `salt` is random, and "" for those. `report` is as `reports.report_then` makes
    it, in `language`; `revisions` are the books' by id, `system_revision` the game's.
    """

    id = models.CharField(primary_key=True, max_length=64, default=new_key, editable=False)
    hash = models.CharField(max_length=64, db_default="", editable=False)
    salt = models.CharField(max_length=32, default=new_key, db_default="", editable=False)
    document = ArmyListField()
    report = models.JSONField()
    engine = models.CharField(max_length=20)
    system_revision = models.CharField(max_length=16)
    revisions = models.JSONField(default=dict)
    language = models.CharField(max_length=12, default="en")
    made = models.DateTimeField(auto_now_add=True)

    class Meta:
        indexes = [models.Index(fields=["hash"], name="frozen_by_hash")]

    @property
    def content(self) -> ListDocument:
        """The list, of whichever kind."""
        content: ListDocument = content_of(self)
        return content

    @property
    def seal(self) -> str:
        """The SHA-256 of the salt and the canonical document; "" for a copy without a salt.

        An open link may show it before the whole document is revealed: it cannot be tried out
        without the salt.
        """
        sealed = self.salt.encode() + canonical(self.content)
        return hashlib.sha256(sealed).hexdigest() if self.salt else ""


class Share(NamedTable):
    """A link to a list in its current state, or to a `frozen` copy; only its owner sees `name`.

    `token` is the secret of its URL, for its owner; `digest` its SHA-256, by which the link is
    found. A link from before tokens were kept, whose server has lost its secret key since, has ""
    for a token: its URL works, but can't be shown.
    """

    class View(models.TextChoices):
        OPEN = "open"
        FULL = "full"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    army_list = models.ForeignKey("lists.ArmyList", on_delete=models.CASCADE, related_name="shares")
    frozen = models.ForeignKey(
        Frozen, on_delete=models.PROTECT, null=True, blank=True, related_name="shares"
    )
    view = models.CharField(max_length=4, choices=View)
    name = models.CharField(max_length=80, blank=True)
    token = models.CharField(max_length=43, db_default="", editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)
    created = models.DateTimeField(auto_now_add=True)

    @property
    def is_open(self) -> bool:
        return self.view == self.View.OPEN


class LinkPicture(models.Model):
    """Picture of a link's target, shown by chats (see `pictures`).

    `wanted` is the mark of the picture that was `asked` for last, `made` that of the stored one.
    """

    link = models.OneToOneField(
        Share, on_delete=models.CASCADE, primary_key=True, related_name="picture"
    )
    wanted = models.CharField(max_length=32)
    asked = models.DateTimeField(db_index=True)
    made = models.CharField(max_length=32, default="", blank=True)
    png = models.BinaryField(null=True)

    def __str__(self) -> str:
        return f"{self.link_id}: {self.made}"
