"""Many lists: what their rows say is true, found by an index, and judged only where it must be."""

from copy import copy
from typing import Any
from uuid import UUID

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from armybuilder.books.models import Kept
from armybuilder.engine.verdict import Outcome
from armybuilder.lists import services, summaries
from armybuilder.lists.models import ArmyList, Version
from armybuilder.lists.selectors import lists_of
from armybuilder.lists.summaries import KeptVerdicts, refresh_facts
from armybuilder.loading.documents import judge
from armybuilder.loading.library import Library, shipped_library
from armybuilder.loading.problems import Refusal
from armybuilder.pages.my_lists import search
from armybuilder.pages.my_lists.search import ListQuery
from tests.building.documents import skirmish, value_of
from tests.conftest import Builder
from tests.queries import queries_of

pytestmark = pytest.mark.django_db

HOLDER = "ann"
POINTS = ListQuery(sort="points")
LEGAL = ListQuery(verdict="legal")


def make(number: int) -> list[UUID]:
    document = value_of(skirmish("sbh"))
    return [services.create_list(HOLDER, document, "Started.").army_list_id for _ in range(number)]


@pytest.fixture
def judgings(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of lists that were judged to be found, in their order."""
    names: list[str] = []

    def noting(document: Any, library: Library) -> Any:
        names.append(document.name)
        return judge(document, library)

    monkeypatch.setattr(search, "judge", noting)
    return names


def found(wanted: ListQuery, library: Library | None = None) -> dict[str, Any]:
    return search.make_overview(HOLDER, wanted, library or shipped_library())


def test_facts_follow_clicks_and_are_taken_anew_of_another_version(sbh: Builder) -> None:
    # Facts follow clicks undo and redo.
    def name_and_version() -> tuple[str | None, int | None]:
        row = sbh.version.army_list
        return row.name, row.facts_of

    for act, name in (("rename", "Second"), ("undo", "Test list"), ("redo", "Second")):
        sbh.act(act, name="Second")
        assert name_and_version() == (name, sbh.version.pk)
    # Facts of another version are taken anew before anybody goes by them: As after a write by the
    # release before, which knew of no facts.
    sbh.act("rename", name="Second")
    row = sbh.version.army_list
    for stale in ({"facts_of": None, "name": None}, {"number": 1}):
        ArmyList.objects.update(**stale)
        assert lists_of(row.holder).get().name == sbh.document["name"]


def test_fresh_facts_are_found_out_by_an_index_alone(client: Client) -> None:
    make(3)
    queries = queries_of(refresh_facts, HOLDER)
    (query,) = queries
    plan = explained(query)
    if connection.vendor == "sqlite":
        assert "lists_of_holder" in plan
    assert "SCAN" not in plan


def explained(sql: str) -> str:
    """How SQLite does it, or PostgreSQL when it is not free to walk through small tables."""
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")
            cursor.execute(f"EXPLAIN {sql}")
            return "\n".join(row[0] for row in cursor.fetchall()).replace("Seq Scan", "SCAN")
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        return "\n".join(str(row[3]) for row in cursor.fetchall())


def test_no_query_of_the_page_walks_through_a_table(sbh: Builder) -> None:
    for query in ("", "?q=men", "?sort=points", "?verdict=legal", "?page=2"):
        sbh.client.get(f"/lists/{query}")
        with CaptureQueriesContext(connection) as queries:
            assert sbh.client.get(f"/lists/{query}").status_code == 200
        asked = [one["sql"] for one in queries if one["sql"].startswith("SELECT")]
        assert 3 <= len(asked) <= 6, query
        for sql in asked:
            assert "SCAN" not in explained(sql), sql


def test_a_page_reads_the_documents_of_its_own_lists_only(monkeypatch: pytest.MonkeyPatch) -> None:
    make(12)
    monkeypatch.setattr(search, "PER_PAGE", 5)
    read: list[int] = []
    versions_of = search.versions_of
    monkeypatch.setattr(
        search, "versions_of", lambda lists: read.append(len(lists)) or versions_of(lists)
    )
    assert [len(found(ListQuery(page=page))["rows"]) for page in (1, 2, 3)] == [5, 5, 2]
    assert read == [5, 5, 2]


def test_a_list_is_judged_once_for_its_points(judgings: list[str]) -> None:
    make(3)
    for _each in range(3):
        assert len(found(POINTS)["rows"]) == 3
    assert len(judgings) == 3


def test_only_what_has_changed_is_checked_again(judgings: list[str]) -> None:
    one, *_others = make(3)
    found(POINTS)
    judgings.clear()
    version = Version.objects.get(army_list_id=one)
    document = value_of({**skirmish("sbh"), "name": "Other", "units": []})
    services.replace_document(HOLDER, one, version.pk, document, "Changed.")
    assert found(POINTS)["rows"][-1].name == "Other"
    assert judgings == ["Other"]


def test_checks_that_take_too_long_wait_for_the_next_page(
    judgings: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    make(5)
    monkeypatch.setattr(search, "_AT_ONCE", 2)
    clock = iter(range(1000))
    monkeypatch.setattr(search.time, "perf_counter", lambda: next(clock) / 16)
    told = [found(LEGAL)["waiting"] for _each in range(3)]
    assert told[0] > 0
    assert told[-1] == 0
    assert len(judgings) == 5


def test_lists_waiting_for_their_check_are_counted(
    sbh: Builder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(search, "PATIENCE", -1.0)
    monkeypatch.setattr(search, "PATIENCE_WITH_ALL", -1.0)
    page = " ".join(sbh.client.get("/lists/?verdict=legal").text.split())
    assert "1 more is still being checked" in page
    with pytest.raises(Refusal):
        search.found_ids(sbh.client.session["holder"], LEGAL, shipped_library())


class TestNeverStale:
    """Whatever a verdict depends on: where it is another, the kept one is not believed."""

    @pytest.fixture
    def row(self) -> ArmyList:
        make(1)
        found(POINTS)
        return lists_of(HOLDER).get()

    def known(self, row: ArmyList) -> bool:
        return KeptVerdicts([row], shipped_library()).known(row) is not None

    def test_a_kept_verdict_holds_while_nothing_changes(self, row: ArmyList) -> None:
        (kept,) = [KeptVerdicts([row], shipped_library()).known(row)]
        report = judge(Version.objects.get().document, shipped_library()).report
        assert kept == (report.spent, report.outcome)
        assert report.outcome in list(Outcome)

    def test_another_version_of_list_book_or_program_is_checked_again(
        self, row: ArmyList, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        books = [[book, "another"] for book, _pinned in row.books or ()]
        for field, value in (("facts_of", (row.facts_of or 0) + 1), ("books", books)):
            other = copy(row)
            setattr(other, field, value)
            assert not self.known(other), field
        monkeypatch.setattr(summaries, "_program", lambda: "another")
        assert not self.known(row)

    def test_a_changed_game_or_book_is_checked_again(
        self, row: ArmyList, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        system = shipped_library().systems["sbh"]
        (book, *_others) = [shipped_library().books["sbh"][one] for one, _pinned in row.books or ()]
        for changed in (system, book):
            had = changed.revision
            object.__setattr__(changed, "revision", "another")
            assert not self.known(row)
            object.__setattr__(changed, "revision", had)
        assert self.known(row)

    def test_a_list_is_checked_again_when_its_book_arrives(self, row: ArmyList) -> None:
        own = ["own-0123456789abcdef", "a" * 16]
        row.books = [own]
        verdict = KeptVerdicts([row], shipped_library())
        verdict.judged(row, None)
        assert self.known(row)
        Kept.objects.create(book_id=own[0], revision=own[1], data={})
        assert not self.known(row)

    def test_what_is_shown_is_judged_anew_whatever_is_kept(self, row: ArmyList) -> None:
        ArmyList.objects.update(points=1, outcome="legal")
        (shown,) = found(ListQuery())["rows"]
        assert shown.report.spent > 1
        assert lists_of(HOLDER).get().points == shown.report.spent
