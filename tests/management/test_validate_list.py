"""`validate_list` over files, folders and zips, and its exit codes."""

import json
import os
import subprocess
import sys
import zipfile
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from armybuilder.books.pinning import keep_content
from armybuilder.exchange.csvs import write_csv
from armybuilder.loading.books import revision_of
from armybuilder.loading.library import CATALOGUE_DIR, shipped_library
from armybuilder.settings import BASE_DIR
from tests.building.documents import army, list_of, skirmish, value_of

Data = dict[str, Any]
TEN = {"unit": "profiles/human-warrior", "models": 10}
LEGAL = list_of("sbh", ["profiles"], [TEN], limit=300, name="Ten men")
FINE = {**skirmish("ddm-2008"), "name": "Fine", "limit": 500}
DEAR = {**skirmish("sbh"), "name": "=Dear <b>&", "limit": 100}
EXAMPLE = CATALOGUE_DIR / "sbh" / "examples" / "rangers-of-the-hollow-oak.json"
PACK: Data = dict(shipped_library().packs["raven-cup"].data)
OWN = "own-0123456789abcdef"


def write(folder: Path, name: str, document: Any) -> str:
    file = folder / name
    file.write_text(document if isinstance(document, str) else json.dumps(document))
    return str(file)


def run(*args: object) -> tuple[int, str, str]:
    """Exit code, what was printed, and complaints."""
    out, err = StringIO(), StringIO()
    try:
        call_command("validate_list", *map(str, args), stdout=out, stderr=err)
    except SystemExit as stop:
        return int(str(stop.code)), out.getvalue(), err.getvalue()
    return 0, out.getvalue(), err.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder of lists: legal, too dear, an army, a broken one, a table, and a zip of two."""
    folder = tmp_path / "lists"
    (folder / "more").mkdir(parents=True)
    (folder / ".hidden").mkdir()
    write(folder, "a.json", FINE)
    write(folder, "b.json", DEAR)
    write(folder, "c.json", army())
    write(folder, "d.json", "{")
    write(folder, "read me.txt", "not a BattleScribe list")
    write(folder / ".hidden", "x.json", "{")
    write(folder / "more", "e.csv", write_csv(value_of(FINE), shipped_library()))
    with zipfile.ZipFile(folder / "more" / "f.zip", "w") as archive:
        archive.writestr("in/g.json", json.dumps(DEAR))
        archive.writestr("h.png", b"x")
    return folder


def test_exit_codes_say_whether_all_are_read_and_legal(tmp_path: Path) -> None:
    # An unreadable list exits 2 and the others are still judged.
    code, _out, err = run(tmp_path)
    assert code == 2
    assert "There is no list in this folder: no file name ends in .json or" in err
    files = [
        write(tmp_path, "bad.json", "{"),
        write(tmp_path, "system.json", {**LEGAL, "system": "no-such"}),
        str(tmp_path / "missing.json"),
        write(tmp_path, "wrong.json", {**LEGAL, "limit": "many"}),
        write(tmp_path, "long.json", " " * 10_000_000),
        write(tmp_path, "good.json", LEGAL),
    ]
    code, out, err = run(*files)
    assert code == 2
    assert "good.json: Ten men: legal" in out
    assert "bad.json: The file is not JSON" in err
    assert "no game system “no-such”" in err
    assert "missing.json: The file cannot be read: No such file or directory." in err
    assert "#/limit" in err
    assert "at most 512 KB can be read" in err, "a list that is too long is not read in whole"
    # Exit codes say whether all are legal and lines why not.
    code, out, _err = run(write(tmp_path, "a.json", LEGAL))
    assert code == 0
    assert "legal, 300 of 300 points" in out
    code, out, _err = run(write(tmp_path, "a.json", {**LEGAL, "limit": 299}))
    assert code == 1
    assert "error, broken: The list costs 300 points: 1 over the limit of 299. [points.over;" in out
    code, out, _err = run("--json", write(tmp_path, "a.json", {**LEGAL, "limit": 299}))
    assert code == 1
    (report,) = json.loads(out)
    (finding,) = report["findings"]
    assert report["spent"] == 300
    assert finding["citation"]
    told = {"code": "points.over", "severity": "error", "units": ["u1"], "rule": "/rules/0"}
    assert finding == {**finding, **told, "measured": 300, "allowed": 299}


def test_files_of_a_folder_and_its_zips_are_judged_in_their_order(folder: Path) -> None:
    code, out, _err = run(folder / "a.json", folder / "more")
    lines = [line for line in out.splitlines() if not line.startswith(" ")]
    assert [line.partition(": ")[0].removeprefix(f"{folder}/") for line in lines] == [
        "a.json", "more/e.csv", "more/f.zip/in/g.json",
    ]  # fmt: skip
    assert code == 2
    code, out, err = run(folder, "--json")
    reports = json.loads(out)
    assert [report.get("legal") for report in reports] == [
        True, False, False, None, True, False, None,
    ]  # fmt: skip
    assert reports[1]["findings"][0]["measured"] == 585
    assert "not JSON" in reports[3]["unreadable"]
    assert "d.json: The file is not JSON" in err
    assert "h.png: Its name does not end in" in err
    assert code == 2


def test_what_needs_listcorpus_says_what_to_install(tmp_path: Path) -> None:
    code, _out, err = run(write(tmp_path, "x.jsonl", ""), write(tmp_path, "y.parquet", ""))
    assert err.count("A corpus needs listcorpus, which is not installed: pip install") == 2
    assert code == 2
    for option in ("--report", "--jobs", "--dask", "--dask-wait"):
        with pytest.raises(CommandError, match=f"{option} needs listcorpus, which is not"):
            run(EXAMPLE, option, "2")
    with pytest.raises(CommandError, match="reading_rate needs listcorpus"):
        call_command("reading_rate")


def test_an_event_pack_in_the_box_or_of_a_file_gives_both_verdicts(tmp_path: Path) -> None:
    code, out, _err = run(EXAMPLE, "--pack", "raven-cup")
    assert code == 1
    assert "at the event not legal: 1 error (in the game: Legal)" in out
    assert "event, error, broken: The list is for 400 points. Needed: 300." in out
    assert "[event.size; Pack 1]" in out
    _code, out, _err = run(EXAMPLE, "--pack", write(tmp_path, "own.json", {**PACK, "name": "Ours"}))
    assert "at the event not legal" in out
    (report,) = json.loads(run(EXAMPLE, "--json", "--pack", "raven-cup")[1])
    assert {finding["origin"] for finding in report["findings"]} == {"event"}
    code, _out, err = run(EXAMPLE, "--pack", "lantern-cup")
    assert code == 2
    assert "is for a different game" in err
    mistakes = {
        "no such file": None,
        "is not JSON": "{",
        "There is no game system": {**PACK, "system": "chess"},
        "are missing": {**PACK, "rules": [{}]},
    }
    for said, content in mistakes.items():
        file = str(tmp_path / "none.json") if content is None else write(tmp_path, "p", content)
        with pytest.raises(CommandError, match=said):
            run(EXAMPLE, "--pack", file)


@pytest.mark.slow
@pytest.mark.long
@pytest.mark.parametrize(
    "command",
    ["validate_list", "repair_list", "print_list"],
)
def test_a_site_without_tables_takes_lists_that_pin_what_nobody_kept(
    command: str, tmp_path: Path
) -> None:
    document = json.loads(json.dumps(FINE))
    document["books"][0]["revision"] = "0" * 16
    environment = {**os.environ, "ARMYBUILDER_VAR": str(tmp_path / "var")}
    del environment["DJANGO_SETTINGS_MODULE"]
    more = ["-o", tmp_path / "a.pdf"] if command == "print_list" else []
    call = [sys.executable, "manage.py", command, write(tmp_path, "a.json", document), *more]
    done = subprocess.run(call, cwd=BASE_DIR, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()


@pytest.mark.django_db
def test_lists_may_be_judged_by_the_books_as_they_are_now(tmp_path: Path) -> None:
    """As after a new revision: the list pins what the book was, which made each unit dearer."""
    shipped = shipped_library().shipped_data("ddm-2008", "practice") or {}
    data = json.loads(json.dumps(shipped))
    for unit in data["units"]:
        unit["points"] = 99
    keep_content("practice", revision_of(data), data)
    document = json.loads(json.dumps(FINE))
    document["books"][0]["revision"] = revision_of(data)
    file = write(tmp_path, "a.json", document)
    code, out, _err = run(file)
    assert f"{15 * 99} of 500 points" in out
    assert code == 1
    assert run(file, "--newest-books")[0] == 0
    own = {**shipped, "id": OWN}
    keep_content(OWN, revision_of(own), own)
    text = json.dumps({**FINE, "books": [{"id": OWN, "revision": revision_of(own)}]})
    file = write(tmp_path, "b.json", text.replace("practice/", f"{OWN}/"))
    assert run(file, "--newest-books")[0] == 0, "own books are kept"
