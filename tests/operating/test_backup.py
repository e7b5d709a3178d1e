"""A copy of everything, made while players write, and everything made of it."""

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path
from shutil import copytree
from zipfile import ZipFile

import pytest

from tests.effort import scaled
from tests.operating.servers import ROOT, make_database, manage, managed, postgresql, world

pytestmark = [pytest.mark.long, pytest.mark.django_db]

LISTS = scaled(2, 6, 6)


@contextmanager
def players(var: Path, *more: str, **variables: str) -> Iterator[None]:
    """Some lists are there, and with "write" their players go on meanwhile."""
    command = [sys.executable, "-m", "tests.operating.players", str(LISTS), *more]
    with subprocess.Popen(
        command, cwd=ROOT, env=world(var, **variables), stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout
        assert process.stdout.readline() == "ready\n"
        try:
            yield
            assert process.poll() is None or not more, "they have stopped"
        finally:
            if more:
                process.kill()


@pytest.fixture(scope="module")
def site(django_db_setup: None, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of data with lists and a print."""
    var = tmp_path_factory.mktemp("site")
    make_database(var)
    with players(var):
        pass
    (var / "prints").mkdir()
    (var / "prints" / "one.pdf").write_bytes(b"%PDF" * 1000)
    return var


@pytest.fixture(scope="module")
def copy(site: Path) -> Path:
    output = managed(site, "backup", str(site / "copy.zip"))
    assert f"{LISTS} lists, 1 files" in output
    return site / "copy.zip"


def changed(copy: Path, target: Path, name: str, content: bytes) -> Path:
    """The copy with something else in it, of which its manifest knows nothing."""
    with ZipFile(copy) as old, ZipFile(target, "w") as new:
        for one in old.namelist():
            new.writestr(one, content if one == name else old.read(one))
    return target


def test_every_list_of_the_copy_opens_with_its_hash_and_its_verdict(
    site: Path, copy: Path, tmp_path: Path
) -> None:
    output = managed(tmp_path, "restore", str(copy), "--verify")
    assert "Every list is as in the copy." in output
    assert (tmp_path / "prints/one.pdf").read_bytes() == b"%PDF" * 1000
    assert (tmp_path / "secret_key").read_text() == (site / "secret_key").read_text()
    assert (tmp_path / "secret_key").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in tmp_path.iterdir()} == {
        *("armybuilder.sqlite3", "prints", "secret_key")
    }


@pytest.mark.slow
def test_what_the_site_has_signed_is_known_to_the_copy(
    site: Path, copy: Path, tmp_path: Path
) -> None:
    managed(tmp_path, "restore", str(copy))
    assert "Not legal" in manage(tmp_path, "verify_certificate", str(site / "certificate")).stdout


def test_the_copy_is_for_its_owner_alone_and_leaves_nothing_beside_it(copy: Path) -> None:
    assert copy.stat().st_mode & 0o777 == 0o600
    assert [path.name for path in copy.parent.glob("copy.zip*")] == ["copy.zip"]


@pytest.mark.slow
def test_a_backup_is_of_one_moment_while_writes_go_on(site: Path, tmp_path: Path) -> None:
    busy = tmp_path / "busy"
    copytree(site, busy)
    with players(busy, "write"):
        for number in range(2):
            managed(busy, "backup", str(tmp_path / f"{number}.zip"))
    hashes = set()
    for number in range(2):
        with ZipFile(tmp_path / f"{number}.zip") as archive:
            hashes.add(archive.read("lists.jsonl"))
        var = tmp_path / f"var-{number}"
        managed(var, "restore", str(tmp_path / f"{number}.zip"), "--verify")
    assert len(hashes) == 2


@pytest.mark.slow
@pytest.mark.parametrize("moment", ["part", "work"])
def test_a_copy_that_is_killed_half_way_leaves_the_one_before(
    site: Path, copy: Path, tmp_path: Path, moment: str
) -> None:
    target = tmp_path / "copy.zip"
    target.write_bytes(copy.read_bytes())
    before = target.read_bytes()
    killed = 0
    for _again in range(10):
        command = [sys.executable, "manage.py", "backup", str(target)]
        with subprocess.Popen(command, cwd=ROOT, env=world(site)) as process:
            sign = tmp_path / f"copy.zip.{moment}"
            while process.poll() is None and not sign.exists():
                time.sleep(0.001)
            process.kill()
        if (tmp_path / "copy.zip.part").exists():
            killed += 1
            assert target.read_bytes() == before
        if killed == 3:
            break
    assert killed
    managed(site, "backup", str(target))
    assert [path.name for path in tmp_path.iterdir()] == ["copy.zip"]
    managed(tmp_path / "var", "restore", str(target), "--verify")


@pytest.mark.slow
def test_two_at_once_do_not_spoil_each_other(site: Path, tmp_path: Path) -> None:
    target = tmp_path / "copy.zip"
    command = [sys.executable, "manage.py", "backup", str(target)]
    both = [subprocess.Popen(command, cwd=ROOT, env=world(site)) for _each in range(2)]
    assert 0 in [process.wait() for process in both]
    managed(tmp_path / "var", "restore", str(target), "--verify")


@pytest.mark.slow
def test_an_incomplete_backup_is_refused_before_anything_changes(
    copy: Path, tmp_path: Path
) -> None:
    raw = copy.read_bytes()
    short = tmp_path / "short.zip"
    short.write_bytes(raw[: len(raw) // 2])
    for bad in (
        short,
        tmp_path / "none.zip",
        changed(copy, tmp_path / "other.zip", "lists.jsonl", b"{}\n"),
        changed(copy, tmp_path / "blank.zip", "manifest.json", b"{}"),
    ):
        done = manage(tmp_path / "var", "restore", str(bad))
        assert done.returncode == 1
        assert done.stderr.count("\n") == 1, done.stderr
        assert not (tmp_path / "var/armybuilder.sqlite3").exists()


@pytest.mark.slow
def test_a_list_that_differs_from_the_backup_is_reported(copy: Path, tmp_path: Path) -> None:
    with ZipFile(copy) as archive:
        lines = archive.read("lists.jsonl").splitlines()
        manifest = json.loads(archive.read("manifest.json"))
    first, second = json.loads(lines[0]), json.loads(lines[1])
    first["hash"] = second["verdict"] = "0" * 64
    wrong = b"".join(json.dumps(one).encode() + b"\n" for one in (first, second))
    wrong += b"\n".join(lines[2:-1]) + b"\n"
    manifest["sha256"]["lists.jsonl"] = sha256(wrong).hexdigest()
    manifest["rows"]["lists.ArmyList"] += 1
    one = changed(copy, tmp_path / "one.zip", "lists.jsonl", wrong)
    two = changed(one, tmp_path / "two.zip", "manifest.json", json.dumps(manifest).encode())
    done = manage(tmp_path / "var", "restore", str(two), "--verify")
    assert done.returncode == 1
    assert f"The list {first['list']} is another." in done.stderr
    assert f"The list {second['list']} has another verdict." in done.stderr
    assert f"lists.ArmyList: {LISTS} rows instead of {LISTS + 1}." in done.stderr


@pytest.mark.slow
def test_restoring_over_data_needs_a_flag_and_an_idle_site(copy: Path, tmp_path: Path) -> None:
    managed(tmp_path, "restore", str(copy))
    done = manage(tmp_path, "restore", str(copy))
    assert done.returncode == 1
    assert "see --replace" in done.stderr
    with players(tmp_path, "write"):
        done = manage(tmp_path, "restore", str(copy), "--replace")
        assert done.returncode == 1
        assert "stop the server" in done.stderr
    managed(tmp_path, "restore", str(copy), "--replace", "--verify")


@pytest.mark.slow
def test_restoring_with_another_key_is_reported_and_old_certificates_still_check(
    site: Path, copy: Path, tmp_path: Path
) -> None:
    key = "another key " * 5
    done = manage(tmp_path, "restore", str(copy), SECRET_KEY=key)
    assert done.returncode == 0
    assert "put that into SECRET_KEY_FALLBACKS" in done.stderr
    assert not (tmp_path / "secret_key").exists()
    signed = str(site / "certificate")
    assert "Not legal" in managed(tmp_path, "verify_certificate", signed, SECRET_KEY=key)


@pytest.mark.slow
def test_postgresql_comes_back_too(copy: Path, tmp_path: Path) -> None:
    with postgresql() as server:
        source = {"DATABASE_URL": server.make("source")}
        target = {"DATABASE_URL": server.make("target")}
        var = tmp_path / "source"
        managed(var, "migrate", **source)
        file = tmp_path / "copy.zip"
        with players(var, "write", **source):
            managed(var, "backup", str(file), **source)
        for _again in range(2):
            managed(tmp_path / "target", "restore", str(file), "--verify", "--replace", **target)
        done = manage(tmp_path / "target", "restore", str(copy), "--replace", **target)
        assert "The copy is of sqlite, but DATABASE_URL is of postgresql." in done.stderr
