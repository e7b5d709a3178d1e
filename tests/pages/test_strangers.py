"""Every address, tried by somebody else: nothing of another is read or changed, by link or form."""

from typing import Any

import pytest
from django.apps import apps
from django.core import serializers
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from armybuilder.books.models import OwnBook
from armybuilder.games.services import keep
from armybuilder.loading.library import shipped_library
from armybuilder.packs.services import create_pack
from armybuilder.pages.urls import urlpatterns
from armybuilder.playing.models import Match
from armybuilder.printing.models import PrintJob
from armybuilder.sharing.models import Share
from armybuilder.uploads.models import Upload
from tests.accounts.people import ann, signed_in
from tests.addresses import addresses
from tests.conftest import Builder
from tests.events.builders import draft_event
from tests.kept_games.files import stored
from tests.sharing.links import make_link

pytestmark = [pytest.mark.django_db, pytest.mark.long]

#: What stands in all that Ann has, and nowhere else.
MARK = "Zilpzalp"
#: Whose address is what opens it, on purpose.
BY_ADDRESS = {"pack-version", "own-pack", "own-pack-file", "copy-pack"}
#: What of the database is nobody's work.
NOT_WORK = {"sessions", "housekeeping", "contenttypes", "auth"}


@pytest.fixture
def keys(client: Client) -> dict[str, Any]:
    """The keys of one of each that Ann has."""
    mine = Builder(client, "sbh", limit=300, books=["profiles"])
    mine.act("add", ref="profiles/troll")
    mine.act("rename", name=MARK)
    make_link(mine, what="current", view="full")
    holder = client.session["holder"]
    unit = {"id": "troll", "name": MARK, "points": 10}
    book = OwnBook.objects.create(
        holder=holder, system="sbh", name=MARK, revision="1", data={"units": [unit]}
    )
    pack = create_pack(holder, shipped_library().packs["raven-cup"])
    return {
        "list_id": mine.version.army_list_id,
        "book_id": book.pk,
        "pack_id": pack.pk,
        "match_id": Match.objects.create(
            holder=holder, day=timezone.localdate(), result="won", notes=MARK
        ).pk,
        "job_id": PrintJob.objects.create(holder=holder).pk,
        "upload_id": Upload.objects.create(holder=holder, name=MARK).pk,
        "share_id": Share.objects.get().pk,
        "event_id": draft_event(holder, name=MARK).pk,
        "game_key": keep(holder, stored().pk, MARK).game_id,
        "unit_id": "troll",
        "system_id": "sbh",
    }


def _kept() -> str:
    """All work that is in the database."""
    models = [one for one in apps.get_models() if one._meta.app_label not in NOT_WORK]
    rows = [row for model in models for row in model._default_manager.order_by("pk")]
    return serializers.serialize("json", rows)


def _places(keys: dict[str, Any]) -> list[tuple[str, str]]:
    """Name and address of every page that is of something of somebody's."""
    more = {"number": 1, "form": "json", "which": 1, "kind": "full", "paper": "a4", "unit": "u1"}
    owned = {"list_id", "book_id", "pack_id", "job_id", "upload_id", "share_id", "event_id"}
    owned.add("game_key")
    found = []
    for _route, address, names in addresses(urlpatterns):
        if owned & set(names) and address.name not in BY_ADDRESS:
            given = {name: {**more, **keys}.get(name, "x" * 43) for name in names}
            found.append((str(address.name), reverse(str(address.name), kwargs=given)))
    return found


@pytest.mark.parametrize("who", [pytest.param("nobody", marks=pytest.mark.slow), "another account"])
def test_a_stranger_reads_and_changes_nothing(keys: dict[str, Any], who: str) -> None:
    stranger = Client()
    if who == "another account":
        ann("bob")
        stranger = signed_in("bob")
    before, places = _kept(), _places(keys)
    wrong: list[tuple[str, str, int]] = []
    for name, address in places:
        answers = (stranger.get(address), stranger.post(address, {"act": "rename", "name": "x"}))
        wrong += [
            (name, answer.request["REQUEST_METHOD"], answer.status_code)
            for answer in answers
            if answer.status_code not in (302, 400, 404, 405, 422) or MARK in answer.text
        ]
    assert wrong == []
    assert _kept() == before
    assert len(places) > 90


def test_no_form_is_taken_from_another_site(keys: dict[str, Any], client: Client) -> None:
    strange = Client(enforce_csrf_checks=True)
    strange.cookies = client.cookies
    before, taken = _kept(), []
    for name, address in _places(keys):
        answer = strange.post(address, {"act": "rename", "name": "x"})
        if answer.status_code not in (403, 404, 405):
            taken.append((name, answer.status_code))
    assert taken == []
    assert _kept() == before


@pytest.mark.parametrize(
    "elsewhere", ["//evil.example/", "https://evil.example", "/\\evil.example", "x"]
)
def test_nothing_leads_to_another_site(client: Client, elsewhere: str) -> None:
    ann()
    for address, fields in (
        ("/theme/", {"theme": "dark"}),
        ("/language/", {"language": "de"}),
        ("/account/sign-in/", {"login": "ann", "password": "heron-delta-27"}),
        ("/account/sign-out/", {}),
    ):
        answer = client.post(f"{address}?next={elsewhere}", {**fields, "next": elsewhere})
        place = answer.get("Location", "")
        assert "evil" not in place, (address, place)
        assert answer.status_code in (200, 302, 204), address
