"""Deleting an account takes everything of its owner, and nothing of anybody else; signing in moves
what a browser made into the account.
"""

import re
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import models
from django.dispatch import Signal
from django.test import Client
from django.utils import timezone

from armybuilder.accounts.holders import leaving, moved
from armybuilder.accounts.models import SignIn, Token, User
from armybuilder.accounts.tokens import make_token
from armybuilder.books.models import Kept, OwnBook
from armybuilder.collection.models import OwnedUnit
from armybuilder.events.entering import enter
from armybuilder.events.models import Event
from armybuilder.events.organising import set_standing
from armybuilder.events.people import wait
from armybuilder.events.rules import StaffRole, Standing
from armybuilder.games.services import keep
from armybuilder.lists.models import ArmyList, Version
from armybuilder.loading.armylist import ListBook
from armybuilder.loading.library import shipped_library
from armybuilder.packs.models import OwnPack
from armybuilder.packs.services import create_pack
from armybuilder.playing.models import KeptGame, Match
from armybuilder.printing.jobs import plan, prints
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.setups import save_setup
from armybuilder.printing.tasks import work
from armybuilder.sharing.models import Frozen, Share
from armybuilder.sheets.content.setup import Setup
from armybuilder.uploads.models import Upload
from tests.accounts.people import PASSWORD, ann, sign_in, sign_up, signed_in
from tests.addresses import addresses
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.effort import THOROUGH, scaled
from tests.events.builders import NOW, OWNER, draft_event, open_event
from tests.kept_games.files import otters, stored, system
from tests.markup import lacking
from tests.printing.jobs import print_into, while_printing
from tests.uploads.files import Uploading

pytestmark = pytest.mark.long


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
    answers = [delete(client, "wrong").text for _attempt in range(11)]
    assert "That is not your password" in answers[0]
    assert "Too many attempts" in answers[-1]
    assert User.objects.count() == 1


def test_the_page_says_what_happens_to_events_and_their_players_read_it(client: Client) -> None:
    sign_up(client)
    holder = User.objects.get().holder
    assert "Raven Cup" not in client.get("/account/delete/").text
    create_pack(holder, shipped_library().packs["raven-cup"])
    event = draft_event(holder, name="Olga's Cup")
    assert "nobody else has registered, so it is removed" in client.get("/account/delete/").text
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
    assert lacking(told, "nobody runs this event any more", "Anne") == []


def test_leaving_deletes_data_of_every_kind() -> None:
    for holder in ("leaving", "staying"):
        for make in things_of(holder).values():
            make()
    leaving.send(User, holder="leaving")
    for model in held_models():
        # An entry stays as a number that is nobody's; other events have an owner of their own.
        others = model._default_manager.exclude(holder__in=("", OWNER))
        assert list(others.values_list("holder", flat=True)) == ["staying"], model


def test_custom_books_are_deleted_but_lists_of_others_keep_their_content() -> None:
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


def test_printed_files_are_deleted_only_after_the_commit(
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


def test_a_failed_deletion_deletes_nothing(client: Client) -> None:
    sign_up(client)
    Builder(client, "sbh", limit=300, books=["profiles"])
    with failing(leaving):
        delete(client)
    assert ArmyList.objects.count() == User.objects.count() == 1


# What a browser made before signing in is in the account afterwards, whole.


def start(client: Client, name: str) -> Builder:
    return Builder(client, "sbh", limit=300, books=["profiles"], name=name)


def test_lists_made_in_a_browser_are_in_the_account_in_every_browser(client: Client) -> None:
    builder = start(client, "On the desk")
    assert sign_up(client).status_code == 302
    phone = Client()
    start(phone, "On the phone")
    sign_in(phone)
    assert "What you made in this browser" in phone.get("/lists/").text
    for browser in (client, phone):
        page = browser.get("/lists/").text
        assert lacking(page, "On the desk", "On the phone") == []
    other = signed_in()
    assert "On the desk" in other.get(builder.url).text
    assert "What you made in this browser" not in other.get("/lists/").text, "nothing moved"


@pytest.mark.slow
def test_open_tabs_still_work_after_signing_in(client: Client) -> None:
    first, second = start(client, "Of Ann"), start(client, "Two")
    assert first.page
    assert second.page
    sign_up(client)
    assert f'href="{first.url}"' in second.page
    # Who signs in as somebody else leaves the first account as it is.
    client.force_login(ann("bob"))
    assert "Of Ann" not in client.get("/lists/").text
    assert "Of Ann" in signed_in().get("/lists/").text


def test_signing_in_moves_custom_books_with_their_lists(client: Client) -> None:
    shelf = Shelf(client, name="Marsh and mill")
    shelf.add()
    builder = Builder(client, "chainmail-2002", limit=100, books=[shelf.id])
    sign_up(client)
    other = signed_in()
    assert "Marsh and mill" in other.get("/books/").text
    assert other.get(shelf.url).status_code == 200
    assert "orc-berserker" in other.get(builder.url).text


def test_signing_in_moves_data_of_every_kind() -> None:
    things = things_of("of-this-browser")
    assert {model._meta.label for model in held_models()} == set(things)
    for make in things.values():
        make()
    moved.send(User, old="of-this-browser", new="of-the-account")
    for model in held_models():
        found = model._default_manager.exclude(holder=OWNER).values_list("holder", flat=True)
        assert list(found) == ["of-the-account"], model


def test_presets_of_one_name_are_merged_only_if_equal() -> None:
    save_setup("new", "Club", Setup(), usual=True)
    save_setup("old", "Club", Setup(paper="A5"), usual=True)
    save_setup("old", "Home", Setup(paper="A5"))
    moved.send(User, old="old", new="new")
    found = PrintSetup.objects.order_by("name")
    assert [(one.holder, one.name, one.usual) for one in found] == [
        ("new", "Club", True),
        ("new", "Club 2", False),
        ("new", "Home", False),
    ]
    assert found[1].setup.paper == "A5"
    PrintSetup.objects.all().delete()
    for holder in ("new", "old"):
        save_setup(holder, "Club", Setup(paper="A5"))
    moved.send(User, old="old", new="new")
    assert [(one.holder, one.name) for one in PrintSetup.objects.all()] == [("new", "Club")]


def test_the_default_preset_of_the_browser_is_kept_if_the_account_has_none() -> None:
    save_setup("new", "Club", Setup(paper="A5"))
    save_setup("old", "Club", Setup(paper="A5"), usual=True)
    moved.send(User, old="old", new="new")
    usual = PrintSetup.objects.get(usual=True)
    assert (usual.holder, usual.setup.paper) == ("new", "A5")


@pytest.mark.slow
def test_a_print_job_under_way_goes_on_after_sign_in(
    client: Client, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    print_into(settings, tmp_path)
    for name in ("One", "Two"):
        start(client, name)
    user = ann()
    old = client.session["holder"]
    while_printing(monkeypatch, lambda _name: moved.send(User, old=old, new=user.holder))
    job = plan(old, [one.pk for one in ArmyList.objects.all()])
    job.state = PrintJob.State.WAITING
    job.moved = job.created
    job.save()
    taken = queue.take("worker")
    assert taken is not None
    work(taken)
    job.refresh_from_db()
    assert (job.state, job.done, job.holder) == ("done", 2, user.holder)
    assert all(printed for _list, _name, printed, _said in job.troubles)


def test_signing_in_takes_nothing_from_another_account(client: Client) -> None:
    """Even where a session still names the holder of somebody who is not signed in any more."""
    bob = ann("bob")
    ArmyList.objects.create(pk=uuid.uuid4(), holder=bob.holder)
    ann()
    session = client.session
    session["holder"] = bob.holder
    session.save()
    sign_in(client)
    assert ArmyList.objects.get().holder == bob.holder


def test_a_failed_move_moves_nothing(client: Client) -> None:
    start(client, "Mine")
    holder = client.session["holder"]
    ann()
    with failing(moved):
        sign_in(client)
    assert set(ArmyList.objects.values_list("holder", flat=True)) == {holder}


# Things of every kind that has a holder, and what goes wrong while they move or go.


def things_of(holder: str) -> dict[str, Callable[[], models.Model]]:
    """How to make a thing of every kind that has a holder."""
    return {
        "lists.ArmyList": lambda: ArmyList.objects.create(holder=holder, deleted=timezone.now()),
        "printing.PrintJob": lambda: PrintJob.objects.create(holder=holder),
        "uploads.Upload": lambda: Upload.objects.create(holder=holder, name="books.zip"),
        "games.Holding": lambda: keep(holder, stored().pk),
        "books.OwnBook": lambda: OwnBook.objects.create(holder=holder, system="sbh", data={}),
        "printing.PrintSetup": lambda: PrintSetup.objects.create(holder=holder, name="Club"),
        "playing.Match": lambda: Match.objects.create(holder=holder, day=NOW.date(), result="won"),
        "playing.KeptGame": lambda: KeptGame.objects.create(
            holder=holder, key="list-1", number=1, data={}
        ),
        "collection.OwnedUnit": lambda: OwnedUnit.objects.create(
            holder=holder, game="sbh", ref="a/a", name="A", number=1
        ),
        "packs.OwnPack": lambda: OwnPack.objects.create(holder=holder, system="sbh"),
        "events.Entry": lambda: enter(
            open_event().pk, holder, "Anne", "", "", NOW, shipped_library()
        ),
        "events.Waiting": lambda: wait(open_event().pk, holder, "Anne", "", "", NOW),
        "events.Staff": lambda: draft_event(holder).staff.get(),
    }


def held_models() -> list[type[models.Model]]:
    """Every table whose rows belong to a holder; users have theirs."""
    named = [
        model
        for model in apps.get_models()
        if any(field.name == "holder" for field in model._meta.get_fields())
    ]
    return [model for model in named if model is not User]


@contextmanager
def failing(signal: Signal) -> Iterator[None]:
    """What is done here sends the signal, of whose receivers the last fails."""

    def fail(**_signal: object) -> None:
        raise RuntimeError

    signal.connect(fail)
    try:
        with pytest.raises(RuntimeError):
            yield
    finally:
        signal.disconnect(fail)


# Nobody reaches what another holds, by any address of the site or the API, signed in or not.

#: Stands in everything that Ann has, and nowhere else.
MARK = "Quillwort"
#: What would end the walk for its visitor, and is none of Ann's.
NOT_WALKED = {"account/sign-out/"}
#: A picture of a page, which never changes where its address names the very file.
KEPT_BY_HER_BROWSER = {"lists/<uuid:list_id>/print/page/<int:number>.png"}


class Anns(NamedTuple):
    """What Ann has: for addresses by the name of the part, and for fields of forms."""

    parts: dict[str, Any]
    fields: dict[str, Any]


@pytest.fixture
def anns(client: Client) -> Anns:
    """A list with a history, a link and a print; a book, an upload, a set-up, a token and a draft
    event.
    """
    sign_up(client, MARK)
    shelf = Shelf(client, name=f"{MARK} book")
    shelf.add(group=MARK)
    name = f"{MARK} list"
    builder = Builder(client, "chainmail-2002", limit=100, books=[shelf.id], name=name)
    builder.act("add", ref=f"{shelf.id}/orc-berserker")
    list_id = builder.url.strip("/").split("/")[-1]
    user = User.objects.get()
    setup = PrintSetup.objects.create(holder=user.holder, name=MARK)
    token, _raw = make_token(user, MARK)
    printed = client.post("/lists/chosen/", {"do": "print", "list": [list_id]})["Location"]
    client.post(f"{builder.url}share/make/", {"what": "frozen", "view": "full", "name": MARK})
    parts = {
        "list_id": list_id,
        "other_id": list_id,
        "job_id": printed.strip("/").split("/")[-1],
        "token_id": token.pk,
        "match_id": Match.objects.create(
            holder=user.holder, day=NOW.date(), result="won", notes=MARK
        ).pk,
        "own": shelf.id,
        "unit": "orc-berserker",
        "number": 1,
    }
    share = apps.get_model("sharing", "Share").objects.get(army_list=list_id)
    parts |= {"share_id": share.pk, "link_id": share.pk, "frozen_id": share.frozen_id}
    ours = {"list": list_id, "a": list_id, "b": list_id, "book": shelf.id, "books": shelf.id}
    about = {"version": builder.version.pk, "target": builder.version.pk, "setup": setup.pk}
    fields = {**ours, **about, "from": shelf.id, "do": "delete", "act": "remove", "unit": "u1"}
    uploading = Uploading(client)
    files = {**otters(), "Otters.gst": system(MARK)}
    uploading.send(files)
    parts["upload_id"] = uploading.upload.pk
    parts["event_id"] = draft_event(user.holder, name=MARK).pk
    game = stored(files)
    keep(user.holder, game.pk)
    parts |= {"game_key": game.pk, "newer_key": game.pk}
    return Anns(parts, fields)


#: For parts of addresses that are nobody's.
ANYBODYS = {
    "system_id": "chainmail-2002", "book_id": "practice", "unit_id": "walking-kiln",
    "paper": "a4", "number": 1, "example_id": "marsh-patrol", "key": "x", "token": "x" * 43,
    "uidb36": "1", "unit": "u1", "pack_id": "raven-cup",
    "form": "json", "which": 1, "secret": "x" * 43,
    "mark": "0" * 32, "name": "x",
}  # fmt: skip


def address_of(route: str, anns: Anns) -> tuple[str, bool]:
    """The address where its parts are Ann's, as far as they can be; and whether any is."""
    hers: list[str] = []

    def part(found: re.Match[str]) -> str:
        kind, _colon, name = found[1].rpartition(":")
        for key in (name, kind):
            if key in anns.parts and not (key == "unit" and kind == "slug"):
                hers.append(key)
                return str(anns.parts[key])
        return str(ANYBODYS[name])

    return "/" + re.sub(r"<([^>]+)>", part, route), bool(hers)


def rows() -> dict[str, list[dict[str, Any]]]:
    """All that is kept, but for sessions, visits, and what Bob may make for himself."""
    left_out = {"sessions.Session", "accounts.SignIn"}
    tables = [model for model in apps.get_models() if model._meta.label not in left_out]
    return {model._meta.label: list(of_ann(model).values()) for model in tables}


def of_ann(model: type[models.Model]) -> models.QuerySet[models.Model]:
    """The rows that are Ann's, by whatever the table knows of its owner."""
    holder = User.objects.get(username=MARK).holder
    names = {field.name for field in model._meta.get_fields()}
    for path in ("holder", "army_list__holder", "user__holder"):
        if path.split("__")[0] in names:
            return model._default_manager.filter(**{path: holder}).order_by("pk")
    return model._default_manager.none()


def test_no_address_shows_or_changes_the_data_of_another_user(anns: Anns) -> None:
    bob = ann("bob")
    by_session = signed_in("bob")
    _token, raw = make_token(bob, "Bob’s program")
    by_token = Client(headers={"Authorization": f"Bearer {raw}"})
    assert by_token.get("/api/v1/lists/").status_code == 200
    before = rows()
    assert sum(map(len, before.values())) > 8
    told = []
    for number, (route, *_more) in enumerate(addresses()):
        address, hers = address_of(route, anns)
        if route in NOT_WALKED or number % scaled(2 if hers else 5, 1, 1):
            continue
        visitors = [by_session, *([by_token] if "api/" in route else [])]
        told += [
            f"{method} {address}: {answer.status_code}"
            for visitor in [*visitors, *([Client()] if hers else [])]
            for method, answer in visits(visitor, address, anns, hers)
            if leaks(answer) or (hers and not hides(route, answer.status_code))
        ]
    assert told == []
    assert rows() == before
    others = Version.objects.exclude(army_list__holder=User.objects.get(username=MARK).holder)
    assert [one.pk for one in others if MARK in str(one.document)] == []
    assert Token.objects.filter(name=MARK).exists()


def test_no_cache_and_no_browser_keeps_private_pages(anns: Anns, client: Client) -> None:
    kept, walked = [], 0
    for route, *_more in list(addresses())[:: 1 if THOROUGH else 3]:
        address, hers = address_of(route, anns)
        if not hers or route in KEPT_BY_HER_BROWSER:
            continue
        answer = client.get(address)
        told = answer.get("Cache-Control", "")
        walked += answer.status_code == 200
        want = "private" if route.startswith("api/") else "no-store"
        if answer.status_code == 200 and not (want in told and "private" in told):
            kept.append(f"{address}: {told}")
    assert kept == []
    assert walked > (30 if THOROUGH else 8)
    saved = client.get("/lists/files.zip", anns.fields)
    assert (saved.status_code, "no-store" in saved["Cache-Control"]) == (200, True)


def visits(visitor: Client, address: str, anns: Anns, hers: bool) -> Iterator[tuple[str, Any]]:
    """What comes of going there and of pressing something there."""
    # Where the address names nothing of Ann's, the question may.
    yield "GET", visitor.get(address, {} if hers else anns.fields)
    for act in (
        ("remove", "rename", "delete", "share") if address.endswith("/act/") else ("remove",)
    ):
        yield "POST", visitor.post(address, {**anns.fields, "act": act})
    if address.startswith("/api/") and hers:
        yield "PUT", visitor.put(address, {"name": "x"}, content_type="application/json")
        yield "DELETE", visitor.delete(address)


def hides(route: str, status: int) -> bool:
    """Whether an address of hers tells nothing: those of lists and books are not found."""
    return (
        status in (404, 405) if route.startswith(("lists/", "books/", "games/")) else status != 200
    )


def leaks(answer: Any) -> bool:
    body = b"".join(answer.streaming_content) if answer.streaming else answer.content
    return MARK.lower().encode() in body.lower()
