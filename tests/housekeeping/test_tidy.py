"""The command that removes what nobody needs any more of lists, books and sessions."""

from datetime import timedelta
from io import StringIO

import pytest
from django.core.management import call_command
from django.utils import timezone

from armybuilder.books.models import Kept, OwnBook
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.documents import Document

pytestmark = pytest.mark.django_db

OLD, NOW = "own-0123456789abcdef", "own-fedcba9876543210"


def own(book_id: str, revision: str, days_deleted: int | None = None) -> OwnBook:
    """A stored book, put away so many days ago."""
    when = None if days_deleted is None else timezone.now() - timedelta(days=days_deleted)
    return OwnBook.objects.create(
        id=book_id, holder="ann", system="sbh", name="Mine", data={}, revision=revision,
        deleted=when,
    )  # fmt: skip


def kept(book_id: str, revision: str) -> None:
    Kept.objects.create(book_id=book_id, revision=revision, data={})


def listed(*books: tuple[str, str], number: int = 1) -> None:
    """A list whose version names these books."""
    document: Document = {"books": [{"id": key, "revision": revision} for key, revision in books]}
    made = ArmyList.objects.create(holder="ann", deleted=timezone.now())
    Version.objects.create(army_list=made, number=number, document=document, act="Started.")


def tidy(*flags: str) -> str:
    said = StringIO()
    call_command("tidy", *flags, stdout=said)
    return said.getvalue()


def left() -> set[tuple[str, str]]:
    return set(Kept.objects.values_list("book_id", "revision"))


def test_without_the_flag_it_counts_and_changes_nothing() -> None:
    own(OLD, "a1", days_deleted=91)
    kept("practice", "b2")
    said = tidy()
    assert "Books deleted more than 90 days ago: 1." in said
    assert "nothing names any more: 1." in said
    assert "Nothing was changed" in said
    assert OwnBook.objects.count() == Kept.objects.count() == 1


def test_books_deleted_long_ago_go_and_others_stay() -> None:
    own(OLD, "a1", days_deleted=91)
    own(NOW, "a1", days_deleted=89)
    own("own-0000000000000000", "a1")
    assert "90 days ago: 1." in tidy("--remove")
    assert set(OwnBook.objects.values_list("pk", flat=True)) == {NOW, "own-0000000000000000"}


def test_contents_that_any_version_of_any_list_names_stay() -> None:
    for revision in ("a1", "b2", "c3"):
        kept("practice", revision)
    listed(("practice", "a1"), ("core", "b2"))
    listed(("practice", "c3"), number=7)
    tidy("--remove")
    assert left() == {("practice", "a1"), ("practice", "c3")}


def test_contents_that_a_players_book_still_has_stay() -> None:
    own(NOW, "a1", days_deleted=3)
    kept(NOW, "a1")
    kept(NOW, "b2")
    tidy("--remove")
    assert left() == {(NOW, "a1")}


def test_contents_of_a_book_that_goes_go_with_it_unless_a_list_names_them() -> None:
    own(OLD, "a1", days_deleted=91)
    kept(OLD, "a1")
    kept(OLD, "b2")
    listed((OLD, "b2"))
    tidy("--remove")
    assert left() == {(OLD, "b2")}


def test_lists_without_books_or_revisions_are_no_hindrance() -> None:
    listed()
    made = ArmyList.objects.create(holder="ann")
    Version.objects.create(army_list=made, number=1, document={"books": [{"id": "x"}]}, act="x")
    Version.objects.create(army_list=made, number=2, document={}, act="x")
    kept("practice", "a1")
    tidy("--remove")
    assert left() == set()


def test_more_contents_than_one_statement_takes_all_go() -> None:
    rows = [Kept(book_id="practice", revision=f"{n:04}", data={}) for n in range(1200)]
    Kept.objects.bulk_create(rows)
    assert "any more: 1200." in tidy("--remove")
    assert left() == set()
    assert "any more: 0." in tidy("--remove")
