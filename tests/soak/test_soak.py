"""What the site bears: many players, attackers, and many edits at once. By hand: `make soak`.

Everything runs on loopback, with the server that `make run` starts, and is bounded in time. The
figures are printed; `docs/operating.md` has those of the last run.
"""

import asyncio
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.building.documents import army, skirmish
from tests.serving import ROOT, Served, gunicorn
from tests.soak.clients import Answer, Browser, Player, click_every, percentile
from tests.soak.dear import DEAREST, attack

#: Players who click every so many seconds, for so long.
PLAYERS = 300
EVERY = 3.0
SECONDS = 45.0
#: Milliseconds that a click's 95th percentile may take.
P95 = 150
#: Edits by clients, each on a list of its own.
EDITS, CLIENTS = 10_000, 40


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Served]:
    environment = {
        "ARMYBUILDER_VAR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "armybuilder.settings",
        "DEBUG": "", "PROXIES": "1",
    }  # fmt: skip
    for command in (["migrate"], ["collectstatic", "--noinput"]):
        subprocess.run(
            [sys.executable, "manage.py", *command, "--verbosity", "0"],
            cwd=ROOT, env={**os.environ, **environment}, check=True,
        )  # fmt: skip
    with gunicorn(**environment) as served:
        yield served


async def players(port: int, number: int, document: dict[str, Any]) -> list[Player]:
    """So many players, each with a list of their own."""
    raw = json.dumps(document).encode()
    made = [Player(port, f"10.1.{index // 250}.{index % 250 + 1}") for index in range(number)]
    for start in range(0, number, 4):  # uploads are heavy, and only so many wait
        await asyncio.gather(*(player.start(raw) for player in made[start : start + 4]))
    return made


async def clicking(everybody: list[Player], seconds: float) -> list[Answer]:
    answers: list[Answer] = []
    until = asyncio.get_running_loop().time() + seconds
    await asyncio.gather(*(click_every(one, EVERY, until, answers) for one in everybody))
    return answers


def told(what: str, answers: list[Answer]) -> None:
    statuses = dict(Counter(answer.status for answer in answers))
    p50, p95, p99 = (percentile(answers, part) for part in (0.5, 0.95, 0.99))
    print(
        f"\n{what}: {len(answers)} clicks, p50 {p50:.0f}, p95 {p95:.0f}, p99 {p99:.0f} ms;"
        f" answers {statuses}; load {os.getloadavg()[0]:.1f}"
    )


@pytest.mark.parametrize(
    ("game", "document"), [("sbh", lambda: skirmish("sbh")), ("t9a", army)], ids=["sbh", "t9a"]
)
def test_players_who_click(server: Served, game: str, document: Callable[[], Any]) -> None:
    async def play() -> list[Answer]:
        return await clicking(await players(server.port, PLAYERS, document()), SECONDS)

    answers = asyncio.run(play())
    told(f"{PLAYERS} players of {game}, a click every {EVERY:.0f} s", answers)
    assert {answer.status for answer in answers} == {200}
    assert game != "sbh" or percentile(answers, 0.95) <= P95


@pytest.mark.parametrize("what", DEAREST)
def test_attackers_do_not_stop_players(server: Served, what: str) -> None:
    async def play() -> tuple[list[Answer], list[Answer], Counter[int]]:
        everybody = await players(server.port, 20, skirmish("sbh"))
        quiet = await clicking(everybody, 12)
        prepared = [await attack(Browser(server.port, f"10.9.9.{n}"), what) for n in range(1, 5)]
        statuses: Counter[int] = Counter()
        attackers = [asyncio.create_task(one(statuses)) for one in prepared]
        await asyncio.sleep(2)
        under_attack = await clicking(everybody, 20)
        for attacker in attackers:
            attacker.cancel()
        await asyncio.gather(*attackers, return_exceptions=True)
        return quiet, under_attack, statuses

    quiet, under_attack, statuses = asyncio.run(play())
    told("nobody attacks", quiet)
    told(f"four attackers: {what} {dict(statuses)}", under_attack)
    assert {answer.status for answer in under_attack} == {200}
    assert percentile(under_attack, 0.95) <= 2 * max(percentile(quiet, 0.95), 25)


def test_no_edit_is_lost(server: Served) -> None:
    async def edit(player: Player) -> list[Answer]:
        return [await player.click() for _each in range(EDITS // CLIENTS)]

    document = skirmish("sbh")

    async def models(player: Player) -> int:
        answer = await player.get(f"{player.page}list.json")
        found: int = json.loads(answer.body)["units"][0]["models"]
        return found

    async def play() -> tuple[list[Answer], list[int]]:
        everybody = await players(server.port, CLIENTS, document)
        loop = asyncio.get_running_loop()
        begun = loop.time()
        answers = [one for many in await asyncio.gather(*map(edit, everybody)) for one in many]
        seconds = loop.time() - begun
        print(f"\n{len(answers) / seconds:.0f} edits a second")
        return answers, [await models(player) for player in everybody]

    answers, stored = asyncio.run(play())
    told(f"{EDITS} edits by {CLIENTS} clients", answers)
    assert {answer.status for answer in answers} == {200}
    assert set(stored) == {document["units"][0]["models"] + EDITS // CLIENTS}
