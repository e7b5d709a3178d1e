"""What one holder may keep: far more than anybody plays with, and no more than that."""

import json
from typing import Any

import pytest
from django.conf import LazySettings

from armybuilder.accounts.models import User
from armybuilder.accounts.quotas import NoRoom
from armybuilder.books.models import OwnBook
from armybuilder.lists import flags, quotas, services
from armybuilder.lists.models import ArmyList, Version
from armybuilder.sharing.models import Frozen, Share
from tests.api.calls import DOCUMENT, Caller
from tests.books.shelf import Shelf
from tests.building.documents import skirmish, value_of
from tests.conftest import Builder
from tests.markup import lacking
from tests.queries import queries_of
from tests.sharing.links import make_link

pytestmark = pytest.mark.django_db

LIST = value_of(skirmish("sbh"))


@pytest.fixture
def small(settings: LazySettings) -> dict[str, Any]:
    """Quotas that tests can reach; they may be changed."""
    settings.QUOTAS = {
        "anonymous": {"lists": 3, "versions": 100, "size": 10**6, "books": 10**6},
        "user": {"lists": 5, "versions": 200, "size": 2 * 10**6, "books": 2 * 10**6},
    }
    found: dict[str, Any] = settings.QUOTAS
    return found


def make(holder: str, number: int = 1) -> list[Version]:
    return [services.create_list(holder, LIST, "Started.") for _ in range(number)]


def test_default_quotas_are_far_above_normal_use(settings: LazySettings) -> None:
    for who, lists, size in (("anonymous", 300, 20_000_000), ("user", 3_000, 200_000_000)):
        assert (settings.QUOTAS[who]["lists"], settings.QUOTAS[who]["size"]) == (lists, size), who


def test_a_list_too_many_is_not_stored_and_says_what_to_do(
    small: dict[str, Any], sbh: Builder
) -> None:
    for number in range(2):
        Builder(sbh.client, "sbh", limit=300, books=["profiles"], name=f"Nr. {number}")
    answer = sbh.client.post("/new/sbh/", {"name": "One more", "limit": 300, "books": ["profiles"]})
    assert answer.status_code == 422
    page = answer.text
    assert (
        lacking(page, "You have 3 lists, the maximum.", "With an account you have more room.") == []
    )
    assert ArmyList.objects.count() == 3


def test_accounts_have_numbers_of_their_own_and_the_api_answers_409(small: dict[str, Any]) -> None:
    ann = User.objects.create(username="ann")
    make(ann.holder, 5)
    with pytest.raises(NoRoom) as told:
        make(ann.holder)
    assert told.value.sentence.startswith("You have 5 lists, the maximum")
    assert "An account" not in told.value.sentence
    make("somebody else")
    answer = Caller(ann)("post", "/lists/", DOCUMENT)
    assert answer.status_code == 409
    assert answer.json()["detail"].startswith("You have 5 lists, the maximum")
    assert ArmyList.objects.filter(holder=ann.holder).count() == 5


def test_a_click_too_many_changes_nothing(small: dict[str, Any], sbh: Builder) -> None:
    small["anonymous"]["versions"] = 2
    sbh.act("rename", name="Second")
    answer = sbh.act("rename", name="Third")
    assert "2 versions in their histories" in answer.text
    assert sbh.document["name"] == "Second"
    assert sbh.version.army_list.latest == Version.objects.count() == 2
    # Bytes are counted as they are kept.
    small["anonymous"]["versions"] = 100
    taken = sbh.version.army_list.size or 0
    small["anonymous"]["size"] = taken + 10
    answer = sbh.act("rename", name="Longer than ten letters by far")
    assert "Your lists fill all 0 MB" in answer.text
    small["anonymous"]["size"] = 10 * taken
    sbh.act("rename", name="Longer than ten letters by far")
    assert sbh.document["name"].startswith("Longer")


def test_frozen_copies_count_until_their_last_link_is_revoked_and_must_fit(
    small: dict[str, Any], sbh: Builder
) -> None:
    sbh.act("add", ref="profiles/human-warrior")
    alone = quotas.used(sbh.version.army_list.holder).size
    first = make_link(sbh, what="frozen", view="open")
    second = make_link(sbh, what="frozen", view="full")
    assert first.frozen is not None
    kept = json.dumps(first.frozen.document.to_dict()) + json.dumps(first.frozen.report)
    frozen = quotas.used(sbh.version.army_list.holder).size - alone
    assert frozen == pytest.approx(len(kept), rel=0.1)
    sbh.client.post(f"{sbh.url}share/{first.pk}/revoke/")
    assert quotas.used(sbh.version.army_list.holder).size == alone + frozen
    # One too many is not made, but a link to the list as it is.
    sbh.act("add", ref="profiles/human-warrior")
    small["anonymous"]["size"] = quotas.used(sbh.version.army_list.holder).size + 10
    answer = sbh.client.post(f"{sbh.url}share/make/", {"what": "frozen", "view": "full"})
    assert "Your lists fill all 0 MB" in answer.text
    assert Frozen.objects.count() == Share.objects.count() == 1
    make_link(sbh, what="current", view="full")
    before = quotas.used(sbh.version.army_list.holder).size
    sbh.client.post(f"{sbh.url}share/{second.pk}/revoke/")
    assert quotas.used(sbh.version.army_list.holder).size == before - frozen


def test_deleting_makes_room_and_restoring_needs_it(small: dict[str, Any]) -> None:
    first, *_others = make("ann", 3)
    flags.delete("ann", [first.army_list_id])
    make("ann")
    with pytest.raises(NoRoom):
        flags.restore("ann", [first.army_list_id])
    assert ArmyList.objects.get(pk=first.army_list_id).deleted is not None


def test_of_deleted_lists_those_beyond_the_quota_go_the_first_deleted_first(
    small: dict[str, Any],
) -> None:
    made = []
    for _each in range(5):
        (version,) = make("ann")
        made.append(version.army_list_id)
        flags.delete("ann", [version.army_list_id])
    left = set(ArmyList.objects.values_list("pk", flat=True))
    assert left == set(made[2:])
    assert not Version.objects.exclude(army_list_id__in=left).exists()


def test_one_query_measures_a_quota_without_reading_documents() -> None:
    make("ann", 3)
    queries = queries_of(quotas.check_room, "ann")
    (query,) = queries
    assert "lists_version" not in query


def test_old_lists_whose_size_is_not_known_are_counted_from_the_next_click(sbh: Builder) -> None:
    sbh.act("rename", name="Second")
    ArmyList.objects.update(size=None)
    sbh.act("rename", name="Third")
    documents = (version.document.to_dict() for version in Version.objects.all())
    loose = sum(len(str(document)) for document in documents)
    assert sbh.version.army_list.size == pytest.approx(loose, rel=0.1)


def test_a_book_too_large_for_the_rest_is_refused_and_what_lists_have_pinned_counts(
    small: dict[str, Any], shelf: Shelf
) -> None:
    shelf.fill(3)
    before = OwnBook.objects.get()
    small["anonymous"]["books"] = (before.size or 0) + 10
    answer = shelf.change("unit-0", shelf.mark("unit-0"), name="A much longer name than before")
    assert "Your books fill all 0 MB" in answer.text
    assert OwnBook.objects.get().revision == before.revision
    fields = {"name": "Mine", "limit": 100, "books": [shelf.id]}
    assert shelf.client.post("/new/chainmail-2002/", fields).status_code == 422
    assert not ArmyList.objects.exists()
