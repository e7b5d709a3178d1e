"""Database models of books: custom books, and every content that a list pins."""

import secrets

from django.db import models


def new_book_id() -> str:
    """Return a random id of an own book: "own-" and 16 hexadecimal digits."""
    return f"own-{secrets.token_hex(8)}"


class OwnBook(models.Model):
    """A custom book.

    `data` is its document, `revision` the hash of that; `name`, `unit_count` repeat parts of it.
    `before` is the document one step away: with `act` the one before `data`, with `before_act` the
    one that the player went back from. `share_token` is the secret of the link under which others
    see it while it is `shared`.
    """

    id = models.CharField(primary_key=True, max_length=24, default=new_book_id, editable=False)
    holder = models.CharField(max_length=64, db_index=True)
    system = models.CharField(max_length=80)
    name = models.CharField(max_length=600)
    unit_count = models.PositiveIntegerField(default=0)
    data = models.JSONField()
    revision = models.CharField(max_length=16)
    before = models.JSONField(null=True, blank=True)
    before_act = models.CharField(max_length=200, blank=True)
    act = models.CharField(max_length=200, blank=True)
    created = models.DateTimeField(auto_now_add=True)
    updated = models.DateTimeField(auto_now=True, db_index=True)
    deleted = models.DateTimeField(null=True, blank=True)
    shared = models.BooleanField(default=False)
    # Bytes of `data` and `before`; None: not counted yet.
    size = models.BigIntegerField(null=True, blank=True)
    share_token = models.CharField(max_length=40, default="", db_default="", editable=False)

    def __str__(self) -> str:
        return self.id


class BookOrigin(models.Model):
    """Origin of a custom book's parts in the BattleScribe file that it was made of.

    It is kept apart from the book, `packed` to a third of its length: only rosters need it, and it
    never changes. `size` is that in bytes.
    """

    book = models.OneToOneField(OwnBook, primary_key=True, on_delete=models.CASCADE)
    packed = models.TextField()
    size = models.BigIntegerField()

    def __str__(self) -> str:
        return self.book_id


class Kept(models.Model):
    """The content of a book, own or shipped, as some list pins it. Never changed."""

    book_id = models.CharField(max_length=80)
    revision = models.CharField(max_length=16)
    data = models.JSONField()
    size = models.BigIntegerField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["book_id", "revision"], name="one_content_per_revision")
        ]

    def __str__(self) -> str:
        return f"{self.book_id} {self.revision}"
