"""Writes: what a change stores, what meets a change from elsewhere, and the step back."""

from collections.abc import Callable

import pytest
from django.http import Http404
from django.utils import timezone

from armybuilder.authoring.checking import mark_of
from armybuilder.books import services
from armybuilder.books.models import OwnBook
from armybuilder.books.services import BookConflict, BookResult, Watch
from armybuilder.loading.books import revision_of
from armybuilder.loading.documents import Document
from armybuilder.loading.problems import Refusal

pytestmark = pytest.mark.django_db

HOLDER = "ann"


def document(**changes: object) -> Document:
    return {
        "format": "book/1", "id": "own-0123456789abcdef", "system": "sbh", "name": "Mine",
        "about": "Some.", "kind": "own", "source": {"title": "Made by a player"},
        "units": [{"id": "orc", "name": "Orc"}, {"id": "elf", "name": "Elf"}], **changes,
    }  # fmt: skip


@pytest.fixture
def book(db: None) -> OwnBook:
    return services.create_book(HOLDER, document())


def rename_unit(name: str, to: str) -> Callable[[Document], BookResult]:
    def edit(data: Document) -> BookResult:
        units = [{**unit, "name": to} if unit["id"] == name else unit for unit in data["units"]]
        return BookResult({**data, "units": units}, f"{name} is {to}.", name)

    return edit


def orc(data: Document) -> dict[str, str] | None:
    return next((unit for unit in data["units"] if unit["id"] == "orc"), None)


def change(book: OwnBook, to: str, watch: Watch | None = None, unit: str = "orc") -> OwnBook:
    return services.change_book(HOLDER, book.pk, rename_unit(unit, to), watch).book


def stored(book: OwnBook) -> OwnBook:
    return OwnBook.objects.get(pk=book.pk)


def test_a_change_stores_document_revision_name_and_count_one_of_nothing_keeps_the_step_back(
    book: OwnBook,
) -> None:
    more = document(name="Other", units=[])
    services.change_book(HOLDER, book.pk, lambda data: BookResult(more, "Emptied."))
    now = stored(book)
    assert (now.data, now.name, now.unit_count) == (more, "Other", 0)
    assert now.revision == revision_of(more)
    assert now.act == "Emptied."
    services.change_book(HOLDER, book.pk, lambda data: BookResult(data, "Nothing."))
    assert stored(book).act == "Emptied."


def test_a_refused_change_stores_nothing_and_a_new_book_has_nothing_to_undo(book: OwnBook) -> None:
    def refuse(data: Document) -> BookResult:
        raise Refusal("No.")

    with pytest.raises(Refusal):
        services.change_book(HOLDER, book.pk, refuse)
    assert stored(book).data == document()
    with pytest.raises(Refusal, match="nothing to undo"):
        services.step(HOLDER, book.pk, book.revision)


def test_changes_from_one_old_page_are_kept_but_for_two_of_one_unit(book: OwnBook) -> None:
    seen = mark_of(orc(book.data))
    change(book, "Half-Elf", unit="elf")
    now = change(book, "Ork", Watch(orc, seen))
    assert [unit["name"] for unit in now.data["units"]] == ["Ork", "Half-Elf"]
    with pytest.raises(BookConflict) as conflict:
        change(book, "Uruk", Watch(orc, seen))
    assert orc(conflict.value.book.data) == {"id": "orc", "name": "Ork"}
    assert orc(stored(book).data) == {"id": "orc", "name": "Ork"}


def test_undo_leads_back_and_forth_but_not_from_a_page_that_is_out_of_date(book: OwnBook) -> None:
    now = change(book, "Ork")
    back, said = services.step(HOLDER, book.pk, now.revision)
    assert said == "Undone: orc is Ork."
    assert back.data == document()
    forth, said = services.step(HOLDER, book.pk, back.revision)
    assert said == "Redone: orc is Ork."
    assert forth.data == now.data
    assert stored(book).act == "orc is Ork."
    change(book, "Ork")
    with pytest.raises(BookConflict):
        services.step(HOLDER, book.pk, book.revision)


@pytest.mark.parametrize("holder", ["", "bob"])
def test_nobody_else_can_change_a_book(book: OwnBook, holder: str) -> None:
    for write in (
        lambda: services.change_book(holder, book.pk, rename_unit("orc", "Stolen")),
        lambda: services.step(holder, book.pk, book.revision),
        lambda: services.delete_book(holder, book.pk),
        lambda: services.share_book(holder, book.pk),
        lambda: services.unshare_book(holder, book.pk),
    ):
        with pytest.raises(Http404):
            write()
    assert not services.restore_book(holder, book.pk)
    assert stored(book).data == document()


def test_a_deleted_book_is_hidden_until_restored_and_keeps_its_date(book: OwnBook) -> None:
    before = stored(book).updated
    services.share_book(HOLDER, book.pk)
    services.delete_book(HOLDER, book.pk)
    services.restore_book(HOLDER, book.pk)
    assert stored(book).updated == before
    services.delete_book(HOLDER, book.pk)
    with pytest.raises(Http404):
        change(book, "Ork")
    assert services.restore_book(HOLDER, book.pk)
    assert not services.restore_book(HOLDER, book.pk)
    assert change(book, "Ork").data["units"][0]["name"] == "Ork"


def fill(number: int, **fields: object) -> None:
    made = (
        OwnBook(id=f"own-{n:016x}", holder=HOLDER, system="sbh", name="x", data={}, **fields)
        for n in range(number)
    )
    OwnBook.objects.bulk_create(made)


def test_a_browser_has_a_maximum_of_books_and_learns_what_to_do(db: None) -> None:
    fill(services.MAX_BOOKS)
    with pytest.raises(Refusal, match=r"200 books, the maximum.*Delete one") as refusal:
        services.create_book(HOLDER, document())
    assert refusal.value.sentence.endswith(".")
    services.create_book("bob", document())
    services.delete_book(HOLDER, f"own-{0:016x}")
    services.create_book(HOLDER, document(id="own-ffffffffffffffff"))
    with pytest.raises(Refusal):
        services.restore_book(HOLDER, f"own-{0:016x}")


def test_of_deleted_books_the_latest_are_kept(db: None) -> None:
    fill(services.MAX_BOOKS, deleted=timezone.now())
    services.create_book(HOLDER, document(id="own-ffffffffffffffff"))
    services.delete_book(HOLDER, "own-ffffffffffffffff")
    assert OwnBook.objects.count() == services.MAX_BOOKS
    assert services.restore_book(HOLDER, "own-ffffffffffffffff")
