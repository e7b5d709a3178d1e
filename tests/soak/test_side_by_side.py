"""An upgrade while people click: the release before and this one serve one database side by side.
`make soak`; BEFORE=<revision> names another release than the last one with fewer migrations.
"""

import asyncio
import os
import re
import shutil
import subprocess
import sys
import tarfile
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, version
from io import BytesIO
from pathlib import Path

import pytest

from tests.building.documents import skirmish
from tests.operating.servers import postgresql
from tests.serving import ROOT, Served, gunicorn
from tests.soak.clients import Answer, Player, first_models, percentile, players

CLIENTS = 10
#: Seconds with the release before alone, in whose middle the database is migrated; with both; and
#: with this one alone.
ALONE, BOTH, AFTER = 10.0, 20.0, 5.0
#: A player looks at the other pages, and makes a link to a frozen copy, each so many clicks.
LOOKS, FREEZES = 5, 20
_MIGRATION = re.compile(r"armybuilder/\w+/migrations/\d\w+\.py")
_PIN = re.compile(r"^([\w.-]+)==([^\s;\\]+)", re.MULTILINE)


def git(*arguments: str) -> bytes:
    """What git says about this checkout; skips where that is none."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed")
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=False)
    if done.returncode != 0:
        pytest.skip(f"no history: {done.stderr.decode().strip()}")
    return done.stdout


def release_before() -> str:
    """The revision to upgrade from."""
    if named := os.environ.get("BEFORE"):
        return named
    now = len(list(ROOT.glob("armybuilder/*/migrations/[0-9]*.py")))
    added = git("log", "--format=%H", "--diff-filter=A", "--", "armybuilder/*/migrations/[0-9]*.py")
    for revision in ("HEAD", *(f"{one}^" for one in added.decode().split())):
        files = git("ls-tree", "-r", "--name-only", revision).decode().splitlines()
        if sum(map(bool, map(_MIGRATION.fullmatch, files))) < now:
            return revision
    pytest.skip("no release has fewer migrations")


def check_out(revision: str, folder: Path) -> None:
    """Put a revision into a folder; skips where it needs packages that are not here, or cannot be
    told where to listen.
    """
    with tarfile.open(fileobj=BytesIO(git("archive", revision))) as archive:
        archive.extractall(folder, filter="data")
    serving = folder / "armybuilder/serving.py"
    if not serving.exists() or '"ADDRESS"' not in serving.read_text():
        pytest.skip(f"{revision} does not serve where ADDRESS says")
    for name, wanted in _PIN.findall((folder / "requirements.txt").read_text()):
        try:
            found = version(name)
        except PackageNotFoundError:
            found = "nothing"
        if found != wanted:
            pytest.skip(f"{revision} needs {name} {wanted}, and {found} is installed")


@dataclass
class Upgrade:
    """Two releases of one site. `run` waits for a command of one to end."""

    environment: dict[str, str]
    before: Path

    def run(self, root: Path, *command: str) -> None:
        subprocess.run(
            [sys.executable, "manage.py", *command, "--verbosity", "0"],
            cwd=root, env={**os.environ, **self.environment}, check=True,
        )  # fmt: skip

    def serve(self, root: Path) -> "contextmanager[Served]":
        return gunicorn(root, **self.environment)


@pytest.fixture(params=["sqlite", "postgresql"])
def upgrade(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Upgrade]:
    """A site of the release before, with its database."""
    before, var = tmp_path / "before", tmp_path / "var"
    before.mkdir()
    var.mkdir()
    check_out(release_before(), before)
    environment = {
        "ARMYBUILDER_VAR": str(var), "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "DEBUG": "", "PROXIES": "1", "WORKERS": "1", "PRINT_WORKERS": "0",
    }  # fmt: skip
    if request.param == "sqlite":
        yield Upgrade(environment, before)
        return
    with postgresql() as database:
        yield Upgrade({**environment, "DATABASE_URL": database.make("soak")}, before)


class Counted:
    """What the players were answered, by release."""

    def __init__(self) -> None:
        self.answers: dict[str, list[Answer]] = {"before": [], "now": []}
        self.statuses: Counter[int] = Counter()
        self.failed: list[str] = []

    def take(self, who: str, what: str, answer: Answer) -> None:
        self.statuses[answer.status] += 1
        if answer.status >= 400:
            self.failed.append(f"{who}: {what} {answer.status} {answer.body[-600:].decode()}")


async def play(player: Player, ports: Callable[[], dict[str, int]], counted: Counted) -> int:
    """Click on what serves by turns, until nothing does; how many clicks were acknowledged."""
    acknowledged = turn = 0
    while serving := ports():
        who = sorted(serving)[turn % len(serving)]
        turn += 1
        if player.port != serving[who]:
            player.close()
            player.port = serving[who]
        answer = await player.click()
        counted.answers[who].append(answer)
        counted.take(who, "a click", answer)
        acknowledged += answer.status == 200
        if turn % LOOKS == 0:
            for path in (player.page, f"{player.page}history/", "/lists/", f"{player.page}share/"):
                counted.take(who, path, await player.get(path))
        if turn % FREEZES == 0:
            fields = {"what": "frozen", "view": "full"}
            path = f"{player.page}share/make/"
            counted.take(who, path, await player.post(path, fields))
        await asyncio.sleep(0.1)
    return acknowledged


def test_two_releases_side_by_side_lose_nothing(upgrade: Upgrade) -> None:
    for command in (("migrate",), ("collectstatic", "--noinput")):
        upgrade.run(upgrade.before, *command)
    document, counted, serving = skirmish("sbh"), Counted(), {}

    async def happen() -> tuple[list[int], list[int]]:
        async with players(before.port, CLIENTS, document) as everybody:
            serving["before"] = before.port
            playing = [
                asyncio.create_task(play(one, lambda: serving, counted)) for one in everybody
            ]
            await asyncio.sleep(ALONE / 2)
            for command in (("migrate",), ("collectstatic", "--noinput")):
                await asyncio.to_thread(upgrade.run, ROOT, *command)
            await asyncio.sleep(ALONE / 2)
            with upgrade.serve(ROOT) as now:
                serving["now"] = now.port
                await asyncio.sleep(BOTH)
                del serving["before"]
                await asyncio.sleep(AFTER)
                serving.clear()
                acknowledged = await asyncio.gather(*playing)
                return acknowledged, [await player.models() for player in everybody]

    with upgrade.serve(upgrade.before) as before:
        acknowledged, models = asyncio.run(happen())
    stored = [number - first_models(document) for number in models]
    for who, answers in counted.answers.items():
        print(f"\n{who}: {len(answers)} clicks, p95 {percentile(answers, 0.95):.0f} ms", end="")
    print(f"; {sum(acknowledged)} acknowledged, {sum(stored)} stored; {dict(counted.statuses)}")
    assert counted.failed == []
    assert stored == acknowledged
    assert set(counted.statuses) <= {200, 302}
