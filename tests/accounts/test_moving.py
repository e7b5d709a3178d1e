"""What a browser made before signing in is in the account afterwards, whole."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from django.test import Client

from armybuilder.accounts.holders import moved
from armybuilder.accounts.models import User
from armybuilder.lists.models import ArmyList
from armybuilder.printing import tasks as work
from armybuilder.printing.jobs import plan
from armybuilder.printing.jobs import prints as queue
from armybuilder.printing.models import PrintJob, PrintSetup
from armybuilder.printing.setups import save_setup
from armybuilder.sheets.content.setup import Setup
from tests.accounts.held import failing, held_models, things_of
from tests.accounts.people import ann, sign_in, sign_up, signed_in
from tests.books.shelf import Shelf
from tests.conftest import Builder
from tests.events.builders import OWNER
from tests.markup import lacking
from tests.printing.jobs import print_into


def start(client: Client, name: str) -> Builder:
    return Builder(client, "sbh", limit=300, books=["profiles"], name=name)


def test_what_a_browser_made_is_in_the_account_in_every_browser(client: Client) -> None:
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


def test_open_tabs_stay_open(client: Client) -> None:
    first, second = start(client, "Of Ann"), start(client, "Two")
    assert first.page
    assert second.page
    sign_up(client)
    assert f'href="{first.url}"' in second.page
    # Who signs in as somebody else leaves the first account as it is.
    client.force_login(ann("bob"))
    assert "Of Ann" not in client.get("/lists/").text
    assert "Of Ann" in signed_in().get("/lists/").text


def test_own_books_come_along_with_the_lists_that_use_them(client: Client) -> None:
    shelf = Shelf(client, name="Marsh and mill")
    shelf.add()
    builder = Builder(client, "chainmail-2002", limit=100, books=[shelf.id])
    sign_up(client)
    other = signed_in()
    assert "Marsh and mill" in other.get("/books/").text
    assert other.get(shelf.url).status_code == 200
    assert "orc-berserker" in other.get(builder.url).text


def test_things_of_every_kind_that_has_a_holder_move() -> None:
    things = things_of("of-this-browser")
    assert {model._meta.label for model in held_models()} == set(things)
    for make in things.values():
        make()
    moved.send(User, old="of-this-browser", new="of-the-account")
    for model in held_models():
        found = model._default_manager.exclude(holder=OWNER).values_list("holder", flat=True)
        assert list(found) == ["of-the-account"], model


def test_set_ups_of_one_name_are_both_kept_if_they_differ_else_become_one() -> None:
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


def test_the_usual_set_up_of_the_browser_stays_usual_where_the_account_has_none() -> None:
    save_setup("new", "Club", Setup(paper="A5"))
    save_setup("old", "Club", Setup(paper="A5"), usual=True)
    moved.send(User, old="old", new="new")
    usual = PrintSetup.objects.get(usual=True)
    assert (usual.holder, usual.setup.paper) == ("new", "A5")


def test_a_print_that_is_under_way_goes_on(
    client: Client, tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    print_into(settings, tmp_path)
    for name in ("One", "Two"):
        start(client, name)
    user = ann()
    old = client.session["holder"]
    really = work.print_list

    def print_list(*given: Any) -> bytes:
        moved.send(User, old=old, new=user.holder)
        return really(*given)

    monkeypatch.setattr(work, "print_list", print_list)
    job = plan(old, [one.pk for one in ArmyList.objects.all()])
    job.state = PrintJob.State.WAITING
    job.save()
    taken = queue.take("worker")
    assert taken is not None
    work.work(taken)
    job.refresh_from_db()
    assert (job.state, job.done, job.holder) == ("done", 2, user.holder)
    assert all(printed for _list, _name, printed, _said in job.troubles)


def test_what_another_account_holds_stays_with_it(client: Client) -> None:
    """Even where a session still names the holder of somebody who is not signed in any more."""
    bob = ann("bob")
    ArmyList.objects.create(pk=uuid.uuid4(), holder=bob.holder)
    ann()
    session = client.session
    session["holder"] = bob.holder
    session.save()
    sign_in(client)
    assert ArmyList.objects.get().holder == bob.holder


def test_where_moving_fails_nothing_has_moved(client: Client) -> None:
    start(client, "Mine")
    holder = client.session["holder"]
    ann()
    with failing(moved):
        sign_in(client)
    assert set(ArmyList.objects.values_list("holder", flat=True)) == {holder}
