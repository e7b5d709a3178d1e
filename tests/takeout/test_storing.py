"""A list comes in step by step: nobody waits for it, and nobody sees half of it."""

from collections.abc import Callable
from datetime import timedelta
from io import BytesIO
from threading import Thread
from typing import Any

import pytest
from django.conf import LazySettings
from django.db import connection
from django.test import Client
from django.utils import timezone

from armybuilder.lists import compaction, flags
from armybuilder.lists.models import ArmyList, Bundle, Version
from armybuilder.lists.selectors import current_versions
from armybuilder.loading.library import shipped_library
from armybuilder.takeout import importing
from armybuilder.takeout.importing import CheckedVersions
from armybuilder.takeout.reading import Brought, bring_in
from tests.building.documents import skirmish
from tests.conftest import Builder
from tests.takeout.everything import history_zip

pytestmark = pytest.mark.django_db


def bring(content: bytes, holder: str = "ann") -> Brought:
    return bring_in(holder, BytesIO(content), shipped_library())


@pytest.fixture
def killed(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the process end before it stores a part, by its number; nothing is tidied up then."""

    def at(part: int) -> None:
        left = [part]
        store = importing._store_part

        def until(*args: Any) -> int:
            if left[0] == 0:
                raise KeyboardInterrupt
            left[0] -= 1
            return store(*args)

        monkeypatch.setattr(importing, "_store_part", until)
        monkeypatch.setattr(importing, "remove_list", lambda key: None)

    return at


@pytest.mark.parametrize("bundled", [True, False])
def test_what_comes_in_reads_as_it_was_written(
    bundled: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "may_bundle", lambda: bundled)
    assert bring(history_zip(60)).new["lists"] == 1
    names = [version.document.name for version in Version.objects.order_by("number")]
    assert names == [f"Name {number}" for number in range(1, 61)]
    army_list = ArmyList.objects.get()
    assert (army_list.holder, army_list.latest, army_list.name) == ("ann", 60, "Name 60")
    counted = army_list.size
    compaction.put_size(army_list)
    assert army_list.size == pytest.approx(counted, rel=0.1)
    assert Bundle.objects.exists() is bundled


def test_nothing_is_seen_of_a_list_whose_import_was_killed(killed: Callable[[int], None]) -> None:
    killed(1)
    with pytest.raises(KeyboardInterrupt):
        bring(history_zip(60))
    assert Version.objects.count() == 25
    for holder in ("ann", ""):
        assert not current_versions(holder).exists()


def test_a_killed_import_starts_again_under_the_same_id(
    killed: Callable[[int], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    content = history_zip(60)
    with monkeypatch.context() as patch:
        killed(2)
        with pytest.raises(KeyboardInterrupt):
            bring(content)
        patch.undo()
    monkeypatch.undo()
    key = ArmyList.objects.get().pk
    ((_name, reason),) = bring(content).refused
    assert "Try again in a minute" in reason
    ArmyList.objects.update(created=timezone.now() - timedelta(minutes=6))
    assert bring(content).new["lists"] == 1
    assert ArmyList.objects.get().pk == key
    assert Version.objects.count() == 60


def test_a_failed_import_removes_what_it_stored(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_args: Any) -> None:
        raise KeyError

    monkeypatch.setattr(importing, "_show", fails)
    with pytest.raises(KeyError):
        bring(history_zip(60))
    assert not ArmyList.objects.exists()
    assert not Bundle.objects.exists()
    # A refused list is never stored.
    stored: list[Any] = []
    monkeypatch.setattr(importing, "store", lambda *args: stored.append(args))
    ((_name, reason),) = bring(history_zip(200, broken=True)).refused
    assert "act" in reason
    assert not stored
    assert not Version.objects.exists()


def test_a_list_beyond_the_quota_is_left_as_soon_as_it_is_known(
    settings: LazySettings, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[int] = []
    add = CheckedVersions._add
    monkeypatch.setattr(
        CheckedVersions, "_add", lambda self, facts: checked.append(1) or add(self, facts)
    )
    before, content = settings.QUOTAS, history_zip(400)
    for quota, sentence in (
        ({"versions": 40}, "40 versions in their histories"),
        ({"size": 1_000}, "Your lists fill all 0 MB"),
        ({"lists": 0}, "You have 0 lists, the maximum"),
    ):
        settings.QUOTAS = {**before, "anonymous": {**before["anonymous"], **quota}}
        checked.clear()
        ((_name, reason),) = bring(content).refused
        assert sentence in reason
        assert len(checked) <= 75
        assert not ArmyList.objects.exists()


def test_a_list_is_removed_in_small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    bring(history_zip(60))
    sizes = []
    some = flags.remove_some

    def counting(key: Any, most: int) -> bool:
        before = Version.objects.count()
        found = some(key, most)
        sizes.append(before - Version.objects.count())
        return found

    monkeypatch.setattr(flags, "remove_some", counting)
    flags.remove_list(ArmyList.objects.get().pk)
    assert max(sizes) <= flags.AT_ONCE
    assert not ArmyList.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_clicks_go_on_while_two_zips_come_in() -> None:
    builder = Builder(Client(), "sbh", limit=300, books=["profiles"])
    errors: list[BaseException] = []

    def bringing(holder: str) -> None:
        try:
            for broken in (True, False):
                document = {**skirmish("chainmail-2002")}
                bring(history_zip(600, document, broken), holder)
        except BaseException as error:  # told by the test
            errors.append(error)
        finally:
            connection.close()

    threads = [Thread(target=bringing, args=(name,)) for name in ("ann", "bob")]
    for thread in threads:
        thread.start()
    clicks = 0
    while any(thread.is_alive() for thread in threads):
        answer = builder.act("rename", name=f"Name {clicks}")
        assert answer.status_code == 302
        clicks += 1
    assert errors == []
    assert clicks > 3
    assert builder.document["name"] == f"Name {clicks - 1}"
    assert sorted(ArmyList.objects.exclude(latest=clicks + 1).values_list("latest", flat=True)) == [
        600,
        600,
    ]
