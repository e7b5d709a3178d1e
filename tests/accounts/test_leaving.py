"""Deleting an account takes everything of its owner, and nothing of anybody else."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from allauth.account.models import EmailAddress
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.holders import leaving
from armybuilder.accounts.models import SignIn, Token, User
from armybuilder.accounts.tokens import make_token
from armybuilder.books.models import Kept, OwnBook
from armybuilder.events.models import Event
from armybuilder.events.organising import set_standing
from armybuilder.events.rules import StaffRole, Standing
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.armylist import ListBook
from armybuilder.loading.library import shipped_library
from armybuilder.packs.services import create_pack
from armybuilder.printing.jobs import prints
from armybuilder.printing.models import PrintJob
from armybuilder.sharing.models import Frozen, Share
from tests.accounts.held import failing, held_models, things_of
from tests.accounts.people import PASSWORD, ann, sign_up, signed_in
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.events.builders import OWNER, draft_event
from tests.markup import lacking
from tests.printing.jobs import print_into


def delete(client: Client, password: str = PASSWORD) -> Any:
    return client.post("/account/delete/", {"password": password})


def test_everything_of_the_user_goes_and_the_others_keep_theirs(client: Client) -> None:
    sign_up(client, email="ann@marsh.example")
    make_token(User.objects.get(), "Club printer")
    own = Builder(client, "sbh", limit=300, books=["profiles"])
    client.post(f"{own.url}share/make/", {"what": "frozen", "view": "full"})
    assert Frozen.objects.count() == 1
    bob = Client()
    kept = Builder(bob, "sbh", limit=300, books=["profiles"])
    sign_up(bob, "bob")
    assert delete(client)["Location"] == "/"
    assert [user.username for user in User.objects.all()] == ["bob"]
    assert [str(one.pk) in kept.url for one in ArmyList.objects.all()] == [True]
    assert Version.objects.count() == 1
    for model in (Token, EmailAddress, Share, Frozen):
        assert model.objects.count() == 0
    assert SignIn.objects.count() == 1
    assert bob.get(kept.url).status_code == 200


def test_the_user_is_signed_out_everywhere(client: Client) -> None:
    sign_up(client)
    signed_in()
    delete(client)
    assert "has been deleted" in client.get("/").text
    assert "Sign in" in client.get("/").text
    holders = [session.get_decoded().get("holder") for session in Session.objects.all()]
    assert set(holders) <= {None}


def test_the_page_alone_or_a_wrong_password_deletes_nothing(client: Client) -> None:
    sign_up(client)
    page = client.get("/account/delete/").text
    for word in ("histories", "links", "custom books", "tokens"):
        assert word in page
    answers = [delete(client, "wrong").text for _attempt in range(6)]
    assert "That is not your password" in answers[0]
    assert "Too many attempts" in answers[-1]
    assert User.objects.count() == 1


def test_the_page_says_what_happens_to_events_and_their_players_read_it(client: Client) -> None:
    sign_up(client)
    holder = User.objects.get().holder
    assert "Raven Cup" not in client.get("/account/delete/").text
    create_pack(holder, shipped_library().packs["raven-cup"])
    event = draft_event(holder, name="Olga's Cup")
    assert "nobody else has entered, so it is removed" in client.get("/account/delete/").text
    set_standing(event.pk, Standing.PUBLISHED, StaffRole.OWNER, timezone.now())
    player = Client()
    times = {"frozen_at", "due_at", "corrected_at", "revealed_at", "over_at"}
    later = timezone.now() + timedelta(days=1)
    Event.objects.filter(pk=event.pk).update(**dict.fromkeys(times, later))
    player.post(f"/events/{event.pk}/enter/", {"name": "Anne"})
    page = client.get("/account/delete/").text
    assert "it is cancelled; it goes on only with another organiser" in page
    assert "your event packs" in page
    delete(client)
    told = player.get(f"/events/{event.pk}/").text
    assert lacking(told, "nobody runs it any more", "Anne") == []


def test_things_of_every_kind_that_has_a_holder_go() -> None:
    for holder in ("leaving", "staying"):
        for make in things_of(holder).values():
            make()
    leaving.send(User, holder="leaving")
    for model in held_models():
        # An entry stays as a number that is nobody's; other events have an owner of their own.
        others = model._default_manager.exclude(holder__in=("", OWNER))
        assert list(others.values_list("holder", flat=True)) == ["staying"], model


def test_contents_of_own_books_go_but_for_those_that_lists_of_others_draw_from() -> None:
    first, second = (Shelf(signed_in(ann(one).username), name="Marsh") for one in ("ann", "bob"))
    for shelf in (first, second):
        shelf.add()
        Builder(shelf.client, "chainmail-2002", limit=100, books=[shelf.id])
    other = Builder(second.client, "chainmail-2002", limit=100, books=[second.id])
    version = Version.objects.get(pk=other.version.pk)
    book = OwnBook.objects.get(pk=first.id)
    books = (*version.document.books, ListBook(book.pk, book.revision))
    version.document = replace(version.document, books=books)
    version.save()
    Kept.objects.create(book_id=book.pk, revision="before", data={})
    delete(first.client)
    kept = set(Kept.objects.values_list("book_id", "revision"))
    assert (book.pk, book.revision) in kept
    assert (book.pk, "before") not in kept
    assert second.id in {key for key, _revision in kept}
    assert [one.pk for one in OwnBook.objects.all()] == [second.id]


def test_printed_files_go_when_it_is_certain(
    tmp_path: Path, settings: Any, django_capture_on_commit_callbacks: Any
) -> None:
    print_into(settings, tmp_path)
    job = PrintJob.objects.create(holder="leaving")
    file = tmp_path / prints.file_of(job)
    file.write_bytes(b"%PDF")
    with django_capture_on_commit_callbacks() as callbacks:
        leaving.send(User, holder="leaving")
    assert file.exists()
    assert PrintJob.objects.count() == 0
    for callback in callbacks:
        callback()
    assert not file.exists()


def test_where_something_fails_all_stays(client: Client) -> None:
    sign_up(client)
    Builder(client, "sbh", limit=300, books=["profiles"])
    with failing(leaving):
        delete(client)
    assert ArmyList.objects.count() == User.objects.count() == 1
