"""`validate_list` with reports of all kinds, and by several processes."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.loading.problems import Refusal
from listcorpus import pools
from listcorpus.management.commands import validate_list
from listcorpus.pools import local_pool, work_through
from tests.management.test_validate_list import folder, run

__all__ = ["folder"]

#: What becomes of the files in that folder, in their order.
VERDICTS = {
    "a.json": "legal", "b.json": "not legal", "c.json": "not legal", "d.json": "unreadable",
    "more/e.csv": "legal", "more/f.zip/in/g.json": "not legal", "more/f.zip/h.png": "unreadable",
}  # fmt: skip


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_report_has_a_line_for_each_list_in_the_order_of_the_files(
    folder: Path, tmp_path: Path, jobs: int
) -> None:
    report = tmp_path / "out.csv"
    code, out, err = run(folder, "--jobs", jobs, "--report", report)
    rows = list(csv.DictReader(io.StringIO(report.read_text(), newline="")))
    assert {row["file"].removeprefix(f"{folder}/"): row["verdict"] for row in rows} == VERDICTS
    assert code == 2
    assert out.startswith("7 lists in ")
    assert out.endswith(": 2 legal, 0 legal as far as checked, 3 not legal, 2 unreadable\n")
    assert "d.json: The file is not JSON" in err
    assert "h.png: Its name does not end in" in err
    dear = rows[1]
    assert (dear["name"], dear["game"], dear["limit"]) == ("'=Dear <b>&", "sbh", "100")
    assert (dear["points"], dear["codes"].split()[0]) == ("585", "points.over")
    assert float(dear["seconds"]) > 0


def test_a_report_in_json_tells_findings_and_problems(folder: Path, tmp_path: Path) -> None:
    report = tmp_path / "out.JSON"
    run(folder, folder / "d.json", "--report", report)
    lines = json.loads(report.read_text())
    assert [line["legal"] for line in lines] == [True, False, False, None, True, False, None, None]
    assert lines[1]["findings"][0]["code"] == "points.over"
    sentence = "The list costs 585 points: 485 over the limit of 100."
    assert lines[1]["findings"][0]["sentence"] == sentence
    assert len(report.read_text().splitlines()) == len(lines) + 2


def test_the_page_has_the_worst_first_linked_to_what_was_found_and_escaped(
    folder: Path, tmp_path: Path
) -> None:
    report = tmp_path / "out.html"
    run(folder, "--jobs", 2, "--report", report)
    page = report.read_text()
    told = "7 lists: 2 legal, 0 legal as far as checked, 3 not legal, 2 that cannot be read."
    assert told in page
    rows = page.partition("<tbody>")[2].partition("</tbody>")[0].split("<tr ")[1:]
    words = [row.partition("</svg>")[2].partition("</span>")[0].strip() for row in rows]
    assert words[:2] == ["Unreadable"] * 2
    assert all(word.endswith(("error", "errors", "to do")) for word in words[2:5]), words
    assert words[5:] == ["Legal"] * 2
    assert "Fifteen units" in rows[2], "the one with the most errors"
    for row in rows[:5]:
        target = row.partition('href="#')[2].partition('"')[0]
        assert page.count(f'id="{target}"') == 1
    assert "=Dear &lt;b&gt;&amp;" in page
    assert page.count("<style>") == 1
    assert "--ground:" in page
    assert [mark for mark in ("<b>", "<link", "src=") if mark in page] == []


def test_reports_are_printed_as_json_also_by_several_processes(folder: Path) -> None:
    code, out, err = run(folder, "--json", "--jobs", 2)
    told = json.loads(out)
    assert [report.get("legal") for report in told] == [True, False, False, None, True, False, None]
    assert told[1]["findings"][0]["measured"] == 585
    assert "not JSON" in told[3]["unreadable"]
    assert "d.json" in err
    assert code == 2


def test_codes_say_whether_all_are_legal(folder: Path) -> None:
    assert run(folder / "a.json", folder / "more" / "e.csv")[0] == 0
    assert run(folder / "a.json", folder / "b.json", "--jobs", 2)[0] == 1


def test_what_cannot_be_done_is_said_before_anything_is_judged(folder: Path) -> None:
    for args, said in (
        (["--report", "out.txt"], "ends in .csv or .json or .html or .parquet"),
        (["--report", "no-such-folder/out.csv"], "cannot be written: No such file"),
        (["--jobs", "0"], "from 1 to 256"),
        (["--jobs", "many"], "from 1 to 256"),
    ):
        with pytest.raises(CommandError, match=said):
            run(folder, *args)


def test_the_report_may_stand_in_the_folder_and_is_no_list_itself(folder: Path) -> None:
    for name in ("out.json", "out.csv", "out.parquet"):
        run(folder, "--report", folder / name)
    assert "out.json" in (folder / "out.csv").read_text(), "another report is none of its own"
    assert "out.csv" not in (folder / "out.csv").read_text()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_a_long_run_says_on_a_terminal_how_far_it_is(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(validate_list, "LONG", 0)
    err = Terminal()
    args = ["validate_list", str(folder / "more" / "e.csv"), "--report", str(tmp_path / "o.csv")]
    call_command(*args, stdout=io.StringIO(), stderr=err)
    assert "\r\x1b[K1 lists, " in err.getvalue()
    assert err.getvalue().endswith("\r\x1b[K"), "it is gone at the end"


def test_things_are_taken_only_as_they_are_needed_and_results_keep_their_order() -> None:
    taken: list[int] = []

    def things() -> Any:
        for number in range(-500, 500):
            taken.append(number)
            yield number

    with local_pool(2) as pool:
        results = work_through(list, things(), pool)
        first = next(results)
        assert len(taken) <= pools.LOT * (2 * pools.AHEAD + 1)
        worked = [number for _lot, made in [first, *results] for number in made]
    assert worked == list(range(-500, 500))


def test_a_process_that_is_ended_is_told() -> None:
    with pytest.raises(Refusal, match="was killed"), local_pool(2) as pool:
        list(work_through(_end, [1], pool))


def _end(_lot: object) -> None:
    import os

    os._exit(1)
