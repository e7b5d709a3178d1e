"""`validate_list` over corpora: Parquet and JSON lines in, Parquet out, by cores or by Dask."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from django.core.management import CommandError
from pyarrow import parquet

from armybuilder.books.pinning import find_kept, keep_content
from armybuilder.exchange.files import entries_of
from armybuilder.loading.archives import ArchiveEntry
from armybuilder.loading.books import revision_of
from armybuilder.loading.library import shipped_library
from armybuilder.loading.problems import Refusal
from listcorpus import judging, pools, reports
from listcorpus.corpora import CORPORA
from listcorpus.judging import Wanted, judge_all
from listcorpus.management.commands import validate_list
from listcorpus.pools import Pool, dask_pool, local_pool
from made_corpus import documents, write_corpus
from tests.management.test_validate_list import FINE, OWN, run

pytestmark = pytest.mark.django_db

#: Some of these lists are broken.
LISTS, SEED = 150, 5


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Lists of all games, as Parquet."""
    path = tmp_path_factory.mktemp("corpus") / "lists.parquet"
    write_corpus(path, LISTS, SEED)
    return path


def report_of(corpus: Path, path: Path, *options: object) -> bytes:
    run(corpus, "--report", path, *options)
    return path.read_bytes()


@pytest.fixture
def report(corpus: Path, tmp_path: Path) -> bytes:
    """The report on that corpus by one process."""
    return report_of(corpus, tmp_path / "report.parquet", "--jobs", 1)


def rows_of(path: Path) -> list[dict[str, Any]]:
    return parquet.read_table(path).to_pylist()


def table(path: Path, **columns: object) -> Path:
    parquet.write_table(pyarrow.table(columns), path)
    return path


def test_the_report_of_several_processes_is_the_same_bytes(
    corpus: Path, report: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "out.parquet"
    assert report_of(corpus, path, "--jobs", 2) == report
    rows = rows_of(path)
    assert [row["file"] for row in rows[:2]] == [f"{corpus}/0000001", f"{corpus}/0000002"]
    monkeypatch.setattr(reports, "GROUP", 64)
    report_of(corpus, path, "--jobs", 2)
    assert rows_of(path) == rows
    groups = parquet.ParquetFile(path).metadata
    assert [groups.row_group(number).num_rows for number in range(3)] == [64, 64, LISTS - 128]


def test_a_parquet_report_tells_what_the_json_report_does(corpus: Path, tmp_path: Path) -> None:
    report_of(corpus, tmp_path / "out.parquet")
    told = json.loads(report_of(corpus, tmp_path / "out.json"))
    assert {row["legal"] for row in told} == {True, False, None}
    for line, row in zip(told, rows_of(tmp_path / "out.parquet"), strict=True):
        del line["seconds"]
        verdict = row.pop("verdict")
        assert row == line
        assert (verdict == "unreadable") == (line["legal"] is None)


@pytest.mark.one_in(2)
@pytest.mark.parametrize("ending", ["jsonl", "jsonl.gz"])
def test_a_line_of_json_for_each_list_is_read_as_well(
    corpus: Path, tmp_path: Path, ending: str
) -> None:
    lines = tmp_path / f"lists.{ending}"
    write_corpus(lines, LISTS, SEED)
    report_of(lines, tmp_path / "a.parquet")
    report_of(corpus, tmp_path / "b.parquet")
    by_line, by_row = rows_of(tmp_path / "a.parquet"), rows_of(tmp_path / "b.parquet")
    assert [row.pop("file") for row in by_line] == [f"{lines}/{n}" for n in range(1, LISTS + 1)]
    assert by_line == [{key: row[key] for key in by_line[0]} for row in by_row]


LIST = json.dumps(FINE)


def test_lists_are_called_by_id_or_name_or_their_number(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"

    def names(**columns: object) -> list[str]:
        entries = list(entries_of([str(table(path, document=[LIST, LIST], **columns))], CORPORA))
        assert all(entry.content == LIST.encode() for entry in entries)
        return [entry.name.removeprefix(f"{path}/") for entry in entries]

    assert names() == ["1", "2"]
    assert names(name=["a", None]) == ["a", "2"]
    assert names(name=["a", "b"], id=[7, 8]) == ["7", "8"]
    assert names(id=["list.csv", "list.ros"]) == ["list.csv", "list.ros"]
    assert run(path)[0] == 0, "they are JSON whatever they are called"


def test_texts_may_stand_in_a_table_in_several_ways(tmp_path: Path) -> None:
    words = pyarrow.dictionary(pyarrow.int32(), pyarrow.string())
    for kind in (pyarrow.large_string(), pyarrow.binary(), pyarrow.large_binary(), words):
        column = pyarrow.array([LIST, None, LIST]).cast(kind)
        path = str(table(tmp_path / "x.parquet", document=column))
        contents = [entry.content for entry in entries_of([path], CORPORA)]
        assert contents == [LIST.encode(), b"", LIST.encode()], kind


def test_a_table_without_lists_is_told_what_it_needs(tmp_path: Path) -> None:
    columns: list[dict[str, Any]] = [{"text": [LIST]}, {"document": [1]}, {"document": [["a"]]}]
    for column in columns:
        code, _out, err = run(table(tmp_path / "x.parquet", **column), "--jobs", 1)
        assert "x.parquet: The table needs a column “document” that holds each list as JSON" in err
        assert code == 2, column


def test_broken_corpora_are_told_and_keep_nothing_else_from_being_judged(tmp_path: Path) -> None:
    (tmp_path / "a.parquet").write_bytes(b"PAR1 no table")
    whole = table(tmp_path / "whole.parquet", document=[LIST] * 3).read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[:4] + b"\0" * 40 + whole[44:])
    (tmp_path / "c.jsonl.gz").write_bytes(gzip.compress(f"{LIST}\n".encode() * 3)[:-9])
    (tmp_path / "d.jsonl.gz").write_bytes(b"no gzip")
    (tmp_path / "e.jsonl").write_text(f"\n{LIST}\n{'x' * 600_000}\n  \n{LIST}")
    code, out, err = run(tmp_path)
    assert "a.parquet: This is not a complete Parquet file." in err
    assert "b.parquet: This is not a complete Parquet file." in err
    assert "c.jsonl.gz: The file is damaged." in err
    assert "d.jsonl.gz: The file is damaged." in err
    assert "e.jsonl/3: The file has 513 KB; at most 512 KB can be read." in err
    assert all(f"{name}: Fine" in out for name in ("e.jsonl/2", "e.jsonl/5"))
    assert "whole.parquet/3: Fine" in out
    assert code == 2


def test_a_table_is_read_a_few_rows_at_a_time(tmp_path: Path) -> None:
    lists = [LIST + " " * 2000 + str(number) for number in range(20_000)]
    path = table(tmp_path / "x.parquet", document=lists)
    del lists
    before = pyarrow.total_allocated_bytes()
    most = max(pyarrow.total_allocated_bytes() - before for _ in entries_of([str(path)], CORPORA))
    assert most < 8_000_000, "it is one row group of 50 MB"


def test_all_cores_judge_where_there_may_be_many_lists(
    corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def pool(jobs: int) -> Any:
        asked.append(jobs)
        return local_pool(1)

    monkeypatch.setattr(validate_list, "local_pool", pool)
    monkeypatch.setattr(validate_list, "cores", lambda: 5)
    single = tmp_path / "a.json"
    single.write_text(LIST)
    for files in ([single], [corpus], [tmp_path], [single, corpus]):
        run(*files)
    assert asked == [1, 5, 5, 5]


def test_dask_and_jobs_are_one_or_the_other(corpus: Path) -> None:
    with pytest.raises(CommandError, match="not allowed with"):
        run(corpus, "--dask", "tcp://127.0.0.1:1", "--jobs", 2)


@pytest.fixture
def own_list() -> dict[str, Any]:
    """A legal list of an own book that this site keeps."""
    data = {**(shipped_library().shipped_data("ddm-2008", "practice") or {}), "id": OWN}
    keep_content(OWN, revision_of(data), data)
    document: dict[str, Any] = json.loads(LIST)
    document["books"] = [{"id": OWN, "revision": revision_of(data)}]
    for unit in document["units"]:
        unit["unit"] = unit["unit"].replace("practice/", f"{OWN}/")
    return document


@pytest.mark.parametrize("jobs", [1, 2])
def test_own_books_are_handed_to_the_workers(
    own_list: dict[str, Any], tmp_path: Path, jobs: int
) -> None:
    lost = {**own_list, "books": [{"id": OWN, "revision": "0" * 16}]}
    texts = [json.dumps(one) for one in [own_list, lost, own_list] * 20]
    path = table(tmp_path / "x.parquet", document=texts)
    asked: list[tuple[str, str]] = []

    def keeper(*pin: str) -> Any:
        asked.append(pin)
        return find_kept(*pin)

    wanted = Wanted(f"test {jobs} {tmp_path}", "en")
    with local_pool(jobs) as pool:
        answers = list(judge_all(entries_of([str(path)], CORPORA), wanted, keeper, pool))
    legal = [told.line.legal for answer in answers for told in answer.lines]
    assert legal == [True, False, True] * 20
    assert len(set(asked)) == 2
    assert len(asked) <= 2 * jobs * 4, "not with each lot"


def test_what_nobody_keeps_in_one_run_may_be_kept_in_the_next(
    own_list: dict[str, Any], tmp_path: Path
) -> None:
    entries = [ArchiveEntry("a.json", json.dumps(own_list).encode())]

    def legal(keeper: Any, name: str) -> bool | None:
        with local_pool(1) as pool:
            (answer,) = judge_all(entries, Wanted(f"{name} {tmp_path}", "en"), keeper, pool)
        return answer.lines[0].line.legal

    assert legal(lambda *_pin: None, "one") is False
    assert legal(find_kept, "two") is True


def test_a_worker_of_another_version_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    def elsewhere(work: Any, *given: Any) -> Any:
        with monkeypatch.context() as there:
            there.setattr(judging, "fingerprint", lambda: "another")
            answer = work(*given)
        return type("Done", (), {"result": lambda self: answer})()

    entries = [ArchiveEntry("a.json", LIST.encode())]
    pool = Pool(elsewhere, 1, lambda: 1)
    with pytest.raises(Refusal, match="another version"):
        list(judge_all(entries, Wanted("another", "en"), lambda *_pin: None, pool))


def test_generated_lists_are_the_same_each_time_and_nearly_all_readable() -> None:
    first, again = (list(islice(documents(3), 200)) for _ in range(2))
    assert first == again
    assert list(islice(documents(4), 200)) != first
    entries = [ArchiveEntry("a.json", text.encode()) for text in first]
    with local_pool(1) as pool:
        answers = list(judge_all(entries, Wanted("made", "en"), lambda *_pin: None, pool))
    unread = sum(told.line.legal is None for answer in answers for told in answer.lines)
    assert 0 < unread < 10


@pytest.fixture(scope="module")
def cluster() -> Iterator[str]:
    """The address of a scheduler with two workers, in threads of this process."""
    from distributed import LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": "127.0.0.1:0"}
    with LocalCluster(processes=False, protocol="tcp://", **options) as made:
        yield made.scheduler_address


@pytest.mark.slow
def test_dask_makes_the_same_report(
    cluster: str, corpus: Path, report: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "DASK_LOT", 20)
    assert report_of(corpus, tmp_path / "out.parquet", "--dask", cluster) == report
    _code, out, _err = run(corpus, "--dask", cluster, "--json")
    assert len(json.loads(out)) == LISTS


def test_dask_workers_get_own_books(cluster: str, own_list: dict[str, Any], tmp_path: Path) -> None:
    path = table(tmp_path / "x.parquet", document=[json.dumps(own_list)] * 3)
    assert run(path, "--dask", cluster)[0] == 0


@pytest.mark.slow
def test_a_scheduler_that_is_not_there_is_told(
    corpus: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pools, "PATIENCE", 0.5)
    for address in ("tcp://127.0.0.1:1", "nonsense://127.0.0.1"):
        with pytest.raises(CommandError, match=f"No Dask scheduler answers at {address}"):
            run(corpus, "--dask", address)


def test_workers_that_are_ended_again_and_again_are_told(cluster: str) -> None:
    from distributed import KilledWorker

    with (
        pytest.raises(Refusal, match="killed again and again"),
        dask_pool(cluster, 60, print),
    ):
        raise KilledWorker("loads", None, 3)


def test_a_dask_worker_that_lacks_a_package_is_told(cluster: str) -> None:
    with (
        pytest.raises(Refusal, match="lacks nothing_such"),
        dask_pool(cluster, 60, print) as pool,
    ):
        pool.submit(_lacking).result()


def _lacking() -> None:
    raise ModuleNotFoundError("No module named 'nothing_such'", name="nothing_such")
