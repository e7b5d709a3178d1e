"""Tidying: what goes, in small steps, by one at a time, and what abandoned browsers leave."""

from collections.abc import Callable, Sequence
from datetime import date, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from armybuilder.accounts.models import User
from armybuilder.books.models import Kept, OwnBook
from armybuilder.events.models import Entry, Staff
from armybuilder.housekeeping import tidying, visits
from armybuilder.housekeeping.models import Progress, Visit
from armybuilder.housekeeping.tidying import Busy, Pace, alone, count, tidy
from armybuilder.lists import compaction
from armybuilder.lists.models import ArmyList, Bundle, PinnedBook, Version
from armybuilder.loading.documents import Document
from armybuilder.printing.models import PrintJob, PrintSetup
from tests.building.documents import skirmish, value_of
from tests.conftest import Builder
from tests.events.builders import open_event
from tests.sharing.links import make_link

pytestmark = pytest.mark.django_db


DOCUMENT = value_of(skirmish("chainmail-2002"))


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without pauses; the release before is gone."""
    monkeypatch.setattr(tidying.time, "sleep", lambda seconds: None)
    monkeypatch.setattr(compaction, "_known", [True])


def now() -> Any:
    return timezone.now()


def history(versions: int, days: int = 0, **columns: Any) -> ArmyList:
    """A list with so many versions, so many days old."""
    when = now() - timedelta(days=days)
    made = ArmyList.objects.create(**{"holder": "ann", "number": versions, **columns})
    made.latest = versions
    made.save()
    Version.objects.bulk_create(
        Version(army_list=made, number=number, document=DOCUMENT, act="Act.", created=when)
        for number in range(1, versions + 1)
    )
    return made


def steps(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many rows each step removes or changes."""
    sizes: list[int] = []
    whole = Pace.steps

    def counting(
        self: Pace, some: Callable[[int], Sequence[Any]], work: Callable[[Sequence[Any]], object]
    ) -> int:
        return whole(self, some, lambda rows: (sizes.append(len(rows)), work(rows)))

    monkeypatch.setattr(Pace, "steps", counting)
    return sizes


def test_a_slow_step_is_followed_by_a_smaller_one_and_a_quick_one_by_a_larger(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    clock = [0.0]
    monkeypatch.setattr(tidying.time, "perf_counter", lambda: clock[0])
    sizes: list[int] = []
    left = [400]

    def some(size: int) -> list[int]:
        taken = min(size, left[0])
        left[0] -= taken
        return list(range(taken))

    def work(rows: Sequence[int]) -> None:
        sizes.append(len(rows))
        clock[0] += len(rows) / 2_000  # 50 rows take longer than a step should

    assert Pace().steps(some, work) == 400
    assert max(sizes) <= 50
    assert len(sizes) > 8


def test_lists_are_hidden_before_some_of_their_versions_go_at_a_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    history(60, deleted=now() - timedelta(days=91))
    assert "There was no time for all" in tidy_by_command("--remove", "--seconds", "-1")
    assert ArmyList.objects.exists()
    assert "All were removed." in tidy_by_command("--remove")
    assert not ArmyList.objects.exists()
    gone = history(60, deleted=now() - timedelta(days=91))
    paced = Pace()
    tidying._hide(paced, tidying._deleted_lists(now()))
    assert ArmyList.objects.get(pk=gone.pk).holder == ""
    assert Version.objects.count() == 60
    tidying._remove_hidden(now(), paced)
    assert not ArmyList.objects.exists()
    monkeypatch.setattr(tidying, "MOST", 30)
    history(200, deleted=now() - timedelta(days=91))
    staying = history(3)
    sizes = steps(monkeypatch)
    tidy(now())
    assert max(sizes) <= 30
    assert sum(sizes) >= 200
    assert [one.pk for one in ArmyList.objects.all()] == [staying.pk]


def test_only_one_process_tidies_at_a_time() -> None:
    with alone(now()):
        assert "Another tidy is at it" in tidy_by_command("--remove")
        with pytest.raises(Busy):
            tidy(now())
    tidy(now())
    until = now() + timedelta(minutes=4)
    Progress.objects.update_or_create(name="tidy", defaults={"until": until})
    with pytest.raises(Busy):
        tidy(now())
    tidy(now() + timedelta(minutes=5))


def test_an_import_under_way_is_left_alone_and_a_given_up_one_goes() -> None:
    under_way = history(30, holder="")
    tidy(now())
    assert Version.objects.count() == 30
    ArmyList.objects.filter(pk=under_way.pk).update(created=now() - timedelta(hours=2))
    tidy(now())
    assert not Version.objects.exists()


def test_old_versions_are_kept_smaller_and_new_ones_stay() -> None:
    old, new = history(60, days=2), history(30)
    assert tidy(now()).bundled == 59
    assert old.versions.filter(bundle=None).count() == 1
    assert new.versions.exclude(bundle=None).count() == 0
    assert all(version.document == DOCUMENT for version in old.versions.all())
    old.refresh_from_db()
    counted = sum(len(bundle.data) for bundle in Bundle.objects.all())
    assert counted < (old.size or 0) < counted + 2_000
    assert tidy(now()).bundled == 0


def test_each_version_is_looked_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "_AGAIN", 0)
    history(40)
    tidy(now())
    looked: list[int] = []
    whole = tidying.pins_of
    monkeypatch.setattr(
        tidying, "pins_of", lambda versions: looked.append(len(versions)) or whole(versions)
    )
    tidy(now())
    assert sum(looked) == 0
    history(2)
    tidy(now())
    assert 2 <= sum(looked) <= 4


def test_books_of_versions_in_bundles_are_pinned() -> None:
    history(60, days=2)
    for book in DOCUMENT.books:
        Kept.objects.create(book_id=book.id, revision=book.revision, data={})
    tidy(now())
    PinnedBook.objects.all().delete()
    Progress.objects.filter(pk="pins").update(reached=0)
    assert Version.objects.exclude(bundle=None).count() == 59
    Version.objects.filter(bundle=None).delete()
    assert tidy(now()).contents == 0
    assert Kept.objects.count() == len(DOCUMENT.books)


def test_a_list_that_takes_a_book_in_the_last_moment_keeps_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (book,) = DOCUMENT.books
    Kept.objects.create(book_id=book.id, revision=book.revision, data={})
    step = Pace.step

    def first_a_list(self: Pace, work: Callable[[], object]) -> float:
        if not ArmyList.objects.exists():
            history(1)
        return step(self, work)

    monkeypatch.setattr(Pace, "step", first_a_list)
    tidy(now())
    assert Kept.objects.exists()


class TestAbandoned:
    """What browsers without an account hold goes when they were not here for too long."""

    @pytest.fixture
    def browser(self, sbh: Builder) -> Builder:
        holder = sbh.client.session["holder"]
        PrintSetup.objects.create(holder=holder, name="Mine", fields={})
        PrintJob.objects.create(holder=holder)
        OwnBook.objects.create(
            id="own-0123456789abcdef", holder=holder, system="sbh", name="x", data={}, revision="1"
        )
        return sbh

    def away(self, days: int, after: int = 1) -> None:
        """The last visit was so many days ago, so many days after the first."""
        Visit.objects.update(seen=timezone.localdate() - timedelta(days=days))
        first = now() - timedelta(days=days + after)
        for table in (ArmyList, OwnBook):
            table._default_manager.update(created=first)

    def test_unvisited_lists_are_deleted_after_the_stated_time(self, browser: Builder) -> None:
        for days, there in ((400, True), (401, False)):
            self.away(days)
            assert count(now()).abandoned == (not there)
            assert tidy(now()).abandoned == (not there)
            for table in (ArmyList, Version, PrintSetup, PrintJob, OwnBook):
                assert table._default_manager.exists() is there or table is PrintJob
        assert not Visit.objects.exists()

    def test_lists_of_a_single_visit_are_deleted_sooner(
        self, browser: Builder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(visits, "SOONER_SINCE", date(2020, 1, 1))
        self.away(61)
        assert tidy(now()).abandoned == 0, "came back on the next day"
        self.away(60, after=0)
        assert tidy(now()).abandoned == 0
        self.away(61, after=0)
        monkeypatch.setattr(visits, "SOONER_SINCE", timezone.localdate())
        assert tidy(now()).abandoned == 0, "was told of the longer time alone"
        monkeypatch.setattr(visits, "SOONER_SINCE", date(2020, 1, 1))
        assert tidy(now()).abandoned == 1
        assert not ArmyList.objects.exists()

    @pytest.mark.parametrize("kept_by", ["link", "shared book", "entry", "helper"])
    def test_shared_and_submitted_lists_are_kept(
        self, browser: Builder, monkeypatch: pytest.MonkeyPatch, kept_by: str
    ) -> None:
        monkeypatch.setattr(visits, "SOONER_SINCE", date(2020, 1, 1))
        holder = browser.client.session["holder"]
        if kept_by == "link":
            make_link(browser, what="current", view="full")
        elif kept_by == "shared book":
            OwnBook.objects.update(shared=True)
        elif kept_by == "entry":
            Entry.objects.create(event=open_event(), number=1, holder=holder, name="Ann")
        else:
            Staff.objects.create(event=open_event(), role="judge", name="Ann", holder=holder)
        self.away(61, after=0)
        assert tidy(now()).abandoned == 0
        assert ArmyList.objects.exists()

    def test_lists_of_visitors_and_accounts_are_kept(self, browser: Builder) -> None:
        browser.client.get("/lists/")
        with CaptureQueriesContext(connection) as queries:
            browser.client.get("/lists/")
        assert not any("visit" in one["sql"] or "UPDATE" in one["sql"] for one in queries)
        self.away(500)
        session = browser.client.session
        del session["seen"]
        session.save()
        assert browser.client.get("/lists/").status_code == 200
        assert tidy(now()).abandoned == 0
        assert ArmyList.objects.exists()
        holder = browser.client.session["holder"]
        User.objects.create(username="ann", holder=holder)
        self.away(5_000)
        assert tidy(now()).abandoned == 0
        assert ArmyList.objects.exists()

    def test_browsers_from_before_visits_were_noted_count_from_the_first_tidying(
        self, browser: Builder
    ) -> None:
        Visit.objects.all().delete()
        ArmyList.objects.update(updated=now() - timedelta(days=900))
        assert tidy(now()).abandoned == 0
        assert Visit.objects.get().seen == timezone.now().date()
        later = now() + timedelta(days=402)
        assert tidy(later).abandoned == 1
        assert not ArmyList.objects.exists()

    def test_my_lists_warns_visitors_without_an_account(self, client: Client) -> None:
        Builder(client, "sbh", limit=300, books=["profiles"])
        page = " ".join(client.get("/lists/").content.decode().split())
        assert "for 400 days" in page
        assert "after 60 days" in page


# The command that removes what nobody needs any more of lists, books and sessions.


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


def tidy_by_command(*flags: str) -> str:
    output = StringIO()
    call_command("tidy", *flags, stdout=output)
    return output.getvalue()


def left() -> set[tuple[str, str]]:
    return set(Kept.objects.values_list("book_id", "revision"))


def test_books_deleted_long_ago_go_with_the_flag_and_others_stay() -> None:
    own(OLD, "a1", days_deleted=91)
    kept("practice", "b2")
    said = tidy_by_command()
    assert "Books deleted more than 90 days ago: 1." in said
    assert "nothing names any more: 1." in said
    assert "Nothing was changed" in said
    assert OwnBook.objects.count() == Kept.objects.count() == 1
    own(NOW, "a1", days_deleted=89)
    own("own-0000000000000000", "a1")
    assert "90 days ago: 1." in tidy_by_command("--remove")
    assert set(OwnBook.objects.values_list("pk", flat=True)) == {NOW, "own-0000000000000000"}


def test_contents_stay_that_a_version_of_any_list_or_a_players_book_names() -> None:
    for revision in ("a1", "b2", "c3"):
        kept("practice", revision)
    listed(("practice", "a1"), ("core", "b2"))
    listed(("practice", "c3"), number=7)
    own(NOW, "a1", days_deleted=3)
    own(OLD, "a1", days_deleted=91)
    for book in (NOW, OLD):
        kept(book, "a1")
        kept(book, "b2")
    listed((OLD, "b2"))
    # Lists without books or revisions are no hindrance.
    listed()
    made = ArmyList.objects.create(holder="ann")
    Version.objects.create(army_list=made, number=1, document={"books": [{"id": "x"}]}, act="x")
    Version.objects.create(army_list=made, number=2, document={}, act="x")
    tidy_by_command("--remove")
    assert left() == {("practice", "a1"), ("practice", "c3"), (NOW, "a1"), (OLD, "b2")}


def test_more_contents_than_one_statement_takes_all_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tidying, "STEP", 60.0)  # however slow the machine, steps do not get smaller
    rows = [Kept(book_id="practice", revision=f"{n:04}", data={}) for n in range(1200)]
    Kept.objects.bulk_create(rows)
    assert "any more: 1200." in tidy_by_command("--remove")
    assert left() == set()
    assert "any more: 0." in tidy_by_command("--remove")
